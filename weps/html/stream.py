"""The fast path: libxml2's parser calls back per tag and per run of text, and no tree is built.

A stream is also the safe path: trees are where nesting and repeated attributes cost quadratic
time (100,000 nested ``div`` or 4,000 nested ``font`` take a tree builder 12 s and gigabytes).
What is left to bound is the number of tags and the depth, in proportion to which end tags without
a partner cost time; both are looked at between chunks of the page.
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
    is_mail,
    mail_mark,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["read_stream"]

MAX_DEPTH: Final = 300
"""Open elements; the deepest of 2,500 real pages has 218."""
MAX_PARTS: Final = 400_000
"""Tags and runs of text; the largest of 2,500 real pages has 190,000."""

_CHUNK: Final = 32_768  # most pages are one chunk

# Elements of raw text cannot nest; everything else is flattened in pages nested too deeply.
_NESTING_TAG = re.compile(
    r"</?(?!(?:script|style|title)[\s>])([a-z][^\s<>/]*)[^<>]*>", re.IGNORECASE
)


def read_stream(markup: str) -> Outline:
    """Read mark-up in one pass; pages nested too deeply are read without their structure."""
    outline = _parse(markup)
    if outline is None:
        outline = _parse(_NESTING_TAG.sub(_flatten, markup)) or Outline()
        outline.note = "nested too deeply: read without its structure and links"
    return outline


def _parse(markup: str) -> Outline | None:
    """The outline of the page, None where it nests too deeply."""
    markup = markup or " "  # lxml takes the end of nothing for an error
    target = _Target()
    parser = etree.HTMLParser(target=target, encoding="utf-8", huge_tree=True)
    for start in range(0, len(markup), _CHUNK):
        parser.feed(markup[start : start + _CHUNK].encode("utf-8", "replace"))
        if target.depth > MAX_DEPTH:
            return None
        if len(target.parts) > MAX_PARTS:
            target.outline.note = "cut short: too many tags"
            break
    outline: Outline = parser.close()
    return outline


def _flatten(tag: re.Match[str]) -> str:
    return BREAK if tag[1].lower() in BREAKING else ""


class _Target:
    """Turns parser events into an outline.

    ``start`` and ``end`` run once per tag and are most of the cost of cleaning a page.
    """

    __slots__ = ("_seen_parts", "_unseen_depth", "data", "depth", "outline", "parts")

    def __init__(self) -> None:
        self.outline = Outline()
        self.parts: list[str] = []
        self.data: Callable[[str], None] = self.parts.append  # text goes straight to the list
        self.depth = 0
        self._unseen_depth = 0  # where the outermost invisible element opened, 0 outside of any
        self._seen_parts = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.depth += 1
        if tag in OPENING:
            self.data(OPENING[tag])
        if self._unseen_depth:
            return
        if tag in UNSEEN or (attributes and hides(attributes)):
            self._unseen_depth = self.depth
            self._seen_parts = len(self.parts)
        elif attributes and tag in INFORMATIVE:
            self._read_attributes(tag, attributes)

    def end(self, tag: str) -> None:
        if self.depth == self._unseen_depth:
            self._leave_unseen(tag)
        self.depth -= 1
        if tag in CLOSING:
            self.data(CLOSING[tag])

    def close(self) -> Outline:
        self.outline.text = "".join(self.parts)
        return self.outline

    def _leave_unseen(self, tag: str) -> None:
        if tag == "title" and not self.outline.title:
            self.outline.title = "".join(self.parts[self._seen_parts :])
        del self.parts[self._seen_parts :]
        self._unseen_depth = 0

    def _read_attributes(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in LINKING:
            self._read_link(attributes.get(LINKING[tag]))
        if tag in PICTURES:
            self.data(image_mark(attributes))
        elif tag == "meta":
            self._read_meta(attributes)
        elif tag == "base":
            self.outline.base = self.outline.base or attributes.get("href", "")
        elif tag == "link" and "canonical" in attributes.get("rel", "").lower().split():
            self.outline.canonical = self.outline.canonical or attributes.get("href", "")

    def _read_link(self, href: str | None) -> None:
        if not href:
            return
        if is_mail(href):
            self.data(mail_mark(href))
        else:
            self.outline.hrefs.append(href)

    def _read_meta(self, attributes: Mapping[str, str]) -> None:
        name = attributes.get("name") or attributes.get("property", "")
        if name.lower() in DESCRIPTIONS and not self.outline.description:
            self.outline.description = attributes.get("content", "")
