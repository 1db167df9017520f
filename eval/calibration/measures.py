"""How good forecasts are, and whether they can be taken at their word.

Every measure is a function of the forecasts and of how often each name counts, shape
(draws, names), with one value per draw: the figure itself and its resamples are the same
computation. All sums are made by name beforehand, so that a draw only weighs them.
"""

from __future__ import annotations

import numpy as np

from eval.calibration.bins import Binned, binned, equal_count, equal_width, quotient
from eval.calibration.forecasts import Forecasts, Matrix, Vector
from eval.calibration.recalibration import recalibration
from eval.ordering.tally import Estimate

__all__ = [
    "CLIPPED",
    "brier_parts",
    "brier_score",
    "expected_error",
    "largest_error",
    "log_loss",
    "measures",
]

CLIPPED = 1e-6
"""Forecasts are taken to be no nearer to 0 and 1 than this where their logarithm is needed."""

_RAISED_BY_CHANCE = ("ece", "ece_equal_width", "mce", "reliability")


def measures(forecasts: Forecasts, bins: int = 10, seed: int = 0) -> dict[str, Estimate]:
    """All measures with their 95 % intervals, bootstrapped over names.

    Percentile bootstrap with 10,000 resamples of the names (Efron and Tibshirani 1993, chapter
    13), the same for every measure; nan for a single name. Bins stay as they are. Chance only adds
    to errors of calibration and to the reliability part: they are above 0 even for calibrated
    forecasts, and in resamples above what they are in the sample. Their intervals are therefore
    reflected (the basic bootstrap of Davison and Hinkley 1997, section 5.2), ended at 0 and
    extended to the figure itself. For the reliability part that suffices; ECE and MCE of forecasts
    that are all but calibrated remain too high, and their intervals with them.

    Args:
        forecasts: of one system.
        bins: how many bins; those of equal count for all measures but ``ece_equal_width``.
        seed: for the resamples.

    Returns:
        ``brier``, ``log_loss``, ``ece``, ``ece_equal_width``, ``mce``, ``reliability``,
        ``resolution``, ``uncertainty``, ``slope`` and ``intercept``.

    Raises:
        ValuesError: if there is to be no bin.
    """
    drawn = forecasts.drawn(seed)
    counted = binned(forecasts, equal_count(forecasts.probability, bins))
    wide = binned(forecasts, equal_width(forecasts.probability, bins))
    reliability, resolution, uncertainty = brier_parts(counted, drawn)
    intercept, slope = recalibration(forecasts, drawn, CLIPPED)
    values = {
        "brier": brier_score(forecasts, drawn),
        "log_loss": log_loss(forecasts, drawn),
        "ece": expected_error(counted, drawn),
        "ece_equal_width": expected_error(wide, drawn),
        "mce": largest_error(counted, drawn),
        "reliability": reliability,
        "resolution": resolution,
        "uncertainty": uncertainty,
        "slope": slope,
        "intercept": intercept,
    }
    estimates = {key: Estimate.of(float(each[0]), each[1:]) for key, each in values.items()}
    return estimates | {key: _reflected(estimates[key]) for key in _RAISED_BY_CHANCE}


def brier_score(forecasts: Forecasts, drawn: Matrix) -> Vector:
    """Mean squared difference of forecast and outcome, from 0, the best, to 1 (Brier 1950).

    Brier's own score adds both outcomes up and is twice this.

    Args:
        forecasts: of one system.
        drawn: shape (draws, names), how often each name counts.

    Returns:
        Shape (draws,).
    """
    return _mean(forecasts, (forecasts.probability - forecasts.happened) ** 2, drawn)


def log_loss(forecasts: Forecasts, drawn: Matrix) -> Vector:
    """Mean of −ln of what was forecast for the outcome, in nats; forecasts clipped at 1e-6.

    Clipped, since a single 0 that happened would make it infinite (Good 1952). Shapes as in
    :func:`brier_score`.
    """
    given = np.where(forecasts.happened, forecasts.probability, 1 - forecasts.probability)
    return _mean(forecasts, -np.log(np.clip(given, CLIPPED, 1 - CLIPPED)), drawn)


def expected_error(bins: Binned, drawn: Matrix) -> Vector:
    """Expected calibration error (ECE): how far the bins are off, by their weights.

    The mean over bins of |mean forecast − share that happened| (Naeini, Cooper and Hauskrecht
    2015). Shapes as in :func:`brier_score`.
    """
    off = np.abs(drawn @ (bins.forecast - bins.happened))
    return quotient(off.sum(axis=1), (drawn @ bins.weight).sum(axis=1))


def largest_error(bins: Binned, drawn: Matrix) -> Vector:
    """Maximum calibration error (MCE): how far the bin is off that is off farthest.

    Source and shapes as in :func:`expected_error`.
    """
    off = quotient(np.abs(drawn @ (bins.forecast - bins.happened)), drawn @ bins.weight)
    return np.asarray(np.nan_to_num(off).max(axis=1))


def brier_parts(bins: Binned, drawn: Matrix) -> tuple[Vector, Vector, Vector]:
    """Reliability, resolution and uncertainty (Murphy 1973).

    Reliability − resolution + uncertainty is the Brier score of forecasts that are alike within
    their bins; of others, the score of their bins' means. Reliability, how far the bins are off,
    is best at 0; resolution, how much the bins differ in what happens, is best when it equals the
    uncertainty, the variance of the outcomes.

    Returns:
        Three of shape (draws,).
    """
    weight, forecast, happened = (
        drawn @ each for each in (bins.weight, bins.forecast, bins.happened)
    )
    whole = weight.sum(axis=1)
    rate = quotient(happened.sum(axis=1), whole)
    off = np.nan_to_num(quotient((forecast - happened) ** 2, weight))
    apart = np.nan_to_num(quotient((happened - weight * rate[:, np.newaxis]) ** 2, weight))
    return quotient(off.sum(axis=1), whole), quotient(apart.sum(axis=1), whole), rate * (1 - rate)


def _reflected(usual: Estimate) -> Estimate:
    """The interval as far below the figure as resamples are above it, and the other way round."""
    value = usual.value
    low, high = np.maximum([0, value], [2 * value - usual.high, 2 * value - usual.low]).tolist()
    return Estimate(value, low, high)


def _mean(forecasts: Forecasts, loss: Vector, drawn: Matrix) -> Vector:
    """Shape (draws,): the weighted mean of a loss of shape (forecasts,)."""
    return quotient(drawn @ forecasts.totals(loss), drawn @ forecasts.totals(np.ones(len(loss))))
