"""Clusterings as arrays: the groups of each item, overlap allowed."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps.errors import KeyFileError
from weps_eval.stats.arrays import Flags, Floats, Ints

Groups: TypeAlias = Sequence[Collection[int]]
Membership: TypeAlias = Any
"""A scipy CSR array of shape (items, groups), int64, 1 where the item stands in the group."""


@dataclass(frozen=True, slots=True)
class Signatures:
    """The distinct (answer groups, key groups) of the items, and how many items have each.

    Items with one signature share the same groups with everybody else, so what would run over
    items runs over signatures instead.
    """

    groups: Membership
    """Shape (signatures, answer groups + key groups), columns in order within each row."""
    split: int
    """The number of answer groups; columns from here on are key groups."""
    weights: Floats
    """Shape (signatures,): the number of items."""

    @property
    def sizes(self) -> tuple[Ints, Ints]:
        """How many answer groups and how many key groups each signature has."""
        ends = self.groups.indptr
        in_answer = np.append(0, np.cumsum(self.groups.indices < self.split))
        return np.diff(in_answer[ends]), np.diff(ends - in_answer[ends])


def label_vector(labels: NDArray[Any]) -> Ints:
    """Check a clustering into disjoint groups: one integer per item, negative for no group."""
    vector = np.asarray(labels)
    if vector.ndim != 1 or not np.issubdtype(vector.dtype, np.integer):
        raise KeyFileError(
            f"labels of shape {vector.shape} and type {vector.dtype}",
            where="clustering",
            remedy="give one integer per item, or a sparse matrix of items by groups",
        )
    return vector.astype(np.int64, copy=False)


def as_membership(clusters: NDArray[Any] | Membership) -> Membership:
    """The CSR array of a clustering given as labels or as sparse matrix (items, groups).

    Equal labels are one group and a negative label means no group; in a matrix, what is not 0
    counts as 1.
    """
    if sparse.issparse(clusters):
        matrix = sparse.csr_array(clusters, copy=True)
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        return _binary(matrix.indices, matrix.indptr, matrix.shape)
    labels = label_vector(clusters)
    present = labels >= 0
    names, columns = np.unique(labels[present], return_inverse=True)
    return _binary(columns, np.append(0, np.cumsum(present)), (len(labels), len(names)))


def from_groups(answer: Groups, key: Groups) -> tuple[Membership, Membership]:
    """Both clusterings over the same rows: the items of either, in ascending order.

    Raises KeyFileError where a group names an item twice, which would count its pairs twice.
    """
    for group in chain(answer, key):
        if len(set(group)) < len(group):
            raise KeyFileError(
                "a group names an item twice", where="clustering", remedy="name each item once"
            )
    flat = np.concatenate([_flat(answer), _flat(key)])
    items, rows = np.unique(flat, return_inverse=True)
    in_answer = sum(map(len, answer))
    return (
        _over_rows(answer, rows[:in_answer], len(items)),
        _over_rows(key, rows[in_answer:], len(items)),
    )


def disjoint_labels(answer: Groups, key: Groups) -> tuple[Ints, Ints] | None:
    """The group of every item of the key in both clusterings, None where groups overlap.

    Labels make the common case, one name without overlap, tens of times as fast as matrices.
    """
    of_key, of_answer = _labels(key), _labels(answer)
    if not of_key or of_answer is None:
        return None
    in_answer = (of_answer.get(item, -1) for item in of_key)
    size = len(of_key)
    return np.fromiter(in_answer, np.int64, size), np.fromiter(of_key.values(), np.int64, size)


def _labels(groups: Groups) -> dict[int, int] | None:
    """Item → number of its group, None where an item stands in several."""
    labels = {item: number for number, group in enumerate(groups) for item in group}
    return labels if len(labels) == sum(map(len, groups)) else None


def item_signatures(answer: Membership, key: Membership) -> Signatures:
    """The distinct signatures of the items that the key holds.

    Raises KeyFileError where the two have different numbers of rows or the key holds no item.
    """
    in_key = np.diff(key.indptr) > 0
    check_items(answer.shape[0], in_key)
    groups = sparse.hstack([answer, key], format="csr")[in_key]
    groups.sort_indices()
    _, first, counts = np.unique(_set_ids(groups), return_index=True, return_counts=True)
    return Signatures(groups[first], answer.shape[1], counts.astype(np.float64))


def check_items(answer_items: int, in_key: Flags) -> None:
    """Raise KeyFileError unless the key, which holds these items, can score the answer."""
    if answer_items != len(in_key):
        raise KeyFileError(
            f"{answer_items} items in the answer, {len(in_key)} in the key",
            where="clustering",
            remedy="give both over the same items in the same order",
        )
    if not in_key.any():
        raise KeyFileError("no item in any group", where="key", remedy="leave this name out")


def _binary(columns: Ints, starts: Ints, shape: tuple[int, int]) -> Membership:
    return sparse.csr_array((np.ones(len(columns), dtype=np.int64), columns, starts), shape=shape)


def _flat(groups: Groups) -> Ints:
    return np.fromiter(chain.from_iterable(groups), dtype=np.int64, count=sum(map(len, groups)))


def _over_rows(groups: Groups, rows: Ints, items: int) -> Membership:
    starts = np.append(0, np.cumsum([len(group) for group in groups], dtype=np.int64))
    return _binary(rows, starts, (len(groups), items)).T.tocsr()


def _set_ids(groups: Membership) -> Ints:
    """One integer per row, equal for equal rows: a row is a path through a trie of columns."""
    starts, sizes = groups.indptr[:-1].astype(np.int64), np.diff(groups.indptr)
    ids = np.zeros(groups.shape[0], dtype=np.int64)
    rows, used, depth = np.flatnonzero(sizes), 1, 0
    while len(rows):
        steps = ids[rows] * groups.shape[1] + groups.indices[starts[rows] + depth]
        nodes, place = np.unique(steps, return_inverse=True)
        ids[rows] = used + place
        used, depth = used + len(nodes), depth + 1
        rows = rows[sizes[rows] > depth]
    return ids
