"""Sums over neighbours: the one kernel behind B-Cubed and the pair counts.

For an item e and a function f of two counts with f(0, 0) = 0, the sum over all items e' (e' = e
included) of f(c, k), where c is the number of answer groups that hold both and k the number of key
groups that do. Listing all pairs of 100,000 items is out of reach; there are two other ways:

- *Inclusion and exclusion*, for items in few groups. A function of counts is a sum over shared
  sets of groups, f(c, k) = Σ_t Σ_u C(c, t) C(k, u) g(t, u). The sum over e' is then a sum over the
  sets of groups that e stands in, each giving g of its size times the number of items that stand
  in all of the set. A set that no other signature has is dropped, and all its supersets with it.
- *Sparse products*, for the rest. One product of membership matrices gives c and k of every pair
  that shares a group.

Both are exact; which one runs is a matter of speed only.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import comb
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.clustering.membership import Signatures

__all__ = ["PairFunction", "neighbour_sums"]

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
PairFunction: TypeAlias = Callable[[Ints, Ints], NDArray[Any]]
"""Maps counts c and k (equal shapes) to values, elementwise, and (0, 0) to 0."""

FEW_GROUPS = 10  # an item has 2 ** groups sets of groups, and g grows likewise
SET_BUDGET = 8_000_000  # sets of groups listed at most: bounds memory
PAIR_BUDGET = 1_000_000  # pairs held at a time by the sparse products: bounds memory


def neighbour_sums(signatures: Signatures, functions: Sequence[PairFunction]) -> Floats:
    """Sums of each function for one item of each signature, shape (functions, signatures)."""
    sums = np.zeros((len(functions), len(signatures.weights)))
    few = _in_few_groups(signatures)
    _add_by_inclusion(sums, signatures, functions, np.flatnonzero(few))
    if not few.all():
        _add_by_product(sums, signatures, functions, few)
    return sums


def _in_few_groups(signatures: Signatures) -> NDArray[np.bool_]:
    sizes = np.diff(signatures.groups.indptr)
    order = np.argsort(sizes, kind="stable")
    sets = np.cumsum(2.0 ** np.minimum(sizes[order], FEW_GROUPS))
    few = np.empty(len(sizes), dtype=np.bool_)
    few[order] = (sets <= SET_BUDGET) & (sizes[order] <= FEW_GROUPS)
    return few


def _add_by_inclusion(
    sums: Floats, signatures: Signatures, functions: Sequence[PairFunction], rows: Ints
) -> None:
    """Add what the given signatures contribute to each other."""
    weights = signatures.weights[rows]
    own_answer, own_key = (size[rows] for size in signatures.sizes)
    depth = int((own_answer + own_key).max(initial=0))
    tables = [_by_sets(function, depth) for function in functions]
    for target, function in zip(sums, functions, strict=True):
        target[rows] += function(own_answer, own_key) * weights
    for size, sets, others in _shared_sets(signatures, rows):
        for target, table in zip(sums, tables, strict=True):
            factors = table[np.arange(size + 1), size - np.arange(size + 1)]
            terms = factors[sets.in_answer] * others
            target[rows] += np.bincount(sets.row, weights=terms, minlength=len(rows))


@cache
def _by_sets(function: PairFunction, depth: int) -> Floats:
    """The g with f(c, k) = Σ C(c, t) C(k, u) g(t, u), shape (depth + 1, depth + 1)."""
    sizes = range(depth + 1)
    invert = np.array([[(-1.0) ** (n - k) * comb(n, k) for k in sizes] for n in sizes])
    counts = np.indices(invert.shape)
    return np.asarray(invert @ function(counts[0], counts[1]) @ invert.T)


class _Sets(NamedTuple):
    """Sets of groups, all of one size: for each signature, those among its groups.

    A set is a path through a trie of groups in ascending order. Arrays of shape (sets,).
    """

    row: NDArray[np.int32]
    """Whose set it is."""
    last: NDArray[np.int32]
    """Where the set's last group stands in the list of all rows' groups."""
    node: Ints
    """The same for equal sets of different rows."""
    in_answer: NDArray[np.int8]
    """How many of the groups are the answer's."""

    def keep(self, mask: NDArray[np.bool_]) -> "_Sets":
        return _Sets(self.row[mask], self.last[mask], self.node[mask], self.in_answer[mask])


