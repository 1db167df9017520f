"""Dendrograms: every clustering of a name's pages, and rules for how many merges are kept.

One stopping rule maximises the expected B-Cubed under the pair probabilities. With q(e, e') for the
probability that two pages belong together and q(e, e) = 1, the expected precision of a page is the
mean q between it and its cluster; its expected recall is the sum of q over its cluster divided by
the sum over all pages. Both are averaged over pages. Not from the literature: B-Cubed (Bagga and
Baldwin 1998; Amigó et al. 2009, section 4) in expectation under independent pairs, with the
expectation of a quotient approximated by the quotient of expectations in recall.
"""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from weps.coreference.base import Part, Readers, finite_number
from weps.similarity.pairs import Vector, condensed_rows, pairs_between

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

    @property
    def levels(self) -> Vector:
        """Shape (n - 1,): the probability of each merge."""
        return np.array([merge.probability for merge in self.merges], dtype=np.float64)

    def bounded_count(self, merges: int) -> int:
        """The number of merges, bounded by the constraints."""
        if self.fixed_merges is not None:
            merges = self.fixed_merges
        return max(self.min_merges, min(merges, self.max_merges, len(self.merges)))

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
        made_after = np.arange(len(joined_by)) - self.size + 1
        return list(np.flatnonzero((made_after <= most) & (joined_by >= least)).tolist())

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

    levels = calibrated_values(dendrogram.levels).tolist()
    return replace(
        dendrogram,
        probability=calibrated_values(dendrogram.probability),
        merges=tuple(
            replace(merge, probability=level)
            for merge, level in zip(dendrogram.merges, levels, strict=True)
        ),
    )


_EPSILON = 1e-5
"""Probabilities are clipped to this distance from 0 and 1."""
_F_TOLERANCE = 1e-12
"""Values of expected F within this tolerance are equal, since sums differ by rounding."""


class Stopping(Part):
    """A rule that decides how many merges of a dendrogram are kept: a dataclass of numbers."""

    __slots__ = ()
    kind: ClassVar[str]
    what: ClassVar[str] = "its stopping rule"

    @abstractmethod
    def merges(self, dendrogram: Dendrogram) -> int:
        """Number of leading merges to keep, within the bounds of the dendrogram."""

    def is_sound(self, _columns: int = 0) -> bool:
        """Whether a slope is above 0, and a weight of precision from 0 to 1."""
        numbers = self.to_data()
        return bool(numbers.get("slope", 1) > 0 and 0 <= numbers.get("alpha", 0.5) <= 1)


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """A dendrogram, and where merging stops."""

    dendrogram: Dendrogram
    shown: Dendrogram
    """The dendrogram with calibrated probabilities."""
    stopping: Stopping
    kept: int
    """Number of merges."""


@dataclass(frozen=True, slots=True)
class Threshold(Stopping):
    """Keep the merges that are probable enough (EMNLP 2009, section 4.3.1)."""

    kind: ClassVar[str] = "threshold"
    readers: ClassVar[Readers] = {"level": finite_number}

    level: float
    """Least probability of a merge."""

    def merges(self, dendrogram: Dendrogram) -> int:
        """Number of merges at least as probable as the level, within the bounds."""
        return dendrogram.bounded_count(int((dendrogram.levels >= self.level).sum()))


@dataclass(frozen=True, slots=True)
class ExpectedF(Stopping):
    """Stop where the expected B-Cubed F of the name is greatest.

    The probability p of a pair is sharpened to q = logistic(slope · logit(p) + shift), p clipped
    to [1e-5, 1 - 1e-5]; :mod:`weps.clustering.dendrogram` defines the expected F.
    """

    kind: ClassVar[str] = "expected-f"
    readers: ClassVar[Readers] = dict.fromkeys(("slope", "shift", "alpha"), finite_number)

    slope: float
    """Greater than 0; above 1 pairs count as more certain."""
    shift: float
    """Above 0 pairs count as more probable, in logits."""
    alpha: float = 0.5
    """Weight of precision, from 0 to 1."""

    def merges(self, dendrogram: Dendrogram) -> int:
        """The number of merges that maximises the expected F; the smallest if several do."""
        least, most = map(dendrogram.bounded_count, (0, len(dendrogram.merges)))
        allowed = self.curve(dendrogram)[least : most + 1]
        best = (allowed >= allowed.max() - _F_TOLERANCE).argmax() if len(allowed) else 0
        return least + int(best)

    def curve(self, dendrogram: Dendrogram) -> Vector:
        """Shape (n,): the expected F after 0, 1, …, n - 1 merges."""
        if dendrogram.size == 0:
            return np.empty(0)
        logits = logit(dendrogram.probability.clip(_EPSILON, 1 - _EPSILON))
        precision, recall = expected_bcubed(dendrogram, expit(self.slope * logits + self.shift))
        # Both are greater than 0, since a page belongs with itself.
        return np.asarray(1 / (self.alpha / precision + (1 - self.alpha) / recall))


