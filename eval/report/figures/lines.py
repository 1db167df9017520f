"""Precision/recall curves with a label at each line.

A subset grown member by member: what each adds.

Long curves made short without a visible difference.

Lines over a common axis, each with its label: how something rises and falls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor, isnan
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from eval.report.figures.canvas import Sheet, fitted, picture, width_of
from eval.report.figures.label_placement import Board, Wish, anchors, arrange, walked
from eval.report.figures.style import (
    EDGE,
    INK,
    PALE,
    SMALL,
    WIDTH,
    Interval,
    Look,
    Picture,
    darker,
    listed,
    look,
    span,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Line", "Mark", "Step", "Trend", "curves", "steps", "thinned", "trends"]

_LEFT, _BOTTOM = EDGE + 42, EDGE + 30
_CURVE = 130.0
"""Height of the figure without its labels."""
_ROW, _GAP = 11.5, 8.0
"""Between labels, and between a dot and its label."""
_LABEL = 150.0
_COLOUR = look(0).colour


@dataclass(frozen=True, slots=True)
class Step:
    """The member that was added, and the value of the subset with it."""

    label: str
    interval: Interval


def steps(path: Sequence[Step], title: str, axis: str) -> Picture:
    """Draw the value of a subset against its size, each step with the member that it adds.

    Args:
        path: up to 20 steps, from the first member on.
        title: of the figure.
        axis: what the value is.

    Raises:
        ValueError: if there is no step.
        OutputError: if matplotlib is not installed.
    """
    if not path:
        raise ValueError("a figure of steps needs steps")
    added = listed(step.label for step in path)
    first, last = path[0].interval.value, path[-1].interval.value
    alt = f"{title}. {tidy(axis)} rises from {first:.2f} to {last:.2f} as the subset gains {added}."
    height = _CURVE + _ROW * max(10, len(path)) + _BOTTOM
    return picture(lambda sheet: _draw(sheet, path, axis), title, height, alt)


def _draw(sheet: Sheet, path: Sequence[Step], axis: str) -> None:
    texts = [fitted(step.label, _LABEL) for step in path]
    axes = sheet.panel(_LEFT, _BOTTOM, _right([width_of(text) for text in texts]), sheet.top - EDGE)
    sizes = range(1, len(path) + 1)
    values = [step.interval.value for step in path]
    axes.set(xlim=(0.5, len(path) + 0.5), xticks=sizes[:: 1 + len(path) // 20])
    axes.set(xlabel="size of the subset", ylabel=fitted(axis, 200))
    axes.grid(visible=False, axis="x")
    axes.plot(sizes, values, "o-", color=_COLOUR, linewidth=1.0, markersize=5)
    for size, step in zip(sizes, path, strict=True):
        ends = [step.interval.low, step.interval.high]
        axes.plot([size, size], ends, color=_COLOUR, linewidth=1.4)
    for number, (text, (x, y, foot)) in enumerate(zip(texts, _feet(axes, path), strict=True)):
        sheet.stroke((x, y), (x, foot + 3), PALE)
        sheet.write(x - 1, foot - 2, text, key=f"label-{number}")


def _right(widths: Sequence[float]) -> float:
    """Where the axes end so that no label, which starts below its dot, leaves the picture."""
    ends = [
        _LEFT + (WIDTH - EDGE - width - _LEFT) * len(widths) / (number + 0.5)
        for number, width in enumerate(widths)
    ]
    return min(WIDTH - EDGE, *ends)


def _feet(axes: Axes, path: Sequence[Step]) -> list[tuple[float, float, float]]:
    """For each step x, where its leader starts, and where its label is, in points.

    A label is to the right of its leader and lower than all later ones, so that nothing crosses:
    the curve rises, hence early labels are near their dots. The axis is extended downward until
    all have room.
    """
    low, high = span(step.interval for step in path)
    lows = [(size, _lowest(step.interval)) for size, step in enumerate(path, start=1)]
    for room in range(20):
        axes.set_ylim(low - 0.25 * room * (high - low), high)
        dots = axes.transData.transform(lows).tolist()
        feet = _hung([y for _, y in dots])
        if feet[0] > _BOTTOM + _ROW / 2:
            break
    return [(x, y, foot) for (x, y), foot in zip(dots, feet, strict=True)]


def _hung(tops: Sequence[float]) -> list[float]:
    """Where each label hangs: below its dot, and below the next label."""
    feet: list[float] = []
    for top in reversed(tops):
        feet.append(min([top - _GAP, *(foot - _ROW for foot in feet[-1:])]))
    return feet[::-1]


def _lowest(interval: Interval) -> float:
    return interval.value if isnan(interval.low) else interval.low


def thinned(
    x: NDArray[np.float64], y: NDArray[np.float64], most: int = 400
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """At most ``most`` points that look like all of them.

    The range of x is cut into equal parts; of each stay the first, the last, the lowest and the
    highest point, which is all that a part as narrow as a pixel shows (Jugel, Jerzak, Hackenbroich
    and Markl, M4, VLDB 2014).

    Args:
        x: shape (points,), not decreasing.
        y: shape (points,).
        most: at least 4.
    """
    if len(x) <= most:
        return x, y
    borders = np.searchsorted(x, np.linspace(x[0], x[-1], most // 4 + 1))
    borders[-1] = len(x)
    kept: set[int] = set()
    for start, stop in pairwise(borders.tolist()):
        if start < stop:
            part = y[start:stop]
            kept |= {start, stop - 1, start + int(part.argmin()), start + int(part.argmax())}
    chosen = sorted(kept)
    return x[chosen], y[chosen]


_HEIGHT = 320.0
_MARGIN = 40.0
"""Right of the axes, for labels of lines that end there."""
_LABEL_CURVES = 170.0
_SPACING = 4.0
"""Between the points of a line that a label may stand for."""
_UNSEEN = 0.005
"""Recall of the first pairs, two pixels in which precision leaps about; left out."""
_REFERENCE = Look(INK, (), "o")

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """The curve of one ranking; all values are finite."""

    label: str
    recall: Points
    """Shape (points,), not decreasing."""
    precision: Points
    """Shape (points,)."""
    reference: bool = False
    """Drawn dark and thick: what the others are compared with."""


def curves(lines: Sequence[Line], title: str) -> Picture:
    """Draw precision against recall of two to twelve lines.

    Raises:
        ValueError: if there is no line, or one has no points.
        OutputError: if matplotlib is not installed.
    """
    if not lines or any(len(line.recall) == 0 for line in lines):
        raise ValueError("a figure of curves needs lines, and a line points")
    names = listed(line.label for line in lines)
    alt = f"{title}. Precision against recall of {names}; {_best(lines)}."
    return picture(lambda sheet: _draw_curves(sheet, lines), title, _HEIGHT, alt)


def _best(lines: Sequence[Line]) -> str:
    """Which line is best in the middle."""
    reaching = [line for line in lines if line.recall[-1] >= 0.5]
    if not reaching:
        return "none reaches recall 0.5"
    middle = [float(line.precision[np.searchsorted(line.recall, 0.5)]) for line in reaching]
    best = int(np.argmax(middle))
    return f"at recall 0.5 {listed([reaching[best].label])} is best, with {middle[best]:.2f}"


def _draw_curves(sheet: Sheet, lines: Sequence[Line]) -> None:
    axes = sheet.panel(EDGE + 34, EDGE + 30, WIDTH - EDGE - _MARGIN, sheet.top - EDGE)
    steps = [_steps(line) for line in lines]
    axes.set(xlabel="recall", ylabel="precision", xlim=(0, 1), ylim=(_lowest_curves(steps), 1.0))
    looks = _looks(lines)
    for line, each, points in zip(lines, looks, steps, strict=True):
        _plot(axes, line, each, points)
    _label(sheet, axes, lines, looks, steps)


def _steps(line: Line) -> Points:
    """Shape (corners, 2): the line in steps.

    Steps, since a tie enters as a whole: no threshold attains what is between two points, and a
    straight line promises too much (Davis and Goadrich 2006). The area below is the average
    precision.
    """
    seen = line.recall >= min(_UNSEEN, line.recall[-1] / 2)
    recall, precision = line.recall[seen], line.precision[seen]
    before = np.concatenate(([0.0], recall[:-1]))
    across = np.stack([before, recall], axis=1).ravel()
    return np.stack(thinned(across, precision.repeat(2), most=800), axis=1)


def _lowest_curves(steps: Sequence[Points]) -> float:
    """Where the precision axis starts: 0, or the tenth below all lines."""
    lowest = min(float(points[:, 1].min()) for points in steps)
    return max(0.0, floor(10 * lowest - 0.3) / 10)


def _looks(lines: Sequence[Line]) -> list[Look]:
    others = iter(range(len(lines)))
    return [_REFERENCE if line.reference else look(next(others)) for line in lines]


def _plot(axes: Axes, line: Line, each: Look, points: Points) -> None:
    (drawn,) = axes.plot(
        *points.T,
        color=each.colour,
        linewidth=2.2 if line.reference else 1.3,
        zorder=2.5 if line.reference else 2.0,
        clip_on=False,
    )
    if each.dashes:
        drawn.set_dashes(each.dashes)
    if _ends_early(line):
        axes.plot(*points[-1], "o", color=each.colour, markersize=4, clip_on=False)


def _ends_early(line: Line) -> bool:
    return bool(line.recall[-1] < 0.97)


def _label(
    sheet: Sheet,
    axes: Axes,
    lines: Sequence[Line],
    looks: Sequence[Look],
    steps: Sequence[Points],
) -> None:
    """Write every line's label where there is room, those of lines that end early first."""
    paths = [walked(axes.transData.transform(points), _SPACING) for points in steps]
    (left, bottom), (_, top) = axes.transAxes.transform([(0, 0), (1, 1)])
    board = Board(left + 3, bottom + 3, WIDTH - EDGE / 2, top + EDGE)
    for line, path in zip(lines, paths, strict=True):
        board.draw(path)
        if _ends_early(line):
            board.dot(*path[-1].tolist())
    order = sorted(range(len(lines)), key=lambda number: float(lines[number].recall[-1]))
    texts = [fitted(lines[number].label, _LABEL_CURVES) for number in order]
    wishes = [
        Wish(width_of(text), SMALL, *anchors(paths, number, _ends_early(lines[number])))
        for number, text in zip(order, texts, strict=True)
    ]
    for number, text, place in zip(order, texts, arrange(board, wishes), strict=True):
        sheet.label(place, text, darker(looks[number].colour), f"label-{number}")


