from dataclasses import replace

import numpy as np
import pytest

from eval.meta_study.regression.variables import variables
from tests.eval.meta_study.made_up_scores import judged
from weps.errors import ValuesError


def with_values(*rows):
    found = judged(topics=1, systems=4)
    return replace(found, measures=tuple("abcdefg"[: len(rows)]), values=np.array(rows, float))


ONE, TWO = [0, 0, 1, 1], [0, 1, 0, 1]
"""Not correlated."""
FLAT, TURNED, NEARLY = [3, 3, 3, 3], [1, 1, 0, 0], [0, 0.1, 1, 1]


@pytest.mark.parametrize(
    ("rows", "most", "chosen"),
    [
        ([ONE, TWO, NEARLY], 3, (0, 1, 2)),
        ([ONE, NEARLY, TURNED, TWO], 2, (0, 3)),
        ([ONE, TURNED, TWO, NEARLY], 3, (0, 2, 3)),  # a measure turned round says nothing new
        ([FLAT, NEARLY, TWO], 1, (1,)),
    ],
)
def test_those_least_alike_are_chosen(rows, most, chosen):
    assert variables(with_values(*rows), most) == chosen


def test_people_have_no_say():
    found = judged()
    other = replace(found, human=found.human[::-1].copy())
    assert variables(found, 3) == variables(other, 3)


def test_constant_measures_are_refused():
    with pytest.raises(ValuesError, match="no measure tells outputs apart"):
        variables(with_values(FLAT, FLAT))
