"""The baseline named-entity recogniser: runs of capitalised tokens (EMNLP 2009, section 3.2)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

import numpy as np

from weps.features.bags import Bags
from weps.features.registry import register
from weps.features.vocabulary import stop_words
from weps.language import Analysis, TokenTable

__all__ = ["capitalised"]


@register(
    "entity",
    "runs of two or more capitalised words in {where} (baseline recogniser)",
    source="EMNLP 2009, section 3.2",
    needs=["text", "case"],
    local=(False, True),
)
def capitalised(analysis: Analysis, *, local: bool = False) -> Bags:
    """Runs of two or more capitalised tokens, as long as they go.

    Dropped: runs found in lower case in the same document, runs of stop words only, and the name
    itself, which every page has.
    """
    bags: list[list[str]] = [[] for _ in analysis.documents]
    for row, mentioning, phrase in _phrases(analysis):
        if mentioning or not local:
            bags[row].append(phrase)
    return Bags.of(bags)


@lru_cache(maxsize=1)
def _phrases(analysis: Analysis) -> list[tuple[int, bool, str]]:
    """For each phrase its document row, whether its sentence mentions the name, its words."""
    table = analysis.tokens
    dropped = stop_words().union(analysis.name.tokens)
    plain = [_Plain(text) for text in _lower_case_texts(table, len(analysis.documents))]
    lower = [form.lower() for form in table.surface]
    token, mentions, documents = (
        array.tolist() for array in (table.token, table.mentions, table.document)
    )
    phrases = []
    for sentence, start, end in _capital_runs(table):
        words = [lower[index] for index in token[start:end]]
        row = documents[sentence]
        if not dropped.issuperset(words) and not plain[row].has(words):
            phrases.append((row, mentions[sentence], " ".join(words)))
    return phrases


class _Plain:
    """The tokens of a document that stand there in lower case."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._words = frozenset(text.split(" "))

    def has(self, words: list[str]) -> bool:
        """Whether the words stand there side by side."""
        # Most phrases fail the first test, which costs a hundredth of the second.
        return self._words.issuperset(words) and f" {' '.join(words)} " in self._text


def _capital_runs(table: TokenTable) -> Iterator[tuple[int, int, int]]:
    """Sentence, begin and end of every longest run of two or more capitalised tokens."""
    is_capital = np.fromiter(
        (word[0].isupper() for word in table.surface), dtype=bool, count=len(table.surface)
    )
    capital = is_capital[table.token]
    inside = capital[1:] & capital[:-1] & (table.sentence[1:] == table.sentence[:-1])
    edges = np.diff(np.concatenate([[False], inside, [False]]).astype(np.int8))
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) + 1
    return zip(table.sentence[starts].tolist(), starts.tolist(), ends.tolist(), strict=True)


def _lower_case_texts(table: TokenTable, documents: int) -> list[str]:
    """For each document its tokens between blanks, those with a capital blotted out."""
    plain = np.array([word if word.islower() else "\0" for word in table.surface], dtype=object)
    bounds = np.searchsorted(table.document[table.sentence], np.arange(documents + 1))
    return [f" {' '.join(plain[table.token[a:b]])} " for a, b in pairwise(bounds)]
