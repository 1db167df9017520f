"""Links to absolute addresses."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["outgoing_links", "web_address"]

MAX_LINKS: Final = 10_000
MAX_LENGTH: Final = 2_048
"""Longer addresses are no use as evidence; browsers and servers refuse many of them as well."""

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
    relative links lead nowhere and are left out.
    """
    own = web_address(url)
    start = web_address(_join(own, base)) or own
    distinct = islice(dict.fromkeys(hrefs), MAX_LINKS)
    links = dict.fromkeys(map(_resolver(start), distinct))
    return tuple(link for link in links if link and link != own)


def _resolver(start: str) -> Callable[[str], str]:
    """What turns the links of a page at ``start`` into addresses, empty for what is no web page."""
    origin = "/".join(start.split("/", 3)[:3])
    folder = start.partition("?")[0].rpartition("/")[0] + "/"

    def resolve(href: str) -> str:
        href = href.partition("#")[0].strip()
        if start and len(href) < MAX_LENGTH and _PATH.fullmatch(href):
            return (origin if href[0] == "/" else folder) + href
        if " " in href:
            href = href.replace(" ", "%20")
        if href[:4].lower() == "http" and _ADDRESS.match(href):
            return web_address(href)
        if not href or len(href) > MAX_LENGTH or _OTHER_SCHEME.match(href):
            return ""
        return web_address(_join(start, href))

    return resolve


def _join(start: str, href: str) -> str:
    try:
        return urljoin(start, href)
    except ValueError:  # e.g. an unclosed bracket in the host
        return ""
