"""Documents made of pages: mark-up repaired and parsed, white space folded, blocks divided.

The fast parser is libxml2, which calls back per tag and run of text: no tree is built. Visible is
the text of every element except scripts, styles, templates and elements hidden by attribute or
inline style; in doubt a text counts. So do pages whose whole body a script is to show, content that
a search within the page finds, shadow roots, and frames within ``srcdoc``. Alternative texts of
images count, because the heading with the person's name is often a picture on old pages; those
without a letter or digit are decoration. Options of a list, text areas, buttons and ``aria-hidden``
elements count. ``noscript`` does not, nor does what is hidden, unless the page has nothing else, or
hardly anything.

A stream is also safe: in trees, nesting and repeated attributes cost quadratic time (100,000 nested
``div`` take a tree builder 12 s and gigabytes). End tags without a partner cost time in proportion
to the depth, so depth and number of tags are bounded; both are checked between chunks of the page.
Pages on which the fast parser fails are read from BeautifulSoup's tree, within bounds.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Final
from urllib.parse import unquote

from lxml import etree

from weps.html.structured import Item, ItemReader, has_items, json_items, stated_facts
from weps.html.text import (
    ENCODED_TWICE,
    decode_page,
    find_emails,
    fold_text,
    is_folded,
    outgoing_links,
    repair_encoding,
    unpack_body,
    web_address,
)
from weps.records import Document, Page, field_values

# Control characters mark the structure in the running text; none of them survives cleaning, and
# those of the page itself are removed before. They are none that str.split takes for white space.
BREAK: Final = "\x01"
PRE_OPEN: Final = "\x02"
PRE_CLOSE: Final = "\x03"
MAIL_OPEN: Final = "\x04"
MAIL_CLOSE: Final = "\x05"
DROPPED: Final = "\x06"
"""Stands where a page had such a character; it is invisible, and dropped with others in the end."""
_MARK_OF_STRUCTURE = re.compile(f"[{BREAK}{PRE_OPEN}{PRE_CLOSE}{MAIL_OPEN}{MAIL_CLOSE}]")

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
    "iframe noembed noframes noscript rp rt rtc script style template title".split()
)
"""Elements whose content is invisible, or the reading of a word, which would stand within it."""

_MARKS: Final = dict.fromkeys(BREAKING, BREAK) | {"sup": " "}
OPENING: Final = _MARKS | dict.fromkeys(PREFORMATTED, PRE_OPEN)
CLOSING: Final = _MARKS | dict.fromkeys(PREFORMATTED, PRE_CLOSE)

LINKING: Final = {"a": "href", "area": "href", "frame": "src"}
"""Elements that lead to another page, and the attribute that says where."""

PICTURES: Final = frozenset(("area", "img", "input"))
INFORMATIVE: Final = PICTURES.union(LINKING, ("base", "link", "meta", "time"))
"""Elements whose attributes are read."""


_HIDING = r"(?<![\w-])(?:display\s*:\s*none|visibility\s*:\s*hidden)"
_HIDING_STYLE = re.compile(_HIDING, re.IGNORECASE)
_HIDING_MARKUP = re.compile(rf"{_HIDING}|(?<=\s)hidden(?=[^<>]{{0,500}}>)", re.IGNORECASE)
MAX_COVER: Final = 500
"""Characters that may stand before a page that is hidden until a script shows it."""
_SHADOW_ROOTS: Final = ("shadowrootmode", "shadowmode", "shadowroot")
"""Attributes of a template that is shown: the standard's, and what browsers wrote before."""
MAX_FRAMES: Final = 100
"""Frames of a page that are read from ``srcdoc``; a tenth of them within each."""
_PROTECTED_MAIL = re.compile(r"/cdn-cgi/l/email-protection(?:#([0-9a-f]*))?", re.IGNORECASE)
"""Where Cloudflare leads instead of to an address, which a script decodes."""


@dataclass(slots=True)
class Outline:
    """The content of a page, before white space is folded and links are resolved."""

    text: str = ""
    """Visible text with structure marks."""
    title: str = ""
    description: str = ""
    canonical: str = ""
    base: str = ""
    dated: str = ""
    """When the page was published, as it writes that."""
    hrefs: list[str] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    """Structured data in tags; not of frames."""
    note: str = ""


