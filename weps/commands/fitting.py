"""Text in the columns of a terminal: how wide it is, cut and padded to a width."""

from __future__ import annotations

from itertools import accumulate
from unicodedata import category, east_asian_width

__all__ = ["cut", "padded", "width"]

_ELLIPSIS = "…"
_MARKS = ("Mn", "Me")
"""Categories of characters that stand on the one before."""


def width(text: str) -> int:
    """How many columns a printable text takes: wide characters two, combining ones none.

    Wide are those that Unicode Standard Annex 11 calls wide or full-width.
    """
    return sum(map(_width, text))


def cut(text: str, columns: int) -> str:
    """The text, or as much of its beginning as fits with ``…`` in place of the rest."""
    if width(text) <= columns:
        return text
    room = columns - width(_ELLIPSIS)
    fitting = sum(end <= room for end in accumulate(map(_width, text)))
    return text[:fitting].rstrip(" ,") + _ELLIPSIS


def padded(text: str, columns: int, *, right: bool = False) -> str:
    """The text with blanks after it, or before it, to that many columns."""
    blanks = " " * (columns - width(text))
    return blanks + text if right else text + blanks


def _width(character: str) -> int:
    if category(character) in _MARKS:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1
