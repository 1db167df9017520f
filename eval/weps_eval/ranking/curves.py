"""Precision-recall curves with ties as one point, and average precision of bootstrap samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from weps.errors import ValuesError
from weps_eval.ranking.pwa import as_labelled
from weps_eval.stats.arrays import Flags, Floats, Ints, as_groups, as_measures, dense_ranks
from weps_eval.stats.estimate import safe_divide

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


def precision_recall(values: ArrayLike, positive: ArrayLike) -> Curve:
    """Rank the instances by their values, highest first (EMNLP 2009, section 4.2.1).

    With t_n positives among the first n instances and t in all, P = t_n / n and R = t_n / t.
    Instances of one value enter together, as nothing ranks one before another: n is only ever the
    number of instances with a value or any higher.

    Args:
        values: shape (instances,), values of one measure.
        positive: shape (instances,), bool.

    Raises:
        ValuesError: if values are missing, NaN, not numbers, or not equally many; if nothing is
            positive.
    """
    measure, truth = as_labelled(values, positive)
    threshold, level = np.unique(measure, return_inverse=True)
    instances, positives = (
        np.cumsum(np.bincount(level, each)[::-1]) for each in (np.ones(len(truth)), truth)
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
    values: ArrayLike, positive: ArrayLike, group: ArrayLike, weights: ArrayLike
) -> Floats:
    """Average precision where group g counts ``weights[r, g]`` times in resample r.

    Σ (R_k − R_{k−1}) P_k over the points of the curve, see :func:`precision_recall`, for the cost
    of two matrix products: the instances down to a point are counted once, by group, and a resample
    only weighs the counts.

    Args:
        values: shape (instances,), values of one measure.
        positive: shape (instances,), bool.
        group: shape (instances,), the group of each instance.
        weights: shape (resamples, groups), not negative.

    Returns:
        Shape (resamples,), nan for a resample in which nothing is positive.

    Raises:
        ValuesError: if values are missing, NaN, not numbers, or do not fit together; if nothing is
            positive.
    """
    measure, truth = as_labelled(values, positive)
    members = as_groups(group, len(measure), "group")
    weight = as_measures(weights, "weights").T.astype(np.float64)
    if members.max() >= len(weight):
        raise ValuesError(f"no column for group {members.max()}", where="weights")
    sums, found = np.zeros((2, weight.shape[1]))
    for counts in _cumulative_counts(_entering(dense_ranks(measure), truth, members, len(weight))):
        negatives, positives = (half @ weight for half in np.split(counts, 2, axis=1))
        gained = np.diff(positives, axis=0, prepend=found[np.newaxis])
        instances = np.maximum(negatives + positives, np.finfo(np.float64).tiny)
        sums += (gained * positives / instances).sum(axis=0)
        found = positives[-1]
    return safe_divide(sums, found)


def _entering(ranks: Ints, truth: Flags, members: Ints, groups: int) -> sparse.csr_array:
    """Numbers of instances that enter at each point of the curve, by group.

    Average precision needs only the points at which a positive enters; negatives count from the
    next such point on, and those after the last one nowhere.

    Returns:
        Shape (points, 2 · groups), the negatives of every group before the positives.
    """
    level = ranks.max() - ranks
    gains = np.bincount(level, truth) > 0
    point: Ints = (np.cumsum(gains) - gains)[level]
    shape = (int(gains.sum()), 2 * groups)
    counted = point < shape[0]
    cells = (point[counted], (members + groups * truth)[counted])
    return sparse.csr_array((np.ones(len(cells[0])), cells), shape=shape)


def _cumulative_counts(entering: sparse.csr_array) -> Iterator[Floats]:
    """The counts down to every point, some points at a time."""
    before = np.zeros(entering.shape[1])
    for start in range(0, entering.shape[0], _POINTS):
        counts = entering[start : start + _POINTS].toarray().cumsum(axis=0) + before
        before = counts[-1]
        yield counts
