"""Pairwise accuracy: how often a positive instance ranks above a negative one.

PWA and MaxPWA (Artiles, Amigó and Gonzalo, EMNLP 2009, section 4.3), each as a
figure over plain arrays and as a :class:`~eval.ordering.tally.Tally` by groups of instances.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.ordering.dominance import Comparisons
from eval.ordering.tally import Tally
from eval.ordering.values import as_groups, as_measure

__all__ = ["auc", "auc_tally", "max_pwa", "max_pwa_tally", "pwa", "pwa_tally"]

Ints = NDArray[np.int64]


def pwa(positive: ArrayLike, negative: ArrayLike) -> float:
    """PWA = P(x(a, a') > x(c, d)), in O(n log n); a tie is no success.

    Args:
        positive: shape (positives,), the measure's values of the positive instances.
        negative: shape (negatives,), those of the negative ones.

    Raises:
        ValuesError: if either is empty or holds NaN.
    """
    return pwa_tally(positive, negative).pooled


def auc(positive: ArrayLike, negative: ArrayLike) -> float:
    """PWA with ties counted as ½: the area under the ROC curve (Mann and Whitney 1947)."""
    return auc_tally(positive, negative).pooled


def max_pwa(positives: ArrayLike, negatives: ArrayLike) -> float:
    """MaxPWA = P(∃x: x(a, a') > x(c, d)), exact.

    Nothing that rises with each of the measures, however it weighs them, has a higher PWA: where
    no measure is higher for the positive instance, neither is what rises with them. The paper
    calls it a bound of any learner; one that prefers low values of a measure can exceed it.

    Args:
        positives: shape (measures, positives).
        negatives: shape (measures, negatives), the same measures.

    Raises:
        ValuesError: if either is empty, they do not match, or hold NaN.
    """
    return max_pwa_tally(positives, negatives).pooled


def pwa_tally(
    positive: ArrayLike,
    negative: ArrayLike,
    positive_groups: ArrayLike | None = None,
    negative_groups: ArrayLike | None = None,
) -> Tally:
    """PWA by groups: rows of the tally are the positives' groups, columns the negatives'.

    Args:
        positive: shape (positives,).
        negative: shape (negatives,).
        positive_groups: shape (positives,), whole numbers from 0; None for one group.
        negative_groups: shape (negatives,), likewise.
    """
    above, _, total = _compared(positive, negative, positive_groups, negative_groups)
    return Tally.of(above, total)


def auc_tally(
    positive: ArrayLike,
    negative: ArrayLike,
    positive_groups: ArrayLike | None = None,
    negative_groups: ArrayLike | None = None,
) -> Tally:
    """As :func:`pwa_tally` with ties counted as ½."""
    above, tied, total = _compared(positive, negative, positive_groups, negative_groups)
    return Tally.of(above + tied / 2, total)


def max_pwa_tally(
    positives: ArrayLike,
    negatives: ArrayLike,
    positive_groups: ArrayLike | None = None,
    negative_groups: ArrayLike | None = None,
) -> Tally:
    """MaxPWA by groups, as :func:`pwa_tally`: a comparison fails if no measure decides it right."""
    compared = Comparisons(positives, negatives, positive_groups, negative_groups)
    total = compared.total
    return Tally.of(total - compared.dominated(), total)


def _compared(
    positive: ArrayLike,
    negative: ArrayLike,
    positive_groups: ArrayLike | None,
    negative_groups: ArrayLike | None,
) -> tuple[NDArray[np.float64], ...]:
    """How many comparisons the positive wins, how many are tied, how many there are."""
    ours, theirs = as_measure(positive, "positive"), as_measure(negative, "negative")
    our_groups = as_groups(positive_groups, len(ours), "positive groups")
    their_groups = as_groups(negative_groups, len(theirs), "negative groups")
    rising = np.argsort(ours)  # neighbouring searches then end at neighbouring places
    ours, our_groups = ours[rising], our_groups[rising]
    below, up_to, total = [], [], []
    for group in range(int(their_groups.max()) + 1):
        ordered = np.sort(theirs[their_groups == group])
        below.append(_sums(our_groups, np.searchsorted(ordered, ours, side="left")))
        up_to.append(_sums(our_groups, np.searchsorted(ordered, ours, side="right")))
        total.append(np.bincount(our_groups) * float(len(ordered)))
    wins, at_least, every = (np.stack(each, axis=1) for each in (below, up_to, total))
    return wins, at_least - wins, every


def _sums(groups: Ints, counts: Ints) -> NDArray[np.float64]:
    """Shape (groups,): the counts added up, exact below 2⁵³."""
    return np.bincount(groups, weights=counts).astype(np.float64)
