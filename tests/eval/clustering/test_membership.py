"""Clusterings as arrays, and the distinct signatures of their items."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from eval.clustering.membership import as_membership, from_groups, item_signatures

GROUPS = st.lists(st.sets(st.integers(0, 9), min_size=1), max_size=5)


def test_labels_become_columns_and_negative_ones_empty_rows():
    assert as_membership(np.array([7, -1, 3, 7])).toarray().tolist() == [
        [0, 1],
        [0, 0],
        [1, 0],
        [0, 1],
    ]


def test_groups_get_a_row_for_every_item_of_either():
    answer, key = from_groups([{5, 2}], [{2}, {9, 2}])
    assert answer.toarray().tolist() == [[1], [1], [0]]
    assert key.toarray().tolist() == [[1, 1], [0, 0], [0, 1]]


def test_no_groups_at_all_are_matrices_without_columns():
    answer, key = from_groups([], [{4}])
    assert (answer.shape, key.shape) == ((1, 0), (1, 1))


@given(GROUPS, GROUPS.filter(bool))
def test_signatures_are_the_distinct_rows_of_the_items_in_the_key(answer, key):
    rows = {
        item: (
            frozenset(at for at, group in enumerate(answer) if item in group),
            frozenset(at for at, group in enumerate(key) if item in group),
        )
        for item in set().union(*key)
    }
    distinct = item_signatures(*from_groups(answer, key))
    found = {}
    for row, weight in zip(distinct.groups.toarray(), distinct.weights, strict=True):
        both = np.flatnonzero(row[: distinct.split]), np.flatnonzero(row[distinct.split :])
        found[tuple(frozenset(part.tolist()) for part in both)] = weight
    assert found == {row: list(rows.values()).count(row) for row in rows.values()}
    assert len(found) == len(distinct.weights)
    assert list(zip(*distinct.sizes, strict=True)) == [
        (row[: distinct.split].sum(), row[distinct.split :].sum())
        for row in distinct.groups.toarray()
    ]


@pytest.mark.parametrize("columns", [1, 60])
def test_rows_are_told_apart_by_all_their_groups(columns):
    rows = np.tri(columns + 1, columns, -1, dtype=np.int64)[1:]
    key = as_membership(np.zeros(columns, dtype=int))
    assert len(item_signatures(as_membership(sparse.csr_array(rows)), key).weights) == columns
