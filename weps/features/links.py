"""E-mails, links, contact details, and the flags *linked* and *same domain*.

EMNLP 2009, section 3.2.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np
from scipy import sparse

from weps._text import PersonName
from weps.features.bags import Bags
from weps.features.mentions import page_text
from weps.features.registry import Flags, register_feature
from weps.language.analysis import Analysis

__all__ = ["email", "email_domain", "home_page", "link", "linked", "phone", "same_domain"]

_PAPER_SOURCE = "EMNLP 2009, section 3.2"
_SECOND_LEVEL = frozenset(
    "ac co com edu gob gov gouv go ltd me mil ne net nhs nom or org plc".split()
)
_COUNTRY_CODE = 2
_USUAL_PORTS = ("", "80", "443")
_ADDRESS = re.compile(
    r"(?:[a-z][a-z0-9+.-]*:)?//(?:[^/?#\s@]*@)?(\[[0-9a-f:.]+\]|[^/?#:\s\[\]@]+)(?::(\d*))?"
    r"(?=[/?#]|$)([^?#]*)(\?[^#]*)?",
    re.IGNORECASE,
)
"""Host, port, path and query; ten times as fast as ``urlsplit`` on the thousands of a name."""


@register_feature("link", "e-mail addresses on the page", source=_PAPER_SOURCE, needs=["markup"])
def email(analysis: Analysis) -> Bags:
    """E-mail addresses."""
    return Bags.of(document.emails for document in analysis.documents)


@register_feature("link", "outgoing links", source=_PAPER_SOURCE, needs=["markup"])
def link(analysis: Analysis) -> Bags:
    """Addresses that the page links to."""
    return Bags.of(filter(None, map(normalise_address, d.links)) for d in analysis.documents)


@register_feature(
    "link", "one page links to the other", source=_PAPER_SOURCE, needs=["markup"], flag=True
)
def linked(analysis: Analysis) -> Flags:
    """Whether either of two pages links to the other."""
    rows = defaultdict(list)
    for row, document in enumerate(analysis.documents):
        rows[normalise_address(document.url)].append(row)
    rows.pop("", None)
    pairs = [
        (row, other)
        for row, document in enumerate(analysis.documents)
        for target in map(normalise_address, document.links)
        for other in rows.get(target, ())
        if other != row
    ]
    return _symmetric_flags(pairs, len(analysis.documents))


@register_feature("link", "both pages belong to one domain", source=_PAPER_SOURCE, flag=True)
def same_domain(analysis: Analysis) -> Flags:
    """Whether two pages belong to the same registered domain."""
    domains = [registered_domain(document.url) for document in analysis.documents]
    pairs = [
        (i, j)
        for i, first in enumerate(domains)
        for j, second in enumerate(domains[:i])
        if first and first == second
    ]
    return _symmetric_flags(pairs, len(domains))


def normalise_address(address: str) -> str:
    """One spelling for addresses of one page: no scheme, ``www.``, fragment or last slash."""
    found = _ADDRESS.match(address.strip())
    if not found:
        return ""
    host, port, path, query = found.groups("")
    shown_port = f":{port}" if port not in _USUAL_PORTS else ""
    return f"{_bare_host(host)}{shown_port}{path.rstrip('/')}{query if len(query) > 1 else ''}"


def registered_domain(address: str) -> str:
    """The registered domain of the host: ``cs.york.ac.uk`` → ``york.ac.uk``."""
    found = _ADDRESS.match(address.strip())
    host = _bare_host(found[1]) if found else ""
    labels = host.split(".")
    if labels[-1].isdigit() or ":" in host:  # an IP address
        return host
    second_level = (
        len(labels[-1]) == _COUNTRY_CODE and labels[-2:-1] and labels[-2] in _SECOND_LEVEL
    )
    return ".".join(labels[-3:] if second_level else labels[-2:])


def _bare_host(host: str) -> str:
    return host.lower().rstrip(".").removeprefix("www.")


def _symmetric_flags(pairs: list[tuple[int, int]], size: int) -> Flags:
    rows, columns = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    ones = np.ones(len(rows), dtype=bool)
    matrix = sparse.coo_array((ones, (rows, columns)), shape=(size, size)).tocsr()
    return sparse.csr_array(matrix + matrix.T).astype(bool)


_ATTRIBUTE_SOURCE = "our own; an attribute of the WePS-2 attribute extraction task"
_PHONE = re.compile(r"(?<!\w)\(?\d{3}\)?[ .-]{1,2}\d{3}[.-]\d{4}(?!\w)")
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
    source=_ATTRIBUTE_SOURCE,
    needs=["markup"],
)
def home_page(analysis: Analysis) -> Bags:
    """Addresses that are or lead to pages of the person."""
    person = _name_pattern(analysis.name)
    return Bags.of(_person_pages((each.url, *each.links), person) for each in analysis.documents)


@register_feature(
    "identity",
    "telephone numbers as North America writes them",
    source=_ATTRIBUTE_SOURCE,
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
