from collections import Counter
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps.errors import ValuesError
from weps_eval.meta.heterogeneity import (
    Pairs,
    as_sets,
    every_pair,
    ordered_pairs,
    pack_sets,
    pairs_of_measures,
    random_sets,
    rival_pairs,
    sampled_pairs,
)

GROUPS = st.lists(st.integers(0, 4), min_size=1, max_size=25)


def listed(pairs: Pairs) -> list[tuple[int, int]]:
    return list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))


@given(GROUPS)
def test_every_two_instances_of_one_group_are_a_pair_once(group):
    expected = [{i, j} for i, j in combinations(range(len(group)), 2) if group[i] == group[j]]
    found = [set(pair) for pair in listed(every_pair(len(group), group))]
    assert sorted(map(sorted, found)) == sorted(map(sorted, expected))


@given(GROUPS)
def test_ordered_pairs_are_the_same_both_ways_round(group):
    expected = [(i, j) for i, j in permutations(range(len(group)), 2) if group[i] == group[j]]
    found = [pair for pairs in ordered_pairs(len(group), group) for pair in listed(pairs)]
    assert sorted(found) == expected


@pytest.mark.slow
def test_many_ordered_pairs_at_a_time():
    parts = list(ordered_pairs(1100))
    assert len(parts) == 5
    first, second = (np.concatenate(each) for each in zip(*parts, strict=True))
    assert len(np.unique(first * 1100 + second)) == 1100 * 1099
    assert (first != second).all()


@given(GROUPS, st.integers(2, 30), st.integers(0, 3))
def test_a_sample_has_different_pairs_and_all_if_these_are_too_few(group, samples, seed):
    every = set(listed(every_pair(len(group), group)))
    found = listed(sampled_pairs(len(group), samples, group, seed))
    assert len(set(found)) == len(found) == min(samples, len(every))
    assert set(found) <= every


def test_what_cannot_be_drawn():
    with pytest.raises(ValuesError, match="0 samples are none"):
        sampled_pairs(5, 0)
    with pytest.raises(ValuesError, match="group: expected shape"):
        every_pair(5, [0, 1])


@given(GROUPS, st.integers(2, 30), st.integers(0, 3))
def test_rivals_are_the_same_for_all_of_a_group(group, most, seed):
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


def test_many_pairs_with_rivals_at_a_time():
    parts = list(rival_pairs(3000, 1000))
    assert len(parts) == 12
    assert sum(len(each.first) for each in parts) == 3000 * 1000 - 1000


@pytest.mark.parametrize("rivals", [0, 1])
def test_there_must_be_two_rivals(rivals):
    with pytest.raises(ValuesError, match=f"{rivals} rivals are too few"):
        list(rival_pairs(3, rivals))


def test_sets_are_rows_of_truth_values():
    sets = as_sets([(0, 2), (), (1,)], measures=3)
    assert sets.tolist() == [[True, False, True], [False] * 3, [False, True, False]]
    assert pack_sets(as_sets([(0, 3), (8,)], 9), 9).tolist() == [[9, 0], [0, 1]]  # little endian
    for wrong in (3, -1):
        with pytest.raises(ValuesError, match=f"measure {wrong} is out of range: expected 0 to 2"):
            as_sets([(0, wrong)], 3)


def test_two_by_two():
    expected = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert (pairs_of_measures(4) == as_sets(expected, 4)).all()
    assert pairs_of_measures(1).shape == (0, 1)


def test_random_sets_are_different_and_of_the_sizes_asked_for():
    sets = random_sets(30, sizes=[2, 5, 29, 30], each=40, seed=3)
    assert Counter(sets.sum(axis=1).tolist()) == {2: 40, 5: 40, 29: 30, 30: 1}
    assert len(np.unique(sets, axis=0)) == 111
    assert (random_sets(30, [5], 40, seed=3) != random_sets(30, [2, 5], 40, seed=3)[40:]).any()
    with pytest.raises(ValuesError, match="no set of 4 can be chosen from 3"):
        random_sets(3, [4], 1)
    assert (random_sets(30, [2, 5, 29, 30], 40, seed=3) == sets).all()
    assert (random_sets(30, [2, 5, 29, 30], 40, seed=4) != sets).any()


@pytest.mark.slow
def test_every_set_is_as_likely():
    found = [random_sets(5, [2], 3, seed=seed).tolist() for seed in range(2000)]
    counts = Counter(tuple(each) for sets in found for each in sets)
    assert len(counts) == comb(5, 2)
    assert list(counts.values()) == pytest.approx([600] * 10, rel=0.2)


@each_case(
    ("sets", "message"),
    [
        (np.ones((2, 4), dtype=bool), r"bool of shape \(sets, 3\), got bool of shape \(2, 4\)"),
        (np.ones((2, 3)), "got float64 of shape"),
        (np.ones(3, dtype=bool), r"shape \(3,\)"),
    ],
)
def test_what_are_no_sets(sets, message):
    with pytest.raises(ValuesError, match=message):
        pack_sets(sets, 3)
