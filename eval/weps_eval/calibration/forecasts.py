"""Forecasts with their outcomes and names, and their bins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weps.errors import ValuesError
from weps_eval.stats.arrays import Flags, Floats, Ints, as_groups, as_measure
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
        """How many names there are."""
        return int(self.name.max()) + 1

    def totals(self, values: ArrayLike) -> Floats:
        """Shape (names,): weighted sums of values of shape (forecasts,) by name."""
        return np.asarray(np.bincount(self.name, self.weight * np.asarray(values), self.names))

    def bootstrap_weights(self, seed: int = 0) -> Floats:
        """How often each name counts, shape (1 + resamples, names).

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
    """Forecasts, checked; those of weight 0 are left out.

    Args:
        probability: shape (forecasts,), from 0 to 1.
        happened: shape (forecasts,), bool: the outcomes.
        group: shape (forecasts,), whole numbers from 0: the name that each is about, the unit
            that is resampled for intervals. None: all are about one.
        weights: shape (forecasts,), not negative; None: all count the same. See :func:`by_name`.

    Raises:
        ValuesError: if values are missing, NaN, not numbers, outside their range, or do not fit
            together, or if no forecast counts.
    """
    forecast = as_measure(probability, "probability").astype(np.float64)
    _check_values((forecast < 0) | (forecast > 1), forecast, "probability", "not between 0 and 1")
    outcome = np.asarray(happened)
    if outcome.dtype != np.bool_:
        raise ValuesError(f"expected truth values, got {outcome.dtype}", where="happened")
    _check_shape(outcome.shape, forecast.shape, "happened")
    name = as_groups(group, len(forecast), "group")
    weight = _weights(weights, len(forecast))
    counts = weight > 0
    _, name = np.unique(name[counts], return_inverse=True)
    return Forecasts(forecast[counts], outcome[counts], name.astype(np.int64), weight[counts])


def by_name(group: ArrayLike) -> Floats:
    """Weights by which every name counts the same: 1 / its number of forecasts.

    Args:
        group: shape (forecasts,), whole numbers from 0: the name that each forecast is about.

    Returns:
        Shape (forecasts,).

    Raises:
        ValuesError: if they are not such numbers.
    """
    names = as_groups(group, np.size(np.asarray(group)), "group")
    _, place, counts = np.unique(names, return_inverse=True, return_counts=True)
    return np.asarray(1 / counts[place])


def _weights(weights: ArrayLike | None, size: int) -> Floats:
    if weights is None:
        return np.ones(size)
    weight = as_measure(weights, "weights").astype(np.float64)
    _check_shape(weight.shape, (size,), "weights")
    _check_values((weight < 0) | np.isinf(weight), weight, "weights", "negative or infinite")
    if not weight.any():
        raise ValuesError(
            "all weights are 0", where="weights", remedy="give a forecast a positive weight"
        )
    return weight


def _check_shape(shape: tuple[int, ...], expected: tuple[int, ...], where: str) -> None:
    if shape != expected:
        raise ValuesError(f"expected shape {expected}, one per forecast, got {shape}", where=where)


def _check_values(wrong: Flags, values: Floats, where: str, how: str) -> None:
    if wrong.any():
        first = int(wrong.argmax())
        what = f"{wrong.sum():,} values are {how}, the first is {values[first]} of forecast {first}"
        raise ValuesError(what, where=where)


@dataclass(frozen=True, slots=True, eq=False)
class BinSums:
    """Weighted sums by bin and name; all have the shape (names, bins), bins from low to high."""

    weight: Floats
    forecast: Floats
    """Of the probabilities."""
    happened: Floats
    """Of the outcomes."""


def sum_by_bin(forecasts: Forecasts, bins: Ints) -> BinSums:
    """What the bins hold of each name.

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
        most: how many bins; if there are no more values than that, each has its own.

    Returns:
        Shape (forecasts,), bins from 0, none empty.

    Raises:
        ValuesError: if the number of bins is not positive.
    """
    _check(most)
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
    """The bin of each forecast: [0, 1/b), [1/b, 2/b), … and the last with 1; some may be empty.

    Raises:
        ValuesError: if the number of bins is not positive.
    """
    _check(number)
    borders = np.arange(1, number) / number
    return np.searchsorted(borders, probability, side="right").astype(np.int64)


def _check(number: int) -> None:
    if number < 1:
        raise ValuesError(
            f"expected at least 1 bin, got {number}", where="bins", remedy="choose 1 or more"
        )
