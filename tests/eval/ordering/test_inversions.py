from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.ordering.inversions import inversions

SEQUENCES = st.lists(st.integers(0, 9), max_size=40)


@pytest.mark.parametrize(
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
def test_pairs_in_falling_order_are_counted(sequence: list[float], expected: int) -> None:
    assert inversions(sequence) == expected


@given(SEQUENCES)
def test_it_is_what_looking_at_every_pair_finds(sequence: list[int]) -> None:
    assert inversions(sequence) == sum(a > b for a, b in combinations(sequence, 2))


@given(st.permutations(range(30)))
def test_a_permutation_and_its_inverse_have_equally_many(order: Sequence[int]) -> None:
    assert inversions(order) == inversions(np.argsort(order))


@pytest.mark.parametrize("size", [63, 64, 65, 100_000])
def test_every_pair_of_a_falling_sequence_is_one(size: int) -> None:
    assert inversions(np.arange(size)[::-1]) == size * (size - 1) // 2
