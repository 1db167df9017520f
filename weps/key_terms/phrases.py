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
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps._text import singular_form
from weps.clustering.dendrogram import membership_matrix
from weps.features.bags import Bags, is_content_word, stop_words
from weps.features.sequences import Sequences
from weps.key_terms.extraction import Terms
from weps.key_terms.occurrences import Occurrences, Position, binary_counts
from weps.language.analysis import Analysis, Layer

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
    """Lower-case token → its most frequent spelling."""

    @classmethod
    def of(cls, analysis: Analysis) -> Phrases:
        """Noun phrases, if parts of speech are known, else runs of content words.

        Without the layer of tags every content word passes for a noun; runs that recur on several
        pages are mostly meaningful. Every part of a phrase that could stand alone is a phrase too:
        *York school board* holds *York school* and *school board*. Words of the person's name
        belong to no phrase.
        """
        if Layer.TAGS in analysis.marks:
            marks = analysis.layer(Layer.TAGS)
            texts, tags, entry, sentence = marks.texts, marks.kinds, marks.entry, marks.sentence
        else:
            table = analysis.tokens
            texts, entry, sentence = table.surface, table.token, table.sentence
            tags = ("",) * len(texts)
        name = analysis.name.tokens
        classes = [_class_letter(text, tag, name) for text, tag in zip(texts, tags, strict=True)]
        letters = np.array(classes, dtype="U1")[entry]
        run = _phrase_runs(letters, sentence)
        inside = run >= 0
        documents = analysis.tokens.document[sentence[inside]]
        form = entry[inside].astype(np.int64)
        sequences = Sequences(texts, form, run[inside], documents, len(analysis.documents))
        times = np.bincount(entry, minlength=len(texts))
        parts = _run_parts(sequences, letters[inside])
        return cls(_fold_case(parts), _frequent_spellings(texts, times))


def _class_letter(text: str, tag: str, name: Collection[str]) -> str:
    """The class letter of a word; without a tag it is whatever it can be.

    n noun, a adjective, i initial, p joining word, d article, a point for what belongs to no
    phrase.
    """
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


def _frequent_spellings(strings: Sequence[str], times: NDArray[np.number]) -> dict[str, str]:
    """Lower-case string → the spelling that occurs most often, of several the first by code."""
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
        words = sparse.csr_array((np.ones(len(flat)), flat, ends), shape=shape)
        return cls(occurrences, phrases, place, words, words.T.tocsr())

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
    counts = (browser.occurrences.at(Position.ANYWHERE), browser.phrases.bags.counts)
    summed = [
        sparse.csr_array(member @ each)
        for matrix in counts
        for each in (binary_counts(matrix), matrix)
    ]
    for number, of_set in enumerate(terms):
        weights = {browser.place[word]: weight for word, weight in of_set if weight > 0}
        rows = _SetCounts(*(dense_row(each, number) for each in summed))
        yield _extended_terms(browser, weights, rows)


class _SetCounts(NamedTuple):
    """How words and phrases occur in one set of documents."""

    word_documents: Integers
    """Shape (words,): in how many documents of the set."""
    word_times: Integers
    """Shape (words,): how often."""
    phrase_documents: Integers
    """Shape (phrases,)."""
    phrase_times: Integers
    """Shape (phrases,)."""


def _extended_terms(
    browser: PhraseBrowser, weights: dict[int, float], counts: _SetCounts
) -> Iterator[str]:
    """Terms and phrases of a set, best first, from words with positive weights, best first."""
    vector = np.zeros(len(browser.occurrences.words))
    vector[list(weights)] = list(weights.values())
    phrase_weights = browser.words_of_phrases @ vector
    covered: set[str] = set()
    for word, weight in weights.items():
        own = singular_form(browser.occurrences.words[word])
        if own not in covered:
            phrase = _best_phrase(browser, counts, phrase_weights, (word, weight), covered)
            covered |= {own} if phrase is None else browser.singulars(phrase)
            yield browser.word(word) if phrase is None else browser.phrase(phrase)


def _best_phrase(
    browser: PhraseBrowser,
    counts: _SetCounts,
    phrase_weights: NDArray[np.float64],
    term: tuple[int, float],
    covered: Collection[str],
) -> int | None:
    """The phrase without a covered word that extends the term; None if there is none."""
    word, weight = term
    enough = min(_MIN_OCCURRENCES, int(counts.word_times[word]))
    phrases = _row_columns(browser.phrases_of_words, word)
    phrases = phrases[counts.phrase_times[phrases] >= enough]
    share = counts.phrase_documents[phrases] / counts.word_documents[word]
    gains = share * phrase_weights[phrases] / weight
    bound = counts.phrase_times[phrases] >= _BOUND_SHARE * counts.word_times[word]
    fit = (gains > 1) | bound
    free = [
        (-gain, len(browser.phrase(phrase)), browser.phrase(phrase), phrase)
        for gain, phrase in zip(gains[fit].tolist(), phrases[fit].tolist(), strict=True)
        if browser.singulars(phrase).isdisjoint(covered)
    ]
    return min(free)[-1] if free else None


def _row_columns(matrix: sparse.csr_array, row: int) -> Integers:
    """The nonzero columns of a row of a sparse matrix."""
    begin, end = matrix.indptr[row : row + 2]
    return np.asarray(matrix.indices[begin:end], dtype=np.int64)


def dense_row(matrix: sparse.csr_array, row: int) -> NDArray[Any]:
    """Shape (columns,): a row of a sparse matrix with its zeros."""
    begin, end = matrix.indptr[row : row + 2]
    found = np.zeros(matrix.shape[1], dtype=matrix.dtype)
    found[matrix.indices[begin:end]] = matrix.data[begin:end]
    return found
