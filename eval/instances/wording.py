"""Names and cells from files in messages: on one line, of bounded length."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from weps.sources.messages import listed

__all__ = ["among", "quoted"]

_LONGEST = 60


def quoted(text: str) -> str:
    """The text in quotation marks, cut if it is long, with nothing in it that is not seen."""
    return repr(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…")


def among(name: str, known: Sequence[str]) -> str:
    """What else the name may have meant: those near it, or what there is."""
    near = get_close_matches(name, known, n=3, cutoff=0.5)
    if near:
        return f"did you mean {' or '.join(map(quoted, near))}?"
    return f"there are: {listed(map(quoted, known), most=20)}"
