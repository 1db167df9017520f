"""What a name's pages offer: whole pages, word lists, or search results only.

WePS-2 pages may be at hand only as ``tokens`` (lower-case content words, see
``docs/formats.md``) or not at all. A model learnt from whole pages would read such poor pages as
proof of difference, so a model file holds one model per form, each learnt from the same training
pages *reduced* to that form.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum

from weps._text import PersonName, words
from weps.features.words import content_form, not_content
from weps.language.analysis import Layer
from weps.records import Document, Search
from weps.similarity import Similarity

__all__ = ["Form", "Origin", "common", "form_of", "offered", "origin_of", "reduce"]


class Form(StrEnum):
    """How much of its pages a search holds, richest first."""

    PAGES = "pages"
    """Pages as published."""
    TOKENS = "tokens"
    """Content words in order, without case, punctuation, links and the name itself."""
    RESULTS = "results"
    """Title, snippet and URL only."""


class Origin(StrEnum):
    """How a search came to its pages, which decides how much a similarity proves."""

    SEARCH = "search"
    """Results of a search engine, or pages that somebody saved from them."""
    LISTED = "listed"
    """A list of addresses without an engine's titles or snippets, as for the census names of
    WePS-1: rarer names, and seldom as many people to one."""


_OFFERS = {
    Form.PAGES: frozenset({"text", "case", "mentions", "markup", *Layer}),
    Form.TOKENS: frozenset({"text"}),
    Form.RESULTS: frozenset[str](),
}


def form_of(search: Search) -> Form:
    """The richest form that any page of the search has."""
    if any(page.content is not None for page in search.pages):
        return Form.PAGES
    if any(page.text is not None for page in search.pages):
        return Form.TOKENS
    return Form.RESULTS


def origin_of(search: Search) -> Origin:
    """Where the pages come from, as far as titles, snippets and addresses tell."""
    described = any(page.title or page.snippet for page in search.pages)
    addressed = any(page.url for page in search.pages)
    return Origin.LISTED if addressed and not described else Origin.SEARCH


def offered(similarities: Iterable[Similarity], form: Form) -> tuple[Similarity, ...]:
    """The similarities that exist for pages of the form."""
    return tuple(each for each in similarities if each.feature.needs <= _OFFERS[form])


def common(similarities: Iterable[Similarity], forms: Iterable[Form]) -> tuple[Similarity, ...]:
    """The similarities that exist for pages of every one of the forms."""
    shared = frozenset.intersection(*(_OFFERS[form] for form in forms))
    return tuple(each for each in similarities if each.feature.needs <= shared)


def reduce(document: Document, name: str, form: Form) -> Document:
    """The document as it would be if only that form of it were at hand.

    For :attr:`Form.TOKENS` this follows the making of the WePS-2 ``tokens`` files: letters only,
    stop words, short words and the name dropped, title, snippet and URL appended. They hold
    WordNet lemmas besides; here plurals alone are undone.
    """
    if form is Form.PAGES:
        return document
    poor = replace(document, blocks=(), links=(), emails=())
    if form is Form.RESULTS:
        return poor
    dropped = not_content(PersonName.parse(name))
    text = [*document.blocks, document.title, document.snippet, document.url]
    found = (content_form(word, dropped) for part in text for word in words(part))
    kept = list(filter(None, found))
    return replace(poor, blocks=(" ".join(kept),) if kept else ())
