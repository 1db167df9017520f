"""From a page to a document, by either parser, after repairing mark-up that hides part of it."""

from __future__ import annotations

import re
from string import whitespace
from typing import TYPE_CHECKING, Final

from weps.html.decoding import decode_page, unpack_body
from weps.html.links import find_emails, outgoing_links, web_address
from weps.html.parsing import BREAK, read_stream
from weps.html.text import blocks_of, fold_marked, fold_plain, fold_text
from weps.records import Document, Page

if TYPE_CHECKING:
    from collections.abc import Callable

    from weps.html.parsing import Outline

__all__ = [
    "clean",
    "clean_reference",
    "has_noscript",
    "is_markup",
    "repair_markup",
    "saved_from",
    "show_noscript",
]

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
_LINKS_TOUCHING = re.compile(r"</a><a(?=\s)", re.IGNORECASE)
_SAVED_FROM = re.compile(r"<!-- saved from url=\(\d{1,6}\)(https?://[^\s<>]{1,2000})")


def is_markup(text: str) -> bool:
    """Whether the text holds at least one tag of HTML; ``<john@host.org>`` is none."""
    tags = _TAG.finditer(text, 0, _MAX_TAG_SEARCH)
    return any(tag[1] is None or tag[1].lower() in _ELEMENTS for tag in tags)


def repair_markup(markup: str) -> str:
    """Undo unclosed comments, show content for frameless browsers, separate menu entries."""
    markup = _close_comments(markup)
    lower = markup.lower()
    if "<noframes" in lower:  # the only content of framesets
        markup = _NOFRAMES.sub(" ", markup)
    if "</a><a" in lower:  # menus separate entries by style alone; HomeContact is not a word
        markup = _LINKS_TOUCHING.sub("</a> <a", markup)
    return markup


def has_noscript(markup: str) -> bool:
    """Whether part of the page is only for browsers without scripts."""
    return _NOSCRIPT.search(markup) is not None


def show_noscript(markup: str) -> str:
    """The page as a browser without scripts shows it."""
    return _NOSCRIPT.sub(" ", markup)


def saved_from(markup: str) -> str:
    """The address in the comment that browsers write into the pages they save, if any."""
    found = _SAVED_FROM.search(markup, 0, 10_000)
    return found[1] if found else ""


def _close_comments(markup: str) -> str:
    end = max(markup.rfind("-->"), 0)
    if "<!--" not in markup[end:]:
        return markup
    return markup[:end] + markup[end:].replace("<!--", "")


def clean(page: Page) -> Document:
    """The page's visible text, links and addresses; never raises, whatever the bytes.

    Time and memory grow linearly with the page, of which at most 2 MB are read. Lost content is
    reported in ``Document.note``.
    """
    return _clean_by(page, read_stream)


def clean_reference(page: Page) -> Document:
    """The same as :func:`clean` by way of BeautifulSoup: some twenty times slower, for comparison.

    It implements the same rules independently, so that each path checks the other.
    """
    from weps.html.beautifulsoup import read_soup  # noqa: PLC0415 - BeautifulSoup is slow to import

    return _clean_by(page, read_soup)


def _clean_by(page: Page, read: Callable[[str], Outline]) -> Document:
    if page.text is not None:
        return _plain_document(page, page.text, note=page.problem)
    if page.content is None:
        return _plain_document(page, "", note=page.problem or "no page was saved")
    body = unpack_body(page.content)
    text = decode_page(body.data, body.charset)
    note = "; ".join(filter(None, (page.problem, body.note)))
    if is_markup(text):
        return _markup_document(
            page, _read_outline(repair_markup(text), read), saved_from(text), note
        )
    return _plain_document(page, text, note=note or ("" if text.strip() else "the page is empty"))


def _read_outline(markup: str, read: Callable[[str], Outline]) -> Outline:
    outline = read(markup)
    is_blank = not outline.text.strip(BREAK + whitespace)
    return read(show_noscript(markup)) if is_blank and has_noscript(markup) else outline


def _plain_document(page: Page, text: str, *, note: str) -> Document:
    folded = fold_plain(text)
    return Document(
        rank=page.rank,
        url=page.url,
        title=fold_text(page.title),
        snippet=fold_text(page.snippet),
        blocks=blocks_of(folded),
        emails=find_emails(folded),
        note=note,
    )


def _markup_document(page: Page, outline: Outline, saved: str, note: str) -> Document:
    folded = fold_marked(outline.text)
    url = page.url or web_address(outline.canonical) or saved
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
