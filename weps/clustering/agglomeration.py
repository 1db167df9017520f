"""Agglomeration by nearest-neighbour chains, under must-link and cannot-link constraints.

A chain goes from any cluster to its nearest, from there to the nearest of that one, and so on:
proximity only grows, so the chain ends in two clusters that are each other's nearest. Under a
linkage that never moves a merged cluster nearer to a third one than its parts were, these two merge
eventually whatever else does, and the chain before them remains valid. Merging them at once and
sorting at the end takes O(n²) time (Murtagh 1983, The Computer Journal 26; Müllner 2011,
arXiv:1109.2378).

Merges that must-link pairs require come first, with probability 1; merges that cannot-link pairs
forbid come last, with probability 0. All others are left to the linkage, which sees must-link pairs
as certain. A merge is forbidden if it is for either of its parts: so no linkage joins pages that
cannot be linked (cannot-link constraints in agglomerative clustering, Davidson and Ravi 2005), and
no merge moves a cluster nearer, as chains of nearest neighbours require.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "CANNOT_LINK",
    "MUST_LINK",
    "ClusterMerge",
    "Constraints",
    "ProximityUpdate",
    "agglomerate_clusters",
    "agglomerate_constrained",
    "average_update",
    "complete_update",
    "single_update",
    "square_matrix",
]

Row = NDArray[np.float64]
ProximityUpdate = Callable[[Row, Row, int, int], Row]
"""Proximity of a merged cluster to all others, from that of its parts and their sizes."""


@dataclass(frozen=True, slots=True)
class ClusterMerge:
    """Two clusters that merge, each known by its first row."""

    nearness: float
    first: int
    """Identifies the merged cluster from here on."""
    second: int


def agglomerate_clusters(
    nearness: NDArray[np.float64], update: ProximityUpdate
) -> list[ClusterMerge]:
    """All n - 1 merges, nearest first; ties are broken by the order of rows.

    Args:
        nearness: shape (n, n), symmetric, -inf on the diagonal; it is overwritten.
        update: returns no proximity above that of the nearer part, not even by a rounding error.
    """
    pages = [1] * len(nearness)
    chain: list[int] = []
    joins: list[ClusterMerge] = []
    while len(joins) < len(nearness) - 1:
        _extend_chain(chain, nearness)
        first, second = sorted((chain.pop(), chain.pop()))
        joins.append(ClusterMerge(float(nearness[first, second]), first, second))
        merged_row = update(nearness[first], nearness[second], pages[first], pages[second])
        pages[first] += pages[second]
        _replace_rows(nearness, first, second, merged_row)
    return sorted(joins, key=lambda join: -join.nearness)


def single_update(first: Row, second: Row, _first_pages: int, _second_pages: int) -> Row:
    """Single linkage: the proximity of the nearest pages."""
    return np.maximum(first, second)


def complete_update(first: Row, second: Row, _first_pages: int, _second_pages: int) -> Row:
    """Complete linkage: the proximity of the farthest pages."""
    return np.minimum(first, second)


def average_update(first: Row, second: Row, first_pages: int, second_pages: int) -> Row:
    """Average linkage: the mean over all pairs of pages."""
    summed = first * first_pages + second * second_pages
    merged_row = summed / (first_pages + second_pages)
    return np.clip(merged_row, np.minimum(first, second), np.maximum(first, second))


def _extend_chain(chain: list[int], nearness: NDArray[np.float64]) -> None:
    """Extend the chain until the last two clusters are each other's nearest; stop at ties."""
    chain += [] if chain else [0]  # the first row represents its cluster
    row = nearness[chain[-1]]
    nearest = int(row.argmax())
    while len(chain) == 1 or row[nearest] > row[chain[-2]]:
        chain.append(nearest)
        row = nearness[nearest]
        nearest = int(row.argmax())


def _replace_rows(nearness: NDArray[np.float64], first: int, second: int, merged: Row) -> None:
    """Let the first row represent the merged cluster, and remove the second."""
    merged[[first, second]] = -np.inf
    nearness[first] = nearness[:, first] = merged
    nearness[:, second] = -np.inf


Vector = NDArray[np.float64]
Flags = NDArray[np.bool_]

MUST_LINK = 1e12
"""Proximity of clusters that must be linked; greater than any probability or rank."""
CANNOT_LINK = -1.0
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
        apart = np.zeros((size, size), dtype=bool)
        return cls(np.arange(size), apart, np.zeros(size, dtype=bool))

    @property
    def required_merges(self) -> int:
        """How many merges the must-link pairs require."""
        return len(self.components) - len(self.conflicts)

    @property
    def must_link(self) -> Flags:
        """Shape (n(n-1)/2,), condensed: the pairs that must be together."""
        first, second = self._pair_components()
        return np.asarray(first == second)

    @property
    def cannot_link(self) -> Flags:
        """Shape (n(n-1)/2,), condensed: the pairs that must not be together."""
        return np.asarray(self.conflicts[self._pair_components()])

    def apply(self, probability: Vector) -> Vector:
        """Probabilities of pairs, 1 where they must be together and 0 where they must not."""
        return np.where(self.must_link, 1.0, np.where(self.cannot_link, 0.0, probability))

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
        forbidden = self.conflicts[self.components][:, self.components].sum(axis=1)
        return np.asarray(settled | (forbidden == max(len(self.components) - 1, 1)))

    def _pair_components(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        first, second = np.triu_indices(len(self.components), k=1)
        return self.components[first], self.components[second]


def agglomerate_constrained(
    constraints: Constraints | None,
    nearness: NDArray[np.float64 | np.int64],
    size: int,
    update: ProximityUpdate,
) -> list[ClusterMerge]:
    """All n - 1 merges under constraints, see :func:`agglomerate_clusters`.

    Args:
        constraints: must-link and cannot-link pairs, if any.
        nearness: shape (n(n-1)/2,), condensed, from 0 to less than :data:`MUST_LINK`.
        size: number of pages, n.
        update: of the linkage.
    """
    if constraints is None:
        return agglomerate_clusters(square_matrix(nearness, size), update)
    settled = np.where(
        constraints.must_link, MUST_LINK, np.where(constraints.cannot_link, CANNOT_LINK, nearness)
    )
    return agglomerate_clusters(square_matrix(settled, size), _constrained_update(update))


def square_matrix(vector: NDArray[np.float64 | np.int64], size: int) -> NDArray[np.float64]:
    """Shape (size, size): the symmetric matrix of a condensed vector, -inf on the diagonal."""
    square = np.full((size, size), -np.inf)
    upper = np.triu_indices(size, k=1)
    square[upper] = vector
    square.T[upper] = vector
    return square


def _constrained_update(update: ProximityUpdate) -> ProximityUpdate:
    """An update in which a merge is forbidden if it is for either of its parts."""

    def merged_row(first: Row, second: Row, first_pages: int, second_pages: int) -> Row:
        forbidden = (first == CANNOT_LINK) | (second == CANNOT_LINK)
        return np.where(forbidden, CANNOT_LINK, update(first, second, first_pages, second_pages))

    return merged_row
