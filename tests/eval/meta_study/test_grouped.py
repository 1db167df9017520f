from dataclasses import replace

import numpy as np
import pytest

from tests.eval.meta_study.made_up_groups import grouped
from weps.errors import ValuesError


def test_only_what_a_criterion_judges_is_left_and_groups_have_no_gaps() -> None:
    found = grouped(groups=3, size=2)
    quality = np.array([1.0, 2.0, np.nan, np.nan, 3.0, 1.0])
    judged = replace(found, quality={"quality": quality}).judged("quality")
    assert judged.group.tolist() == [0, 0, 1, 1]
    assert judged.quality.tolist() == [1, 2, 3, 1]
    assert (judged.values == found.values[:, [0, 1, 4, 5]]).all()


def test_a_criterion_that_compares_nothing_is_refused() -> None:
    quality = np.array([1.0, np.nan, np.nan, 2.0])
    found = replace(grouped(groups=2, size=2), quality={"quality": quality})
    with pytest.raises(ValuesError, match="no topic has two instances that people judged"):
        found.judged("quality")


def test_a_criterion_that_tells_nothing_apart_is_refused() -> None:
    quality = np.array([1.0, 1.0, 2.0, 2.0])
    found = replace(grouped(groups=2, size=2), quality={"quality": quality})
    with pytest.raises(ValuesError, match="people judged all instances of each topic alike"):
        found.judged("quality")


def test_groups_of_one_instance_are_refused() -> None:
    with pytest.raises(ValuesError, match="no topic has two instances"):
        grouped(groups=4, size=1)


def test_some_instances_of_large_groups_are_drawn() -> None:
    found = grouped(groups=3, size=9)
    few = found.at_most(4, seed=1)
    assert np.bincount(few.group).tolist() == [4, 4, 4]
    assert "Of 27 instances 12 were drawn" in few.remarks[0]
    assert set(few.quality["quality"]) <= set(found.quality["quality"])
    assert len(few.system) == 12
    assert (few.values == found.at_most(4, seed=1).values).all()
    assert not np.array_equal(few.values, found.at_most(4, seed=2).values)


def test_groups_that_are_small_enough_stay_as_they_are() -> None:
    found = grouped(groups=3, size=4)
    assert found.at_most(4, seed=0) is found
