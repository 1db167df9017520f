"""Numbers that are equal but for rounding."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps.errors import ValuesError
from weps_eval.stats.arrays import (
    count_inversions,
    count_ties,
    dense_ranks,
    joint_ranks,
    pack_bits,
    round_digits,
)

SEQUENCES = st.lists(st.integers(0, 9), max_size=40)


@each_case(
    ("sequence", "expected"),
    [
        ([], 0),
        ([7], 0),
        ([1, 2, 3], 0),
        ([3, 2, 1], 3),
        ([2, 2, 2], 0),
        ([2, 1, 2, 1], 3),
        ([0.5, -np.inf, np.inf, 0.0], 3),
    ],
)
def test_pairs_in_falling_order_are_counted(sequence, expected):
    assert count_inversions(sequence) == expected


@given(SEQUENCES)
def test_it_is_what_looking_at_every_pair_finds(sequence):
    assert count_inversions(sequence) == sum(a > b for a, b in combinations(sequence, 2))


@each_case("size", [63, 64, 65, 100_000])
def test_every_pair_of_a_falling_sequence_is_one(size):
    assert count_inversions(np.arange(size)[::-1]) == size * (size - 1) // 2


@each_case(
    ("values", "expected"),
    [
        ([0.5, -1.0, 0.5, 2.0], [1, 0, 1, 2]),
        ([0.0, -0.0], [0, 0]),
        ([np.inf, 1e308, -np.inf], [2, 1, 0]),
        ([2**53 + 1, 2**53], [1, 0]),
        ([True, False], [1, 0]),
    ],
)
def test_ranks_compare_as_the_values(values, expected):
    assert dense_ranks(values).tolist() == expected


def test_joint_ranks_are_by_the_first_and_then_by_the_second():
    ranks = joint_ranks(np.array([1, 0, 0, 1]), np.array([0, 3, 1, 0]))
    assert dense_ranks(ranks).tolist() == [2, 1, 0, 2]


GROUPS = 4
INSTANCES = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, GROUPS - 1)),
    min_size=1,
    max_size=20,
)
Instances = list[tuple[int, int, int]]


def by_looking(instances: Instances, compared: int) -> list[list[int]]:
    counts = np.zeros((GROUPS, GROUPS), dtype=np.int64)
    for a, b in permutations(instances, 2):
        counts[a[-1], b[-1]] += a[:compared] == b[:compared]
    return counts.tolist()


def test_pairs_within_a_group_count_in_both_orders():
    found = count_ties([0.5, 0.5, 0.5, 0.1], [0, 0, 1, 1], groups=2)
    assert found.tolist() == [[2, 2], [2, 0]]
    assert found.dtype == np.int64


@given(INSTANCES)
def test_it_is_what_looking_at_every_pair_finds_ties(instances):
    first, second, group = zip(*instances, strict=True)
    assert count_ties(first, group, GROUPS).tolist() == by_looking(instances, compared=1)
    assert count_ties(first, group, GROUPS, second).tolist() == by_looking(instances, compared=2)


def test_counts_beyond_32_bits_are_exact():
    assert count_ties(np.zeros(100_000), np.zeros(100_000, int), 1).item() == 100_000 * 99_999


@pytest.mark.parametrize("second", [[1, 2, 3], [1, np.nan]])
def test_a_second_measure_must_fit(second):
    with pytest.raises(ValuesError):
        count_ties([1, 2], [0, 0], 1, second)


def test_sums_of_the_same_numbers_are_equal_in_any_order():
    sums = np.array([sum(each) / 3 for each in permutations((0.1, 0.2, 0.3))])
    assert len(set(sums.tolist())) > 1
    assert len(set(round_digits(sums).tolist())) == 1


@each_case("value", [0.0, 1.0, -2.5, 3e-200, 1e308, 1 / 3])
def test_little_changes(value):
    assert round_digits(np.array([value]))[0] == pytest.approx(value, rel=1e-9)
    assert (
        round_digits(np.array([value * (1 + 1e-7)]))[0] != round_digits(np.array([value]))[0]
        or not value
    )


@each_case("size", [1, 63, 64, 65, 200])
def test_truth_values_are_packed_into_words(size):
    truth = np.random.default_rng(size).random((3, size)) < 0.5
    bits = pack_bits(truth)
    assert bits.shape == (3, -(-size // 64))
    unpacked = np.unpackbits(bits.view(np.uint8), axis=1, bitorder="little")
    assert (unpacked[:, :size] == truth).all()
    assert not unpacked[:, size:].any()
