"""Addresses and identity: e-mails, links, contact details, honorific, year of birth.

E-mails, links, *linked* and *same domain* are those of EMNLP 2009, section 3.2. Two people of one
name seldom share what is of identity; :mod:`weps.systems` states the weight of each.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache, lru_cache, partial
from itertools import islice
from operator import itemgetter
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray
from publicsuffixlist import PublicSuffixList

from weps._files import resource_text
from weps.features.bags import Bags, number_forms
from weps.features.name import mentions_of
from weps.features.registry import FeatureKind, Flags, Rows, register_feature
from weps.language.analysis import Analysis, cached_for_features, page_text, person_words_of_pages
from weps.name.person_name import PersonName
from weps.name.spelling import address_pattern, plain_letters

_HOSTS_OF_SITES = frozenset(
    "angelfire bandcamp blogspot bravehost canalblog cargocollective deviantart freeservers"
    " freewebs hatenablog homestead jimdo jimdofree livejournal narod neocities over-blog posterous"
    " skyrock squarespace substack tistory tripod tumblr typepad ucoz webs weebly wikidot"
    " wordpress".split()
)
"""Domains whose parts are sites of their own and that the public suffix list lacks, without the
part after the first point."""
_ADDRESS = re.compile(
    r"(?:[a-z][a-z0-9+.-]*:)?//(?:[^/?#\s@]*@)?(\[[0-9a-f:.]+\]|[^/?#:\s\[\]@]+)(?::(\d*))?"
    r"(?=[/?#]|$)([^?#]*)(\?[^#]*)?",
    re.IGNORECASE,
)
"""Host, port, path and query; ten times as fast as ``urlsplit`` on the thousands of a name."""


@register_feature(
    "link",
    "e-mail addresses on the page",
    wording="e-mail addresses",
    paper="section 3.2",
    identifying=True,
    needs=["markup"],
)
def email(analysis: Analysis) -> Bags:
    """E-mail addresses."""
    return Bags.of(document.emails for document in analysis.documents)


@register_feature(
    "link",
    "outgoing links",
    wording="links to the same page",
    paper="section 3.2",
    needs=["markup"],
)
def link(analysis: Analysis) -> Bags:
    """Addresses that the page links to."""
    return Bags.of(filter(None, targets) for targets in _targets(analysis))


@register_feature(
    "link",
    "one page links to the other",
    wording="one links to the other",
    paper="section 3.2",
    needs=["markup"],
    kind=FeatureKind.FLAGS,
)
def linked(analysis: Analysis) -> Flags:
    """Whether either of two pages links to the other."""
    addresses = [normalise_address(document.url) for document in analysis.documents]
    # Of pages at one address, one stands for all.
    place = {address: row for row, address in enumerate(addresses) if address}
    page = np.array([place.get(address, row) for row, address in enumerate(addresses)], np.int64)
    size = np.int64(len(addresses))
    reached = [
        row * len(addresses) + place[target]
        for row, targets in enumerate(_targets(analysis))
        for target in targets
        if target in place
    ]
    return partial(_either_links, size, page, np.array(reached, np.int64))


def _either_links(
    size: np.int64, page: Rows, links: Rows, first: Rows, second: Rows
) -> NDArray[np.bool_]:
    there, back = first * size + page[second], second * size + page[first]
    return np.isin(there, links) | np.isin(back, links)


@register_feature(
    "link",
    "both pages belong to one domain",
    wording="same web site",
    paper="section 3.2",
    kind=FeatureKind.FLAGS,
)
def same_domain(analysis: Analysis) -> Flags:
    """Whether two pages belong to the same registered domain."""
    domains = [registered_domain(document.url) for document in analysis.documents]
    return partial(_have_same, number_forms(domains)[1])


def _have_same(code: Rows, first: Rows, second: Rows) -> NDArray[np.bool_]:
    """Whether both pages have something, and the same."""
    return np.asarray((code[first] == code[second]) & (code[first] >= 0), dtype=bool)


@cached_for_features
def _targets(analysis: Analysis) -> tuple[tuple[str, ...], ...]:
    """For each document its links in one spelling, empty where they have none."""
    return tuple(tuple(map(normalise_address, each.links)) for each in analysis.documents)


def normalise_address(address: str) -> str:
    """One spelling for addresses of one page: no scheme, ``www.``, fragment or last slash."""
    found = _ADDRESS.match(address.strip())
    if not found:
        return ""
    host, port, path, query = found.groups("")
    port = f":{port}" if port not in ("", "80", "443") else ""
    return f"{_bare_host(host)}{port}{path.rstrip('/')}{query if len(query) > 1 else ''}"


def registered_domain(address: str) -> str:
    """The domain that the host's owner registered: ``cs.york.ac.uk`` → ``york.ac.uk``.

    Sites of one provider are apart, ``anna.github.io`` from ``robin.github.io``, by the public
    suffix list (publicsuffix.org) with its private section; the package ships it. An IP address,
    and a host that has no such domain, counts as written.
    """
    found = _ADDRESS.match(address.strip())
    host = _bare_host(found[1]) if found else ""
    if ":" in host or host.rpartition(".")[2].isdigit():  # an IP address
        return host
    suffixes = _suffixes(accept_encoded_idn="xn--" in host)  # few are, and it takes as long again
    domain = suffixes.privatesuffix(host) or host
    of_site = domain.partition(".")[0] in _HOSTS_OF_SITES
    return suffixes.subdomain(host, int(of_site)) or domain


_suffixes = cache(PublicSuffixList)


def _bare_host(host: str) -> str:
    return host.lower().rstrip(".").removeprefix("www.")


_ATTRIBUTE_SOURCE = "our own; an attribute of the WePS-2 attribute extraction task"
_PHONE = re.compile(r"\d\d\d(?<!\w\d{3})\)?[ .-]{1,2}\d{3}[.-]\d{4}(?!\w)")
"""Begins with digits, for which the engine skips ahead: a third of the time."""
_LETTER = r"[^\W\d_]"
_PUBLIC_MAIL_HOSTS = frozenset(
    "aol btinternet comcast earthlink gmail gmx googlemail hotmail icloud juno live mac mail msn"
    " outlook proton protonmail verizon web yahoo".split()
)
"""Public mail providers, without the part after the first point."""


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
    bags: list[list[str]] = [[] for _ in analysis.documents]
    for document, bag in zip(analysis.documents, bags, strict=True):
        for local, _, host in (each.rpartition("@") for each in document.emails):
            person = _name_pattern(analysis.name)
            if person.search(local.lower()) and (domain := registered_domain(f"//{host}")):
                public = domain.partition(".")[0] in _PUBLIC_MAIL_HOSTS
                bag.append(f"{local}@{domain}" if public else domain)
    return Bags.of(bags)


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
    links = [list(filter(None, (each.url, *each.links))) for each in analysis.documents]
    if not any(links):
        return Bags.of(links)
    person = _name_pattern(analysis.name)
    spellings = (analysis.name, *analysis.name.others)
    families = filter(None, (address_pattern(each.family) for each in spellings))
    has_family = re.compile("|".join(families) or "(?!)").search
    return Bags.of(
        filter(
            person.search,
            (
                normalise_address(link).partition("?")[0].lower()
                for link in each
                if has_family(link.lower())  # few have it: the others need not be read closely
            ),
        )
        for each in links
    )


@register_feature(
    "identity",
    "telephone numbers as North America writes them",
    wording="telephone numbers",
    source=_ATTRIBUTE_SOURCE,
    identifying=True,
    needs=["text", "case"],
)
@cached_for_features
def phone(analysis: Analysis) -> Bags:
    """The ten digits of numbers like ``(412) 555-0123``."""
    return Bags.of(
        [re.sub(r"\D", "", each) for each in _PHONE.findall(page_text(document))]
        for document in analysis.documents
    )


@register_feature(
    "identity",
    "addresses of profiles of one site: those of {relation}",
    wording="profiles of people on one site",
    kind=FeatureKind.FLAGS,
    relation={"agree": "one person", "differ": "two people"},
)
def site_profile(analysis: Analysis, *, relation: str) -> Flags:
    """Whether two pages are the same profile of a site, or two different ones."""
    profiles = [_profile(document.url, analysis.name) for document in analysis.documents]
    site, person = (number_forms(map(itemgetter(part), profiles))[1] for part in (0, 1))
    return partial(_profiles_related, site, person, relation == "agree")


def _profiles_related(
    site: Rows, person: Rows, agree: bool, first: Rows, second: Rows
) -> NDArray[np.bool_]:
    same_person = (person[first] == person[second]) == agree
    return np.asarray(_have_same(site, first, second) & same_person, dtype=bool)


def _profile(address: str, name: PersonName) -> tuple[str, str]:
    """The site of a profile, and the person there; both empty for other addresses."""
    domain = registered_domain(address)
    pattern = _profile_patterns().get(domain)
    if pattern is None or not (found := pattern.search(unquote(address))):
        return "", ""
    parts = {group: text or "" for group, text in found.groupdict().items()}
    number, named = parts.get("id", "").lower(), plain_letters(parts.get("name", ""))
    if not number and not re.search(address_pattern(name.family) or "(?!)", named):
        return "", ""
    return f"{domain} {parts.get('part', '')} {'id' if number else 'name'}", number or named


@cache
def _profile_patterns() -> dict[str, re.Pattern[str]]:
    """Domain of a site → the expression that finds the person in addresses of profiles."""
    lines = resource_text("names/profiles.txt").splitlines()
    entries = (line.split(" ", 1) for line in lines if not line.startswith("#"))
    return {domain: re.compile(pattern, re.IGNORECASE) for domain, pattern in entries}


@lru_cache(maxsize=32)
def _name_pattern(name: PersonName) -> re.Pattern[str]:
    """Finds Thomas Baker in lower-case addresses: ``baker``, ``tjbaker``, ``thomas-j-bakerlaw``.

    It does not find ``bakery`` or ``breadbaker``: short last names are within many words.
    """
    patterns = []
    for spelling in (name, *name.others):
        first = "".join(spelling.given[:1])
        given, initial, last = map(address_pattern, (first, first[:1], spelling.family))
        given, initial = given or last, initial or last
        if last:
            patterns.append(
                f"(?<!{_LETTER})(?:{given}|{initial}{_LETTER}?)?{last}"
                f"(?:{given}|{initial})?(?!{_LETTER})|{given}[^/?]{{0,12}}{last}"
            )
    return re.compile("|".join(patterns) or r"(?!)")  # which matches nothing


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
_YEAR = r"(1[5-9]\d\d|20[0-2]\d)"
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
_ANY_YEAR = re.compile(
    rf"(?:(?<![\d.,/-])|(?<=\b\d{{4}}-)){_YEAR}(?:(?![\d.,/-]?\d)|(?=-\d{{4}}\b))"
)
"""A year, rather than a part of a price, a date in figures or a telephone number."""
_YEARS_AROUND = 200
"""Characters before and behind a whole mention."""
_MAX_DATED_MENTIONS = 30
_MAX_YEARS_APART = 80
"""Years that lie between what is told of one person at most."""


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
    """Years written like ``born in Leeds, 1950``, ``b. 1950``, ``(1950–2001)``, ``né en 1950``."""
    years: list[list[str]] = [[] for _ in analysis.documents]
    for document, mentions, of_page, words in zip(
        analysis.documents,
        analysis.mentions,
        years,
        person_words_of_pages(analysis),
        strict=True,
    ):
        if not mentions:
            continue
        text, stated, free = page_text(document), [], 0
        for year in _SINGLE_YEAR.finditer(text):  # what is around is searched
            start = max(free, year.start() - _BORN_BEFORE)
            if found := _BORN.search(text, start, year.end() + _BORN_AFTER):
                free = found.end()
                stated.append(found)
        ends = [mention.end for mention in mentions]
        for found in stated:
            before = bisect_right(ends, found.start())
            if before and found.end() - ends[before - 1] <= _MAX_BIRTH_DISTANCE:
                of_page.append(found[1] or found[2])
        if words is None or of_page:
            continue
        for mention in mentions:
            near = text[mention.end : mention.end + _MAX_BIRTH_DISTANCE].partition("\n")[0]
            birth = words.birth.search(near)
            if birth and not words.relative.search(mention.before):
                of_page.append(birth[birth.lastindex or 0])
    return Bags.of(years)


@register_feature(
    "identity",
    f"years around the name, their median, over {_MAX_YEARS_APART} years apart",
    wording="years around the name",
    needs=["text", "mentions"],
    kind=FeatureKind.FLAGS,
)
def distant_years(analysis: Analysis) -> Flags:
    """Whether the years around the name are too far apart for what is told of one person.

    Pages with fewer than two years around whole mentions are far from none.
    """
    usual = np.full(len(analysis.documents), np.nan)
    for row, (document, mentions) in enumerate(
        zip(analysis.documents, analysis.mentions, strict=True)
    ):
        text, whole = page_text(document), (each for each in mentions if each.is_whole)
        years = [
            int(year)
            for mention in islice(whole, _MAX_DATED_MENTIONS)
            for year in _ANY_YEAR.findall(
                text, max(0, mention.start - _YEARS_AROUND), mention.end + _YEARS_AROUND
            )
        ]
        if len(years) > 1:
            usual[row] = np.median(years)
    return partial(_are_far_apart, usual)


def _are_far_apart(usual: NDArray[np.float64], first: Rows, second: Rows) -> NDArray[np.bool_]:
    return np.asarray(np.abs(usual[first] - usual[second]) > _MAX_YEARS_APART, dtype=bool)
