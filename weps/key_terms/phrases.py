"""The phrases of documents, in their usual spelling, and key terms extended to them.

A finite automaton over parts of speech finds phrases, as in terminology browsing (Peñas, Verdejo
and Gonzalo 2002): nouns with the adjectives and nouns before them, joined by *of*. Extending terms
follows COLING 2004, section 5.1 (phrase browsing): *Haiti* is the key term, *president of Haiti*
is what a person wants to read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps._text import singular_form
from weps.clustering.dendrogram import membership_matrix
from weps.features.bags import Bags, is_content_word, stop_words
from weps.features.sequences import Sequences
from weps.key_terms.extraction import Terms
from weps.key_terms.occurrences import Occurrences, Position
from weps.language.analysis import Analysis, Layer

__all__ = ["PhraseBrowser", "Phrases", "extend_all_to_phrases", "extend_to_phrases"]

_MAX_WORDS = 6
"""Words of a phrase, those that join it among them."""
_CONNECTORS = frozenset("of de del della di da du des".split())
_ARTICLES = frozenset("the el la los las le les".split())
"""What may stand after a joining word."""
_OPENING, _CLOSING = ["n", "a"], ["n"]
_CLASSES = {"NOUN": "n", "PROPN": "n", "ADJ": "a"}
_INITIAL = re.compile(r"[^\W\d_]\.?")
_PHRASE_PATTERN = re.compile(r"(?:[ANan][ani]*n|[Nn])(?:pd?(?:[an][ani]*)?n)*")
"""Over the class letters of the tokens; a capital letter is the first token of a sentence."""

Numbers: TypeAlias = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Phrases:
    """The phrases of a name's or topic's documents, of two words or more."""

    bags: Bags
    """Spellings that differ in case only are one string, the most frequent of them."""
    spelled: Mapping[str, str]
    """Lower-case word → its most frequent spelling."""

    @classmethod
    def of(cls, analysis: Analysis) -> Phrases:
        """Noun phrases, if parts of speech are known, else runs of content words.

        Without the layer of tags every content word passes for a noun; runs that recur on several
        pages are mostly meaningful. Every part of a phrase that could stand alone is a phrase too:
        *York school board* holds *York school* and *school board*. Words of the person's name
        belong to no phrase.
        """
        tokens = _tagged_tokens(analysis)
        letters = np.array(tokens.letters, dtype="U1")[tokens.entry]
        run = _phrase_runs(letters, tokens.sentence)
        inside = run >= 0
        sequences = Sequences(
            tokens.texts,
            tokens.entry[inside].astype(np.int64),
            run[inside],
            analysis.tokens.document[tokens.sentence[inside]],
            len(analysis.documents),
        )
        parts = _run_parts(sequences, letters[inside])
        return cls(_fold_case(parts), _spellings(tokens))


@dataclass(frozen=True, slots=True, eq=False)
class _TaggedTokens:
    """All tokens of the documents in reading order: t tokens, d distinct."""

    texts: Sequence[str]
    """d texts as written."""
    letters: Sequence[str]
    """d class letters: n noun, a adjective, i initial, p joining word, d article, a point for
    what belongs to no phrase."""
    entry: Numbers
    """Shape (t,): index into ``texts`` and ``letters``."""
    sentence: Numbers
    """Shape (t,), never decreasing."""


def _tagged_tokens(analysis: Analysis) -> _TaggedTokens:
    """The tagged tokens if there are any, else those of the token table."""
    name, table = analysis.name.tokens, analysis.tokens
    if Layer.TAGS not in analysis.marks:
        letters = [_class_letter(text, "", name) for text in table.surface]
        return _TaggedTokens(table.surface, letters, table.token, table.sentence)
    marks = analysis.layer(Layer.TAGS)
    told = zip(marks.texts, marks.kinds, strict=True)
    letters = [_class_letter(text, tag, name) for text, tag in told]
    return _TaggedTokens(marks.texts, letters, marks.entry, marks.sentence)


def _class_letter(text: str, tag: str, name: Collection[str]) -> str:
    """The class letter of a word; without a tag it is whatever it can be."""
    word = text.lower()
    if word in _CONNECTORS and tag in {"ADP", ""}:
        return "p"
    if word in _ARTICLES and tag in {"DET", ""}:
        return "d"
    if _INITIAL.fullmatch(word):
        return "i"
    if not is_content_word(word, name) or not any(map(str.isalpha, word)):
        return "."
    if word in stop_words():
        return "a" if tag in {"ADJ", "PROPN"} and text[0].isupper() else "."  # New York
    return _CLASSES.get(tag, ".") if tag else "n"


def _phrase_runs(letters: NDArray[np.str_], sentence: Numbers) -> NDArray[np.int64]:
    """Shape (t,): the number of the run that a token stands in, -1 outside."""
    first = np.diff(sentence, prepend=-1) != 0
    text = "".join(np.where(first, np.char.upper(letters), letters).tolist())
    run = np.full(len(letters), -1, dtype=np.int64)
    for number, found in enumerate(_PHRASE_PATTERN.finditer(text)):
        run[found.start() : found.end()] = number
    return run


def _run_parts(sequences: Sequences, letters: NDArray[np.str_]) -> list[Bags]:
    """For each length the parts of the runs that could stand alone."""
    opening, closing = np.isin(letters, _OPENING), np.isin(letters, _CLOSING)
    parts = []
    for length in range(2, _MAX_WORDS + 1):
        starts = sequences.starts(length)
        kept = opening[starts] & closing[starts + length - 1]
        parts.append(sequences.bags(starts[kept], length))
    return parts


def _fold_case(parts: Sequence[Bags]) -> Bags:
    """All bags in one; of spellings that differ in case only, the most frequent stands for all."""
    counts = sparse.hstack([bags.counts for bags in parts]).tocoo()
    strings = [string for bags in parts for string in bags.strings]
    row, column = counts.coords
    spelled = _frequent_spellings(strings, np.bincount(column, counts.data, minlength=len(strings)))
    place = {lower: number for number, lower in enumerate(spelled)}
    folded = np.array([place[string.lower()] for string in strings], dtype=np.int64)
    shape = counts.shape[0], len(spelled)
    summed = sparse.coo_array((counts.data, (row, folded[column])), shape=shape).tocsr()
    return Bags(summed, tuple(spelled.values()))


def _spellings(tokens: _TaggedTokens) -> dict[str, str]:
    """Lower-case token → its most frequent spelling."""
    return _frequent_spellings(tokens.texts, np.bincount(tokens.entry, minlength=len(tokens.texts)))


def _frequent_spellings(strings: Sequence[str], times: NDArray[np.number]) -> dict[str, str]:
    """Lower-case string → the spelling that occurs most often, of several the first by code.

    Args:
        strings: which may repeat.
        times: shape (strings,), how often each occurs.
    """
    frequency: Counter[str] = Counter()
    for string, count in zip(strings, times.tolist(), strict=True):
        frequency[string] += count
    spelled: dict[str, str] = {}
    for string in sorted(frequency, key=lambda each: (-frequency[each], each)):
        spelled.setdefault(string.lower(), string)
    return spelled


_MIN_OCCURRENCES = 2
"""Fewest occurrences of a phrase."""
_BOUND_SHARE = 0.8
"""Share of a term's occurrences within a phrase from which the phrase replaces it."""

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class PhraseBrowser:
    """The words and the phrases of the same documents, and which words the phrases hold."""

    occurrences: Occurrences
    phrases: Phrases
    place: Mapping[str, int]
    """Word in lower case → its number."""
    words_of_phrases: sparse.csr_array
    """Shape (phrases, words), float64: 1 where the phrase holds the word."""
    phrases_of_words: sparse.csr_array
    """Its transpose."""

    @classmethod
    def of(cls, occurrences: Occurrences, phrases: Phrases) -> PhraseBrowser:
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
        """A phrase in its most frequent spelling."""
        return self.phrases.bags.strings[number]

    def word(self, number: int) -> str:
        """A word in its most frequent spelling."""
        lower = self.occurrences.words[number]
        return self.phrases.spelled.get(lower, lower)

    def singulars(self, phrase: int) -> set[str]:
        """The words that a phrase holds, plurals undone."""
        words = self.occurrences.words
        return {
            singular_form(words[number])
            for number in _row_columns(self.words_of_phrases, phrase).tolist()
        }


