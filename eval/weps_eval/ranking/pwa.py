"""How measures rank positive instances above negative ones: pairwise accuracy, and curves.

PWA and MaxPWA (Artiles, Amigó and Gonzalo, EMNLP 2009, section 4.3) and the redundancy of two
measures, each as a figure over plain arrays and as a
:class:`~weps_eval.stats.estimate.PairCounts` by groups of instances. All counts are exact.
Precision-recall curves have one point for each value, and average precision resamples.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from weps_eval.ranking.subsets import Comparisons
from weps_eval.stats.arrays import (
    Flags,
    Floats,
    Ints,
    as_groups,
    as_measure,
    count_ties,
    dense_ranks,
    joint_ranks,
)
from weps_eval.stats.estimate import PairCounts, safe_divide


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
        return float(safe_divide(self.same, self._ranked))

    @property
    def non_redundant(self) -> float:
        """Share that the other measure ranks the opposite way."""
        return float(safe_divide(self.opposite, self._ranked))

    @property
    def non_informative(self) -> float:
        """Share that the other measure ties."""
        return float(safe_divide(self.tied, self._ranked))

    @property
    def ranked(self) -> float:
        """Share of all pairs that the base ranks; nan for a single instance."""
        return float(safe_divide(self._ranked, self.pairs))

    @property
    def _ranked(self) -> int:
        return self.same + self.opposite + self.tied


def count_inversions(sequence: ArrayLike) -> int:
    """Number of pairs in falling order: i < j and sequence[i] > sequence[j].

    O(n log n), as in Knight (1966), but distributing where he merges: the elements are ranked,
    and each bit of the ranks, from the highest, parts every block into its lower and its upper
    half. A lower element that an upper one precedes is an inversion, and no other bit counts it.

    Args:
        sequence: shape (n,), n < 2³¹, any numbers that are not NaN.
    """
    order = np.argsort(np.asarray(sequence), kind="stable")
    # A permutation and its inverse, the ranks, have equally many inversions. It is lengthened to a
    # power of two by elements that stay where they are.
    line = np.arange(1 << len(order).bit_length(), dtype=np.int32)
    line[: len(order)] = order
    found, half = 0, len(line) // 2
    while half:
        upper = (line & half) != 0
        places, others = np.flatnonzero(~upper), np.flatnonzero(upper)
        # The k-th of the lower elements, at place p of its block, has p - k upper ones before it.
        blocks = len(places) // half
        found += int((places & (2 * half - 1)).sum()) - blocks * (half * (half - 1) // 2)
        parts = (line[places].reshape(-1, half), line[others].reshape(-1, half))
        line = np.concatenate(parts, axis=1).ravel()
        half //= 2
    return found


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
    counts = np.bincount(first), np.bincount(second), np.unique_counts(joint).counts
    by_base, by_other, by_both = (int((each * (each - 1) // 2).sum()) for each in counts)
    pairs, tied = math.comb(len(joint), 2), by_other - by_both
    return Redundancy(pairs - by_base - opposite - tied, opposite, tied, pairs)


_EQUAL = 1e-9
"""Recalls no further apart are equal: the same share, divided another way."""


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A precision/recall curve: three arrays of shape (points,), one point per distinct value.

    Point k is about the instances whose value is at least ``threshold[k]``.
    """

    recall: Floats
    """Share of all positives that is among them, never falling."""
    precision: Floats
    """Share of them that is positive."""
    threshold: Floats
    """The distinct values, falling."""

    def above(self, value: float) -> Curve:
        """The points whose threshold is greater than that.

        ``above(0)`` leaves off the point at which all pairs with nothing in common enter at once:
        a similarity does not rank them, and its curve ends at the recall of those it does.
        """
        kept = self.threshold > value
        return Curve(self.recall[kept], self.precision[kept], self.threshold[kept])


def precision_recall(values: NDArray[Any], positive: Flags) -> Curve:
    """Rank the instances by their values, highest first (EMNLP 2009, section 4.2.1).

    With t_n positives among the first n instances and t in all, P = t_n / n and R = t_n / t.
    Instances of one value enter together, as nothing ranks one before another: n is only ever the
    number of instances with a value or any higher.

    Args:
        values: shape (instances,), values of one measure.
        positive: shape (instances,), bool, one true at least.
    """
    threshold, level = np.unique(values, return_inverse=True)
    instances, positives = (
        np.cumsum(np.bincount(level, each)[::-1]) for each in (np.ones(len(positive)), positive)
    )
    return Curve(
        recall=positives / positives[-1],
        precision=positives / instances,
        threshold=threshold[::-1].astype(np.float64),
    )


def precision_at(curve: Curve, recall: ArrayLike) -> Floats:
    """Interpolated precision: the best at that recall or any higher, shaped like ``recall``.

    Manning, Raghavan and Schütze 2008, section 8.4. It is nan where the curve ends before.
    """
    best = np.maximum.accumulate(curve.precision[::-1])[::-1]
    wanted = np.asarray(recall, dtype=np.float64)
    return np.append(best, np.nan)[np.searchsorted(curve.recall, wanted - _EQUAL)]


_POINTS = 64
"""Points of the curves that are worked on at a time: their figures fit the cache."""


def average_precisions(
    values: NDArray[Any], positive: Flags, group: NDArray[Any], weights: Floats
) -> Floats:
    """Average precision where group g counts ``weights[r, g]`` times in resample r.

    Σ (R_k − R_{k−1}) P_k over the points of the curve, see :func:`precision_recall`, for the cost
    of two matrix products: the instances down to a point are counted once, by group, and a resample
    only weighs the counts. Only points count at which a positive enters; negatives count from the
    next such point on, and those after the last one nowhere.

    Args:
        values: shape (instances,), values of one measure.
        positive: shape (instances,), bool, one true at least.
        group: shape (instances,), the group of each instance.
        weights: shape (resamples, groups), not negative.

    Returns:
        Shape (resamples,), nan for a resample in which nothing is positive.
    """
    ranks, groups = dense_ranks(values), weights.shape[1]
    level = ranks.max() - ranks
    gains = np.bincount(level, positive) > 0
    point: Ints = (np.cumsum(gains) - gains)[level]
    shape = (int(gains.sum()), 2 * groups)
    counted = point < shape[0]
    cells = (point[counted], (group + groups * positive)[counted])
    entering = sparse.csr_array((np.ones(len(cells[0])), cells), shape=shape)
    sums, found = np.zeros((2, len(weights)))
    before = np.zeros(2 * groups)
    for start in range(0, shape[0], _POINTS):
        counts = entering[start : start + _POINTS].toarray().cumsum(axis=0) + before
        before = counts[-1]
        negatives, positives = (half @ weights.T for half in np.split(counts, 2, axis=1))
        gained = np.diff(positives, axis=0, prepend=found[np.newaxis])
        instances = np.maximum(negatives + positives, np.finfo(np.float64).tiny)
        sums += (gained * positives / instances).sum(axis=0)
        found = positives[-1]
    return safe_divide(sums, found)
