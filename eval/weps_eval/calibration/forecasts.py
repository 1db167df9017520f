"""Forecasts with their outcomes and names, and their bins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weps_eval.stats.arrays import Flags, Floats, Ints
from weps_eval.stats.estimate import resample_weights


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

    def totals(self, values: ArrayLike) -> Floats:
        """Shape (names,): weighted sums of values of shape (forecasts,) by name."""
        return np.asarray(np.bincount(self.name, self.weight * np.asarray(values), self.names))

    def bootstrap_weights(self, seed: int = 0) -> Floats:
        """Weights of the names, shape (1 + resamples, names).

        The first row has every name once, the others are the 10,000 resamples of a bootstrap over
        names. A single name cannot be resampled: there is the first row only.
        """
        every = np.ones((1, self.names))
        return np.vstack([every, resample_weights(self.names, seed)]) if self.names > 1 else every


def as_forecasts(
    probability: ArrayLike,
    happened: ArrayLike,
    group: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> Forecasts:
    """Forecasts by name; those of weight 0 are left out.

    Args:
        probability: shape (forecasts,), from 0 to 1.
        happened: shape (forecasts,), bool: the outcomes.
        group: shape (forecasts,), whole numbers from 0: the name that each is about, the unit
            that is resampled for intervals. None: all are about one.
        weights: shape (forecasts,), not negative; None: all count the same. See :func:`by_name`.
    """
    forecast, outcome = np.asarray(probability, np.float64), np.asarray(happened, np.bool_)
    weight = np.ones(len(forecast)) if weights is None else np.asarray(weights, np.float64)
    names = np.zeros(len(forecast)) if group is None else np.asarray(group)
    counts = weight > 0
    _, name = np.unique(names[counts], return_inverse=True)
    return Forecasts(forecast[counts], outcome[counts], name.astype(np.int64), weight[counts])


def by_name(group: ArrayLike) -> Floats:
    """Weights by which every name counts the same: 1 / its number of forecasts.

    Args:
        group: shape (forecasts,), the name that each forecast is about.

    Returns:
        Shape (forecasts,).
    """
    _, place, counts = np.unique(np.asarray(group), return_inverse=True, return_counts=True)
    return np.asarray(1 / counts[place])


@dataclass(frozen=True, slots=True, eq=False)
class BinSums:
    """Weighted sums by bin and name; all have the shape (names, bins), bins from low to high."""

    weight: Floats
    forecast: Floats
    """Sums of the probabilities."""
    happened: Floats
    """Sums of the outcomes."""


def sum_by_bin(forecasts: Forecasts, bins: Ints) -> BinSums:
    """Sums of forecasts by bin and name.

    Args:
        forecasts: to be put into bins.
        bins: shape (forecasts,), the bin of each, from 0.
    """
    number = int(bins.max()) + 1
    shape = (forecasts.names, number)
    cells = forecasts.name * number + bins

    def sums(values: NDArray[Any]) -> Floats:
        counted = np.bincount(cells, forecasts.weight * values, forecasts.names * number)
        return np.asarray(counted.reshape(shape))

    ones = np.ones(len(bins))
    return BinSums(sums(ones), sums(forecasts.probability), sums(forecasts.happened))


def equal_count(probability: Floats, most: int = 10) -> Ints:
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


def equal_width(probability: Floats, number: int = 10) -> Ints:
    """The bin of each forecast: [0, 1/b), [1/b, 2/b), … and the last with 1; some may be empty."""
    borders = np.arange(1, number) / number
    return np.searchsorted(borders, probability, side="right").astype(np.int64)
