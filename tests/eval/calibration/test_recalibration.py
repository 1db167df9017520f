import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import expit, logit

from eval.calibration import as_forecasts
from eval.calibration.recalibration import recalibration
from tests.eval.calibration.made_up import made_up, once

CLIPPED = 1e-6


def _fit(forecasts) -> np.ndarray:
    return np.ravel(recalibration(forecasts, once(forecasts), CLIPPED))


@pytest.mark.parametrize(("intercept", "slope"), [(0, 1), (-0.7, 0.4), (1, 2), (0.3, 0), (0, -1)])
def test_what_was_done_to_forecasts_is_found(intercept: float, slope: float) -> None:
    """Each probability as often as it says, in weights."""
    odds = np.linspace(-3, 3, 13).repeat(2)
    right = expit(intercept + slope * odds)
    happened = np.arange(26) % 2 == 0
    found = as_forecasts(expit(odds), happened, None, np.where(happened, right, 1 - right))
    assert_allclose(_fit(found), [intercept, slope], atol=1e-7)


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.1, 1, 3]))
def test_the_gradient_vanishes(seed: int, slope: float) -> None:
    forecasts = made_up(seed, names=2, each=30, slope=slope)
    intercept, found = _fit(forecasts)
    assume(not np.isnan(found))
    odds = logit(np.clip(forecasts.probability, CLIPPED, 1 - CLIPPED))
    wrong = forecasts.happened - expit(intercept + found * odds)
    assert_allclose([wrong.sum(), wrong @ odds], 0, atol=1e-6)


@pytest.mark.parametrize(
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
def test_nothing_can_be_told_of_outcomes_that_a_threshold_divides(probability, happened) -> None:
    assert np.isnan(_fit(as_forecasts(probability, happened))).all()


def test_certain_forecasts_that_err_are_taken_for_nearly_certain() -> None:
    fit = _fit(as_forecasts([0, 0, 1, 1], [False, True, True, False]))
    assert_allclose(fit, [0, 0], atol=1e-9)
    rates = as_forecasts([0, 0, 0, 0, 1, 1, 1, 1], [False] * 3 + [True] * 4 + [False])
    assert_allclose(_fit(rates), [0, np.log(3) / logit(1 - CLIPPED)], atol=1e-9)


@settings(max_examples=10)
@given(st.integers(0, 2**32 - 1))
def test_draws_are_fitted_like_the_sample_with_names_repeated(seed: int) -> None:
    forecasts = made_up(seed, names=4, each=80, slope=0.6)
    drawn = np.vstack([once(forecasts), forecasts.drawn(seed % 5)[1:6]])
    found = np.stack(recalibration(forecasts, drawn, CLIPPED), axis=1)
    for fit, counts in zip(found, drawn, strict=True):
        again = as_forecasts(
            forecasts.probability, forecasts.happened, None, counts[forecasts.name]
        )
        assert_allclose(fit, _fit(again), atol=0.02)


def test_draws_of_which_nothing_can_be_told_are_nan() -> None:
    forecasts = as_forecasts(
        [0.2, 0.8, 0.2, 0.8, 0.3, 0.7],
        [False, True, True, False, False, True],
        [0, 0, 1, 1, 2, 2],
    )
    drawn = np.array([[1.0, 1, 1], [0, 0, 3], [2, 1, 0]])
    intercept, slope = recalibration(forecasts, drawn, CLIPPED)
    assert np.isnan(slope).tolist() == [False, True, False]
    assert np.isnan(intercept).tolist() == [False, True, False]


def test_steps_that_overshoot_still_arrive() -> None:
    """Plain Newton steps from 0 diverge here."""
    odds = np.array([-5.0, -8, 10]).repeat(2)
    weight = np.array([1e3, 1e-2, 1e-2, 10, 100, 1])
    forecasts = as_forecasts(expit(odds), [True, False] * 3, None, weight)
    intercept, slope = _fit(forecasts)
    wrong = weight * (forecasts.happened - expit(intercept + slope * odds))
    assert_allclose([wrong.sum(), wrong @ odds], 0, atol=1e-6)
