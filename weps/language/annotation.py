"""The layers of pages, made by a language pipeline: page by page, in any number of processes.

A page is processed by itself, in spaCy documents of bounded size, so its marks depend on nothing
but its sentences. Sharing batches among pages would save 2 ms a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import accumulate, chain, groupby
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from weps._parallel import parallel_map
from weps.language.analysis import Layer, Mark, Marks
from weps.language.quantities import find_quantities
from weps.language.spacy_pipeline import BUILTIN_PIPELINE, ENTITY_KINDS, prepare_pipeline

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

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
"""Of text for several processes, each of which takes two seconds to start."""
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

    groups = _group_pages(pages, _GROUPS_PER_JOB * effective_n_jobs(jobs))
    return [marks for group in parallel_map(work, groups, jobs) for marks in group]


def _group_pages(pages: Sequence[Sentences], most: int) -> list[list[Sentences]]:
    """Neighbouring pages in groups of about equal length."""
    ends = list(accumulate(1 + sum(map(len, page)) for page in pages))
    share = ends[-1] / most
    numbered = zip(ends, pages, strict=True)
    return [
        [page for _, page in group]
        for _, group in groupby(numbered, key=lambda each: (each[0] - 1) // share)
    ]


def _annotate_group(
    pages: Sequence[Sentences], layers: frozenset[Layer], language: str
) -> list[dict[Layer, Marks]]:
    annotated = _pipeline_marks(pages, layers - {Layer.QUANTITIES}, language)
    if Layer.QUANTITIES in layers:
        for page, marks in zip(pages, annotated, strict=True):
            marks[Layer.QUANTITIES] = Marks.of(
                (number, text, kind)
                for number, sentence in enumerate(page)
                for text, kind in find_quantities(sentence)
            )
    return annotated


def _pipeline_marks(
    pages: Sequence[Sentences], layers: frozenset[Layer], language: str
) -> list[dict[Layer, Marks]]:
    if not layers:
        return [{} for _ in pages]
    found = read_documents(pages, layers, language, partial(_extract_marks, layers))
    return [marks or {} for marks in found]


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
    """What is read off each page after a pipeline has processed it; None where that fails.

    Args:
        pages: the sentences of each page; empty ones are passed over, but counted.
        layers: what the pipeline must provide.
        language: as of :func:`annotate_pages`.
        read: takes the documents of a page, as of :func:`passage_documents`; keeps none of them.

    Raises:
        LanguageError: if the pipeline is missing or lacks what a layer needs.
    """
    nlp, idle = prepare_pipeline(language, layers)
    # Additions to the vocabulary are discarded at the end of the zone.
    with _PIPELINE_LOCK, nlp.memory_zone():
        return [_read_page(page, nlp, idle, read) for page in pages]


def _read_page(
    page: Sentences,
    nlp: Language,
    idle: Sequence[str],
    read: Callable[[Iterator[tuple[Doc, list[int]]]], Made],
) -> Made | None:
    try:
        documents = nlp.pipe(
            passage_documents(page, nlp), as_tuples=True, batch_size=_BATCH_SIZE, disable=idle
        )
        return read(documents)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a failure on one page must not affect other pages
        return None


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