_HEIGHT_TRENDS = 300.0
_MARGIN_TRENDS = 60.0
"""Right of the axes, for labels of lines that end there."""


_FAINT = "#bdbdbd"


@dataclass(frozen=True, slots=True, eq=False)
class Trend:
    """One line; all values are finite."""

    label: str
    """Empty for one of many that need no name, which is drawn faintly."""
    x: Points
    """Shape (points,), not decreasing."""
    y: Points
    """Shape (points,)."""
    band: tuple[Points, Points] | None = None
    """Lower and upper ends of the intervals of y."""
    reference: bool = False
    """Drawn dark and thick: what the others are compared with."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A thin straight line across the figure, with its name."""

    label: str
    at: float
    upright: bool = False
    """At an x, not at a y."""


def trends(
    lines: Sequence[Trend], title: str, *, x: str, y: str, marks: Sequence[Mark] = ()
) -> Picture:
    """Draw up to twelve lines with labels, and any number without.

    Args:
        lines: what to draw.
        title: of the figure.
        x: what they run over.
        y: what the values are.
        marks: what else is to be seen.

    Raises:
        ValueError: if no line has a label, or one has no points.
        OutputError: if matplotlib is not installed.
    """
    named = [line for line in lines if line.label]
    if not named or any(len(line.x) == 0 for line in lines):
        raise ValueError("a figure of trends needs lines with labels, and a line points")
    ends = listed(f"{line.label} {line.y[0]:.2f} to {line.y[-1]:.2f}" for line in named)
    alt = f"{title}. {tidy(y)} over {tidy(x)}, from first to last: {ends}."
    return picture(
        lambda sheet: _draw_trends(sheet, lines, (x, y), marks), title, _HEIGHT_TRENDS, alt
    )


