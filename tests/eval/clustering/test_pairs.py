"""Pair counts against counting pairs one by one, and the measures made of them."""

from itertools import combinations
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.clustering.membership import from_groups, signatures
from eval.clustering.neighbours import Neighbours
from eval.clustering.pairs import PairCounts, fowlkes_mallows, jaccard, pair_counts, rand

GROUPS = st.lists(st.sets(st.integers(0, 9), min_size=1), max_size=5)


def counts(answer, key):
    return pair_counts(Neighbours.of(signatures(*from_groups(answer, key))))


def one_by_one(answer, key):
    tally = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for pair in combinations(sorted(set().union(*key)), 2):
        together = (any({*pair} <= set(group) for group in side) for side in (answer, key))
        tally[tuple(together)] += 1
    return PairCounts(*tally.values())


@given(GROUPS, GROUPS.filter(bool))
def test_agrees_with_counting_one_by_one(answer, key):
    found = counts(answer, key)
    assert found == one_by_one(answer, key)
    assert all(0 <= measure(found) <= 1 for measure in (rand, jaccard, fowlkes_mallows))


@given(GROUPS.filter(bool))
def test_the_key_itself_is_perfect(key):
    found = counts(key, key)
    assert [rand(found), jaccard(found), fowlkes_mallows(found)] == [1, 1, 1]


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        (PairCounts(2, 1, 3, 4), (6 / 10, 2 / 6, 2 / sqrt(3 * 5))),
        (PairCounts(0, 0, 3, 7), (7 / 10, 0, 1)),
        (PairCounts(0, 3, 0, 7), (7 / 10, 0, 1)),
        (PairCounts(0, 1, 1, 0), (0, 0, 0)),
        (PairCounts(0, 0, 0, 5), (1, 1, 1)),
        (PairCounts(0, 0, 0, 0), (1, 1, 1)),
    ],
    ids=["plain", "answer of singles", "key of singles", "opposite", "both singles", "one item"],
)
def test_measures_of_counts(pairs, expected):
    assert (rand(pairs), jaccard(pairs), fowlkes_mallows(pairs)) == pytest.approx(expected)
