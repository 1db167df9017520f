"""Stacked bars: how often a measure says what the base says, the contrary, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isnan
from typing import TYPE_CHECKING

from eval.figures.picture import Picture
from eval.figures.sheet import Sheet, fitted, picture, width_of
from eval.figures.style import EDGE, INK, LINE_HEIGHT, PALE, WIDTH, darker
from eval.figures.wording import listed, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Bar", "shares"]

_PARTS = ("non-redundant", "redundant", "non-informative")
_COLOURS = ("#D55E00", "#9fb8cc", "#e6e6e6")
_LABEL = 190.0
_NUMBER = 34.0
_FOOT = 26.0
_RIGHT = 20.0
_HEAD = 20.0


@dataclass(frozen=True, slots=True)
class Bar:
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


def shares(bars: Sequence[Bar], title: str, limit: float | None = None) -> Picture:
    """Draw one bar below the other, in the order given.

    Args:
        bars: up to 60 of them.
        title: of the figure.
        limit: a share of non-redundant comparisons that is marked by a line.

    Raises:
        ValueError: if there is no bar.
        OutputError: if matplotlib is not installed.
    """
    if not bars:
        raise ValueError("a figure of shares needs bars")
    rows = _rows(bars)
    height = LINE_HEIGHT * len(rows) + _FOOT + _HEAD
    return picture(lambda sheet: _draw(sheet, rows, limit), title, height, _alt(bars, title, limit))


def _alt(bars: Sequence[Bar], title: str, limit: float | None) -> str:
    known = [bar for bar in bars if not isnan(bar.non_redundant)]
    alt = f"{title}. Shares of {len(bars)} measures as stacked bars"
    if not known:
        return f"{alt}."
    most = max(known, key=lambda bar: bar.non_redundant)
    alt += f"; most non-redundant is {listed([most.label])} with {percent(most.non_redundant)}"
    if limit is None:
        return f"{alt}."
    above = sum(bar.non_redundant > limit for bar in known)
    return f"{alt}, and {above} are above {percent(limit)}."


def _rows(bars: Sequence[Bar]) -> list[Bar | str]:
    """Bars, each group after its heading."""
    rows: list[Bar | str] = []
    for heading, group in groupby(bars, key=lambda bar: bar.group):
        rows += [heading] * bool(heading)
        rows += group
    return rows


def _draw(sheet: Sheet, rows: Sequence[Bar | str], limit: float | None) -> None:
    labels = {
        number: fitted(row if isinstance(row, str) else row.label, _LABEL)
        for number, row in enumerate(rows)
    }
    left = EDGE + max(map(width_of, labels.values())) + _NUMBER
    axes = sheet.panel(left, _FOOT, WIDTH - _RIGHT, sheet.top - _HEAD)
    _set_up(axes, len(rows), limit)
    middle = sheet.top - _HEAD - LINE_HEIGHT / 2
    for number, row in enumerate(rows):
        y = middle - LINE_HEIGHT * number
        if isinstance(row, str):
            sheet.write(EDGE, y, labels[number], bold=True, key=f"group-{number}")
            continue
        _stack(axes, number, row)
        sheet.write(left - _NUMBER, y, labels[number], across="right", key=f"label-{number}")
        share = percent(row.non_redundant)
        sheet.write(left - 5, y, share, colour=darker(_COLOURS[0]), across="right")
    _name_parts(sheet, left, WIDTH - _RIGHT)


def _set_up(axes: Axes, rows: int, limit: float | None) -> None:
    """Axes from 0 to 100 %, one unit for each row, and the line of the limit."""
    axes.set(xlim=(0, 1), ylim=(rows - 0.5, -0.5), yticks=[])
    ticks = [tick for tick in (0.0, 0.25, 0.5, 0.75, 1.0) if limit is None or tick in {0, 0.5, 1}]
    if limit is not None:
        ticks = sorted({limit, *(tick for tick in ticks if abs(tick - limit) > 0.12)})
        axes.axvline(limit, color=INK, linewidth=0.8, dashes=(3, 2), zorder=3)
    axes.set_xticks(ticks, [percent(tick) for tick in ticks])
    axes.spines["left"].set_visible(False)
    axes.grid(visible=False)


def _stack(axes: Axes, number: int, bar: Bar) -> None:
    """The parts of a bar, one after the other."""
    start = 0.0
    for part, colour in zip(bar.parts, _COLOURS, strict=True):
        if part > 0:  # not nan either
            axes.barh(number, part, left=start, height=0.76, color=colour, linewidth=0)
            start += part


def _name_parts(sheet: Sheet, left: float, right: float) -> None:
    """The names above the first bar, in its order, each after a square of its colour."""
    y = sheet.top - _HEAD / 2 + 2
    widths = [10 + width_of(name) for name in _PARTS]
    gap = (right - left - sum(widths)) / 2
    for name, colour, width in zip(_PARTS, _COLOURS, widths, strict=True):
        sheet.square(left, y, 6, colour)
        sheet.write(left + 10, y, name, colour=PALE, key=name)
        left += width + gap