def _draw_trends(
    sheet: Sheet, lines: Sequence[Trend], names: tuple[str, str], marks: Sequence[Mark]
) -> None:
    axes = sheet.panel(EDGE + 38, EDGE + 30, WIDTH - EDGE - _MARGIN_TRENDS, sheet.top - EDGE)
    named = [line for line in lines if line.label]
    looks = _looks_trends(named)
    for line in lines:
        if not line.label:
            axes.plot(line.x, line.y, color=_FAINT, linewidth=0.7, zorder=1.5)
    for line, each in zip(named, looks, strict=True):
        _plot_trends(axes, line, each)
    axes.set(xlabel=names[0], ylabel=names[1])
    axes.margins(x=0.01)
    for mark in marks:
        across = axes.axvline if mark.upright else axes.axhline
        across(mark.at, color=PALE, linewidth=0.8, dashes=(4, 3), zorder=1.8)
    axes.autoscale_view()  # else it comes after the labels have been placed
    _label_trends(sheet, axes, named, looks, marks)


def _looks_trends(lines: Sequence[Trend]) -> list[Look]:
    others = iter(range(len(lines)))
    return [Look(INK, (), "o") if line.reference else look(next(others)) for line in lines]


def _plot_trends(axes: Axes, line: Trend, each: Look) -> None:
    (drawn,) = axes.plot(
        *thinned(line.x, line.y),
        color=each.colour,
        linewidth=2.2 if line.reference else 1.3,
        zorder=2.5 if line.reference else 2.0,
    )
    if each.dashes:
        drawn.set_dashes(each.dashes)
    if line.band:
        axes.fill_between(line.x, *line.band, color=each.colour, alpha=0.13, linewidth=0)


