"""Forecasts of made-up names."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from weps_eval.calibration.forecasts import Forecasts, as_forecasts


def made_up(
    seed: int = 0, names: int = 8, each: int = 60, slope: float = 1.0, levels: int = 0
) -> Forecasts:
    """Forecasts that are right if the slope is 1; of few levels, if a number is given."""
    generator = np.random.default_rng(seed)
    odds = generator.normal(-0.5, 2, names * each)
    probability = expit(odds)
    if levels:
        probability = np.round(probability * levels) / levels
    happened = generator.random(len(odds)) < expit(slope * odds)
    return as_forecasts(probability, happened, np.repeat(np.arange(names), each))


def once(forecasts: Forecasts) -> np.ndarray:
    """The draw in which every name counts once."""
    return np.ones((1, forecasts.names))
