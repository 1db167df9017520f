"""Pages to set aside: those that do not carry the person's name, or from which nothing can be told.

A page gets the first of :data:`SIGNS` that holds for it. Annotators of WePS discard pages for such
reasons, and most pages for others that do not show on the page: they could not decide, or had
enough pages of somebody. So a model keeps, for each sign, the share of the training pages with it
that the keys discard, and sets aside only where nearly all of them are: a page that is set aside
is lost for its person.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from weps._text import PersonName
from weps.errors import ModelError
from weps.features.name import Mention, mentions_of, page_text
from weps.language.analysis import Analysis
from weps.records import Clustering, Document


class Pile(StrEnum):
    """Why pages are set aside."""

    OTHER_NAME = "other name"
    """The page does not carry the name as the name of a person."""
    CANNOT_TELL = "cannot tell"
    """The page has no content, or lists several people of the name."""


class Sign(NamedTuple):
    """A reason to set a page aside that shows on the page."""

    pile: Pile
    reason: str
    """One sentence, for readers."""


SIGNS = {
    "empty": Sign(Pile.CANNOT_TELL, "The page has no text."),
    "message": Sign(Pile.CANNOT_TELL, "The page is an error message or a redirection."),
    "several": Sign(Pile.CANNOT_TELL, "The page lists several people of this name."),
    "absent": Sign(Pile.OTHER_NAME, "The name occurs neither in the text nor in the address."),
    "divided": Sign(
        Pile.OTHER_NAME, "First and last name stand side by side, but in different names."
    ),
    "place": Sign(
        Pile.OTHER_NAME, "The name occurs only in the name of a place or an institution."
    ),
}
"""Sign → its pile and its reason."""
USER_SIGNS = {
    "exclude": Sign(Pile.OTHER_NAME, "A user said: this page is about nobody of this name."),
    "unclear": Sign(
        Pile.CANNOT_TELL, "A user said: this page does not say which person it is about."
    ),
}
"""Kind of correction → the pile and the reason of the pages that it sets aside."""
ORDINARY = ""
"""The sign of all other pages."""

MIN_SHARE = 0.9
"""Smallest share of the training pages with a sign that keys discard, at which it sets aside."""
_BY_DEFINITION = frozenset({"several", "divided", "place"})
"""Set aside whatever the keys say: WePS puts a list with each of the people on it, and an airport
with nobody or by itself, as annotators like; divided names are too few to learn from."""
_NAME_SIGNS = frozenset(each for each, sign in SIGNS.items() if sign.pile is Pile.OTHER_NAME)
_MAX_MESSAGE_WORDS = 80
_MIN_NAMESAKES = 5
"""Different initials of middle names on a page that lists people of the name."""
_CHARACTERS_AROUND = 40


@dataclass(frozen=True, slots=True)
class SetAsideRule:
    """The rule that sets pages aside, learnt from the discarded pages of keys."""

    shares: Mapping[str, float] = field(default_factory=dict)
    """Sign → share of the training pages with it that the keys discard; without any, no page is
    set aside."""

    def select(self, signs: Sequence[str]) -> tuple[str, ...]:
        """The signs of the pages of a name that are set aside, empty for the others.

        If most pages lack the name, they write it in another way than the search does (another
        script, a nickname): then none is set aside for that.
        """
        trusted = {
            sign
            for sign, share in self.shares.items()
            if share >= MIN_SHARE or sign in _BY_DEFINITION
        }
        readable = sum(sign not in {"empty", "message"} for sign in signs)
        if 2 * sum(sign in _NAME_SIGNS & trusted for sign in signs) > readable:
            trusted -= _NAME_SIGNS
        return tuple(sign if sign in trusted else ORDINARY for sign in signs)

    def to_data(self) -> dict[str, float]:
        """The shares, for JSON."""
        return dict(self.shares)

    @classmethod
    def from_data(cls, data: Any) -> SetAsideRule:
        """Read what :meth:`to_data` wrote.

        Raises:
            ModelError: if a sign is unknown or a share damaged.
        """
        # NaN fails the comparison and is refused.
        if not isinstance(data, dict) or not all(
            sign in SIGNS and type(share) in (int, float) and 0 <= share <= 1
            for sign, share in data.items()
        ):
            raise ModelError("its rule for setting pages aside is damaged")
        return cls({sign: float(share) for sign, share in data.items()})


def fit_set_aside(names: Iterable[tuple[Mapping[int, str], Clustering]]) -> SetAsideRule:
    """Fit the shares to names with a key.

    A share is that of all pages with the sign, as if there were one more of either kind, so that
    a sign that was seen a few times is not trusted.

    Args:
        names: the sign of each page by rank, and the key; pages that it neither groups nor
            discards do not count.
    """
    discarded: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    for signs, key in names:
        discarded.update(sign for rank, sign in signs.items() if rank in key.discarded - key.ranks)
        kept.update(sign for rank, sign in signs.items() if rank in key.ranks)
    return SetAsideRule(
        {
            sign: round((discarded[sign] + 1) / (discarded[sign] + kept[sign] + 2), 4)
            for sign in SIGNS
        }
    )


def page_signs(analysis: Analysis) -> tuple[str, ...]:
    """The sign of each page, a key of :data:`SIGNS` or :data:`ORDINARY`."""
    name = analysis.name
    if not name.tokens:
        return (ORDINARY,) * len(analysis.documents)
    signs = []
    for document, mentions in zip(analysis.documents, mentions_of(analysis), strict=True):
        text, sign = page_text(document), ORDINARY
        if not any(map(str.isalnum, text)):
            sign = "empty"
        elif not mentions:
            sign = _sign_without_mention(name, document, _folded(text))
        elif _lists_several(name, document, text, mentions):
            sign = "several"
        elif len(name.tokens) > 1 and all(_PLACE.match(text, each.end) for each in mentions):
            sign = "place"
        signs.append(sign)
    return tuple(signs)


def _sign_without_mention(name: PersonName, document: Document, text: str) -> str:
    """The sign of a page whose folded text has the name nowhere in full."""
    first, last = (_folded(name.tokens[at]) for at in (0, -1))
    if last in text:
        return "divided" if document.blocks and _is_divided(first, last, text) else ORDINARY
    if not document.blocks:
        return "empty"
    short = sum(len(block.split()) for block in document.blocks) <= _MAX_MESSAGE_WORDS
    if short and _MESSAGE.search(text):
        return "message"
    return ORDINARY if last in _folded(document.url) else "absent"


def _is_divided(first: str, last: str, text: str) -> bool:
    """Whether first and last name are side by side, but always in two names, ``Mary, Baker``."""
    if first == last:
        return False
    around = [
        text[max(0, found.start() - _CHARACTERS_AROUND) : found.end() + _CHARACTERS_AROUND]
        for found in re.finditer(re.escape(last), text)
    ]
    first, last = re.escape(first), re.escape(last)
    apart, near = r"\s?[,;:&/|]\s?", r"[^\w,;:&/|]{1,4}"
    divided = re.compile(
        rf"\b{first}[.)]{{0,2}}{apart}(?:\w{{1,4}} )?{last}\b|\b{last}{apart}{first}\b"
    )
    joined = re.compile(rf"{first}{near}(?:\w{{1,20}}{near})?{last}|{last}{near}{first}")
    side_by_side = [each for each in around if re.search(first, each)]
    return bool(side_by_side) and all(
        divided.search(each) and not joined.search(each) for each in side_by_side
    )


def _lists_several(
    name: PersonName, document: Document, text: str, mentions: Iterable[Mention]
) -> bool:
    """Whether the page is a disambiguation page, or a directory of people of the name."""
    if _DISAMBIGUATION.search(f"{document.title}\n{document.url}"):
        return True
    lower = text.lower()
    if any(end in lower for end in _REFERS_ENDS) and _REFERS.search(text):
        return True
    if len(name.tokens) == 1:
        return False
    middles = (mention.between[0].strip(".\"“”'()") for mention in mentions if mention.between)
    return len({middle[0].lower() for middle in middles if middle}) >= _MIN_NAMESAKES


_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")


@lru_cache(maxsize=1 << 14)
def _unaccented(letter: str) -> str:
    """The compatibility decomposition of a character without combining marks."""
    letters = unicodedata.normalize("NFKD", letter)
    return "".join(each for each in letters if not unicodedata.combining(each))


def _folded(text: str) -> str:
    """In lower case, without accents; to decompose whole texts may take quadratic time."""
    return _NOT_ASCII.sub(lambda found: "".join(map(_unaccented, found[0])), text.lower())


_MESSAGE = re.compile(
    r"\b(?:404|not found|(?:object|document|page) (?:has )?moved|moved (?:temporarily|permanently)"
    r"|cannot be (?:found|displayed)|could not be found|forbidden|access denied|bad request"
    r"|(?:internal )?server error|unavailable|no longer (?:available|exists)|not in our catalog"
    r"|currently down|under construction|account (?:has been )?suspended"
    r"|domain (?:name )?(?:is |may be )?for sale|redirect(?:ed|ing|ion)?)\b"
)
_DISAMBIGUATION = re.compile(r"[(_]disambiguation\)", re.IGNORECASE)
_REFERS = re.compile(
    r"\b(?:this disambiguation page lists|(?:may|can) (?:also )?refer to:)", re.IGNORECASE
)
_REFERS_ENDS = ("page lists", "refer to:")
"""Few pages have one, and the others need not be searched."""
_PLACE = re.compile(
    r"(?:'s)?[^\S\n]{1,2}(?:(?:Elementary|High|International|Junior|Memorial|Middle|Municipal|Primary"
    r"|Public|Regional|Senior) ){0,2}(?:Airport|Avenue|Boulevard|Bridge|Church|College|Elementary"
    r"|Field|Hall|Highway|Hospital|Library|Park|Plaza|Road|School|Stadium|Street|University)\b",
    re.IGNORECASE,
)
