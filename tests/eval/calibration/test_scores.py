"""Forecasts, their bins, scores and recalibration."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit, logit
from sklearn.metrics import brier_score_loss

from tests.cases import each_case
from weps_eval.calibration.scores import (
    Forecasts,
    _equal_count,
    _fit_recalibration,
    _sum_by_bin,
    as_forecasts,
    binned_reliability,
    brier_score,
    calibration_measures,
    expected_error,
)
from weps_eval.stats import bootstrap_weights


def weighed(probability, happened, group=None, weights=None) -> Forecasts:
    """Forecasts that count as stated, or alike."""
    size = len(probability)
    name = np.zeros(size, int) if group is None else np.unique(group, return_inverse=True)[1]
    weight = np.ones(size) if weights is None else np.asarray(weights, float)
    parts = (np.asarray(probability, float), np.asarray(happened, bool), name, weight)
    return Forecasts(*(each[weight > 0] for each in parts))


def made_up(
    seed: int = 0, names: int = 8, each: int = 60, slope: float = 1.0, levels: int = 0
) -> Forecasts:
    """Forecasts that are right if the slope is 1; of few levels, if a number is given."""
    generator = np.random.default_rng(seed)
    odds = generator.normal(-0.5, 2, names * each)
    probability = expit(odds)
    if levels:
        probability = np.round(probability * levels) / levels
    happened = generator.random(len(odds)) < expit(slope * odds)
    return weighed(probability, happened, np.repeat(np.arange(names), each))


def once(forecasts: Forecasts) -> np.ndarray:
    """The draw in which every name counts once."""
    return np.ones((1, forecasts.names))


probabilities = st.lists(
    st.one_of(st.floats(0, 1), st.sampled_from([0, 0.25, 0.5, 1])), min_size=1, max_size=60
).map(np.array)


@each_case(
    ("probability", "most", "expected"),
    [
        ([0.3], 10, [0]),
        ([0.4, 0.1, 0.3, 0.2], 2, [1, 0, 1, 0]),
        ([0.4, 0.1, 0.3, 0.2], 1, [0, 0, 0, 0]),
        ([0.4, 0.1, 0.3, 0.2], 9, [3, 0, 2, 1]),
        ([0, 0, 0, 0, 0, 0, 0.1, 0.2, 0.3, 0.4], 3, [0, 0, 0, 0, 0, 0, 1, 1, 2, 2]),
        ([0, 0.5, 0.5, 0.5, 1], 2, [0, 1, 1, 1, 1]),
        ([0, 0, 0.5, 1], 2, [0, 0, 1, 1]),
        ([1, 1, 1], 2, [0, 0, 0]),
    ],
)
def test_bins_hold_equally_many_as_far_as_ties_allow(probability, most, expected):
    assert_array_equal(_equal_count(np.array(probability, dtype=float), most), expected)


@given(probabilities, st.integers(1, 12), st.randoms(use_true_random=False))
def test_bins_are_ordered_none_empty_ties_together_in_any_order(probability, most, random):
    place = _equal_count(probability, most)
    used = np.unique(place)
    assert_array_equal(used, np.arange(len(used)))
    assert len(used) == min(most, len(np.unique(probability)))
    for low, high in pairwise(used):
        assert probability[place == low].max() < probability[place == high].min()
    order = list(range(len(probability)))
    random.shuffle(order)
    assert_array_equal(_equal_count(probability[order], most), place[order])


def test_every_name_weighs_the_same_and_is_numbered_without_gaps():
    found = as_forecasts([0.1, 0.2, 0.3, 1], [True, False, True, True], [7, 9, 7, 7])
    assert_array_equal(found.name, [0, 1, 0, 0])
    assert_allclose(found.weight, [1 / 3, 1, 1 / 3, 1 / 3])
    assert_allclose(_sum_by_bin(found, np.zeros(4, int))[0, :, 0], [1, 1])
    assert found.names == 2


def test_a_worked_example():
    """Two bins: 0.2, 0.4 of which one happened; 0.6, 1.0 of which both did."""
    forecasts = weighed([0.2, 0.4, 0.6, 1], [False, True, True, True])
    found = calibration_measures(forecasts, bins=2)
    assert_allclose(found["brier"].value, (0.04 + 0.36 + 0.16 + 0) / 4)
    assert_allclose(found["ece"].value, (0.2 + 0.2) / 2)


@given(st.integers(0, 2**32 - 1))
def test_the_loss_is_that_of_another_library(seed):
    forecasts = made_up(seed, names=2, each=20)
    weight = np.random.default_rng(seed).integers(1, 5, 40)
    found = weighed(forecasts.probability, forecasts.happened, forecasts.name, weight)
    outcomes = (found.happened, found.probability)
    expected = brier_score_loss(*outcomes, sample_weight=weight)
    assert_allclose(brier_score(found, once(found)), expected)


def test_a_draw_is_the_sample_with_names_repeated():
    forecasts = made_up(names=4, each=15, slope=0.5)
    place = _equal_count(forecasts.probability, 5)
    counted = _sum_by_bin(forecasts, place)
    drawn = np.array([[2.0, 0, 1, 1], [0, 4, 0, 0]])
    for number, counts in enumerate(drawn):
        rows = np.repeat(np.arange(60), counts[forecasts.name].astype(int))
        again = weighed(forecasts.probability[rows], forecasts.happened[rows])
        recounted = _sum_by_bin(again, place[rows])
        one = once(again)
        assert_allclose(brier_score(forecasts, drawn)[number], brier_score(again, one)[0])
        assert_allclose(expected_error(counted, drawn)[number], expected_error(recounted, one)[0])


@settings(max_examples=3)
@given(st.integers(0, 2**32 - 1))
def test_neither_order_nor_the_numbers_of_names_matter(seed):
    forecasts = made_up(seed, names=3, each=20)
    order = np.random.default_rng(seed).permutation(60)
    group = 5 * forecasts.name[order] + 2
    again = weighed(forecasts.probability[order], forecasts.happened[order], group)
    first, second = (calibration_measures(each) for each in (forecasts, again))
    assert_allclose(list(first.values()), list(second.values()), atol=1e-6)


def test_intervals_hold_the_figure_and_are_not_below_0():
    for key, each in calibration_measures(made_up(names=3, each=20)).items():
        assert each.low <= each.value <= each.high
        assert key != "ece" or each.low >= 0


def test_overconfident_forecasts_differ_from_calibrated_ones():
    right, wrong = (calibration_measures(made_up(names=20, slope=each)) for each in (1, 0.4))
    assert wrong["slope"].high < 0.7 < right["slope"].low
    assert wrong["ece"].low > right["ece"].high


@pytest.mark.parametrize("happened", [[False] * 4, [True] * 4])
def test_outcomes_that_are_all_alike(happened):
    found = calibration_measures(weighed([0, 0.2, 0.8, 1], happened, [0, 0, 1, 1]))
    assert np.isnan([found["slope"], found["intercept"]]).all()


def test_a_single_name_has_figures_and_no_intervals():
    forecasts = made_up(names=1)
    for figure in calibration_measures(forecasts).values():
        assert np.isnan(figure).tolist() == [False, True, True]


CLIPPED = 1e-6


def _fit(forecasts) -> np.ndarray:
    return np.ravel(_fit_recalibration(forecasts, once(forecasts)))


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.1, 1, 3]))
def test_the_gradient_vanishes(seed, slope):
    forecasts = made_up(seed, names=2, each=30, slope=slope)
    intercept, found = _fit(forecasts)
    assume(not np.isnan(found))
    odds = logit(np.clip(forecasts.probability, CLIPPED, 1 - CLIPPED))
    wrong = forecasts.happened - expit(intercept + found * odds)
    assert_allclose([wrong.sum(), wrong @ odds], 0, atol=1e-6)


@each_case(
    ("probability", "happened"),
    [
        ([0.1, 0.4, 0.6], [False, True, True]),
        ([0.1, 0.4, 0.6], [True, True, False]),
        ([0.1, 0.4, 0.4, 0.6], [False, False, True, True]),
        ([0.3, 0.3, 0.3], [False, True, True]),
        ([0.1, 0.9], [True, True]),
        ([0.1, 0.9], [False, False]),
        ([0.4], [True]),
    ],
)
def test_outcomes_that_a_threshold_divides_have_no_fit(probability, happened):
    assert np.isnan(_fit(weighed(probability, happened))).all()


@settings(max_examples=10)
@given(st.integers(0, 2**32 - 1))
def test_draws_are_fitted_like_the_sample_with_names_repeated(seed):
    forecasts = made_up(seed, names=4, each=80, slope=0.6)
    drawn = np.vstack([once(forecasts), bootstrap_weights(forecasts.names, 5, seed % 5)[1:]])
    found = np.stack(_fit_recalibration(forecasts, drawn), axis=1)
    for fit, counts in zip(found, drawn, strict=True):
        weights = counts[forecasts.name]
        again = weighed(forecasts.probability, forecasts.happened, None, weights)
        assert_allclose(fit, _fit(again), atol=0.02)


def test_draws_without_a_fit_are_nan():
    happened = [False, True, True, False, False, True]
    forecasts = weighed([0.2, 0.8, 0.2, 0.8, 0.3, 0.7], happened, [0, 0, 1, 1, 2, 2])
    drawn = np.array([[1.0, 1, 1], [0, 0, 3], [2, 1, 0]])
    intercept, slope = _fit_recalibration(forecasts, drawn)
    assert np.isnan(slope).tolist() == [False, True, False]
    assert np.isnan(intercept).tolist() == [False, True, False]


def test_steps_that_overshoot_still_arrive():
    """Plain Newton steps from 0 diverge here."""
    odds = np.array([-5.0, -8, 10]).repeat(2)
    weight = np.array([1e3, 1e-2, 1e-2, 10, 100, 1])
    forecasts = weighed(expit(odds), [True, False] * 3, None, weight)
    intercept, slope = _fit(forecasts)
    wrong = weight * (forecasts.happened - expit(intercept + slope * odds))
    assert_allclose([wrong.sum(), wrong @ odds], 0, atol=1e-6)


def test_a_worked_example_of_bins():
    found = binned_reliability(
        weighed(
            [0.1, 0.3, 0.6, 0.7, 1, 1],
            [False, True, True, False, True, True],
            [0, 1, 0, 0, 0, 1],
            [1, 3, 1, 1, 1, 1],
        ),
        bins=3,
    )
    first, second, last = found
    assert_allclose(first[0], (0.1 + 3 * 0.3) / 4)
    assert first[1] == (0.75, 0, 1)
    assert second[1].value == 0.5
    assert math.isnan(second[1].low)
    assert last[1].value == 1
    assert math.isnan(last[1].high)


def test_names_that_differ_widen_the_interval():
    """Each name all or nothing: resamples of single forecasts would be far too sure."""
    group = np.repeat(np.arange(4), 100)
    (only,) = binned_reliability(weighed([0.5] * 400, group < 2, group))
    assert only[1] == (0.5, 0, 1)
