from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit

from tests.cases import each_case
from weps.coreference.base import (
    Calibration,
    fit_calibration,
    float32_array,
    int32_array,
    read_fields,
)
from weps.errors import ModelError

probabilities = st.lists(st.floats(0, 1), max_size=8).map(np.array)
calibrations = st.builds(Calibration, st.floats(0.01, 5), st.floats(-4, 4))


def cases(
    seed: int, size: int = 400, stretch: float = 1, shift: float = 0
) -> tuple[np.ndarray, ...]:
    """Forecasts, outcomes as probable as the stretched and shifted forecasts say, and weights."""
    random = np.random.default_rng(seed)
    forecast = random.uniform(0.02, 0.98, size)
    happened = random.random(size) < expit(stretch * logit(forecast) + shift)
    return forecast, happened, random.uniform(0.2, 2, size)


def likelihood(calibration: Calibration, forecast, happened, weights) -> float:
    """Mean log likelihood of the outcomes."""
    calibrated = calibration(forecast)
    return float(
        np.average(np.log(np.where(happened, calibrated, 1 - calibrated)), weights=weights)
    )


@each_case(
    ("calibration", "before", "after"),
    [
        (Calibration(), 0.3, 0.3),
        (Calibration(), 0.0, 0.0),
        (Calibration(), 1.0, 1.0),
        (Calibration(slope=2), 3 / 4, 9 / 10),
        (Calibration(slope=2), 1 / 4, 1 / 10),
        (Calibration(slope=0.5), 9 / 10, 3 / 4),
        (Calibration(slope=7), 1 / 2, 1 / 2),
        (Calibration(shift=log(2)), 1 / 2, 2 / 3),
        (Calibration(shift=-log(2)), 1 / 2, 1 / 3),
        (Calibration(2, log(2)), 3 / 4, 18 / 19),
        (Calibration(1, log(3)), 0.0, 3 / 10_002),
        (Calibration(1, -log(3)), 1.0, 9_999 / 10_002),
    ],
)
def test_odds_are_taken_to_a_power_and_multiplied(calibration, before, after):
    assert calibration(np.array([before])) == pytest.approx([after])


@given(calibrations, probabilities)
def test_forecasts_stay_forecasts_and_in_their_order(calibration, forecasts):
    after = calibration(forecasts)
    assert after.shape == forecasts.shape
    assert ((after >= 0) & (after <= 1)).all()
    assert (np.diff(after[np.argsort(forecasts)]) >= 0).all()


@each_case("calibration", [Calibration(), Calibration(2, 1)])
@each_case("shape", [(0,), (3,), (2, 2)])
def test_single_precision_is_made_double(calibration, shape):
    after = calibration(np.full(shape, 0.5, dtype=np.float32))
    assert (after.shape, after.dtype) == (shape, np.float64)


@given(st.integers(0, 10**6))
def test_no_calibration_near_by_makes_the_outcomes_more_probable(seed):
    data = cases(seed, stretch=0.6, shift=0.4)
    found = fit_calibration(*data)
    best = likelihood(found, *data)
    for slope, shift in [(0.02, 0), (-0.02, 0), (0, 0.02), (0, -0.02), (0.02, -0.02)]:
        other = Calibration(found.slope + slope, found.shift + shift)
        assert likelihood(other, *data) < best


@each_case(("stretch", "shift"), [(1, 0), (0.5, 0), (2, 0), (1, 1), (0.5, -1)])
def test_a_distortion_is_undone(stretch, shift):
    found = fit_calibration(*cases(3, 40_000, stretch, shift))
    assert (found.slope, found.shift) == pytest.approx((stretch, shift), abs=0.06)


@given(st.integers(0, 10**6), st.sampled_from([1e-6, 1e6]))
def test_the_unit_of_the_weights_is_irrelevant(seed, unit):
    forecast, happened, weights = cases(seed)
    found, again = (fit_calibration(forecast, happened, each) for each in (weights, weights * unit))
    assert (found.slope, found.shift) == pytest.approx((again.slope, again.shift), rel=1e-3)


def test_a_weight_of_three_is_a_case_seen_three_times():
    forecast, happened, _ = cases(5)
    times = np.where(np.arange(len(forecast)) % 2, 3, 1)
    found = fit_calibration(forecast, happened, times.astype(float))
    seen = fit_calibration(
        np.repeat(forecast, times), np.repeat(happened, times), np.ones(times.sum())
    )
    assert (found.slope, found.shift) == pytest.approx((seen.slope, seen.shift), abs=1e-3)


@each_case(
    ("yes", "no", "teaches"),
    [(0, 0, False), (40, 0, False), (19, 40, False), (40, 19, False), (20, 20, True)],
)
def test_twenty_cases_of_either_outcome_teach_a_calibration(yes, no, teaches):
    forecast = np.concatenate([np.linspace(0.3, 0.9, yes), np.linspace(0.1, 0.7, no)])
    happened = np.arange(yes + no) < yes
    found = fit_calibration(forecast, happened, np.ones(yes + no))
    assert (found != Calibration()) is teaches
    assert fit_calibration(forecast, ~happened, np.ones(yes + no)) == Calibration()


@each_case("gap", [1.0, 0.5, 0.1])
def test_outcomes_that_a_threshold_divides_end_in_a_calibration_that_can_be_kept(gap):
    happened = np.arange(400) < 200
    found = fit_calibration(
        np.where(happened, 0.5 + gap / 2, 0.5 - gap / 2), happened, np.ones(400)
    )
    assert found.slope > 1
    assert Calibration.from_data(found.to_data()) == found


NO_NUMBERS = (0, -1, 1001, float("nan"), float("inf"), 10**400, "steep", None, [1])


@each_case(
    "data",
    [
        *(None, 7, [], {}, {"slope": 1}, {"shift": 1}),
        *({"slope": slope, "shift": 0} for slope in NO_NUMBERS),
        *({"slope": 1, "shift": shift} for shift in (1001, -1001, float("nan"), "far")),
    ],
)
def test_what_is_no_calibration_is_refused(data):
    with pytest.raises(ModelError, match="calibration"):
        Calibration.from_data(data)


@each_case("values", [[], [0], [-1, 2**31 - 1, -(2**31)], [3.0], [True]])
def test_whole_numbers_are_taken_as_they_are(values):
    found = int32_array(values)
    assert found.dtype == np.int32
    assert found.tolist() == values


@each_case(
    "values",
    [[0.5], [2**31], [2**63], [10**400], [float("nan")], [float("inf")], [None], ["1"], {}, "1"],
)
def test_what_is_no_whole_number_is_refused(values):
    with pytest.raises(ModelError, match="its places cannot be read"):
        read_fields({"at": values}, "its places", at=int32_array)


@each_case(
    ("value", "expected"),
    [(0.1, np.float32(0.1)), (1e300, np.inf), (-1e300, -np.inf), (1e-300, 0.0), (7, 7.0)],
)
def test_numbers_too_large_for_single_precision_become_infinite(value, expected):
    found = float32_array([value])
    assert found.dtype == np.float32
    assert found.tolist() == [expected]
