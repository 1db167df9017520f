"""Reading the pages of a name: cleaned, divided into sentences, with the requested layers.

Pages are whole, word lists, or search results only: WePS-2 pages may be available only as
``tokens`` (lower-case content words, see ``docs/formats.md``) or not at all. A model trained on
whole pages would take such reduced pages for evidence of difference, so a model file has one model
per form, each fitted to the same training pages *reduced* to it.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cache, partial
from importlib.metadata import version
from itertools import chain
from typing import TypeVar

from weps._cache import Cache, content_digest, source_digest
from weps._files import resource_text
from weps._formatting import error_reason
from weps._isolation import CLEANING, OVER_LIMIT, IsolatedWork
from weps._parallel import Progress, log_progress, require_jobs
from weps._text import split_words
from weps.features.bags import dropped_words
from weps.features.words import content_form
from weps.language.analysis import (
    UNDETERMINED,
    Analysis,
    Layer,
    ScannedPages,
    analyse_documents,
    detect_language,
    page_text,
)
from weps.language.sentence_encoder import INSTALLED_ENCODER, encode_texts
from weps.language.spacy_pipeline import BUILTIN_PIPELINE
from weps.name.person_name import PersonName
from weps.name.typed import check_name
from weps.records import Document, Page, Search, StatedFact, field_values
from weps.similarity.columns import Similarity

_DECIDING = ("weps.html", "weps._text", "weps.records", "weps.reading", "weps.language.analysis")
"""Modules that decide what a cleaned page is."""
_LIBRARIES = ("beautifulsoup4", "chardet", "ftfy", "lxml", "py3langid", "webencodings")
"""Libraries that do."""
UNREADABLE = f"the page {OVER_LIMIT}"
"""The note of a page that could not be read within the limits."""


_PAGES_AHEAD = 3
"""Pages that are handed to the process that cleans them before one is taken from it."""
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Reader:
    """How pages are read; pages that were read before are taken from the cache.

    Example:
        >>> answer = weps.cluster(["Ann Lee paints."], name="Ann Lee", reader=Reader(jobs=2))
        >>> len(answer.people)
        1
    """

    language: str = BUILTIN_PIPELINE
    """The pipeline that makes layers: the embedded one, or any that is installed."""
    cache: Cache | None = None
    jobs: int = 1
    """Processes for the language analysis of one name's pages, threads for their encoding."""
    second_language: str = ""
    """The pipeline that recognises entities a second time; empty for none."""
    embeddings: str = INSTALLED_ENCODER
    """The sentence encoder, see :func:`weps.language.sentence_encoder.encoder_identity`."""

    def __post_init__(self) -> None:
        require_jobs(self.jobs)

    def read(
        self,
        search: Search,
        form: PageForm,
        layers: Collection[Layer] = (),
        progress: Progress = log_progress,
        meanwhile: Callable[[], object] | None = None,
    ) -> Analysis:
        """Clean the pages of a search and analyse their language.

        Pages are cleaned in a separate process, unless all are cached. A page that exceeds its
        limits has no text and the note :data:`UNREADABLE`.

        Args:
            search: the name and its pages, in any order; the answer does not depend on it.
            form: a form no richer than the pages have; they are reduced to it.
            layers: of language processing to add.
            progress: called with the number of pages read.
            meanwhile: work to begin beside the cleaning of pages, in a thread; not begun if all
                are cached.

        Raises:
            LanguageError: if the pipeline is missing or lacks a layer.
        """
        pages = sorted(search.pages, key=lambda page: page.rank)
        documents, scanned = [], ScannedPages(PersonName.parse(search.name, search.also))
        progress("reading pages", 0, len(pages))
        with IsolatedWork(CLEANING, meanwhile) as clean:
            begun = (self._begin_reading(page, clean) for page in pages)
            # Pages are being cleaned while one before them is looked at.
            for number, finish in enumerate(_hold_back(begun, _PAGES_AHEAD), start=1):
                documents.append(finish())
                if clean.is_used and form is PageForm.PAGES:  # else comparisons may be kept
                    scanned.add(documents)
                progress("reading pages", number, len(pages))
        texts = (  # word lists lack the name
            page_text(document)
            for page, document in zip(pages, documents, strict=True)
            if page.text is None or document.title or document.snippet
        )
        name, caution = check_name(search.name, [*texts], search.also, of_folder=search.of_folder)
        documents = [reduce_document(each, name, form) for each in documents]
        plain = replace(
            analyse_documents(name, documents, also=search.also, scanned=scanned),
            caution=caution,
            encode=partial(encode_texts, encoder=self.embeddings, cache=self.cache, jobs=self.jobs),
        )
        if not layers:
            return plain
        progress("reading sentences", 0, 0)
        from weps.language.annotation import mark_layers  # noqa: PLC0415 - only layers need it

        analysis = mark_layers(plain, layers, self.language, self.cache, self.jobs)
        if not self.second_language or Layer.ENTITIES not in layers:
            return analysis
        second = mark_layers(plain, [Layer.ENTITIES], self.second_language, self.cache, self.jobs)
        return replace(analysis, second_entities=second.layer(Layer.ENTITIES))

    def _begin_reading(self, page: Page, clean: IsolatedWork) -> Callable[[], Document]:
        """What gives the cleaned page, whose text does not depend on its rank."""
        try:
            page = replace(page, content=page.read_content())
        except OSError as problem:
            note = f"{page.file}: cannot be read ({error_reason(problem)})"
            return partial(_without_text, page, note)
        if page.content is None and page.text is None:
            return partial(_without_text, page)
        key = document_key(page) if self.cache else ""
        kept = self.cache.get(key) if self.cache else None
        if kept is not None:
            return partial(_kept_document, kept, page.rank)
        line = json.dumps(field_values(page) | {"content": None})
        packed = b"\n".join((line.encode(), page.read_content() or b""))
        return partial(self._finish_reading, page, key, packed, clean.begin(packed))

    def _finish_reading(
        self, page: Page, key: str, packed: bytes, wait: Callable[[], bytes | None]
    ) -> Document:
        """The document of a page that is being cleaned."""
        try:
            made = wait()
        except OSError:  # where no process can be started, there are no limits either
            from weps.html.cleaning import clean_packed  # noqa: PLC0415 - hardly ever needed

            made = clean_packed(packed)
        if made is None:
            return _without_text(page, UNREADABLE)
        found = _kept_document(made, page.rank)
        found = replace(found, language=detect_language([page_text(found)]) or UNDETERMINED)
        if self.cache:
            self.cache.put(key, json.dumps(field_values(found)).encode())
        return found


