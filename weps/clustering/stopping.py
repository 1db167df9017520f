"""Stopping rules: how many merges of a name's dendrogram are kept.

One rule maximises the expected B-Cubed under the pair probabilities. With q(e, e') for the
probability that two pages belong together and q(e, e) = 1, the expected precision of a page is the
mean q between it and its cluster; its expected recall is the sum of q over its cluster divided by
the sum over all pages. Both are averaged over pages. Not from the literature: B-Cubed (Bagga and
Baldwin 1998; Amigó et al. 2009, section 4) in expectation under independent pairs, with the
expectation of a quotient approximated by the quotient of expectations in recall.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from weps.clustering.dendrogram import Dendrogram
from weps.errors import ModelError
from weps.similarity.pairs import condensed_rows, pairs_between

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class MergeSchedule:
    """The merge of a dendrogram that joins each pair: the input of expectations along it.

    Made in O(n²) time and memory, as is each expectation; for many of one dendrogram make it once.
    Large names have many pairs, so that they are never listed with their rows.
    """

    size: int
    """Number of pages, n; at least 1."""
    merge_of_pair: NDArray[np.int32]
    """Shape (n(n-1)/2,): the number of the merge, from 0, that joins the pair."""
    clusters: tuple[tuple[int, int], ...]
    """For each merge the first rows of its clusters; the former also identifies the result."""

    @classmethod
    def of(cls, dendrogram: Dendrogram) -> MergeSchedule:
        """The schedule of a dendrogram of at least one page."""
        size, clusters = dendrogram.size, []
        joined = np.empty(size * (size - 1) // 2, dtype=np.int32)
        for number, (larger, smaller) in enumerate(dendrogram.merged_pairs()):
            joined[pairs_between(np.array(larger), np.array(smaller), size)] = number
            clusters.append((larger[0], smaller[0]))
        return cls(size, joined, tuple(clusters))

    def expected_bcubed(self, together: NDArray[np.floating]) -> tuple[Vector, Vector]:
        """Expected precision and recall after 0, 1, …, n - 1 merges, each of shape (n,).

        Args:
            together: shape (n(n-1)/2,), the probability that the two pages belong together.
        """
        # Precision: for each cluster its q over ordered pairs, divided by its pages.
        mass, pages = [1.0] * self.size, [1] * self.size
        gains = [float(self.size)]
        added = self._sum_by_merge(together).tolist()
        for (kept, gone), more in zip(self.clusters, added, strict=True):
            before = mass[kept] / pages[kept] + mass[gone] / pages[gone]
            mass[kept] += mass[gone] + 2 * more
            pages[kept] += pages[gone]
            gains.append(mass[kept] / pages[kept] - before)
        # Recall: a pair adds its q to both pages, divided by the sum of q of each.
        others = np.zeros(self.size)
        for row, part in enumerate(condensed_rows(together, self.size)):
            others[row] += part.sum(dtype=np.float64)
            others[row + 1 :] += part
        share, shared = 1 / (1 + others), np.empty_like(together)
        for row, (part, own) in enumerate(
            zip(*(condensed_rows(each, self.size) for each in (shared, together)), strict=True)
        ):
            np.multiply(own, share[row] + share[row + 1 :], out=part, casting="same_kind")
        shares = self._sum_by_merge(shared)
        return np.cumsum(gains) / self.size, np.cumsum([share.sum(), *shares]) / self.size

    def _sum_by_merge(self, of_pairs: NDArray[np.floating]) -> Vector:
        """Shape (n-1,): the sum over the pairs that each merge joins."""
        sums = np.zeros(len(self.clusters))
        for start in range(0, len(of_pairs), _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            sums += np.bincount(self.merge_of_pair[part], of_pairs[part], len(sums))
        return sums


_PAIRS_AT_ONCE = 1 << 22
_EPSILON = 1e-5
"""Probabilities are clipped to this distance from 0 and 1."""
_MAX_NUMBER = 1e6
"""Upper bound of the numbers of a stopping rule, far below overflow."""
_F_TOLERANCE = 1e-12
"""Values of expected F within this tolerance are equal, since sums differ by rounding."""


class Stopping(ABC):
    """A rule that decides how many merges of a dendrogram are kept: a dataclass of numbers."""

    __slots__: tuple[str, ...] = ()
    kind: ClassVar[str]

    @abstractmethod
    def merges(self, dendrogram: Dendrogram) -> int:
        """Number of leading merges to keep, within the bounds of the dendrogram."""

    def to_data(self) -> dict[str, float]:
        """The numbers by name, for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_data(cls, data: Any) -> Self:
        """Read what :meth:`to_data` wrote.

        Raises:
            ModelError: if a number is missing, not finite, or out of its range.
        """
        numbers: dict[str, float] = {}
        for name in cls.__slots__:
            value: Any = data.get(name) if isinstance(data, dict) else None
            if type(value) not in (int, float) or not abs(value) <= _MAX_NUMBER:
                what = f"its stopping decision is damaged ({name}: expected a finite number)"
                raise ModelError(what)
            numbers[name] = float(value)
        if numbers.get("slope", 1.0) <= 0 or not 0 <= numbers.get("alpha", 0.5) <= 1:
            raise ModelError("its stopping decision is damaged (slope or alpha out of range)")
        return cls(**numbers)


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

    level: float
    """Least probability of a merge."""

    def merges(self, dendrogram: Dendrogram) -> int:
        """Number of merges at least as probable as the level, within the bounds."""
        reached = sum(merge.probability >= self.level for merge in dendrogram.merges)
        return dendrogram.bounded_count(reached)


