"""What stands for a word, an n-gram or a text, and how alike two of them are.

Weighted overlap is equation 3.2 of the paper. Words that WordNet does not have are dimensions of
their own, placed before all others (section 3.2). In which order, the paper leaves open: here those
that both signatures have come first, so that no arbitrary order costs or gains anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.text.wordnet.ranks import Vector

__all__ = ["Signature", "normalised", "weighted_overlap", "weighted_overlaps"]

_NOTHING = Vector(np.empty(0, np.int32), np.empty(0, np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class Signature:
    """A vector over synsets, and the words out of vocabulary."""

    vector: Vector = _NOTHING
    unknown: frozenset[str] = frozenset()


def weighted_overlap(first: Signature, second: Signature) -> float:
    """Equation 3.2, in [0, 1]: 1 for the same ranks, 0 if nothing is shared or one is empty."""
    return float(weighted_overlaps(first, [second])[0])


def weighted_overlaps(one: Signature, others: Sequence[Signature]) -> NDArray[np.float64]:
    """Equation 3.2 between one signature and each of some others.

    Returns:
        Shape (others,), in [0, 1].
    """
    unknown = np.array([len(one.unknown & other.unknown) for other in others], dtype=np.intp)
    owners, sums = _rank_sums(one, others)
    gained = np.bincount(owners, 1 / sums, minlength=len(others))
    found = np.bincount(owners, minlength=len(others)) + unknown
    return normalised(gained + _ideals(unknown), found)


def normalised(gained: ArrayLike, shared: NDArray[np.intp]) -> NDArray[np.float64]:
    """The fraction of equation 3.2.

    Args:
        gained: the numerators.
        shared: the numbers of shared dimensions, of the same shape.
    """
    ideals = _ideals(shared)
    fractions = np.divide(gained, ideals, out=np.zeros(ideals.shape), where=shared > 0)
    return np.minimum(fractions, 1.0)  # rounding alone can lead beyond


def _rank_sums(
    one: Signature, others: Sequence[Signature]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """For every synset shared with one of the others: which of them, and the two ranks added."""
    lengths = [len(other.vector.synsets) for other in others]
    synsets = np.concatenate([_NOTHING.synsets, *(other.vector.synsets for other in others)])
    ours = one.vector.synsets
    ranks = np.zeros(1 + max(ours.max(initial=0), synsets.max(initial=0)), dtype=np.int32)
    ranks[ours] = np.arange(1, len(ours) + 1) + len(one.unknown)
    found = ranks[synsets]
    places = np.flatnonzero(found)
    starts = np.cumsum([0, *lengths])
    owners = np.searchsorted(starts, places, side="right") - 1
    before = np.array([len(other.unknown) for other in others], dtype=np.intp) - starts[:-1]
    return owners, found[places] + places + 1 + before[owners]


def _ideals(counts: NDArray[np.intp]) -> NDArray[np.float64]:
    """The denominators of equation 3.2 for numbers of shared dimensions."""
    return _table(int(counts.max(initial=0)).bit_length())[counts]


@cache
def _table(bits: int) -> NDArray[np.float64]:
    return np.concatenate([[0.0], np.cumsum(1 / (2 * np.arange(1, 1 << bits)))])
