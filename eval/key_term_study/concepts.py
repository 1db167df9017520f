"""Key concepts: what people name as the point of some documents, as sets of words."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeAlias

from weps.features.vocabulary import is_content, stop_words
from weps.words import singular, words

__all__ = ["Concept", "concept_words", "concepts_of", "normal"]

Concept: TypeAlias = frozenset[str]
"""The words of a concept, plurals undone."""


def normal(word: str) -> str:
    """The form in which a term and a word of a concept are compared: lower case, plural undone.

    Other inflection tells them apart.
    """
    return singular(word)


def concepts_of(phrases: Iterable[str], name: Collection[str] = ()) -> frozenset[Concept]:
    """The key concepts that phrases stand for.

    Stop words do not count (*restore the democracy* is not reached by *the*), nor does what holds
    no letter, nor words of the person's name. Phrases of the same words are one concept, phrases
    without any are none.

    Args:
        phrases: as people have written them down.
        name: words in lower case that are no part of any concept.
    """
    dropped = stop_words().union(name)
    found = (frozenset(_content(phrase, dropped)) for phrase in phrases)
    return frozenset(filter(None, found))


def concept_words(concepts: Iterable[Concept]) -> frozenset[str]:
    """All words of several concepts."""
    return frozenset().union(*concepts)


def _content(phrase: str, dropped: Collection[str]) -> Iterable[str]:
    return (
        normal(word)
        for word in words(phrase)
        if is_content(word, dropped) and any(map(str.isalpha, word))
    )
