"""Style of all figures: sizes, colours, and how labels are written.

Lengths are in points, 72 to the inch.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import Any

from eval.stats.estimate import Estimate
from weps._formatting import format_number

__all__ = [
    "BODY",
    "EDGE",
    "INK",
    "LINE_HEIGHT",
    "PALE",
    "REFERENCE",
    "SETTINGS",
    "SMALL",
    "TITLE",
    "WIDTH",
    "Look",
    "darken_colour",
    "format_estimate",
    "look_of",
]

WIDTH = 450.0
"""600 CSS pixels, so that 9 pt is 12 pixels."""
EDGE = 8.0
"""White between the edge of the picture and what is drawn."""
TITLE, BODY, SMALL = 11.0, 9.0, 8.0
LINE_HEIGHT = 13.0

INK, PALE, _GRID = "#222222", "#666666", "#e3e3e3"


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
_MARKERS = "osD^vPX*<>ph"

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
    "grid.color": _GRID,
    "grid.linewidth": 0.6,
    "legend.borderpad": 0.0,
    "legend.fontsize": SMALL,
    "legend.frameon": False,
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
"""Settings of matplotlib, applied over its own defaults, not over the user's."""


@dataclass(frozen=True, slots=True)
class Look:
    """How one line or family differs from the others, in colour and in grey."""

    colour: str
    dashes: tuple[float, ...]
    marker: str


REFERENCE = Look(INK, (), "o")
"""Of what the others are compared with."""


def look_of(number: int) -> Look:
    """Look of the line or family of that number; 84 differ, neighbours in all respects."""
    return Look(
        _OKABE_ITO[number % len(_OKABE_ITO)],
        _DASHES[number % len(_DASHES)],
        _MARKERS[number % len(_MARKERS)],
    )


def darken_colour(colour: str) -> str:
    """The colour dark enough for small text on white."""
    parts = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return "#" + "".join(f"{round(0.68 * part):02x}" for part in parts)


def format_estimate(estimate: Estimate) -> str:
    """``0.50 (0.40–0.60)``; the value alone if there is no interval."""
    between = "–" if estimate.low >= 0 else " to "  # a dash next to a minus is hard to read
    value, low, high = (format_number(each, 2) for each in estimate)
    return value if isnan(estimate.low) else f"{value} ({low}{between}{high})"
