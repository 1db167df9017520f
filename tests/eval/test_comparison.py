from collections.abc import Sequence
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from eval.comparison import Difference, compare

SCORES = st.floats(0, 1, allow_nan=False)
PAIRS = st.lists(st.tuples(SCORES, SCORES), min_size=2, max_size=12)


def of_pairs(pairs: Sequence[tuple[float, float]]) -> Difference:
    first, second = zip(*pairs, strict=True)
    return compare(first, second)


def test_the_difference_is_second_minus_first() -> None:
    found = compare([0.5, 0.6, 0.7, 0.8], [0.6, 0.7, 0.7, 0.6])
    assert found.mean == pytest.approx(0.0)
    assert (found.better, found.worse, found.equal) == (2, 1, 1)


@pytest.mark.parametrize(
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
def test_the_sign_test_counts_names_that_differ(
    better: int, worse: int, equal: int, p: float
) -> None:
    second = [1.0] * better + [0.0] * worse + [0.5] * equal
    assert compare([0.5] * len(second), second).p == pytest.approx(p)


@given(PAIRS)
def test_the_sign_test_is_the_exact_binomial_one(pairs: list[tuple[float, float]]) -> None:
    found = of_pairs(pairs)
    trials = found.better + found.worse
    expected = binomtest(found.better, trials).pvalue if trials else 1.0
    assert found.p == pytest.approx(expected)


@given(PAIRS, st.randoms(use_true_random=False))
def test_the_order_of_names_does_not_matter(pairs: list[tuple[float, float]], random) -> None:
    shuffled = random.sample(pairs, len(pairs))
    assert of_pairs(shuffled) == of_pairs(pairs)


@given(PAIRS)
def test_swapping_the_systems_swaps_the_answer(pairs: list[tuple[float, float]]) -> None:
    there, back = of_pairs(pairs), of_pairs([(second, first) for first, second in pairs])
    assert back.mean == pytest.approx(-there.mean)
    assert (back.better, back.worse, back.p) == (there.worse, there.better, there.p)


@given(PAIRS)
def test_the_interval_lies_within_the_differences(pairs: list[tuple[float, float]]) -> None:
    found = of_pairs(pairs)
    differences = [second - first for first, second in pairs]
    assert min(differences) - 1e-12 <= found.low <= found.high <= max(differences) + 1e-12


def test_a_constant_difference_has_no_spread() -> None:
    found = compare([0.25, 0.5, 0.125], [0.5, 0.75, 0.375])
    assert (found.low, found.mean, found.high) == (0.25, 0.25, 0.25)


def test_the_interval_is_that_of_the_normal_for_many_names() -> None:
    differences = np.random.default_rng(3).normal(0.1, 0.2, 400)
    found = compare(np.zeros(400), differences)
    half = 1.96 * differences.std() / 20
    assert found.low == pytest.approx(found.mean - half, abs=0.003)
    assert found.high == pytest.approx(found.mean + half, abs=0.003)


def test_the_interval_depends_on_the_seed_alone() -> None:
    scores = np.random.default_rng(1).random((2, 9))
    assert compare(*scores, seed=4) == compare(*scores, seed=4)
    assert compare(*scores, seed=4).low != compare(*scores, seed=5).low


def test_rounding_makes_no_difference() -> None:
    assert compare([0.1 + 0.2, 0.5], [0.3, 0.5]).equal == 2


def test_one_name_has_no_interval() -> None:
    found = compare([0.5], [0.75])
    assert isnan(found.low)
    assert isnan(found.high)
    assert (found.mean, found.p) == (0.25, 1.0)


@pytest.mark.parametrize(
    ("first", "second"), [([], []), ([1.0], [1.0, 0.5]), ([[1.0]], [[1.0]]), (1.0, 1.0)]
)
def test_scores_that_are_no_pairs_are_refused(first: object, second: object) -> None:
    with pytest.raises(ValueError, match="paired"):
        compare(first, second)
