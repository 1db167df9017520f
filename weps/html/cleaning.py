"""The two ways from a page to a document; they differ in who reads the mark-up, nothing else."""

from __future__ import annotations

from string import whitespace
from typing import TYPE_CHECKING

from weps.html.blocks import blocks_of, fold, fold_marked, fold_plain
from weps.html.decode import decode
from weps.html.emails import find_emails
from weps.html.links import outgoing_links, web_address
from weps.html.mend import has_noscript, is_markup, mend, saved_from, show_noscript
from weps.html.outline import BREAK
from weps.html.stream import read_stream
from weps.html.unpack import unpack
from weps.records import Document, Page

if TYPE_CHECKING:
    from collections.abc import Callable

    from weps.html.outline import Outline

__all__ = ["clean", "clean_reference"]


def clean(page: Page) -> Document:
    """The page's visible text, links and addresses; never raises, whatever the bytes.

    Time and memory grow linearly with the page, of which 2 MB at most are read. What was lost,
    if anything, is said in ``Document.note``.
    """
    return _clean(page, read_stream)


def clean_reference(page: Page) -> Document:
    """The same as :func:`clean` by way of BeautifulSoup: some twenty times slower, for comparison.

    It keeps the same rules in code of its own, so that each path checks the other.
    """
    from weps.html.soup import read_soup  # noqa: PLC0415 - BeautifulSoup is slow to import

    return _clean(page, read_soup)


def _clean(page: Page, read: Callable[[str], Outline]) -> Document:
    if page.text is not None:
        return _plain_document(page, page.text, note=page.problem)
    if page.content is None:
        return _plain_document(page, "", note=page.problem or "no page was saved")
    body = unpack(page.content)
    text = decode(body.data, body.charset)
    note = "; ".join(filter(None, (page.problem, body.note)))
    if is_markup(text):
        return _markup_document(page, _outline(mend(text), read), saved_from(text), note)
    return _plain_document(page, text, note=note or ("" if text.strip() else "the page is empty"))


def _outline(markup: str, read: Callable[[str], Outline]) -> Outline:
    outline = read(markup)
    is_blank = not outline.text.strip(BREAK + whitespace)
    return read(show_noscript(markup)) if is_blank and has_noscript(markup) else outline


def _plain_document(page: Page, text: str, *, note: str) -> Document:
    folded = fold_plain(text)
    return Document(
        rank=page.rank,
        url=page.url,
        title=fold(page.title),
        snippet=fold(page.snippet),
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
        title=fold(page.title) or fold(outline.title),
        snippet=fold(page.snippet) or fold(outline.description),
        blocks=blocks_of(folded),
        links=outgoing_links(outline.hrefs, url, outline.base),
        emails=find_emails(folded),
        note="; ".join(filter(None, (note, outline.note))),
    )
