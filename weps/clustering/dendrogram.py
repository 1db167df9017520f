"""Dendrograms: every clustering of a name's pages by a linkage, and how many merges are kept.

One stopping rule maximises the expected B-Cubed under the pair probabilities. With q(e, e') for the
probability that two pages belong together and q(e, e) = 1, the expected precision of a page is the
mean q between it and its cluster; its expected recall is the sum of q over its cluster divided by
the sum over all pages. Both are averaged over pages. Not from the literature: B-Cubed (Bagga and
Baldwin 1998; Amigó et al. 2009, section 4) in expectation under independent pairs, with the
expectation of a quotient approximated by the quotient of expectations in recall.

A linkage is the probability that two clusters are one person, from the pairs between them.
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

import sys
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any, ClassVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from weps.coreference.base import (
    Calibration,
    Part,
    clipped_logit,
    finite_number,
    inverse_logit,
)
from weps.errors import FeatureError, ValuesError, own_code
from weps.features.registry import CLUSTERERS
from weps.similarity.columns import (
    Vector,
    condense_matrix,
    condensed_rows,
    pairs_between,
    slices_of,
    square_matrix,
)

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

    def children(self) -> Iterator[tuple[int, int]]:
        """The two nodes of each merge: node i < n is row i, node n + k the cluster of merge k."""
        node_of = list(range(self.size))
        for number, (ours, theirs) in enumerate(self.merged_pairs()):
            yield node_of[ours[0]], node_of[theirs[0]]
            node_of[ours[0]] = self.size + number

    def linkage_matrix(self) -> Vector:
        """Shape (n - 1, 4): the merges as scipy has them, at one minus their probability."""
        pages = [len(ours) + len(theirs) for ours, theirs in self.merged_pairs()]
        # A merge that a clusterer or a correction wants may be more probable than one before it.
        distance = np.maximum.accumulate(1 - self.levels)
        return np.column_stack([np.array([*self.children()]).reshape(-1, 2), distance, pages])

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
        for part in slices_of(len(probability), _PAIRS_AT_ONCE):
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
    calibration: Calibration
    stopping: Stopping
    kept: int
    """Number of merges."""

    @property
    def shown(self) -> Dendrogram:
        """The dendrogram with calibrated probabilities, made when asked for: they take memory."""
        return calibrate_dendrogram(self.dendrogram, self.calibration)


@dataclass(frozen=True, slots=True)
class Threshold(Stopping):
    """Keep the merges that are probable enough (EMNLP 2009, section 4.3.1)."""

    kind: ClassVar[str] = "threshold"

    level: float = field(metadata={"read": finite_number})
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

    slope: float = field(metadata={"read": finite_number})
    """Greater than 0; above 1 pairs count as more certain."""
    shift: float = field(metadata={"read": finite_number})
    """Above 0 pairs count as more probable, in logits."""
    alpha: float = field(default=0.5, metadata={"read": finite_number})
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
        sharpened = dendrogram.probability.copy()
        for part in slices_of(len(sharpened), _PAIRS_AT_ONCE):  # large names have many pairs
            odds = self.slope * clipped_logit(sharpened[part], _EPSILON) + self.shift
            sharpened[part] = inverse_logit(odds)
        precision, recall = expected_bcubed(dendrogram, sharpened)
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

    slope: float = field(metadata={"read": finite_number})
    """Greater than 0, see :class:`ExpectedF`."""
    intercept: float = field(metadata={"read": finite_number})
    people: float = field(metadata={"read": finite_number})
    odds: float = field(metadata={"read": finite_number})
    alpha: float = field(default=0.5, metadata={"read": finite_number})
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
    return float(np.log(max(clusters, 1))), float(clipped_logit(mean, _MEAN_EPSILON))


STOPPING_KINDS: dict[str, type[Stopping]] = {
    each.kind: each for each in (Threshold, ExpectedF, ExpectedFByName)
}
"""Kind of a stopping rule → class."""


def expected_bcubed(
    dendrogram: Dendrogram, together: NDArray[np.floating]
) -> tuple[Vector, Vector]:
    """Expected precision and recall after 0, 1, …, n - 1 merges, each of shape (n,).

    Takes O(n²) time.

    Args:
        dendrogram: of n pages, at least one.
        together: shape (n(n-1)/2,), the probability that the two pages belong together.
    """
    size = dendrogram.size
    others = np.zeros(size)
    for row, own in enumerate(condensed_rows(together, size)):
        others[row] += own.sum(dtype=np.float64)
        others[row + 1 :] += own
    share = 1 / (1 + others)
    # Precision: for each cluster its q over ordered pairs, divided by its pages.
    # Recall: a pair adds its q to both pages, divided by the sum of q of each.
    mass, pages, gains, found = [1.0] * size, [1] * size, [float(size)], [share.sum()]
    for larger, smaller in dendrogram.merged_pairs():
        kept, gone = larger[0], smaller[0]  # the former row also identifies the result
        one, other = np.array(larger), np.array(smaller)
        between = together[pairs_between(one, other, size)]
        ours, theirs = (between.sum(axis=axis, dtype=np.float64) for axis in (1, 0))
        before = mass[kept] / pages[kept] + mass[gone] / pages[gone]
        mass[kept] += mass[gone] + 2 * ours.sum()
        pages[kept] += pages[gone]
        gains.append(mass[kept] / pages[kept] - before)
        found.append(ours @ share[one] + theirs @ share[other])
    return np.cumsum(gains) / size, np.cumsum(found) / size


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
        # The pair that forbids a merge explains why it is not kept; no allowed merge has such a
        # pair.
        forbidden = None if constraints is None else constraints.cannot_link
        keys: list[NDArray[Any]] = [
            each for each in (forbidden, probability, preference) if each is not None
        ]
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
        merges = tuple(explain_merges(found, level.clip(0, 1), keys, size))
        shown = probability if constraints is None else constraints.apply(probability)
        return Dendrogram(size, shown, merges, required, allowed)


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
        with own_code(self.clusterer.fit_predict):
            found = self.clusterer.fit_predict(1 - square_matrix(near, size, diagonal=1.0))
        labels = np.asarray(found)
        if labels.shape != (size,) or labels.dtype.kind not in "iuf" or np.isnan(labels).any():
            raise ValuesError(
                f"the clusterer returned {labels.dtype} values of shape {labels.shape}, "
                f"expected numbers of shape ({size},), none of them NaN",
                remedy="return the number of each page's cluster",
            )
        together = condense_matrix((labels == labels[:, np.newaxis]) & (labels >= 0))
        tree = average_linkage(
            np.where(together, (1 + near) / 2, near / 3), size, preference, constraints
        )
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


def explain_merges(
    found: Sequence[ClusterMerge], levels: Vector, keys: Sequence[NDArray[Any]], size: int
) -> Iterator[Merge]:
    """The merges, each explained by the pair between its two clusters that has the greatest keys.

    The first key decides, others only among equals; among complete ties the earlier pair wins.
    """
    rows = [np.array([row]) for row in range(size)]
    for (first, second, _), level in zip(found, levels.tolist(), strict=True):
        ours, theirs = rows[first], rows[second]
        positions = pairs_between(ours, theirs, size).ravel()
        best = np.arange(len(positions))
        for key in keys if len(best) > 1 else ():
            values = key[positions[best]]
            best = best[values == values.max()]
        shown = int(best[positions[best].argmin()])
        pair = int(ours[shown // len(theirs)]), int(theirs[shown % len(theirs)])
        yield Merge(min(pair), max(pair), level)
        rows[first] = np.concatenate((ours, theirs))
