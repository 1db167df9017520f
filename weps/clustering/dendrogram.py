"""Dendrograms: every clustering of a name's pages along the merges of a linkage."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
_PAIRS_AT_ONCE = 1 << 22
"""Bounds the memory for intermediate results of names with millions of pairs."""


@dataclass(frozen=True, slots=True)
class Merge:
    """A merge of two clusters, and the pair of their pages that explains it best."""

    first: int
    """Row of the earlier page."""
    second: int
    """Row of the later page, in the other cluster."""
    probability: float
    """Probability that the two clusters are about one person, by the linkage."""


@dataclass(frozen=True, slots=True, eq=False)
class Dendrogram:
    """All clusterings of a name's pages by a linkage, from single pages to one cluster."""

    size: int
    """Number of pages, n."""
    probability: NDArray[np.floating]
    """Shape (n(n-1)/2,): probability that the pair is about one person, in single precision where
    most of them are estimated."""
    merges: tuple[Merge, ...]
    """All n - 1 of them in order; the probability never rises."""
    min_merges: int = 0
    """Smallest number of merges to keep."""
    max_merges: int = sys.maxsize
    """Largest number of merges to keep; all of them by default."""
    fixed_merges: int | None = None
    """Number of merges that every answer keeps, of a clusterer that yields no dendrogram."""

    def bounded_count(self, merges: int) -> int:
        """The number of merges, bounded by the constraints."""
        wanted = merges if self.fixed_merges is None else self.fixed_merges
        return max(self.min_merges, min(wanted, self.max_merges, len(self.merges)))

    def clusters(self, merges: int) -> list[list[int]]:
        """The clusters after the first so many merges, from 0 to n - 1.

        Every row is in exactly one cluster. Clusters are ordered by their first row, rows ascend.
        """
        clusters = {row: [row] for row in range(self.size)}
        for larger, smaller in islice(self.merged_pairs(), merges):
            clusters[larger[0]] += clusters.pop(smaller[0])
        return sorted(map(sorted, clusters.values()))

    def merged_pairs(self) -> Iterator[tuple[list[int], list[int]]]:
        """The rows of the two clusters of each merge, the larger first, merge after merge.

        The first row of a cluster identifies it, and that of the former the merged cluster. The
        lists change when the next merge is requested.
        """
        cluster_of = [[row] for row in range(self.size)]
        for merge in self.merges:
            smaller, larger = sorted((cluster_of[merge.first], cluster_of[merge.second]), key=len)
            yield larger, smaller
            larger += smaller
            for row in smaller:  # the smaller is moved, so all merges take O(n log n)
                cluster_of[row] = larger

    def children(self) -> list[tuple[int, int]]:
        """The two nodes of each merge: node i < n is row i, node n + k the cluster of merge k."""
        node_of = np.arange(self.size)
        parts = []
        for number, (ours, theirs) in enumerate(self.merged_pairs()):
            parts.append((int(node_of[ours[0]]), int(node_of[theirs[0]])))
            node_of[ours] = node_of[theirs] = self.size + number
        return parts

    def nodes_of_cuts(self, least: int, most: int) -> list[int]:
        """The nodes that are clusters after some number of merges from least to most, ascending."""
        joined_by = np.full(self.size + len(self.merges), len(self.merges))
        for merge, nodes in enumerate(self.children()):
            joined_by[list(nodes)] = merge
        made_after = np.maximum(np.arange(len(joined_by)) - self.size + 1, 0)
        found: list[int] = np.flatnonzero((made_after <= most) & (joined_by >= least)).tolist()
        return found

    def node_of_rows(self, merges: int) -> NDArray[np.int64]:
        """Shape (n,): the node of each row's cluster after the first so many merges."""
        node_of = np.arange(self.size)
        for number, (ours, theirs) in enumerate(islice(self.merged_pairs(), merges)):
            node_of[ours] = node_of[theirs] = self.size + number
        return node_of


def calibrate_dendrogram(
    dendrogram: Dendrogram, calibrate: Callable[[NDArray[np.floating]], Vector]
) -> Dendrogram:
    """A dendrogram with its probabilities calibrated by a monotonic function.

    Probabilities of 0 and 1, which come from corrections, are unchanged.
    """

    def calibrated_values(probability: NDArray[np.floating]) -> NDArray[np.floating]:
        calibrated = np.empty_like(probability)
        for start in range(0, len(probability), _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            given = probability[part]
            calibrated[part] = np.where((given == 0) | (given == 1), given, calibrate(given))
        return calibrated

    merges = dendrogram.merges
    levels = calibrated_values(np.array([merge.probability for merge in merges], dtype=np.float64))
    pairs = zip(merges, levels.tolist(), strict=True)
    return replace(
        dendrogram,
        probability=calibrated_values(dendrogram.probability),
        merges=tuple(replace(merge, probability=level) for merge, level in pairs),
    )
