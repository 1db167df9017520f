"""Reliability of sets of measures, alone and by group."""

from itertools import combinations, permutations
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.eval.meta.made_up import heterogeneities, heterogeneity
from tests.eval.studies.made_up_groups import grouped
from weps_eval.meta import reliability
from weps_eval.meta.heterogeneity import (
    Pairs,
    PairwisePreferences,
    _as_sets,
    pairs_of_measures,
    pairwise_contradictions,
    random_sets,
    sampled_pairs,
)
from weps_eval.stats import bootstrap_weights

VALUES = st.integers(0, 4).map(float)
STUDY = st.tuples(st.integers(1, 4), st.integers(2, 9)).flatmap(
    lambda shape: st.tuples(
        arrays(float, shape, elements=VALUES), arrays(float, shape[1], elements=VALUES)
    )
)


Study = tuple[np.ndarray, np.ndarray]


def gains(values: np.ndarray, quality: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """The gains over all pairs."""
    pairs = sampled_pairs(len(quality))
    return reliability._resampled_gains(values, quality, [pairs], sets, resamples=1).value


def increase(study: Study, intervals: int) -> np.ndarray:
    """The increase over the intervals of a study of one group."""
    values, quality = study
    preferences = PairwisePreferences.sampled(values, 0)
    levels = reliability._levels_by_group(
        values, quality, preferences, np.zeros(len(quality), dtype=int)
    )
    return levels.cut(np.ones(1), intervals)


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
    found = gains(values, quality, np.ones((1, len(values)), dtype=bool))
    assert found.tolist() == pytest.approx([by_looking(values, quality)], nan_ok=True)


@given(STUDY)
def test_each_point_of_the_curve_is_a_threshold(study):
    (x, *_), quality = study
    pairs = sampled_pairs(len(quality))
    (curve,) = reliability._curves(x, quality, pairs, np.ones((1, len(pairs.first))))
    expected = np.array([at_threshold(x, quality, threshold) for threshold in curve.threshold])
    assert np.stack([curve.recall, curve.precision], axis=1) == pytest.approx(expected)
    assert curve.threshold.min() >= 0


def test_infinite_values_that_are_equal_do_not_differ():
    values = np.array([np.inf, np.inf, 0, -1e308, 1e308])
    (curve,) = reliability._curves(values, np.arange(5.0), sampled_pairs(5), np.ones((1, 10)))
    assert curve.threshold.tolist() == [np.inf, 1e308, 0]


def test_empty_sets_and_sets_that_confirm_nothing_have_no_gain():
    values, quality = np.array([[1.0, 2], [2, 1]]), np.array([1.0, 2])
    assert all(map(isnan, gains(values, quality, _as_sets([(), (0, 1), (1,)], 2))))


def test_resampled_groups_are_as_good_as_copied_pairs():
    generator = np.random.default_rng(0)
    values, quality = generator.integers(0, 5, (3, 20)) * 1.0, generator.integers(0, 3, 20) * 1.0
    parts = reliability.split_pairs(np.arange(20) // 5)
    sets = _as_sets([(0, 1, 2), (0,), (1, 2)], 3)
    found = reliability._resampled_gains(values, quality, parts, sets, resamples=6)
    for column, times in zip(found.rows.T, bootstrap_weights(4, 6, 0).astype(int), strict=True):
        often = [part for part, number in zip(parts, times, strict=True) for _ in range(number)]
        copied = Pairs(*(np.concatenate(each) for each in zip(*often, strict=True)))
        expected = reliability._resampled_gains(values, quality, [copied], sets, resamples=1).value
        assert column == pytest.approx(expected, abs=0, nan_ok=True)


def by_looking_increase(study: Study) -> list[tuple[float, float]]:
    """Heterogeneity and truth of every comparison, sorted, equal heterogeneity equally true."""
    values, quality = study
    verdicts = PairwisePreferences.sampled(values, 0)
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
    assert (np.diff(found[0]) >= -1e-12).all()
    assert found.shape == (2, intervals)


def test_groups_count_as_often_as_they_are_drawn():
    generator = np.random.default_rng(0)
    values, quality = generator.normal(size=(4, 24)), generator.integers(0, 3, 24) * 1.0
    group = np.repeat([0, 1, 2], 8)
    verdicts = PairwisePreferences.sampled(values, 0, group)
    levels = reliability._levels_by_group(values, quality, verdicts, group)
    assert levels.total.sum(axis=1).tolist() == [56, 56, 56]
    part = group == 1
    alone = reliability._levels_by_group(values[:, part], quality[part], verdicts, group[:8])
    drawn = levels.cut(np.array([0.0, 2, 0]), 7)
    assert np.allclose(drawn, alone.cut(np.ones(1), 7))


@given(STUDY)
def test_sets_are_counted_as_looking_at_every_comparison_finds(study):
    values, quality = study
    measures = range(len(values))
    chosen = [each for size in (0, 1, 2, 3) for each in combinations(measures, size)]
    sets = _as_sets(chosen, len(values))
    found, improvements = reliability._count_sets(
        values, quality, sampled_pairs(len(quality)), sets
    )
    comparisons = list(permutations(range(len(quality)), 2))
    assert improvements == sum(quality[i] >= quality[j] for i, j in comparisons)
    for members, (_, corroborated, real) in zip(chosen, found.T, strict=True):
        confirmed = [
            (i, j) for i, j in comparisons if all(x[i] >= x[j] for x in values[list(members)])
        ]
        assert corroborated == len(confirmed)
        assert real == sum(quality[i] >= quality[j] for i, j in confirmed)
    every = PairwisePreferences.sampled(values, 0)
    assert found[0] / every.pairs == pytest.approx(heterogeneities(every, sets))


SOURCE = grouped(groups=5, size=6)
QUALITY = SOURCE.quality["quality"]
SETS = random_sets(len(SOURCE.measures), (1, 2, 4), 5)
LARGER = random_sets(len(SOURCE.measures), (2, 3, 5), 6)


def judged(source=SOURCE, sets=LARGER) -> reliability.SetReliability:
    return reliability.judge_sets(source.values, source.quality["quality"], source.group, sets)


def test_groups_are_counted_and_resampled():
    calls = []
    counts = reliability.count_sets_by_group(
        SOURCE.values,
        QUALITY,
        reliability.split_pairs(SOURCE.group),
        SETS,
        progress=lambda *each: calls.append(each),
    )
    assert [done for _, done, _ in calls] == [0, 1, 2, 3, 4, 5]
    pairs = sampled_pairs(len(QUALITY), group=SOURCE.group)
    (contradicted, corroborated, real), improvements = reliability._count_sets(
        SOURCE.values, QUALITY, pairs, SETS
    )
    figures = counts.heterogeneity, counts.reliability, counts.sensitivity
    expected = contradicted / len(pairs.first), real / corroborated, real / improvements
    for figure, value in zip(figures, expected, strict=True):
        assert figure.value == pytest.approx(value)
        several = figure.estimates[5:]  # single measures contradict nothing
        assert any(found.low < found.value < found.high for found in several)
        assert all(found.low <= found.high for found in several)


def test_reliability_is_that_of_the_arithmetic():
    found, values = judged(), SOURCE.values
    pairs, two = sampled_pairs(len(QUALITY), group=SOURCE.group), pairs_of_measures(len(values))
    both, alone = (
        reliability._count_sets(values, QUALITY, pairs, sets)[0]
        for sets in (two, np.eye(len(values), dtype=bool))
    )
    highest = np.where(two, alone[2] / alone[1], -1).max(axis=1)
    assert found.added.value == pytest.approx(both[2] / both[1] - highest)
    parts = reliability.split_pairs(SOURCE.group)
    gained = reliability._resampled_gains(values, QUALITY, parts, LARGER, resamples=1)
    assert found.gains.value == pytest.approx(gained.value)
    verdicts = PairwisePreferences.sampled(values, 0, SOURCE.group)
    levels = reliability._levels_by_group(values, QUALITY, verdicts, SOURCE.group)
    assert np.allclose(found.increase, levels.cut(np.ones(5)))


def test_one_group_has_no_intervals():
    for name, each in judged(grouped(groups=1, size=15)).summary.items():
        assert not np.isnan(each.value), name
        assert np.isnan(each.low), name


def test_a_measure_twice_is_no_less_reliable():
    source = grouped(("a", "b"), groups=6)
    source.values[1] = source.values[0]
    assert judged(source, np.ones((2, 2), dtype=bool)).summary["additive"] == (1, 1, 1)


def test_long_tables_are_worked_on_in_blocks(monkeypatch):
    whole = judged()
    monkeypatch.setattr(reliability, "_ROWS", 2)
    parts = judged()
    assert (parts.added.samples == whole.added.samples).all()
    assert parts.summary["additive"] == whole.summary["additive"]


def test_means_are_over_sets_of_each_size():
    values = SOURCE.values[:4]
    found = reliability.mean_by_size(values, SOURCE.group, range(1, 11))
    assert len(found.value) == 4
    assert found.value[0] == 0
    assert found.value[3] == pytest.approx(heterogeneity(values, SOURCE.group))
    pairs = [values[list(each)] for each in combinations(range(4), 2)]
    mean = np.mean([heterogeneity(each, SOURCE.group) for each in pairs])
    assert found.value[1] == pytest.approx(mean)
