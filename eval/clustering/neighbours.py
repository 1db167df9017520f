"""Sums over neighbours: the one kernel behind B-Cubed and the pair counts.

For an item e and a function f of two counts with f(0, 0) = 0, the sum over all items e' (e' = e
included) of f(c, l), where c is the number of answer groups that hold both and l the number of key
groups that do. Listing all pairs of 100,000 items is out of reach; there are two other ways:

- *Inclusion and exclusion*, for items in few groups. A function of counts is a sum over shared
  sets of groups, f(c, l) = Σ_t Σ_u C(c, t) C(l, u) g(t, u). The sum over e' is then a sum over the
  sets of groups that e stands in, each giving g of its size times the number of items that stand
  in all of the set. A set that no other signature has is dropped, and all its supersets with it.
- *Sparse products*, for the rest. One product of membership matrices gives c and l of every pair
  that shares a group.

Both are exact; which one runs is a matter of speed only.
"""

from collections.abc import Callable, Iterator, Sequence
from math import comb
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from eval.clustering.membership import Signatures

__all__ = ["PairFunction", "neighbour_sums", "together_in_answer", "together_in_key"]

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
PairFunction: TypeAlias = Callable[[Ints, Ints], NDArray[Any]]
"""Maps counts c and l (equal shapes) to values, elementwise, and (0, 0) to 0."""

FEW_GROUPS = 10  # g grows like 2 ** groups, and rounding errors with it
SET_BUDGET = 4_000_000  # sets of groups listed at most: bounds memory
PAIR_BUDGET = 1_000_000  # pairs held at a time by the sparse products: bounds memory


def together_in_answer(in_answer: Ints, _in_key: Ints) -> NDArray[Any]:
    """1 for a pair that shares an answer group."""
    return in_answer > 0


def together_in_key(_in_answer: Ints, in_key: Ints) -> NDArray[Any]:
    """1 for a pair that shares a key group."""
    return in_key > 0


def neighbour_sums(signatures: Signatures, functions: Sequence[PairFunction]) -> Floats:
    """Sums of each function for one item of each signature, shape (functions, signatures)."""
    sums = np.zeros((len(functions), len(signatures.weights)))
    few = _in_few_groups(signatures)
    _add_by_inclusion(sums, signatures, functions, np.flatnonzero(few))
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
    for size, row, in_answer, others in _shared_sets(signatures, rows):
        for target, table in zip(sums, tables, strict=True):
            terms = table[in_answer, size - in_answer] * others
            target[rows] += np.bincount(row, weights=terms, minlength=len(rows))


def _by_sets(function: PairFunction, depth: int) -> Floats:
    """The g with f(c, l) = Σ C(c, t) C(l, u) g(t, u), shape (depth + 1, depth + 1)."""
    sizes = range(depth + 1)
    invert = np.array([[(-1.0) ** (n - k) * comb(n, k) for k in sizes] for n in sizes])
    counts = np.indices(invert.shape)
    return np.asarray(invert @ function(counts[0], counts[1]) @ invert.T)


def _shared_sets(signatures: Signatures, rows: Ints) -> Iterator[tuple[int, Ints, Ints, Floats]]:
    """Every non-empty set of groups that an item of one row shares with other rows.

    Yields, for one size of sets after another: the size, and for each (row, set) the row's place
    in ``rows``, the number of answer groups in the set, and how many items of other rows have it.
    """
    groups, weights = signatures.groups[rows], signatures.weights[rows]
    row = np.repeat(np.arange(len(rows)), np.diff(groups.indptr))
    group = groups.indices.astype(np.int64)
    shared = _others(group, weights[row]) > 0
    row, group = row[shared], group[shared]
    end = np.searchsorted(row, np.arange(len(rows)), side="right")
    last, node, in_answer, size = np.arange(len(row)), group, (group < signatures.split) * 1, 1
    while len(node):
        others = _others(node, weights[row])
        shared = others > 0
        row, last, node, in_answer = row[shared], last[shared], node[shared], in_answer[shared]
        yield size, row, in_answer, others[shared]
        # Each set grows by one later group of its row, as a path through a trie does.
        room = end[row] - last - 1
        parent = np.repeat(np.arange(len(row)), room)
        last = np.arange(len(parent)) + np.repeat(last + 1 - (np.cumsum(room) - room), room)
        steps = node[parent] * groups.shape[1] + group[last]
        node = np.unique(steps, return_inverse=True)[1]
        row, in_answer = row[parent], in_answer[parent] + (group[last] < signatures.split)
        size += 1


def _others(node: Ints, weights: Floats) -> Floats:
    """For each occurrence of a node, the weight of its other occurrences."""
    return np.asarray(np.bincount(node, weights=weights)[node] - weights)


def _add_by_product(
    sums: Floats,
    signatures: Signatures,
    functions: Sequence[PairFunction],
    few: NDArray[np.bool_],
) -> None:
    """Add what the signatures in many groups contribute to all, and all to them."""
    weights = signatures.weights
    base = int(signatures.sizes[0].max(initial=0)) + 1
    for rows, pairs in _pair_blocks(signatures, np.flatnonzero(~few), base):
        in_key, in_answer = np.divmod(pairs.data, base)
        for target, function in zip(sums, functions, strict=True):
            values = function(in_answer, in_key).astype(np.float64)
            block = sparse.csr_array((values, pairs.indices, pairs.indptr), shape=pairs.shape)
            target[rows] += block @ weights
            target[few] += (weights[rows] @ block)[few]


def _pair_blocks(signatures: Signatures, rows: Ints, base: int) -> Iterator[tuple[Ints, Any]]:
    """Blocks of rows with their sparse counts c + base · l towards every signature."""
    groups = signatures.groups
    scaled = groups.copy()
    scaled.data = np.where(groups.indices < signatures.split, 1, base).astype(np.int64)
    pairs_of_row = groups[rows] @ groups.sum(axis=0)
    for block in np.split(
        rows, np.flatnonzero(np.diff(np.cumsum(pairs_of_row) // PAIR_BUDGET)) + 1
    ):
        if len(block):
            yield block, groups[block] @ scaled.T
