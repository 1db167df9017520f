"""Linkage: the probability that two clusters are one person, from the pairs between them.

Single linkage takes the most probable pair: two pages are in one cluster at a threshold exactly
when a path of pairs at or above the threshold joins them, so one wrong pair joins two people.
Average linkage weighs all pairs between two clusters equally (Sokal and Michener 1958, UPGMA),
complete linkage takes the least probable.

Clusters merge by nearest-neighbour chains. A chain goes from any cluster to its nearest, from there
to the nearest of that one, and so on: proximity only grows, so the chain ends in two clusters that
are each other's nearest. Under a linkage that never moves a merged cluster nearer to a third one
than its parts were, these two merge eventually whatever else does, and the chain before them
remains valid. Merging them at once and sorting at the end takes O(n²) time (Murtagh 1983, The
Computer Journal 26; Müllner 2011, arXiv:1109.2378).

Merges that must-link pairs require come first, with probability 1; merges that cannot-link pairs
forbid come last, with probability 0. All others are left to the linkage, which sees must-link pairs
as certain, and pages that must be linked as near to others as the nearest of them: a page that is
linked to one of a cluster does not pull it away from the rest (must-link constraints propagated,
Klein, Kamvar and Manning 2002, ICML). A merge is forbidden if it is for either of its parts: so no
linkage joins pages that cannot be linked (cannot-link constraints in agglomerative clustering,
Davidson and Ravi 2005), and no merge moves a cluster nearer, as chains of nearest neighbours
require.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from weps.clustering.dendrogram import Dendrogram, Merge
from weps.errors import FeatureError, ValuesError
from weps.features.registry import CLUSTERERS
from weps.similarity.pairs import Vector, condensed_rows, pairs_between, square_matrix

Flags = NDArray[np.bool_]
ClusterMerge = tuple[int, int, float]
"""The first rows of two clusters that merge, and their proximity."""
ProximityUpdate = Callable[[Any, Any, int, int], Any]
"""Proximity of a merged cluster to all others, from that of its parts and their sizes."""

_MUST_LINK = 1e12
"""Proximity of clusters that must be linked; greater than any probability or rank."""
_INNER = 0.5
"""Least proximity within a cluster of a clusterer; between clusters it is lower."""
_CANNOT_LINK = -1.0
"""Proximity of clusters that cannot be linked."""


@dataclass(frozen=True, slots=True, eq=False)
class Constraints:
    """Constraints on n rows, closed: linked rows share their cannot-link constraints."""

    components: NDArray[np.int64]
    """Shape (n,): rows of the same number must be together; numbers from 0, by first rows."""
    conflicts: Flags
    """Shape (components, components), symmetric, False on the diagonal: must not be together."""
    confirmed_pages: Flags
    """Shape (n,): pages that a user has confirmed."""

    @classmethod
    def unconstrained(cls, size: int) -> Constraints:
        """No constraints."""
        apart = np.broadcast_to(np.False_, (size, size))  # takes no memory
        return cls(np.arange(size), apart, np.zeros(size, dtype=bool))

    @property
    def required_merges(self) -> int:
        """Number of merges that the must-link pairs require."""
        return len(self.components) - len(self.conflicts)

    @property
    def must_link(self) -> Flags:
        """Shape (n(n-1)/2,), condensed: the pairs that must be together."""
        return self._of_pairs(np.equal, bool)

    @property
    def cannot_link(self) -> Flags:
        """Shape (n(n-1)/2,), condensed: the pairs that must not be together."""
        return self._of_pairs(lambda ours, theirs: self.conflicts[ours, theirs], bool)

    def apply(self, values: NDArray[Any], must: float = 1.0, cannot: float = 0.0) -> Vector:
        """Values of pairs, replaced where they must be together and where they must not."""
        return np.where(self.must_link, must, np.where(self.cannot_link, cannot, values))

    def propagate(self, values: Vector) -> Vector:
        """Values of pairs, condensed, each the greatest of any pair between their components."""
        if not self.required_merges:
            return values
        order = np.argsort(self.components, kind="stable")
        starts = np.searchsorted(self.components[order], np.arange(len(self.conflicts)))
        square = square_matrix(values, len(order), diagonal=-np.inf)[order]
        between = np.maximum.reduceat(np.maximum.reduceat(square, starts)[:, order], starts, axis=1)
        return self._of_pairs(lambda ours, theirs: between[ours, theirs], values.dtype)

    def equalise(self, scores: Vector) -> Vector:
        """Shape (n,): confidences of pages, of linked ones each the greatest.

        Linked pages are right together.
        """
        greatest = np.zeros(len(self.conflicts))
        np.maximum.at(greatest, self.components, scores)
        return np.asarray(greatest[self.components])

    def confirmed_in(self, clusters: Sequence[Sequence[int]]) -> Flags:
        """Shape (n,): the pages that are certain to be in the right cluster.

        Those that a user has confirmed, and those that the constraints make right in the sense of
        :mod:`weps.clustering.confidence`: of a cluster of several, a page that must be together
        with more than half of the others; a page that must be with no other.
        """
        settled = self.confirmed_pages.copy()
        for rows in map(list, clusters):
            ours = self.components[rows]
            together = (ours[:, np.newaxis] == ours).sum(axis=1) - 1
            settled[rows] |= 2 * together > len(rows) - 1
        pages = np.bincount(self.components, minlength=len(self.conflicts))
        forbidden = np.array([pages[each].sum() for each in self.conflicts])
        alone = forbidden[self.components] == max(len(self.components) - 1, 1)
        return np.asarray(settled | alone)

    def _of_pairs(
        self, values: Callable[[np.int64, NDArray[np.int64]], NDArray[Any]], dtype: DTypeLike
    ) -> NDArray[Any]:
        """Condensed: the values of a row's component with those of later rows."""
        size = len(self.components)
        found = np.empty(size * (size - 1) // 2, dtype)
        for row, part in enumerate(condensed_rows(found, size)):
            part[:] = values(self.components[row], self.components[row + 1 :])
        return found


@dataclass(frozen=True, slots=True)
class Linkage:
    """Computes a dendrogram from pair probabilities, in O(n²) time and memory."""

    update: ProximityUpdate
    """Returns no proximity above that of the nearer part, not even by a rounding error."""
    by_rank: bool = False
    """Whether proximity is the rank of a pair, so that the preference orders equally probable
    merges; else their order depends on the order of the rows alone."""

    def __call__(
        self,
        probability: Vector,
        size: int,
        preference: Vector | None = None,
        constraints: Constraints | None = None,
    ) -> Dendrogram:
        """The dendrogram.

        Args:
            probability: shape (n(n-1)/2,), condensed, see :mod:`weps.similarity`.
            size: number of pages, n.
            preference: same shape; among equally probable pairs the one preferred explains a
                merge. It affects which pair is shown, never the probability of a merge.
            constraints: must-link and cannot-link pairs, if any.
        """
        keys: list[NDArray[Any]] = (
            [probability] if preference is None else [probability, preference]
        )
        if constraints is not None:
            # The pair that forbids a merge explains why it is not kept; no allowed merge has such a
            # pair.
            keys.insert(0, constraints.cannot_link)
        proximity, update, required = probability, self.update, 0
        if self.by_rank:
            # Descending from the end, so that among complete ties the earlier pair wins.
            ascending = np.lexsort((-np.arange(len(probability)), *reversed(keys)))
            proximity = np.empty(len(probability), dtype=np.int64)
            proximity[ascending] = np.arange(len(probability))
            keys = [proximity]
        if constraints is not None:
            proximity = constraints.apply(
                constraints.propagate(proximity), _MUST_LINK, _CANNOT_LINK
            )
            update, required = partial(_update_constrained, update), constraints.required_merges
        found = _agglomerate_clusters(square_matrix(proximity, size, diagonal=-np.inf), update)
        level = np.array([nearness for _, _, nearness in found], dtype=np.float64)
        allowed = int((level != _CANNOT_LINK).sum())
        if self.by_rank:
            ranked = slice(required, allowed)
            level[ranked] = probability[ascending][level[ranked].astype(np.int64)]
        merges = _explain_merges(found, level.clip(0, 1), keys, size)
        if constraints is not None:
            probability = constraints.apply(probability)
        return Dendrogram(size, probability, merges, required, allowed)


def _update_average(first: Vector, second: Vector, first_pages: int, second_pages: int) -> Vector:
    mean = (first * first_pages + second * second_pages) / (first_pages + second_pages)
    return np.clip(mean, np.minimum(first, second), np.maximum(first, second))


single_linkage = Linkage(lambda first, second, *_: np.maximum(first, second), by_rank=True)
"""The most probable pair between two clusters (EMNLP 2009, section 4.3.1)."""
average_linkage = Linkage(_update_average)
"""The mean over all pairs between two clusters."""
LINKAGES = {
    "single": single_linkage,
    "average": average_linkage,
    "complete": Linkage(lambda first, second, *_: np.minimum(first, second)),
}
"""Name → linkage; complete linkage takes the least probable pair between two clusters."""


@dataclass(frozen=True, slots=True)
class FlatLinkage:
    """The clusters of any clusterer as a dendrogram, of which one number of merges is kept.

    Average linkage merges the pages of each cluster, then the clusters. It obeys the constraints
    where the clusterer does not. Every merge has the mean probability of the pairs between its
    parts, so the first merge that joins two clusters may be more probable than the one before.
    """

    clusterer: Any
    """Object with ``fit_predict``, see :func:`weps.features.registry.load_plugin`."""

    def __call__(
        self,
        probability: Vector,
        size: int,
        preference: Vector | None = None,
        constraints: Constraints | None = None,
    ) -> Dendrogram:
        """The dendrogram; see :class:`Linkage`.

        Raises:
            ValuesError: if the clusterer does not return a number for each page.
        """
        bound = Constraints.unconstrained(size) if constraints is None else constraints
        if size < 2:
            return average_linkage(probability, size, preference, constraints)
        near = bound.apply(bound.propagate(probability))
        labels = np.asarray(self.clusterer.fit_predict(1 - square_matrix(near, size, diagonal=1.0)))
        if labels.shape != (size,):
            raise ValuesError(
                f"the clusterer returned an array of shape {labels.shape}, expected ({size},)",
                remedy="return the number of each page's cluster",
            )
        together = np.empty(len(near), dtype=bool)
        for row, part in enumerate(condensed_rows(together, size)):
            part[:] = (labels[row + 1 :] == labels[row]) & (labels[row] >= 0)
        inner_first = np.where(together, (1 + near) / 2, near / 3)
        tree = average_linkage(inner_first, size, preference, constraints)
        merges = list(tree.merges)
        for at, (ours, theirs) in enumerate(tree.merged_pairs()):
            if tree.min_merges <= at < tree.max_merges:
                between = near[pairs_between(np.array(ours), np.array(theirs), size)]
                merges[at] = replace(merges[at], probability=float(between.mean()))
        return replace(
            tree,
            probability=bound.apply(probability),
            merges=tuple(merges),
            fixed_merges=int((tree.levels >= _INNER).sum()),
        )


def linkage_by_name(name: str) -> Linkage | FlatLinkage:
    """A linkage, or a clusterer that was loaded.

    Raises:
        FeatureError: if there is none of that name.
    """
    if name in LINKAGES:
        return LINKAGES[name]
    if name in CLUSTERERS:
        return FlatLinkage(CLUSTERERS[name][1])
    raise FeatureError(
        f"the linkage {name!r:.80} is unknown",
        remedy=f"choose {' or '.join([*LINKAGES, *CLUSTERERS])}, or load a clusterer",
    )


def _update_constrained(
    update: ProximityUpdate, first: Vector, second: Vector, first_pages: int, second_pages: int
) -> Vector:
    """An update in which a merge is forbidden if it is for either of its parts."""
    forbidden = (first == _CANNOT_LINK) | (second == _CANNOT_LINK)
    return np.where(forbidden, _CANNOT_LINK, update(first, second, first_pages, second_pages))


def _agglomerate_clusters(
    nearness: NDArray[np.floating], update: ProximityUpdate
) -> list[ClusterMerge]:
    """All n - 1 merges, nearest first; ties are broken by the order of rows.

    Args:
        nearness: shape (n, n), symmetric, -inf on the diagonal; it is overwritten.
        update: of a :class:`Linkage`.
    """
    pages = [1] * len(nearness)
    chain: list[int] = []
    merges: list[ClusterMerge] = []
    while len(merges) < len(nearness) - 1:
        # Extended until the last two clusters are each other's nearest; a tie ends it, too.
        chain = chain or [0]
        row = nearness[chain[-1]]
        nearest = int(row.argmax())
        while len(chain) == 1 or row[nearest] > row[chain[-2]]:
            chain.append(nearest)
            row = nearness[nearest]
            nearest = int(row.argmax())
        first, second = sorted((chain.pop(), chain.pop()))
        merges.append((first, second, float(nearness[first, second])))
        merged_row = update(nearness[first], nearness[second], pages[first], pages[second])
        pages[first] += pages[second]
        # From here on the first row represents the merged cluster.
        merged_row[[first, second]] = -np.inf
        nearness[first] = nearness[:, first] = merged_row
        nearness[:, second] = -np.inf
    return sorted(merges, key=lambda merge: -merge[2])


def _explain_merges(
    found: Sequence[ClusterMerge], levels: Vector, keys: Sequence[NDArray[Any]], size: int
) -> tuple[Merge, ...]:
    """The merges, each explained by the pair between its two clusters that has the greatest keys.

    The first key decides, others only among equals; among complete ties the earlier pair wins.
    """
    rows = [np.array([row]) for row in range(size)]
    merges = []
    for (first, second, _), level in zip(found, levels.tolist(), strict=True):
        ours, theirs = rows[first], rows[second]
        positions = pairs_between(ours, theirs, size).ravel()
        best = np.arange(len(positions))
        for key in keys:
            values = key[positions[best]]
            best = best[values == values.max()]
        shown = int(best[positions[best].argmin()])
        pair = int(ours[shown // len(theirs)]), int(theirs[shown % len(theirs)])
        merges.append(Merge(min(pair), max(pair), level))
        rows[first] = np.concatenate((ours, theirs))
    return tuple(merges)
