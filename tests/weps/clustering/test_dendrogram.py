import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import unhurried
from weps.clustering.dendrogram import (
    Dendrogram,
    Merge,
    membership_matrix,
    pair_position,
    pairs_between,
)
from weps.errors import ValuesError

MERGES = (Merge(3, 4, 0.9), Merge(0, 2, 0.6), Merge(2, 3, 0.6), Merge(0, 1, 0.1))
FIVE = Dendrogram(5, np.zeros(10), MERGES)


@pytest.mark.parametrize(
    ("merges", "expected"),
    [
        (0, [[0], [1], [2], [3], [4]]),
        (1, [[0], [1], [2], [3, 4]]),
        (2, [[0, 2], [1], [3, 4]]),
        (3, [[0, 2, 3, 4], [1]]),
        (4, [[0, 1, 2, 3, 4]]),
    ],
)
def test_clusters_after_the_first_merges(merges, expected):
    assert FIVE.clusters(merges) == expected


@pytest.mark.parametrize(
    ("threshold", "merges"), [(0, 4), (0.1, 4), (0.2, 3), (0.6, 3), (0.7, 1), (0.9, 1), (1, 0)]
)
def test_a_threshold_holds_the_merges_that_reach_it(threshold, merges):
    assert FIVE.kept_merges(threshold) == MERGES[:merges]
    assert FIVE.cut(threshold) == FIVE.clusters(merges)


@pytest.mark.parametrize(("size", "clusters"), [(0, []), (1, [[0]])])
def test_fewer_than_two_pages(size, clusters):
    tree = Dendrogram(size, np.zeros(0), ())
    assert tree.clusters(0) == tree.cut(0.5) == clusters
    assert list(tree.merged_pairs()) == []


def test_unions_tell_the_clusters_before_they_are_one():
    told = [tuple(map(sorted, parts)) for parts in FIVE.merged_pairs()]
    assert [set(map(tuple, parts)) for parts in told] == [
        {(3,), (4,)},
        {(0,), (2,)},
        {(0, 2), (3, 4)},
        {(0, 2, 3, 4), (1,)},
    ]
    assert all(len(larger) >= len(smaller) for larger, smaller in told)


def test_a_union_keeps_the_name_of_its_former_part():
    name_of = list(range(5))
    for former, latter in FIVE.merged_pairs():
        assert {name_of[row] for row in former} == {former[0]}
        assert {name_of[row] for row in latter} == {latter[0]}
        for row in latter:
            name_of[row] = former[0]


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


def test_a_row_for_each_set_a_column_for_each_document():
    found = membership_matrix([[2, 0], [], [1]], 4)
    assert found.dtype == np.int32
    assert found.toarray().tolist() == [[1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 0]]


def test_a_document_is_counted_once_in_a_set_and_may_be_in_several():
    assert membership_matrix([[1, 1], [1]], 2).toarray().tolist() == [[0, 1], [0, 1]]


def test_no_sets():
    assert membership_matrix([], 3).shape == (0, 3)


@pytest.mark.parametrize(("rows", "told"), [([3], "3"), ([0, -1], "-1")])
def test_a_document_that_is_not_there_is_told(rows, told):
    with pytest.raises(ValuesError, match=f"no document {told}") as caught:
        membership_matrix([rows], 3)
    assert "0 to 2" in caught.value.remedy
