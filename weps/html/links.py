"""Absolute addresses of links, and e-mail addresses in text, written plainly or obfuscated."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_OBFUSCATED: Final = 1_000
"""Places per page where an obfuscated address is searched."""

MAX_AT_SIGNS: Final = 5_000
"""Number of at signs examined per page."""

_LOCAL = r"[\w.%+-]{1,64}"
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOT = r"(?: ?[\[({<] ?(?:dot|\.) ?[\])}>] ?| dot |\.)"
_FLAGS = re.IGNORECASE | re.ASCII

_LOCAL_BEFORE = re.compile(rf"(?<![\w.%+@-]){_LOCAL}$", _FLAGS)
_HOST_AFTER = re.compile(rf"(?:{_LABEL}\.){{1,8}}[a-z]{{2,24}}(?![\w@-])", _FLAGS)

_OBFUSCATED_AT = re.compile(r" ?[\[({<] ?(?:at|@) ?[\])}>] ?| at ", _FLAGS)
_OBFUSCATED_LOCAL = re.compile(rf"(?<![\w.%+@-]){_LOCAL}(?:{_DOT}[\w%+-]{{1,64}}){{0,3}}$", _FLAGS)
_OBFUSCATED_HOST = re.compile(rf"{_LABEL}(?:{_DOT}{_LABEL}){{1,6}}(?![\w@-])", _FLAGS)
_DOTS = re.compile(_DOT, _FLAGS)

_FILE_TYPES: Final = frozenset("css gif htm html jpeg jpg js pdf php png svg webp".split())
_COMMON_DOMAINS: Final = frozenset("biz com edu gov info int mil name net org".split())
_WORDS_LIKE_DOMAINS: Final = frozenset("am as at be by do id in is it la me my no so to us".split())
"""Country codes that are also words: 'look at the dot in the middle' holds no address."""


def find_emails(text: str) -> tuple[str, ...]:
    """The addresses in a folded text, in lower case and order of appearance, without repeats."""
    places: list[tuple[int, str]] = []
    for at in islice(re.finditer("@", text), MAX_AT_SIGNS):
        host = _HOST_AFTER.match(text, at.end())
        local = host and _LOCAL_BEFORE.search(text, max(0, at.start() - 65), at.start())
        if host and local:
            places.append((at.start(), _valid_address(local[0], host[0])))
    places += _obfuscated_addresses(text)
    return tuple(dict.fromkeys(address for _, address in sorted(places) if address))


def _obfuscated_addresses(text: str) -> Iterator[tuple[int, str]]:
    lower = text.lower()
    brackets = [bracket for bracket in "([{<" if bracket in lower]
    if " dot " not in lower and not any(
        bracket + at in lower for bracket in brackets for at in ("at", " at", "@")
    ):  # a fast test for the great majority
        return
    for at in islice(_OBFUSCATED_AT.finditer(text), MAX_OBFUSCATED):
        host = _OBFUSCATED_HOST.match(text, at.end())
        local = host and _OBFUSCATED_LOCAL.search(text, max(0, at.start() - 80), at.start())
        if host and local and (at[0] != " at " or _is_spelt_host(host[0])):
            yield at.start(), _valid_address(_DOTS.sub(".", local[0]), _DOTS.sub(".", host[0]))


def _is_spelt_host(host: str) -> bool:
    """Whether the words after a mere 'at' can only be a host: 'uni dot edu', not 'the dot in'."""
    *labels, domain = _DOTS.sub(".", host).lower().split(".")
    if "dot" not in host.lower():
        return False
    if len(domain) > 2 or len(labels) == 1:
        return domain in _COMMON_DOMAINS or (len(domain) == 2 and domain not in _WORDS_LIKE_DOMAINS)
    return True


def _valid_address(local: str, host: str) -> str:
    """The address in lower case; empty if it is none."""
    local, host = local.lower().strip(".-+%"), host.lower()
    domain = host.rpartition(".")[2]
    valid = local and ".." not in local and domain.isalpha() and domain not in _FILE_TYPES
    return f"{local}@{host}" if valid else ""


MAX_LINKS: Final = 10_000
MAX_LENGTH: Final = 2_048
"""Longer addresses are useless as evidence; many browsers and servers refuse them as well."""

_ADDRESS = re.compile(r"(https?://[^\s/?#\[\]]+)([/?][^\s#]*)?", re.IGNORECASE)
_PATH = re.compile(r"/?[\w%~][\w%~,=&.-]*(?:/[\w%~][\w%~,=&.-]*)*/?(?:\?[\w%~,=&.+-]+)?", re.ASCII)
"""A path with nothing in it to resolve or escape: the common case, done fast."""
_OTHER_SCHEME = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def web_address(url: str) -> str:
    """An absolute http or https address in one spelling, without fragment; empty for others.

    Scheme and host are in lower case and the path is never empty.
    """
    found = _ADDRESS.match(url.strip())
    if not found or len(url) > MAX_LENGTH or not url.isprintable():
        return ""
    host, path = found.groups("/")
    return host.lower() + (path if path[0] == "/" else "/" + path)


def outgoing_links(hrefs: Iterable[str], url: str, base: str = "") -> tuple[str, ...]:
    """The addresses that the page leads to, in order, without repeats and without itself.

    ``url`` is the page's own address and ``base`` its ``<base href>``; where both are missing,
    relative links cannot be resolved and are left out.
    """
    own = web_address(url)
    start = web_address(_join_url(own, base)) or own
    origin = "/".join(start.split("/", 3)[:3])
    folder = start.partition("?")[0].rpartition("/")[0] + "/"
    links: dict[str, None] = {}
    for written in islice(dict.fromkeys(hrefs), MAX_LINKS):
        href = written.partition("#")[0].strip()
        if start and len(href) < MAX_LENGTH and _PATH.fullmatch(href):
            links[(origin if href[0] == "/" else folder) + href] = None
            continue
        address = href.replace(" ", "%20")
        absolute = address[:4].lower() == "http" and _ADDRESS.match(address)
        usable = address and len(address) <= MAX_LENGTH and not _OTHER_SCHEME.match(address)
        if absolute or usable:
            links[web_address(address if absolute else _join_url(start, address))] = None
    return tuple(link for link in links if link and link != own)


def _join_url(start: str, href: str) -> str:
    try:
        return urljoin(start, href)
    except ValueError:  # e.g. an unclosed bracket in the host
        return ""
