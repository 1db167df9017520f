from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from eval.ordering.curves import average_precision, precision_recall
from eval.ordering.resampled import average_precisions
from weps.errors import ValuesError


def expected(values: Any, positive: Any, group: Any, counts: Any) -> float:
    weights = np.asarray(counts)[group]
    if not weights[positive].any():
        return np.nan
    return average_precision(precision_recall(values, positive, weights))


@given(st.integers(0, 2**32 - 1), st.sampled_from([3, 50, 2000]), st.sampled_from([1, 2, 7]))
def test_each_is_the_average_precision_with_weights(seed: int, levels: int, groups: int) -> None:
    generator = np.random.default_rng(seed)
    values, group = generator.integers(levels, size=300), generator.integers(groups, size=300)
    positive = generator.random(300) < generator.choice([0.01, 0.5, 0.99])
    positive[0] = True
    drawn = generator.multinomial(groups, np.full(groups, 1 / groups), size=5)
    found = average_precisions(values, positive, group, drawn)
    assert_allclose(found, [expected(values, positive, group, counts) for counts in drawn])


def test_a_resample_without_a_positive_has_none() -> None:
    found = average_precisions(
        [0.9, 0.5, 0.1], [False, True, False], [0, 1, 0], [[1, 1], [2, 0], [0, 2], [0, 0]]
    )
    assert_array_equal(found, [1 / 2, np.nan, 1, np.nan])


@pytest.mark.parametrize(
    ("positive", "group", "drawn", "message"),
    [
        ([False, False], [0, 1], [[1, 1]], "no instance is positive"),
        ([True, False], [0, 2], [[1, 1]], "multiplicities: there is no column for group 2"),
        ([True, False], [0], [[1, 1]], "group: shape"),
        ([True, False], [0, 1], [[1, np.nan]], "multiplicities: .*NaN"),
    ],
)
def test_what_does_not_fit_is_said(positive: Any, group: Any, drawn: Any, message: str) -> None:
    with pytest.raises(ValuesError, match=message):
        average_precisions([0.5, 0.1], positive, group, drawn)
