"""The fast path: libxml2's parser calls back per tag and per run of text, and no tree is built.

A stream is also the safe path: trees are where nesting and repeated attributes cost quadratic
time (100,000 nested ``div`` or 4,000 nested ``font`` take a tree builder 12 s and gigabytes),
and depth is known as it happens. Only end tags without a partner cost time in proportion to the
depth, so depth is bounded.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lxml import etree

from weps.html.outline import (
    BREAK,
    BREAKING,
    CLOSING,
    DESCRIPTIONS,
    INFORMATIVE,
    LINKING,
    OPENING,
    PICTURES,
    UNSEEN,
    Outline,
    hides,
    image_mark,
    mail_mark,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["read_stream"]

MAX_DEPTH: Final = 400  # the deepest of 2,500 real pages: 218

# Elements of raw text cannot nest; everything else is flattened in pages nested too deeply.
_NESTING_TAG = re.compile(
    r"</?(?!(?:script|style|title)[\s>])([a-z][^\s<>/]*)[^<>]*>", re.IGNORECASE
)


def read_stream(markup: str) -> Outline:
    """Read mark-up in one pass; pages nested too deeply are read without their structure."""
    try:
        return _parse(markup)
    except _TooDeepError:
        outline = _parse(_NESTING_TAG.sub(_flatten, markup))
        outline.note = "nested too deeply: read without its structure and links"
        return outline


def _parse(markup: str) -> Outline:
    parser = etree.HTMLParser(target=_Target(), encoding="utf-8", huge_tree=True)
    parser.feed(markup.encode("utf-8", "replace") or b" ")
    outline: Outline = parser.close()
    return outline


def _flatten(tag: re.Match[str]) -> str:
    return BREAK if tag[1].lower() in BREAKING else ""


class _TooDeepError(Exception):
    """The page nests more elements than any honest page does."""


class _Target:
    """Turns parser events into an outline.

    ``start`` and ``end`` run once per tag and are most of the cost of cleaning a page.
    """

    __slots__ = ("_depth", "_outline", "_parts", "_seen_parts", "_unseen_depth", "data")

    def __init__(self) -> None:
        self._outline = Outline()
        self._parts: list[str] = []
        self.data: Callable[[str], None] = self._parts.append  # text goes straight to the list
        self._depth = 0
        self._unseen_depth = 0  # where the outermost invisible element opened, 0 outside of any
        self._seen_parts = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._depth += 1
        mark = OPENING.get(tag)
        if mark:
            self.data(mark)
        if not self._unseen_depth:
            if tag in UNSEEN or (attributes and hides(attributes)):
                self._unseen_depth = self._depth
                self._seen_parts = len(self._parts)
            elif attributes and tag in INFORMATIVE:
                self._read_attributes(tag, attributes)
        if self._depth > MAX_DEPTH:
            raise _TooDeepError

    def end(self, tag: str) -> None:
        if self._depth == self._unseen_depth:
            self._leave_unseen(tag)
        self._depth -= 1
        mark = CLOSING.get(tag)
        if mark:
            self.data(mark)

    def close(self) -> Outline:
        self._outline.text = "".join(self._parts)
        return self._outline

    def _leave_unseen(self, tag: str) -> None:
        if tag == "title" and not self._outline.title:
            self._outline.title = "".join(self._parts[self._seen_parts :])
        del self._parts[self._seen_parts :]
        self._unseen_depth = 0

    def _read_attributes(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in LINKING:
            self._read_link(attributes.get(LINKING[tag], ""))
        elif tag == "meta":
            self._read_meta(attributes)
        elif tag == "base":
            self._outline.base = self._outline.base or attributes.get("href", "")
        elif tag == "link" and "canonical" in attributes.get("rel", "").lower().split():
            self._outline.canonical = self._outline.canonical or attributes.get("href", "")
        if tag in PICTURES:
            self.data(image_mark(attributes))

    def _read_link(self, href: str) -> None:
        mail = mail_mark(href)
        if mail:
            self.data(mail)
        elif href:
            self._outline.hrefs.append(href)

    def _read_meta(self, attributes: Mapping[str, str]) -> None:
        name = attributes.get("name") or attributes.get("property", "")
        if name.lower() in DESCRIPTIONS and not self._outline.description:
            self._outline.description = attributes.get("content", "")
