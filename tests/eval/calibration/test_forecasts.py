from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from eval.calibration import as_forecasts, by_name
from weps.errors import ValuesError


def test_names_are_numbered_without_gaps_and_weight_0_is_left_out() -> None:
    found = as_forecasts([0.1, 0.2, 0.3, 1], [True, False, True, True], [7, 9, 4, 7], [1, 0, 2, 3])
    assert_array_equal(found.probability, [0.1, 0.3, 1])
    assert_array_equal(found.happened, [True, True, True])
    assert_array_equal(found.name, [1, 0, 1])
    assert_array_equal(found.totals([1, 1, 1]), [2, 4])
    assert found.names == 2


def test_without_names_there_is_one_and_nothing_to_draw() -> None:
    found = as_forecasts([0, 1], [True, False])
    assert found.names == 1
    assert_array_equal(found.drawn(), [[1]])


def test_draws_have_every_name_once_and_then_as_many_names_as_there_are() -> None:
    drawn = as_forecasts([0.5] * 3, [True] * 3, [0, 1, 2]).drawn(seed=3)
    assert drawn.shape == (10_001, 3)
    assert_array_equal(drawn[0], [1, 1, 1])
    assert_array_equal(drawn.sum(axis=1), 3)


def test_every_name_weighs_the_same() -> None:
    group = np.array([5, 2, 5, 5, 5, 2])
    assert_array_equal(by_name(group), [0.25, 0.5, 0.25, 0.25, 0.25, 0.5])
    found = as_forecasts([0.5] * 6, [True] * 6, group, by_name(group))
    assert_array_equal(found.totals(np.ones(6)), [1, 1])


@pytest.mark.parametrize(
    ("probability", "happened", "group", "weights", "message"),
    [
        ([], [], None, None, "probability: there is nothing"),
        ([0.5, np.nan], [True, True], None, None, "probability: 1 values are NaN"),
        ([0.5, 1.1], [True, True], None, None, r"probability: .* is 1\.1 of forecast 1"),
        ([-0.1, 2], [True, True], None, None, r"probability: 2 .* is -0\.1 of forecast 0"),
        ([[0.5]], [True], None, None, "probability: shape"),
        (["a"], [True], None, None, "probability: these are no numbers"),
        ([0.5], [1], None, None, "happened: these are no truth values"),
        ([0.5], [True, False], None, None, "happened: shape"),
        ([0.5], [True], [0, 1], None, "group: shape"),
        ([0.5], [True], [-1], None, "group: groups are whole numbers"),
        ([0.5], [True], None, [1, 1], "weights: shape"),
        ([0.5], [True], None, [-1], "weights: 1 values are negative"),
        ([0.5], [True], None, [np.inf], "weights: 1 values are negative or infinite"),
        ([0.5], [True], None, [np.nan], "weights: 1 values are NaN"),
        ([0.5], [True], None, [0], "weights: all are 0"),
    ],
)
def test_what_does_not_fit_is_said(
    probability: Any, happened: Any, group: Any, weights: Any, message: str
) -> None:
    with pytest.raises(ValuesError, match=message):
        as_forecasts(probability, happened, group, weights)


def test_weights_need_names() -> None:
    with pytest.raises(ValuesError, match="group"):
        by_name([0.5, 1])
