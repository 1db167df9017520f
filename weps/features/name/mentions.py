"""Mentions of the person's name with given and last name: where they stand and how.

Positions count characters of :func:`page_text`, so that every feature of this package means the
same place by them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain

from weps._text import PersonName
from weps.language.analysis import Analysis, cached_for_name
from weps.records import Document

_NAME_GAP = r"[^\S\n]{1,3}"
_WORD = r"[^\W\d_][\w'-]{0,30}"
_SHORT = r"[^\W\d_]{1,4}"
_BETWEEN = rf"(?:{_NAME_GAP}[\"“'(]?(?:{_SHORT}\.|{_WORD})[\"”')]?){{0,2}}?"
"""Middle names, initials and nicknames."""
_BEGINS = r"(?<![\w@./-])"
_ENDS = r"(?![\w@-])"
_ENDS_OR_GOES_ON = r"(?![\w@]|-(?![^\W\d_]))"
_INITIAL = rf"(?:{_NAME_GAP}(?P<initial>[^\W\d_])(?![\w'-]))?"
_CONTEXT_LENGTH = 25
"""Characters before a mention that may hold an honorific, and after it that may hold a name."""
_NO_NAMES = frozenset(("dr", "md", "mr", "mrs", "ms", "prof"))


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention of the name with given and last name, ``Prof. Thomas J. Baker``."""

    start: int
    """Of its first character in the page text."""
    end: int
    """Behind its last character in the page text."""
    before: str
    """The characters before it on its line."""
    after: str
    """The characters behind it on its line."""
    between: tuple[str, ...]
    """The text between given and last name, with quotation marks and brackets; the initial of
    ``Baker, Thomas J.``"""
    inverted: bool = False
    """Whether the last name stands first."""

    def middle_names(self, dropped: AbstractSet[str]) -> tuple[str, ...] | None:
        """Names and initials between given and last name, as written, without nicknames.

        None if another word stands there: one in lower case, an honorific, or one of those dropped
        that is longer than a letter.
        """
        words = tuple(word.rstrip(".") for word in self.between if word[0].isalpha())
        names = all(
            word[0].isupper() and (len(word) == 1 or word.lower() not in dropped | _NO_NAMES)
            for word in words
        )
        return words if names else None


@cached_for_name
def mentions_of(analysis: Analysis, *, hyphenated: bool = False) -> tuple[tuple[Mention, ...], ...]:
    """For each document the mentions in its title, snippet and text, in order.

    A name of one word is mentioned wherever that word occurs.

    Args:
        analysis: the name and its pages.
        hyphenated: whether *Thomas Baker-Lee* mentions Thomas Baker.
    """
    if not analysis.name.tokens:
        return ((),) * len(analysis.documents)
    pattern = _mention_pattern(analysis.name, _ENDS_OR_GOES_ON if hyphenated else _ENDS)
    last = analysis.name.tokens[-1]
    texts = map(page_text, analysis.documents)
    return tuple(tuple(_find_mentions(pattern, text, last)) for text in texts)


def page_text(document: Document) -> str:
    """Title, snippet and blocks, one to a line, apostrophes made straight."""
    return "\n".join((document.title, document.snippet, *document.blocks)).replace("’", "'")


def _mention_pattern(name: PersonName, ends: str) -> re.Pattern[str]:
    """Given and last name in either order, in any case."""
    given, last = (f"(?i:{re.escape(each)})" for each in (name.tokens[0], name.tokens[-1]))
    if len(name.tokens) == 1:
        return re.compile(rf"{_BEGINS}(?P<between>){last}{ends}(?P<initial>)")
    forwards = rf"{given}(?P<between>{_BETWEEN}){_NAME_GAP}{last}{ends}"
    inverted = rf"{last},[^\S\n]{{0,3}}{given}{_ENDS}{_INITIAL}"
    return re.compile(rf"{_BEGINS}(?:{forwards}|{inverted})")


def _find_mentions(pattern: re.Pattern[str], text: str, last: str) -> Iterator[Mention]:
    lines = _lines_with_word(text, last)
    for found in chain.from_iterable(pattern.finditer(text, *line) for line in lines):
        start, end = found.span()
        yield Mention(
            start,
            end,
            text[max(0, start - _CONTEXT_LENGTH) : start].rpartition("\n")[2],
            text[end : end + _CONTEXT_LENGTH].partition("\n")[0],
            tuple((found["between"] or found["initial"] or "").split()),
            found["between"] is None,
        )


def _lines_with_word(text: str, word: str) -> Iterator[tuple[int, int]]:
    """Begin and end of the lines that have the word in any case: to search others takes time.

    The only line is the whole text where its lower case does not tell them.
    """
    lower = text.lower().replace("ı", "i").replace("ſ", "s")  # as re.IGNORECASE takes them
    if len(lower) != len(text) or not word.isascii():
        yield 0, len(text)
        return
    at = lower.find(word)
    while at >= 0:
        end = text.find("\n", at) % (len(text) + 1)  # -1 on the last line
        yield text.rfind("\n", 0, at) + 1, end
        at = lower.find(word, end)
