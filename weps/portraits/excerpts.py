"""What a page says about the person searched for, in two lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from weps.names import PersonName
from weps.portraits.mentions import full_mentions, mentions
from weps.records import Document

__all__ = ["excerpt", "mentions"]

_SHORTEST, _LONGEST = 160, 220
"""Characters of an excerpt, where the page has as many."""
_BEFORE = 80
"""Most characters before a mention; of longer sentences the beginning is left out."""
_LOOKED_AT = 60
"""Mentions of a page that are weighed, from the first."""
_SOON = 40
"""Characters between a name and the verb that says something of it."""
_PROSE = 12
"""Words in lower case that make a sentence."""
_SEVERAL = 2
_WORD = 30
"""Characters."""
_BETWEEN_BLOCKS = " · "
_ELLIPSIS = "…"

_SAYING = re.compile(
    r"\b(?:is|was|are|were|has|had|have|will|born|died|joined|became|received|earned|served"
    r"|works?|worked|lives?|lived|teaches|taught|wrote|plays?|played|holds?|held|says?|said"
    r"|studied|graduated|married|won|led|founded|appointed)\b",
    re.IGNORECASE,
)
"""English verbs with which people are introduced."""
_SENTENCE_BEGINS = re.compile(r"(?<=\w{4}[.!?])[\"”’)]{0,2}\s+|(?<=[。！？])")
"""After fewer letters the point may be that of an abbreviation or an initial."""
_FINAL = frozenset('.!?。！？”"')
_LISTING = re.compile(r"[|•»>]|\s[-–]\s")


def excerpt(document: Document, name: PersonName) -> str:
    """One or two lines that say who the page is about.

    The snippet if it mentions the full name; else what the page says around a mention, rather in
    prose than in a list or in the title again; of pages that do not mention it, the snippet or
    the beginning.
    """
    if at := next(full_mentions(document.snippet, name), None):
        return _cut(document.snippet, at[0] - _BEFORE if at[1] > _LONGEST else 0)
    passages = list(islice(_passages(document, name), _LOOKED_AT))
    if passages:
        return max(passages, key=_Passage.worth).cut()
    return _cut(document.snippet or _opening(document.blocks), 0)


@dataclass(frozen=True, slots=True)
class _Passage:
    """A mention and what stands around it."""

    title: str
    """Of the page."""
    text: str
    """From the beginning of the sentence of the mention, which may be far before it."""
    begin: int
    """Where the mention begins in the text."""
    end: int
    own: int
    """Characters of the text that belong to the block of the mention."""

    def worth(self) -> int:
        """How much it seems to say of who this is; no exact science."""
        own = self.text[: self.own]
        after = _SENTENCE_BEGINS.search(own, self.end)
        sentence = own[: after.start()] if after else own[: self.end + _LONGEST]
        return (
            min(_small_words(sentence), _PROSE)
            + 6 * bool(_SAYING.search(sentence, self.end, self.end + _SOON))
            + 3 * bool(_SAYING.search(sentence))
            + 3 * (sentence[-1:] in _FINAL)
            - 3 * min(len(_LISTING.findall(sentence)), _SEVERAL)
            - 20 * (own.casefold() in self.title.casefold())
        )

    def cut(self) -> str:
        """What is shown of it."""
        return _cut(self.text, self.begin - _BEFORE if self.end > _LONGEST - _BEFORE else 0)


def _passages(document: Document, name: PersonName) -> Iterator[_Passage]:
    """The mentions in the blocks of a page; to short blocks those after them are added."""
    for at, block in enumerate(document.blocks):
        for begin, end in full_mentions(block, name):
            start = _sentence_begin(block, begin)
            own = block[start : end + 2 * _LONGEST]
            text = _lengthened(own, document.blocks[at + 1 : at + 1 + _SEVERAL])
            yield _Passage(document.title, text, begin - start, end - start, len(own))


def _opening(blocks: Sequence[str]) -> str:
    """The first prose of a page, else what it begins with."""
    first = (at for at, block in enumerate(blocks[:_LOOKED_AT]) if _small_words(block) >= _PROSE)
    at = next(first, 0)
    return _lengthened("".join(blocks[at : at + 1]), blocks[at + 1 : at + 1 + _SEVERAL])


def _lengthened(text: str, following: Iterable[str]) -> str:
    """The text, and as many of the blocks after it as it takes to make an excerpt."""
    for block in following:
        if len(text) >= _SHORTEST:
            break
        text = f"{text}{_BETWEEN_BLOCKS}{block[:_LONGEST]}"
    return text


def _small_words(text: str) -> int:
    """How many words are in lower case, of the first ones; prose has many, lists have few."""
    return sum(map(str.islower, text[: 2 * _LONGEST].split()))


def _sentence_begin(block: str, at: int) -> int:
    """Where the sentence begins that stands at a place, as far as it is near."""
    nearest = max(0, at - _LONGEST)
    begin = nearest
    for found in _SENTENCE_BEGINS.finditer(block, nearest, at):
        begin = found.end()
    return begin


def _cut(text: str, begin: int) -> str:
    """So much of the text as is shown, from about a place, between words."""
    line = text[max(begin, 0) : max(begin, 0) + _LONGEST + _WORD]
    if begin > 0:
        line = f"{_ELLIPSIS}{line.partition(' ')[2] or line}"
    if len(line) <= _LONGEST:
        return line
    whole = line[:_LONGEST].rpartition(" ")[0]
    return f"{whole if len(whole) > _SHORTEST else line[: _LONGEST - 1]}{_ELLIPSIS}"
