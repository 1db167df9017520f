"""Annotating the pages of a name with layers, once per page: known ones come from the cache."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from weps._cache import Cache, content_digest, source_digest
from weps.language.analysis import Analysis, Layer, Marks, first_sentences, sentence_texts
from weps.language.spacy_pipeline import BUILTIN_PIPELINE, pipeline_version
from weps.records import Document

MAX_TOKENS = 100_000
"""Tokens of a page that are analysed; of a longer page, the sentences nearest to the name."""

_DECIDING = (
    "weps._text",
    *("weps.language.analysis", "weps.language.annotation", "weps.language.marking"),
    *("weps.language.quantities", "weps.language.spacy_pipeline"),
)
"""Modules that decide the marks of a page, besides the pipeline."""
_NO_MARKS = Marks.of([])


@dataclass(frozen=True, slots=True, eq=False)
class _PageSentences:
    """A document, and where its sentences stand in the token table."""

    document: Document
    numbers: NDArray[np.int32]
    """Shape (tokens,): the sentence of each token, counted from 0 within the page."""
    chosen: NDArray[np.bool_]
    """Shape (sentences,): which sentences are analysed."""

    def key(self, layer: Layer, maker: str) -> str:
        """The cache key of the page's marks."""
        reach = b"" if self.chosen.all() else np.packbits(self.chosen).tobytes()
        return content_digest("marks", layer, maker, reach, *self.document.blocks)

    def texts(self) -> list[str]:
        """The text of each sentence; empty where it is not analysed."""
        texts = sentence_texts(self.document, self.numbers.tolist())
        return [text if kept else "" for text, kept in zip(texts, self.chosen, strict=True)]


def mark_layers(
    analysis: Analysis,
    layers: Collection[Layer],
    language: str = BUILTIN_PIPELINE,
    cache: Cache | None = None,
    jobs: int = 1,
) -> Analysis:
    """The analysis with the layers added.

    Args:
        analysis: the pages of a name, divided into sentences.
        layers: what to mark.
        language: the embedded pipeline, or any that is installed.
        cache: of marks; None for no cache.
        jobs: processes for the pages whose marks are not known yet.

    Raises:
        LanguageError: if the pipeline is missing or lacks a layer.
    """
    table, documents = analysis.tokens, analysis.documents
    first = first_sentences(table, len(documents))
    pages = list(_split_pages(analysis, first))
    by_page = _collect_marks(pages, sorted(layers), language, cache, jobs)
    joined = {
        layer: Marks.concatenate([marks.get(layer, _NO_MARKS) for marks in by_page], first[:-1])
        for layer in sorted(layers)
    }
    noted = tuple(
        _with_notes(page, failed=len(marks) < len(layers))
        for page, marks in zip(pages, by_page, strict=True)
    )
    return replace(analysis, documents=noted, marks=joined)


def mark_keys(
    analysis: Analysis, layers: Collection[Layer], language: str = BUILTIN_PIPELINE
) -> list[str]:
    """The cache keys of the marks of the pages.

    Args:
        analysis: the pages of a name, divided into sentences.
        layers: any, also some that the pipeline lacks.
        language: what made the marks.

    Raises:
        LanguageError: if the pipeline is missing.
    """
    first = first_sentences(analysis.tokens, len(analysis.documents))
    makers = {layer: _layer_version(layer, language) for layer in layers}
    return [
        page.key(layer, made)
        for page in _split_pages(analysis, first)
        for layer, made in makers.items()
    ]


def _split_pages(analysis: Analysis, first: Sequence[int]) -> Iterator[_PageSentences]:
    table = analysis.tokens
    sizes = np.bincount(table.sentence, minlength=first[-1])
    bounds = np.searchsorted(table.sentence, first)
    for document, (begin, end), (start, stop) in zip(
        analysis.documents, pairwise(first), pairwise(bounds), strict=True
    ):
        chosen = _nearest_sentences(sizes[begin:end], table.mentions[begin:end])
        yield _PageSentences(document, table.sentence[start:stop] - np.int32(begin), chosen)


