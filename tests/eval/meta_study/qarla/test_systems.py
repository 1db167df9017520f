from dataclasses import replace

import numpy as np
import pytest

from eval.meta.drawn import Drawn
from eval.meta.qarla import Conditions, queen, queen_left_out
from eval.meta_study.qarla.systems import Standing, standing
from tests.eval.meta_study.compared.made_up import compared


def test_means_over_topics() -> None:
    made = compared(1)
    conditions = Conditions.of(made.similarities)
    found = standing(made, conditions, [1, 2])
    assert found.systems == ("s0", "s1", "s2", "s3")
    assert found.queens.value == pytest.approx(np.mean(queen(conditions, [1, 2]), axis=0))
    left = queen_left_out(conditions, [1, 2])
    assert found.of_references.value == pytest.approx(
        np.mean([each.models[0] for each in left], axis=0)
    )
    assert found.against.value == pytest.approx(
        np.mean([each.peers[0].mean(axis=0) for each in left], axis=0)
    )


def test_a_system_is_judged_by_the_topics_that_it_answered() -> None:
    made = compared(2, topics=2)
    second = replace(made.topics[1], systems=("late", "s1", "s2", "s3"))
    made = replace(made, topics=(made.topics[0], second))
    conditions = Conditions.of(made.similarities)
    found = standing(made, conditions, [1])
    (first, last) = queen(conditions, [1])
    assert found.systems[-1] == "late"
    assert found.queens.value[[0, -1]].tolist() == [first[0], last[0]]


def test_the_lowest_reference_against_the_highest_system() -> None:
    people = Drawn(np.array([0.6, 0.5]), np.array([[0.6, 0.4], [0.5, 0.9]]))
    systems = Drawn(np.array([0.1, 0.3]), np.array([[0.1, 0.2], [0.3, 0.3]]))
    found = Standing(("a", "b"), systems, ("A", "B"), people, systems)
    gap = found.people_ahead()
    assert gap.value == pytest.approx(0.2)
    assert gap.low == pytest.approx(0.1, abs=0.01)  # .5 - .3 and .4 - .3 in the resamples
    assert gap.high == pytest.approx(0.2, abs=0.01)
