"""Identity of the person of a page: middle initial, honorific, year of birth.

Two people of one name seldom share them; :mod:`weps.systems` states the weight of each.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from weps.features.bags import Bags
from weps.features.mentions import Mention, mentions_of, page_text
from weps.features.registry import register_feature
from weps.features.words import dropped_words
from weps.language.analysis import Analysis

__all__ = ["birth_year", "honorific", "middle_initial"]

_HONORIFICS = {
    "professor": "prof professor",
    "doctor": "dr doctor",
    "clergy": "rev reverend father fr pastor",
    "senator": "sen senator",
    "representative": "rep representative congressman congresswoman",
    "officer": "capt captain lt lieutenant col colonel gen general maj major sgt sergeant",
    "judge": "judge justice attorney",
    "governor": "gov governor",
    "sir": "sir lord",
    "minister": "minister hon honorable honourable councillor cllr",
    "president": "president",
    "vice president": "vice_president",
    "treasurer": "treasurer",
    "director": "director",
    "coach": "coach",
}
"""Class of honorifics → the words before a name that belong to it."""
_HONORIFIC_CLASS = {
    word.replace("_", " "): which for which, words in _HONORIFICS.items() for word in words.split()
}
_HONORIFIC = re.compile(
    rf"\b({'|'.join(sorted(_HONORIFIC_CLASS, key=len, reverse=True))})\.?\s*$", re.IGNORECASE
)
_NO_MIDDLE = frozenset(("dr", "md", "mr", "mrs", "ms", "prof"))
_YEAR = r"(1[5-9]\d\d)"
_BORN = re.compile(
    rf"\b(?:born|b\.|birth|né)[^.;]{{0,40}}?\b{_YEAR}\b"
    rf"|\(\s{{0,2}}(?:[A-Z][a-z]{{2,8}} \d{{1,2}}, )?{_YEAR}\s{{0,2}}[-–—]",
    re.IGNORECASE,
)
_MAX_BIRTH_DISTANCE = 120
"""Characters after the last name within which a year of birth is taken for that person's."""


@register_feature(
    "identity",
    "most frequent initial between given and last name",
    source="our own",
    needs=["case", "mentions"],
)
def middle_initial(analysis: Analysis) -> Bags:
    """The initial of the middle name; of several equally frequent ones the first in the alphabet.

    A name of one word has none; nicknames (``Thomas "Bud" Baker``) give none.
    """
    dropped = dropped_words(analysis.name) | _NO_MIDDLE
    return Bags.of(
        _most_frequent(_middle_initials(each, dropped)) for each in mentions_of(analysis)
    )


@register_feature(
    "identity",
    "classes of honorifics before the name: professor, senator, officer, …",
    source="our own",
    needs=["case", "mentions"],
)
def honorific(analysis: Analysis) -> Bags:
    """The classes of the honorifics that stand directly before a mention of the name."""
    return Bags.of(
        [
            _HONORIFIC_CLASS[found[1].lower()]
            for mention in mentions
            if (found := _HONORIFIC.search(mention.before))
        ]
        for mentions in mentions_of(analysis)
    )


@register_feature(
    "identity",
    f"years of birth stated within {_MAX_BIRTH_DISTANCE} characters after the last name",
    source="our own; an attribute of the WePS-2 attribute extraction task",
    needs=["text", "case", "mentions"],
)
def birth_year(analysis: Analysis) -> Bags:
    """Years written like ``born in Leeds, 1950``, ``b. 1950``, ``(1950–2001)``."""
    last = "".join(analysis.name.tokens[-1:])
    return Bags.of(_birth_years(last, page_text(each)) for each in analysis.documents)


def _middle_initials(mentions: Iterable[Mention], dropped: Collection[str]) -> Iterator[str]:
    """The initial of each mention's first middle name."""
    for mention in mentions:
        middles = [word for word in mention.between if word[0].isalpha()]
        if middles and all(_is_middle(word.rstrip("."), dropped) for word in middles):
            yield middles[0][0].lower()


def _is_middle(word: str, dropped: Collection[str]) -> bool:
    """Whether the word is an initial or a capitalised name."""
    return word[0].isupper() and (len(word) == 1 or word.lower() not in dropped)


def _most_frequent(strings: Iterable[str]) -> list[str]:
    count = Counter(strings)
    return sorted(count, key=lambda each: (-count[each], each))[:1]


def _birth_years(last: str, text: str) -> Iterator[str]:
    """The years of birth shortly after the last name in a text."""
    if not last:
        return
    ends = [found.end() for found in re.finditer(re.escape(last), text, re.IGNORECASE)]
    for found in _BORN.finditer(text):
        before = bisect_right(ends, found.start())
        if before and found.end() - ends[before - 1] <= _MAX_BIRTH_DISTANCE:
            yield found[1] or found[2]