MAX_TITLE: Final = 1_000
"""Characters of a title."""
MAX_DEPTH: Final = 300
"""Open elements; the deepest of 2,500 real pages has 218."""
MAX_PARTS: Final = 400_000
"""Tags and runs of text; the largest of 2,500 real pages has 190,000."""

_CHUNK: Final = 32_768  # most pages are one chunk

# Elements of raw text cannot nest; everything else is flattened in pages nested too deeply.
_NESTING_TAG = re.compile(
    r"</?(?!(?:script|style|title)[\s>])([a-z][^\s<>/]*+)[^<>]*+>", re.IGNORECASE
)


def _read_stream(markup: str, frames: int = MAX_FRAMES) -> Outline | None:
    """Read mark-up in one pass; None if it is nested too deeply."""
    markup = markup or " "  # lxml raises an error at the end of an empty page
    target = (_ItemTarget if has_items(markup) else _OutlineTarget)(frames)
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
    """Read mark-up by way of BeautifulSoup, some ten times slower than :func:`_read_stream`.

    Over lxml time grows with the number of tags (4 s for 100,000) and the square of the depth; over
    Python's ``html.parser`` with the square of the number of tags that are not closed.
    """
    from bs4 import BeautifulSoup, XMLParsedAsHTMLWarning  # noqa: PLC0415 - few pages need it
    from bs4.element import PageElement, PreformattedString, Tag  # noqa: PLC0415

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        soup = BeautifulSoup(markup, builder, multi_valued_attributes=None)
    target = (_ItemTarget if has_items(markup) else _OutlineTarget)()
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

    __slots__ = ("_frames", "_seen_parts", "_unseen_depth", "data", "depth", "outline", "parts")

    def __init__(self, frames: int = MAX_FRAMES) -> None:
        self._frames = frames  # that may be read
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
        unseen = tag in INVISIBLE
        if attributes:
            if tag == "template":
                unseen = attributes.keys().isdisjoint(_SHADOW_ROOTS)
            if ("hidden" in attributes or "style" in attributes) and _is_hidden(tag, attributes):
                unseen = True
            elif "data-cfemail" in attributes:
                mail = _protected_mail(attributes["data-cfemail"])
                self.data(mail)
                unseen = bool(mail)  # instead of "[email protected]"
            elif "srcdoc" in attributes:
                self._read_frame(attributes["srcdoc"])
            elif tag in INFORMATIVE:
                self._read_attributes(tag, attributes)
        if unseen:
            self._unseen_depth = self.depth
            self._seen_parts = len(self.parts)

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
            if protected := _PROTECTED_MAIL.search(href):
                href = f"mailto:{_protected_mail(protected[1] or '')}"
            if href[:7].lower() == "mailto:":  # its addresses are found, but not shown
                addresses = _MARK_OF_STRUCTURE.sub(DROPPED, unquote(href[7:].partition("?")[0]))
                self.data(f"{MAIL_OPEN}{addresses}{MAIL_CLOSE}")
            elif href:
                outline.hrefs.append(href)
        if tag in PICTURES:  # the alternative text is a block of its own unless it is decoration
            text = attributes.get("alt")
            self.data(f"{BREAK}{text}{BREAK}" if text and re.search(r"[^\W_]", text) else "")
        elif tag in {"meta", "time"}:
            self._read_property(attributes)
        elif tag == "base":
            outline.base = outline.base or attributes.get("href", "")
        elif tag == "link" and "canonical" in attributes.get("rel", "").lower().split():
            outline.canonical = outline.canonical or attributes.get("href", "")

    def _read_property(self, attributes: Mapping[str, str]) -> None:
        outline = self.outline
        name = (attributes.get("name") or attributes.get("property", "")).lower()
        if name in {"description", "og:description"}:
            outline.description = outline.description or attributes.get("content", "")
        elif "pubdate" in attributes or not _DATES.isdisjoint(
            (name, attributes.get("itemprop", "").lower())
        ):
            date = attributes.get("datetime") or attributes.get("content", "")
            outline.dated = outline.dated or date

    def _read_frame(self, markup: str) -> None:
        """Add the content of a frame, which has a tenth of the frames that this page may have."""
        if self._frames:
            self._frames -= 1
            frame = _read_stream(_repair_markup(markup), self._frames // 10) or Outline(
                note="a frame is nested too deeply: not read"
            )
            self.data(f"{BREAK}{frame.text}{BREAK}")
            self.outline.hrefs += frame.hrefs
            self.outline.note = self.outline.note or frame.note


