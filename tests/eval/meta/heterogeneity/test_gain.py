from itertools import permutations
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from eval.meta.heterogeneity import gain
from eval.meta.heterogeneity.gain import drawn_gains, reliability_gains, threshold_curve
from eval.meta.heterogeneity.pairs import Pairs, every_pair
from eval.meta.heterogeneity.sets import as_sets
from weps.errors import ValuesError

VALUES = st.integers(0, 4).map(float)
STUDY = st.tuples(st.integers(1, 3), st.integers(2, 9)).flatmap(
    lambda shape: st.tuples(
        arrays(float, shape, elements=VALUES), arrays(float, shape[1], elements=VALUES)
    )
)
Study = tuple[np.ndarray, np.ndarray]


def at_threshold(x: np.ndarray, quality: np.ndarray, threshold: float) -> tuple[float, float]:
    pairs = list(permutations(range(len(x)), 2))
    over = [(i, j) for i, j in pairs if x[i] - x[j] >= threshold]
    both = sum(quality[i] >= quality[j] for i, j in over)
    return both / sum(quality[i] >= quality[j] for i, j in pairs), both / len(over)


def between(points: list[tuple[float, float]], sensitivity: float) -> float:
    """On the lines between the highest reliabilities at each sensitivity."""
    highest = {s: max(r for t, r in points if t == s) for s, _ in points}
    over = min(s for s in highest if s >= sensitivity - 1e-12)
    under = max((s for s in highest if s < over), default=None)
    if under is None:
        return highest[over]
    part = (sensitivity - under) / (over - under)
    return highest[under] + part * (highest[over] - highest[under])


def by_looking(values: np.ndarray, quality: np.ndarray, or_more: bool) -> float:
    pairs = list(permutations(range(len(quality)), 2))
    agreed = [(i, j) for i, j in pairs if all(x[i] >= x[j] for x in values)]
    real = sum(quality[i] >= quality[j] for i, j in agreed)
    if not real:
        return np.nan
    sensitivity = real / sum(quality[i] >= quality[j] for i, j in pairs)
    points = [
        [at_threshold(x, quality, x[i] - x[j]) for i, j in pairs if x[i] >= x[j]] for x in values
    ]
    if or_more:
        single = [max(r for s, r in each if s >= sensitivity - 1e-12) for each in points]
    else:
        single = [between(each, sensitivity) for each in points]
    return real / len(agreed) - max(single)


@given(STUDY, st.booleans())
def test_it_is_what_trying_every_threshold_finds(study: Study, or_more: bool) -> None:
    values, quality = study
    pairs, everything = every_pair(len(quality)), np.ones((1, len(values)), dtype=bool)
    found = reliability_gains(values, quality, pairs, everything, or_more=or_more)
    assert found.tolist() == pytest.approx([by_looking(values, quality, or_more)], nan_ok=True)


@given(STUDY)
def test_each_point_of_the_curve_is_a_threshold(study: Study) -> None:
    (x, *_), quality = study
    curve = threshold_curve(x, quality, every_pair(len(quality)))
    expected = np.array([at_threshold(x, quality, threshold) for threshold in curve.threshold])
    assert np.stack([curve.recall, curve.precision], axis=1) == pytest.approx(expected)
    assert curve.threshold.min() >= 0


@given(STUDY)
def test_a_single_measure_gains_nothing_over_itself(study: Study) -> None:
    values, quality = study
    alone = np.eye(len(values), dtype=bool)
    found = reliability_gains(values, quality, every_pair(len(quality)), alone)
    assert (found[~np.isnan(found)] <= 1e-12).all()


def test_two_aspects_beat_a_threshold_on_either() -> None:
    generator = np.random.default_rng(0)
    values = generator.random((3, 300))
    quality = values[:2].sum(axis=0)
    sets = as_sets([(0, 1), (0, 2), (0, 1, 2)], 3)
    together, with_noise, both = reliability_gains(values, quality, every_pair(300), sets)
    assert together > 0.1
    assert with_noise < 0 < both < together


def test_infinite_values_that_are_equal_do_not_differ() -> None:
    curve = threshold_curve([np.inf, np.inf, 0, -1e308, 1e308], range(5), every_pair(5))
    assert curve.threshold.tolist() == [np.inf, 1e308, 0]


def test_empty_sets_and_sets_that_confirm_nothing_have_no_gain() -> None:
    values, quality = [[1, 2], [2, 1]], [1, 2]
    sets = as_sets([(), (0, 1), (1,)], 2)
    assert all(map(isnan, reliability_gains(values, quality, every_pair(2), sets)))


def test_values_that_do_not_fit() -> None:
    everything = np.ones((1, 1), dtype=bool)
    with pytest.raises(ValuesError, match="NaN"):
        reliability_gains([[1, 2]], [1, np.nan], every_pair(2), everything)


@given(STUDY, st.integers(0, 9))
def test_pairs_drawn_anew_are_as_good_as_copied_pairs(study: Study, seed: int) -> None:
    values, quality = study
    pairs, sets = every_pair(len(quality)), np.ones((1, len(values)), dtype=np.bool_)
    sets = np.vstack([sets, np.eye(len(values), dtype=np.bool_)])
    size = len(pairs.first)
    times = np.random.default_rng(seed).multinomial(size, np.full(size, 1 / size), 3)
    for or_more in (False, True):
        found = drawn_gains(values, quality, pairs, sets, times, or_more=or_more)
        for column, row in zip(found.T, times, strict=True):
            copied = Pairs(*(np.repeat(each, row) for each in pairs))
            expected = reliability_gains(values, quality, copied, sets, or_more=or_more)
            assert column == pytest.approx(expected, abs=0, nan_ok=True)


@given(STUDY)
def test_curves_of_all_pairs_once_are_threshold_curves(study: Study) -> None:
    values, quality = study
    pairs = every_pair(len(quality))
    (found,) = gain._curves(values[0], quality, pairs, np.ones((1, len(pairs.first)), np.int64))
    expected = threshold_curve(values[0], quality, pairs)
    for part in ("recall", "precision", "threshold"):
        assert (getattr(found, part) == getattr(expected, part)).all()
