"""Rows of values with their intervals: in groups, in pairs, and step by step.

Dots, not bars: the axes do not start at 0, and a bar would suggest that they did.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isnan
from typing import TYPE_CHECKING

from eval.report.figures.canvas import Picture, add_legend, add_rows, fit_axis, render_picture
from eval.report.figures.style import (
    LINE_HEIGHT,
    PALE,
    SMALL,
    darken_colour,
    format_estimate,
    look_of,
)
from eval.stats.estimate import Estimate
from weps._formatting import join_labels, tidy_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

__all__ = ["IntervalPair", "IntervalRow", "plot_intervals", "plot_paired_intervals", "plot_steps"]

_GROUP_GAP, _PAIR_GAP = 0.6, 0.7
"""Between groups, and between pairs, in rows."""
_COLOURS = (look_of(0).colour, look_of(1).colour)


@dataclass(frozen=True, slots=True)
class IntervalRow:
    """One thing measured."""

    label: str
    value: Estimate
    marked: bool = False
    """Whether it is drawn full, and its label bold."""


@dataclass(frozen=True, slots=True)
class IntervalPair:
    """One thing measured in two ways."""

    label: str
    first: Estimate
    second: Estimate


def plot_intervals(groups: Sequence[Sequence[IntervalRow]], title: str, axis: str) -> Picture:
    """Plot a value with its interval for every row, groups apart, in the order given.

    Args:
        groups: of rows, some 70 rows at most.
        title: of the figure.
        axis: what the values are.

    Raises:
        ValueError: if there is no row.
        OutputError: if matplotlib is not installed.
    """
    rows = [row for group in groups for row in group]
    if not rows:
        raise ValueError("a figure of rows needs rows")
    best = max(rows, key=lambda row: row.value.value)
    marked = [row.label for row in rows if row.marked]
    parts = f" in {len(groups)} groups" if len(groups) > 1 else ""
    alt = f"{title}. {tidy_label(axis)} of {len(rows)} rows{parts}, the highest "
    alt += f"{tidy_label(best.label)} with {best.value.value:.2f}."
    alt += f" Marked: {join_labels(marked)}." if marked else ""
    group_of = [number for number, group in enumerate(groups) for _ in group]
    places = [row + _GROUP_GAP * group for row, group in enumerate(group_of)]

    def draw(figure: Figure) -> None:
        axes = _value_axes(figure, axis, [row.value for row in rows])
        add_rows(axes, [row.label for row in rows], places, [row.marked for row in rows])
        for row, place in zip(rows, places, strict=True):
            _plot_interval(axes, row.value, place, _COLOURS[row.marked], full=row.marked)
        for above, below in pairwise(places):
            if below - above > 1:
                axes.axhline((above + below) / 2, color=PALE, linewidth=0.5)

    return render_picture(draw, title, LINE_HEIGHT * (places[-1] + 1.4), alt)


def plot_steps(path: Sequence[IntervalRow], title: str, axis: str) -> Picture:
    """Plot the value of a subset that grows member by member.

    Args:
        path: the member that is added and the value of the subset with it, from the first on.
        title: of the figure.
        axis: what the value is.

    Raises:
        ValueError: if there is no step.
        OutputError: if matplotlib is not installed.
    """
    if not path:
        raise ValueError("a figure of steps needs steps")
    added = join_labels(step.label for step in path)
    values = [step.value.value for step in path]
    alt = f"{title}. {tidy_label(axis)} rises from {values[0]:.2f} to {values[-1]:.2f} as the "
    alt += f"subset gains {added}."
    labels = [path[0].label, *(f"+ {step.label}" for step in path[1:])]

    def draw(figure: Figure) -> None:
        axes = _value_axes(figure, axis, [step.value for step in path])
        add_rows(axes, labels, range(len(path)))
        axes.plot(values, range(len(path)), color=_COLOURS[0], linewidth=0.8)
        for place, step in enumerate(path):
            _plot_interval(axes, step.value, place, _COLOURS[0])

    return render_picture(draw, title, LINE_HEIGHT * (len(path) + 0.4), alt)


def plot_paired_intervals(
    rows: Sequence[IntervalPair], title: str, names: tuple[str, str], axis: str
) -> Picture:
    """Plot two values with their intervals for every row, in the order given.

    Args:
        rows: a few of them.
        title: of the figure.
        names: of the first and of the second value.
        axis: what the values are.

    Raises:
        ValueError: if there is no row.
        OutputError: if matplotlib is not installed.
    """
    if not rows:
        raise ValueError("a figure of pairs needs pairs")
    values = "; ".join(
        f"{tidy_label(row.label)} {row.first.value:.2f} and {row.second.value:.2f}" for row in rows
    )
    alt = f"{title}. {names[0]} and {names[1]}: {values}."
    places = [(2 + _PAIR_GAP) * number for number in range(len(rows))]

    def draw(figure: Figure) -> None:
        axes = _value_axes(figure, axis, [each for row in rows for each in (row.first, row.second)])
        add_rows(axes, [row.label for row in rows], places, space=1.2)
        for row, place in zip(rows, places, strict=True):
            first = _plot_interval(axes, row.first, place - 0.5, _COLOURS[0], marker="D")
            second = _plot_interval(axes, row.second, place + 0.5, _COLOURS[1])
        add_legend(figure, [first, second], names)

    return render_picture(draw, title, LINE_HEIGHT * (places[-1] + 2.4), alt)


def _value_axes(figure: Figure, label: str, values: Iterable[Estimate]) -> Axes:
    """Axes with values across, wide enough for all intervals."""
    known = [end for each in values for end in each if not isnan(end)]
    margin = 0.08 * (max(known) - min(known)) or 0.05
    limits = (min(known) - margin, max(known) + margin)
    return figure.add_subplot(xlabel=fit_axis(label), xlim=limits)


def _plot_interval(  # noqa: PLR0913 - a value, its row and its look
    axes: Axes,
    estimate: Estimate,
    place: float,
    colour: str,
    *,
    marker: str = "o",
    full: bool = True,
) -> Line2D:
    """Draw the value and its interval in a row, and write both beside it."""
    axes.plot([estimate.low, estimate.high], [place, place], color=colour, linewidth=1.3)
    (line,) = axes.plot(
        estimate.value,
        place,
        marker,
        color=colour,
        markersize=5,
        markerfacecolor=colour if full else "white",
    )
    axes.text(
        1.02,
        place,
        format_estimate(estimate),
        transform=axes.get_yaxis_transform(),
        va="center",
        size=SMALL,
        color=darken_colour(colour),
    )
    return line
