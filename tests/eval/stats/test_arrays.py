"""Ranks, ties, rounding and bits of arrays."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps_eval.stats.arrays import (
    count_ties,
    dense_ranks,
    pack_bits,
    round_digits,
)


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


@given(INSTANCES)
def test_ties_are_what_looking_at_every_pair_finds(instances):
    first, second, group = zip(*instances, strict=True)
    assert count_ties(first, group, GROUPS).tolist() == by_looking(instances, compared=1)
    assert count_ties(first, group, GROUPS, second).tolist() == by_looking(instances, compared=2)


def test_counts_beyond_32_bits_are_exact():
    assert count_ties(np.zeros(100_000), np.zeros(100_000, int), 1).item() == 100_000 * 99_999


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