def _shared_sets(signatures: Signatures, rows: Ints) -> Iterator[tuple[int, _Sets, Floats]]:
    """Every non-empty set of groups that one of the rows shares with another of them.

    Yields, for one size of sets after another: the size, the sets, and for each set of a row the
    number of items of other rows that have it.
    """
    groups, weights = signatures.groups[rows], signatures.weights[rows]
    sets = _single_groups(groups, signatures.split)
    sets = sets.keep(_others(sets, weights) > 0)
    sets = sets._replace(last=np.arange(len(sets.row), dtype=np.int32))
    group, of_answer = sets.node, sets.in_answer
    end = np.searchsorted(sets.row, np.arange(len(rows)), side="right").astype(np.int32)
    size = 1
    while len(sets.row):
        others = _others(sets, weights)
        shared = others > 0
        sets = sets.keep(shared)
        yield size, sets, others[shared]
        parent, last = _extensions(sets.last + 1, end[sets.row])
        steps = sets.node[parent] * groups.shape[1] + group[last]
        node = np.unique(steps, return_inverse=True)[1]
        sets = _Sets(sets.row[parent], last, node, sets.in_answer[parent] + of_answer[last])
        size += 1


def _single_groups(groups: Any, split: int) -> _Sets:
    row = np.repeat(np.arange(groups.shape[0], dtype=np.int32), np.diff(groups.indptr))
    in_answer = (groups.indices < split).astype(np.int8)
    return _Sets(row, row, groups.indices.astype(np.int64), in_answer)


def _others(sets: _Sets, weights: Floats) -> Floats:
    """For each set of a row, the weight of the other rows that have it."""
    own = weights[sets.row]
    return np.asarray(np.bincount(sets.node, weights=own)[sets.node] - own)


def _extensions(
    start: NDArray[np.int32], end: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """All (i, j) with start[i] <= j < end[i], in order."""
    room = end - start
    first = np.arange(len(room), dtype=np.int32)
    parent = np.repeat(first, room)
    offset = (start - np.cumsum(room) + room).astype(np.int32)
    return parent, np.arange(len(parent), dtype=np.int32) + offset[parent]


def _add_by_product(
    sums: Floats,
    signatures: Signatures,
    functions: Sequence[PairFunction],
    few: NDArray[np.bool_],
) -> None:
    """Add what the signatures in many groups contribute to all, and all to them."""
    weights = signatures.weights
    for rows, pairs, in_answer, in_key in _pair_blocks(signatures, np.flatnonzero(~few)):
        for target, function in zip(sums, functions, strict=True):
            pairs.data = function(in_answer, in_key).astype(np.float64)
            target[rows] += pairs @ weights
            target[few] += (weights[rows] @ pairs)[few]


def _pair_blocks(signatures: Signatures, rows: Ints) -> Iterator[tuple[Ints, Any, Ints, Ints]]:
    """Blocks of the rows, their sparse pairs with every signature, and the counts c and k of each.

    One product gives both counts: key groups weigh more than all answer groups of a row together.
    """
    groups, bits = signatures.groups, int(signatures.sizes[0].max(initial=0)).bit_length()
    scaled = groups.copy()
    scaled.data = np.where(groups.indices < signatures.split, 1, 1 << bits).astype(np.int64)
    pairs_before = np.cumsum(groups[rows] @ groups.sum(axis=0))
    for block in np.split(rows, np.flatnonzero(np.diff(pairs_before // PAIR_BUDGET)) + 1):
        if len(block):
            pairs = groups[block] @ scaled.T
            yield block, pairs, pairs.data & ((1 << bits) - 1), pairs.data >> bits
