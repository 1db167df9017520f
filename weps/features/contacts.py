"""How a page's person is reached: e-mail, telephone, pages of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from weps.features.bags import Bags
from weps.features.links import normalise, registered_domain
from weps.features.mentions import page_text
from weps.features.registry import register
from weps.language import Analysis
from weps.names import PersonName

__all__ = ["email_domain", "home_page", "phone"]

_SOURCE = "our own; an attribute of the WePS-2 attribute extraction task"
_PHONE = re.compile(r"(?<!\w)\(?\d{3}\)?[ .-]{1,2}\d{3}[.-]\d{4}(?!\w)")
_NO_DIGIT = re.compile(r"\D")
_LETTER = r"[^\W\d_]"
_MIDDLE = 12
"""Most characters between given and last name in an address."""
_ANYBODY_S = frozenset(
    "aol btinternet comcast earthlink gmail gmx googlemail hotmail icloud juno live mac mail msn"
    " outlook proton protonmail verizon web yahoo".split()
)
"""Domains, without what follows the first point, where anybody may have an address."""
_NEVER = re.compile(r"(?!)")


@register(
    "identity",
    "registered domains of e-mail addresses that are of the name",
    source=_SOURCE,
    needs=["markup"],
)
def email_domain(analysis: Analysis) -> Bags:
    """The domains of addresses whose part before the ``@`` is of the name, ``tbaker``.

    Where anybody may have an address, it stands for itself.
    """
    person = _of_name(analysis.name)
    return Bags.of(_domains(each.emails, person) for each in analysis.documents)


@register(
    "identity",
    "own address and outgoing links that are of the name, without what follows a ?",
    source=_SOURCE,
    needs=["markup"],
)
def home_page(analysis: Analysis) -> Bags:
    """Addresses that are or lead to pages of the person."""
    person = _of_name(analysis.name)
    return Bags.of(_pages((each.url, *each.links), person) for each in analysis.documents)


@register(
    "identity",
    "telephone numbers as North America writes them",
    source=_SOURCE,
    needs=["text", "case"],
)
def phone(analysis: Analysis) -> Bags:
    """The ten digits of numbers like ``(412) 555-0123``."""
    return Bags.of(
        [_NO_DIGIT.sub("", each) for each in _PHONE.findall(page_text(document))]
        for document in analysis.documents
    )


def _of_name(name: PersonName) -> re.Pattern[str]:
    """Finds Thomas Baker in lower-case addresses: ``baker``, ``tjbaker``, ``thomas-j-bakerlaw``.

    It does not find ``bakery`` or ``breadbaker``: short last names are within many words.
    """
    if not name.tokens:
        return _NEVER
    given, last = (re.escape(name.tokens[at].replace("'", "")) for at in (0, -1))
    alone = (
        f"(?<!{_LETTER})(?:{given}|{given[0]}{_LETTER}?)?{last}(?:{given}|{given[0]})?(?!{_LETTER})"
    )
    return re.compile(f"{alone}|{given}[^/?]{{0,{_MIDDLE}}}{last}")


def _domains(addresses: Iterable[str], person: re.Pattern[str]) -> Iterator[str]:
    for local, _, host in (each.rpartition("@") for each in addresses):
        if person.search(local.lower()) and (domain := registered_domain(f"//{host}")):
            yield f"{local}@{domain}" if domain.partition(".")[0] in _ANYBODY_S else domain


def _pages(addresses: Iterable[str], person: re.Pattern[str]) -> Iterator[str]:
    for address in addresses:
        page = normalise(address).partition("?")[0].lower()
        if person.search(page):
            yield page
