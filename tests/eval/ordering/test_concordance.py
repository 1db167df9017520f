from itertools import combinations
from math import comb, isnan, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from eval.ordering.concordance import Redundancy, redundancy
from weps.errors import ValuesError

FEW_VALUES = st.sampled_from([-np.inf, 0.0, 0.25, 0.5, 1.0, np.inf])
BOTH = st.lists(st.tuples(FEW_VALUES, FEW_VALUES), min_size=1, max_size=30)
Pairs = list[tuple[float, float]]


def of(pairs: Pairs) -> Redundancy:
    base, other = zip(*pairs, strict=True)
    return redundancy(base, other)


def by_looking(pairs: Pairs) -> Redundancy:
    ranked = [sorted(two) for two in combinations(pairs, 2) if two[0][0] != two[1][0]]
    return Redundancy(
        same=sum(low[1] < high[1] for low, high in ranked),
        opposite=sum(low[1] > high[1] for low, high in ranked),
        tied=sum(low[1] == high[1] for low, high in ranked),
        pairs=comb(len(pairs), 2),
    )


def test_the_pairs_of_four_instances() -> None:
    found = redundancy(base=[0.9, 0.5, 0.5, 0.1], other=[0.4, 0.6, 0.0, 0.0])
    assert found == Redundancy(same=3, opposite=1, tied=1, pairs=6)
    assert (found.redundant, found.non_redundant, found.non_informative) == (0.6, 0.2, 0.2)
    assert found.ranked == 5 / 6


@given(BOTH)
def test_it_is_what_looking_at_every_pair_finds(pairs: Pairs) -> None:
    assert of(pairs) == by_looking(pairs)


@given(BOTH)
def test_kendalls_tau_b_follows_from_the_counts(pairs: Pairs) -> None:
    base, other = np.unique(np.array(pairs), return_inverse=True)[1].reshape(-1, 2).T
    assume(len(set(base)) > 1 and len(set(other)) > 1)
    found, swapped = redundancy(base, other), redundancy(other, base)
    ranked = [each.same + each.opposite + each.tied for each in (found, swapped)]
    expected = kendalltau(base, other).statistic
    assert (found.same - found.opposite) / sqrt(ranked[0] * ranked[1]) == pytest.approx(expected)


@given(BOTH, st.randoms(use_true_random=False))
def test_the_order_of_instances_does_not_matter(pairs: Pairs, random) -> None:
    assert of(random.sample(pairs, len(pairs))) == of(pairs)


@given(BOTH)
def test_only_the_order_of_values_matters(pairs: Pairs) -> None:
    assert of([(np.arctan(base), np.exp(other)) for base, other in pairs]) == of(pairs)


@given(BOTH)
def test_the_other_measure_reversed_is_as_informative_the_other_way(pairs: Pairs) -> None:
    found, reversed_ = of(pairs), of([(base, -other) for base, other in pairs])
    assert (reversed_.same, reversed_.opposite) == (found.opposite, found.same)
    assert (reversed_.tied, reversed_.pairs) == (found.tied, found.pairs)


def test_a_measure_repeats_itself() -> None:
    found = redundancy(np.arange(300_000) // 2, np.arange(300_000) // 2)
    assert found.same == 4 * comb(150_000, 2)
    assert (found.opposite, found.tied, found.pairs) == (0, 0, comb(300_000, 2))


def test_a_base_that_ranks_nothing_has_no_shares() -> None:
    found = redundancy([1, 1, 1], [1, 2, 3])
    assert found == Redundancy(0, 0, 0, 3)
    assert found.ranked == 0
    assert all(map(isnan, (found.redundant, found.non_redundant, found.non_informative)))


def test_a_single_instance_is_no_pair() -> None:
    assert isnan(redundancy([1], [1]).ranked)


def test_the_values_are_left_as_they_were() -> None:
    base, other = np.array([3.0, 1.0, 2.0]), np.array([1.0, 3.0, 2.0])
    redundancy(base, other)
    assert (base.tolist(), other.tolist()) == ([3, 1, 2], [1, 3, 2])


@pytest.mark.parametrize(
    ("base", "other", "message"),
    [
        ([1, 2], [1, 2, 3], "2 and 3 instances"),
        ([1, np.nan], [1, 2], "base: .*NaN"),
        ([1, 2], [1, np.nan], "other: .*NaN"),
        ([], [], "nothing to compare"),
    ],
)
def test_values_that_do_not_fit(base: list[float], other: list[float], message: str) -> None:
    with pytest.raises(ValuesError, match=message):
        redundancy(base, other)
