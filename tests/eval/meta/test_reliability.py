from itertools import combinations, permutations
from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import ArrayLike

from weps.errors import ValuesError
from weps_eval.meta.hbr import pairwise_contradictions
from weps_eval.meta.heterogeneity import Pairs, PairwisePreferences, as_sets, every_pair
from weps_eval.meta.reliability import (
    Increase,
    bootstrap_gains,
    count_corroboration,
    levels_by_group,
    threshold_curve,
)

VALUES = st.integers(0, 4).map(float)
STUDY = st.tuples(st.integers(1, 4), st.integers(2, 9)).flatmap(
    lambda shape: st.tuples(
        arrays(float, shape, elements=VALUES), arrays(float, shape[1], elements=VALUES)
    )
)


Study = tuple[np.ndarray, np.ndarray]


def gains(values: ArrayLike, quality: ArrayLike, pairs: Pairs, sets: np.ndarray) -> np.ndarray:
    """The gains with every pair once."""
    return bootstrap_gains(values, quality, pairs, sets, np.ones((1, len(pairs.first))))[:, 0]


def increase(study: Study, intervals: int) -> Increase:
    """The increase over the intervals of a study of one group."""
    return levels_by_group(*study, PairwisePreferences.exact(study[0])).cut(intervals)


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


def by_looking(values: np.ndarray, quality: np.ndarray) -> float:
    pairs = list(permutations(range(len(quality)), 2))
    agreed = [(i, j) for i, j in pairs if all(x[i] >= x[j] for x in values)]
    real = sum(quality[i] >= quality[j] for i, j in agreed)
    if not real:
        return np.nan
    sensitivity = real / sum(quality[i] >= quality[j] for i, j in pairs)
    points = [
        [at_threshold(x, quality, x[i] - x[j]) for i, j in pairs if x[i] >= x[j]] for x in values
    ]
    return real / len(agreed) - max(between(each, sensitivity) for each in points)


@given(STUDY)
def test_it_is_what_trying_every_threshold_finds(study):
    values, quality = study
    pairs, everything = every_pair(len(quality)), np.ones((1, len(values)), dtype=bool)
    found = gains(values, quality, pairs, everything)
    assert found.tolist() == pytest.approx([by_looking(values, quality)], nan_ok=True)


@given(STUDY)
def test_each_point_of_the_curve_is_a_threshold(study):
    (x, *_), quality = study
    curve = threshold_curve(x, quality, every_pair(len(quality)))
    expected = np.array([at_threshold(x, quality, threshold) for threshold in curve.threshold])
    assert np.stack([curve.recall, curve.precision], axis=1) == pytest.approx(expected)
    assert curve.threshold.min() >= 0


def test_infinite_values_that_are_equal_do_not_differ():
    curve = threshold_curve([np.inf, np.inf, 0, -1e308, 1e308], range(5), every_pair(5))
    assert curve.threshold.tolist() == [np.inf, 1e308, 0]


def test_empty_sets_and_sets_that_confirm_nothing_have_no_gain():
    values, quality = [[1, 2], [2, 1]], [1, 2]
    sets = as_sets([(), (0, 1), (1,)], 2)
    assert all(map(isnan, gains(values, quality, every_pair(2), sets)))


def test_values_that_do_not_fit():
    everything = np.ones((1, 1), dtype=bool)
    with pytest.raises(ValuesError, match="NaN"):
        gains([[1, 2]], [1, np.nan], every_pair(2), everything)


@given(STUDY, st.integers(0, 9))
def test_resampled_pairs_are_as_good_as_copied_pairs(study, seed):
    values, quality = study
    pairs, sets = every_pair(len(quality)), np.ones((1, len(values)), dtype=np.bool_)
    sets = np.vstack([sets, np.eye(len(values), dtype=np.bool_)])
    size = len(pairs.first)
    times = np.random.default_rng(seed).multinomial(size, np.full(size, 1 / size), 3)
    found = bootstrap_gains(values, quality, pairs, sets, times)
    for column, row in zip(found.T, times, strict=True):
        copied = Pairs(*(np.repeat(each, row) for each in pairs))
        expected = gains(values, quality, copied, sets)
        assert column == pytest.approx(expected, abs=0, nan_ok=True)


