"""Figures of a comparison as tables and remarks print them."""

from __future__ import annotations

from math import isnan

from eval.comparison import Difference

__all__ = ["interval", "probability", "share", "signed"]


def share(value: float) -> str:
    """Three decimals; a dash if it is not known."""
    return "–" if isnan(value) else f"{value:.3f}"


def signed(value: float) -> str:
    """Three decimals with a sign, zero with a plus."""
    return f"{round(value, 3) + 0.0:+.3f}"


def interval(difference: Difference) -> str:
    """Its 95 % interval; a dash for a single name."""
    if isnan(difference.low):
        return "–"
    return f"{signed(difference.low)} to {signed(difference.high)}"


def probability(p: float) -> str:
    """Three decimals, never zero."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
