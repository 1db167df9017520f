"""Points of families; the important ones have numbers that the legend explains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from weps._formatting import join_labels, tidy_label
from weps_eval.report.figures.canvas import (
    PALE,
    SMALL,
    Look,
    Picture,
    add_legend,
    fit_axis,
    look_of,
    render_picture,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

_HEIGHT = 290.0
_DISTANCES = (10.0, 20.0, 30.0, 40.0)
"""From a marker to the middle of its number."""
_ROOM = 10.0
"""From the middle of a number to others and to markers, where that is possible."""
_ANGLES = np.linspace(0, 2 * np.pi, 16, endpoint=False)
_SIDES = np.concatenate(
    [each * np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1) for each in _DISTANCES]
)


@dataclass(frozen=True, slots=True)
class Point:
    """One thing measured twice; both values are finite."""

    label: str
    x: float
    y: float
    marked: bool = False
    """Whether it is drawn full and has a number, which the legend explains."""
    family: str = ""


def plot_scatter(  # noqa: PLR0913 - two axes, and what is remarked on them
    points: Sequence[Point],
    title: str,
    *,
    x: str,
    y: str,
    correlation: str = "",
    alike: bool = True,
) -> Picture:
    """Plot points on two axes, families by colour and marker.

    There may be some 30 to 80 points; more, if most of them are not marked. The correlation is a
    remark above the axes. Values that are alike, of one kind, have one scale and the diagonal.

    Raises:
        ValueError: if there is no point.
    """
    if not points:
        raise ValueError("a figure of points needs points")
    marked = [point.label for point in points if point.marked]
    named = f", among them {join_labels(marked)}" if marked else ""
    alt = f"{title}. {tidy_label(y)} against {tidy_label(x)} of {len(points)} points{named}."
    alt += f" {tidy_label(correlation)}." if correlation else ""

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot(xlabel=fit_axis(x), ylabel=fit_axis(y))
        axes.set_title(fit_axis(correlation), loc="left", size=SMALL, color=PALE)
        diagonal = _set_limits(axes, points, alike)
        families = list(dict.fromkeys(point.family for point in points))
        looks = {family: look_of(number) for number, family in enumerate(families)}
        drawn = [_plot_marker(axes, point, looks[point.family]) for point in points]
        named = [family for family in families if family]
        handles = [_plot_marker(axes, Point("", nan, nan), looks[family]) for family in named]
        add_legend(figure, [*handles, *diagonal], [*named, *["y = x"][:alike]], beside=True)
        numbered = [each for each, point in zip(drawn, points, strict=True) if point.marked]
        labels = [f"{number}: {label}" for number, label in enumerate(marked, start=1)]
        add_legend(figure, numbered, labels)

    height = None if alike else _HEIGHT
    return render_picture(draw, title, height, alt, lambda figure: _write_numbers(figure, points))


def _set_limits(axes: Axes, points: Sequence[Point], alike: bool) -> list[Line2D]:
    """Give each axis its range; one for both, and the diagonal, if the values are alike."""
    across, up = [point.x for point in points], [point.y for point in points]
    if not alike:
        axes.set(xlim=_widen_range(across), ylim=_widen_range(up))
        return []
    limits = _widen_range([*across, *up])
    axes.set(xlim=limits, ylim=limits)
    axes.set_yticks(axes.get_xticks())
    axes.set(xlim=limits, ylim=limits)
    return axes.plot(limits, limits, color=PALE, linewidth=0.8, dashes=(2, 1.5))


def _widen_range(values: Sequence[float]) -> tuple[float, float]:
    margin = 0.06 * (max(values) - min(values)) or 0.05
    return min(values) - margin, max(values) + margin


def _plot_marker(axes: Axes, point: Point, look: Look) -> Line2D:
    (drawn,) = axes.plot(
        point.x,
        point.y,
        look.marker,
        markersize=6 if point.marked else 4.5,
        markerfacecolor=look.colour if point.marked else "white",
        markeredgecolor=look.colour,
        markeredgewidth=1.0,
        zorder=4 if point.marked else 3,
    )
    return drawn


def _write_numbers(figure: Figure, points: Sequence[Point]) -> None:
    """Number the marked points near their markers, clear of other points and numbers.

    A number stands on the side where most room is; farther away, with a line to its marker, where
    points are crowded.
    """
    from matplotlib.patheffects import withStroke  # noqa: PLC0415

    axes = figure.axes[0]
    places = axes.transData.transform([(point.x, point.y) for point in points])
    low, high = axes.transAxes.transform([(0, 0), (1, 1)])
    taken = places
    marked = [at for at, point in enumerate(points) if point.marked]
    for number, at in enumerate(marked, start=1):
        sides = places[at] + _SIDES
        room = np.linalg.norm(sides[:, np.newaxis] - taken, axis=2).min(axis=1).clip(max=_ROOM)
        room -= 0.05 * np.linalg.norm(_SIDES, axis=1)
        room[((sides < low) | (sides > high)).any(axis=1)] -= _ROOM
        best = int(room.round(3).argmax())  # rounded, so that equal sides stay equal
        taken = np.concatenate([taken, sides[[best]]])
        far = best >= len(_SIDES) / len(_DISTANCES)
        axes.annotate(
            str(number),
            (points[at].x, points[at].y),
            tuple(_SIDES[best]),
            textcoords="offset points",
            ha="center",
            va="center",
            size=SMALL,
            zorder=5,
            path_effects=[withStroke(linewidth=2, foreground="white")],
            arrowprops={"arrowstyle": "-", "linewidth": 0.5, "color": PALE} if far else None,
        )
