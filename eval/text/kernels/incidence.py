"""Which node has which attribute; the attributes that nodes of many pairs have in common."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from eval.text.kernels.sequences import Node, NodeSequence

__all__ = ["Incidence"]

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]


class _Entries(NamedTuple):
    """Shape (entries,) each: a sequence of a batch, a place in it, an attribute found there."""

    sequence: Ints
    place: Ints
    attribute: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Incidence:
    """The nodes of many sequences, one sequence after the other, with numbered attributes."""

    lengths: Ints
    """Shape (sequences,): the nodes of each."""
    attributes: Any
    """Sparse CSR matrix of shape (nodes, attributes), 1.0 where a node has an attribute."""

    @classmethod
    def of(cls, sequences: Sequence[NodeSequence]) -> Incidence:
        """The nodes of these sequences; the same attributes get the same numbers throughout."""
        lengths = np.array([len(sequence) for sequence in sequences], dtype=np.int64)
        kinds: defaultdict[Node, int] = defaultdict(count().__next__)
        nodes = np.fromiter(map(kinds.__getitem__, chain.from_iterable(sequences)), np.int64)
        return cls(lengths, _attributes(list(kinds))[nodes])

    def common(self, first: Ints, second: Ints) -> Iterator[Floats]:
        """val(t, u) of the paper: how many attributes two nodes have in common.

        Args:
            first: shape (pairs,), at least one, numbers of sequences.
            second: shape (pairs,), the sequences to compare them with.

        Yields:
            For every place of the longest first sequence, shape (pairs, places of the longest
            second sequence); 0 where a sequence has ended. Each array overwrites the one before.
        """
        pairs = len(first)
        rows, columns = (int(self.lengths[side].max()) for side in (first, second))
        of_first, of_second = self._entries(first), self._entries(second)
        keys, width = self._keys(of_first, of_second)
        in_first, in_second = np.split(keys, [len(of_first.place)])
        left = _ones(of_first.place * pairs + of_first.sequence, in_first, (rows * pairs, width))
        cells = of_second.sequence * columns + of_second.place
        right = _ones(in_second, cells, (width, pairs * columns))
        found = np.zeros(pairs * columns)
        for row in range(rows):
            block = left[row * pairs : (row + 1) * pairs] @ right
            found.fill(0.0)
            found[block.indices] = block.data
            yield found.reshape(pairs, columns)

    def _entries(self, batch: Ints) -> _Entries:
        """Every attribute of every node of a batch of sequences."""
        lengths = self.lengths[batch]
        sequence = np.repeat(np.arange(len(batch)), lengths)
        place = np.arange(len(sequence)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        starts = (np.cumsum(self.lengths) - self.lengths)[batch]
        held = self.attributes[starts[sequence] + place]
        sizes = np.diff(held.indptr)
        return _Entries(np.repeat(sequence, sizes), np.repeat(place, sizes), held.indices)

    def _keys(self, *sides: _Entries) -> tuple[Ints, int]:
        """A number for each attribute of each pair, over all sides, and how many there are."""
        width = self.attributes.shape[1]
        pair_attributes = np.concatenate([side.sequence * width + side.attribute for side in sides])
        order = pair_attributes.argsort(kind="stable")  # quick, for they stand in order of pairs
        new = np.diff(pair_attributes[order], prepend=-1) > 0
        keys = np.empty_like(order)
        keys[order] = np.cumsum(new) - 1
        return keys, int(new.sum())


def _attributes(nodes: Sequence[Node]) -> Any:
    """Sparse CSR matrix of shape (nodes, attributes)."""
    numbers: defaultdict[Hashable, int] = defaultdict(count().__next__)
    columns = np.fromiter(map(numbers.__getitem__, chain.from_iterable(nodes)), np.int64)
    rows = np.repeat(np.arange(len(nodes)), [len(node) for node in nodes])
    return _ones(rows, columns, (len(nodes), len(numbers)))


def _ones(rows: Ints, columns: Ints, shape: tuple[int, int]) -> Any:
    return sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=shape)
