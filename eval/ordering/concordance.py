"""Do two measures rank pairs of instances the same way? Redundancy, counted exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.ordering.inversions import inversions
from eval.ordering.ranks import dense_ranks, joint_ranks

__all__ = ["Redundancy", "redundancy"]


@dataclass(frozen=True, slots=True)
class Redundancy:
    """What another measure says of the pairs of instances that a base measure ranks.

    The three shares are of the pairs that the base ranks, and nan if it ranks none.
    """

    same: int
    """Pairs that both rank, the same way."""
    opposite: int
    """Pairs that both rank, in opposite ways."""
    tied: int
    """Pairs that the base ranks and the other measure ties."""
    pairs: int
    """All pairs of instances, n(n-1)/2, ranked by the base or not."""

    @property
    def redundant(self) -> float:
        """Share that the other measure ranks the same way."""
        return _share(self.same, self._ranked)

    @property
    def non_redundant(self) -> float:
        """Share that the other measure ranks the opposite way."""
        return _share(self.opposite, self._ranked)

    @property
    def non_informative(self) -> float:
        """Share that the other measure ties."""
        return _share(self.tied, self._ranked)

    @property
    def ranked(self) -> float:
        """Share of all pairs that the base ranks; nan for a single instance."""
        return _share(self._ranked, self.pairs)

    @property
    def _ranked(self) -> int:
        return self.same + self.opposite + self.tied


def redundancy(base: ArrayLike, other: ArrayLike) -> Redundancy:
    """How far another measure repeats a base measure (EMNLP 2009, section 4.2.2).

    Every pair of instances that the base ranks (its two values differ) is redundant, non-redundant
    or non-informative. All pairs are counted, none sampled, in O(n log n) by way of Kendall's tau
    (Knight 1966): in the order of the base, the pairs ranked the opposite way are inversions.

    Args:
        base: shape (instances,), the values of the base measure, in the paper those of tokens.
        other: shape (instances,), the values of the other measure; both may be infinite.

    Raises:
        ValuesError: if values are missing, NaN, no numbers, or not equally many.
    """
    first, second = dense_ranks(base, "base"), dense_ranks(other, "other")
    joint = joint_ranks(first, second)
    opposite = inversions(second[np.argsort(joint)])  # what the base ties is in rising order
    pairs = math.comb(len(joint), 2)
    ranked = pairs - _ties(np.bincount(first))
    tied = _ties(np.bincount(second)) - _ties(np.unique_counts(joint).counts)
    return Redundancy(ranked - opposite - tied, opposite, tied, pairs)


def _ties(counts: NDArray[np.int64]) -> int:
    """How many pairs have equal values, given how often each value occurs."""
    return int((counts * (counts - 1) // 2).sum())


def _share(count: int, total: int) -> float:
    return count / total if total else math.nan
