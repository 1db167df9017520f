"""Average precision of many resamples of the groups at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from eval.ordering.labelled import as_labelled
from eval.ordering.ranks import dense_ranks
from eval.ordering.values import as_groups, as_measures
from weps.errors import ValuesError

__all__ = ["average_precisions"]

Matrix = NDArray[np.float64]
_POINTS = 64
"""Points of the curves that are worked on at a time: their figures fit the cache."""


def average_precisions(
    values: ArrayLike, positive: ArrayLike, group: ArrayLike, multiplicities: ArrayLike
) -> NDArray[np.float64]:
    """Average precision where group g counts ``multiplicities[r, g]`` times in resample r.

    As :func:`eval.ordering.curves.average_precision` with these weights, for the cost of two matrix
    products: the instances down to a point of the curve are counted once, by group, and a resample
    only weighs the counts.

    Args:
        values: shape (instances,), values of one measure.
        positive: shape (instances,), bool.
        group: shape (instances,), the group of each instance.
        multiplicities: shape (resamples, groups), not negative.

    Returns:
        Shape (resamples,), nan for a resample in which nothing is positive.

    Raises:
        ValuesError: if values are missing, NaN, no numbers, or do not fit together; if nothing is
            positive.
    """
    measure, truth = as_labelled(values, positive)
    members = as_groups(group, len(measure), "group")
    drawn = as_measures(multiplicities, "multiplicities").T.astype(np.float64)
    if members.max() >= len(drawn):
        raise ValuesError(f"there is no column for group {members.max()}", where="multiplicities")
    sums, found = np.zeros((2, drawn.shape[1]))
    for counts in _running(_entering(dense_ranks(measure), truth, members, len(drawn))):
        negatives, positives = (half @ drawn for half in np.split(counts, 2, axis=1))
        gained = np.diff(positives, axis=0, prepend=found[np.newaxis])
        instances = np.maximum(negatives + positives, np.finfo(np.float64).tiny)
        sums += (gained * positives / instances).sum(axis=0)
        found = positives[-1]
    return np.divide(sums, found, out=np.full_like(sums, np.nan), where=found > 0)


def _entering(
    ranks: NDArray[np.int64], truth: NDArray[np.bool_], members: NDArray[np.int64], groups: int
) -> sparse.csr_array:
    """How many enter at each point of the curve, by group.

    Average precision needs only the points at which a positive enters; negatives count from the
    next such point on, and those after the last one nowhere.

    Returns:
        Shape (points, 2 · groups), the negatives of every group before the positives.
    """
    level = ranks.max() - ranks
    gains = np.bincount(level, truth) > 0
    point: NDArray[np.int64] = (np.cumsum(gains) - gains)[level]
    shape = (int(gains.sum()), 2 * groups)
    counted = point < shape[0]
    cells = (point[counted], (members + groups * truth)[counted])
    return sparse.csr_array((np.ones(len(cells[0])), cells), shape=shape)


def _running(entering: sparse.csr_array) -> Iterator[Matrix]:
    """The counts down to every point, some points at a time."""
    before = np.zeros(entering.shape[1])
    for start in range(0, entering.shape[0], _POINTS):
        counts = entering[start : start + _POINTS].toarray().cumsum(axis=0) + before
        before = counts[-1]
        yield counts
