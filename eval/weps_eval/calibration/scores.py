"""Forecasts: their scores and calibration, their recalibration, and reliability diagrams.

Every measure is a function of the forecasts and of the weight of each name, shape (samples, names),
with one value per sample: the figure itself and its resamples are the same computation. All sums
are made by name beforehand, so that a draw only weights them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit

from weps_eval.stats import Estimate, Flags, Floats, Ints, bootstrap_weights, safe_divide

_CLIPPING = 1e-6
"""Forecasts are taken to be no nearer to 0 and 1 than this where their logarithm is needed."""
_STEPS, _HALVINGS = 50, 30
_PRECISE = 1e-9
_SINGULAR = 1e-12
"""A determinant below this share of the product of the diagonal is 0."""
_RESAMPLES = 10_000
_FINE = 100
"""Bins of log odds from which resamples are fitted."""


@dataclass(frozen=True, slots=True, eq=False)
class Forecasts:
    """Forecasts that count; made by :func:`as_forecasts`."""

    probability: Floats
    """Shape (forecasts,), from 0 to 1."""
    happened: Flags
    """Shape (forecasts,)."""
    name: Ints
    """Shape (forecasts,), the name of each: 0, 1, … without gaps."""
    weight: Floats
    """Shape (forecasts,), above 0."""

    @property
    def names(self) -> int:
        """Number of names."""
        return int(self.name.max()) + 1


def as_forecasts(probability: ArrayLike, happened: ArrayLike, names: ArrayLike) -> Forecasts:
    """Forecasts of which every name counts the same: each by 1 / the number of its name's.

    Args:
        probability: shape (forecasts,), from 0 to 1.
        happened: shape (forecasts,), bool: the outcomes.
        names: shape (forecasts,), whole numbers from 0: the name that each is about, the unit that
            is resampled for intervals.
    """
    _, name, counts = np.unique(np.asarray(names), return_inverse=True, return_counts=True)
    forecast, outcome = np.asarray(probability, np.float64), np.asarray(happened, np.bool_)
    return Forecasts(forecast, outcome, name.astype(np.int64), 1 / counts[name])


def _sum_by_bin(forecasts: Forecasts, bins: Ints) -> Floats:
    """Weighted sums of forecasts by bin and name.

    Returns:
        Shape (3, names, bins), bins from low to high: the weights, the probabilities times the
        weights, and the outcomes times the weights.
    """
    shape = (forecasts.names, int(bins.max()) + 1)
    cells = forecasts.name * shape[1] + bins
    values = (np.ones(len(bins)), forecasts.probability, forecasts.happened)
    weighted = (forecasts.weight * each for each in values)
    sums = np.array([np.bincount(cells, each, shape[0] * shape[1]) for each in weighted])
    return sums.reshape(3, *shape)


def _equal_count(probability: Floats, most: int = 10) -> Ints:
    """The bin of each forecast, so that bins hold about equally many; a tie is never divided.

    From the lowest forecast on, each bin takes its part of what is left, as nearly as ties allow:
    a large tie takes one bin, and the others share the rest. Forecasts are counted, not weighed.

    Args:
        probability: shape (forecasts,).
        most: number of bins, at least 1; if there are no more values than that, each has its own.

    Returns:
        Shape (forecasts,), bins from 0, none empty.
    """
    _, value, counts = np.unique(probability, return_inverse=True, return_counts=True)
    until = counts.cumsum()
    ends = [0]  # how many values are below the end of each bin
    for left in range(most, 0, -1):
        before = until[ends[-1] - 1] if ends[-1] else 0
        wanted = before + (until[-1] - before) / left
        nearest = int(np.searchsorted(until, wanted))
        if not nearest or wanted - until[nearest - 1] > until[nearest] - wanted:
            nearest += 1
        ends.append(max(ends[-1] + 1, min(nearest, len(until) - left + 1)))
        if ends[-1] == len(until):
            break
    return np.searchsorted(ends, value, side="right").astype(np.int64) - 1


def _fit_recalibration(forecasts: Forecasts, weights: Floats) -> tuple[Floats, Floats]:
    """Calibration intercept and slope: logit P(happened) = intercept + slope · logit forecast.

    Logistic regression of the outcome (Cox 1958): 0 and 1 for calibrated forecasts, a slope below 1
    for overconfident ones. The whole sample is fitted exactly; how far a sample's fit is from it is
    computed from log odds in 100 bins of equal width.

    Args:
        forecasts: of one system.
        weights: shape (samples, names), how often each name counts; in the first row once.

    Returns:
        Both of shape (samples,); nan if they cannot be determined: all outcomes are alike, or a
        threshold divides those that happened from the others.
    """
    odds = logit(np.clip(forecasts.probability, _CLIPPING, 1 - _CLIPPING))
    with_it, without = odds[forecasts.happened], odds[~forecasts.happened]
    alike = not len(with_it) or not len(without)
    if alike or with_it.min() >= without.max() or with_it.max() <= without.min():
        return np.full(len(weights), np.nan), np.full(len(weights), np.nan)
    once = forecasts.weight[np.newaxis]
    whole = _newton_fit(odds, once, once * forecasts.happened, np.zeros((1, 2)))
    # Near log odds are taken as one, at their mean.
    part = (odds - odds.min()) / (odds.max() - odds.min())
    borders = np.arange(1, _FINE) / _FINE
    _, place = np.unique(np.searchsorted(borders, part, "right"), return_inverse=True)
    weight, _, happened = _sum_by_bin(forecasts, place)
    means = np.bincount(place, forecasts.weight * odds) / weight.sum(axis=0)
    starts = np.repeat(whole, len(weights), axis=0)
    coarse = _newton_fit(means, weights @ weight, weights @ happened, starts)
    intercept, slope = (whole + (coarse - coarse[0])).T
    return intercept, slope


def _newton_fit(odds: Floats, weight: Floats, happened: Floats, fit: Floats) -> Floats:
    """Intercepts and slopes of greatest likelihood, by Newton steps.

    A step that loses likelihood is halved, so that steps end at the one maximum that there is.

    Args:
        odds: shape (points,).
        weight: shape (samples, points).
        happened: shape (samples, points), the weight of what happened.
        fit: shape (samples, 2), where the steps start.

    Returns:
        Shape (samples, 2); nan where there is no end of steps.
    """
    for _ in range(_STEPS):
        forecast = expit(fit[:, :1] + fit[:, 1:] * odds)
        wrong, doubt = happened - weight * forecast, weight * forecast * (1 - forecast)
        first, second = wrong.sum(axis=1), wrong @ odds
        a, b, c = doubt.sum(axis=1), doubt @ odds, doubt @ odds**2
        determinant = a * c - b * b
        determinant[determinant <= _SINGULAR * a * c] = np.nan
        step = np.stack([c * first - b * second, a * second - b * first] / determinant, axis=1)
        before = _loss(odds, weight, happened, fit)
        for _ in range(_HALVINGS):
            worse = _loss(odds, weight, happened, fit + step) > before * (1 + _PRECISE)
            if not worse.any():
                break
            step = np.where(worse[:, np.newaxis], step / 2, step)
        fit = fit + step
        moving = (np.abs(step) > _PRECISE).any(axis=1, keepdims=True)
        if not moving.any():
            break
    return np.where(moving, np.nan, fit)


def _loss(odds: Floats, weight: Floats, happened: Floats, fit: Floats) -> Floats:
    """Shape (samples,): minus the log likelihood."""
    log_odds = fit[:, :1] + fit[:, 1:] * odds
    softplus = np.maximum(log_odds, 0) + np.log1p(np.exp(-np.abs(log_odds)))
    return np.asarray((weight * softplus - happened * log_odds).sum(axis=1))


def calibration_measures(forecasts: Forecasts, bins: int = 10) -> dict[str, Estimate]:
    """All measures with their 95 % intervals, bootstrapped over names.

    Percentile bootstrap with 10,000 resamples of the names (Efron and Tibshirani 1993, chapter
    13), the same for every measure; nan for a single name. Bins stay as they are. Chance only adds
    to the ECE: it is above 0 even for calibrated forecasts, and in resamples above what it is in
    the sample. Its interval is therefore reflected (the basic bootstrap of Davison and Hinkley
    1997, section 5.2), ended at 0 and extended to the figure itself. Of forecasts that are all but
    calibrated it remains too high.

    Args:
        forecasts: of one system.
        bins: how many bins of equal count.

    Returns:
        ``brier``, ``ece``, ``slope`` and ``intercept``.
    """
    weights = bootstrap_weights(forecasts.names, _RESAMPLES, seed=0)
    counted = _sum_by_bin(forecasts, _equal_count(forecasts.probability, bins))
    intercept, slope = _fit_recalibration(forecasts, weights)
    values = {
        "brier": brier_score(forecasts, weights),
        "ece": expected_error(counted, weights),
        "slope": slope,
        "intercept": intercept,
    }
    found = {key: Estimate.from_row(each) for key, each in values.items()}
    value, low, high = found["ece"]
    reflected = np.maximum([0, value], [2 * value - high, 2 * value - low]).tolist()
    return found | {"ece": Estimate(value, *reflected)}


def brier_score(forecasts: Forecasts, weights: Floats) -> Floats:
    """Mean squared difference of forecast and outcome, from 0, the best, to 1 (Brier 1950).

    Brier's own score adds both outcomes up and is twice this.

    Args:
        forecasts: of one system.
        weights: shape (samples, names), how often each name counts.

    Returns:
        Shape (samples,).
    """
    losses = (forecasts.probability - forecasts.happened) ** 2
    total, whole = (
        np.bincount(forecasts.name, forecasts.weight * each, forecasts.names)
        for each in (losses, np.ones(len(losses)))
    )
    return safe_divide(weights @ total, weights @ whole)


def expected_error(bins: Floats, weights: Floats) -> Floats:
    """Expected calibration error (ECE): how far the bins are off, by their weights.

    The mean over bins of |mean forecast − share that happened| (Naeini, Cooper and Hauskrecht
    2015), of bins from :func:`_sum_by_bin`. Shapes as in :func:`brier_score`.
    """
    weight, forecast, happened = bins
    off = np.abs(weights @ (forecast - happened))
    return safe_divide(off.sum(axis=1), (weights @ weight).sum(axis=1))


def binned_reliability(forecasts: Forecasts, bins: int = 10) -> list[tuple[float, Estimate]]:
    """Forecasts in bins of equal count, ties undivided, from low to high; what happened in each.

    The 95 % intervals are those of the share that happened, by percentile bootstrap with 10,000
    resamples of the names (Bröcker and Smith 2007 draw single forecasts; those of one name are not
    independent). They are nan where the resamples do not determine them: in bins about one name,
    and in bins of which nothing or everything happened.

    Args:
        forecasts: of one system.
        bins: how many bins at most.

    Returns:
        For each bin the weighted mean of its forecasts, and the weighted share that happened.
    """
    place = _equal_count(forecasts.probability, bins)
    weight, forecast, outcome = _sum_by_bin(forecasts, place)
    weights = bootstrap_weights(forecasts.names, _RESAMPLES, seed=0)
    shares = safe_divide(weights @ outcome, weights @ weight)
    means = safe_divide(forecast.sum(axis=0), weight.sum(axis=0))
    names = (weight > 0).sum(axis=0)
    found = []
    for each, share in enumerate(shares[0].tolist()):
        determined = names[each] > 1 and 0 < share < 1
        happened = Estimate.from_samples(share, shares[1 if determined else len(shares) :, each])
        found.append((float(means[each]), happened))
    return found
