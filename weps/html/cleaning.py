"""Documents made of pages: mark-up repaired and parsed, white space folded, blocks divided."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from functools import partial
from itertools import pairwise
from string import whitespace
from typing import TYPE_CHECKING, Final

from weps.html.decoding import decode_page, fold_text, unpack_body
from weps.html.links import find_emails, outgoing_links, web_address
from weps.html.parsing import (
    BREAK,
    DROPPED,
    MAIL_CLOSE,
    MAIL_OPEN,
    PRE_CLOSE,
    PRE_OPEN,
    read_flat,
    read_soup,
    read_stream,
    without_marks,
)
from weps.records import Document, Page

if TYPE_CHECKING:
    from collections.abc import Callable

    from weps.html.parsing import Outline

_MAX_TAG_SEARCH: Final = 200_000
_ELEMENTS = frozenset(
    "a abbr acronym address article b base big blockquote body br button center code dd del "
    "div dl dt em fieldset figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header "
    "hr html i iframe img input ins label li link main map meta nav noframes noscript object ol "
    "option p pre s script section select small span strike strong style sub sup svg table tbody "
    "td template textarea tfoot th thead title tr tt u ul".split()
)
_TAG = re.compile(r"<(?:!(?:--|doctype\b)|/?([a-z][a-z0-9]{0,9})[\s/>])", re.IGNORECASE)
_NOFRAMES = re.compile(r"</?noframes\b[^<>]*>", re.IGNORECASE)
_NOSCRIPT = re.compile(r"</?noscript\b[^<>]*>", re.IGNORECASE)
_RAW = re.compile(r"<(?:!--|(script|style|noscript)\b)", re.IGNORECASE)
"""Start of a comment, or of an element whose content is mere text if scripts are run."""
_RAW_END = {
    name: re.compile(f"</{name}[^<>]*>" if name else "-->", re.IGNORECASE)
    for name in ("", "script", "style", "noscript")
}
_MARK_REFERENCE = re.compile(r"&#(?:0*+[1-5](?![0-9])|x0*+[1-5](?![0-9a-f]));?", re.IGNORECASE)
"""A reference to a character that :mod:`weps.html.parsing` marks structure with."""
_LINKS_TOUCHING = re.compile(r"</a><a(?=\s)", re.IGNORECASE)
_SAVED_FROM = re.compile(r"<!-- saved from url=\(\d{1,6}\)(https?://[^\s<>]{1,2000})")
"""The comment that browsers write into the pages they save."""


MAX_TREE: Final = 100_000
"""Characters of a page nested too deeply of which a tree is made; the most hostile take 0.5 s."""


def read_markup(markup: str, *, by_tree: bool = False) -> Outline:
    """Read mark-up by the fast parser; where that fails, by BeautifulSoup, and say so in a note.

    It fails on pages nested too deeply. Those too long for a tree lose their structure and links.

    Args:
        markup: see :func:`repair_markup`.
        by_tree: read every page by BeautifulSoup that has no more tags than the fast parser reads.
    """
    outline = read_stream(markup)  # also says how deep and how many tags: a tree needs bounds
    if outline and (outline.note or not by_tree):
        return outline
    if outline is None and len(markup) > MAX_TREE:
        return read_flat(markup)
    found = read_soup(markup)
    if outline is None:
        found.note = "the mark-up is nested too deeply for the fast reader: read by BeautifulSoup"
    return found


def clean_page(page: Page, read: Callable[[str], Outline] = read_markup) -> Document:
    """The page's visible text, links and addresses; never raises, whatever the bytes.

    Time and memory grow linearly with the page, of which at most 2 MB are read. Lost content is
    reported in ``Document.note``. ``read`` is the parser of the mark-up.
    """
    if page.text is not None:
        return _plain_document(page, without_marks(page.text), page.problem)
    content = page.read_content()
    if content is None:
        return _plain_document(page, "", page.problem or "no page was saved")
    body = unpack_body(content)
    text = without_marks(decode_page(body.data, body.charset or page.charset))
    note = "; ".join(filter(None, (page.problem, body.note)))
    if is_markup(text):
        return _markup_document(page, text, read, note)
    return _plain_document(page, text, note or ("" if text.strip() else "the page is empty"))


def clean_packed(packed: bytes) -> bytes:
    """The cleaned page as JSON, for work in another process.

    Args:
        packed: a line of JSON, and the content of the page behind it. The line has the other fields
            of the page, whether there is any content, and whether to read by BeautifulSoup.
    """
    line, _, content = packed.partition(b"\n")
    fields, has_content, by_tree = json.loads(line)
    page = Page(**fields, content=content if has_content else None)
    document = clean_page(page, partial(read_markup, by_tree=by_tree))
    return json.dumps(asdict(document), separators=(",", ":")).encode()


def _plain_document(page: Page, text: str, note: str) -> Document:
    folded = " ".join(_break_lines(text).split())
    return Document(
        rank=page.rank,
        url=page.url,
        title=fold_text(page.title),
        snippet=fold_text(page.snippet),
        blocks=blocks_of(folded),
        emails=find_emails(folded),
        note=note,
    )


def _markup_document(page: Page, text: str, read: Callable[[str], Outline], note: str) -> Document:
    markup = repair_markup(text)
    outline = read(_without_noscript(markup) if _NOSCRIPT.search(markup) else markup)
    if not outline.text.strip(BREAK + whitespace) and _NOSCRIPT.search(markup):
        outline = read(_NOSCRIPT.sub(" ", markup))  # as browsers without scripts show it
    saved = _SAVED_FROM.search(text, 0, 10_000)
    url = page.url or web_address(outline.canonical) or (saved[1] if saved else "")
    folded = fold_marked(outline.text)
    return Document(
        rank=page.rank,
        url=url,
        title=fold_text(page.title) or fold_text(outline.title),
        snippet=fold_text(page.snippet) or fold_text(outline.description),
        blocks=blocks_of(folded),
        links=outgoing_links(outline.hrefs, url, outline.base),
        emails=find_emails(folded),
        note="; ".join(filter(None, (note, outline.note))),
    )


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
    tags = _TAG.finditer(text, 0, _MAX_TAG_SEARCH)
    return any(tag[1] is None or tag[1].lower() in _ELEMENTS for tag in tags)


def repair_markup(markup: str) -> str:
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
        markup = _NOFRAMES.sub(" ", markup)
    if "</a><a" in lower:  # menus separate entries by style alone; HomeContact is not a word
        markup = _LINKS_TOUCHING.sub("</a> <a", markup)
    return markup


MIN_WRAP_WIDTH: Final = 50
"""Shortest line of wrapped prose, in characters."""

_MAIL = re.compile(f"{MAIL_OPEN}[^{MAIL_OPEN}{MAIL_CLOSE}]*+{MAIL_CLOSE}")
_PREFORMATTED = re.compile(f"{PRE_OPEN}([^{PRE_OPEN}{PRE_CLOSE}]*+){PRE_CLOSE}")
_COLUMN_GAP = re.compile(r"\S(?:\t| {3})\s*\S")


def fold_marked(text: str) -> str:
    """A text with the marks of :mod:`weps.html.parsing`, folded; breaks and mail stay marked."""
    broken = _PREFORMATTED.sub(lambda found: BREAK + _break_lines(found[1]) + BREAK, text)
    return " ".join(broken.split())


def blocks_of(folded: str) -> tuple[str, ...]:
    """The blocks of a folded text, which breaks divide; marked mail addresses are not shown."""
    if MAIL_OPEN in folded:
        folded = _MAIL.sub("", folded)
    blocks = [piece for piece in map(str.strip, folded.split(BREAK)) if piece]
    if not "".join(blocks).isprintable():
        blocks = [piece for piece in map(fold_text, blocks) if piece]
    return tuple(blocks)


def _break_lines(text: str) -> str:
    """Mark the line ends that divide, leave those that only wrap a paragraph."""
    paragraph: list[str] = []
    marked: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.strip():
            paragraph.append(line.rstrip())
        else:
            marked.append(_break_paragraph(paragraph))
            paragraph = []
    return BREAK.join(marked)


def _break_paragraph(lines: list[str]) -> str:
    width = max(map(len, lines), default=0)
    if width < MIN_WRAP_WIDTH:
        return BREAK.join(lines)
    pieces = lines[:1]
    for line, following in pairwise(lines):
        # Prose is wrapped where the next word does not fit.
        wrapped = len(line) + 1 + len(following.split(maxsplit=1)[0]) > width
        pieces += [" " if wrapped and not _COLUMN_GAP.search(line) else BREAK, following]
    return "".join(pieces)
