"""Which terms make a label."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from weps.key_terms import grown, weighting
from weps.labels.shelf import Shelf
from weps.labels.vocabulary import Vocabulary
from weps.similarity import PairTable
from weps.words import words

__all__ = ["WEIGHTING", "labels"]

WEIGHTING = "likelihood_ratio+spread"
"""How words are weighed, see :data:`weps.key_terms.WEIGHTINGS`."""
_MOST = 5
"""Terms of a label."""
_ABBREVIATION = 5
"""Letters; longer words in capitals are spelled as others."""
_LONGEST = 40
"""Characters; longer phrases are headlines, no labels."""


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
    vocabulary = Vocabulary.of(table.analysis)
    terms = vocabulary.terms(people, weighting(weighed_by))
    shelf = Shelf.of(vocabulary, terms)
    return [
        _distinct(_quiet(shelf.spelled(term)) for term in grown(best, shelf.browser, rows))
        for best, rows in zip(terms, people, strict=True)
    ]


def _quiet(term: str) -> str:
    """The term without words that are shouted; short ones are abbreviations."""
    return " ".join(
        word.capitalize() if word.isupper() and len(word) > _ABBREVIATION else word
        for word in term.split()
    )


def _distinct(terms: Iterable[str]) -> tuple[str, ...]:
    """The first terms none of which is too long or repeats a word of another.

    Terms that are grown repeat none but for *movies*, the singular of which is taken for *movy*.
    """
    told: list[str] = []
    known: set[str] = set()
    for term in terms:
        forms = {word.removesuffix("s") for word in words(term)}
        if len(term) <= _LONGEST and known.isdisjoint(forms):
            told.append(term)
            known |= forms
        if len(told) == _MOST:
            break
    return tuple(told)
