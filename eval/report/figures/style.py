"""How all figures look: sizes, fonts, colours. Lengths are in points, 72 to the inch.

A value with its interval.

What every function of this package makes, and whether it can be made here.

Labels fit to be drawn: one line, of bounded length.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib.util import find_spec
from math import isnan
from typing import Any

__all__ = [
    "BODY",
    "EDGE",
    "GRID",
    "INK",
    "LINE_HEIGHT",
    "MARKERS",
    "PALE",
    "SETTINGS",
    "SMALL",
    "TITLE",
    "WIDTH",
    "Interval",
    "Look",
    "Picture",
    "available",
    "darker",
    "listed",
    "look",
    "percent",
    "shortened",
    "span",
    "tidy",
]


@dataclass(frozen=True, slots=True)
class Interval:
    """A value and the ends of its interval; nan if there is none."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        between = "–" if self.low >= 0 else " to "
        ends = "" if isnan(self.low) else f" ({_two(self.low)}{between}{_two(self.high)})"
        return f"{_two(self.value)}{ends}"


def _two(value: float) -> str:
    return f"{round(value, 2) + 0.0:.2f}".replace("-", "−")


def span(intervals: Iterable[Interval]) -> tuple[float, float]:
    """Limits of an axis: from somewhat below the lowest end to somewhat above the highest."""
    ends = [end for each in intervals for end in (each.value, each.low, each.high)]
    known = [end for end in ends if not isnan(end)]
    margin = 0.08 * (max(known) - min(known)) or 0.05
    return min(known) - margin, max(known) + margin


@dataclass(frozen=True, slots=True)
class Picture:
    """One figure in the two formats that documents need; the same data give the same bytes."""

    svg: str = field(repr=False)
    """450 pt (600 CSS pixels) wide, text as paths, nothing linked."""
    png: bytes = field(repr=False)
    """The same at 200 dpi."""
    alt: str
    """One or two sentences for those who cannot see it."""


def available() -> bool:
    """Whether matplotlib is installed, without which nothing is drawn."""
    return find_spec("matplotlib") is not None


WIDTH = 450.0
"""600 CSS pixels, so that 9 pt is 12 pixels."""
EDGE = 8.0
"""White between the picture's edge and what is drawn."""
TITLE, BODY, SMALL = 11.0, 9.0, 8.0
LINE_HEIGHT = 13.0

INK, PALE, GRID = "#222222", "#666666", "#e3e3e3"

_OKABE_ITO = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Okabe and Ito 2008, without black, which the reference has, and yellow, unseen on white."""
_DASHES: tuple[tuple[float, ...], ...] = (
    (),
    (5, 1.5),
    (1.2, 1.2),
    (7, 1.5, 1.2, 1.5),
    (3, 1.2),
    (10, 2),
    (5, 1.2, 1.2, 1.2, 1.2, 1.2),
)
MARKERS = "osD^vPX*<>ph"

SETTINGS: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": PALE,
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.labelsize": BODY,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "font.family": ["DejaVu Sans"],
    "font.size": BODY,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "lines.solid_capstyle": "butt",
    "svg.fonttype": "path",
    "svg.hashsalt": "weps",
    "text.color": INK,
    "text.parse_math": False,  # labels are columns of users' tables, in which a $ is a $
    "xtick.color": PALE,
    "xtick.labelsize": SMALL,
    "xtick.major.size": 2.5,
    "xtick.major.width": 0.6,
    "ytick.color": PALE,
    "ytick.labelsize": SMALL,
    "ytick.major.size": 2.5,
    "ytick.major.width": 0.6,
}
"""Settings of matplotlib, laid over its own defaults, not over the user's."""


@dataclass(frozen=True, slots=True)
class Look:
    """How one line or family is told from the others, in colour and in grey."""

    colour: str
    dashes: tuple[float, ...]
    marker: str


def look(number: int) -> Look:
    """The look of the line or family of that number; 84 differ, neighbours in all respects."""
    return Look(
        _OKABE_ITO[number % len(_OKABE_ITO)],
        _DASHES[number % len(_DASHES)],
        MARKERS[number % len(MARKERS)],
    )


def darker(colour: str) -> str:
    """The colour dark enough for small text on white."""
    parts = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return "#" + "".join(f"{round(0.68 * part):02x}" for part in parts)


_LONGEST = 60


def tidy(text: str, longest: int = _LONGEST) -> str:
    """One line of printable characters, shortened in the middle."""
    printable = "".join(each if each.isprintable() else " " for each in text)
    return shortened(" ".join(printable.split()), longest)


def shortened(text: str, longest: int) -> str:
    """The text with an ellipsis in its middle if it is longer; both its ends tell it apart."""
    if len(text) <= longest:
        return text
    front = longest // 2
    return f"{text[:front]}…{text[len(text) - (longest - front - 1) :]}"


def percent(share: float) -> str:
    """``12 %``; a dash if there is no share."""
    return f"{100 * share:.0f} %" if not isnan(share) else "–"


def listed(labels: Iterable[str]) -> str:
    """Labels in a sentence: ``a, b and c``."""
    *front, last = (tidy(label) for label in labels)
    return f"{', '.join(front)} and {last}" if front else last
