"""Stacked bars: how often a measure agrees with the base, contradicts it, or is silent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isnan
from typing import TYPE_CHECKING

from eval.report.figures.canvas import Picture, add_legend, add_rows, render_picture
from eval.report.figures.style import INK, LINE_HEIGHT, SMALL, darken_colour
from weps._formatting import format_percentage, join_labels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["ShareBar", "plot_shares"]

_PARTS = {"non-redundant": "#D55E00", "redundant": "#9fb8cc", "non-informative": "#e6e6e6"}
"""Part → colour, in the order of drawing."""


@dataclass(frozen=True, slots=True)
class ShareBar:
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


def plot_shares(bars: Sequence[ShareBar], title: str, limit: float | None = None) -> Picture:
    """Plot one stacked bar below the other, in the order given.

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
    rows: list[ShareBar | str] = []
    for heading, group in groupby(bars, key=lambda bar: bar.group):
        rows += [heading] * bool(heading)
        rows += group
    height = LINE_HEIGHT * (len(rows) + 0.4)
    alt = _describe_bars(bars, title, limit)
    return render_picture(lambda figure: _draw(figure, rows, limit), title, height, alt)


def _describe_bars(bars: Sequence[ShareBar], title: str, limit: float | None) -> str:
    known = [bar for bar in bars if not isnan(bar.non_redundant)]
    alt = f"{title}. Shares of {len(bars)} measures as stacked bars"
    if not known:
        return f"{alt}."
    most = max(known, key=lambda bar: bar.non_redundant)
    label, share = join_labels([most.label]), format_percentage(most.non_redundant, 0)
    alt += f"; most non-redundant is {label} with {share}"
    if limit is None:
        return f"{alt}."
    above = sum(bar.non_redundant > limit for bar in known)
    return f"{alt}, and {above} are above {format_percentage(limit, 0)}."


def _draw(figure: Figure, rows: Sequence[ShareBar | str], limit: float | None) -> None:
    """Draw bars and headings, each share of non-redundant comparisons at the right."""
    axes = figure.add_subplot(xlim=(0, 1))
    headings = [isinstance(row, str) for row in rows]
    labels = [row if isinstance(row, str) else row.label for row in rows]
    add_rows(axes, labels, range(len(rows)), headings)
    axes.grid(visible=False)
    ticks = [0.0, 0.25, 0.5, 0.75, 1.0]
    if limit is not None:
        axes.axvline(limit, color=INK, linewidth=0.8, dashes=(3, 2), zorder=3)
        ticks = sorted({limit, *(tick for tick in (0, 0.5, 1) if abs(tick - limit) > 0.12)})
    axes.set_xticks(ticks, [format_percentage(tick, 0) for tick in ticks])
    for number, row in enumerate(rows):
        if isinstance(row, str):
            continue
        start = 0.0
        for part, colour in zip(row.parts, _PARTS.values(), strict=True):
            if part > 0:  # not nan either
                axes.barh(number, part, left=start, height=0.76, color=colour, linewidth=0)
                start += part
        axes.text(
            1.02,
            number,
            format_percentage(row.non_redundant, 0),
            va="center",
            size=SMALL,
            color=darken_colour(_PARTS["non-redundant"]),
        )
    handles = [axes.plot([], [], "s", color=colour, markersize=6)[0] for colour in _PARTS.values()]
    add_legend(figure, handles, list(_PARTS))
