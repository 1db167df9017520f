"""Expected B-Cubed along a dendrogram, if the pairs were together with known probabilities.

The key is unknown, but how probably a page belongs with another is not. With q(e, e') for that and
q(e, e) = 1, the expected precision of a page is the mean q between it and its cluster; its expected
recall is the sum of q over its cluster divided by the sum over all pages. Both are averaged over
pages. This is our own: B-Cubed (Bagga and Baldwin 1998; Amigó et al. 2009, section 4) in
expectation under independent pairs, where recall takes the quotient of expectations for the
expectation of the quotient.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from weps.clustering.dendrogram import Dendrogram, pairs_between

__all__ = ["Course", "Expectation"]

Vector = NDArray[np.float64]


class Expectation(NamedTuple):
    """Expected B-Cubed after 0, 1, …, n - 1 merges, each of shape (n,)."""

    precision: Vector
    recall: Vector


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """What a dendrogram puts together and when: all that expectations along it need to know.

    Made in O(n²) time and memory, as is each expectation; for many of one dendrogram make it once.
    """

    size: int
    """Number of pages, n; at least 1."""
    first: NDArray[np.int64]
    """Shape (n(n-1)/2,): row of the earlier page of each pair."""
    second: NDArray[np.int64]
    joined: NDArray[np.int64]
    """Shape (n(n-1)/2,): the number of the merge, from 0, that puts the pair together."""
    clusters: tuple[tuple[int, int], ...]
    """For each merge the rows that name the two clusters; the former names the union as well."""

    @classmethod
    def of(cls, dendrogram: Dendrogram) -> Course:
        """The course of a dendrogram of at least one page."""
        size, clusters = dendrogram.size, []
        joined = np.empty(size * (size - 1) // 2, dtype=np.int64)
        for number, (larger, smaller) in enumerate(dendrogram.unions()):
            joined[pairs_between(np.array(larger), np.array(smaller), size)] = number
            clusters.append((larger[0], smaller[0]))
        return cls(size, *np.triu_indices(size, k=1), joined, tuple(clusters))

    def expect(self, together: Vector) -> Expectation:
        """Expected precision and recall.

        Args:
            together: shape (n(n-1)/2,), the probability that the two pages belong together.
        """
        return Expectation(self._precision(together), self._recall(together))

    def _precision(self, together: Vector) -> Vector:
        """A cluster adds its q, over ordered pairs and divided by its pages."""
        mass, pages = [1.0] * self.size, [1] * self.size
        gains = [float(self.size)]
        added = self._by_merge(together).tolist()
        for (kept, gone), more in zip(self.clusters, added, strict=True):
            before = mass[kept] / pages[kept] + mass[gone] / pages[gone]
            mass[kept] += mass[gone] + 2 * more
            pages[kept] += pages[gone]
            gains.append(mass[kept] / pages[kept] - before)
        return np.cumsum(gains) / self.size

    def _recall(self, together: Vector) -> Vector:
        """A pair adds its q once to either page, divided by all q of that page."""
        to_later = np.bincount(self.first, together, self.size)
        to_earlier = np.bincount(self.second, together, self.size)
        share = 1 / (1 + to_later + to_earlier)
        gains = self._by_merge(together * (share[self.first] + share[self.second]))
        return np.cumsum([share.sum(), *gains]) / self.size

    def _by_merge(self, of_pairs: Vector) -> Vector:
        """Shape (n-1,): what the pairs that each merge puts together add up to."""
        return np.asarray(np.bincount(self.joined, of_pairs, len(self.clusters)), np.float64)
