"""Pairwise accuracy: how often a positive instance ranks above a negative one.

PWA and MaxPWA (Artiles, Amigó and Gonzalo, EMNLP 2009, section 4.3) and the redundancy of two
measures, each as a figure over plain arrays and as a
:class:`~weps_eval.stats.estimate.PairCounts` by groups of instances. All counts are exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weps.errors import ValuesError
from weps_eval.ranking.dominance import Comparisons
from weps_eval.stats.arrays import (
    Flags,
    Floats,
    Ints,
    as_groups,
    as_measure,
    count_inversions,
    count_ties,
    dense_ranks,
    joint_ranks,
)
from weps_eval.stats.estimate import PairCounts


def pwa(positive: ArrayLike, negative: ArrayLike) -> float:
    """PWA = P(x(a, a') > x(c, d)), in O(n log n); a tie counts as 0.

    Args:
        positive: shape (positives,), the measure's values of the positive instances.
        negative: shape (negatives,), those of the negative ones.

    Raises:
        ValuesError: if either is empty or holds NaN.
    """
    return pwa_counts(positive, negative).pooled


def auc(positive: ArrayLike, negative: ArrayLike) -> float:
    """PWA with ties counted as ½: the area under the ROC curve (Mann and Whitney 1947)."""
    return auc_counts(positive, negative).pooled


def max_pwa(positives: ArrayLike, negatives: ArrayLike) -> float:
    """MaxPWA = P(∃x: x(a, a') > x(c, d)), exact.

    No combination that rises with each of the measures has a higher PWA, whatever its weights: if
    no measure is higher for the positive instance, neither is the combination. The paper calls it
    an upper bound of any learner, but a learner that prefers low values of a measure can exceed it.

    Args:
        positives: shape (measures, positives).
        negatives: shape (measures, negatives), the same measures.

    Raises:
        ValuesError: if either is empty, they do not match, or hold NaN.
    """
    return max_pwa_counts(positives, negatives).pooled


def pwa_counts(
    positive: ArrayLike,
    negative: ArrayLike,
    positive_groups: ArrayLike | None = None,
    negative_groups: ArrayLike | None = None,
) -> PairCounts:
    """PWA by groups: rows of the pair count are the positives' groups, columns the negatives'.

    Groups have the shapes of the values, whole numbers from 0; None stands for one group.
    """
    above, _, total = _compare_pairs(positive, negative, positive_groups, negative_groups)
    return PairCounts.of(above, total)


def auc_counts(
    positive: ArrayLike,
    negative: ArrayLike,
    positive_groups: ArrayLike | None = None,
    negative_groups: ArrayLike | None = None,
) -> PairCounts:
    """PWA with ties counted as ½, by groups; see :func:`pwa_counts`."""
    above, tied, total = _compare_pairs(positive, negative, positive_groups, negative_groups)
    return PairCounts.of(above + tied / 2, total)


def max_pwa_counts(
    positives: ArrayLike,
    negatives: ArrayLike,
    positive_groups: ArrayLike | None = None,
    negative_groups: ArrayLike | None = None,
) -> PairCounts:
    """MaxPWA by groups, as :func:`pwa_counts`: a pair fails if no measure decides it right."""
    compared = Comparisons(positives, negatives, positive_groups, negative_groups)
    total = compared.total
    return PairCounts.of(total - compared.dominated(), total)


def _compare_pairs(
    positive: ArrayLike,
    negative: ArrayLike,
    positive_groups: ArrayLike | None,
    negative_groups: ArrayLike | None,
) -> tuple[Floats, ...]:
    """Numbers of comparisons that the positive wins, that are tied, and of all."""
    ours, theirs = as_measure(positive, "positive"), as_measure(negative, "negative")
    our_groups = as_groups(positive_groups, len(ours), "positive groups")
    their_groups = as_groups(negative_groups, len(theirs), "negative groups")
    rising = np.argsort(ours)  # neighbouring searches then end at neighbouring places
    ours, our_groups = ours[rising], our_groups[rising]
    below, up_to, total = [], [], []
    for group in range(int(their_groups.max()) + 1):
        ordered = np.sort(theirs[their_groups == group])
        # Sums of counts as floats are exact below 2⁵³.
        below.append(np.bincount(our_groups, np.searchsorted(ordered, ours, side="left")))
        up_to.append(np.bincount(our_groups, np.searchsorted(ordered, ours, side="right")))
        total.append(np.bincount(our_groups) * float(len(ordered)))
    wins, at_least, every = (np.stack(each, axis=1) for each in (below, up_to, total))
    return wins, at_least - wins, every


class RedundancyCounts(NamedTuple):
    """Agreement of another measure on the pairs of instances that a base measure ranks."""

    redundant: PairCounts
    """Pairs ranked the same way."""
    non_redundant: PairCounts
    """Pairs ranked the opposite way."""
    non_informative: PairCounts
    """Pairs that the other measure ties."""


def redundancy_counts(
    base: ArrayLike, other: ArrayLike, group: ArrayLike | None = None
) -> RedundancyCounts:
    """Redundancy by groups: shape (instances,), whole numbers from 0, None for one group.

    Pairs are counted in both orders, so the pair counts are symmetric; pooled shares are the same.
    """
    first, second = as_measure(base, "base"), as_measure(other, "other")
    groups = as_groups(group, len(first), "group")
    size = int(groups.max()) + 1
    base_ties, both_ties = count_ties(first, groups, size), count_ties(first, groups, size, second)
    members = np.bincount(groups).astype(np.int64)
    every = np.multiply.outer(members, members) - np.diag(members)
    both = np.stack([first, second])
    rising = Comparisons(both, both, groups, groups, strict=True).dominated()
    same, level = rising + rising.T, count_ties(second, groups, size) - both_ties
    ranked = every - base_ties
    opposite = ranked - same - level
    return RedundancyCounts(*(PairCounts.of(hits, ranked) for hits in (same, opposite, level)))


@dataclass(frozen=True, slots=True)
class Redundancy:
    """Agreement of another measure on the pairs of instances that a base measure ranks.

    The first three shares are of the pairs that the base ranks, and nan if it ranks none.
    """

    same: int
    """Pairs that both rank, the same way."""
    opposite: int
    """Pairs that both rank, in opposite ways."""
    tied: int
    """Pairs that the base ranks and the other measure ties."""
    pairs: int
    """All pairs of instances, n(n-1)/2, ranked by the base or not."""

    @property
    def redundant(self) -> float:
        """Share that the other measure ranks the same way."""
        return _share(self.same, self._ranked)

    @property
    def non_redundant(self) -> float:
        """Share that the other measure ranks the opposite way."""
        return _share(self.opposite, self._ranked)

    @property
    def non_informative(self) -> float:
        """Share that the other measure ties."""
        return _share(self.tied, self._ranked)

    @property
    def ranked(self) -> float:
        """Share of all pairs that the base ranks; nan for a single instance."""
        return _share(self._ranked, self.pairs)

    @property
    def _ranked(self) -> int:
        return self.same + self.opposite + self.tied


def redundancy(base: ArrayLike, other: ArrayLike) -> Redundancy:
    """Repetition of a base measure by another one (EMNLP 2009, section 4.2.2).

    Every pair of instances that the base ranks (its two values differ) is redundant, non-redundant
    or non-informative. All pairs are counted, none sampled, in O(n log n) by way of Kendall's tau
    (Knight 1966): in the order of the base, the pairs ranked the opposite way are inversions.

    Args:
        base: shape (instances,), the values of the base measure, in the paper those of tokens.
        other: shape (instances,), the values of the other measure; both may be infinite.

    Raises:
        ValuesError: if values are missing, NaN, not numbers, or not equally many.
    """
    first, second = dense_ranks(base, "base"), dense_ranks(other, "other")
    joint = joint_ranks(first, second)
    opposite = count_inversions(second[np.argsort(joint)])  # what the base ties is in rising order
    pairs = math.comb(len(joint), 2)
    ranked = pairs - _ties(np.bincount(first))
    tied = _ties(np.bincount(second)) - _ties(np.unique_counts(joint).counts)
    return Redundancy(ranked - opposite - tied, opposite, tied, pairs)


def _ties(counts: Ints) -> int:
    """Number of pairs with equal values, given how often each value occurs."""
    return int((counts * (counts - 1) // 2).sum())


def _share(count: int, total: int) -> float:
    return count / total if total else math.nan


def as_labelled(values: ArrayLike, positive: ArrayLike) -> tuple[NDArray[Any], Flags]:
    """The values and which instances are positive, both of shape (instances,).

    Raises:
        ValuesError: if values are missing, NaN or not numbers, or if positives are not truth
            values, not as many as the values, or none.
    """
    measure, truth = as_measure(values), np.asarray(positive)
    if truth.shape != measure.shape:
        raise ValuesError(
            f"expected shape ({len(measure)},), one label per instance, got {truth.shape}",
            where="positive",
        )
    if truth.dtype != np.bool_:
        raise ValuesError(f"expected truth values, got {truth.dtype}", where="positive")
    if not truth.any():
        raise ValuesError(
            "no instance is positive", where="positive", remedy="recall needs a positive instance"
        )
    return measure, truth