def _hold_back(items: Iterable[Item], number: int) -> Iterator[Item]:
    """The items, each after so many of those behind it have been made."""
    held = deque[Item]()
    for item in items:
        held.append(item)
        if len(held) > number:
            yield held.popleft()
    yield from held


_LISTS = frozenset(each.name for each in fields(Document) if each.default == ())


def _kept_document(entry: bytes, rank: int) -> Document:
    """The document that was kept as JSON, with its rank of today."""
    data = json.loads(entry) | {"rank": rank}
    lists = {name: tuple(data[name]) for name in _LISTS}
    lists["stated"] = tuple(StatedFact(*each) for each in data["stated"])
    return Document(**(data | lists))


def _without_text(page: Page, problem: str = "") -> Document:
    """The document of a page that cannot be read."""
    from weps.html.cleaning import clean_page  # noqa: PLC0415 - most pages are cleaned elsewhere

    return clean_page(
        replace(
            page,
            content=None,
            text=None,
            problem="; ".join(filter(None, (page.problem, problem))),
        )
    )


def document_key(page: Page) -> str:
    """The cache key of the page as it is cleaned."""
    content = page.read_content()
    kind, body = ("html", content) if content is not None else ("text", page.text or "")
    about = (page.url, page.title, page.snippet, page.problem, page.charset, kind, body)
    return content_digest("document", _cleaning_digest(), *about)


@cache
def _cleaning_digest() -> str:
    """Digest of what decides, beside the page, what a cleaned page is."""
    words = resource_text("stopwords/languages.txt")  # by which languages are told
    return content_digest(source_digest(*_DECIDING), words, *map(version, _LIBRARIES))


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
    is_listed = any(page.text is not None for page in search.pages)
    return PageForm.TOKENS if is_listed else PageForm.RESULTS


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
    poor = replace(document, blocks=(), links=(), emails=(), stated=(), language="")
    if form is PageForm.RESULTS:
        return poor
    dropped = dropped_words(frozenset(PersonName.parse(name).tokens))
    words = map(split_words, (*document.blocks, document.title, document.snippet, document.url))
    found = (content_form(word, dropped) for word in chain.from_iterable(words))
    joined = " ".join(filter(None, found))
    return replace(poor, blocks=(joined,) if joined else ())
