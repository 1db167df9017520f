"""Links: how probable it is that two clusters are one person, from the pairs between them.

Two pages are in one single-link cluster at a threshold exactly when a path of pairs at or above
the threshold joins them: one wrong pair joins two people. Average link weighs all pairs between
two clusters (Sokal and Michener 1958, UPGMA), complete link believes the least probable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from weps.clustering.agglomeration import (
    DEMANDED,
    FORBIDDEN,
    Join,
    Ruling,
    agglomerate_under,
    maximum,
    mean,
    minimum,
)
from weps.clustering.dendrogram import Dendrogram, Merge, pairs_between

__all__ = ["LINKS", "Link", "average_link", "complete_link", "single_link"]

Vector = NDArray[np.float64]


class Link(Protocol):
    """Makes a dendrogram of pair probabilities, in O(size²) time and memory."""

    def __call__(
        self,
        probability: Vector,
        size: int,
        preference: Vector | None = None,
        ruling: Ruling | None = None,
    ) -> Dendrogram:
        """The dendrogram.

        Args:
            probability: shape (size(size-1)/2,), condensed, see :mod:`weps.similarity`.
            size: number of pages.
            preference: same shape; among equally probable pairs the one preferred stands for a
                merge. It changes which pair is shown, never how probable a merge is.
            ruling: what is settled about the pages, see :mod:`weps.clustering.agglomeration`.
        """
        ...


def single_link(
    probability: Vector,
    size: int,
    preference: Vector | None = None,
    ruling: Ruling | None = None,
) -> Dendrogram:
    """The most probable pair between two clusters counts (EMNLP 2009, section 4.3.1).

    See :class:`Link`. Of equally probable merges the one preferred comes first.
    """
    place = _places(probability, preference)
    probability_at = np.sort(probability)
    joins = agglomerate_under(ruling, place, size, maximum)
    told = [
        join
        if _settled(join)
        else replace(join, nearness=float(probability_at[int(join.nearness)]))
        for join in joins
    ]
    return _dendrogram(told, probability, size, preference, ruling)


def average_link(
    probability: Vector,
    size: int,
    preference: Vector | None = None,
    ruling: Ruling | None = None,
) -> Dendrogram:
    """The mean over all pairs between two clusters counts; see :class:`Link`.

    Which of equally probable merges comes first depends on the order of the rows alone.
    """
    joins = agglomerate_under(ruling, probability, size, mean)
    return _dendrogram(joins, probability, size, preference, ruling)


def complete_link(
    probability: Vector,
    size: int,
    preference: Vector | None = None,
    ruling: Ruling | None = None,
) -> Dendrogram:
    """The least probable pair between two clusters counts; see :class:`Link`.

    Which of equally probable merges comes first depends on the order of the rows alone.
    """
    joins = agglomerate_under(ruling, probability, size, minimum)
    return _dendrogram(joins, probability, size, preference, ruling)


LINKS: dict[str, Link] = {
    "single": single_link,
    "average": average_link,
    "complete": complete_link,
}
"""Name of a link → the link."""


def _places(*keys: NDArray[Any] | None) -> NDArray[np.int64]:
    """Shape (pairs,): where each pair comes among all, the one that shows best last.

    Args:
        keys: each of shape (pairs,), what counts most first; None counts nothing.
    """
    weightiest_last = [each for each in reversed(keys) if each is not None]
    pairs = len(weightiest_last[-1])
    # Descending from the end, so that among complete ties the earlier pair wins.
    ascending = np.lexsort((-np.arange(pairs), *weightiest_last))
    place = np.empty(pairs, dtype=np.int64)
    place[ascending] = np.arange(pairs)
    return place


def _dendrogram(
    joins: Sequence[Join],
    probability: Vector,
    size: int,
    preference: Vector | None,
    ruling: Ruling | None,
) -> Dendrogram:
    """The dendrogram of joins whose nearness is the probability of the merge, where not settled."""
    if ruling is None:
        merges = _merges(joins, _places(probability, preference), size)
        return Dendrogram(size, probability, merges)
    # What forbids a merge shows why it is not held; no merge that is allowed has such a pair.
    place = _places(ruling.different, probability, preference)
    levels = [replace(join, nearness=min(max(join.nearness, 0.0), 1.0)) for join in joins]
    most = sum(join.nearness != FORBIDDEN for join in joins)
    merges = _merges(levels, place, size)
    return Dendrogram(size, ruling.on(probability), merges, ruling.least, most)


def _settled(join: Join) -> bool:
    """Whether it is the ruling that says how near the two clusters are."""
    return join.nearness in (DEMANDED, FORBIDDEN)


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
