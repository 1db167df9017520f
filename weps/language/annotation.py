"""The layers of pages, made by a language pipeline once per page: known ones come from the cache.

A page is processed by itself, in spaCy documents of bounded size, so its marks depend on nothing
but its sentences. Sharing batches among pages would save 2 ms a page.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, chain, groupby, pairwise
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from weps._cache import Cache, content_digest, source_digest
from weps._parallel import parallel_map
from weps.language.analysis import Analysis, Layer, Mark, Marks, first_sentences, sentence_texts
from weps.language.quantities import find_quantities
from weps.language.spacy_pipeline import (
    BUILTIN_PIPELINE,
    ENTITY_KINDS,
    pipeline_version,
    prepare_pipeline,
)
from weps.records import Document

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

MAX_TOKENS = 100_000
"""Tokens of a page that are analysed; of a longer page, the sentences nearest to the name."""

_DECIDING = (
    "weps._text",
    *("weps.language.analysis", "weps.language.annotation"),
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
    known: list[dict[Layer, Marks]] = [{} for _ in pages]
    missing_rows: defaultdict[tuple[Layer, ...], list[int]] = defaultdict(list)
    for row, page in enumerate(pages):
        for layer, key in keys[row].items() if cache else ():
            with suppress(
                ValueError, RecursionError
            ):  # an entry that holds anything else is absent
                if raw := cache and cache.get(key):
                    known[row][layer] = Marks.from_data(json.loads(raw), len(page.chosen))
        if missing := tuple(layer for layer in layers if layer not in known[row]):
            missing_rows[missing].append(row)
    for missing, rows in missing_rows.items():
        texts = [pages[row].texts() for row in rows]
        for row, made in zip(rows, annotate_pages(texts, missing, language, jobs), strict=True):
            known[row] |= made
            if cache:
                for layer, marks in made.items():
                    raw = json.dumps(marks.to_data(), separators=(",", ":")).encode()
                    cache.put(keys[row][layer], raw)
    return known


def _layer_version(layer: Layer, language: str) -> str:
    """The versions that determine the layer: our code, and the pipeline if needed."""
    code = source_digest(*_DECIDING)
    return code if layer is Layer.QUANTITIES else f"{code} {pipeline_version(language)}"


_MAX_PASSAGE_TOKENS = 2_000
"""Tokens: memory follows the longest document."""
_MAX_SENTENCE_TOKENS = 1_000
"""Tokens; a longer one is a table or a list, and is read in pieces."""
_PIECE_TOKENS = 500
_UNBROKEN = re.compile(r"(\S{500})(?=\S)")
"""The tokeniser takes quadratic time for long text without a blank."""

_Piece = tuple[int, list[str], list[bool]]
"""Sentence, words, and whether a blank follows each."""


def passage_documents(sentences: Sequence[str], nlp: Language) -> Iterator[tuple[Doc, list[int]]]:
    """The sentences of a page as documents, sentence starts preset for every token.

    Args:
        sentences: text of each; empty ones are passed over.
        nlp: the pipeline whose tokeniser and vocabulary to use.

    Yields:
        A document, and for each of its tokens the number of its sentence in ``sentences``.
    """
    gathered: list[_Piece] = []
    size = 0
    for piece in _sentence_pieces(sentences, nlp):
        if gathered and size + len(piece[1]) > _MAX_PASSAGE_TOKENS:
            yield _build_document(gathered, nlp)
            gathered, size = [], 0
        gathered.append(piece)
        size += len(piece[1])
    if gathered:
        yield _build_document(gathered, nlp)


def _sentence_pieces(sentences: Sequence[str], nlp: Language) -> Iterator[_Piece]:
    for number, sentence in enumerate(sentences):
        encodable = sentence.encode("utf-8", "replace").decode()  # without lone surrogates
        tokens = nlp.tokenizer(_UNBROKEN.sub(r"\1 ", " ".join(encodable.split())))
        words = [token.text for token in tokens]
        blanks = [bool(token.whitespace_) for token in tokens[:-1]] + [True]
        step = _PIECE_TOKENS if len(words) > _MAX_SENTENCE_TOKENS else _MAX_SENTENCE_TOKENS
        for begin in range(0, len(words), step):
            yield number, words[begin : begin + step], blanks[begin : begin + step]


def _build_document(pieces: list[_Piece], nlp: Language) -> tuple[Doc, list[int]]:
    from spacy.tokens import Doc  # noqa: PLC0415 - half a second that only language layers need

    document = Doc(
        nlp.vocab,
        words=[word for _, words, _ in pieces for word in words],
        spaces=[blank for _, _, blanks in pieces for blank in blanks],
        sent_starts=[at == 0 for _, words, _ in pieces for at in range(len(words))],
    )
    return document, [number for number, words, _ in pieces for _ in words]


_BATCH_SIZE = 4
"""Passages that the pipeline takes at once."""
_FEWEST_CHARACTERS = 300_000
"""Characters of text for several processes, each of which takes two seconds to start."""
_GROUPS_PER_JOB = 4
"""Groups of pages for each process, so that all end at about the same time."""
_PIPELINE_LOCK = Lock()
"""spaCy's vocabulary serves one thread at a time."""

