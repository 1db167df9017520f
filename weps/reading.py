"""Reading the pages of a name: cleaned, divided into sentences, with the requested layers."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from importlib.metadata import version
from itertools import chain

from weps import html, records
from weps._cache import Cache, content_digest, source_digest
from weps._parallel import Progress, no_progress
from weps.language.analysis import Analysis, Layer, analyse_documents
from weps.language.sentence_encoder import INSTALLED_ENCODER, encode_texts
from weps.language.spacy_pipeline import BUILTIN_PIPELINE
from weps.page_forms import PageForm, reduce_document
from weps.records import Document, HtmlReader, Page, Search

_CODE = (html, records, sys.modules[__name__])
"""The source on which a cleaned page depends, besides the page itself and the parsers."""
_PARSERS = (version("lxml"), version("beautifulsoup4"))


@dataclass(frozen=True, slots=True)
class Reader:
    """How pages are read; pages that were read before are taken from the cache."""

    language: str = BUILTIN_PIPELINE
    """The pipeline that makes layers: the embedded one, or any that is installed."""
    cache: Cache | None = None
    jobs: int = 1
    """Processes for the language analysis of one name's pages, threads for their encoding."""
    html: HtmlReader = HtmlReader.FAST
    second_language: str = ""
    """The pipeline that recognises entities a second time; empty for none."""
    embeddings: str = INSTALLED_ENCODER
    """The sentence encoder, see :func:`weps.language.sentence_encoder.encoder_identity`."""

    def read(
        self,
        search: Search,
        form: PageForm,
        layers: Collection[Layer] = (),
        progress: Progress = no_progress,
    ) -> Analysis:
        """Clean the pages of a search and analyse their language.

        Args:
            search: the name and its pages, in any order; the answer does not depend on it.
            form: a form no richer than the pages have; they are reduced to it.
            layers: of language processing to add.
            progress: called with the number of pages read.

        Raises:
            LanguageError: if the pipeline is missing or lacks a layer.
        """
        pages = sorted(search.pages, key=lambda page: page.rank)
        documents = []
        for number, page in enumerate(pages, start=1):
            documents.append(reduce_document(self._read_document(page), search.name, form))
            progress("reading pages", number, len(pages))
        encode = partial(encode_texts, encoder=self.embeddings, cache=self.cache, jobs=self.jobs)
        plain = replace(analyse_documents(search.name, documents), encode=encode)
        if not layers:
            return plain
        progress("reading sentences", 0, 0)
        from weps.language.marking import mark_layers  # noqa: PLC0415 - only layers need it

        analysis = mark_layers(plain, layers, self.language, self.cache, self.jobs)
        if not self.second_language or Layer.ENTITIES not in layers:
            return analysis
        second = mark_layers(plain, [Layer.ENTITIES], self.second_language, self.cache, self.jobs)
        return replace(analysis, second_entities=second.layer(Layer.ENTITIES))

    def _read_document(self, page: Page) -> Document:
        """The cleaned page, whose text does not depend on its rank."""
        cache = None if page.content is None and page.text is None else self.cache
        key = document_key(page, self.html) if cache else ""
        if cache and (known := _kept_document(cache.get(key) or b"")):
            return replace(known, rank=page.rank)
        document = _clean(page, self.html)
        if cache:
            cache.put(key, json.dumps(asdict(document), separators=(",", ":")).encode())
        return document


_TEXTS = frozenset(each.name for each in fields(Document) if each.default == "")
_LISTS = frozenset(each.name for each in fields(Document) if each.default == ())


def _kept_document(entry: bytes) -> Document | None:
    """The document of an entry of the cache; None if it holds anything else."""
    try:
        data = json.loads(entry)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or data.keys() != {"rank", *_TEXTS, *_LISTS}:
        return None
    lists = {name: tuple(data[name]) if isinstance(data[name], list) else (0,) for name in _LISTS}
    words = chain(map(data.__getitem__, _TEXTS), *lists.values())
    return Document(**(data | lists)) if all(isinstance(each, str) for each in words) else None


def _clean(page: Page, reader: HtmlReader) -> Document:
    from weps.html.cleaning import clean_page, read_markup  # noqa: PLC0415 - cached pages need none

    return clean_page(page, partial(read_markup, by_tree=reader is HtmlReader.BEAUTIFULSOUP))


def document_key(page: Page, reader: HtmlReader) -> str:
    """The cache key of the page as this reader cleans it."""
    kind, body = ("html", page.content) if page.content is not None else ("text", page.text or "")
    about = (page.url, page.title, page.snippet, page.problem, page.charset)
    read_by = (source_digest(*_CODE), *_PARSERS, reader)
    return content_digest("document", *read_by, *about, kind, body)
