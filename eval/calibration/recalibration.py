"""How forecasts would have to be stretched and shifted to be right."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from eval.calibration.bins import binned, equal_width
from eval.calibration.forecasts import Forecasts, Matrix, Vector

__all__ = ["recalibration"]

_STEPS, _HALVINGS = 50, 30
_PRECISE = 1e-9
_SINGULAR = 1e-12
"""A determinant below this share of the product of the diagonal is 0."""
_FINE = 100
"""Bins of log odds from which resamples are fitted."""


def recalibration(forecasts: Forecasts, drawn: Matrix, clipped: float) -> tuple[Vector, Vector]:
    """Calibration intercept and slope: logit P(happened) = intercept + slope · logit forecast.

    Logistic regression of the outcome (Cox 1958): 0 and 1 for calibrated forecasts, a slope below
    1 for overconfident ones. The whole sample is fitted exactly; how far a draw's fit is from it is
    told from log odds in 100 bins of equal width.

    Args:
        forecasts: of one system.
        drawn: shape (draws, names), how often each name counts; in the first row once.
        clipped: forecasts are taken to be no nearer to 0 and 1.

    Returns:
        Both of shape (draws,); nan if they cannot be told: all outcomes are alike, or a threshold
        divides those that happened from the others.
    """
    odds = logit(np.clip(forecasts.probability, clipped, 1 - clipped))
    if _separated(odds, forecasts.happened):
        return np.full(len(drawn), np.nan), np.full(len(drawn), np.nan)
    weight = forecasts.weight[np.newaxis]
    whole = _fitted(odds, weight, weight * forecasts.happened, np.zeros((1, 2)))
    coarse = _coarsely_fitted(odds, forecasts, drawn, whole)
    intercept, slope = (whole + (coarse - coarse[0])).T
    return intercept, slope


def _separated(odds: Vector, happened: NDArray[np.bool_]) -> bool:
    """Whether a threshold divides outcomes, but for forecasts on it: no fit is the best one."""
    with_it, without = odds[happened], odds[~happened]
    if not len(with_it) or not len(without):
        return True
    return bool(with_it.min() >= without.max() or with_it.max() <= without.min())


def _coarsely_fitted(odds: Vector, forecasts: Forecasts, drawn: Matrix, start: Matrix) -> Matrix:
    """Shape (draws, 2): the fits with near log odds taken as one, at their mean."""
    low, high = odds.min(), odds.max()
    _, place = np.unique(equal_width((odds - low) / (high - low), _FINE), return_inverse=True)
    sums = binned(forecasts, place)
    means = np.bincount(place, forecasts.weight * odds) / sums.weight.sum(axis=0)
    starts = np.repeat(start, len(drawn), axis=0)
    return _fitted(means, drawn @ sums.weight, drawn @ sums.happened, starts)


def _fitted(odds: Vector, weight: Matrix, happened: Matrix, fit: Matrix) -> Matrix:
    """Intercepts and slopes of greatest likelihood, by Newton steps.

    A step that loses likelihood is halved, so that steps end at the one maximum that there is.

    Args:
        odds: shape (points,).
        weight: shape (draws, points).
        happened: shape (draws, points), the weight of what happened.
        fit: shape (draws, 2), where the steps start.

    Returns:
        Shape (draws, 2); nan where there is no end of steps.
    """
    for _ in range(_STEPS):
        step = _shortened(odds, weight, happened, fit, _step(odds, weight, happened, fit))
        fit = fit + step
        moving = (np.abs(step) > _PRECISE).any(axis=1, keepdims=True)
        if not moving.any():
            break
    return np.where(moving, np.nan, fit)


def _step(odds: Vector, weight: Matrix, happened: Matrix, fit: Matrix) -> Matrix:
    """Shape (draws, 2): the Newton steps; nan where the information is singular."""
    told = expit(fit[:, :1] + fit[:, 1:] * odds)
    wrong, doubt = happened - weight * told, weight * told * (1 - told)
    first, second = wrong.sum(axis=1), wrong @ odds
    a, b, c = doubt.sum(axis=1), doubt @ odds, doubt @ odds**2
    determinant = a * c - b * b
    divisor = np.where(determinant > _SINGULAR * a * c, determinant, np.nan)
    return np.asarray(np.stack([c * first - b * second, a * second - b * first] / divisor, axis=1))


def _shortened(odds: Vector, weight: Matrix, happened: Matrix, fit: Matrix, step: Matrix) -> Matrix:
    """The steps, halved where they lose likelihood until they do not."""
    before = _loss(odds, weight, happened, fit)
    for _ in range(_HALVINGS):
        worse = _loss(odds, weight, happened, fit + step) > before * (1 + _PRECISE)
        if not worse.any():
            break
        step = np.where(worse[:, np.newaxis], step / 2, step)
    return step


def _loss(odds: Vector, weight: Matrix, happened: Matrix, fit: Matrix) -> Vector:
    """Shape (draws,): minus the log likelihood."""
    told = fit[:, :1] + fit[:, 1:] * odds
    softplus = np.maximum(told, 0) + np.log1p(np.exp(-np.abs(told)))
    return np.asarray((weight * softplus - happened * told).sum(axis=1))
