from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.meta.heterogeneity.pairs import (
    Pairs,
    every_pair,
    ordered_pairs,
    rival_pairs,
    sampled_pairs,
)
from weps.errors import ValuesError

GROUPS = st.lists(st.integers(0, 4), min_size=1, max_size=25)


def listed(pairs: Pairs) -> list[tuple[int, int]]:
    return list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))


@given(GROUPS)
def test_every_two_instances_of_one_group_are_a_pair_once(group: list[int]) -> None:
    expected = [{i, j} for i, j in combinations(range(len(group)), 2) if group[i] == group[j]]
    found = [set(pair) for pair in listed(every_pair(len(group), group))]
    assert sorted(map(sorted, found)) == sorted(map(sorted, expected))


@given(GROUPS)
def test_ordered_pairs_are_the_same_both_ways_round(group: list[int]) -> None:
    expected = [(i, j) for i, j in permutations(range(len(group)), 2) if group[i] == group[j]]
    found = [pair for pairs in ordered_pairs(len(group), group) for pair in listed(pairs)]
    assert sorted(found) == expected


def test_many_ordered_pairs_at_a_time() -> None:
    parts = list(ordered_pairs(1100))
    assert len(parts) == 5
    first, second = (np.concatenate(each) for each in zip(*parts, strict=True))
    assert len(np.unique(first * 1100 + second)) == 1100 * 1099
    assert (first != second).all()


@given(GROUPS, st.integers(2, 30), st.integers(0, 3))
def test_a_sample_has_different_pairs_and_all_if_these_are_too_few(
    group: list[int], samples: int, seed: int
) -> None:
    every = set(listed(every_pair(len(group), group)))
    found = listed(sampled_pairs(len(group), samples, group, seed))
    assert len(set(found)) == len(found) == min(samples, len(every))
    assert set(found) <= every


def test_each_pair_is_as_likely_as_the_other() -> None:
    group = [0, 0, 0, 1, 1, 1, 1]  # 3 and 6 pairs
    drawn = [pair for s in range(3000) for pair in listed(sampled_pairs(7, 3, group, seed=s))]
    counts = np.unique_counts([7 * i + j for i, j in drawn]).counts
    assert len(counts) == comb(3, 2) + comb(4, 2)
    assert counts == pytest.approx(1000, rel=0.15)


def test_the_same_seed_draws_the_same() -> None:
    samples = [listed(sampled_pairs(200_000, 50, seed=seed)) for seed in (1, 1, 2)]
    assert samples[0] == samples[1] != samples[2]


def test_what_cannot_be_drawn() -> None:
    with pytest.raises(ValuesError, match="0 samples are none"):
        sampled_pairs(5, 0)
    with pytest.raises(ValuesError, match="group: shape"):
        every_pair(5, [0, 1])


@given(GROUPS, st.integers(2, 30), st.integers(0, 3))
def test_rivals_are_the_same_for_all_of_a_group(group: list[int], most: int, seed: int) -> None:
    parts = rival_pairs(len(group), most, group, seed)
    found = [pair for pairs in parts for pair in listed(pairs)]
    assert len(set(found)) == len(found)
    for number in set(group):
        members = [i for i, each in enumerate(group) if each == number]
        rivals = {j for i, j in found if i in members}
        assert rivals <= set(members)
        assert len(rivals) == min(most, len(members)) or len(members) == 1
        expected = [(i, j) for i in members for j in sorted(rivals) if i != j]
        assert sorted(pair for pair in found if pair[0] in members) == sorted(expected)


def test_as_many_rivals_as_there_are_instances_are_all() -> None:
    group = [0, 1, 0, 0, 1]
    every = [pair for pairs in ordered_pairs(5, group) for pair in listed(pairs)]
    assert [pair for pairs in rival_pairs(5, 3, group) for pair in listed(pairs)] != []
    assert sorted(p for pairs in rival_pairs(5, 3, group) for p in listed(pairs)) == sorted(every)


def test_many_pairs_with_rivals_at_a_time() -> None:
    parts = list(rival_pairs(3000, 1000))
    assert len(parts) == 12
    assert sum(len(each.first) for each in parts) == 3000 * 1000 - 1000


@pytest.mark.parametrize("rivals", [0, 1])
def test_there_must_be_two_rivals(rivals: int) -> None:
    with pytest.raises(ValuesError, match=f"{rivals} rivals are too few"):
        list(rival_pairs(3, rivals))