def _label_trends(
    sheet: Sheet,
    axes: Axes,
    lines: Sequence[Trend],
    looks: Sequence[Look],
    marks: Sequence[Mark],
) -> None:
    """Write the label of every line and mark where there is room."""
    paths = [
        walked(axes.transData.transform(np.stack([line.x, line.y], axis=1)), _SPACING)
        for line in lines
    ]
    crossing = [_across(axes, mark) for mark in marks]
    (left, bottom), (_, top) = axes.transAxes.transform([(0, 0), (1, 1)])
    board = Board(left + 3, bottom + 3, WIDTH - EDGE / 2, top + EDGE)
    for path in [*paths, *crossing]:
        board.draw(path)
    labels = [*(line.label for line in lines), *(mark.label for mark in marks)]
    texts = [fitted(label, _LABEL) for label in labels]
    colours = [*(darker(each.colour) for each in looks), *(PALE for _ in marks)]
    at = [anchors(paths, number, ends=False) for number in range(len(lines))]
    at += [(path, np.zeros(len(path))) for path in crossing]
    wishes = [Wish(width_of(text), SMALL, *each) for text, each in zip(texts, at, strict=True)]
    for number, place in enumerate(arrange(board, wishes)):
        sheet.label(place, texts[number], colours[number], f"label-{number}")


def _across(axes: Axes, mark: Mark) -> Points:
    """Shape (points, 2): the mark as it is drawn."""
    (left, bottom), (right, top) = axes.transAxes.transform([(0, 0), (1, 1)])
    x, y = axes.transData.transform((mark.at, mark.at))
    ends = [(x, bottom), (x, top)] if mark.upright else [(left, y), (right, y)]
    return walked(np.array(ends), _SPACING)
