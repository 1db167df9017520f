"""Bins of a reliability diagram."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from tests.eval.calibration.made_up import made_up
from weps_eval.calibration.forecasts import as_forecasts
from weps_eval.calibration.reliability import binned_reliability
from weps_eval.calibration.scores import calibration_measures


def test_a_worked_example():
    found = binned_reliability(
        as_forecasts(
            [0.1, 0.3, 0.6, 0.7, 1, 1],
            [False, True, True, False, True, True],
            [0, 1, 0, 0, 0, 1],
            [1, 3, 1, 1, 1, 1],
        ),
        bins=3,
    )
    first, second, last = found.bins
    assert (first.low, first.high, first.number, first.names) == (0.1, 0.3, 2, 2)
    assert_allclose(first.forecast, (0.1 + 3 * 0.3) / 4)
    assert first.happened == (0.75, 0, 1)
    assert (second.low, second.high, second.number, second.names) == (0.6, 0.7, 2, 1)
    assert second.happened.value == 0.5
    assert math.isnan(second.happened.low)
    assert last.happened.value == 1
    assert math.isnan(last.happened.high)
    assert_allclose(found.spread[[2, 6, 12, 14, 19]], np.array([1, 3, 1, 1, 2]) / 8)
    assert_allclose(found.spread.sum(), 1)


@settings(max_examples=10)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0, 3, 20]), st.integers(1, 12))
def test_bins_hold_all_forecasts_in_order(seed, levels, bins):
    forecasts = made_up(seed, names=3, each=30, levels=levels)
    found = binned_reliability(forecasts, bins).bins
    assert sum(each.number for each in found) == 90
    for each in found:
        inside = (forecasts.probability >= each.low) & (forecasts.probability <= each.high)
        assert inside.sum() == each.number
        assert_allclose(each.forecast, forecasts.probability[inside].mean())
        assert_allclose(each.happened.value, forecasts.happened[inside].mean())
        known = not math.isnan(each.happened.low)
        assert known == (each.names > 1 and 0 < each.happened.value < 1)
        assert not known or each.happened.low <= each.happened.value <= each.happened.high


def test_bins_give_the_expected_error():
    forecasts = made_up(slope=0.4)
    off = [
        abs(each.forecast - each.happened.value) * each.number / len(forecasts.probability)
        for each in binned_reliability(forecasts).bins
    ]
    assert_allclose(sum(off), calibration_measures(forecasts)["ece"].value)


def test_one_value_is_one_bin():
    (only,) = binned_reliability(as_forecasts([0.5] * 4, [True, False] * 2, [0, 0, 1, 1])).bins
    assert (only.low, only.high, only.number) == (0.5, 0.5, 4)
    assert only.happened == (0.5, 0.5, 0.5)


def test_names_that_differ_widen_the_interval():
    """Each name all or nothing: resamples of single forecasts would be far too sure."""
    group = np.repeat(np.arange(4), 100)
    (only,) = binned_reliability(as_forecasts([0.5] * 400, group < 2, group)).bins
    assert only.happened == (0.5, 0, 1)
