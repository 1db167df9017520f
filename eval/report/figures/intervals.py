"""One value of each row with its interval, rows in groups, some of them marked.

Two values of each row with their intervals, one below the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eval.report.figures.canvas import Sheet, fitted, picture, width_of
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

__all__ = ["Entry", "Row", "groups_of_dots", "pairs_of_bars"]

_LABEL = 210.0
_NUMBERS = 84.0
_LINE, _BETWEEN, _FOOT = 13.0, 8.0, 34.0


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing measured."""

    label: str
    value: Interval
    marked: bool = False
    """Whether it is drawn full, and its label bold."""


def groups_of_dots(groups: Sequence[Sequence[Entry]], title: str, axis: str) -> Picture:
    """Draw a value with whiskers for every row, groups apart, in the order given.

    Dots, not bars: the axis does not start at 0, and a bar would say that it did.

    Args:
        groups: of rows, some 70 rows at most.
        title: of the figure.
        axis: what the values are.

    Raises:
        ValueError: if there is no row.
        OutputError: if matplotlib is not installed.
    """
    rows = [entry for group in groups for entry in group]
    if not rows:
        raise ValueError("a figure of rows needs rows")
    best = max(rows, key=lambda entry: entry.value.value)
    marked = [entry.label for entry in rows if entry.marked]
    parts = f" in {len(groups)} groups" if len(groups) > 1 else ""
    alt = f"{title}. {tidy(axis)} of {len(rows)} rows{parts}, the highest {tidy(best.label)} "
    alt += f"with {best.value.value:.2f}."
    alt += f" Marked: {listed(marked)}." if marked else ""
    height = len(rows) * _LINE + len(groups) * _BETWEEN + _FOOT
    return picture(lambda sheet: _draw(sheet, groups, axis), title, height, alt)


def _draw(sheet: Sheet, groups: Sequence[Sequence[Entry]], axis: str) -> None:
    rows = [entry for group in groups for entry in group]
    labels = {entry.label: fitted(entry.label, _LABEL, SMALL, _weight(entry)) for entry in rows}
    left = EDGE + 10 + max(width_of(labels[each.label], SMALL, _weight(each)) for each in rows)
    right = WIDTH - EDGE - _NUMBERS
    axes = sheet.panel(left, _FOOT, right, sheet.top)
    limits = span(entry.value for entry in rows)
    axes.set(xlim=limits, ylim=(_FOOT, sheet.top), yticks=[], xlabel=axis)
    axes.spines["left"].set_visible(False)
    y, number = sheet.top - _LINE / 2, 0
    for place, group in enumerate(groups):
        if place:
            sheet.stroke((EDGE, y + _LINE / 2 - 0.5), (right, y + _LINE / 2 - 0.5), PALE)
        y -= _BETWEEN / 2
        for entry in group:
            _row(sheet, entry, (labels[entry.label], right + 8, y, number))
            colour = look(int(entry.marked)).colour
            face = colour if entry.marked else "white"
            axes.plot([entry.value.low, entry.value.high], [y, y], color=colour, linewidth=1.2)
            axes.plot(entry.value.value, y, "o", color=colour, markersize=4.5, markerfacecolor=face)
            y, number = y - _LINE, number + 1
        y -= _BETWEEN / 2


def _row(sheet: Sheet, entry: Entry, at: tuple[str, float, float, int]) -> None:
    """Write the label and the number of a row."""
    label, right, y, number = at
    sheet.write(EDGE, y, label, bold=entry.marked, key=f"label-{number}")
    sheet.write(right, y, str(entry.value), colour=INK, key=f"value-{number}")


def _weight(entry: Entry) -> str:
    return "bold" if entry.marked else "normal"


_LABEL_PAIRED = 170.0
_NUMBERS_PAIRED = 92.0
_LINE_PAIRED, _BETWEEN_PAIRED = 15.0, 9.0
"""Height of a value's line, and of the gap between rows."""
_FOOT_PAIRED = 34.0
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
    height = len(rows) * (2 * _LINE_PAIRED + _BETWEEN_PAIRED) + _FOOT_PAIRED
    return picture(lambda sheet: _draw_paired(sheet, rows, names, axis), title, height, alt)


def _draw_paired(sheet: Sheet, rows: Sequence[Row], names: tuple[str, str], axis: str) -> None:
    labels = [fitted(row.label, _LABEL_PAIRED) for row in rows]
    named = EDGE + max(map(width_of, labels)) + 10
    left = named + max(map(width_of, names)) + 8
    right = WIDTH - EDGE - _NUMBERS_PAIRED
    axes = sheet.panel(left, _FOOT_PAIRED, right, sheet.top)
    limits = span(each for row in rows for each in (row.first, row.second))
    axes.set(xlim=limits, ylim=(_FOOT_PAIRED, sheet.top), yticks=[], xlabel=axis)
    axes.spines["left"].set_visible(False)
    y = sheet.top - _BETWEEN_PAIRED / 2 - _LINE_PAIRED / 2
    for number, (row, label) in enumerate(zip(rows, labels, strict=True)):
        sheet.write(EDGE, y, label, key=f"label-{number}")
        for which, interval in enumerate((row.first, row.second)):
            each = _LOOKS[which]
            colour = darker(each.colour)
            axes.plot([interval.low, interval.high], [y, y], color=each.colour, linewidth=1.4)
            axes.plot(interval.value, y, each.marker, color=each.colour, markersize=5.5)
            sheet.write(named, y, names[which], colour=colour, key=f"name-{number}-{which}")
            sheet.write(right + 8, y, str(interval), colour=colour, key=f"value-{number}-{which}")
            y -= _LINE_PAIRED
        y -= _BETWEEN_PAIRED
