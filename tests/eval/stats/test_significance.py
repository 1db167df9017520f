from collections.abc import Sequence
from itertools import product
from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import binomtest

from tests.cases import each_case
from weps_eval.stats.significance import (
    Difference,
    compare,
    difference_cells,
    rank_sum,
    signed_rank,
)

few = st.lists(st.integers(-4, 4).map(float), min_size=1, max_size=9)


def by_all_signs(differences: list[float]) -> tuple[float, float]:
    """Exact p by going through every choice of signs."""
    left = [each for each in differences if each]
    ranks = stats.rankdata(np.abs(left)) if left else np.zeros(0)
    seen = sum(rank for rank, each in zip(ranks, left, strict=True) if each > 0)
    sums = [
        sum(rank for rank, plus in zip(ranks, signs, strict=True) if plus)
        for signs in product([False, True], repeat=len(left))
    ]
    return float(np.mean([s >= seen for s in sums])), float(np.mean([s <= seen for s in sums]))


@given(few)
def test_few_differences_are_tested_exactly(differences):
    above, below = signed_rank(np.array([differences]).T)
    assert (above[0], below[0]) == pytest.approx(by_all_signs(differences))


@each_case("size", [30, 50, 51, 400])
def test_without_ties_it_is_that_of_scipy(size):
    differences = np.random.default_rng(size).normal(0.2, size=(size, 3))
    method = "exact" if size <= 50 else "asymptotic"
    for found, side in zip(signed_rank(differences), ("greater", "less"), strict=True):
        expected = stats.wilcoxon(differences, alternative=side, method=method).pvalue
        assert found == pytest.approx(expected, rel=1e-9)


def test_many_differences_with_ties_and_zeros_are_those_of_scipy():
    differences = np.random.default_rng(0).integers(-3, 5, (300, 2)).astype(float)
    expected = stats.wilcoxon(differences, alternative="greater", method="asymptotic").pvalue
    assert signed_rank(differences)[0] == pytest.approx(expected, rel=1e-9)


def test_missing_differences_do_not_count():
    differences = np.random.default_rng(1).normal(0.5, size=(90, 1))
    longer = np.vstack([differences, np.full((20, 1), np.nan)])
    assert np.array_equal(signed_rank(longer), signed_rank(differences))


@each_case("nothing", [[[0.0]], [[np.nan]], [[0.0], [np.nan]]])
def test_no_difference_is_never_significant(nothing):
    assert [each.tolist() for each in signed_rank(np.array(nothing))] == [[1], [1]]


def test_infinite_differences_rank_highest():
    assert signed_rank(np.array([[1.0], [2], [np.inf]]))[0][0] == 1 / 8


def test_rank_sums_are_those_of_mann_and_whitney():
    first, second = np.random.default_rng(3).normal(size=(2, 40, 2))
    above, below = rank_sum(first + 0.3, second)
    for pair in range(2):
        sides = first[:, pair] + 0.3, second[:, pair]
        assert above[pair] == pytest.approx(stats.mannwhitneyu(*sides, alternative="greater")[1])
        assert below[pair] == pytest.approx(stats.mannwhitneyu(*sides, alternative="less")[1])


def test_rank_sums_need_no_pairs():
    first, second = np.random.default_rng(4).normal(size=(2, 30, 1))
    holes = np.where(np.arange(30)[:, None] % 3 == 0, np.nan, first)
    expected = stats.mannwhitneyu(first[np.arange(30) % 3 > 0, 0], second[:, 0])[1]
    above, below = rank_sum(holes, second)
    assert 2 * min(above[0], below[0]) == pytest.approx(expected)


def test_thirds_are_tied_whatever_rounding_says():
    # scores are means of three people's
    ours, theirs = np.random.default_rng(0).integers(3, 16, (2, 40, 5))
    expected = signed_rank((ours - theirs).astype(float))
    assert np.array_equal(signed_rank(ours / 3 - theirs / 3), expected)


@pytest.mark.parametrize("small", [1e-9, 1e9])
def test_small_differences_beside_great_ones_count(small):
    differences = np.array([[1.0, 2.0, -4.0, 5.0, 1e15]]).T
    scaled = differences * small
    assert np.array_equal(signed_rank(scaled), signed_rank(differences))
    assert signed_rank(differences)[0] == pytest.approx([by_all_signs([1, 2, -4, 5, 9])[0]])


