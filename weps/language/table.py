"""Documents to sentences and tokens: one flat table for all the pages of a name.

A name's pages hold some 10⁵ tokens. Kept as integer arrays, every later step (n-grams, runs of
capitals, counts) is arithmetic over the whole name at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from weps.names import PersonName
from weps.records import Document
from weps.words import tokens

__all__ = ["TokenTable", "tabulate"]

_SENTENCE_END = frozenset(".!?…。！？")
_CONTINUING = frozenset(",;:)]}»”")
"""Punctuation with which no sentence begins."""
_ABBREVIATIONS = frozenset(
    "dr mr mrs ms prof rev hon sen rep gov gen col lt capt sgt st jr sr inc ltd co corp no vol pp"
    " ed eds vs dept univ fig ph".split()
)

Integers = NDArray[np.int32]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class TokenTable:
    """All tokens of a name's documents, in reading order.

    ``T`` tokens, ``S`` sentences, ``V`` distinct surface forms.
    """

    surface: tuple[str, ...]
    """V surface forms, case kept."""
    token: Integers
    """Shape (T,): index into ``surface``."""
    sentence: Integers
    """Shape (T,): sentence number, never decreasing."""
    document: Integers
    """Shape (S,): document row of each sentence, never decreasing."""
    mentions: Flags
    """Shape (S,): whether the sentence mentions the person's name."""


def tabulate(documents: Sequence[Document], name: PersonName) -> TokenTable:
    """Split the documents' blocks into sentences and tokens; mark the mentions of the name."""
    vocabulary: defaultdict[str, int] = defaultdict(count().__next__)
    ids: list[int] = []
    block_ends: list[int] = []
    block_documents: list[int] = []
    for row, document in enumerate(documents):
        for text in document.blocks:
            found = tokens(text)
            if found:
                ids += map(vocabulary.__getitem__, found)
                block_ends.append(len(ids))
                block_documents.append(row)
    surface = tuple(vocabulary)
    token = np.array(ids, dtype=np.int32)
    first = _sentence_starts(token, surface, block_ends)
    sentence = (np.cumsum(first) - 1).astype(np.int32)
    block = np.searchsorted(block_ends, np.flatnonzero(first), side="right")
    document_of = np.array(block_documents, dtype=np.int32)[block]
    mentions = _mentions(token, sentence, surface, name, int(first.sum()))
    return TokenTable(surface, token, sentence, document_of, mentions)


def _sentence_starts(token: Integers, surface: Sequence[str], block_ends: Sequence[int]) -> Flags:
    """Shape (T,): whether a sentence begins at the token.

    Blocks end sentences; so does final punctuation before a word that is not in lower case, unless
    it is the point of an initial or a common abbreviation (``Thomas J. Baker``, ``Dr. Baker``).
    """
    final = _where(surface, lambda word: word in _SENTENCE_END)[token]
    lower = _where(surface, str.islower)[token]
    continuing = _where(surface, lambda word: word in _CONTINUING)[token]
    point = _where(surface, lambda word: word == ".")[token]
    abbreviated = _where(surface, _is_abbreviation)[token]
    starts = np.zeros(len(token), dtype=bool)
    starts[1:] = final[:-1] & ~lower[1:] & ~final[1:] & ~continuing[1:]
    starts[2:] &= ~(point[1:-1] & abbreviated[:-2])
    starts[block_ends[:-1]] = True
    starts[:1] = True
    return starts


def _where(surface: Sequence[str], test: Callable[[str], bool]) -> Flags:
    """Shape (V,): which surface forms pass the test."""
    return np.fromiter(map(test, surface), dtype=bool, count=len(surface))


def _is_abbreviation(word: str) -> bool:
    return (len(word) == 1 and word.isupper()) or word.lower() in _ABBREVIATIONS


def _mentions(
    token: Integers, sentence: Integers, surface: Sequence[str], name: PersonName, sentences: int
) -> Flags:
    """Shape (S,): whether the sentence mentions the name."""
    found = np.zeros(sentences, dtype=bool)
    if not name.tokens:
        return found
    is_last = _where(surface, lambda word: word.lower() == name.tokens[-1])
    for position in np.flatnonzero(is_last[token]).tolist():
        number = sentence[position]
        if found[number]:
            continue
        begin, end = np.searchsorted(sentence, [number, number + 1])
        begin, end = max(begin, position - 6), min(end, position + 3)
        around = [surface[index] for index in token[begin:end]]
        found[number] = name.mentioned_at(
            [word.lower() for word in around],
            [word[0].isupper() for word in around],
            position - begin,
        )
    return found
