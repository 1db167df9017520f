"""Is it better to ask more measures, or for a higher difference in one of them?"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.meta.heterogeneity.pairs import Pairs
from eval.meta.heterogeneity.reliability import corroboration
from eval.meta.heterogeneity.verdicts import Verdicts
from eval.meta.judged import as_judged
from eval.ordering.curves import Curve, precision_at, precision_recall
from eval.ordering.values import as_measure

__all__ = ["reliability_gains", "threshold_curve"]

Floats = NDArray[np.float64]


def reliability_gains(
    values: ArrayLike, quality: ArrayLike, pairs: Pairs, sets: ArrayLike, *, or_more: bool = False
) -> Floats:
    """R(X) − max {R_th(x): x ∈ X, S_th(x) = S(X)} of many sets (EMNLP 2011, section 7).

    A threshold at which a measure is exactly as sensitive as the set rarely exists, and how near
    is near enough the paper does not say. Here the reliability between two thresholds lies on the
    line that joins them, and below the sensitivity of the highest one it is that of the highest.
    Of several reliabilities at the same sensitivity the highest is taken, as in the paper; th ≥ 0.

    Args:
        values: shape (measures, instances).
        quality: shape (instances,), as people judged.
        pairs: which instances are compared, each pair both ways round.
        sets: bool, shape (sets, measures).
        or_more: whether a measure may be compared at any threshold at which it is as sensitive
            or more: reliability can fall as the threshold rises, where people see few differences.

    Returns:
        Shape (sets,); nan where a set confirms no real improvement, or is empty.

    Raises:
        ValuesError: if values are missing, NaN, no numbers, or do not fit together.
    """
    measures, truth = as_judged(values, quality)
    found = corroboration(Verdicts.of(measures, pairs), Verdicts.of(truth, pairs), sets)
    reached = precision_at if or_more else _reliability_at
    curves = (threshold_curve(each, truth, pairs) for each in measures)  # as long as the pairs
    alone = np.stack([reached(each, found.sensitivity) for each in curves])
    best = np.where(np.asarray(sets).T, alone, -np.inf).max(axis=0)
    known = (found.real > 0) & np.any(sets, axis=1)
    return np.where(known, found.reliability - best, np.nan)


def threshold_curve(values: ArrayLike, quality: ArrayLike, pairs: Pairs) -> Curve:
    """R_th(x) as precision, S_th(x) as recall, for every th ≥ 0 that makes a difference.

    R_th(x) = P(Q(s) ≥ Q(s') | x(s) − x(s') ≥ th), S_th(x) = P(x(s) − x(s') ≥ th | Q(s) ≥ Q(s')).

    Args:
        values: shape (instances,), one measure; two infinite values that are equal differ by 0.
        quality: shape (instances,).
        pairs: as in :func:`reliability_gains`.

    Raises:
        ValuesError: if values are missing, NaN, no numbers, or do not fit together.
    """
    (measure,), truth = as_judged(as_measure(values), quality)
    first, second = (np.concatenate(each) for each in (pairs, pairs[::-1]))
    curve = precision_recall(_differences(measure, first, second), truth[first] >= truth[second])
    kept = curve.threshold >= 0
    return Curve(curve.recall[kept], curve.precision[kept], curve.threshold[kept])


def _differences(measure: Floats, first: NDArray[np.int64], second: NDArray[np.int64]) -> Floats:
    one, other = measure[first], measure[second]
    differences = np.zeros(len(one))
    with np.errstate(over="ignore"):  # as far apart as can be
        return np.subtract(one, other, out=differences, where=one != other)


def _reliability_at(curve: Curve, sensitivity: Floats) -> Floats:
    """Shape (sets,): on the lines between the highest reliabilities at each sensitivity."""
    reached, start = np.unique(curve.recall, return_index=True)
    return np.interp(sensitivity, reached, np.maximum.reduceat(curve.precision, start))
