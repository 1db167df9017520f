import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import square, unhurried
from weps.similarity.pairs import condense_matrix, pair_position, pairs_between


@given(st.integers(0, 7), st.randoms(use_true_random=False))
@unhurried
def test_condensed_is_the_upper_triangle(size, random):
    half = [random.choice([0, 0, 1.5, 3]) for _ in range(size * (size - 1) // 2)]
    matrix = square(half, size)
    np.fill_diagonal(matrix, 9)
    assert condense_matrix(matrix).tolist() == half


@pytest.mark.parametrize("size", [2, 3, 7])
def test_pairs_are_where_numpy_puts_them(size):
    rows, columns = np.triu_indices(size, k=1)
    positions = [pair_position(i, j, size) for i, j in zip(rows, columns, strict=True)]
    assert positions == list(range(size * (size - 1) // 2))


@given(st.permutations(range(8)), st.integers(1, 6), st.integers(7, 8))
@unhurried
def test_pairs_between_two_clusters(rows, first, last):
    ours, theirs = np.array(rows[:first]), np.array(rows[first:last])
    expected = [[pair_position(min(a, b), max(a, b), 8) for b in theirs] for a in ours]
    assert pairs_between(ours, theirs, 8).tolist() == expected
