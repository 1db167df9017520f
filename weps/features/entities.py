"""The baseline named-entity recogniser: runs of capitalised tokens (EMNLP 2009, section 3.2)."""

from __future__ import annotations

from collections.abc import Iterator
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
    table = analysis.tokens
    dropped = stop_words().union(analysis.name.tokens)
    lower_text = _lower_case_text(table, len(analysis.documents))
    bags: list[list[str]] = [[] for _ in analysis.documents]
    for start, end in _capital_runs(table):
        number = table.sentence[start]
        if local and not table.mentions[number]:
            continue
        words = [table.surface[index].lower() for index in table.token[start:end]]
        row = table.document[number]
        phrase = " ".join(words)
        if not dropped.issuperset(words) and f" {phrase} " not in lower_text[row]:
            bags[row].append(phrase)
    return Bags.of(bags)


def _capital_runs(table: TokenTable) -> Iterator[tuple[int, int]]:
    """Begin and end of every longest run of two or more capitalised tokens in a sentence."""
    is_capital = np.fromiter(
        (word[0].isupper() for word in table.surface), dtype=bool, count=len(table.surface)
    )
    capital = is_capital[table.token]
    inside = capital[1:] & capital[:-1] & (table.sentence[1:] == table.sentence[:-1])
    edges = np.diff(np.concatenate([[False], inside, [False]]).astype(np.int8))
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) + 1
    return zip(starts.tolist(), ends.tolist(), strict=True)


def _lower_case_text(table: TokenTable, documents: int) -> list[str]:
    """For each document its tokens between blanks, those with a capital blotted out."""
    plain = np.array([word if word.islower() else "\0" for word in table.surface], dtype=object)
    bounds = np.searchsorted(table.document[table.sentence], np.arange(documents + 1))
    return [f" {' '.join(plain[table.token[a:b]])} " for a, b in pairwise(bounds)]
