"""A subset grown member by member: what each adds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING

from eval.figures.interval import Interval, span
from eval.figures.picture import Picture
from eval.figures.sheet import Sheet, fitted, picture, width_of
from eval.figures.style import EDGE, PALE, WIDTH, look
from eval.figures.wording import listed, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Step", "steps"]

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
