"""Lines over a common axis: precision-recall curves and trends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor
from typing import TYPE_CHECKING

import numpy as np

from weps._formatting import join_labels, tidy_label
from weps_eval.report.figures.canvas import (
    PALE,
    REFERENCE,
    Look,
    Picture,
    add_legend,
    fit_axis,
    look_of,
    render_picture,
)
from weps_eval.stats.arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

_HEIGHT = 230.0
_FAINT = "#bdbdbd"
_UNSEEN = 0.005
"""Recall of the first pairs, two pixels in which precision leaps about; left out."""
_DASHES = {False: (4, 3), True: (1.2, 1.6)}
"""Alignment of guide lines, by whether they are vertical."""


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """One line; all values are finite."""

    label: str
    """Empty for one of many that need no name, which is drawn faintly."""
    x: Floats
    """Shape (points,), not decreasing."""
    y: Floats
    """Shape (points,)."""
    band: tuple[Floats, Floats] | None = None
    """Lower and upper ends of the intervals of y, shape (points,) each."""
    reference: bool = False
    """Whether it is what the others are compared with; drawn dark and thick."""


@dataclass(frozen=True, slots=True)
class GuideLine:
    """A thin straight line across the figure, named in the legend."""

    label: str
    at: float
    vertical: bool = False
    """At an x, not at a y."""


def plot_curves(lines: Sequence[Series], title: str) -> Picture:
    """Plot precision (y) against recall (x) of two to twelve rankings.

    Drawn in steps, since a tie enters as a whole: no threshold attains what is between two points,
    and a straight line promises too much (Davis and Goadrich 2006). The area below a line is its
    average precision.

    Raises:
        ValueError: if there is no line, or one has no points.
    """
    if not lines or any(len(line.x) == 0 for line in lines):
        raise ValueError("a figure of curves needs lines, and a line points")
    names = join_labels(line.label for line in lines)
    alt = f"{title}. Precision against recall of {names}; {_describe_best(lines)}."
    return render_picture(lambda figure: _draw_curves(figure, lines), title, _HEIGHT, alt)


def plot_trends(
    lines: Sequence[Series], title: str, *, x: str, y: str, guides: Sequence[GuideLine] = ()
) -> Picture:
    """Plot up to twelve lines with labels, and any number without, over ``x``.

    The guides are straight lines to compare with.

    Raises:
        ValueError: if no line has a label, or one has no points.
    """
    named = [line for line in lines if line.label]
    if not named or any(len(line.x) == 0 for line in lines):
        raise ValueError("a figure of trends needs lines with labels, and a line points")
    ends = join_labels(f"{line.label} {line.y[0]:.2f} to {line.y[-1]:.2f}" for line in named)
    alt = f"{title}. {tidy_label(y)} over {tidy_label(x)}, from first to last: {ends}."

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot(xlabel=fit_axis(x), ylabel=fit_axis(y))
        axes.margins(x=0.01)
        for line in lines:
            if not line.label:
                axes.plot(line.x, line.y, color=_FAINT, linewidth=0.7, zorder=1.5)
        handles = [
            _plot_line(axes, line, look, np.stack(subsample_curve(line.x, line.y), axis=1))
            for line, look in zip(named, _looks_of(named), strict=True)
        ]
        handles += [_plot_guide(axes, guide) for guide in guides]
        labels = [line.label for line in named] + [guide.label for guide in guides]
        add_legend(figure, handles, labels)

    return render_picture(draw, title, _HEIGHT, alt)


def step_curve(line: Series) -> Floats:
    """Corners of a precision-recall curve in steps, shape (corners, 2)."""
    seen = line.x >= min(_UNSEEN, line.x[-1] / 2)
    recall, precision = line.x[seen], line.y[seen]
    before = np.concatenate(([0.0], recall[:-1]))
    across = np.stack([before, recall], axis=1).ravel()
    return np.stack(subsample_curve(across, precision.repeat(2), most=800), axis=1)


def subsample_curve(x: Floats, y: Floats, most: int = 400) -> tuple[Floats, Floats]:
    """At most ``most`` points that look like all of them.

    The range of x is cut into equal parts; of each are kept the first, the last, the lowest and
    the highest point, which is all that a part as narrow as a pixel shows (Jugel, Jerzak,
    Hackenbroich and Markl, M4, VLDB 2014).

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


def _describe_best(lines: Sequence[Series]) -> str:
    """Which line is best in the middle."""
    reaching = [line for line in lines if line.x[-1] >= 0.5]
    if not reaching:
        return "none reaches recall 0.5"
    middle = [float(line.y[np.searchsorted(line.x, 0.5)]) for line in reaching]
    best = int(np.argmax(middle))
    return f"at recall 0.5 {join_labels([reaching[best].label])} is best, with {middle[best]:.2f}"


def _draw_curves(figure: Figure, lines: Sequence[Series]) -> None:
    steps = [step_curve(line) for line in lines]
    lowest = min(float(points[:, 1].min()) for points in steps)
    bottom = max(0.0, floor(10 * lowest - 0.3) / 10)
    axes = figure.add_subplot(xlabel="recall", ylabel="precision", xlim=(0, 1), ylim=(bottom, 1))
    drawn = []
    for line, look, points in zip(lines, _looks_of(lines), steps, strict=True):
        drawn.append(_plot_line(axes, line, look, points, clip_on=False))
        if line.x[-1] < 0.97:
            axes.plot(*points[-1], "o", color=look.colour, markersize=4, clip_on=False)
    add_legend(figure, drawn, [line.label for line in lines])


def _looks_of(lines: Sequence[Series]) -> list[Look]:
    numbers = iter(range(len(lines)))
    return [REFERENCE if line.reference else look_of(next(numbers)) for line in lines]


def _plot_line(
    axes: Axes, line: Series, look: Look, points: Floats, *, clip_on: bool = True
) -> Line2D:
    (drawn,) = axes.plot(
        *points.T,
        color=look.colour,
        linewidth=2.2 if line.reference else 1.3,
        zorder=2.5 if line.reference else 2.0,
        clip_on=clip_on,
    )
    if look.dashes:
        drawn.set_dashes(look.dashes)
    if line.band:
        axes.fill_between(line.x, *line.band, color=look.colour, alpha=0.13, linewidth=0)
    return drawn


def _plot_guide(axes: Axes, guide: GuideLine) -> Line2D:
    across = axes.axvline if guide.vertical else axes.axhline
    line = across(guide.at, color=PALE, linewidth=0.9, zorder=1.8)
    line.set_dashes(_DASHES[guide.vertical])
    return line
