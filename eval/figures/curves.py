"""Precision/recall curves with a label at each line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from eval.figures.anchors import anchors
from eval.figures.arranging import arrange
from eval.figures.board import Board, Wish, walked
from eval.figures.picture import Picture
from eval.figures.sheet import Sheet, fitted, picture, width_of
from eval.figures.style import EDGE, INK, SMALL, WIDTH, Look, darker, look
from eval.figures.thinning import thinned
from eval.figures.wording import listed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Line", "curves"]

_HEIGHT = 320.0
_MARGIN = 40.0
"""Right of the axes, for labels of lines that end there."""
_LABEL = 170.0
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
    return picture(lambda sheet: _draw(sheet, lines), title, _HEIGHT, alt)


def _best(lines: Sequence[Line]) -> str:
    """Which line is best in the middle."""
    reaching = [line for line in lines if line.recall[-1] >= 0.5]
    if not reaching:
        return "none reaches recall 0.5"
    middle = [float(line.precision[np.searchsorted(line.recall, 0.5)]) for line in reaching]
    best = int(np.argmax(middle))
    return f"at recall 0.5 {listed([reaching[best].label])} is best, with {middle[best]:.2f}"


def _draw(sheet: Sheet, lines: Sequence[Line]) -> None:
    axes = sheet.panel(EDGE + 34, EDGE + 30, WIDTH - EDGE - _MARGIN, sheet.top - EDGE)
    steps = [_steps(line) for line in lines]
    axes.set(xlabel="recall", ylabel="precision", xlim=(0, 1), ylim=(_lowest(steps), 1.0))
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


def _lowest(steps: Sequence[Points]) -> float:
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
    texts = [fitted(lines[number].label, _LABEL) for number in order]
    wishes = [
        Wish(width_of(text), SMALL, *anchors(paths, number, _ends_early(lines[number])))
        for number, text in zip(order, texts, strict=True)
    ]
    for number, text, place in zip(order, texts, arrange(board, wishes), strict=True):
        sheet.label(place, text, darker(looks[number].colour), f"label-{number}")
