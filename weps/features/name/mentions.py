"""Mentions of the person's name with given and last name: where they stand and how.

Positions count characters of :func:`page_text`, so that every feature of this package means the
same place by them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from weps._text import PersonName
from weps.language.analysis import Analysis
from weps.records import Document

_NAME_GAP = r"[^\S\n]{1,3}"
_WORD = r"[^\W\d_][\w'-]{0,30}"
_SHORT = r"[^\W\d_]{1,4}"
_BETWEEN = rf"(?:{_NAME_GAP}[\"“'(]?(?:{_SHORT}\.|{_WORD})[\"”')]?){{0,2}}?"
"""Middle names, initials and nicknames."""
_BEGINS = r"(?<![\w@./-])"
_ENDS = r"(?![\w@-])"
_INITIAL = rf"(?:{_NAME_GAP}(?P<initial>[^\W\d_])(?![\w'-]))?"
_CONTEXT_LENGTH = 25
"""Characters before a mention that may hold an honorific."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention of the name with given and last name, ``Prof. Thomas J. Baker``."""

    start: int
    """Of its first character in the page text."""
    end: int
    """Behind its last character in the page text."""
    before: str
    """The characters before it on its line."""
    between: tuple[str, ...]
    """The text between given and last name, with quotation marks and brackets; the initial of
    ``Baker, Thomas J.``"""


@lru_cache(maxsize=1)
def mentions_of(analysis: Analysis) -> tuple[tuple[Mention, ...], ...]:
    """For each document the mentions in its title, snippet and text, in order.

    A name of one word is mentioned wherever that word occurs.
    """
    if not analysis.name.tokens:
        return ((),) * len(analysis.documents)
    pattern = _mention_pattern(analysis.name)
    return tuple(tuple(_find_mentions(pattern, page_text(each))) for each in analysis.documents)


def page_text(document: Document) -> str:
    """Title, snippet and blocks, one to a line, apostrophes made straight."""
    return "\n".join((document.title, document.snippet, *document.blocks)).replace("’", "'")


def _mention_pattern(name: PersonName) -> re.Pattern[str]:
    """Given and last name in either order, in any case."""
    given, last = (f"(?i:{re.escape(each)})" for each in (name.tokens[0], name.tokens[-1]))
    if len(name.tokens) == 1:
        return re.compile(rf"{_BEGINS}(?P<between>){last}{_ENDS}(?P<initial>)")
    forwards = rf"{given}(?P<between>{_BETWEEN}){_NAME_GAP}{last}{_ENDS}"
    inverted = rf"{last},[^\S\n]{{0,3}}{given}{_ENDS}{_INITIAL}"
    return re.compile(rf"{_BEGINS}(?:{forwards}|{inverted})")


def _find_mentions(pattern: re.Pattern[str], text: str) -> Iterator[Mention]:
    for found in pattern.finditer(text):
        yield Mention(
            found.start(),
            found.end(),
            text[max(0, found.start() - _CONTEXT_LENGTH) : found.start()].rpartition("\n")[2],
            tuple((found["between"] or found["initial"] or "").split()),
        )