Sentences = Sequence[str]
Made = TypeVar("Made")


def annotate_pages(
    pages: Sequence[Sentences],
    layers: Collection[Layer],
    language: str = BUILTIN_PIPELINE,
    jobs: int = 1,
) -> list[dict[Layer, Marks]]:
    """The marks that each layer leaves on each page.

    Args:
        pages: the sentences of each page; empty ones are passed over, but counted.
        layers: what to mark.
        language: the embedded pipeline, the folder of one, or any that is installed.
        jobs: number of processes, -1 for one per core; little text is processed by one.

    Returns:
        For each page the marks of each layer. A page on which the pipeline fails lacks the
        layers that the pipeline makes.

    Raises:
        LanguageError: if the pipeline is missing or lacks what a layer needs.
    """
    work = partial(_annotate_group, layers=frozenset(layers), language=language)
    if jobs == 1 or sum(map(len, chain.from_iterable(pages))) < _FEWEST_CHARACTERS:
        return work(pages)
    from joblib import effective_n_jobs  # noqa: PLC0415 - one job does without

    ends = list(accumulate(1 + sum(map(len, page)) for page in pages))
    share = ends[-1] / (_GROUPS_PER_JOB * effective_n_jobs(jobs))
    groups = [  # neighbouring pages of about equal length in all
        [page for _, page in group]
        for _, group in groupby(
            zip(ends, pages, strict=True), key=lambda each: (each[0] - 1) // share
        )
    ]
    return [marks for group in parallel_map(work, groups, jobs) for marks in group]


def _annotate_group(
    pages: Sequence[Sentences], layers: frozenset[Layer], language: str
) -> list[dict[Layer, Marks]]:
    annotated: list[dict[Layer, Marks]] = [{} for _ in pages]
    if made := layers - {Layer.QUANTITIES}:
        read = read_documents(pages, made, language, partial(_extract_marks, made))
        annotated = [marks or {} for marks in read]
    for page, marks in zip(pages, annotated, strict=True) if layers > made else ():
        marks[Layer.QUANTITIES] = Marks.of(
            (number, text, kind)
            for number, sentence in enumerate(page)
            for text, kind in find_quantities(sentence)
        )
    return annotated


def _extract_marks(
    layers: frozenset[Layer], documents: Iterator[tuple[Doc, list[int]]]
) -> dict[Layer, Marks]:
    found: dict[Layer, list[Mark]] = {layer: [] for layer in sorted(layers)}
    for document, sentence in documents:
        for layer in found:
            found[layer] += _EXTRACT[layer](document, sentence)
    return {layer: Marks.of(marks) for layer, marks in found.items()}


def read_documents(
    pages: Sequence[Sentences],
    layers: frozenset[Layer],
    language: str,
    read: Callable[[Iterator[tuple[Doc, list[int]]]], Made],
) -> list[Made | None]:
    """Results read off each page after a pipeline has processed it; None where that fails.

    Args:
        pages: the sentences of each page; empty ones are passed over, but counted.
        layers: what the pipeline must provide.
        language: as of :func:`annotate_pages`.
        read: takes the documents of a page, as of :func:`passage_documents`; keeps none of them.

    Raises:
        LanguageError: if the pipeline is missing or lacks what a layer needs.
    """
    nlp, idle = prepare_pipeline(language, layers)
    results: list[Made | None] = []
    # Additions to the vocabulary are discarded at the end of the zone.
    with _PIPELINE_LOCK, nlp.memory_zone():
        for page in pages:
            try:
                documents = nlp.pipe(
                    passage_documents(page, nlp),
                    as_tuples=True,
                    batch_size=_BATCH_SIZE,
                    disable=idle,
                )
                results.append(read(documents))
            except MemoryError:
                raise
            except Exception:  # noqa: BLE001 - a failure on one page must not affect other pages
                results.append(None)
    return results


def _lemma_marks(document: Doc, sentence: Sequence[int]) -> Iterator[Mark]:
    for token in document:
        if any(map(str.isalnum, token.text)):
            proper = token.pos_ == "PROPN"  # Leeds is not a plural
            lemma = token.lower_ if proper else token.lemma_.lower() or token.lower_
            yield sentence[token.i], lemma, token.pos_


def _phrase_marks(document: Doc, sentence: Sequence[int]) -> Iterator[Mark]:
    for phrase in document.noun_chunks:
        if any(map(str.isalnum, phrase.text)):
            yield sentence[phrase.start], phrase.text, ""


def _entity_marks(document: Doc, sentence: Sequence[int]) -> Iterator[Mark]:
    for entity in document.ents:
        if kind := ENTITY_KINDS.get(entity.label_):
            yield sentence[entity.start], entity.text, kind


def _tag_marks(document: Doc, sentence: Sequence[int]) -> Iterator[Mark]:
    for token in document:
        yield sentence[token.i], token.text, token.pos_


_EXTRACT: dict[Layer, Callable[[Doc, Sequence[int]], Iterator[Mark]]] = {
    Layer.LEMMAS: _lemma_marks,
    Layer.PHRASES: _phrase_marks,
    Layer.ENTITIES: _entity_marks,
    Layer.TAGS: _tag_marks,
}
