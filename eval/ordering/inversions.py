"""Inversions of a sequence, counted exactly without looking at every pair."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["inversions"]


def inversions(sequence: ArrayLike) -> int:
    """How many pairs stand in falling order: i < j and sequence[i] > sequence[j].

    O(n log n), as in Knight (1966), but distributing where he merges: the elements are ranked,
    and each bit of the ranks, from the highest, parts every block into its lower and its upper
    half. A lower element that an upper one precedes is an inversion, and no other bit counts it.

    Args:
        sequence: shape (n,), n < 2³¹, any numbers that are not NaN.
    """
    line = _padded(np.argsort(np.asarray(sequence), kind="stable"))
    found, half = 0, len(line) // 2
    while half:
        upper = (line & half) != 0
        places, others = np.flatnonzero(~upper), np.flatnonzero(upper)
        found += _overtaken(places, half)
        parts = (line[places].reshape(-1, half), line[others].reshape(-1, half))
        line = np.concatenate(parts, axis=1).ravel()
        half //= 2
    return found


def _padded(order: NDArray[np.int64]) -> NDArray[np.int32]:
    """The permutation lengthened to a power of two by elements that stay where they are.

    It may be the inverse of the ranks: a permutation and its inverse have equally many inversions.
    """
    line = np.arange(1 << len(order).bit_length(), dtype=np.int32)
    line[: len(order)] = order
    return line


def _overtaken(places: NDArray[np.int64], half: int) -> int:
    """How many upper elements precede lower ones of their block, given the places of the lower.

    Each block has ``half`` lower elements; the k-th at place p of its block has p - k upper ones
    before it.
    """
    blocks = len(places) // half
    return int((places & (2 * half - 1)).sum()) - blocks * (half * (half - 1) // 2)
