"""Reliability diagrams: what happened of what was forecast, one panel for each system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from eval.report.figures.canvas import Sheet, fitted, picture
from eval.report.figures.style import (
    BODY,
    EDGE,
    LINE_HEIGHT,
    PALE,
    WIDTH,
    Interval,
    Picture,
    look,
    percent,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Forecaster", "reliability_diagrams"]

_LEFT = EDGE + 42
_LARGEST = 300.0
"""Side of the only panel."""
_GAP = 16.0
_SPREAD = 34.0
"""Height of the histogram."""
_BETWEEN = 8.0
_HEAD = 2 * LINE_HEIGHT + 10
_FOOT = 36.0
_MARGIN = 0.03
"""Beyond 0 and 1, so that marks there are whole."""


@dataclass(frozen=True, slots=True, eq=False)
class Forecaster:
    """The forecasts of one system in bins."""

    label: str
    forecast: Sequence[float]
    """Mean forecast of each bin, from low to high."""
    happened: Sequence[Interval]
    """Share of each bin that happened."""
    spread: NDArray[np.float64]
    """Shares of the forecasts in parts of equal width from 0 to 1."""
    remark: str = ""
    """Written below the label."""


@dataclass(frozen=True, slots=True)
class _Cell:
    """Where a panel with its histogram stands; (left, bottom) is that of the histogram."""

    left: float
    bottom: float
    side: float

    @property
    def right(self) -> float:
        return self.left + self.side

    @property
    def floor(self) -> float:
        """Of the diagram."""
        return self.bottom + _SPREAD + _BETWEEN

    @property
    def top(self) -> float:
        return self.floor + self.side


def reliability_diagrams(
    systems: Sequence[Forecaster],
    title: str,
    x: str = "forecast probability",
    y: str = "share that happened",
) -> Picture:
    """Draw what happened against what was forecast, with the spread of the forecasts beneath.

    On the dashed diagonal forecasts are calibrated (Murphy and Winkler 1977; Bröcker and Smith
    2007).

    Args:
        systems: up to nine, a panel each, two or three in a row.
        title: of the figure.
        x: what is forecast.
        y: what happened of it.

    Raises:
        ValueError: if there is no system, or one has no bins.
        OutputError: if matplotlib is not installed.
    """
    if not systems or any(len(system.forecast) == 0 for system in systems):
        raise ValueError("a figure of forecasts needs systems, and a system bins")
    told = "; ".join(map(_told, systems))
    alt = f"{title}. Against the {tidy(x)}, in bins, the {tidy(y)}: {told}."
    columns = _columns(len(systems))
    side = _side(columns)
    height = ceil(len(systems) / columns) * _row(side)
    return picture(
        lambda sheet: _draw(sheet, systems, columns, side, (x, y)),
        title,
        height,
        alt,
    )


def _told(system: Forecaster) -> str:
    """How far a system is off at the most, in words."""
    shares = [interval.value for interval in system.happened]
    forecast, share = max(
        zip(system.forecast, shares, strict=True), key=lambda pair: abs(pair[0] - pair[1])
    )
    low, high = system.forecast[0], system.forecast[-1]
    return (
        f"{tidy(system.label)}: forecasts from {low:.2f} to {high:.2f}, shares from "
        f"{shares[0]:.2f} to {shares[-1]:.2f}, farthest off at {forecast:.2f}, of which "
        f"{share:.2f} happened"
    )


def _columns(number: int) -> int:
    """How many panels stand in a row."""
    return 2 if number == 4 else min(number, 3)


def _side(columns: int) -> float:
    return min(_LARGEST, (WIDTH - EDGE - _LEFT - (columns - 1) * _GAP) / columns)


def _row(side: float) -> float:
    return _HEAD + side + _BETWEEN + _SPREAD + _FOOT


def _draw(
    sheet: Sheet, systems: Sequence[Forecaster], columns: int, side: float, names: tuple[str, str]
) -> None:
    tallest = max(float(system.spread.max()) for system in systems)
    for number, system in enumerate(systems):
        row, column = divmod(number, columns)
        left = _LEFT + column * (side + _GAP)
        cell = _Cell(left, sheet.top - (row + 1) * _row(side) + _FOOT, side)
        colour = look(number).colour
        _title(sheet, cell, system, number)
        diagram, below = _axes(sheet, cell, tallest)
        _mark(diagram, system, colour)
        _heap(below, system.spread, colour)
        if column == 0:
            diagram.set_ylabel(fitted(names[1], side, BODY), labelpad=2)
        else:
            for axes in (diagram, below):
                axes.tick_params(labelleft=False)
        below.set_xlabel(fitted(names[0], side, BODY))


def _title(sheet: Sheet, cell: _Cell, system: Forecaster, number: int) -> None:
    """The label and the remark above the panel."""
    y = cell.top + 2 + LINE_HEIGHT / 2
    remark = fitted(system.remark, cell.side)
    sheet.write(cell.left, y, remark, colour=PALE, key=f"remark-{number}")
    label = fitted(system.label, cell.side, BODY, "bold")
    y += LINE_HEIGHT if remark else 0
    sheet.write(cell.left, y, label, size=BODY, bold=True, key=f"label-{number}")


def _axes(sheet: Sheet, cell: _Cell, tallest: float) -> tuple[Axes, Axes]:
    """The diagram's axes, with the diagonal, and those of the histogram."""
    diagram = sheet.panel(cell.left, cell.floor, cell.right, cell.top)
    below = sheet.panel(cell.left, cell.bottom, cell.right, cell.bottom + _SPREAD)
    limits, ticks = (-_MARGIN, 1 + _MARGIN), (0, 0.25, 0.5, 0.75, 1)
    diagram.set(xlim=limits, ylim=limits, xticks=ticks, yticks=ticks)
    diagram.set_xticklabels([])
    diagram.set_yticklabels(["0", "0.25", "0.5", "0.75", "1"])
    diagram.plot([0, 1], [0, 1], color=PALE, linewidth=0.8, dashes=(4, 3), zorder=1.5)
    below.set(xlim=limits, ylim=(0, tallest), xticks=ticks, yticks=(0, tallest))
    below.set_xticklabels(["0", "", "0.5", "", "1"])
    below.set_yticklabels(["0", percent(tallest)])
    return diagram, below


def _mark(axes: Axes, system: Forecaster, colour: str) -> None:
    """A mark for each bin, its interval, and a thin line from one to the next."""
    shares = [interval.value for interval in system.happened]
    for forecast, interval in zip(system.forecast, system.happened, strict=True):
        ends = [interval.low, interval.high]
        axes.plot([forecast, forecast], ends, color=colour, linewidth=1.4)
    axes.plot(
        system.forecast,
        shares,
        marker="o",
        color=colour,
        linewidth=0.7,
        markersize=4.5,
        markeredgecolor="white",
        markeredgewidth=0.5,
        zorder=3,
    )


def _heap(axes: Axes, spread: NDArray[np.float64], colour: str) -> None:
    """The histogram."""
    borders = np.linspace(0, 1, len(spread) + 1)
    axes.grid(visible=False)
    axes.bar(
        borders[:-1], spread, np.diff(borders), align="edge", color=colour, edgecolor="white",
        linewidth=0.4,
    )  # fmt: skip
