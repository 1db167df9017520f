"""Pairwise accuracy, dominance, search for subsets of measures, redundancy and curves."""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb, isnan
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from scipy.stats import mannwhitneyu
from sklearn.metrics import average_precision_score

from tests.cases import each_case
from weps.errors import ValuesError
from weps_eval.ranking import pwa as subsets
from weps_eval.ranking.pwa import (
    Comparisons,
    Redundancy,
    auc,
    average_precisions,
    best_subset,
    count_ties,
    greedy_subsets,
    max_pwa,
    order_counts,
    precision_recall,
    pwa,
    redundancy,
    redundancy_counts,
)

Array = NDArray[np.float64]
Sides = tuple[Array, Array]


@st.composite
def sides(draw: st.DrawFn) -> Sides:
    measures = draw(st.integers(1, 6))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    kinds = generator.integers(1, 7, (measures, 1))
    better = generator.integers(0, 3, (measures, 1))
    positives = generator.integers(0, kinds, (measures, draw(st.integers(1, 40)))) + better
    negatives = generator.integers(0, kinds, (measures, draw(st.integers(1, 40))))
    return positives.astype(float), negatives.astype(float)


def reached(both: Sides, measures: tuple[int, ...]) -> float:
    return max_pwa(both[0][list(measures)], both[1][list(measures)]) if measures else 0.0


@given(sides())
def test_each_greedy_step_is_the_best_next_one(both):
    chosen: tuple[int, ...] = ()
    for step in greedy_subsets(*both):
        rest = [measure for measure in range(len(both[0])) if measure not in chosen]
        tried = [reached(both, (*chosen, measure)) for measure in rest]
        assert step.measure == rest[int(np.argmax(tried))]  # the first of equally good ones
        assert step.max_pwa == pytest.approx(max(tried))
        assert step.gain == pytest.approx(max(tried) - reached(both, chosen))
        chosen = (*chosen, step.measure)


@given(sides())
def test_the_best_subset_is_the_best_of_all(both):
    measures = range(len(both[0]))
    for size in range(1, len(measures) + 1):
        best = best_subset(*both, size)
        assert best == tuple(sorted(best))
        highest = max(reached(both, each) for each in combinations(measures, size))
        assert reached(both, best) == pytest.approx(highest)


def test_greedy_search_can_miss_the_best_pair_and_exhaustive_search_does_not():
    # Each column a positive, compared with one negative at 0; the first measure is right on three
    # of five, the others on complementary parts.
    right = np.array([[1, 1, 1, 0, 0, 0], [1, 1, 0, 1, 0, 0], [0, 0, 1, 0, 1, 1]], dtype=float)
    negatives = np.zeros((3, 1))
    assert [step.measure for step in greedy_subsets(right, negatives, 2)] == [0, 2]
    assert best_subset(right, negatives, 2) == (1, 2)


Grouped = tuple[Array, Array, NDArray[np.int64], NDArray[np.int64]]


@st.composite
def two_sides(draw: st.DrawFn) -> Grouped:
    """Few distinct values, so that ties abound; some measures are constant."""
    measures, below, above = (draw(st.integers(1, most)) for most in (6, 90, 90))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    kinds = draw(st.lists(st.integers(1, 8), min_size=measures, max_size=measures))
    low, high = (
        np.array([generator.integers(0, kind, size) for kind in kinds]) / 7.0
        for size in (below, above)
    )
    return low, high, generator.integers(0, 3, below), generator.integers(0, 4, above)


