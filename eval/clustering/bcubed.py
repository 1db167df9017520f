"""Extended B-Cubed precision and recall, for clusterings that may overlap."""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from eval.clustering.membership import (
    Membership,
    label_vector,
    membership,
    require_items,
    signatures,
)
from eval.clustering.neighbours import Neighbours

__all__ = ["BCubed", "bcubed", "bcubed_of"]

Ints: TypeAlias = NDArray[np.int64]


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
        return bcubed_of(Neighbours.of(signatures(membership(answer), membership(key))))
    return _of_labels(label_vector(answer), label_vector(key))


def bcubed_of(neighbours: Neighbours) -> BCubed:
    """Extended B-Cubed from what is known of every item's neighbours, see ``bcubed``."""
    items, correct, in_answer = neighbours.items, neighbours.correct, neighbours.in_answer
    precision = np.divide(correct, in_answer, out=np.ones_like(correct), where=in_answer > 0)
    recall = neighbours.found / neighbours.in_key
    return BCubed(float(items @ precision / items.sum()), float(items @ recall / items.sum()))


def _of_labels(answer: Ints, key: Ints) -> BCubed:
    """Groups do not overlap: every count is 0 or 1 and the contingency table says it all.

    Fresh memory costs more than the arithmetic here, hence the care for copies and small types.
    """
    held = key >= 0
    require_items(len(answer), held)
    answer, key = (_compact(_only(labels, held)) for labels in (answer, key))
    items, in_key = len(key), np.bincount(key)
    placed = answer >= 0
    answer, key = _only(answer, placed), _only(key, placed)
    rows, columns, counts = _shared_cells(answer, key)
    others = counts * (counts - 1.0)
    correct = _sum_of_shares(answer, np.bincount(answer), rows, others) + items - len(answer)
    return BCubed(correct / items, _sum_of_shares(key, in_key, columns, others) / items)


def _only(labels: Ints, mask: NDArray[np.bool_]) -> Ints:
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


def _sum_of_shares(
    labels: Ints, sizes: Ints, cell_labels: Ints, others: NDArray[np.float64]
) -> float:
    """The sum over items of the share of their group that stands in their cell.

    Every item stands in its own cell; where others do too, ``others`` counts the ordered pairs.
    """
    selves = np.bincount(labels, minlength=len(sizes))
    met = np.bincount(cell_labels, weights=others, minlength=len(sizes))
    return float(((selves + met) / np.maximum(sizes, 1)).sum())


def _compact(labels: Ints) -> Ints:
    """Labels below a small multiple of their number: large ones are numbered anew."""
    if labels.max() < 4 * len(labels):
        return labels
    names, places = np.unique(labels, return_inverse=True)
    return np.where(labels < 0, -1, places - np.count_nonzero(names < 0))
