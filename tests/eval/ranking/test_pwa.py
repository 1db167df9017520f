from itertools import combinations
from math import comb, isnan, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kendalltau, mannwhitneyu

from tests.cases import each_case
from weps.errors import ValuesError
from weps_eval.ranking.pwa import (
    Redundancy,
    as_labelled,
    auc,
    auc_counts,
    max_pwa,
    max_pwa_counts,
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


def test_max_pwa_asks_for_one_measure_that_is_right():
    positives = [[3, 1], [1, 1]]  # the first measure ranks the first positive right,
    negatives = [[2], [0]]  # the second one both
    assert max_pwa(positives, negatives) == 1
    assert max_pwa(positives[:1], negatives[:1]) == 0.5


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


def test_the_pairs_of_four_instances():
    found = redundancy(base=[0.9, 0.5, 0.5, 0.1], other=[0.4, 0.6, 0.0, 0.0])
    assert found == Redundancy(same=3, opposite=1, tied=1, pairs=6)
    assert (found.redundant, found.non_redundant, found.non_informative) == (0.6, 0.2, 0.2)
    assert found.ranked == 5 / 6


@given(BOTH)
def test_it_is_what_looking_at_every_pair_finds(pairs):
    assert redundancy(*zip(*pairs, strict=True)) == by_looking(pairs)


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


def test_values_and_truth_come_as_arrays():
    values, truth = as_labelled([0.5, 0.1], [False, True])
    assert (values.tolist(), truth.tolist()) == ([0.5, 0.1], [False, True])


@each_case(
    ("values", "positive", "message"),
    [
        ([0.5, 0.1], [True], r"positive: expected shape \(2,\).*got \(1,\)"),
        ([0.5, 0.1], [1, -1], "positive: expected truth values"),
        ([0.5, 0.1], [False, False], "positive: no instance is positive"),
        ([0.5, np.nan], [True, False], "values: .*NaN"),
        ([], [], "values: no instances"),
    ],
)
def test_what_does_not_fit_is_refused(values, positive, message):
    with pytest.raises(ValuesError, match=message):
        as_labelled(values, positive)
