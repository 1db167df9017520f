"""Identity of the person of a page: contact details, honorific, year of birth.

Two people of one name seldom share them; :mod:`weps.systems` states the weight of each.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from weps._text import PersonName
from weps.features.bags import Bags
from weps.features.links import normalise_address, registered_domain
from weps.features.name import mentions_of, page_text
from weps.features.registry import register_feature
from weps.language.analysis import Analysis

_ATTRIBUTE_SOURCE = "our own; an attribute of the WePS-2 attribute extraction task"
_PHONE = re.compile(r"\d\d\d(?<!\w\d{3})\)?[ .-]{1,2}\d{3}[.-]\d{4}(?!\w)")
"""Begins with digits, for which the engine skips ahead: a third of the time."""
_NO_DIGIT = re.compile(r"\D")
_LETTER = r"[^\W\d_]"
_MAX_MIDDLE = 12
"""Most characters between given and last name in an address."""
_PUBLIC_MAIL_HOSTS = frozenset(
    "aol btinternet comcast earthlink gmail gmx googlemail hotmail icloud juno live mac mail msn"
    " outlook proton protonmail verizon web yahoo".split()
)
"""Public mail providers, without the part after the first point."""
_MATCHES_NOTHING = re.compile(r"(?!)")


@register_feature(
    "identity",
    "registered domains of e-mail addresses that are of the name",
    wording="domains of e-mail addresses",
    source=_ATTRIBUTE_SOURCE,
    needs=["markup"],
)
def email_domain(analysis: Analysis) -> Bags:
    """The domains of addresses whose part before the ``@`` is of the name, ``tbaker``.

    Addresses of public providers are used in full.
    """
    person = _name_pattern(analysis.name)
    return Bags.of(_person_domains(each.emails, person) for each in analysis.documents)


@register_feature(
    "identity",
    "own address and outgoing links that are of the name, without what follows a ?",
    wording="home pages",
    source=_ATTRIBUTE_SOURCE,
    identifying=True,
    needs=["markup"],
)
def home_page(analysis: Analysis) -> Bags:
    """Addresses that are or lead to pages of the person."""
    person = _name_pattern(analysis.name)
    last = "".join(analysis.name.tokens[-1:]).replace("'", "")
    return Bags.of(
        # Few addresses have the last name: the others need not be read closely.
        _person_pages((link for link in (each.url, *each.links) if last in link.lower()), person)
        for each in analysis.documents
    )


@register_feature(
    "identity",
    "telephone numbers as North America writes them",
    wording="telephone numbers",
    source=_ATTRIBUTE_SOURCE,
    identifying=True,
    needs=["text", "case"],
)
def phone(analysis: Analysis) -> Bags:
    """The ten digits of numbers like ``(412) 555-0123``."""
    return Bags.of(
        [_NO_DIGIT.sub("", each) for each in _PHONE.findall(page_text(document))]
        for document in analysis.documents
    )


def _name_pattern(name: PersonName) -> re.Pattern[str]:
    """Finds Thomas Baker in lower-case addresses: ``baker``, ``tjbaker``, ``thomas-j-bakerlaw``.

    It does not find ``bakery`` or ``breadbaker``: short last names are within many words.
    """
    if not name.tokens:
        return _MATCHES_NOTHING
    given, last = (re.escape(name.tokens[at].replace("'", "")) for at in (0, -1))
    alone = (
        f"(?<!{_LETTER})(?:{given}|{given[0]}{_LETTER}?)?{last}(?:{given}|{given[0]})?(?!{_LETTER})"
    )
    return re.compile(f"{alone}|{given}[^/?]{{0,{_MAX_MIDDLE}}}{last}")


def _person_domains(addresses: Iterable[str], person: re.Pattern[str]) -> Iterator[str]:
    for local, _, host in (each.rpartition("@") for each in addresses):
        if person.search(local.lower()) and (domain := registered_domain(f"//{host}")):
            yield f"{local}@{domain}" if domain.partition(".")[0] in _PUBLIC_MAIL_HOSTS else domain


def _person_pages(addresses: Iterable[str], person: re.Pattern[str]) -> Iterator[str]:
    for address in addresses:
        page = normalise_address(address).partition("?")[0].lower()
        if person.search(page):
            yield page


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
_YEAR = r"(1[5-9]\d\d)"
_SINGLE_YEAR = re.compile(rf"{_YEAR}(?<!\w\d{{4}})(?!\w)")
_BORN = re.compile(
    rf"(?=[bn(])(?:\b(?:born|b\.|birth|né)[^.;]{{0,40}}?\b{_YEAR}\b"
    rf"|\(\s{{0,2}}(?:[A-Z][a-z]{{2,8}} \d{{1,2}}, )?{_YEAR}\s{{0,2}}[-–—])",
    re.IGNORECASE,
)
_BORN_BEFORE, _BORN_AFTER = 60, 5
"""Most characters of a match before the year and behind it."""
_MAX_BIRTH_DISTANCE = 120
"""Characters after the last name within which a year of birth is taken for that person's."""


@register_feature(
    "identity",
    "classes of honorifics before the name: professor, senator, officer, …",
    wording="titles before the name",
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
    wording="years of birth",
    source=_ATTRIBUTE_SOURCE,
    needs=["text", "case", "mentions"],
)
def birth_year(analysis: Analysis) -> Bags:
    """Years written like ``born in Leeds, 1950``, ``b. 1950``, ``(1950–2001)``."""
    last = "".join(analysis.name.tokens[-1:])
    return Bags.of(_birth_years(last, page_text(each)) for each in analysis.documents)


def _birth_years(last: str, text: str) -> Iterator[str]:
    """The years of birth shortly after the last name in a text."""
    if not last:
        return
    stated = list(_stated_births(text))
    names = re.finditer(re.escape(last), text, re.IGNORECASE) if stated else ()
    ends = [found.end() for found in names]
    for found in stated:
        before = bisect_right(ends, found.start())
        if before and found.end() - ends[before - 1] <= _MAX_BIRTH_DISTANCE:
            yield found[1] or found[2]


def _stated_births(text: str) -> Iterator[re.Match[str]]:
    """Statements of a year of birth, searched for around years: a fifth of the time."""
    free = 0
    for year in _SINGLE_YEAR.finditer(text):
        start = max(free, year.start() - _BORN_BEFORE)
        if found := _BORN.search(text, start, year.end() + _BORN_AFTER):
            free = found.end()
            yield found
