"""Rows of values with their intervals (in groups, in pairs, step by step), and of stacked shares.

Values are dots, not bars: the axes do not start at 0, and a bar would suggest that they did.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import isnan
from typing import TYPE_CHECKING

from weps._formatting import format_number, format_percentage, join_labels, tidy_label
from weps_eval.report.figures.canvas import (
    INK,
    LINE_HEIGHT,
    PALE,
    SMALL,
    Picture,
    add_legend,
    add_rows,
    fit_axis,
    look_of,
    render_picture,
)
from weps_eval.stats.estimate import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

_GROUP_GAP, _PAIR_GAP = 0.6, 0.7
"""Between groups, and between pairs, in rows."""
_COLOURS = (look_of(0).colour, look_of(1).colour)
_NONE = "no value is known"
_PARTS = {"non-redundant": "#D55E00", "redundant": "#9fb8cc", "non-informative": "#e6e6e6"}
"""Part → colour, in the order of drawing."""


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

    There may be some 70 rows; ``axis`` names the values.

    Raises:
        ValueError: if there is no row.
    """
    rows = [row for group in groups for row in group]
    if not rows:
        raise ValueError("a figure of rows needs rows")
    known = [row for row in rows if not isnan(row.value.value)]
    best = max(known, key=lambda row: row.value.value, default=None)
    marked = [row.label for row in rows if row.marked]
    parts = f" in {len(groups)} groups" if len(groups) > 1 else ""
    highest = f"the highest {tidy_label(best.label)} with {best.value.value:.2f}" if best else _NONE
    alt = f"{title}. {tidy_label(axis)} of {len(rows)} rows{parts}, {highest}."
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

    The path has the member that is added and the value of the subset with it, from the first on;
    ``axis`` names the values.

    Raises:
        ValueError: if there is no step.
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
    """Plot two values with their intervals for each of a few rows, in the order given.

    The names are those of the first and of the second value; ``axis`` says what they are.

    Raises:
        ValueError: if there is no row.
    """
    if not rows:
        raise ValueError("a figure of pairs needs pairs")
    values = "; ".join(
        f"{tidy_label(row.label)} {row.first.value:.2f} and {row.second.value:.2f}" for row in rows
    )
    known = any(not isnan(each.value) for row in rows for each in (row.first, row.second))
    alt = f"{title}. {names[0]} and {names[1]}: {values if known else _NONE}."
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
    """Axes with values across, wide enough for all intervals; a remark if there is no value."""
    known = [end for each in values for end in each if not isnan(end)]
    if not known:
        axes = figure.add_subplot(xlabel=fit_axis(label), xlim=(0, 1), xticks=[])
        axes.text(0.5, 0.5, _NONE, transform=axes.transAxes, ha="center", va="center", color=PALE)
        return axes
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
    """Draw the value and its interval in a row, and write both beside it: ``0.50 (0.40–0.60)``."""
    axes.plot([estimate.low, estimate.high], [place, place], color=colour, linewidth=1.3)
    (line,) = axes.plot(
        estimate.value,
        place,
        marker,
        color=colour,
        markersize=5,
        markerfacecolor=colour if full else "white",
    )
    value, low, high = (format_number(each, 2) for each in estimate)
    between = "–" if estimate.low >= 0 else " to "  # a dash next to a minus is hard to read
    text = value if isnan(estimate.low) else f"{value} ({low}{between}{high})"
    axes.text(
        1.02,
        place,
        text,
        transform=axes.get_yaxis_transform(),
        va="center",
        size=SMALL,
        color=_darken_colour(colour),
    )
    return line


def _darken_colour(colour: str) -> str:
    """The colour dark enough for small text on white."""
    parts = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return "#" + "".join(f"{round(0.68 * part):02x}" for part in parts)


@dataclass(frozen=True, slots=True)
class ShareBar:
    """The three shares of one measure, which add up to 1; nan where there is nothing to share."""

    label: str
    redundant: float
    non_redundant: float
    non_informative: float
    group: str = ""
    """Heading of the bars that follow one another with the same."""

    @property
    def parts(self) -> tuple[float, float, float]:
        """In the order of drawing."""
        return self.non_redundant, self.redundant, self.non_informative


def plot_shares(bars: Sequence[ShareBar], title: str, limit: float | None = None) -> Picture:
    """Plot one stacked bar below the other, up to 60, in the order given.

    A line marks ``limit``, a share of non-redundant comparisons.

    Raises:
        ValueError: if there is no bar.
    """
    if not bars:
        raise ValueError("a figure of shares needs bars")
    rows: list[ShareBar | str] = []
    for heading, group in groupby(bars, key=lambda bar: bar.group):
        rows += [heading] * bool(heading)
        rows += group
    height = LINE_HEIGHT * (len(rows) + 0.4)
    alt = _describe_bars(bars, title, limit)
    return render_picture(lambda figure: _draw(figure, rows, limit), title, height, alt)


def _describe_bars(bars: Sequence[ShareBar], title: str, limit: float | None) -> str:
    known = [bar for bar in bars if not isnan(bar.non_redundant)]
    alt = f"{title}. Shares of {len(bars)} measures as stacked bars"
    if not known:
        return f"{alt}."
    most = max(known, key=lambda bar: bar.non_redundant)
    label, share = join_labels([most.label]), format_percentage(most.non_redundant, 0)
    alt += f"; most non-redundant is {label} with {share}"
    if limit is None:
        return f"{alt}."
    above = sum(bar.non_redundant > limit for bar in known)
    return f"{alt}, and {above} are above {format_percentage(limit, 0)}."


def _draw(figure: Figure, rows: Sequence[ShareBar | str], limit: float | None) -> None:
    """Draw bars and headings, each share of non-redundant comparisons at the right."""
    axes = figure.add_subplot(xlim=(0, 1))
    headings = [isinstance(row, str) for row in rows]
    labels = [row if isinstance(row, str) else row.label for row in rows]
    add_rows(axes, labels, range(len(rows)), headings)
    axes.grid(visible=False)
    ticks = [0.0, 0.25, 0.5, 0.75, 1.0]
    if limit is not None:
        axes.axvline(limit, color=INK, linewidth=0.8, dashes=(3, 2), zorder=3)
        ticks = sorted({limit, *(tick for tick in (0, 0.5, 1) if abs(tick - limit) > 0.12)})
    axes.set_xticks(ticks, [format_percentage(tick, 0) for tick in ticks])
    for number, row in enumerate(rows):
        if isinstance(row, str):
            continue
        start = 0.0
        for part, colour in zip(row.parts, _PARTS.values(), strict=True):
            if part > 0:  # not nan either
                axes.barh(number, part, left=start, height=0.76, color=colour, linewidth=0)
                start += part
        axes.text(
            1.02,
            number,
            format_percentage(row.non_redundant, 0),
            va="center",
            size=SMALL,
            color=_darken_colour(_PARTS["non-redundant"]),
        )
    handles = [axes.plot([], [], "s", color=colour, markersize=6)[0] for colour in _PARTS.values()]
    add_legend(figure, handles, list(_PARTS))
