"""Extended B-Cubed precision and recall, for clusterings that may overlap.

Clusterings are arrays: the groups of each item, as labels or as a sparse matrix.

B-Cubed and the pair counts are sums over neighbours: for an item e, the sum over all items e'
(e' = e included) of a function of c, the number of answer groups that contain both, and k, the
number of key groups that do. Items in the same groups have the same sums, so what would run over
items runs over their distinct signatures. One sparse product of membership matrices gives c and k
of every pair of signatures that shares a group. Where groups do not overlap, the contingency table
is enough.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps.errors import KeyFileError
from weps_eval.stats.arrays import Flags, Floats, Ints
from weps_eval.stats.estimate import safe_divide

Groups: TypeAlias = Sequence[Collection[int]]
Membership: TypeAlias = Any
"""A scipy CSR array of shape (items, groups), int64, 1 where the item stands in the group."""


def _label_vector(labels: NDArray[Any]) -> Ints:
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
    labels = _label_vector(clusters)
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


def _check_items(answer_items: int, in_key: Flags) -> None:
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


_PAIRS = 1_000_000
"""Pairs of signatures that are held at a time."""
_WHOLE = 2520
"""The least common multiple of 1 to 10: times this, the shares of items in up to ten groups are
whole numbers, their sums exact, and a perfect answer scores 1 and not 0.9999999999999999."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """For one item of each signature, sums over all items that share a group with it, and itself.

    A signature is the answer groups and key groups of an item. With c answer groups and k key
    groups in common with the other item. Arrays of shape (signatures,).
    """

    items: Floats
    """Number of items with the signature."""
    correct: Floats
    """Σ min(c, k) / c: what the answer puts together and the key bears out."""
    found: Floats
    """Σ min(c, k) / k: what the key puts together and the answer has."""
    in_answer: Floats
    """Number of items that share an answer group with it."""
    in_key: Floats
    """Number of items that share a key group."""
    in_both: Floats
    """Number of items that share one of each."""

    @classmethod
    def of(cls, answer: Membership, key: Membership) -> Self:
        """Count the neighbours of the items that the key holds.

        Raises KeyFileError where the two have different numbers of rows or the key holds no item.
        """
        in_key = np.diff(key.indptr) > 0
        _check_items(answer.shape[0], in_key)
        every = sparse.hstack([answer, key], format="csr")[in_key]
        every.sort_indices()
        _, first, counts = np.unique(_set_ids(every), return_index=True, return_counts=True)
        groups, weights, split = every[first], counts.astype(np.float64), answer.shape[1]
        # One product gives both counts: key groups weigh more than all answer groups together.
        bits, scaled = split.bit_length(), groups.copy()
        scaled.data = np.where(groups.indices < split, 1, 1 << bits).astype(np.int64)
        sums, ends = np.zeros((5, len(weights))), np.cumsum(groups @ groups.sum(axis=0))
        blocks = np.flatnonzero(np.diff(ends // _PAIRS)) + 1
        for rows in np.split(np.arange(len(weights)), blocks):
            pairs = groups[rows] @ scaled.T
            c, k = pairs.data & ((1 << bits) - 1), pairs.data >> bits
            alike = _WHOLE * np.minimum(c, k)
            shares = alike / np.maximum(c, 1), alike / np.maximum(k, 1)
            for total, terms in zip(sums, (*shares, c > 0, k > 0, (c > 0) & (k > 0)), strict=True):
                pairs.data = terms.astype(np.float64)
                total[rows] = pairs @ weights
        correct, found, *neighbours = sums
        return cls(weights, correct / _WHOLE, found / _WHOLE, *neighbours)


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


class BCubed(NamedTuple):
    """Two means over the items of the key, each in [0, 1]."""

    precision: float
    recall: float


def bcubed(answer: NDArray[Any] | Membership, key: NDArray[Any] | Membership) -> BCubed:
    """Extended B-Cubed (Amigó, Gonzalo, Artiles and Verdejo 2009).

    With c answer groups and k key groups in common, precision(e) is the mean of min(c, k) / c over
    the items e' that share an answer group with e, and recall(e) the mean of min(c, k) / k over
    those that share a key group; e' = e is one of them. Both are averaged over the items that the
    key holds; other items count nowhere. An item in no answer group gets precision 1, recall 0.

    Each clustering is either a vector of labels, shape (items,), integer dtype, negative for an
    item in no group; or a sparse matrix of shape (items, groups), where what is not 0 counts as 1.
    Raises KeyFileError where the two do not fit each other or the key holds no item.
    """
    if sparse.issparse(answer) or sparse.issparse(key):
        return bcubed_of(Neighbours.of(as_membership(answer), as_membership(key)))
    # Groups do not overlap: every count is 0 or 1 and the contingency table is enough. Fresh memory
    # costs more than the arithmetic here, hence the care for copies and small types.
    answer, key = _label_vector(answer), _label_vector(key)
    belongs = key >= 0
    _check_items(len(answer), belongs)
    answer, key = (_compact(_only(labels, belongs)) for labels in (answer, key))
    items, in_key = len(key), np.bincount(key)
    placed = answer >= 0
    answer, key = _only(answer, placed), _only(key, placed)
    rows, columns, counts = _shared_cells(answer, key)
    others = counts * (counts - 1.0)
    correct = _sum_of_shares(answer, np.bincount(answer), rows, others) + items - len(answer)
    return BCubed(correct / items, _sum_of_shares(key, in_key, columns, others) / items)


def bcubed_of(neighbours: Neighbours) -> BCubed:
    """Extended B-Cubed from what is known of every item's neighbours, see ``bcubed``."""
    items, correct, in_answer = neighbours.items, neighbours.correct, neighbours.in_answer
    precision = safe_divide(correct, in_answer, 1)
    recall = neighbours.found / neighbours.in_key
    return BCubed(float(items @ precision / items.sum()), float(items @ recall / items.sum()))


def _only(labels: Ints, mask: Flags) -> Ints:
    return labels if mask.all() else labels[mask]


def _shared_cells(answer: Ints, key: Ints) -> tuple[Ints, Ints, Ints]:
    """The answer group, key group and number of items of every cell with more than one item."""
    bits = int(key.max(initial=0)).bit_length()  # shifting costs a tenth of dividing
    small = bits + int(answer.max(initial=0)).bit_length() <= 32
    cells = np.left_shift(answer, bits, dtype=np.uint32 if small else np.int64, casting="unsafe")
    cells |= key.astype(cells.dtype)
    cells.sort()
    repeats = np.pad(cells[1:] == cells[:-1], 1)  # a run of n repeats is a cell of n + 1 items
    first, last = np.flatnonzero(repeats[1:] != repeats[:-1]).reshape(-1, 2).T
    shared = cells[first].astype(np.int64)
    return shared >> bits, shared & ((1 << bits) - 1), last - first + 1


def _sum_of_shares(labels: Ints, sizes: Ints, cell_labels: Ints, others: Floats) -> float:
    """The sum over items of the share of their group that stands in their cell.

    Every item stands in its own cell; where others do too, ``others`` counts the ordered pairs.
    """
    selves = np.bincount(labels, minlength=len(sizes))
    met = np.bincount(cell_labels, weights=others, minlength=len(sizes))
    return float(((selves + met) / np.maximum(sizes, 1)).sum())


def _compact(labels: Ints) -> Ints:
    """Labels below a small multiple of their number: large ones are renumbered."""
    if labels.max() < 4 * len(labels):
        return labels
    names, places = np.unique(labels, return_inverse=True)
    return np.where(labels < 0, -1, places - np.count_nonzero(names < 0))
