"""Forecasts put into bins, and what each bin holds of each name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.calibration.forecasts import Forecasts, Matrix, Vector
from weps.errors import ValuesError

__all__ = ["Binned", "Ints", "binned", "equal_count", "equal_width", "quotient"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Binned:
    """Weighted sums by bin and name; all have the shape (names, bins), bins from low to high."""

    weight: Matrix
    forecast: Matrix
    """Of the probabilities."""
    happened: Matrix
    """Of the outcomes."""


def binned(forecasts: Forecasts, bins: Ints) -> Binned:
    """What the bins hold of each name.

    Args:
        forecasts: to be put into bins.
        bins: shape (forecasts,), the bin of each, from 0.
    """
    number = int(bins.max()) + 1
    shape = (forecasts.names, number)
    cells = forecasts.name * number + bins

    def sums(values: NDArray[Any]) -> Matrix:
        counted = np.bincount(cells, forecasts.weight * values, forecasts.names * number)
        return np.asarray(counted.reshape(shape))

    ones = np.ones(len(bins))
    return Binned(sums(ones), sums(forecasts.probability), sums(forecasts.happened))


def equal_count(probability: Vector, most: int = 10) -> Ints:
    """The bin of each forecast, so that bins hold about equally many; a tie is never divided.

    From the lowest forecast on, each bin takes its part of what is left, as nearly as ties allow:
    a large tie takes one bin, and the others share the rest. Forecasts are counted, not weighed.

    Args:
        probability: shape (forecasts,).
        most: how many bins; if there are no more values than that, each has its own.

    Returns:
        Shape (forecasts,), bins from 0, none empty.

    Raises:
        ValuesError: if there is to be no bin.
    """
    _check(most)
    _, value, counts = np.unique(probability, return_inverse=True, return_counts=True)
    until = counts.cumsum()
    ends = [0]  # how many values are below the end of each bin
    for left in range(most, 0, -1):
        before = until[ends[-1] - 1] if ends[-1] else 0
        nearest = _nearest(until, before + (until[-1] - before) / left)
        ends.append(max(ends[-1] + 1, min(nearest, len(until) - left + 1)))
        if ends[-1] == len(until):
            break
    return np.searchsorted(ends, value, side="right").astype(np.int64) - 1


def equal_width(probability: Vector, number: int = 10) -> Ints:
    """The bin of each forecast: [0, 1/b), [1/b, 2/b), … and the last with 1; some may be empty.

    Raises:
        ValuesError: if there is to be no bin.
    """
    _check(number)
    borders = np.arange(1, number) / number
    return np.searchsorted(borders, probability, side="right").astype(np.int64)


def quotient(sums: Matrix, weight: Matrix) -> Matrix:
    """Means; nan where nothing has weight."""
    means = np.full(np.broadcast_shapes(sums.shape, weight.shape), np.nan)
    np.divide(sums, weight, out=means, where=weight > 0)
    return means


def _check(number: int) -> None:
    if number < 1:
        raise ValuesError(f"{number} bins hold no forecast", where="bins", remedy="ask for one")


def _nearest(until: Ints, wanted: float) -> int:
    """How many values have most nearly as many forecasts as wanted."""
    place = int(np.searchsorted(until, wanted))
    earlier = place > 0 and wanted - until[place - 1] <= until[place] - wanted
    return place if earlier else place + 1