@dataclass(frozen=True, slots=True)
class ExpectedF(Stopping):
    """Stop where the expected B-Cubed F of the name is greatest.

    The probability p of a pair is sharpened to q = logistic(slope · logit(p) + shift), p clipped
    to [1e-5, 1 - 1e-5]; :mod:`weps.clustering.stopping` defines the expected F.
    """

    kind: ClassVar[str] = "expected-f"

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
        """Shape (n,): the expected F after 0, 1, …, n - 1 merges; see :func:`expected_f_curves`."""
        return np.asarray(expected_f_curves(dendrogram, [self])[0])


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

    slope: float
    """Greater than 0, see :class:`ExpectedF`."""
    intercept: float
    people: float
    odds: float
    alpha: float = 0.5
    """Weight of precision, from 0 to 1."""

    def merges(self, dendrogram: Dendrogram) -> int:
        """The number of merges that maximises the expected F; the smallest if several do."""
        return self._shifted(self.shift(dendrogram)).merges(dendrogram)

    def shift(self, dendrogram: Dendrogram) -> float:
        """Summand of the log odds of each pair of the name."""
        people, odds = name_predictors(dendrogram, self._shifted(0.0))
        shift = self.intercept + self.people * people + self.odds * odds
        return max(-_MAX_SHIFT, min(shift, _MAX_SHIFT))

    def _shifted(self, shift: float) -> ExpectedF:
        return ExpectedF(self.slope, self.slope * shift, self.alpha)


def name_predictors(dendrogram: Dendrogram, stopping: Stopping) -> tuple[float, float]:
    """Predictors of the prior of a name: ln(clusters), and the logit of the mean probability.

    Args:
        dendrogram: of the name.
        stopping: what the clusters are counted by.
    """
    clusters = dendrogram.size - stopping.merges(dendrogram)
    mean = dendrogram.probability.mean() if len(dendrogram.probability) else 0.5
    odds = logit(np.clip(mean, _MEAN_EPSILON, 1 - _MEAN_EPSILON))
    return float(np.log(max(clusters, 1))), float(odds)


STOPPING_KINDS: dict[str, type[Stopping]] = {
    each.kind: each for each in (Threshold, ExpectedF, ExpectedFByName)
}
"""Kind of a stopping rule → class."""


def stopping_from_data(kind: str, data: Any) -> Stopping:
    """The stopping decision of that kind, from what its ``to_data`` wrote.

    Raises:
        ModelError: if there is no such kind, or the data are damaged.
    """
    if kind not in tuple(STOPPING_KINDS):  # what a file has for a kind may be unhashable
        raise ModelError(
            f"its stopping rule {kind!r:.40} is unknown, known are {', '.join(STOPPING_KINDS)}",
            remedy="train it again with `weps train`, or install the version that made it",
        )
    return STOPPING_KINDS[kind].from_data(data)


def expected_f_curves(dendrogram: Dendrogram, stoppings: Sequence[ExpectedF]) -> Vector:
    """Shape (stoppings, n): the curve of each; shared parts are computed once."""
    if dendrogram.size == 0:
        return np.empty((len(stoppings), 0))
    schedule = MergeSchedule.of(dendrogram)
    logits = logit(dendrogram.probability.clip(_EPSILON, 1 - _EPSILON))
    curves = []
    for each in stoppings:
        precision, recall = schedule.expected_bcubed(expit(each.slope * logits + each.shift))
        # Both are greater than 0, since a page belongs with itself.
        curves.append(1 / (each.alpha / precision + (1 - each.alpha) / recall))
    return np.array(curves)