def extend_to_phrases(
    terms: Terms, browser: PhraseBrowser, rows: Sequence[int], most: int | None = None
) -> list[str]:
    """The terms of a set of documents, each extended to its best phrase, if any.

    The gain of a phrase over a term that it holds is

        documents with the phrase / documents with the term · Σ weights of its words / weight

    so that half the documents are enough for a phrase whose words weigh twice as much. A term grows
    to the phrase of greatest gain, of equals to the shortest, if that gain is above 1 or if the
    term hardly ever stands outside the phrase (*New York*); the phrase must occur twice in the set
    if the term does. No two of what is returned share a word, singular or plural, and terms
    without positive weight are left out.

    Args:
        terms: those of the set, see :func:`weps.key_terms.extraction.key_terms`.
        browser: the words and phrases of all documents of the name or topic.
        rows: the documents of the set.
        most: how many terms and phrases to return; None for all.

    Returns:
        Terms and phrases in their most frequent spelling, best first.
    """
    (found,) = extend_all_to_phrases([terms], browser, [rows])
    return list(islice(found, most))


def extend_all_to_phrases(
    terms: Sequence[Terms], browser: PhraseBrowser, sets: Sequence[Sequence[int]]
) -> Iterator[Iterator[str]]:
    """What :func:`extend_to_phrases` returns for each of several sets, term by term on demand.

    Args:
        terms: those of each set.
        browser: the words and phrases of all documents of the name or topic.
        sets: the documents of each set; sets may overlap.
    """
    member = membership_matrix(sets, browser.occurrences.documents)
    words = _SetCounts.of(member, browser.occurrences.at(Position.ANYWHERE))
    phrases = _SetCounts.of(member, browser.phrases.bags.counts)
    for number, of_set in enumerate(terms):
        weights = {browser.place[word]: weight for word, weight in of_set if weight > 0}
        yield _PhraseExtension.of(
            browser, weights, words.row(number), phrases.row(number)
        ).extended_terms()


