"""Figures of a comparison as tables and remarks print them."""

from __future__ import annotations

from math import isnan

from eval.comparison import Difference

__all__ = ["DIFFERENCE", "difference_cells", "interval", "probability", "share", "signed"]

DIFFERENCE = ("95 % interval", "sign test p", "better", "worse", "equal")
"""Headings of what tables say of a difference after its size."""


def share(value: float) -> str:
    """Three decimals; a dash if it is not known."""
    return "–" if isnan(value) else f"{value:.3f}"


def signed(value: float) -> str:
    """Three decimals with a sign, zero with a plus."""
    return f"{round(value, 3) + 0.0:+.3f}"


def difference_cells(difference: Difference) -> list[str]:
    """Size, interval, sign test, and on how many names it is better, worse and equal."""
    counts = (difference.better, difference.worse, difference.equal)
    tests = signed(difference.mean), interval(difference), probability(difference.p)
    return [*tests, *map(str, counts)]


def interval(difference: Difference) -> str:
    """Its 95 % interval; a dash for a single name."""
    if isnan(difference.low):
        return "–"
    return f"{signed(difference.low)} to {signed(difference.high)}"


def probability(p: float) -> str:
    """Three decimals, never zero."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
