"""Key terms grown to the phrases that hold them.

The paper takes this for possible (COLING 2004, section 5.1, phrase browsing): *Haiti* is the key
term, *president of Haiti* is what a person wants to read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps.key_terms.extraction import Terms
from weps.key_terms.occurrences import Occurrences, Position
from weps.key_terms.phrases import Phrases
from weps.membership import membership
from weps.words import singular

__all__ = ["Browser", "grown", "grown_of_all"]

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
    place: Mapping[str, int]
    """Word in lower case → its number."""
    held: sparse.csr_array
    """Shape (phrases, words), float64: 1 where the phrase holds the word."""
    holders: sparse.csr_array
    """Its transpose."""

    @classmethod
    def of(cls, occurrences: Occurrences, phrases: Phrases) -> Browser:
        """Look up the words of all phrases."""
        place = {word: number for number, word in enumerate(occurrences.words)}
        split = [set(phrase.lower().split()) for phrase in phrases.bags.strings]
        columns = [sorted(place[word] for word in each if word in place) for each in split]
        flat = np.array([column for each in columns for column in each], dtype=np.int64)
        ends = np.cumsum([0, *map(len, columns)])
        shape = len(columns), len(place)
        held = sparse.csr_array((np.ones(len(flat)), flat, ends), shape=shape)
        return cls(occurrences, phrases, place, held, held.T.tocsr())

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
    (found,) = grown_of_all([terms], browser, [rows])
    return list(islice(found, most))


def grown_of_all(
    terms: Sequence[Terms], browser: Browser, sets: Sequence[Sequence[int]]
) -> Iterator[Iterator[str]]:
    """What :func:`grown` returns for each of several sets, found term by term as it is asked for.

    Args:
        terms: those of each set.
        browser: the words and phrases of all documents of the name or topic.
        sets: the documents of each set; sets may overlap.
    """
    member = membership(sets, browser.occurrences.documents)
    words = _Counted.of(member, browser.occurrences.at(Position.ANYWHERE))
    phrases = _Counted.of(member, browser.phrases.bags.counts)
    for number, of_set in enumerate(terms):
        weights = {browser.place[word]: weight for word, weight in of_set if weight > 0}
        yield _Growth.of(browser, weights, words.row(number), phrases.row(number)).found()


@dataclass(frozen=True, slots=True, eq=False)
class _Counted:
    """How often each of c words or phrases occurs in each set of documents."""

    documents: sparse.csr_array
    """Shape (sets, c): in how many documents."""
    times: sparse.csr_array
    """Shape (sets, c): how often; entries as in ``documents``."""

    @classmethod
    def of(cls, member: sparse.csr_array, counts: sparse.csr_array) -> _Counted:
        present = counts.copy()
        present.data = np.ones_like(present.data)
        return cls(sparse.csr_array(member @ present), sparse.csr_array(member @ counts))

    def row(self, number: int) -> tuple[Integers, Integers]:
        """Shapes (c,): the counts of one set."""
        return _dense(self.documents, number), _dense(self.times, number)


@dataclass(frozen=True, slots=True, eq=False)
class _Growth:
    """What the terms of one set of documents can grow to."""

    browser: Browser
    weights: dict[int, float]
    """Word → weight, all positive, best first."""
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
    def of(
        cls,
        browser: Browser,
        weights: dict[int, float],
        words: tuple[Integers, Integers],
        phrases: tuple[Integers, Integers],
    ) -> _Growth:
        """Add up the weights of the words of each phrase."""
        vector = np.zeros(len(browser.occurrences.words))
        vector[list(weights)] = list(weights.values())
        return cls(browser, weights, browser.held @ vector, *words, *phrases)

    def found(self) -> Iterator[str]:
        """Terms and phrases, best first."""
        covered: set[str] = set()
        for word in self.weights:
            own = singular(self.browser.occurrences.words[word])
            if own not in covered:
                phrase = self.best(word, covered)
                covered |= {own} if phrase is None else self.browser.singulars(phrase)
                yield self.browser.word(word) if phrase is None else self.browser.phrase(phrase)

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


def _columns(matrix: sparse.csr_array, row: int) -> Integers:
    """Where a row of a sparse matrix holds something."""
    begin, end = matrix.indptr[row : row + 2]
    return np.asarray(matrix.indices[begin:end], dtype=np.int64)


def _dense(matrix: sparse.csr_array, row: int) -> Integers:
    """Shape (columns,): a row of a sparse matrix with its zeros."""
    begin, end = matrix.indptr[row : row + 2]
    found = np.zeros(matrix.shape[1], dtype=np.int64)
    found[matrix.indices[begin:end]] = matrix.data[begin:end]
    return found