def _nearest_sentences(
    sizes: NDArray[np.intp], mentions: NDArray[np.bool_], most: int = MAX_TOKENS
) -> NDArray[np.bool_]:
    """Shape (sentences,): those nearest to a mention, or to the beginning, within the limit.

    Args:
        sizes: shape (sentences,), tokens of each.
        mentions: shape (sentences,), whether it mentions the name.
        most: tokens allowed.
    """
    if sizes.sum() <= most:
        return np.ones(len(sizes), dtype=bool)
    places = np.flatnonzero(mentions) if mentions.any() else np.zeros(1, dtype=np.intp)
    sentence = np.arange(len(sizes))
    after = np.searchsorted(places, sentence).clip(max=len(places) - 1)
    before = (after - 1).clip(min=0)
    distance = np.minimum(abs(places[after] - sentence), abs(places[before] - sentence))
    nearest_first = np.argsort(distance, kind="stable")
    nearest_first = nearest_first[sizes[nearest_first] <= most]  # skip overlong sentences
    chosen = np.zeros(len(sizes), dtype=bool)
    chosen[nearest_first[np.cumsum(sizes[nearest_first]) <= most]] = True
    return chosen


def _with_notes(page: _PageSentences, *, failed: bool) -> Document:
    """The document, with a note if its language was not analysed completely."""
    notes = [page.document.note]
    if not page.chosen.all():
        read = int(page.chosen[page.numbers].sum())
        notes.append(f"language analysed in {read:,} words of {len(page.numbers):,}")
    if failed:
        notes.append("the language pipeline failed on this page")
    return replace(page.document, note="; ".join(filter(None, notes)))


def _collect_marks(
    pages: Sequence[_PageSentences],
    layers: Sequence[Layer],
    language: str,
    cache: Cache | None,
    jobs: int,
) -> list[dict[Layer, Marks]]:
    """For each page its marks, known or made; where the pipeline fails, layers are missing."""
    makers = {layer: _layer_version(layer, language) for layer in layers}
    keys = [{layer: page.key(layer, makers[layer]) for layer in layers} for page in pages]
    known = [
        _cached_marks(each, cache, len(page.chosen)) for each, page in zip(keys, pages, strict=True)
    ]
    missing_rows: defaultdict[tuple[Layer, ...], list[int]] = defaultdict(list)
    for row, marks in enumerate(known):
        if missing := tuple(layer for layer in layers if layer not in marks):
            missing_rows[missing].append(row)
    if not missing_rows:
        return known
    # Cached marks need no pipeline.
    from weps.language.annotation import annotate_pages  # noqa: PLC0415

    for missing, rows in missing_rows.items():
        texts = [pages[row].texts() for row in rows]
        for row, made in zip(rows, annotate_pages(texts, missing, language, jobs), strict=True):
            known[row] |= made
            if cache:
                for layer, found in made.items():
                    raw = json.dumps(found.to_data(), separators=(",", ":")).encode()
                    cache.put(keys[row][layer], raw)
    return known


def _layer_version(layer: Layer, language: str) -> str:
    """The versions that determine the layer: our code, and the pipeline if needed."""
    code = source_digest(*_DECIDING)
    return code if layer is Layer.QUANTITIES else f"{code} {pipeline_version(language)}"


def _cached_marks(
    keys: Mapping[Layer, str], cache: Cache | None, sentences: int
) -> dict[Layer, Marks]:
    """The marks of a page of so many sentences; an entry that holds anything else is absent."""
    known: dict[Layer, Marks] = {}
    for layer, key in keys.items() if cache else ():
        with suppress(ValueError, RecursionError):
            if raw := cache and cache.get(key):
                known[layer] = Marks.from_data(json.loads(raw), sentences)
    return known
