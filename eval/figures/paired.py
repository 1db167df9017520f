"""Two values of each row with their intervals, one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eval.figures.interval import Interval, span
from eval.figures.picture import Picture
from eval.figures.sheet import Sheet, fitted, picture, width_of
from eval.figures.style import EDGE, WIDTH, Look, darker, look
from eval.figures.wording import tidy

__all__ = ["Row", "pairs_of_bars"]

_LABEL = 170.0
_NUMBERS = 92.0
_LINE, _BETWEEN = 15.0, 9.0
"""Height of a value's line, and of the gap between rows."""
_FOOT = 34.0
_LOOKS = (Look(look(0).colour, (), "D"), Look(look(1).colour, (), "o"))


@dataclass(frozen=True, slots=True)
class Row:
    """One thing measured in two ways."""

    label: str
    first: Interval
    second: Interval


def pairs_of_bars(
    rows: Sequence[Row],
    title: str,
    names: tuple[str, str],
    axis: str,
) -> Picture:
    """Draw two values with whiskers for every row, in the order given.

    Dots, not bars: the axis does not start at 0, and a bar would say that it did.

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
        f"{tidy(row.label)} {row.first.value:.2f} and {row.second.value:.2f}" for row in rows
    )
    alt = f"{title}. {names[0]} and {names[1]}: {values}."
    height = len(rows) * (2 * _LINE + _BETWEEN) + _FOOT
    return picture(lambda sheet: _draw(sheet, rows, names, axis), title, height, alt)


def _draw(sheet: Sheet, rows: Sequence[Row], names: tuple[str, str], axis: str) -> None:
    labels = [fitted(row.label, _LABEL) for row in rows]
    named = EDGE + max(map(width_of, labels)) + 10
    left = named + max(map(width_of, names)) + 8
    right = WIDTH - EDGE - _NUMBERS
    axes = sheet.panel(left, _FOOT, right, sheet.top)
    limits = span(each for row in rows for each in (row.first, row.second))
    axes.set(xlim=limits, ylim=(_FOOT, sheet.top), yticks=[], xlabel=axis)
    axes.spines["left"].set_visible(False)
    y = sheet.top - _BETWEEN / 2 - _LINE / 2
    for number, (row, label) in enumerate(zip(rows, labels, strict=True)):
        sheet.write(EDGE, y, label, key=f"label-{number}")
        for which, interval in enumerate((row.first, row.second)):
            each = _LOOKS[which]
            colour = darker(each.colour)
            axes.plot([interval.low, interval.high], [y, y], color=each.colour, linewidth=1.4)
            axes.plot(interval.value, y, each.marker, color=each.colour, markersize=5.5)
            sheet.write(named, y, names[which], colour=colour, key=f"name-{number}-{which}")
            sheet.write(right + 8, y, str(interval), colour=colour, key=f"value-{number}-{which}")
            y -= _LINE
        y -= _BETWEEN
