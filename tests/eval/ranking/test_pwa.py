"""Pairwise accuracy, redundancy, and curves of precision and recall."""

from itertools import combinations
from math import comb, isnan, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import kendalltau, mannwhitneyu
from sklearn.metrics import average_precision_score

from tests.cases import each_case
from weps.errors import ValuesError
from weps_eval.ranking.pwa import (
    Redundancy,
    auc,
    auc_counts,
    average_precisions,
    count_inversions,
    max_pwa,
    max_pwa_counts,
    precision_at,
    precision_recall,
    pwa,
    pwa_counts,
    redundancy,
    redundancy_counts,
)

few_values = st.integers(0, 5).map(float)
measure = st.lists(few_values, min_size=1, max_size=40)


@given(measure, measure)
def test_pwa_and_auc_are_shares_of_all_comparisons(positive, negative):
    above = np.subtract.outer(positive, negative)
    assert pwa(positive, negative) == (above > 0).mean()
    assert auc(positive, negative) == pytest.approx(((above > 0) + (above == 0) / 2).mean())
    statistic = mannwhitneyu(positive, negative).statistic
    assert auc(positive, negative) == pytest.approx(statistic / above.size)


@given(
    st.integers(1, 4).flatmap(
        lambda size: st.tuples(
            arrays(float, st.tuples(st.just(size), st.integers(1, 30)), elements=few_values),
            arrays(float, st.tuples(st.just(size), st.integers(1, 30)), elements=few_values),
        )
    )
)
def test_max_pwa_bounds_every_measure_and_never_falls(sides):
    positives, negatives = sides
    bounds = [max_pwa(positives[:k], negatives[:k]) for k in range(1, len(positives) + 1)]
    assert bounds == sorted(bounds)
    singles = [pwa(*pair) for pair in zip(positives, negatives, strict=True)]
    assert max(singles) <= bounds[-1] <= min(1, sum(singles)) + 1e-12
    combined = pwa(positives.sum(axis=0), negatives.sum(axis=0))
    assert combined <= bounds[-1]  # no way of weighting measures does better


@given(measure, measure, st.data())
def test_the_counts_by_groups_adds_up_to_the_whole(positive, negative, data):
    def groups(size: int) -> list[int]:
        return data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))

    ours, theirs = groups(len(positive)), groups(len(negative))
    for counts, whole in (
        (pwa_counts(positive, negative, ours, theirs), pwa(positive, negative)),
        (auc_counts(positive, negative, ours, theirs), auc(positive, negative)),
        (max_pwa_counts(positive, negative, ours, theirs), pwa(positive, negative)),
    ):
        assert counts.pooled == whole
        for group in range(len(counts.total)):
            own = [x for x, g in zip(positive, ours, strict=True) if g == group]
            other = [x for x, g in zip(negative, theirs, strict=True) if g == group]
            assert counts.total[group, group] == len(own) * len(other)


@each_case("function", [pwa, auc, max_pwa])
def test_nan_is_refused_with_its_place(function):
    with pytest.raises(ValuesError, match=r"1 values are NaN, the first is instance 1"):
        function([1.0, np.nan], [0.0])  # type: ignore[operator]


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
        assert found.redundant.by_group[number] == pytest.approx(alone.redundant, nan_ok=True)
        assert found.non_informative.by_group[number] == pytest.approx(
            alone.non_informative, nan_ok=True
        )


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


@each_case("size", [0, 1, 63, 64, 65, 100_000])
def test_every_pair_of_a_falling_sequence_is_an_inversion(size):
    assert count_inversions(np.arange(size)[::-1]) == size * (size - 1) // 2


@given(BOTH)
def test_kendalls_tau_b_follows_from_the_counts(pairs):
    base, other = np.unique(np.array(pairs), return_inverse=True)[1].reshape(-1, 2).T
    assume(len(set(base)) > 1 and len(set(other)) > 1)
    found, swapped = redundancy(base, other), redundancy(other, base)
    ranked = [each.same + each.opposite + each.tied for each in (found, swapped)]
    expected = kendalltau(base, other).statistic
    assert (found.same - found.opposite) / sqrt(ranked[0] * ranked[1]) == pytest.approx(expected)


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
    assert_array_equal(precision_at(ranked, [0.5, 0.51]), [2 / 3, np.nan])
    nothing = precision_recall(np.zeros(2), np.array([True, False])).above(0)
    assert_array_equal(precision_at(nothing, [0.0, 1.0]), [np.nan, np.nan])


def test_a_recall_is_found_however_it_was_computed():
    curve = precision_recall(np.arange(10), np.ones(10, dtype=bool)).above(6)
    assert curve.recall[-1] < 0.1 + 0.2
    assert precision_at(curve, 0.1 + 0.2) == 1


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
    for recall in np.linspace(0, 1, 11):
        best = max(curve.precision[curve.recall >= recall - 1e-9])
        assert precision_at(curve, recall) == best


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
