"""Links: how probable it is that two clusters are one person, from the pairs between them.

Two pages are in one single-link cluster at a threshold exactly when a path of pairs at or above
the threshold joins them: one wrong pair joins two people. Average link weighs all pairs between
two clusters (Sokal and Michener 1958, UPGMA), complete link believes the least probable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from weps.clustering.chains import Join, agglomerate, maximum, mean, minimum
from weps.clustering.dendrogram import Dendrogram, Merge, pairs_between

__all__ = ["LINKS", "Link", "average_link", "complete_link", "single_link"]

Vector = NDArray[np.float64]


class Link(Protocol):
    """Makes a dendrogram of pair probabilities, in O(size²) time and memory."""

    def __call__(
        self, probability: Vector, size: int, preference: Vector | None = None
    ) -> Dendrogram:
        """The dendrogram.

        Args:
            probability: shape (size(size-1)/2,), condensed, see :mod:`weps.similarity`.
            size: number of pages.
            preference: same shape; among equally probable pairs the one preferred stands for a
                merge. It changes which pair is shown, never how probable a merge is.
        """
        ...


def single_link(probability: Vector, size: int, preference: Vector | None = None) -> Dendrogram:
    """The most probable pair between two clusters counts (EMNLP 2009, section 4.3.1).

    See :class:`Link`. Of equally probable merges the one preferred comes first.
    """
    place = _places(probability, preference)
    probability_at = np.sort(probability)
    joins = agglomerate(_square(place, size), maximum)
    told = [replace(join, nearness=float(probability_at[int(join.nearness)])) for join in joins]
    return Dendrogram(size, probability, _merges(told, place, size))


def average_link(probability: Vector, size: int, preference: Vector | None = None) -> Dendrogram:
    """The mean over all pairs between two clusters counts; see :class:`Link`.

    Which of equally probable merges comes first depends on the order of the rows alone.
    """
    joins = agglomerate(_square(probability, size), mean)
    return Dendrogram(size, probability, _merges(joins, _places(probability, preference), size))


def complete_link(probability: Vector, size: int, preference: Vector | None = None) -> Dendrogram:
    """The least probable pair between two clusters counts; see :class:`Link`.

    Which of equally probable merges comes first depends on the order of the rows alone.
    """
    joins = agglomerate(_square(probability, size), minimum)
    return Dendrogram(size, probability, _merges(joins, _places(probability, preference), size))


LINKS: dict[str, Link] = {
    "single": single_link,
    "average": average_link,
    "complete": complete_link,
}
"""Name of a link → the link."""


def _places(probability: Vector, preference: Vector | None) -> NDArray[np.int64]:
    """Shape (pairs,): where each pair comes among all, the one that shows best last."""
    keys = (probability,) if preference is None else (preference, probability)
    # Descending from the end, so that among complete ties the earlier pair wins.
    ascending = np.lexsort((-np.arange(len(probability)), *keys))
    place = np.empty(len(probability), dtype=np.int64)
    place[ascending] = np.arange(len(probability))
    return place


def _square(vector: NDArray[np.float64 | np.int64], size: int) -> NDArray[np.float64]:
    """Shape (size, size): the symmetric matrix of a condensed vector, -inf on the diagonal."""
    square = np.full((size, size), -np.inf)
    upper = np.triu_indices(size, k=1)
    square[upper] = vector
    square.T[upper] = vector
    return square


def _merges(joins: Sequence[Join], place: NDArray[np.int64], size: int) -> tuple[Merge, ...]:
    """The joins as merges, each with the pair between the two clusters that comes last."""
    rows = [np.array([row]) for row in range(size)]
    merges = []
    for join in joins:
        ours, theirs = rows[join.first], rows[join.second]
        shown = int(place[pairs_between(ours, theirs, size)].argmax())
        pair = int(ours[shown // len(theirs)]), int(theirs[shown % len(theirs)])
        merges.append(Merge(min(pair), max(pair), join.nearness))
        rows[join.first] = np.concatenate((ours, theirs))
    return tuple(merges)
