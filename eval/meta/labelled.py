"""QUEEN and KING for labelled instances: which features distinguish positives from negatives.

In people search two pages of one person are a positive instance, and the similarity of two models
in QARLA is that of such a pair: positives are the models, negatives the peers. As everywhere in
QARLA features need no weights and no common scale, and what they agree on counts; PWA and MaxPWA
(:mod:`eval.ranking`) ask for one feature that is right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.ranking.pwa import pwa
from eval.stats.arrays import Floats, Ints, as_groups, as_measures
from weps.errors import ValuesError

__all__ = ["FeatureSelection", "LabelledConditions", "greedy_features", "king", "mean_superiority"]

Bytes = NDArray[np.uint8]


class Panel(NamedTuple):
    """One group: which instances are at least as high as which positives."""

    positives: Bytes
    """Shape (measures, positives, bytes): bit c is set if x(p) ≥ x(c)."""
    negatives: Bytes
    """Shape (measures, negatives, bytes)."""

    def counts(self, measures: Sequence[int]) -> tuple[Ints, Ints]:
        """How many other positives each positive, and each negative, passes in all of these."""
        ours, theirs = (_count_passed(each, measures) for each in self)
        return ours - 1, theirs  # each passes itself


@dataclass(frozen=True, slots=True, eq=False)
class LabelledConditions:
    """Instances of each group compared with its positives: a bit each for every measure.

    QUEEN_X(i) = P(∀x ∈ X: x(i) ≥ x(c)), c a positive of the same group other than the one that
    QUEEN is compared for: as in QARLA it is left out (ACL 2005, section 5).
    """

    panels: tuple[Panel, ...]
    """Of each group that has two positives and a negative."""
    measures: int

    @classmethod
    def of(
        cls,
        positives: ArrayLike,
        negatives: ArrayLike,
        positive_groups: ArrayLike | None = None,
        negative_groups: ArrayLike | None = None,
    ) -> LabelledConditions:
        """Compare the instances.

        Args:
            positives: shape (measures, positives).
            negatives: shape (measures, negatives), the same measures.
            positive_groups: shape (positives,), whole numbers from 0; None for one group.
            negative_groups: shape (negatives,), likewise.

        Raises:
            ValuesError: if either is empty, they do not match, or hold NaN; if no group has two
                positives and a negative.
        """
        ours, theirs = as_measures(positives, "positives"), as_measures(negatives, "negatives")
        if len(ours) != len(theirs):
            what = f"{len(ours)} measures of positives and {len(theirs)} of negatives do not match"
            raise ValuesError(what)
        our_groups = as_groups(positive_groups, ours.shape[1], "positive groups")
        their_groups = as_groups(negative_groups, theirs.shape[1], "negative groups")
        parts = [
            (ours[:, our_groups == group], theirs[:, their_groups == group])
            for group in range(int(our_groups.max()) + 1)
        ]
        panels = tuple(
            Panel(_reached_positives(own, own), _reached_positives(other, own))
            for own, other in parts
            if own.shape[1] > 1 and other.shape[1]
        )
        if not panels:
            raise ValuesError("no group has two positives and a negative")
        return cls(panels, len(ours))

    def counts(self, measures: Sequence[int] | None = None) -> list[tuple[Ints, Ints]]:
        """By group, how many other positives each positive, and each negative, passes.

        Args:
            measures: the set X, one measure or more; all, if None.

        Raises:
            ValuesError: if there is no such set.
        """
        chosen = list(range(self.measures) if measures is None else measures)
        if not chosen or not 0 <= min(chosen) <= max(chosen) < self.measures:
            raise ValuesError(f"expected indices of the {self.measures} measures, got {chosen}")
        return [panel.counts(chosen) for panel in self.panels]


Quality = Callable[[LabelledConditions, Sequence[int]], float]


def mean_superiority(
    conditions: LabelledConditions, measures: Sequence[int] | None = None
) -> float:
    """K(X) = P(QUEEN(p) > QUEEN(n)) (ACL 2005, section 3.3), its mean over groups.

    That is PWA of QUEEN, and what to select features by when there are many negatives.

    Raises:
        ValuesError: as :meth:`LabelledConditions.counts`.
    """
    return float(np.mean([pwa(ours, theirs) for ours, theirs in conditions.counts(measures)]))


def king(conditions: LabelledConditions, measures: Sequence[int] | None = None) -> float:
    """KING(X) = P(∀n: QUEEN(p) > QUEEN(n)) (ACL 2005, section 3.3), its mean over groups.

    Raises:
        ValuesError: as :meth:`LabelledConditions.counts`.
    """
    counts = conditions.counts(measures)
    return float(np.mean([(ours > theirs.max()).mean() for ours, theirs in counts]))


class FeatureSelection(NamedTuple):
    """Some measures, in the order in which they were added, and what they reach together."""

    measures: tuple[int, ...]
    quality: float


def greedy_features(
    conditions: LabelledConditions, size: int | None = None, quality: Quality = mean_superiority
) -> list[FeatureSelection]:
    """Add, one after another, the measure with which quality is highest; the first one if tied.

    Args:
        conditions: the instances.
        size: how many measures to add; None for all.
        quality: :func:`mean_superiority` or :func:`king`; it may fall as measures are added.

    Returns:
        The sets of 1, 2, … measures.

    Raises:
        ValuesError: for a size that cannot be.
    """
    wanted = conditions.measures if size is None else size
    if not 1 <= wanted <= conditions.measures:
        raise ValuesError(f"no set of {wanted} can be chosen from {conditions.measures} measures")
    found: list[FeatureSelection] = []
    before: tuple[int, ...] = ()
    for _ in range(wanted):
        sets = [(*before, each) for each in range(conditions.measures) if each not in before]
        best = max(
            (FeatureSelection(each, quality(conditions, each)) for each in sets), key=_quality
        )
        before = best.measures
        found.append(best)
    return found


def _quality(chosen: FeatureSelection) -> float:
    return chosen.quality


def _reached_positives(values: Floats, positives: Floats) -> Bytes:
    """Shape (measures, instances, bytes): which positives each instance is at least as high as."""
    pairs = zip(values, positives, strict=True)
    return np.stack([np.packbits(own[:, None] >= other, axis=1) for own, other in pairs])


def _count_passed(reached: Bytes, measures: Sequence[int]) -> Ints:
    """Shape (instances,): how many positives each is at least as high as in all of these."""
    together = reduce(np.bitwise_and, (reached[each] for each in measures))
    counts: Ints = np.bitwise_count(together).sum(axis=1, dtype=np.int64)
    return counts
