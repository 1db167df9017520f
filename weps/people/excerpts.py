"""Excerpts and cautions: what a page says of the person in two lines, and how it is unusual.

Mentions for features are matched by tokens (:mod:`weps._text`); here they are matched by
characters, so that scripts that do not divide words are covered as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from weps._formatting import count_of
from weps._text import PersonName
from weps.language.detection import LANGUAGES, is_mostly_latin
from weps.records import Document

_MIN_MIDDLES, _MAX_MIDDLES = 2, 5
"""Words allowed between first and last name, by their number in the searched name."""
_FULL_NAME_WORDS = 2
"""Words of a full name."""
_JUNIORS = frozenset("jr sr ii iii iv".split())
_NO_TEXT = "\0"
"""Matches no text."""
_LOWER = "a-zß-öø-ÿα-ωа-я"
_MIDDLE = rf"[\"“'(]?(?:[^\W\d_{_LOWER}][\w'’-]{{0,30}}\.?|[^\W\d_]\.?)[\"”')]?"
"""A middle name, an initial or a nickname."""
_BEGINS, _ENDS = r"(?<![\w@])", r"(?![\w@]|-\w)"
_BETWEEN_CASELESS = r"[\s·・]{0,3}"


def find_mentions(text: str, name: PersonName) -> list[tuple[int, int]]:
    """Begin and end of every mention of the name in a text, in order; none overlap.

    That is the name in any case and script, with middle names and initials (``Thomas J. Baker``)
    or inverted (``Baker, Thomas J.``); elsewhere the last name alone, unless it is written like
    a common word. A possessive ``'s`` is no part of it. Takes linear time.
    """
    return [
        found.span()
        for found in _match_mentions(text, name)
        if found["alone"] is None or not found[0][0].islower()
    ]


def find_full_mentions(text: str, name: PersonName) -> Iterator[tuple[int, int]]:
    """Begin and end of the mentions of the full name alone; of a name of one word all."""
    return (found.span() for found in _match_mentions(text, name) if found["alone"] is None)


def _match_mentions(text: str, name: PersonName) -> Iterator[re.Match[str]]:
    pattern, last = _mention_pattern(name.text), _name_parts(name.text)[-1].lower()
    return pattern.finditer(text) if _has_word(text, last) else iter(())


def _has_word(text: str, last: str) -> bool:
    """Whether the lower-case last name, or what looks like it, is in the text; fast."""
    lowered = text.lower()
    return last in (lowered.replace("’", "'") if "'" in last else lowered)


@lru_cache(maxsize=8)
def _mention_pattern(name: str) -> re.Pattern[str]:
    """The full name in either order, else the last name in a group ``alone``."""
    parts = _name_parts(name)
    first, last = _part_pattern(parts[0]), _part_pattern(parts[-1])
    alone = rf"{_BEGINS}(?P<alone>{last}){_ENDS}"
    # Words of a script without capitals need not be divided.
    caseless = parts[0].lower() == parts[0].upper()
    begins, first_ends = ("", "") if caseless else (_BEGINS, _ENDS)
    last_ends = "" if parts[-1].lower() == parts[-1].upper() else _ENDS
    if len(parts) < _FULL_NAME_WORDS:
        return re.compile(rf"{begins}{last}{last_ends}|(?P<alone>(?!))")
    gap = _BETWEEN_CASELESS if caseless else r"\s{1,3}"
    inner = "|".join([*map(_part_pattern, parts[1:-1]), _MIDDLE])
    most = min(max(_MIN_MIDDLES, len(parts) - _FULL_NAME_WORDS), _MAX_MIDDLES)
    forwards = rf"{first}(?:{gap}(?:{inner})){{0,{most}}}?{gap}{last}{last_ends}"
    inverted = rf"{last},\s{{0,3}}{first}{first_ends}(?:\s[^\W\d_{_LOWER}](?![\w'’-])\.?)?"
    return re.compile(rf"{begins}{forwards}|{_BEGINS}{inverted}|{alone}")


@lru_cache(maxsize=8)
def _name_parts(name: str) -> list[str]:
    """The words of the name as written, first name first; without *junior*."""
    last, comma, rest = name.partition(",")
    words = (f"{rest} {last}" if comma else name).replace("’", "'").split()
    parts = [part for part in (each.strip(".\"“”()'") for each in words) if part]
    while len(parts) > _FULL_NAME_WORDS and parts[-1].lower() in _JUNIORS:
        parts.pop()
    return parts or [_NO_TEXT]


def _part_pattern(part: str) -> str:
    """A pattern for a word of the name, in any case, with any apostrophe."""
    return f"(?i:{re.escape(part)})".replace("'", "['’]")


_MIN_LENGTH, _MAX_LENGTH = 160, 220
"""Characters of an excerpt, where the page has as many."""
_MAX_BEFORE = 80
"""Largest number of characters before a mention; longer sentences are cut."""
_MAX_MENTIONS = 60
"""Number of mentions of a page that are scored."""
_MAX_VERB_DISTANCE = 40
"""Characters between a name and its verb."""
_PROSE_WORDS = 12
"""Fewest words in lower case of a sentence."""
_MAX_FOLLOWING = 2
_MAX_WORD = 30
"""Characters."""
_BETWEEN_BLOCKS = " · "
_ELLIPSIS = "…"

_INTRODUCING_VERB = re.compile(
    r"\b(?:is|was|are|were|has|had|have|will|born|died|joined|became|received|earned|served"
    r"|works?|worked|lives?|lived|teaches|taught|wrote|plays?|played|holds?|held|says?|said"
    r"|studied|graduated|married|won|led|founded|appointed)\b",
    re.IGNORECASE,
)
"""English verbs that introduce people."""
_SENTENCE_BEGINS = re.compile(r"(?<=\w{4}[.!?])[\"”’)]{0,2}\s+|(?<=[。！？])")
"""After fewer letters a point may belong to an abbreviation or an initial."""
_FINAL = frozenset('.!?。！？”"')
_LISTING = re.compile(r"[|•»>]|\s[-–]\s")


def page_excerpt(document: Document, name: PersonName) -> str:
    """Summarise in one or two lines who the page is about.

    The snippet if it mentions the full name; else the text around a mention, preferably in
    prose rather than in a list or the title; of pages that do not mention it, the snippet or
    the beginning.
    """
    if at := next(find_full_mentions(document.snippet, name), None):
        return _cut_text(document.snippet, at[0] - _MAX_BEFORE if at[1] > _MAX_LENGTH else 0)
    passages = list(islice(_mention_passages(document, name), _MAX_MENTIONS))
    if passages:
        best = max(passages, key=attrgetter("score"))
        far = best.end > _MAX_LENGTH - _MAX_BEFORE
        return _cut_text(best.text, best.begin - _MAX_BEFORE if far else 0)
    return _cut_text(document.snippet or _first_prose(document.blocks), 0)


class _Passage(NamedTuple):
    """A mention and its context."""

    score: int
    """A heuristic score of how informative it is."""
    text: str
    """From the beginning of the sentence of the mention, which may be far before it."""
    begin: int
    """Where the mention begins in the text."""
    end: int


def _mention_passages(document: Document, name: PersonName) -> Iterator[_Passage]:
    """The mentions in the blocks of a page; to short blocks those after them are added."""
    last = _name_parts(name.text)[-1].lower()
    candidates = ((at, each) for at, each in enumerate(document.blocks) if _has_word(each, last))
    for at, block in candidates:
        for begin, end in find_full_mentions(block, name):
            start = _sentence_begin(block, begin)
            own = block[start : end + 2 * _MAX_LENGTH]
            mention_end = end - start
            after = _SENTENCE_BEGINS.search(own, mention_end)
            sentence = own[: after.start() if after else mention_end + _MAX_LENGTH]
            near = mention_end + _MAX_VERB_DISTANCE
            score = (
                min(_small_words(sentence), _PROSE_WORDS)
                + 6 * bool(_INTRODUCING_VERB.search(sentence, mention_end, near))
                + 3 * bool(_INTRODUCING_VERB.search(sentence))
                + 3 * (sentence[-1:] in _FINAL)
                - 3 * min(len(_LISTING.findall(sentence)), _MAX_FOLLOWING)
                - 20 * (own.casefold() in document.title.casefold())
            )
            text = _lengthen_text(own, document.blocks[at + 1 : at + 1 + _MAX_FOLLOWING])
            yield _Passage(score, text, begin - start, mention_end)


def _first_prose(blocks: Sequence[str]) -> str:
    """The first prose of a page, else its beginning."""
    read = enumerate(blocks[:_MAX_MENTIONS])
    at = next((at for at, block in read if _small_words(block) >= _PROSE_WORDS), 0)
    return _lengthen_text("".join(blocks[at : at + 1]), blocks[at + 1 : at + 1 + _MAX_FOLLOWING])


def _lengthen_text(text: str, following: Iterable[str]) -> str:
    """The text, extended by following blocks to the length of an excerpt."""
    for block in following:
        if len(text) >= _MIN_LENGTH:
            break
        text = f"{text}{_BETWEEN_BLOCKS}{block[:_MAX_LENGTH]}"
    return text


def _small_words(text: str) -> int:
    """Number of lower-case words among the first ones; prose has many, lists have few."""
    return sum(map(str.islower, text[: 2 * _MAX_LENGTH].split()))


def _sentence_begin(block: str, at: int) -> int:
    """The start of the sentence at a position, if it is near."""
    nearest = max(0, at - _MAX_LENGTH)
    begin = nearest
    for found in _SENTENCE_BEGINS.finditer(block, nearest, at):
        begin = found.end()
    return begin


def _cut_text(text: str, begin: int) -> str:
    """The displayed part of the text from about a position, cut between words."""
    line = text[max(begin, 0) : max(begin, 0) + _MAX_LENGTH + _MAX_WORD]
    if begin > 0:
        line = f"{_ELLIPSIS}{line.partition(' ')[2] or line}"
    if len(line) <= _MAX_LENGTH:
        return line
    whole = line[:_MAX_LENGTH].rpartition(" ")[0]
    return f"{whole if len(whole) > _MIN_LENGTH else line[: _MAX_LENGTH - 1]}{_ELLIPSIS}"


OTHER_SCRIPT = "not in the Latin script"
NO_TEXT = "no text"
_MOST_PAGES = 500
"""Pages of a name for which confidence was measured, rounded up."""
_SAMPLE = 5_000
"""Characters of a page from which its script is told."""
_FEWEST_LETTERS = 20
"""Fewer letters tell nothing about the language."""


def page_caution(document: Document, language: str) -> str:
    """A feature of the page unlike the pages of training; empty if there is none.

    Args:
        document: the page.
        language: its language, see :func:`weps.language.detection.detect_language`.
    """
    text = " ".join((document.title, document.snippet, *document.blocks))[:_SAMPLE]
    letters = sum(1 for _ in islice(filter(str.isalpha, text), _FEWEST_LETTERS))
    if letters < _FEWEST_LETTERS:
        return "" if letters else NO_TEXT
    if language not in {"", "en"}:
        return f"in {LANGUAGES[language]}"
    return "" if is_mostly_latin(text) else OTHER_SCRIPT


def answer_cautions(of_pages: Sequence[str]) -> tuple[str, ...]:
    """Sentences about an answer, from the cautions of its pages.

    The training pages are in English, have text, and are 405 of one name at most.
    """
    found = []
    if foreign := Counter(each for each in of_pages if each not in {"", NO_TEXT}):
        kinds = ", ".join(f"{number} {kind}" for kind, number in foreign.most_common())
        what = f"not in English ({kinds})" if len(foreign) > 1 else next(iter(foreign))
        found.append(
            f"{count_of(foreign.total(), 'page is', 'pages are')} {what}: confidence was not "
            "evaluated on such pages, so it is no higher there than for the average page."
        )
    if empty := of_pages.count(NO_TEXT):
        found.append(
            f"{count_of(empty, 'page has', 'pages have')} no text: there is nothing to compare, so "
            "confidence is no higher there than for the average page."
        )
    if len(of_pages) > _MOST_PAGES:
        found.append(
            f"There are {len(of_pages):,} pages: confidence was evaluated on names with up to "
            f"{_MOST_PAGES}, and may be too high."
        )
    return tuple(found)
