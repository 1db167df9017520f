"""Points of families, those that matter with labels, against the diagonal if there is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from eval.report.figures.canvas import Sheet, fitted, picture, width_of
from eval.report.figures.label_placement import Board, Wish, arrange, walked
from eval.report.figures.style import (
    EDGE,
    INK,
    LINE_HEIGHT,
    PALE,
    SMALL,
    WIDTH,
    Look,
    Picture,
    listed,
    look,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Point", "scatter"]

_SIDE = 310.0
"""Length of both axes."""
_LEFT, _BOTTOM = EDGE + 38, EDGE + 30
_LABEL = 150.0
_KEY = 1e6
"""Ink where the key is, so that no label goes there."""
_DIAGONAL = "label--1"
_STRIDE = 5.0
"""Between the points of the diagonal at which its name may stand."""


@dataclass(frozen=True, slots=True)
class Point:
    """One thing measured twice; both values are finite."""

    label: str
    x: float
    y: float
    marked: bool = False
    """Whether it is labelled, and drawn full."""
    family: str = ""


def scatter(  # noqa: PLR0913 - two axes, and what is said of them
    points: Sequence[Point],
    title: str,
    *,
    x: str,
    y: str,
    correlation: str = "",
    alike: bool = True,
) -> Picture:
    """Draw points on two axes.

    Args:
        points: some 30 to 80; more, if most of them are not marked.
        title: of the figure.
        x: what the first value is.
        y: what the second value is.
        correlation: a remark that is written into the figure.
        alike: whether both values are of one kind: on one scale, with the diagonal.

    Raises:
        ValueError: if there is no point.
        OutputError: if matplotlib is not installed.
    """
    if not points:
        raise ValueError("a figure of points needs points")
    marked = [point.label for point in points if point.marked]
    named = f", among them {listed(marked)}" if marked else ""
    alt = f"{title}. {tidy(y)} against {tidy(x)} of {len(points)} points{named}."
    alt += f" {tidy(correlation)}." if correlation else ""
    return picture(
        lambda sheet: _draw(sheet, points, (x, y), correlation, alike),
        title,
        _BOTTOM + _SIDE + EDGE,
        alt,
    )


def _draw(
    sheet: Sheet, points: Sequence[Point], names: tuple[str, str], correlation: str, alike: bool
) -> None:
    axes = sheet.panel(_LEFT, _BOTTOM, _LEFT + _SIDE, _BOTTOM + _SIDE)
    _scale(axes, [point.x for point in points], [point.y for point in points], alike)
    x, y = (fitted(name, 0.85 * _SIDE) for name in names)
    axes.set(xlabel=x, ylabel=y)
    families = list(dict.fromkeys(point.family for point in points))
    for point in points:
        _plot(axes, point, families.index(point.family))
    _key(sheet, axes, {family: look(n) for n, family in enumerate(families) if family})
    sheet.write(_LEFT + 8, _BOTTOM + _SIDE - 8, fitted(correlation, _SIDE / 2), key="remark")
    _label(sheet, axes, points, alike)


def _scale(axes: Axes, across: Sequence[float], up: Sequence[float], alike: bool) -> None:
    """Give each axis its range; one for both, so that the diagonal is one, if they are alike."""
    if not alike:
        axes.set(xlim=_range(across), ylim=_range(up))
        return
    low, high = _range([*across, *up])
    axes.set(xlim=(low, high), ylim=(low, high))
    axes.set_yticks(axes.get_xticks())
    axes.set(ylim=(low, high))
    axes.plot([low, high], [low, high], color=PALE, linewidth=0.8, dashes=(4, 3))


def _range(values: Sequence[float]) -> tuple[float, float]:
    margin = 0.06 * (max(values) - min(values)) or 0.05
    return min(values) - margin, max(values) + margin


def _plot(axes: Axes, point: Point, family: int) -> None:
    each = look(family)
    axes.plot(
        point.x,
        point.y,
        each.marker,
        markersize=6 if point.marked else 4.5,
        markerfacecolor=each.colour if point.marked else "white",
        markeredgecolor=each.colour,
        markeredgewidth=1.0,
        zorder=4 if point.marked else 3,
    )


def _key(sheet: Sheet, axes: Axes, families: Mapping[str, Look]) -> None:
    """Right of the axes: the marker and the name of every family."""
    left, y = _LEFT + _SIDE + 14, _BOTTOM + _SIDE - 6
    for number, (family, each) in enumerate(families.items()):
        x_axis, y_axis = axes.transData.inverted().transform((left, y))
        axes.plot(x_axis, y_axis, each.marker, color=each.colour, markersize=5, clip_on=False)
        text = fitted(family, WIDTH - EDGE - left - 8)
        sheet.write(left + 8, y, text, key=f"family-{number}")
        y -= LINE_HEIGHT


def _label(sheet: Sheet, axes: Axes, points: Sequence[Point], alike: bool) -> None:
    """Name the marked points, and the diagonal, where there is room."""
    places = axes.transData.transform([(point.x, point.y) for point in points])
    diagonal = walked(axes.transAxes.transform([(0, 0), (1, 1)]), _STRIDE)
    top = _BOTTOM + _SIDE - LINE_HEIGHT * (1 + len({point.family for point in points}))
    board = Board(_LEFT + 3, _BOTTOM + 3, WIDTH - EDGE / 2, _BOTTOM + _SIDE - 2 * LINE_HEIGHT)
    board.fill(_LEFT + _SIDE, top, WIDTH, _BOTTOM + _SIDE, _KEY)
    if alike:
        board.draw(diagonal)
    for x, y in places.tolist():
        board.dot(x, y)
    marked = [number for number, point in enumerate(points) if point.marked]
    texts = [fitted(points[number].label, _LABEL) for number in marked]
    anchors: list[NDArray[np.float64]] = [places[[number]] for number in marked]
    keys = [f"label-{number}" for number in marked]
    if alike:
        texts, anchors, keys = ["y = x", *texts], [diagonal, *anchors], [_DIAGONAL, *keys]
    wishes = [
        Wish(width_of(text), SMALL, at, np.zeros(len(at)))
        for text, at in zip(texts, anchors, strict=True)
    ]
    for key, text, place in zip(keys, texts, arrange(board, wishes), strict=True):
        colour = PALE if key == _DIAGONAL else INK
        sheet.label(place, text, colour, key, radius=3.5)
