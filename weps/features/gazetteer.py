"""Names from word lists: places, occupations (EMNLP 2009, section 4.3.1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache

import numpy as np

from weps.features.bags import Bags
from weps.features.registry import register
from weps.language import Analysis, TokenTable
from weps.resources import gazetteer as names_of
from weps.words import tokens, words

__all__ = ["gazetteer"]

Bag = list[str]

_LISTS = {
    "place": ("cities", "states", "countries"),
    "occupation": ("occupations",),
}
_CASED = frozenset({"place"})
"""Lists whose names must be written as they are there, or all in capitals: Turkey, no turkey."""

Names = dict[tuple[str, ...], str]
"""The tokens of each name of a list → what it counts as."""


@register(
    "gazetteer",
    "{list} names from word lists in {where}",
    source="EMNLP 2009, section 4.3.1",
    needs=["text", "case"],
    linguistic=True,
    list=tuple(_LISTS),
    local=(False, True),
)
def gazetteer(analysis: Analysis, *, list: str, local: bool = False) -> Bags:  # noqa: A002 - its name
    """Names of a word list, longest match first; those made of the searched name left out."""
    table, searched = analysis.tokens, frozenset(analysis.name.tokens)
    bags: tuple[Bag, ...] = tuple([] for _ in analysis.documents)
    for sentence, name in _matches(table, _names(list), cased=list in _CASED):
        if not searched.issuperset(words(name)) and (table.mentions[sentence] or not local):
            bags[table.document[sentence]].append(name)
    return Bags.of(bags)


def _matches(table: TokenTable, names: Names, *, cased: bool) -> Iterator[tuple[int, str]]:
    """Sentence and name of each match, from left to right, none overlapping."""
    lengths = _lengths(names)
    forms = [form if cased else form.lower() for form in table.surface]
    text = [forms[token] for token in table.token.tolist()]
    sentences = table.sentence.tolist()
    opening = np.fromiter((form in lengths for form in forms), dtype=bool, count=len(forms))
    free = 0
    for at in np.flatnonzero(opening[table.token]).tolist():
        for length in lengths[text[at]] if at >= free else ():
            end = at + length
            name = names.get(tuple(text[at:end]))
            if name and sentences[end - 1 : end] == [sentences[at]]:
                yield sentences[at], name
                free = end
                break


def _lengths(names: Names) -> dict[str, list[int]]:
    """First token → how long the names are that begin with it, longest first."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for spelled in names:
        found[spelled[0]].add(len(spelled))
    return {first: sorted(lengths, reverse=True) for first, lengths in found.items()}


@cache
def _names(listed: str) -> Names:
    """The names of a list, ready to be looked up."""
    cased = listed in _CASED
    return {
        tuple(tokens(spelled)): counted.lower()
        for name, counted in names_of(*_LISTS[listed]).items()
        for spelled in ((name, name.upper()) if cased else (name.lower(),))
    }
