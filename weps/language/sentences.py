"""The sentences of a page as text, for language pipelines that want to read for themselves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from weps.language.table import TokenTable
from weps.records import Document
from weps.words import token_spans

__all__ = ["first_sentences", "sentence_texts"]


def first_sentences(table: TokenTable, documents: int) -> list[int]:
    """For each document, and the end, the number of its first sentence; documents + 1 numbers."""
    return [int(at) for at in np.searchsorted(table.document, np.arange(documents + 1))]


def sentence_texts(document: Document, numbers: list[int]) -> list[str]:
    """The text of each sentence of a page, as written.

    Args:
        document: the page.
        numbers: for each of its tokens the sentence, never decreasing, from 0.
    """
    texts: list[str] = []
    position = 0
    for block in document.blocks:
        spans = token_spans(block)
        inside = numbers[position : position + len(spans)]
        texts += (block[begin:end] for begin, end in _joined(spans, inside))
        position += len(spans)
    return texts


def _joined(spans: list[tuple[int, int]], numbers: list[int]) -> Iterator[tuple[int, int]]:
    """Begin and end of each sentence of a block; blocks end sentences."""
    first = 0
    for last in range(len(spans)):
        if last + 1 == len(spans) or numbers[last + 1] != numbers[last]:
            yield spans[first][0], spans[last][1]
            first = last + 1