_MAX_SHIFT = 1.0
"""Largest shift by name, in logits of a pair's probability."""
_MEAN_EPSILON = 1e-3
"""The mean probability of a name is clipped to this distance from 0 and 1."""


@dataclass(frozen=True, slots=True)
class ExpectedFByName(Stopping):
    """Expected F under a prior that depends on the name.

    A name of many people has few coreferent pairs, and the classifier, which sees one pair at a
    time, expects about as many as its training names had. The log odds of all pairs are shifted by
    intercept + people · ln(clusters) + odds · logit(mean probability), bounded by ±1, before they
    are sharpened. The clusters are those of the expected F without a shift.
    """

    kind: ClassVar[str] = "expected-f-by-name"
    readers: ClassVar[Readers] = dict.fromkeys(
        ("slope", "intercept", "people", "odds", "alpha"), finite_number
    )

    slope: float
    """Greater than 0, see :class:`ExpectedF`."""
    intercept: float
    people: float
    odds: float
    alpha: float = 0.5
    """Weight of precision, from 0 to 1."""

    def merges(self, dendrogram: Dendrogram) -> int:
        """The number of merges that maximises the expected F; the smallest if several do."""
        shifted = ExpectedF(self.slope, self.slope * self.shift(dendrogram), self.alpha)
        return shifted.merges(dendrogram)

    def shift(self, dendrogram: Dendrogram) -> float:
        """Summand of the log odds of each pair of the name."""
        people, odds = name_predictors(dendrogram, ExpectedF(self.slope, 0.0, self.alpha))
        shift = self.intercept + self.people * people + self.odds * odds
        return max(-_MAX_SHIFT, min(shift, _MAX_SHIFT))


def name_predictors(dendrogram: Dendrogram, stopping: Stopping) -> tuple[float, float]:
    """Predictors of the prior of a name: ln(clusters), and the logit of the mean probability.

    Args:
        dendrogram: of the name.
        stopping: what the clusters are counted by.
    """
    clusters = dendrogram.size - stopping.merges(dendrogram)
    mean = dendrogram.probability.mean() if len(dendrogram.probability) else 0.5
    clipped = np.clip(mean, _MEAN_EPSILON, 1 - _MEAN_EPSILON)
    return float(np.log(max(clusters, 1))), float(logit(clipped))


STOPPING_KINDS: dict[str, type[Stopping]] = {
    each.kind: each for each in (Threshold, ExpectedF, ExpectedFByName)
}
"""Kind of a stopping rule → class."""


def expected_bcubed(
    dendrogram: Dendrogram, together: NDArray[np.floating]
) -> tuple[Vector, Vector]:
    """Expected precision and recall after 0, 1, …, n - 1 merges, each of shape (n,).

    Takes O(n²) time and memory. Large names have many pairs, so that they are never listed with
    their rows.

    Args:
        dendrogram: of n pages, at least one.
        together: shape (n(n-1)/2,), the probability that the two pages belong together.
    """
    size, clusters = dendrogram.size, []
    merge_of_pair = np.empty(len(together), dtype=np.int32)
    for number, (larger, smaller) in enumerate(dendrogram.merged_pairs()):
        merge_of_pair[pairs_between(np.array(larger), np.array(smaller), size)] = number
        clusters.append((larger[0], smaller[0]))  # the former row also identifies the result

    def sum_by_merge(of_pairs: NDArray[np.floating]) -> Vector:
        sums = np.zeros(len(clusters))
        for start in range(0, len(of_pairs), _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            sums += np.bincount(merge_of_pair[part], of_pairs[part], len(sums))
        return sums

    # Precision: for each cluster its q over ordered pairs, divided by its pages.
    mass, pages, gains = [1.0] * size, [1] * size, [float(size)]
    for (kept, gone), more in zip(clusters, sum_by_merge(together).tolist(), strict=True):
        before = mass[kept] / pages[kept] + mass[gone] / pages[gone]
        mass[kept] += mass[gone] + 2 * more
        pages[kept] += pages[gone]
        gains.append(mass[kept] / pages[kept] - before)
    # Recall: a pair adds its q to both pages, divided by the sum of q of each.
    others = np.zeros(size)
    for row, own in enumerate(condensed_rows(together, size)):
        others[row] += own.sum(dtype=np.float64)
        others[row + 1 :] += own
    share, shared = 1 / (1 + others), np.empty_like(together)
    rows = zip(*(condensed_rows(each, size) for each in (shared, together)), strict=True)
    for row, (into, own) in enumerate(rows):
        np.multiply(own, share[row] + share[row + 1 :], out=into, casting="same_kind")
    return np.cumsum(gains) / size, np.cumsum([share.sum(), *sum_by_merge(shared)]) / size
