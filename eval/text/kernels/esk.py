"""The extended string subsequence kernel (Hirao, Okumura and Isozaki 2005, section 3.1).

A sequence of nodes is mapped to a vector with a component for every sequence of at most d
attributes, one attribute per node, nodes in order and gaps allowed. An occurrence weighs λ to the
power of the nodes that it skips between its first and its last, occurrences add up, and the kernel
of two sequences is the inner product of their vectors.

What equations 1 to 4 leave open is settled by the example of Table 1: a gap counts the skipped
nodes only, so that neighbours weigh λ⁰ = 1 (Lodhi et al. count the matched ones too); a node with
a word and a sense is still one node of a gap; and all lengths from 1 to d are added, unweighted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.text.kernels.incidence import Incidence
from eval.text.kernels.sequences import NodeSequence
from weps.errors import ValuesError

__all__ = ["Kernel", "esk", "kernel_values"]

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]

_CELLS = 1 << 15  # pairs times nodes held at a time: a few such arrays fit in the processor's cache


@dataclass(frozen=True, slots=True)
class Kernel:
    """The parameters of the kernel; the defaults are those the paper does best with in Table 4.

    Raises:
        ValuesError: if a parameter is out of its range.
    """

    length: int = 2
    """d: subsequences of 1 to that many nodes are compared."""
    decay: float = 0.5
    """λ in [0, 1]: what a skipped node costs. 0 allows no gaps, 1 lets them cost nothing."""

    def __post_init__(self) -> None:
        if self.length < 1:
            raise ValuesError(f"subsequences of {self.length} nodes", remedy="choose 1 or more")
        if not 0 <= self.decay <= 1:
            raise ValuesError(f"a decay of {self.decay}", remedy="choose one from 0 to 1")


def esk(first: NodeSequence, second: NodeSequence, kernel: Kernel) -> float:
    """ESK of two sequences, equation 1; 0 if they have no attribute in common."""
    both = Incidence.of((first, second))
    return float(kernel_values(both, np.array([0]), np.array([1]), kernel)[0])


def kernel_values(sequences: Incidence, first: Ints, second: Ints, kernel: Kernel) -> Floats:
    """ESK of many pairs, in O(d · n · m) for each, and memory for d · m numbers.

    Args:
        sequences: those compared.
        first: shape (pairs,), numbers of sequences.
        second: shape (pairs,), the sequences to compare them with.
        kernel: the parameters.

    Returns:
        Shape (pairs,); what a pair gets does not depend on the others.

    Raises:
        ValuesError: if there are too many subsequences to count in floating point.
    """
    values = np.zeros(len(first))
    for chosen, shorter, longer in _batches(sequences.lengths, first, second):
        shape = len(chosen), int(sequences.lengths[longer].max())
        values[chosen] = _inner_products(sequences.common(shorter, longer), shape, kernel)
    if not np.isfinite(values).all():
        raise ValuesError(
            f"subsequences of {kernel.length} nodes are too many to count",
            remedy="choose shorter ones or a smaller decay",
        )
    return values


def _batches(lengths: Ints, first: Ints, second: Ints) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Pairs of similar length: their places, the shorter sequences, the longer ones.

    Pairs with an empty sequence are left out.
    """
    swapped = lengths[first] > lengths[second]
    shorter, longer = np.where(swapped, (second, first), (first, second))
    order = np.lexsort((lengths[shorter], lengths[longer]))[::-1]
    order = order[lengths[shorter[order]] > 0]
    while len(order):
        size = max(1, _CELLS // int(lengths[longer[order[0]]]))
        chosen, order = order[:size], order[size:]
        yield chosen, shorter[chosen], longer[chosen]


def _inner_products(common: Iterable[Floats], shape: tuple[int, int], kernel: Kernel) -> Floats:
    """Equations 1 to 4, one node of the first sequences after the other.

    Args:
        common: for every node, val with the nodes of the second sequences.
        shape: of those arrays, (pairs, nodes).
        kernel: the parameters.

    Returns:
        Shape (pairs,).
    """
    total = np.zeros(shape)
    ends = np.empty((kernel.length, *shape))  # K of every length: what ends with these two nodes
    gaps = np.zeros((kernel.length - 1, *shape))  # K″ of every length but the last
    with np.errstate(over="ignore", invalid="ignore"):  # the caller looks for what is not finite
        for val in common:
            ends[0] = val
            np.multiply(_along(gaps, kernel.decay), val, out=ends[1:])
            gaps *= kernel.decay
            gaps += ends[:-1]
            total += ends.sum(axis=0)
        return np.cumsum(total, axis=1)[:, -1]  # one by one: padding changes no digit


def _along(gaps: Floats, decay: float) -> Floats:
    """Equation 3, K′ from K″, along the nodes of the second sequences."""
    from scipy.signal import lfilter  # noqa: PLC0415 - half a second, which nothing else needs

    filtered: Floats = lfilter([0.0, 1.0], [1.0, -decay], gaps)
    return filtered