def by_definition(
    holds: NDArray[np.bool_], low_groups: NDArray[np.int64], high_groups: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Count pairs, shape (below, above), by the groups of both sides."""
    counts = np.zeros((low_groups.max() + 1, high_groups.max() + 1), dtype=np.int64)
    for low, high in np.argwhere(holds):
        counts[low_groups[low], high_groups[high]] += 1
    return counts


@given(two_sides(), st.booleans(), st.sampled_from([3, 64, 70]))
def test_counts_are_those_of_looking_at_every_pair(sides, strict, tile):
    low, high, *groups = sides
    compare = np.less if strict else np.less_equal
    below = compare(low[:, :, np.newaxis], high[:, np.newaxis, :])
    with pytest.MonkeyPatch.context() as patch:  # several tiles and blocks even of few instances
        patch.setattr(subsets, "_BLOCK_SIZE", tile)
        patch.setattr(subsets, "_ROWS", 7)
        compared = Comparisons(low, high, *groups, strict=strict)
        together = compared.dominated()
        extended = compared.extended([0], range(len(low)))
    assert np.array_equal(together, by_definition(below.all(axis=0), *groups))
    for measure in range(len(low)):
        both = below[0] & below[measure]
        assert np.array_equal(extended[measure], by_definition(both, *groups))


@each_case(
    ("low", "high", "at_most", "below"),
    [
        (np.array([[0.1]]), np.array([[0.1]], dtype=np.float32), 1, 1),  # float32(0.1) > 0.1
        (np.array([[0.1]], dtype=np.float32), np.array([[0.1]]), 0, 0),
        ([[-np.inf, 0.0, np.inf]], [[-np.inf, np.inf]], 1 + 3, 2),
        ([[-0.0]], [[0.0]], 1, 0),
    ],
)
def test_values_are_compared_as_they_are(low, high, at_most, below):
    assert Comparisons(low, high).dominated().item() == at_most
    assert Comparisons(low, high, strict=True).dominated().item() == below


@each_case(
    ("low", "high", "groups", "complaint"),
    [
        ([[np.nan, 1]], [[1.0]], None, "instances below: 1 values are NaN, the first is"),
        ([[1.0]], [[0, np.nan]], None, "instances above: 1 values are NaN"),
        ([[1.0], [2.0]], [[1.0]], None, "2 measures below and 1 above do not match"),
        ([[]], [[1.0]], None, "no instances given"),
        ([["a"]], [[1.0]], None, "expected numbers"),
        ([[1.0, 2.0]], [[1.0]], [0], "groups below: expected shape"),
        ([[1.0]], [[1.0]], [-1], "groups numbered from 0"),
        ([[1.0]], [[1.0]], [0.5], "groups numbered from 0"),
        ([[[1.0]]], [[1.0]], None, "expected measures × instances"),
    ],
)
def test_what_cannot_be_compared_is_refused(low, high, groups, complaint):
    with pytest.raises(ValuesError, match=complaint):
        Comparisons(low, high, groups)  # type: ignore[arg-type]


few_values = st.integers(0, 5).map(float)
measure = st.lists(few_values, min_size=1, max_size=40)


@given(measure, measure)
def test_pwa_and_auc_are_shares_of_all_comparisons(positive, negative):
    above = np.subtract.outer(positive, negative)
    assert pwa(positive, negative) == (above > 0).mean()
    assert auc(positive, negative) == pytest.approx(((above > 0) + (above == 0) / 2).mean())
    statistic = mannwhitneyu(positive, negative).statistic
    assert auc(positive, negative) == pytest.approx(statistic / above.size)


@given(sides())
def test_max_pwa_is_the_share_of_comparisons_that_any_measure_has_right(both):
    positives, negatives = both
    right = (positives[:, :, np.newaxis] > negatives[:, np.newaxis, :]).any(axis=0)
    assert max_pwa(*both) == pytest.approx(right.mean())


@given(measure, measure, st.data())
def test_the_counts_by_groups_adds_up_to_the_whole(positive, negative, data):
    def groups(size: int) -> list[int]:
        return data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))

    ours, theirs = groups(len(positive)), groups(len(negative))
    for counts, whole in (
        (order_counts(positive, negative, ours, theirs)[0], pwa(positive, negative)),
        (order_counts(positive, negative, ours, theirs)[1], auc(positive, negative)),
    ):
        assert counts.pooled == whole
        for group in range(len(counts.total)):
            own = [x for x, g in zip(positive, ours, strict=True) if g == group]
            other = [x for x, g in zip(negative, theirs, strict=True) if g == group]
            assert counts.total[group, group] == len(own) * len(other)


instances = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 2)), min_size=2, max_size=40
)


@given(instances)
def test_shares_of_groups_are_those_of_their_pairs(rows):
    base, other, group = np.array(rows).T
    found, whole = redundancy_counts(base, other, group), redundancy(base, other)
    shares = [counts.pooled for counts in found]
    expected = [whole.redundant, whole.non_redundant, whole.non_informative]
    assert shares == pytest.approx(expected, nan_ok=True)
    for counts in found:
        assert np.array_equal(counts.hits, counts.hits.T)
        assert np.array_equal(counts.total, counts.total.T)
    for number in np.unique(group):
        alone = redundancy(base[group == number], other[group == number])
        assert found[0].by_group[number] == pytest.approx(alone.redundant, nan_ok=True)
        assert found[2].by_group[number] == pytest.approx(alone.non_informative, nan_ok=True)


FEW_VALUES = st.sampled_from([-np.inf, 0.0, 0.25, 0.5, 1.0, np.inf])
BOTH = st.lists(st.tuples(FEW_VALUES, FEW_VALUES), min_size=1, max_size=30)
Pairs = list[tuple[float, float]]


def by_looking(pairs: Pairs) -> Redundancy:
    ranked = [sorted(two) for two in combinations(pairs, 2) if two[0][0] != two[1][0]]
    return Redundancy(
        same=sum(low[1] < high[1] for low, high in ranked),
        opposite=sum(low[1] > high[1] for low, high in ranked),
        tied=sum(low[1] == high[1] for low, high in ranked),
        pairs=comb(len(pairs), 2),
    )


@given(BOTH)
def test_it_is_what_looking_at_every_pair_finds(pairs):
    assert redundancy(*zip(*pairs, strict=True)) == by_looking(pairs)


@each_case("size", [2, 63, 64, 65, 1_000_000])
def test_every_pair_of_a_falling_sequence_is_ranked_the_other_way(size):
    found, pairs = redundancy(np.arange(size), np.arange(size)[::-1]), comb(size, 2)
    assert found == Redundancy(0, pairs, 0, pairs)


def test_a_base_that_ranks_nothing_has_no_shares():
    found = redundancy([1, 1, 1], [1, 2, 3])
    assert found == Redundancy(0, 0, 0, 3)
    assert found.ranked == 0
    assert isnan(redundancy([1], [1]).ranked)
    assert all(map(isnan, (found.redundant, found.non_redundant, found.non_informative)))


@each_case(
    ("base", "other", "message"),
    [
        ([1, 2], [1, 2, 3], "2 and 3 instances"),
        ([1, np.nan], [1, 2], "base: .*NaN"),
        ([1, 2], [1, np.nan], "other: .*NaN"),
        ([], [], "no instances given"),
    ],
)
def test_values_that_do_not_fit(base, other, message):
    with pytest.raises(ValuesError, match=message):
        redundancy(base, other)


VALUES = np.array([0.9, 0.7, 0.7, 0.2, 0.0, 0.0])
POSITIVE = np.array([True, False, True, False, True, True])
INSTANCES = st.lists(
    st.tuples(st.sampled_from([0.0, 0.2, 0.5, 1.0]), st.booleans()), min_size=1, max_size=25
).filter(lambda instances: any(positive for _, positive in instances))


def test_pairs_with_nothing_in_common_can_be_left_off():
    ranked = precision_recall(VALUES, POSITIVE).above(0)
    assert_array_equal(ranked.threshold, [0.9, 0.7, 0.2])
    nothing = precision_recall(np.zeros(2), np.array([True, False])).above(0)
    assert not len(nothing.recall)


@given(INSTANCES)
def test_every_point_counts_all_instances_with_its_value_or_more(instances):
    values, labels = (np.array(each) for each in zip(*instances, strict=True))
    curve = precision_recall(values, labels)
    assert curve.threshold.tolist() == np.unique(values)[::-1].tolist()
    for recall, precision, threshold in zip(
        curve.recall, curve.precision, curve.threshold, strict=True
    ):
        taken = [positive for value, positive in instances if value >= threshold]
        assert recall == sum(taken) / sum(labels)
        assert precision == sum(taken) / len(taken)


def expected(values: Any, positive: Any, group: Any, counts: Any) -> float:
    weights = np.asarray(counts)[group]
    if not weights[positive].any():
        return np.nan
    return float(average_precision_score(positive, values, sample_weight=weights))


@given(st.integers(0, 2**32 - 1), st.sampled_from([3, 50, 2000]), st.sampled_from([1, 2, 7]))
def test_each_is_the_average_precision_with_weights(seed, levels, groups):
    generator = np.random.default_rng(seed)
    values, group = generator.integers(levels, size=300), generator.integers(groups, size=300)
    positive = generator.random(300) < generator.choice([0.01, 0.5, 0.99])
    positive[0] = True
    drawn = generator.multinomial(groups, np.full(groups, 1 / groups), size=5)
    found = average_precisions(values, positive, group, drawn)
    assert_allclose(found, [expected(values, positive, group, counts) for counts in drawn])


def test_a_resample_without_a_positive_has_none():
    values, positive = np.array([0.9, 0.5, 0.1]), np.array([False, True, False])
    drawn = np.array([[1.0, 1], [2, 0], [0, 2], [0, 0]])
    found = average_precisions(values, positive, np.array([0, 1, 0]), drawn)
    assert_array_equal(found, [1 / 2, np.nan, 1, np.nan])


GROUPS = 4
TIED = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, GROUPS - 1)),
    min_size=1,
    max_size=20,
)
Instances = list[tuple[int, int, int]]


def tied_pairs(instances: Instances, compared: int) -> list[list[int]]:
    counts = np.zeros((GROUPS, GROUPS), dtype=np.int64)
    for a, b in permutations(instances, 2):
        counts[a[-1], b[-1]] += a[:compared] == b[:compared]
    return counts.tolist()


@given(TIED)
def test_ties_are_what_looking_at_every_pair_finds(instances):
    first, second, group = zip(*instances, strict=True)
    assert count_ties(first, group, GROUPS).tolist() == tied_pairs(instances, compared=1)
    assert count_ties(first, group, GROUPS, second).tolist() == tied_pairs(instances, compared=2)


def test_counts_beyond_32_bits_are_exact():
    assert count_ties(np.zeros(100_000), np.zeros(100_000, int), 1).item() == 100_000 * 99_999
