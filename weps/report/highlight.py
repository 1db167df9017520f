"""Text from the web with the name that was searched for marked."""

from __future__ import annotations

import html
from collections.abc import Iterator

from weps.names import PersonName
from weps.portraits.mentions import mentions
from weps.report.shown import plain

__all__ = ["highlighted"]


def highlighted(text: str, name: PersonName, longest: int = 260) -> str:
    """HTML for a text, cut at the end if it is long, with the name in ``<mark>``."""
    line = plain(text)
    if len(line) > longest:
        line = line[: longest - 1].rstrip() + "…"
    return "".join(_pieces(line, mentions(line, name)))


def _pieces(line: str, spans: list[tuple[int, int]]) -> Iterator[str]:
    done = 0
    for begin, end in spans:
        yield html.escape(line[done:begin])
        yield f"<mark>{html.escape(line[begin:end])}</mark>"
        done = end
    yield html.escape(line[done:])
