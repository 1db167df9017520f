"""The kernel normalised, a cosine in [0, 1] (Hirao, Okumura and Isozaki 2005, equation 5).

The paper says nothing of sequences without attributes, for which equation 5 is 0 / 0: two of them
are the same, 1, and one of them is like no other sequence, 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.text.kernels.esk import Kernel, kernel_values
from eval.text.kernels.incidence import Incidence
from eval.text.kernels.sequences import NodeSequence
from weps.errors import ValuesError

__all__ = ["paired_similarities", "similarities", "similarities_within"]

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]


def paired_similarities(
    first: Sequence[NodeSequence], second: Sequence[NodeSequence], kernel: Kernel
) -> Floats:
    """Sim_esk of each first sequence and the second in its place, shape (pairs,).

    Raises:
        ValuesError: if there are not as many of the one as of the other.
    """
    if len(first) != len(second):
        raise ValuesError(f"{len(first)} and {len(second)} sequences cannot be paired")
    sequences = _Distinct.of((*first, *second))
    numbers = sequences.numbers
    return sequences.similarities(numbers[: len(first)], numbers[len(first) :], kernel)


def similarities(
    first: Sequence[NodeSequence], second: Sequence[NodeSequence], kernel: Kernel
) -> Floats:
    """Sim_esk of every first and every second sequence, shape (first, second)."""
    sequences = _Distinct.of((*first, *second))
    rows, columns = np.split(sequences.numbers, [len(first)])
    row, column = (grid.ravel() for grid in np.meshgrid(rows, columns, indexing="ij"))
    return sequences.similarities(row, column, kernel).reshape(len(first), len(second))


def similarities_within(sequences: Sequence[NodeSequence], kernel: Kernel) -> Floats:
    """Sim_esk of all sequences with each other: symmetric, ones on the diagonal.

    Returns:
        Shape (sequences, sequences).
    """
    distinct = _Distinct.of(sequences)
    row, column = np.triu_indices(len(sequences), 1)
    matrix = np.eye(len(sequences))
    found = distinct.similarities(distinct.numbers[row], distinct.numbers[column], kernel)
    matrix[row, column] = matrix[column, row] = found
    return matrix


@dataclass(frozen=True, slots=True, eq=False)
class _Distinct:
    """Sequences of which many may be equal: each is compared once."""

    numbers: Ints
    """Shape (sequences,): which of the different ones each of them is."""
    incidence: Incidence
    """Of the different ones."""

    @classmethod
    def of(cls, sequences: Iterable[NodeSequence]) -> _Distinct:
        places: defaultdict[NodeSequence, int] = defaultdict(count().__next__)
        numbers = np.fromiter(map(places.__getitem__, sequences), np.int64)
        return cls(numbers, Incidence.of(list(places)))

    def similarities(self, first: Ints, second: Ints, kernel: Kernel) -> Floats:
        """Of pairs of different ones, shape (pairs,)."""
        size = len(self.incidence.lengths)
        low, high = np.minimum(first, second), np.maximum(first, second)
        pairs, places = np.unique(low * size + high, return_inverse=True)
        low, high = pairs // size, pairs % size
        compared = kernel_values(self.incidence, low, high, kernel)
        every = np.arange(size)
        own = kernel_values(self.incidence, every, every, kernel)
        return _cosine(compared, own[low], own[high])[places]


def _cosine(compared: Floats, first: Floats, second: Floats) -> Floats:
    """Equation 5, without the product of two large numbers; of one sequence with itself, 1.

    A sequence shares at least one attribute with itself or has none, so that ``first`` and
    ``second`` are at least 1 or 0.
    """
    of_first = compared / np.maximum(first, 1.0)
    of_second = compared / np.maximum(second, 1.0)
    cosine: Floats = np.minimum(np.sqrt(of_first * of_second), 1.0)
    return np.where((first == 0) & (second == 0), 1.0, cosine)
