"""Figures as tables print them."""

from __future__ import annotations

from math import isnan

from eval.ordering import Estimate

__all__ = [
    "count",
    "percent",
    "percent_between",
    "share",
    "share_between",
    "signed",
    "signed_between",
]


def share(value: float) -> str:
    """Three decimals; a dash if it is not known."""
    return "–" if isnan(value) else f"{round(value, 3) + 0.0:.3f}".replace("-", "−")


def signed(value: float) -> str:
    """Three decimals with a sign, zero with a plus."""
    return "–" if isnan(value) else f"{round(value, 3) + 0.0:+.3f}".replace("-", "−")


def percent(value: float) -> str:
    """Per cent with one decimal."""
    return "–" if isnan(value) else f"{_hundredths(value)} %"


def count(number: float) -> str:
    """A whole number with thousands separated."""
    return f"{number:,.0f}"


def share_between(figure: Estimate) -> str:
    """The figure and its interval."""
    return share(figure.value) + _between(share(figure.low), share(figure.high), figure)


def signed_between(figure: Estimate) -> str:
    """The difference and its interval."""
    return signed(figure.value) + _between(signed(figure.low), signed(figure.high), figure)


def percent_between(figure: Estimate) -> str:
    """The percentage and its interval."""
    low, high = map(_hundredths, (figure.low, figure.high))
    return percent(figure.value) + _between(low, high, figure)


def _hundredths(value: float) -> str:
    return f"{round(100 * value, 1) + 0.0:.1f}".replace("-", "−")


def _between(low: str, high: str, figure: Estimate) -> str:
    return "" if isnan(figure.low) else f" ({low} to {high})"
