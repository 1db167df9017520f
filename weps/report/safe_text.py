"""Text from the web made fit to be seen: harmless, of one line, of bounded length."""

from __future__ import annotations

import html
import re
from unicodedata import category
from urllib.parse import quote, unquote, urlsplit

__all__ = ["domain_of", "plain", "safe_link", "shown", "shown_end"]

# Invisible characters that reorder, hide or split what is around them, and lone surrogates. Kept:
# the two joiners (U+200C, U+200D), without which Persian, Hindi and many emoji fall apart.
_TREACHEROUS = re.compile(
    "[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ud800-\udfff"
    "\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_CONTROL_OR_SPACE = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_MARK = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]"
_PILED_MARKS = re.compile(f"({_MARK}{{3}}){_MARK}+")
_STRANGE = re.compile(r"[^\w\s!-~]{9,}")
_MOST_MARKS = 8
"""On one letter; a Burmese one may have seven."""
_BLANK = " \u200c\u200d\u2800"
_LONGEST_LINK = 2000
_KEPT_IN_LINKS = "%/:=&?~#+!$,;'@()*[]"


def shown(text: str, longest: int = 120) -> str:
    """HTML for a text from the web, cut at the end if it is long."""
    line = plain(text)
    return html.escape(line if len(line) <= longest else line[: longest - 1].rstrip() + "…")


def shown_end(text: str, longest: int = 60) -> str:
    """HTML for a domain: cut at the front, since its end says whose it is."""
    line = plain(text)
    return html.escape(line if len(line) <= longest else "…" + line[1 - longest :])


def safe_link(url: str) -> str:
    """The address in ASCII if it is one of the web with a host, else an empty string."""
    if len(url) > _LONGEST_LINK:
        return ""
    address = quote(_TREACHEROUS.sub("", url).strip(), safe=_KEPT_IN_LINKS)
    try:
        parts = urlsplit(address)
        return address if parts.scheme in {"http", "https"} and parts.hostname else ""
    except ValueError:  # e.g. an unfinished IPv6 host
        return ""


def domain_of(url: str) -> str:
    """The host that a link leads to, without ``www.``; empty where there is no link."""
    return unquote(urlsplit(safe_link(url)).hostname or "").removeprefix("www.")


def plain(text: str) -> str:
    """One line without characters that are not what they seem."""
    line = _CONTROL_OR_SPACE.sub(" ", _TREACHEROUS.sub("", text)).strip(_BLANK)
    return _STRANGE.sub(_thinned, _PILED_MARKS.sub(r"\1", line))


def _thinned(run: re.Match[str]) -> str:
    """Signs with few marks on each: no line can be broken within a pile of them."""
    kept, marks = "", 0
    for sign in run[0]:
        marks = marks + 1 if sign in _BLANK or category(sign)[0] == "M" else 0
        kept += sign if marks <= _MOST_MARKS else ""
    return kept