def by_looking_increase(study: Study) -> list[tuple[float, float]]:
    """Heterogeneity and truth of every comparison, sorted, equal heterogeneity equally true."""
    values, quality = study
    verdicts = PairwisePreferences.exact(values)
    found = []
    for i, j in permutations(range(len(quality)), 2):
        (count,) = pairwise_contradictions(values, verdicts, Pairs(np.array([i]), np.array([j])))
        found.append((count / verdicts.pairs, quality[i] >= quality[j]))
    means = {h: np.mean([t for level, t in found if level == h]) for h, _ in found}
    return [(h, means[h]) for h, _ in sorted(found)]


@given(STUDY)
def test_an_interval_for_each_comparison(study):
    expected = np.array(by_looking_increase(study))
    found = increase(study, len(expected))
    assert np.stack(found, axis=1) == pytest.approx(expected)


@given(STUDY, st.integers(1, 20), st.randoms(use_true_random=False))
def test_heterogeneity_rises_and_the_order_of_instances_does_not_matter(study, intervals, random):
    values, quality = study
    order = random.sample(range(len(quality)), len(quality))
    found = increase(study, intervals)
    again = increase((values[:, order], quality[order]), intervals)
    assert np.stack(found).tolist() == np.stack(again).tolist()
    assert (np.diff(found.heterogeneity) >= -1e-12).all()
    assert len(found.probability) == intervals


def test_what_cannot_be_compared():
    verdicts = PairwisePreferences.exact([[1, 2, 3]])
    for quality, group, intervals, message in (
        ([1, 2], None, 1, "values of 3 and human scores of 2"),
        ([1, 2, 3], [0, 1, 2], 1, "no group has two instances"),
        ([1, 2, 3], None, 0, "0 intervals are none"),
    ):
        with pytest.raises(ValuesError, match=message):
            levels_by_group([[1, 2, 3]], quality, verdicts, group).cut(intervals)


def test_groups_count_as_often_as_they_are_drawn():
    generator = np.random.default_rng(0)
    values, quality = generator.normal(size=(4, 24)), generator.integers(0, 3, 24)
    group = np.repeat([0, 1, 2], 8)
    verdicts = PairwisePreferences.exact(values, group)
    levels = levels_by_group(values, quality, verdicts, group)
    assert levels.total.sum(axis=1).tolist() == [56, 56, 56]
    assert np.array_equal(levels.cut(7), levels.cut(7, [1, 1, 1]))
    part = group == 1
    alone = levels_by_group(values[:, part], quality[part], verdicts).cut(7)
    assert np.allclose(levels.cut(7, [0, 2, 0]), alone)


def by_looking_reliability(values: np.ndarray, quality: np.ndarray) -> tuple[float, float]:
    pairs = list(permutations(range(len(quality)), 2))
    confirmed = [all(x[i] >= x[j] for x in values) for i, j in pairs]
    real = [quality[i] >= quality[j] for i, j in pairs]
    both = sum(c and r for c, r in zip(confirmed, real, strict=True))
    return both / sum(confirmed) if any(confirmed) else nan, both / sum(real)


def test_by_hand():
    values, quality = [[1, 2, 3], [1, 3, 2]], [1, 2, 2]
    found = count_corroboration(
        PairwisePreferences.exact(values),
        PairwisePreferences.exact(quality),
        as_sets([(0,), (1,), (0, 1), ()], 2),
    )
    assert found.improvements == 4  # the tie of the last two counts both ways round
    assert found.corroborated.tolist() == [3, 3, 2, 6]
    assert found.real.tolist() == [3, 3, 2, 4]
    assert found.reliability.tolist() == [1, 1, 1, 4 / 6]
    assert found.sensitivity.tolist() == [3 / 4, 3 / 4, 2 / 4, 1]


@given(STUDY)
def test_it_is_what_looking_at_every_pair_finds(study):
    values, quality = study
    measures = range(len(values))
    chosen = [each for size in (1, 2, 3) for each in combinations(measures, size)]
    verdicts, judged = PairwisePreferences.exact(values), PairwisePreferences.exact(quality)
    found = count_corroboration(verdicts, judged, as_sets(chosen, len(values)))
    expected = [by_looking_reliability(values[list(each)], quality) for each in chosen]
    for index, shares in enumerate((found.reliability, found.sensitivity)):
        assert shares.tolist() == pytest.approx([e[index] for e in expected], nan_ok=True)


@pytest.mark.parametrize("quality", [[[1, 2, 3], [1, 2, 3]], [1, 2]])
def test_quality_that_does_not_fit(quality):
    verdicts = PairwisePreferences.exact([[1, 2, 3]])
    with pytest.raises(ValuesError, match="do not match"):
        count_corroboration(verdicts, PairwisePreferences.exact(quality), as_sets([(0,)], 1))
