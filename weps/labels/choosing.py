"""Which terms make a label."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from weps.key_terms import grown_of_all, weighting
from weps.labels.shelf import Shelf
from weps.labels.vocabulary import Vocabulary
from weps.similarity import PairTable
from weps.words import words

__all__ = ["WEIGHTING", "Label", "labels", "labels_with_words"]

WEIGHTING = "likelihood_ratio+spread"
"""How words are weighed, see :data:`weps.key_terms.WEIGHTINGS`."""
_MOST = 5
"""Terms of a label."""
_MOST_WORDS = 10
"""Further words."""
_ABBREVIATION = 5
"""Letters; longer words in capitals are spelled as others."""
_LONGEST = 40
"""Characters; longer phrases are headlines, no labels."""


class Label(NamedTuple):
    """What tells a person from the namesakes, best first."""

    terms: tuple[str, ...]
    """Up to five words and names, see :func:`labels`."""
    words: tuple[str, ...]
    """Up to ten further words, of which none is part of a term."""


def labels(
    people: Sequence[Sequence[int]], table: PairTable, weighed_by: str = WEIGHTING
) -> list[tuple[str, ...]]:
    """For each person up to five words and names, best first, as they are mostly written.

    None holds a word of the name searched for, and no two share a word, singular or plural. Where
    pages have no text, titles and snippets are all there is; without these a label is empty.

    Args:
        people: for each person the rows of their pages.
        table: the pages, of any form.
        weighed_by: a weighting that needs no tags.
    """
    return [each.terms for each in labels_with_words(people, table, weighed_by)]


def labels_with_words(
    people: Sequence[Sequence[int]], table: PairTable, weighed_by: str = WEIGHTING
) -> list[Label]:
    """The labels of people, who may share pages, and the best words that are left.

    Args:
        people: for each person the rows of their pages; all others are the namesakes'.
        table: the pages, of any form.
        weighed_by: a weighting that needs no tags.
    """
    vocabulary = Vocabulary.of(table.analysis)
    best = vocabulary.terms(people, weighting(weighed_by))
    shelf = Shelf.of(vocabulary, best)
    spelled = cache(lambda term: _quiet(shelf.spelled(term)))
    return [
        _label(map(spelled, grown), [spelled(word) for word, _ in words])
        for grown, words in zip(grown_of_all(best, shelf.browser, people), best, strict=True)
    ]


def _label(terms: Iterable[str], further: Iterable[str]) -> Label:
    told = _distinct(terms, _MOST)
    return Label(told, _distinct(further, _MOST_WORDS, known=" ".join(told)))


def _quiet(term: str) -> str:
    """The term without words that are shouted; short ones are abbreviations."""
    return " ".join(
        word.capitalize() if word.isupper() and len(word) > _ABBREVIATION else word
        for word in term.split()
    )


def _distinct(terms: Iterable[str], most: int, known: str = "") -> tuple[str, ...]:
    """The first terms none of which is too long or repeats a word of another, or a known one.

    Terms that are grown repeat none but for *movies*, the singular of which is taken for *movy*.
    """
    told: list[str] = []
    covered = _forms(known)
    for term in terms:
        forms = _forms(term)
        if len(term) <= _LONGEST and covered.isdisjoint(forms):
            told.append(term)
            covered |= forms
        if len(told) == most:
            break
    return tuple(told)


def _forms(text: str) -> set[str]:
    """The words of a text, plurals undone."""
    return {word.removesuffix("s") for word in words(text)}
