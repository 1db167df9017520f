"""Key terms grown to the phrases that hold them.

The paper takes this for possible (COLING 2004, section 5.1, phrase browsing): *Haiti* is the key
term, *president of Haiti* is what a person wants to read.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps.key_terms.extraction import Terms
from weps.key_terms.occurrences import Occurrences, Position
from weps.key_terms.phrases import Phrases
from weps.words import singular

__all__ = ["Browser", "grown"]

_TWICE = 2
"""Occurrences that show that words side by side are a phrase."""
_NEARLY_ALWAYS = 0.8
"""Share of a term's occurrences that shows that it does not stand by itself."""

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Browser:
    """The words and the phrases of the same documents, and which words the phrases hold."""

    occurrences: Occurrences
    phrases: Phrases
    held: sparse.csr_array
    """Shape (phrases, words), float64: 1 where the phrase holds the word."""
    holders: sparse.csr_array
    """Its transpose."""

    @classmethod
    def of(cls, occurrences: Occurrences, phrases: Phrases) -> Browser:
        """Look up the words of all phrases."""
        place = _places(occurrences)
        split = [set(phrase.lower().split()) for phrase in phrases.bags.strings]
        columns = [sorted(place[word] for word in each if word in place) for each in split]
        flat = np.array([column for each in columns for column in each], dtype=np.int64)
        ends = np.cumsum([0, *map(len, columns)])
        shape = len(columns), len(place)
        held = sparse.csr_array((np.ones(len(flat)), flat, ends), shape=shape)
        return cls(occurrences, phrases, held, held.T.tocsr())

    def phrase(self, number: int) -> str:
        """A phrase as it is mostly spelled."""
        return self.phrases.bags.strings[number]

    def word(self, number: int) -> str:
        """A word as it is mostly spelled."""
        lower = self.occurrences.words[number]
        return self.phrases.spelled.get(lower, lower)

    def singulars(self, phrase: int) -> set[str]:
        """The words that a phrase holds, plurals undone."""
        words = self.occurrences.words
        return {singular(words[number]) for number in _columns(self.held, phrase).tolist()}


def grown(
    terms: Terms, browser: Browser, rows: Sequence[int], most: int | None = None
) -> list[str]:
    """The terms of a set of documents, each as the phrase that it is better known by, if any.

    The gain of a phrase over a term that it holds is

        documents with the phrase / documents with the term · Σ weights of its words / weight

    so that half the documents are enough for a phrase whose words weigh twice as much. A term grows
    to the phrase of greatest gain, of equals to the shortest, if that gain is above 1 or if the
    term hardly ever stands outside the phrase (*New York*); the phrase must occur twice in the set
    if the term does. No two of what is returned share a word, singular or plural, and terms
    without positive weight are left out.

    Args:
        terms: those of the set, see :func:`weps.key_terms.key_terms`.
        browser: the words and phrases of all documents of the name or topic.
        rows: the documents of the set.
        most: how many terms and phrases to return; None for all.

    Returns:
        Terms and phrases as they are mostly spelled in the documents, best first.
    """
    place = _places(browser.occurrences)
    weights = {place[word]: weight for word, weight in terms if weight > 0}
    growth = _Growth.of(browser, rows, weights)
    told: list[str] = []
    covered: set[str] = set()
    for word in weights:
        if len(told) == most:
            break
        own = singular(browser.occurrences.words[word])
        if own not in covered:
            phrase = growth.best(word, covered)
            told.append(browser.word(word) if phrase is None else browser.phrase(phrase))
            covered |= {own} if phrase is None else browser.singulars(phrase)
    return told


@dataclass(frozen=True, slots=True, eq=False)
class _Growth:
    """What the terms of one set of documents can grow to."""

    browser: Browser
    weights: dict[int, float]
    """Word → weight, all positive."""
    worth: NDArray[np.float64]
    """Shape (phrases,): the sum of the weights of its words."""
    word_documents: Integers
    """Shape (words,): in how many documents of the set it occurs."""
    word_times: Integers
    """Shape (words,): how often."""
    phrase_documents: Integers
    """Shape (phrases,): in how many documents of the set it occurs."""
    phrase_times: Integers
    """Shape (phrases,): how often."""

    @classmethod
    def of(cls, browser: Browser, rows: Sequence[int], weights: dict[int, float]) -> _Growth:
        """Count words and phrases in the documents of the set."""
        vector = np.zeros(len(browser.occurrences.words))
        vector[list(weights)] = list(weights.values())
        words = _counts(browser.occurrences.at(Position.ANYWHERE), rows)
        phrases = _counts(browser.phrases.bags.counts, rows)
        return cls(browser, weights, browser.held @ vector, *words, *phrases)

    def best(self, word: int, covered: Collection[str]) -> int | None:
        """The phrase without a covered word that the term grows to; None if it does not grow."""
        phrases = self._candidates(word)
        share = self.phrase_documents[phrases] / self.word_documents[word]
        gains = share * self.worth[phrases] / self.weights[word]
        bound = self.phrase_times[phrases] >= _NEARLY_ALWAYS * self.word_times[word]
        fit = (gains > 1) | bound
        free = [
            (-gain, len(self.browser.phrase(phrase)), self.browser.phrase(phrase), phrase)
            for gain, phrase in zip(gains[fit].tolist(), phrases[fit].tolist(), strict=True)
            if self.browser.singulars(phrase).isdisjoint(covered)
        ]
        return min(free)[-1] if free else None

    def _candidates(self, word: int) -> Integers:
        """The phrases of the set that hold the word and occur often enough."""
        phrases = _columns(self.browser.holders, word)
        enough = min(_TWICE, int(self.word_times[word]))
        return phrases[self.phrase_times[phrases] >= enough]


def _places(occurrences: Occurrences) -> dict[str, int]:
    return {word: number for number, word in enumerate(occurrences.words)}


def _columns(matrix: sparse.csr_array, row: int) -> Integers:
    """Where a row of a sparse matrix holds something."""
    begin, end = matrix.indptr[row : row + 2]
    return np.asarray(matrix.indices[begin:end], dtype=np.int64)


def _counts(counts: sparse.csr_array, rows: Sequence[int]) -> tuple[Integers, Integers]:
    """Shape (columns,) each: how many of the rows hold something, and how much in all."""
    chosen = counts[sorted(set(rows))]
    return np.bincount(chosen.indices, minlength=counts.shape[1]), chosen.sum(axis=0)
