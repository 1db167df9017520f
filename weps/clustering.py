"""Single-link hierarchical agglomerative clustering (EMNLP 2009, section 4.3.1).

Two pages are in one single-link cluster at a threshold exactly when a path of pairs at or above
the threshold joins them; the pairs of a maximum spanning tree say all there is to know.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Dendrogram", "Merge", "pair_position", "single_link"]


@dataclass(frozen=True, slots=True)
class Merge:
    """The pair that joins two clusters: their closest pages."""

    first: int
    """Row of the earlier page."""
    second: int
    """Row of the later page."""
    probability: float
    """How probable it is that the two pages are about one person."""


@dataclass(frozen=True, slots=True, eq=False)
class Dendrogram:
    """Every single-link clustering of a name's pages, one for each threshold."""

    size: int
    """Number of pages, n."""
    probability: NDArray[np.float64]
    """Shape (n(n-1)/2,): that the pair is one person."""
    merges: tuple[Merge, ...]
    """All n - 1 of them, most probable first."""

    def held(self, threshold: float) -> tuple[Merge, ...]:
        """The merges that are at least as probable as the threshold."""
        return tuple(merge for merge in self.merges if merge.probability >= threshold)

    def cut(self, threshold: float) -> list[list[int]]:
        """The clusters left when merges less probable than the threshold are undone.

        Every row is in exactly one cluster. Clusters are ordered by their first row, rows ascend.
        """
        cluster_of = [[row] for row in range(self.size)]
        for merge in self.held(threshold):
            first, second = sorted((cluster_of[merge.first], cluster_of[merge.second]), key=len)
            second += first
            for row in first:
                cluster_of[row] = second
        distinct = {id(rows): rows for rows in cluster_of}
        return sorted(map(sorted, distinct.values()))


def single_link(
    probability: NDArray[np.float64], size: int, preference: NDArray[np.float64] | None = None
) -> Dendrogram:
    """The single-link dendrogram, by Prim's algorithm in O(size²) time and memory.

    Args:
        probability: shape (size(size-1)/2,), condensed, see :mod:`weps.similarity`.
        size: number of pages.
        preference: same shape; among equally probable pairs the one preferred stands for the
            merge. It changes which pair is shown, never who is with whom.
    """
    keys = (probability,) if preference is None else (preference, probability)
    order = np.empty(len(probability), dtype=np.int64)
    # Descending from the end, so that among complete ties the earlier pair wins.
    order[np.lexsort((-np.arange(len(probability)), *keys))] = np.arange(len(probability))
    edges = _maximum_spanning_tree(_square(order, size))
    edges.sort(key=lambda edge: -order[pair_position(edge[0], edge[1], size)])
    merges = (Merge(i, j, float(probability[pair_position(i, j, size)])) for i, j in edges)
    return Dendrogram(size, probability, tuple(merges))


def pair_position(first: int, second: int, size: int) -> int:
    """Where the pair of two rows, ``first < second``, stands in a condensed vector."""
    return first * (2 * size - first - 1) // 2 + second - first - 1


def _square(vector: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Shape (size, size): the symmetric matrix of a condensed vector, -1 on the diagonal."""
    square = np.full((size, size), -1, dtype=np.int64)
    upper = np.triu_indices(size, k=1)
    square[upper] = vector
    square.T[upper] = vector
    return square


def _maximum_spanning_tree(weight: NDArray[np.int64]) -> list[tuple[int, int]]:
    """The edges of the tree as (row, row), ``first < second``."""
    size = len(weight)
    if size == 0:
        return []
    best = weight[0].copy()
    """For each row outside the tree its best weight to a row inside; -2 inside."""
    best[0] = -2
    nearest = np.zeros(size, dtype=np.int64)
    edges = []
    for _ in range(size - 1):
        new = int(best.argmax())
        edges.append((min(new, int(nearest[new])), max(new, int(nearest[new]))))
        closer = (weight[new] > best) & (best > -2)
        best[closer] = weight[new][closer]
        nearest[closer] = new
        best[new] = -2
    return edges
