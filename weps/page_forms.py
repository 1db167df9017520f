"""Page representations: whole pages, word lists, or search results only.

WePS-2 pages may be available only as ``tokens`` (lower-case content words, see
``docs/formats.md``) or not at all. A model trained on whole pages would take such reduced pages for
evidence of difference, so a model file has one model per representation, each fitted to the same
training pages *reduced* to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum

from weps._text import PersonName, split_words
from weps.features.bags import dropped_words
from weps.features.words import content_form
from weps.language.analysis import Layer
from weps.records import Document, Search
from weps.similarity.columns import Similarity


class PageForm(StrEnum):
    """The representation of the pages of a search, richest first."""

    PAGES = "pages"
    """Pages as published."""
    TOKENS = "tokens"
    """Content words in order, without case, punctuation, links and the name itself."""
    RESULTS = "results"
    """Title, snippet and URL only."""


class Origin(StrEnum):
    """How the pages of a search were found, on which the stopping threshold depends."""

    SEARCH = "search"
    """Results of a search engine, or pages that somebody saved from them."""
    LISTED = "listed"
    """A list of addresses without an engine's titles or snippets, as for the census names of
    WePS-1: rarer names, and seldom as many people to one."""


_AVAILABLE = {
    PageForm.PAGES: frozenset({"text", "case", "mentions", "markup", "embeddings", *Layer}),
    PageForm.TOKENS: frozenset({"text", "embeddings"}),
    PageForm.RESULTS: frozenset({"embeddings"}),
}


def richest_form(search: Search) -> PageForm:
    """The richest form that any page of the search has."""
    if any(page.content is not None for page in search.pages):
        return PageForm.PAGES
    listed = any(page.text is not None for page in search.pages)
    return PageForm.TOKENS if listed else PageForm.RESULTS


def page_origin(search: Search) -> Origin:
    """The origin of the pages, inferred from titles, snippets and addresses."""
    if any(page.title or page.snippet for page in search.pages):
        return Origin.SEARCH
    return Origin.LISTED if any(page.url for page in search.pages) else Origin.SEARCH


def available_similarities(
    similarities: Iterable[Similarity], *forms: PageForm
) -> tuple[Similarity, ...]:
    """The similarities that exist for pages of every one of the forms."""
    shared = frozenset.intersection(*(_AVAILABLE[form] for form in forms))
    return tuple(each for each in similarities if each.feature.needs <= shared)


def reduce_document(document: Document, name: str, form: PageForm) -> Document:
    """The document reduced to that form.

    For :attr:`PageForm.TOKENS` this follows the making of the WePS-2 ``tokens`` files: letters
    only, stop words, short words and the name dropped, title, snippet and URL appended. They hold
    WordNet lemmas besides; here plurals alone are undone.
    """
    if form is PageForm.PAGES:
        return document
    poor = replace(document, blocks=(), links=(), emails=())
    if form is PageForm.RESULTS:
        return poor
    dropped = dropped_words(PersonName.parse(name))
    text = [*document.blocks, document.title, document.snippet, document.url]
    found = (content_form(word, dropped) for part in text for word in split_words(part))
    joined = " ".join(filter(None, found))
    return replace(poor, blocks=(joined,) if joined else ())