def test_the_company_of_a_pair_does_not_change_its_rank_sum_test():
    low, high = np.array([[1.0, 2, 3, 4, 5]]).T, np.array([[6.0, 7, 8, 9, 2.5]]).T
    alone = rank_sum(high, low)
    among = rank_sum(np.hstack([high, low]), np.hstack([low, low]))  # the second pair is tied
    assert (among[0][0], among[1][0]) == (alone[0][0], alone[1][0])
    assert alone[0][0] == pytest.approx(7 / 252)  # ranks that add up to 37 or more


def test_equal_values_are_never_significant_by_rank_sum():
    same = np.full((12, 1), 3.0)
    assert np.array(rank_sum(same, same)).tolist() == [[1.0], [1.0]]


SCORES = st.floats(0, 1, allow_nan=False)
PAIRS = st.lists(st.tuples(SCORES, SCORES), min_size=2, max_size=12)


def of_pairs(pairs: Sequence[tuple[float, float]]) -> Difference:
    first, second = zip(*pairs, strict=True)
    return compare(first, second)


def test_the_difference_is_second_minus_first():
    found = compare([0.5, 0.6, 0.7, 0.8], [0.6, 0.7, 0.7, 0.6])
    assert found.mean == pytest.approx(0.0)
    assert (found.better, found.worse, found.equal) == (2, 1, 1)
    assert compare([0.1 + 0.2, 0.5], [0.3, 0.5]).equal == 2  # but for rounding
    scores = np.random.default_rng(1).random((2, 9))
    assert compare(*scores, seed=4).low != compare(*scores, seed=5).low


@each_case(
    ("better", "worse", "equal", "p"),
    [
        (0, 0, 3, 1.0),
        (1, 0, 0, 1.0),
        (1, 1, 0, 1.0),
        (5, 0, 2, 2 / 2**5),
        (0, 6, 0, 2 / 2**6),
        (1, 7, 0, 2 * (1 + 8) / 2**8),
    ],
)
def test_the_sign_test_counts_names_that_differ(better, worse, equal, p):
    second = [1.0] * better + [0.0] * worse + [0.5] * equal
    assert compare([0.5] * len(second), second).p == pytest.approx(p)


@given(PAIRS)
def test_the_sign_test_is_the_exact_binomial_one(pairs):
    found = of_pairs(pairs)
    trials = found.better + found.worse
    expected = binomtest(found.better, trials).pvalue if trials else 1.0
    assert found.p == pytest.approx(expected)


@given(PAIRS)
def test_swapping_the_systems_swaps_the_answer(pairs):
    there, back = of_pairs(pairs), of_pairs([(second, first) for first, second in pairs])
    assert back.mean == pytest.approx(-there.mean)
    assert (back.better, back.worse, back.p) == (there.worse, there.better, there.p)


@given(PAIRS)
def test_the_interval_lies_within_the_differences(pairs):
    found = of_pairs(pairs)
    differences = [second - first for first, second in pairs]
    assert min(differences) - 1e-12 <= found.low <= found.high <= max(differences) + 1e-12


def test_the_interval_is_that_of_the_normal_for_many_names():
    differences = np.random.default_rng(3).normal(0.1, 0.2, 400)
    found = compare(np.zeros(400), differences)
    half = 1.96 * differences.std() / 20
    assert found.low == pytest.approx(found.mean - half, abs=0.003)
    assert found.high == pytest.approx(found.mean + half, abs=0.003)


def test_one_name_has_no_interval():
    found = compare([0.5], [0.75])
    assert isnan(found.low)
    assert isnan(found.high)
    assert (found.mean, found.p) == (0.25, 1.0)


@each_case(("first", "second"), [([], []), ([1.0], [1.0, 0.5]), ([[1.0]], [[1.0]]), (1.0, 1.0)])
def test_scores_that_are_no_pairs_are_refused(first, second):
    with pytest.raises(ValueError, match="paired"):
        compare(first, second)


@pytest.mark.parametrize(
    ("difference", "cells"),
    [
        (
            (0.0125, -0.01, 0.01, 1.0, 1, 2, 3),
            ["+0.013", "-0.010 to +0.010", "1.000", "1", "2", "3"],
        ),
        ((-0.5, nan, nan, 0.0001, 1, 0, 0), ["-0.500", "–", "< 0.001", "1", "0", "0"]),
    ],
)
def test_cells_of_a_difference(difference, cells):
    assert difference_cells(Difference(*difference)) == cells
