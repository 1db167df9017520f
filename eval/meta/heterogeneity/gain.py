"""Is it better to ask more measures, or for a higher difference in one of them?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.meta.heterogeneity.pairs import Pairs
from eval.meta.heterogeneity.reliability import corroboration
from eval.meta.heterogeneity.verdicts import Verdicts
from eval.meta.judged import as_judged
from eval.ordering.curves import Curve, precision_at, precision_recall
from eval.ordering.values import as_measure
from weps.progress import Progress, silent

__all__ = ["drawn_gains", "reliability_gains", "threshold_curve"]

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
    once = np.ones((1, len(pairs.first)))
    return drawn_gains(values, quality, pairs, sets, once, or_more=or_more)[:, 0]


def drawn_gains(  # noqa: PLR0913 - what is judged, by whom, how often, and how it is told
    values: ArrayLike,
    quality: ArrayLike,
    pairs: Pairs,
    sets: ArrayLike,
    times: ArrayLike,
    *,
    or_more: bool = False,
    progress: Progress = silent,
) -> Floats:
    """The gains of :func:`reliability_gains` with pairs drawn anew many times.

    The differences of a measure are sorted once; a resample only weighs them.

    Args:
        values: shape (measures, instances).
        quality: shape (instances,), as people judged.
        pairs: which instances are compared, each pair both ways round.
        sets: bool, shape (sets, measures).
        times: shape (resamples, pairs), how often each pair is there, whole numbers from 0, not
            all 0.
        or_more: as above.
        progress: hears how many measures are done.

    Returns:
        Shape (sets, resamples); nan where a set confirms no real improvement, or is empty.

    Raises:
        ValuesError: if values are missing, NaN, no numbers, or do not fit together.
    """
    measures, truth = as_judged(values, quality)
    chosen, often = np.asarray(sets), np.asarray(times).astype(np.int64)
    found = [
        corroboration(Verdicts.of(measures, each), Verdicts.of(truth, each), chosen)
        for each in (_repeated(pairs, row) for row in often)
    ]
    reached = precision_at if or_more else _reliability_at
    best = np.full((len(chosen), len(often)), -np.inf)
    for number, measure in enumerate(measures):
        progress("trying thresholds", number, len(measures))
        holding = chosen[:, number]
        for column, curve in enumerate(_curves(measure, truth, pairs, often)):
            alone = reached(curve, found[column].sensitivity[holding])
            best[holding, column] = np.maximum(best[holding, column], alone)
    progress("trying thresholds", len(measures), len(measures))
    reliability = np.stack([each.reliability for each in found], axis=1)
    real = np.stack([each.real for each in found], axis=1)
    known = (real > 0) & chosen.any(axis=1, keepdims=True)
    return np.where(known, reliability - best, np.nan)


def _repeated(pairs: Pairs, times: NDArray[np.int64]) -> Pairs:
    return Pairs(*(np.repeat(each, times) for each in pairs))


def _curves(
    measure: Floats, truth: Floats, pairs: Pairs, times: NDArray[np.int64]
) -> Iterator[Curve]:
    """:func:`threshold_curve` of each resample."""
    first, second = (np.concatenate(each) for each in (pairs, pairs[::-1]))
    differences = _differences(measure, first, second)
    held = (truth[first] >= truth[second]).astype(np.float64)
    threshold, level = np.unique(differences, return_inverse=True)
    order = np.argsort(-level, kind="stable")
    starts = np.flatnonzero(np.diff(-level[order], prepend=-len(threshold)))
    both = np.tile(times, 2).astype(np.float64)
    for row in both:
        weight = row[order]
        instances, positives = (
            np.add.reduceat(each, starts).cumsum() for each in (weight, weight * held[order])
        )
        kept = (threshold[::-1] >= 0) & (instances > 0)
        yield Curve(
            positives[kept] / positives[-1],
            positives[kept] / instances[kept],
            threshold[::-1][kept],
        )


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
