"""A value with its interval."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isnan

__all__ = ["Interval", "span"]


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