@dataclass(frozen=True, slots=True, eq=False)
class _SetCounts:
    """How often each of c words or phrases occurs in each set of documents."""

    documents: sparse.csr_array
    """Shape (sets, c): in how many documents."""
    times: sparse.csr_array
    """Shape (sets, c): how often; entries as in ``documents``."""

    @classmethod
    def of(cls, member: sparse.csr_array, counts: sparse.csr_array) -> _SetCounts:
        present = counts.copy()
        present.data = np.ones_like(present.data)
        return cls(sparse.csr_array(member @ present), sparse.csr_array(member @ counts))

    def row(self, number: int) -> tuple[Integers, Integers]:
        """Shapes (c,): the counts of one set."""
        return _dense_row(self.documents, number), _dense_row(self.times, number)


@dataclass(frozen=True, slots=True, eq=False)
class _PhraseExtension:
    """The phrases that the terms of one set of documents can be extended to."""

    browser: PhraseBrowser
    weights: dict[int, float]
    """Word → weight, all positive, best first."""
    phrase_weights: NDArray[np.float64]
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
        browser: PhraseBrowser,
        weights: dict[int, float],
        words: tuple[Integers, Integers],
        phrases: tuple[Integers, Integers],
    ) -> _PhraseExtension:
        """Add up the weights of the words of each phrase."""
        vector = np.zeros(len(browser.occurrences.words))
        vector[list(weights)] = list(weights.values())
        return cls(browser, weights, browser.words_of_phrases @ vector, *words, *phrases)

    def extended_terms(self) -> Iterator[str]:
        """Terms and phrases, best first."""
        covered: set[str] = set()
        for word in self.weights:
            own = singular_form(self.browser.occurrences.words[word])
            if own not in covered:
                phrase = self.best_phrase(word, covered)
                covered |= {own} if phrase is None else self.browser.singulars(phrase)
                yield self.browser.word(word) if phrase is None else self.browser.phrase(phrase)

    def best_phrase(self, word: int, covered: Collection[str]) -> int | None:
        """The phrase without a covered word that extends the term; None if there is none."""
        phrases = self._candidate_phrases(word)
        share = self.phrase_documents[phrases] / self.word_documents[word]
        gains = share * self.phrase_weights[phrases] / self.weights[word]
        bound = self.phrase_times[phrases] >= _BOUND_SHARE * self.word_times[word]
        fit = (gains > 1) | bound
        free = [
            (-gain, len(self.browser.phrase(phrase)), self.browser.phrase(phrase), phrase)
            for gain, phrase in zip(gains[fit].tolist(), phrases[fit].tolist(), strict=True)
            if self.browser.singulars(phrase).isdisjoint(covered)
        ]
        return min(free)[-1] if free else None

    def _candidate_phrases(self, word: int) -> Integers:
        """The phrases of the set that hold the word and occur often enough."""
        phrases = _row_columns(self.browser.phrases_of_words, word)
        enough = min(_MIN_OCCURRENCES, int(self.word_times[word]))
        return phrases[self.phrase_times[phrases] >= enough]


def _row_columns(matrix: sparse.csr_array, row: int) -> Integers:
    """The nonzero columns of a row of a sparse matrix."""
    begin, end = matrix.indptr[row : row + 2]
    return np.asarray(matrix.indices[begin:end], dtype=np.int64)


def _dense_row(matrix: sparse.csr_array, row: int) -> Integers:
    """Shape (columns,): a row of a sparse matrix with its zeros."""
    begin, end = matrix.indptr[row : row + 2]
    found = np.zeros(matrix.shape[1], dtype=np.int64)
    found[matrix.indices[begin:end]] = matrix.data[begin:end]
    return found
