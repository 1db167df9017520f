"""Labels fit to be drawn: one line, of bounded length."""

from __future__ import annotations

from collections.abc import Iterable
from math import isnan

__all__ = ["listed", "percent", "shortened", "tidy"]

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
