"""What happened of what was forecast, bin by bin: the data of a reliability diagram.

Reliability diagrams of systems as a figure of a document.

Calibration as tables, for documents and, aligned, for the console.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan

import numpy as np
from numpy.typing import NDArray

from eval.calibration.forecasts import Forecasts, Vector, binned, equal_count, equal_width, quotient
from eval.report.document import Figure
from eval.report.figures.reliability import Forecaster, reliability_diagrams
from eval.report.figures.style import Interval, available
from eval.report.tables import Table
from eval.stats.estimate import Estimate

__all__ = [
    "Bin",
    "Reliability",
    "measures_table",
    "reliability",
    "reliability_figure",
    "reliability_table",
]

_BARS = 20


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
    """The weighted share that happened; its interval is nan if resamples do not tell it."""


@dataclass(frozen=True, slots=True, eq=False)
class Reliability:
    """Bins from low to high forecasts, and how the forecasts spread."""

    bins: tuple[Bin, ...]
    spread: Vector
    """Shape (20,): the weighted share of forecasts in [0, 0.05), [0.05, 0.1), … [0.95, 1]."""


def reliability(forecasts: Forecasts, bins: int = 10, seed: int = 0) -> Reliability:
    """Put forecasts into bins of equal count, ties undivided, and see what happened in each.

    The 95 % intervals are those of the share that happened, by percentile bootstrap with 10,000
    resamples of the names (Bröcker and Smith 2007 draw single forecasts; those of one name are not
    independent). They are nan where resamples do not tell them: in bins about one name, and in
    bins of which nothing or everything happened.

    Args:
        forecasts: of one system.
        bins: how many bins at most.
        seed: for the resamples.

    Raises:
        ValuesError: if there is to be no bin.
    """
    place = equal_count(forecasts.probability, bins)
    sums, drawn = binned(forecasts, place), forecasts.drawn(seed)
    shares = quotient(drawn @ sums.happened, drawn @ sums.weight)
    means = quotient(sums.forecast.sum(axis=0), sums.weight.sum(axis=0))
    names = (sums.weight > 0).sum(axis=0)
    found = tuple(
        Bin(
            *_range(forecasts.probability[place == number]),
            number=int((place == number).sum()),
            names=int(names[number]),
            forecast=float(means[number]),
            happened=_share(shares[:, number], int(names[number])),
        )
        for number in range(len(means))
    )
    return Reliability(found, _spread(forecasts))


def _range(values: Vector) -> tuple[float, float]:
    return float(values.min()), float(values.max())


def _share(shares: Vector, names: int) -> Estimate:
    """The share of the whole sample, with the interval of the resamples if these tell it."""
    told = names > 1 and 0 < shares[0] < 1
    return Estimate.of(float(shares[0]), shares[1:] if told else shares[:0])


def _spread(forecasts: Forecasts) -> NDArray[np.float64]:
    place = equal_width(forecasts.probability, _BARS)
    weights = np.bincount(place, forecasts.weight, _BARS)
    return np.asarray(weights / weights.sum())


_NOTE = (
    "On the dashed line as much happens as is forecast; below it forecasts are too high. Marks: "
    "bins of about equally many forecasts, with 95 % intervals bootstrapped over names. Beneath: "
    "how the forecasts spread."
)


def reliability_figure(
    systems: Mapping[str, Reliability],
    title: str,
    key: str = "reliability",
    remarks: Mapping[str, str] | None = None,
) -> Figure:
    """One panel for each system; no picture without matplotlib.

    Args:
        systems: system → its bins.
        title: of the figure.
        key: of the figure.
        remarks: system → what is written below its name.
    """
    drawn = [
        Forecaster(
            name,
            [each.forecast for each in found.bins],
            [Interval(*each.happened) for each in found.bins],
            found.spread,
            (remarks or {}).get(name, ""),
        )
        for name, found in systems.items()
    ]
    return Figure(key, title, reliability_diagrams(drawn, title) if available() else None, _NOTE)


_SHOWN = {
    "brier": ("Brier score", 4),
    "log_loss": ("log loss", 4),
    "ece": ("ECE, bins of equal count", 4),
    "ece_equal_width": ("ECE, bins of equal width", 4),
    "mce": ("MCE", 3),
    "reliability": ("reliability", 4),
    "resolution": ("resolution", 4),
    "uncertainty": ("uncertainty", 4),
    "slope": ("calibration slope", 2),
    "intercept": ("calibration intercept", 2),
}
"""Measures in the order of the table, with their names and decimals."""


def measures_table(
    systems: Mapping[str, Mapping[str, Estimate]], key: str = "calibration"
) -> Table:
    """One row for each measure, one column for each system.

    Args:
        systems: system → what :func:`eval.calibration.scores.measures` has found.
        key: of the table.
    """
    rows = [
        [name, *(_between(found[measure], decimals) for found in systems.values())]
        for measure, (name, decimals) in _SHOWN.items()
    ]
    return Table.of_text(
        key,
        "How good the probabilities are",
        [["", *systems], *rows],
        "Brier score, log loss, ECE, MCE and reliability: the lower the better; resolution: the "
        "higher; slope and intercept of calibrated forecasts are 1 and 0, and a slope below 1 is "
        "overconfident. In brackets: 95 % interval, bootstrapped over names.",
    )


def reliability_table(found: Reliability, title: str, key: str = "reliability") -> Table:
    """One row for each bin."""
    rows = [
        [
            f"{each.low:.3f} to {each.high:.3f}",
            f"{each.number:,}",
            f"{each.names:,}",
            f"{each.forecast:.3f}",
            _between(each.happened, 3),
        ]
        for each in found.bins
    ]
    return Table.of_text(
        key,
        title,
        [["forecasts", "number", "names", "mean", "happened"], *rows],
        "Bins of about equally many forecasts; equal ones are never divided. In brackets: 95 % "
        "interval, bootstrapped over names.",
    )


def _between(figure: Estimate, decimals: int) -> str:
    """The figure and its interval, a dash for either if it is not known."""
    value, low, high = (_number(each, decimals) for each in figure)
    if isnan(figure.low):
        return value if isnan(figure.value) else f"{value} ({low})"
    return f"{value} ({low} to {high})"


def _number(value: float, decimals: int) -> str:
    known = round(value, decimals) + 0.0  # no minus before a zero
    return "–" if isnan(value) else f"{known:.{decimals}f}".replace("-", "−")
