"""The parsers. The fast one is libxml2, which calls back per tag and run of text: no tree is built.

Visible is the text of every element except scripts, styles, templates and elements hidden by
attribute or inline style. Alternative texts of images count, because the heading with the person's
name is often a picture on old pages; those without a letter or digit are decoration. Options of a
list, text areas, buttons and ``aria-hidden`` elements count. ``noscript`` does not, unless the page
has nothing else.

A stream is also safe: in trees, nesting and repeated attributes cost quadratic time (100,000 nested
``div`` take a tree builder 12 s and gigabytes). End tags without a partner cost time in proportion
to the depth, so depth and number of tags are bounded; both are checked between chunks of the page.
Pages on which the fast parser fails are read from BeautifulSoup's tree, as is every page where that
is asked for: see :mod:`weps.html.cleaning`, which bounds what it is given.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bs4.element import PageElement

# Control characters mark the structure in the running text; none of them survives cleaning, and
# those of the page itself are removed before. They are none that str.split takes for white space.
BREAK: Final = "\x01"
PRE_OPEN: Final = "\x02"
PRE_CLOSE: Final = "\x03"
MAIL_OPEN: Final = "\x04"
MAIL_CLOSE: Final = "\x05"
DROPPED: Final = "\x06"
"""Stands where a page had such a character; it is invisible, and dropped with others in the end."""

BREAKING: Final = frozenset(
    "address article aside blockquote body br button caption center dd details dialog dir div dl "
    "dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr "
    "html input isindex legend li main menu nav ol optgroup option p search section select "
    "summary table tbody td tfoot th thead tr ul".split()
)
"""Elements before and after which a new block starts."""

PREFORMATTED: Final = frozenset(("listing", "plaintext", "pre", "textarea", "xmp"))
"""Elements whose line breaks are visible."""

INVISIBLE: Final = frozenset(
    ("iframe", "noembed", "noframes", "noscript", "script", "style", "template", "title")
)
"""Elements whose content is invisible."""

_MARKS: Final = dict.fromkeys(BREAKING, BREAK) | {"sup": " "}
OPENING: Final = _MARKS | dict.fromkeys(PREFORMATTED, PRE_OPEN)
CLOSING: Final = _MARKS | dict.fromkeys(PREFORMATTED, PRE_CLOSE)

LINKING: Final = {"a": "href", "area": "href", "frame": "src"}
"""Elements that lead to another page, and the attribute that says where."""

PICTURES: Final = frozenset(("area", "img", "input"))
INFORMATIVE: Final = PICTURES.union(LINKING, ("base", "link", "meta"))
"""Elements whose attributes are read."""

DESCRIPTIONS: Final = frozenset(("description", "og:description"))

_HIDING_STYLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_WORD_CHARACTER = re.compile(r"[^\W_]")


@dataclass(slots=True)
class Outline:
    """The content of a page, before white space is folded and links are resolved."""

    text: str = ""
    """Visible text with structure marks."""
    title: str = ""
    description: str = ""
    canonical: str = ""
    base: str = ""
    hrefs: list[str] = field(default_factory=list)
    note: str = ""


def without_marks(text: str) -> str:
    """The text of a page without the characters that would be taken for marks of its structure."""
    for mark in (BREAK, PRE_OPEN, PRE_CLOSE, MAIL_OPEN, MAIL_CLOSE):
        text = text.replace(mark, DROPPED)
    return text


def is_hidden(attributes: Mapping[str, str]) -> bool:
    """Whether an element with these attributes is invisible, with all that it holds."""
    if "hidden" in attributes:
        return True
    return "style" in attributes and _HIDING_STYLE.search(attributes["style"]) is not None


def image_mark(attributes: Mapping[str, str]) -> str:
    """A picture's alternative text as a block of its own, empty where it is mere decoration."""
    text = attributes.get("alt")
    return f"{BREAK}{text}{BREAK}" if text and _WORD_CHARACTER.search(text) else ""


def is_mail(href: str) -> bool:
    """Whether a link opens a mail program."""
    return href[:7].lower() == "mailto:"


