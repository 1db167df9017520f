"""Linkage: the probability that two clusters are one person, from the pairs between them.

Two pages are in one single-link cluster at a threshold exactly when a path of pairs at or above
the threshold joins them: one wrong pair joins two people. Average linkage weighs all pairs between
two clusters equally (Sokal and Michener 1958, UPGMA), complete linkage takes the least probable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from weps.clustering.agglomeration import (
    CANNOT_LINK,
    MUST_LINK,
    ClusterMerge,
    Constraints,
    agglomerate_constrained,
    average_update,
    complete_update,
    single_update,
)
from weps.clustering.dendrogram import Dendrogram, Merge, pairs_between

__all__ = ["LINKAGES", "Linkage", "average_linkage", "complete_linkage", "single_linkage"]

Vector = NDArray[np.float64]


class Linkage(Protocol):
    """Computes a dendrogram from pair probabilities, in O(size²) time and memory."""

    def __call__(
        self,
        probability: Vector,
        size: int,
        preference: Vector | None = None,
        constraints: Constraints | None = None,
    ) -> Dendrogram:
        """The dendrogram.

        Args:
            probability: shape (size(size-1)/2,), condensed, see :mod:`weps.similarity`.
            size: number of pages.
            preference: same shape; among equally probable pairs the one preferred explains a
                merge. It affects which pair is shown, never the probability of a merge.
            constraints: must-link and cannot-link pairs, see :mod:`weps.clustering.agglomeration`.
        """
        ...


def single_linkage(
    probability: Vector,
    size: int,
    preference: Vector | None = None,
    constraints: Constraints | None = None,
) -> Dendrogram:
    """Single linkage: the most probable pair between two clusters (EMNLP 2009, section 4.3.1).

    See :class:`Linkage`. Of equally probable merges the one preferred comes first.
    """
    place = _pair_order(probability, preference)
    probability_at = np.sort(probability)
    joins = agglomerate_constrained(constraints, place, size, single_update)
    with_probabilities = [
        join
        if _is_constrained(join)
        else replace(join, nearness=float(probability_at[int(join.nearness)]))
        for join in joins
    ]
    return _build_dendrogram(with_probabilities, probability, size, preference, constraints)


def average_linkage(
    probability: Vector,
    size: int,
    preference: Vector | None = None,
    constraints: Constraints | None = None,
) -> Dendrogram:
    """Average linkage: the mean over all pairs between two clusters; see :class:`Linkage`.

    Which of equally probable merges comes first depends on the order of the rows alone.
    """
    joins = agglomerate_constrained(constraints, probability, size, average_update)
    return _build_dendrogram(joins, probability, size, preference, constraints)


def complete_linkage(
    probability: Vector,
    size: int,
    preference: Vector | None = None,
    constraints: Constraints | None = None,
) -> Dendrogram:
    """Complete linkage: the least probable pair between two clusters; see :class:`Linkage`.

    Which of equally probable merges comes first depends on the order of the rows alone.
    """
    joins = agglomerate_constrained(constraints, probability, size, complete_update)
    return _build_dendrogram(joins, probability, size, preference, constraints)


LINKAGES: dict[str, Linkage] = {
    "single": single_linkage,
    "average": average_linkage,
    "complete": complete_linkage,
}
"""Name → linkage."""


def _pair_order(*keys: NDArray[Any] | None) -> NDArray[np.int64]:
    """Shape (pairs,): the position of each pair in ascending order of the keys.

    Args:
        keys: each of shape (pairs,), the primary key first; None is ignored.
    """
    weightiest_last = [each for each in reversed(keys) if each is not None]
    pairs = len(weightiest_last[-1])
    # Descending from the end, so that among complete ties the earlier pair wins.
    ascending = np.lexsort((-np.arange(pairs), *weightiest_last))
    place = np.empty(pairs, dtype=np.int64)
    place[ascending] = np.arange(pairs)
    return place


def _build_dendrogram(
    cluster_merges: Sequence[ClusterMerge],
    probability: Vector,
    size: int,
    preference: Vector | None,
    constraints: Constraints | None,
) -> Dendrogram:
    """The dendrogram of merges whose proximity is their probability, where not constrained."""
    if constraints is None:
        merges = _explain_merges(cluster_merges, _pair_order(probability, preference), size)
        return Dendrogram(size, probability, merges)
    # The pair that forbids a merge explains why it is not kept; no allowed merge has such a pair.
    place = _pair_order(constraints.cannot_link, probability, preference)
    levels = [replace(join, nearness=min(max(join.nearness, 0.0), 1.0)) for join in cluster_merges]
    most = sum(join.nearness != CANNOT_LINK for join in cluster_merges)
    merges = _explain_merges(levels, place, size)
    return Dendrogram(
        size, constraints.apply(probability), merges, constraints.required_merges, most
    )


def _is_constrained(merge: ClusterMerge) -> bool:
    """Whether a constraint determines the proximity of the two clusters."""
    return merge.nearness in (MUST_LINK, CANNOT_LINK)


def _explain_merges(
    cluster_merges: Sequence[ClusterMerge], place: NDArray[np.int64], size: int
) -> tuple[Merge, ...]:
    """The merges, each explained by the last pair in order between its two clusters."""
    rows = [np.array([row]) for row in range(size)]
    merges = []
    for join in cluster_merges:
        ours, theirs = rows[join.first], rows[join.second]
        shown = int(place[pairs_between(ours, theirs, size)].argmax())
        pair = int(ours[shown // len(theirs)]), int(theirs[shown % len(theirs)])
        merges.append(Merge(min(pair), max(pair), join.nearness))
        rows[join.first] = np.concatenate((ours, theirs))
    return tuple(merges)
