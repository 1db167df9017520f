"""Reliability diagrams: observed against predicted frequency, one panel for each system."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from weps._formatting import format_percentage, tidy_label
from weps_eval.calibration.scores import Reliability
from weps_eval.report.figures.canvas import (
    BODY,
    PALE,
    WIDTH,
    Picture,
    fit_label,
    look_of,
    render_picture,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_AXIS, _BETWEEN = 50.0, 12.0
"""Widths of the vertical axis with its label, and of the gap between panels."""
_HISTOGRAM = 34.0
"""Height of a histogram."""
_LIMITS = (-0.03, 1.03)
"""Beyond 0 and 1, so that marks there are whole."""
_FORECAST, _HAPPENED = "forecast probability", "share that happened"
_TICKS = (0, 0.25, 0.5, 0.75, 1)


def plot_reliability(systems: Mapping[str, Reliability], title: str) -> Picture:
    """Plot what happened against what was forecast, with a histogram of the forecasts beneath.

    On the dashed diagonal forecasts are calibrated (Murphy and Winkler 1977; Bröcker and Smith
    2007). Up to nine systems have a panel each, two or three in a row.

    Raises:
        ValueError: if there is no system, or one has no bins.
    """
    if not systems or not all(found.bins for found in systems.values()):
        raise ValueError("a figure of forecasts needs systems, and a system bins")
    described = "; ".join(_describe_system(*each) for each in systems.items())
    alt = f"{title}. Against the {_FORECAST}, in bins, the {_HAPPENED}: {described}."
    columns = 2 if len(systems) == 4 else min(len(systems), 3)
    rows = ceil(len(systems) / columns)
    side = (WIDTH - _AXIS) / max(columns, 1.4) - _BETWEEN

    def draw(figure: Figure) -> None:
        tallest = max(float(found.spread.max()) for found in systems.values())
        ratios = [1, _HISTOGRAM / side] * rows
        widths = [1, 0.4] if columns == 1 else [1] * columns  # a single panel is not too large
        grid = figure.subplots(
            2 * rows, len(widths), squeeze=False, height_ratios=ratios, width_ratios=widths
        )
        for unused in grid[-2:, len(systems) - (rows - 1) * columns :].ravel():
            unused.remove()
        for number, (label, found) in enumerate(systems.items()):
            row, column = divmod(number, columns)
            diagram, histogram = grid[2 * row : 2 * row + 2, column]
            diagram.set_title(
                fit_label(label, side, BODY, "bold"), loc="left", size=BODY, weight="bold", pad=5
            )
            _plot_diagram(diagram, found, look_of(number).colour)
            _plot_histogram(histogram, found, look_of(number).colour, tallest)
            histogram.set_xlabel(fit_label(_FORECAST, side, BODY))
            diagram.set_ylabel("" if column else fit_label(_HAPPENED, side, BODY))
            for axes in (diagram, histogram):
                axes.tick_params(labelleft=not column)

    return render_picture(draw, title, None, alt)


def _describe_system(label: str, found: Reliability) -> str:
    """The range of a system's forecasts, and where it is farthest off."""
    bins = found.bins
    worst = max(bins, key=lambda each: abs(each.forecast - each.happened.value))
    return (
        f"{tidy_label(label)}: forecasts from {bins[0].forecast:.2f} to {bins[-1].forecast:.2f}, "
        f"shares from {bins[0].happened.value:.2f} to {bins[-1].happened.value:.2f}, farthest off "
        f"at {worst.forecast:.2f}, of which {worst.happened.value:.2f} happened"
    )


def _plot_diagram(axes: Axes, found: Reliability, colour: str) -> None:
    """The diagonal, a mark for each bin with its interval, and a thin line through the marks."""
    axes.set(xlim=_LIMITS, ylim=_LIMITS, xticks=_TICKS, yticks=_TICKS)
    axes.set_xticklabels([])
    axes.set_yticklabels(["0", "0.25", "0.5", "0.75", "1"])
    axes.plot([0, 1], [0, 1], color=PALE, linewidth=0.8, dashes=(4, 3), zorder=1.5)
    for each in found.bins:
        ends = [each.happened.low, each.happened.high]
        axes.plot([each.forecast, each.forecast], ends, color=colour, linewidth=1.4)
    axes.plot(
        [each.forecast for each in found.bins],
        [each.happened.value for each in found.bins],
        marker="o",
        color=colour,
        linewidth=0.7,
        markersize=4.5,
        markeredgecolor="white",
        markeredgewidth=0.5,
        zorder=3,
    )


def _plot_histogram(axes: Axes, found: Reliability, colour: str, tallest: float) -> None:
    axes.set(xlim=_LIMITS, ylim=(0, tallest), xticks=_TICKS, yticks=(0, tallest))
    axes.set_xticklabels(["0", "", "0.5", "", "1"])
    axes.set_yticklabels(["0", format_percentage(tallest, 0)])
    axes.grid(visible=False)
    borders = np.linspace(0, 1, len(found.spread) + 1)
    axes.bar(
        borders[:-1], found.spread, np.diff(borders), align="edge", color=colour,
        edgecolor="white", linewidth=0.4,
    )  # fmt: skip
