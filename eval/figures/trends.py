"""Lines over a common axis, each with its label: how something rises and falls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from eval.figures.anchors import anchors
from eval.figures.arranging import arrange
from eval.figures.board import Board, Wish, walked
from eval.figures.picture import Picture
from eval.figures.sheet import Sheet, fitted, picture, width_of
from eval.figures.style import EDGE, INK, PALE, SMALL, WIDTH, Look, darker, look
from eval.figures.thinning import thinned
from eval.figures.wording import listed, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Mark", "Trend", "trends"]

_HEIGHT = 300.0
_MARGIN = 60.0
"""Right of the axes, for labels of lines that end there."""
_LABEL = 150.0
_SPACING = 4.0
"""Between the points of a line that a label may stand for."""
_FAINT = "#bdbdbd"

Points = NDArray[np.float64]


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
    return picture(lambda sheet: _draw(sheet, lines, (x, y), marks), title, _HEIGHT, alt)


def _draw(
    sheet: Sheet, lines: Sequence[Trend], names: tuple[str, str], marks: Sequence[Mark]
) -> None:
    axes = sheet.panel(EDGE + 38, EDGE + 30, WIDTH - EDGE - _MARGIN, sheet.top - EDGE)
    named = [line for line in lines if line.label]
    looks = _looks(named)
    for line in lines:
        if not line.label:
            axes.plot(line.x, line.y, color=_FAINT, linewidth=0.7, zorder=1.5)
    for line, each in zip(named, looks, strict=True):
        _plot(axes, line, each)
    axes.set(xlabel=names[0], ylabel=names[1])
    axes.margins(x=0.01)
    for mark in marks:
        across = axes.axvline if mark.upright else axes.axhline
        across(mark.at, color=PALE, linewidth=0.8, dashes=(4, 3), zorder=1.8)
    axes.autoscale_view()  # else it comes after the labels have been placed
    _label(sheet, axes, named, looks, marks)


def _looks(lines: Sequence[Trend]) -> list[Look]:
    others = iter(range(len(lines)))
    return [Look(INK, (), "o") if line.reference else look(next(others)) for line in lines]


def _plot(axes: Axes, line: Trend, each: Look) -> None:
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


def _label(
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
