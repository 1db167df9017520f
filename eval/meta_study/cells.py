"""Cells of tables about measures."""

from __future__ import annotations

from math import isnan

from eval.ordering import Estimate
from weps.commands.fitting import cut
from weps.report.shown import plain

__all__ = ["NARROW", "chance", "name_cell", "two", "two_between"]

NARROW = 36
"""Columns of a measure's name on a terminal."""


def two(value: float) -> str:
    """Two decimals; a dash if it is not known."""
    return "–" if isnan(value) else f"{round(value, 2) + 0.0:.2f}".replace("-", "−")


def two_between(figure: Estimate) -> str:
    """The figure and its interval."""
    ends = "" if isnan(figure.low) else f" ({two(figure.low)} to {two(figure.high)})"
    return two(figure.value) + ends


def chance(value: float) -> str:
    """A probability; small ones are below a thousandth."""
    if isnan(value):
        return "–"
    return "<.001" if value < 0.001 else f"{value:.3f}".removeprefix("0")


def name_cell(name: str) -> str:
    """A measure's name, short enough for a terminal."""
    return cut(plain(name), NARROW)
