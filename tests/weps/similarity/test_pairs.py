import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from tests.cases import each_case
from tests.weps.builders import square
from weps.similarity.columns import (
    Pairs,
    SampledPairs,
    condense_matrix,
    condensed_part,
    pair_position,
    pairs_between,
    square_matrix,
)


@given(st.integers(0, 7), st.randoms(use_true_random=False))
def test_condensed_is_the_upper_triangle(size, random):
    half = [random.choice([0, 0, 1.5, 3]) for _ in range(size * (size - 1) // 2)]
    matrix = square(half, size)
    np.fill_diagonal(matrix, 9)
    assert condense_matrix(matrix).tolist() == half


@each_case("size", [2, 3, 7])
def test_pairs_are_where_numpy_puts_them(size):
    rows, columns = np.triu_indices(size, k=1)
    positions = [pair_position(i, j, size) for i, j in zip(rows, columns, strict=True)]
    assert positions == list(range(size * (size - 1) // 2))


@given(st.permutations(range(8)), st.integers(1, 6), st.integers(7, 8))
def test_pairs_between_two_clusters(rows, first, last):
    ours, theirs = np.array(rows[:first]), np.array(rows[first:last])
    expected = [[pair_position(min(a, b), max(a, b), 8) for b in theirs] for a in ours]
    assert pairs_between(ours, theirs, 8).tolist() == expected


@given(st.integers(2, 15), st.sampled_from([0.02, 0.5]), st.randoms(use_true_random=False))
def test_listed_pairs_and_grids_have_the_values_of_all_pairs(size, share, random):
    every = Pairs.of_all(size)
    chosen = [at for at in range(len(every)) if random.random() < share]
    sample = np.array([row for row in range(size) if random.random() < 0.7], dtype=np.int64)
    listed = Pairs(size, every.first[chosen], every.second[chosen], sample)
    grid = SampledPairs.of(size, sample)
    matrix = np.array([[random.randrange(3) for _ in range(4)] for _ in range(size)], dtype=float)
    whole = matrix @ matrix.T
    for pairs in (every, listed, grid):
        expected = whole[pairs.first, pairs.second]
        assert pairs.products(sparse.csr_array(matrix)).tolist() == expected.tolist()
        assert pairs.dense_products(matrix).tolist() == expected.tolist()
        summed = matrix[pairs.first, 0] + matrix[pairs.second, 0]
        assert pairs.combine(np.add, matrix[:, 0]).tolist() == summed.tolist()
    places = listed.positions(every.first, every.second)
    assert places.tolist() == [chosen.index(at) if at in chosen else -1 for at in range(len(every))]
    assert every.positions(every.first, every.second).tolist() == list(range(len(every)))


@given(st.sets(st.integers(0, 6)))
def test_the_pairs_of_some_rows(chosen):
    rows = np.array(sorted(chosen), dtype=np.int64)
    every = Pairs.of_all(7)
    numbers = np.arange(len(every))
    expected = square_matrix(numbers, 7)[np.ix_(rows, rows)]
    assert condensed_part(numbers, rows, 7).tolist() == condense_matrix(expected).tolist()