_CELLS: Final = frozenset(("td", "th"))


class _ItemTarget(_OutlineTarget):
    """Also reads structured data, of the few pages that have any in their tags."""

    __slots__ = ("_reader",)

    def __init__(self, frames: int = MAX_FRAMES) -> None:
        super().__init__(frames)
        self._reader = ItemReader()
        self.outline.items = self._reader.items

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        super().start(tag, attributes)
        if attributes or tag in _CELLS:
            self._reader.start(tag, attributes, self.depth, len(self.parts))

    def end(self, tag: str) -> None:
        self._reader.end(self.depth, self.parts)
        super().end(tag)


def _is_hidden(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether an element is hidden by attribute or style; a page as a whole is until a script ran.

    The browser's search finds what is hidden ``until-found``, and shows it.
    """
    return tag not in {"html", "body"} and (
        attributes.get("hidden", "until-found").lower() != "until-found"
        or _HIDING_STYLE.search(attributes.get("style", "")) is not None
    )


def _protected_mail(code: str) -> str:
    """The address in Cloudflare's digits, of which the first two are the key; empty if none is."""
    with suppress(ValueError):
        key, *letters = bytes.fromhex(code)
        address = bytes(letter ^ key for letter in letters).decode().partition("?")[0]
        return _MARK_OF_STRUCTURE.sub(DROPPED, address) if "@" in address else ""
    return ""


_ELEMENTS = frozenset(
    "a abbr acronym address article b base big blockquote body br button center code dd del "
    "div dl dt em fieldset figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header "
    "hr html i iframe img input ins label li link main map meta nav noframes noscript object ol "
    "option p pre s script section select small span strike strong style sub sup svg table tbody "
    "td template textarea tfoot th thead title tr tt u ul".split()
)
_TAG = re.compile(r"<(?:!(?:--|doctype\b)|/?([a-z][a-z0-9]{0,9})[\s/>])", re.IGNORECASE)
_NOSCRIPT = re.compile(r"</?noscript\b[^<>]*>", re.IGNORECASE)
_RAW = re.compile(r"<(?:!--|(script|style|noscript)\b)", re.IGNORECASE)
"""Start of a comment, or of an element whose content is mere text if scripts are run."""
_RAW_END = {
    name: re.compile(f"</{name}[^<>]*>" if name else "-->", re.IGNORECASE)
    for name in ("", "script", "style", "noscript")
}
_MARK_REFERENCE = re.compile(r"&#(?:0*+[1-5](?![0-9])|x0*+[1-5](?![0-9a-f]));?", re.IGNORECASE)
"""A reference to a character that the parser marks structure with."""
_SAVED_FROM = re.compile(r"<!-- saved from url=\(\d{1,6}\)(https?://[^\s<>]{1,2000})")
"""The comment that browsers write into the pages they save."""


MAX_TREE: Final = 100_000
"""Characters of a page nested too deeply of which a tree is made; the most hostile take 0.5 s."""


def _read_markup(markup: str) -> Outline:
    """Read mark-up by the fast parser; where that fails, by BeautifulSoup, and say so in a note.

    It fails on pages nested too deeply. Those too long for a tree lose their structure and links.

    Args:
        markup: see :func:`_repair_markup`.
    """
    if outline := _read_stream(markup):
        return outline
    if len(markup) <= MAX_TREE:
        found = read_soup(markup)
        found.note = "the mark-up is nested too deeply for the fast reader: read by BeautifulSoup"
    else:  # in one pass, without structure and links
        flat = _NESTING_TAG.sub(lambda tag: BREAK if tag[1].lower() in BREAKING else "", markup)
        found = _read_stream(flat) or Outline()
        found.note = "nested too deeply: read without its structure and links"
    return found


def clean_page(page: Page, read: Callable[[str], Outline] = _read_markup) -> Document:
    """The page's visible text, links and addresses; never raises, whatever the bytes.

    Time and memory grow linearly with the page, of which at most 2 MB are read. Lost content is
    reported in ``Document.note``. ``read`` is the parser of the mark-up.
    """
    text, notes, outline = page.text, [page.problem], None
    if text is None:
        content = page.read_content()
        data, charset, note = unpack_body(content or b"")
        text = decode_page(data, charset or page.charset)
        notes.append(note)
        if is_markup(text):
            outline = _read_page(_MARK_OF_STRUCTURE.sub(DROPPED, text), read)
            outline.items = [*outline.items, *json_items(text)]
            notes.append(outline.note)
        elif not (any(notes) or text.strip()):
            notes.append("no page was saved" if content is None else "the page is empty")
    outline = outline or Outline(_break_lines(_MARK_OF_STRUCTURE.sub(DROPPED, text)))
    found = (outline.text, outline.title, outline.description)
    outline.text, outline.title, outline.description = repaired = (*map(repair_encoding, found),)
    notes.append(ENCODED_TWICE if repaired != found else "")
    url, folded = page.url or outline.canonical, fold_marked(outline.text)
    title = fold_text(page.title)[:MAX_TITLE] or fold_text(outline.title)[:MAX_TITLE]
    return Document(
        rank=page.rank,
        url=url,
        title=title,
        snippet=fold_text(page.snippet) or fold_text(outline.description),
        blocks=blocks_of(folded),
        links=outgoing_links(outline.hrefs, url, outline.base),
        emails=find_emails(folded),
        stated=stated_facts(outline.items, title),
        dated=_declared_date(outline.dated, _DATE_IN_DATA.search(text), url),
        note="; ".join(filter(None, notes)),
    )


_DATES: Final = frozenset(
    "article.published article:published_time citation_date citation_publication_date datecreated "
    "date date.issued datepublished dc.date dc.date.created dc.date.issued dcterms.created "
    "dcterms.date dcterms.issued og:article:published_time originalpublicationdate "
    "parsely-pub-date pubdate publication_date publish-date publish_date publishdate "
    "sailthru.date".split()
)
"""Names of properties that say when a page was published."""
_DATE_IN_DATA = re.compile(r'"datePublished"\s{0,9}:\s{0,9}"([^"]{4,40})"')
_ISO_DATE = re.compile(
    r"\s*((?:19[89]|20\d)\d)(?:[-/.]?(0[1-9]|1[0-2])(?:[-/.]?(0[1-9]|[12]\d|3[01]))?)?(?!\d)"
)
_DATE_IN_ADDRESS = re.compile(r"/((?:199|20\d)\d/(?:0[1-9]|1[0-2])(?:/(?:0[1-9]|[12]\d|3[01]))?)/")


def _declared_date(declared: str, in_data: re.Match[str] | None, url: str) -> str:
    """The date of :attr:`weps.records.Document.dated`, from the first of these that has one."""
    address = _DATE_IN_ADDRESS.search(url[:MAX_TITLE])
    for text in (declared, in_data[1] if in_data else "", address[1] if address else ""):
        if found := _ISO_DATE.match(text):
            return "-".join(filter(None, found.groups()))
    return ""


def clean_packed(packed: bytes) -> bytes:
    """The cleaned page as JSON, for work in another process.

    Args:
        packed: a line of JSON, which has the other fields of the page, and its content, which does
            not count if there is a text.
    """
    line, _, content = packed.partition(b"\n")
    page = Page(**json.loads(line) | {"content": content})
    return json.dumps(field_values(clean_page(page)), separators=(",", ":")).encode()


def _read_page(text: str, read: Callable[[str], Outline]) -> Outline:
    """The outline of a page of mark-up, whose canonical address may be where it was saved from."""
    markup = _repair_markup(text)
    scripted = _without_noscript(markup) if _NOSCRIPT.search(markup) else markup
    outline = read(scripted)
    visible = _visible_length(outline)
    if visible < MAX_COVER and _HIDING_MARKUP.search(scripted):
        shown = read(_HIDING_MARKUP.sub(" ", scripted))  # as a script shows it
        outline = shown if _visible_length(shown) > 10 * visible else outline
    if not _visible_length(outline) and _NOSCRIPT.search(markup):
        outline = read(_NOSCRIPT.sub(" ", markup))  # as browsers without scripts show it
    saved = _SAVED_FROM.search(text, 0, 10_000)
    outline.canonical = web_address(outline.canonical) or (saved[1] if saved else "")
    return outline


def _visible_length(outline: Outline) -> int:
    return sum(map(len, outline.text.replace(BREAK, " ").split()))


def _without_noscript(markup: str) -> str:
    """Drop ``noscript``, whose end parsers miss if a tag in it is not closed; in linear time."""
    kept, done, at = [], 0, 0
    while begin := _RAW.search(markup, at):
        name = (begin[1] or "").lower()
        if not (end := _RAW_END[name].search(markup, begin.start() + 2)):
            break
        at = end.end()
        if name == "noscript":
            kept.append(markup[done : begin.start()])
            done = at
    return "".join([*kept, markup[done:]])


def is_markup(text: str) -> bool:
    """Whether the text holds at least one tag of HTML; ``<john@host.org>`` is none."""
    return any(
        tag[1] is None or tag[1].lower() in _ELEMENTS for tag in _TAG.finditer(text, 0, 200_000)
    )


def _repair_markup(markup: str) -> str:
    """Undo unclosed comments, show content for frameless browsers, separate menu entries.

    References to characters that mark structure are dropped, too.
    """
    if "&#" in markup:
        markup = _MARK_REFERENCE.sub(DROPPED, markup)
    end = max(markup.rfind("-->"), 0)
    if "<!--" in markup[end:]:
        markup = markup[:end] + markup[end:].replace("<!--", "")
    lower = markup.lower()
    if "<noframes" in lower:  # the only content of framesets
        markup = re.sub(r"</?noframes\b[^<>]*>", " ", markup, flags=re.IGNORECASE)
    if "</a><a" in lower:  # menus separate entries by style alone; HomeContact is not a word
        markup = re.sub(r"</a><a(?=\s)", "</a> <a", markup, flags=re.IGNORECASE)
    return markup


MIN_WRAP_WIDTH: Final = 50
"""Shortest line of wrapped prose, in characters."""

_MAIL = re.compile(f"{MAIL_OPEN}[^{MAIL_OPEN}{MAIL_CLOSE}]*+{MAIL_CLOSE}")
_PREFORMATTED = re.compile(f"{PRE_OPEN}([^{PRE_OPEN}{PRE_CLOSE}]*+){PRE_CLOSE}")
_COLUMN_GAP = re.compile(r"\S(?:\t| {3})\s*\S")


def fold_marked(text: str) -> str:
    """A text with the marks of its structure, folded; breaks and mail stay marked."""
    return " ".join(
        _PREFORMATTED.sub(lambda found: BREAK + _break_lines(found[1]) + BREAK, text).split()
    )


def blocks_of(folded: str) -> tuple[str, ...]:
    """The blocks of a folded text, which breaks divide; marked mail addresses are not shown."""
    blocks = list(map(str.strip, _MAIL.sub("", folded).split(BREAK)))
    if not is_folded("".join(blocks)):
        blocks = list(map(fold_text, blocks))
    return tuple(filter(None, blocks))


def _break_lines(text: str) -> str:
    """Mark the line ends that divide, leave those that only wrap a paragraph."""
    groups = groupby(map(str.rstrip, text.splitlines()), key=bool)
    blocks = []
    for lines in [list(paragraph) for has_text, paragraph in groups if has_text]:
        width = max(map(len, lines))
        pieces = lines[:1]
        for line, following in pairwise(lines):
            # Prose is wrapped where the next word does not fit.
            overlong = len(line) + 1 + len(following.split(maxsplit=1)[0]) > width
            wrapped = width >= MIN_WRAP_WIDTH and overlong and not _COLUMN_GAP.search(line)
            pieces += [" " if wrapped else BREAK, following]
        blocks.append("".join(pieces))
    return BREAK.join(blocks)
