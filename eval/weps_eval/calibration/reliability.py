"""The data of a reliability diagram: observed against predicted frequency, bin by bin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from weps_eval.calibration.forecasts import Forecasts, equal_count, equal_width, sum_by_bin
from weps_eval.stats.arrays import Floats
from weps_eval.stats.estimate import Estimate, safe_divide

_SPREAD_BINS = 20


@dataclass(frozen=True, slots=True)
class Bin:
    """Forecasts that are near to one another."""

    low: float
    high: float
    """The lowest and the highest of them."""
    number: int
    """How many there are."""
    names: int
    """How many names they are about."""
    forecast: float
    """Their weighted mean."""
    happened: Estimate
    """The weighted share that happened; its interval is nan if resamples do not determine it."""


@dataclass(frozen=True, slots=True, eq=False)
class Reliability:
    """Bins from low to high forecasts, and how the forecasts spread."""

    bins: tuple[Bin, ...]
    spread: Floats
    """Shape (20,): the weighted share of forecasts in [0, 0.05), [0.05, 0.1), … [0.95, 1]."""


def binned_reliability(forecasts: Forecasts, bins: int = 10) -> Reliability:
    """Put forecasts into bins of equal count, ties undivided, and see what happened in each.

    The 95 % intervals are those of the share that happened, by percentile bootstrap with 10,000
    resamples of the names (Bröcker and Smith 2007 draw single forecasts; those of one name are not
    independent). They are nan where the resamples do not determine them: in bins about one name,
    and in bins of which nothing or everything happened.

    Args:
        forecasts: of one system.
        bins: how many bins at most.

    Raises:
        ValuesError: if the number of bins is not positive.
    """
    place = equal_count(forecasts.probability, bins)
    sums, weights = sum_by_bin(forecasts, place), forecasts.bootstrap_weights()
    shares = safe_divide(weights @ sums.happened, weights @ sums.weight)
    means = safe_divide(sums.forecast.sum(axis=0), sums.weight.sum(axis=0))
    names = (sums.weight > 0).sum(axis=0)
    found = []
    for each, share in enumerate(shares[0].tolist()):
        inside = forecasts.probability[place == each]
        determined = names[each] > 1 and 0 < share < 1
        happened = Estimate.from_samples(
            share, shares[1:, each] if determined else shares[:0, each]
        )
        low, high, mean = (float(value) for value in (inside.min(), inside.max(), means[each]))
        found.append(Bin(low, high, len(inside), int(names[each]), mean, happened))
    width = equal_width(forecasts.probability, _SPREAD_BINS)
    spread = np.bincount(width, forecasts.weight, _SPREAD_BINS)
    return Reliability(tuple(found), np.asarray(spread / spread.sum()))
