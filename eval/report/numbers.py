"""Figures as tables print them.

Cells of tables about measures.

Figures of a comparison as tables and remarks print them.
"""

from __future__ import annotations

from math import isnan

from eval.stats.estimate import Estimate
from eval.stats.significance import Difference
from weps._formatting import truncate_text
from weps.report.safe_text import clean_text

__all__ = [
    "DIFFERENCE_HEADINGS",
    "NAME_WIDTH",
    "count",
    "difference_cells",
    "format_chance",
    "format_interval",
    "format_p_value",
    "format_signed_decimals",
    "format_three_decimals",
    "format_two_decimals",
    "format_with_interval",
    "measure_name_cell",
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


NAME_WIDTH = 36
"""Columns of a measure's name on a terminal."""


def format_two_decimals(value: float) -> str:
    """Two decimals; a dash if it is not known."""
    return "–" if isnan(value) else f"{round(value, 2) + 0.0:.2f}".replace("-", "−")


def format_with_interval(figure: Estimate) -> str:
    """The figure and its interval."""
    ends = (
        ""
        if isnan(figure.low)
        else f" ({format_two_decimals(figure.low)} to {format_two_decimals(figure.high)})"
    )
    return format_two_decimals(figure.value) + ends


def format_chance(value: float) -> str:
    """A probability; small ones are below a thousandth."""
    if isnan(value):
        return "–"
    return "<.001" if value < 0.001 else f"{value:.3f}".removeprefix("0")


def measure_name_cell(name: str) -> str:
    """A measure's name, short enough for a terminal."""
    return truncate_text(clean_text(name), NAME_WIDTH)


DIFFERENCE_HEADINGS = ("95 % interval", "sign test p", "better", "worse", "equal")
"""Headings of what tables say of a difference after its size."""


def format_three_decimals(value: float) -> str:
    """Three decimals; a dash if it is not known."""
    return "–" if isnan(value) else f"{value:.3f}"


def format_signed_decimals(value: float) -> str:
    """Three decimals with a sign, zero with a plus."""
    return f"{round(value, 3) + 0.0:+.3f}"


def difference_cells(difference: Difference) -> list[str]:
    """Size, interval, sign test, and on how many names it is better, worse and equal."""
    counts = (difference.better, difference.worse, difference.equal)
    tests = (
        format_signed_decimals(difference.mean),
        format_interval(difference),
        format_p_value(difference.p),
    )
    return [*tests, *map(str, counts)]


def format_interval(difference: Difference) -> str:
    """Its 95 % interval; a dash for a single name."""
    if isnan(difference.low):
        return "–"
    return f"{format_signed_decimals(difference.low)} to {format_signed_decimals(difference.high)}"


def format_p_value(p: float) -> str:
    """Three decimals, never zero."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