def mail_mark(href: str) -> str:
    """The addresses of a ``mailto:`` link, marked so that they are found but not shown."""
    addresses = href[7:].partition("?")[0]
    return f"{MAIL_OPEN}{without_marks(unquote(addresses))}{MAIL_CLOSE}"


MAX_DEPTH: Final = 300
"""Open elements; the deepest of 2,500 real pages has 218."""
MAX_PARTS: Final = 400_000
"""Tags and runs of text; the largest of 2,500 real pages has 190,000."""

_CHUNK: Final = 32_768  # most pages are one chunk

# Elements of raw text cannot nest; everything else is flattened in pages nested too deeply.
_NESTING_TAG = re.compile(
    r"</?(?!(?:script|style|title)[\s>])([a-z][^\s<>/]*+)[^<>]*+>", re.IGNORECASE
)


def read_flat(markup: str) -> Outline:
    """Read mark-up of any depth in one pass, without its structure and links."""
    flat = _NESTING_TAG.sub(lambda tag: BREAK if tag[1].lower() in BREAKING else "", markup)
    outline = read_stream(flat) or Outline()
    outline.note = "nested too deeply: read without its structure and links"
    return outline


def read_stream(markup: str) -> Outline | None:
    """Read mark-up in one pass; None if it is nested too deeply."""
    markup = markup or " "  # lxml raises an error at the end of an empty page
    target = _OutlineTarget()
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


def read_soup(markup: str, builder: str = "lxml") -> Outline:
    """Read mark-up by way of BeautifulSoup, some ten times slower than :func:`read_stream`.

    Over lxml time grows with the number of tags (4 s for 100,000) and the square of the depth; over
    Python's ``html.parser`` with the square of the number of tags that are not closed.
    """
    from bs4 import BeautifulSoup, XMLParsedAsHTMLWarning  # noqa: PLC0415 - few pages need it
    from bs4.element import PreformattedString, Tag  # noqa: PLC0415

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        soup = BeautifulSoup(markup, builder, multi_valued_attributes=None)
    target = _OutlineTarget()
    pending: list[tuple[PageElement, bool]] = [(each, False) for each in reversed(soup.contents)]
    while pending:
        node, is_over = pending.pop()
        if isinstance(node, Tag) and is_over:
            target.end(node.name)
        elif isinstance(node, Tag):
            target.start(node.name, {name: str(value) for name, value in node.attrs.items()})
            pending.append((node, True))
            pending.extend((each, False) for each in reversed(node.contents))
        elif not isinstance(node, PreformattedString):
            target.data(str(node))
    return target.close()


class _OutlineTarget:
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
        if tag in INVISIBLE or (attributes and is_hidden(attributes)):
            self._unseen_depth = self.depth
            self._seen_parts = len(self.parts)
        elif attributes and tag in INFORMATIVE:
            self._read_attributes(tag, attributes)

    def end(self, tag: str) -> None:
        if self.depth == self._unseen_depth:
            if tag == "title" and not self.outline.title:
                self.outline.title = "".join(self.parts[self._seen_parts :])
            del self.parts[self._seen_parts :]
            self._unseen_depth = 0
        self.depth -= 1
        if tag in CLOSING:
            self.data(CLOSING[tag])

    def close(self) -> Outline:
        self.outline.text = "".join(self.parts)
        return self.outline

    def _read_attributes(self, tag: str, attributes: Mapping[str, str]) -> None:
        outline = self.outline
        if tag in LINKING:
            href = attributes.get(LINKING[tag]) or ""
            if is_mail(href):
                self.data(mail_mark(href))
            elif href:
                outline.hrefs.append(href)
        if tag in PICTURES:
            self.data(image_mark(attributes))
        elif tag == "meta":
            name = attributes.get("name") or attributes.get("property", "")
            if name.lower() in DESCRIPTIONS:
                outline.description = outline.description or attributes.get("content", "")
        elif tag == "base":
            outline.base = outline.base or attributes.get("href", "")
        elif tag == "link" and "canonical" in attributes.get("rel", "").lower().split():
            outline.canonical = outline.canonical or attributes.get("href", "")
