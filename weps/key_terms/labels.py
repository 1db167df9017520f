"""Labels: a few terms that distinguish each person from the namesakes.

Words are ranked by how well they identify one person, and extended to the phrases that hold them
(COLING 2004, section 5.1, phrase browsing): *Haiti* is the key term, *president of Haiti* is what a
person wants to read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps._files import gazetteer_names
from weps._sets import membership_matrix, sums_of_sets
from weps._text import singular_form, split_words
from weps.features.bags import Bags, LazyStrings
from weps.key_terms.candidates import (
    Candidates,
    PageWords,
    binary_counts,
    candidate_strings,
    count_near,
    page_words,
    usual_spelling,
)
from weps.key_terms.weighting import Reference, Weigh, rank_words, spread_likelihood
from weps.language.analysis import Analysis, cached_for_name
from weps.similarity.table import PairTable

_NEAR_WEIGHT = 2.0
"""Factor of a word that is near the name on all pages of the person."""
_MAX_TIMES = 5
"""Times that a word counts on one page: in tables, CITY or STATE is in every row."""
_OCCUPATION_WEIGHT = 5.0
"""Factor of a word that an occupation ends with."""
_MAX_RANKED, _MAX_KEPT = 300, 30
"""Number of terms of each person that are reweighted, and of those that are kept."""

Floats = NDArray[np.float64]
Integers = NDArray[np.integer]
WeighedWords: TypeAlias = Sequence[tuple[int, float]]
"""Numbers of words and their weights, best first."""


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The w candidate words of labels, and the phrases that contain them."""

    words: Bags
    """In lower case, sorted; :data:`_MAX_TIMES` at most on a page."""
    near: sparse.csr_array
    """Shape (documents, w), int32: 1 where the word stands near the name, 0 where elsewhere."""
    base_weights: Floats
    """Shape (w,): the root of how well a word names anything, more for occupations."""
    form: Integers
    """Shape (w,): their places among the forms of the pages."""
    browser: PhraseBrowser
    """The words and p phrases."""
    phrases: Integers
    """Shape (p,): their columns among the candidates."""
    candidates: Candidates
    pages: PageWords

    @classmethod
    def of(cls, analysis: Analysis) -> Vocabulary:
        """The words of text, title and snippet of every page."""
        pages, candidates = page_words(analysis), candidate_strings(analysis)
        single = np.flatnonzero(candidates.lengths == 1)
        form = candidates.parts[single, 0]
        order = np.argsort(np.array(pages.forms, dtype=object)[form])
        form = form[order]
        word_of = np.full(len(pages.forms) + 1, -1, dtype=np.int32)  # the last for no form
        word_of[form] = np.arange(len(form))
        column = word_of[pages.form]
        chosen = np.flatnonzero((column >= 0) & ~pages.address & ~pages.foreign_stop)
        shape = pages.documents, len(form)
        counts, near = count_near(pages.document[chosen], column[chosen], pages.near[chosen], shape)
        words = Bags(counts.minimum(_MAX_TIMES), [pages.forms[at] for at in form.tolist()])
        occupations = frozenset(name.lower().split()[-1] for name in gazetteer_names("occupations"))
        factors = np.where(pages.flags(occupations)[form], 1 + _OCCUPATION_WEIGHT, 1.0)
        phrases = np.flatnonzero((candidates.lengths > 1) & (candidates.name_scores > 0))
        parts = candidates.parts[phrases]
        held = word_of[parts]
        phrase, place = np.nonzero(held >= 0)

        def text(number: int) -> str:
            return " ".join(pages.forms[part] for part in parts[number].tolist() if part >= 0)

        spelled = LazyStrings(np.arange(len(parts)), text)
        browsed = Bags(candidates.bags.counts[:, phrases], spelled)
        return cls(
            words,
            near,
            np.sqrt(candidates.name_scores[single][order]) * factors,
            form,
            PhraseBrowser.of(words, browsed, (phrase, held[phrase, place])),
            phrases,
            candidates,
            pages,
        )

    def terms(self, people: Sequence[Sequence[int]], weigh: Weigh) -> list[WeighedWords]:
        """For each person the best words of positive weight; equals in alphabetical order.

        Weights are multiplied by those of the words, and by how often they are near the name.
        """
        ranked = rank_words(self.words, people, weigh, Reference.builtin(), _MAX_RANKED)
        words = np.unique(np.concatenate([np.zeros(0, np.int64), *(word for word, _ in ranked)]))
        near = sums_of_sets(people, self.near[:, words])
        terms: list[WeighedWords] = []
        for number, (rows, (word, weights)) in enumerate(zip(people, ranked, strict=True)):
            times = _dense_row(near, number)[np.searchsorted(words, word)]
            nearness = 1 + _NEAR_WEIGHT * times / max(len(rows), 1)
            weights = weights * (self.base_weights[word] * nearness)  # noqa: PLW2901
            order = np.lexsort((word, -weights))[:_MAX_KEPT]
            order = order[weights[order] > 0]
            terms.append(list(zip(word[order].tolist(), weights[order].tolist(), strict=True)))
        return terms

    def spellings(self, terms: Iterable[WeighedWords]) -> Callable[[int], str]:
        """How the words of terms, and phrases, are mostly written, by number in the browser.

        Words are spelled as they are outside of addresses.
        """
        pages = self.pages
        wanted = np.zeros(len(pages.forms), dtype=bool)
        wanted[self.form[[word for of_person in terms for word, _ in of_person]]] = True
        starts = np.flatnonzero(wanted[pages.form] & ~pages.address)
        starts = starts[np.argsort(pages.form[starts], kind="stable")]
        bounds = np.searchsorted(pages.form[starts], np.arange(len(wanted) + 1))

        def spelling(number: int) -> str:
            if number >= len(self.form):
                return self.candidates.bags.strings[int(self.phrases[number - len(self.form)])]
            begin, end = bounds[self.form[number] + np.arange(2)]
            return usual_spelling(pages, starts[begin:end], 1)

        return spelling


_vocabulary_of = cached_for_name(Vocabulary.of)


_SETS_AT_ONCE = 64
"""Bounds the memory for what many sets hold."""
_MIN_OCCURRENCES = 2
"""Fewest occurrences of a phrase."""
_BOUND_SHARE = 0.8
"""Share of a term's occurrences within a phrase from which the phrase replaces it."""


@dataclass(frozen=True, slots=True, eq=False)
class PhraseBrowser:
    """The w words and the p phrases of the same documents, and which words the phrases hold.

    Words are numbered from 0, phrases from w.
    """

    words: Sequence[str]
    """In lower case, sorted."""
    phrases: Sequence[str]
    word_counts: sparse.csc_array
    """Shape (documents, w), int32: how often the word occurs."""
    phrase_counts: sparse.csc_array
    """Shape (documents, p), int32."""
    words_of_phrases: sparse.csr_array
    """Shape (p, w): some entry where the phrase holds the word."""
    phrases_of_words: sparse.csr_array
    """Its transpose."""

    @classmethod
    def of(cls, words: Bags, phrases: Bags, holds: tuple[Integers, Integers]) -> PhraseBrowser:
        """Index phrases by their words.

        Args:
            words: sorted.
            phrases: in the same documents.
            holds: numbers of phrases, and of one word that each of these holds.
        """
        shape = len(phrases.strings), len(words.strings)
        held = sparse.coo_array((np.ones(len(holds[0]), np.int8), holds), shape=shape).tocsr()
        counts = words.counts.tocsc(), phrases.counts.tocsc()
        return cls(words.strings, phrases.strings, *counts, held, held.T.tocsr())

    def singulars(self, phrase: int) -> set[str]:
        """The words that a phrase holds, plurals undone."""
        held = _row_columns(self.words_of_phrases, phrase).tolist()
        return {singular_form(self.words[number]) for number in held}


def extend_all_to_phrases(
    terms: Sequence[WeighedWords], browser: PhraseBrowser, sets: Sequence[Sequence[int]]
) -> Iterator[Iterator[int]]:
    """The terms of sets of documents, each extended to its best phrase, if any; on demand.

    The gain of a phrase over a term that it holds is

        documents with the phrase / documents with the term · Σ weights of its words / weight

    so that half the documents are enough for a phrase whose words weigh twice as much. A term grows
    to the phrase of greatest gain, of equals to the shortest, if that gain is above 1 or if the
    term hardly ever stands outside the phrase (*New York*); the phrase must occur twice in the set
    if the term does. No two of what is returned share a word, singular or plural, and terms
    without positive weight are left out.

    Args:
        terms: those of each set.
        browser: the words and phrases of all documents of the name or topic.
        sets: the documents of each set; sets may overlap.

    Yields:
        For each set the numbers of its terms and phrases, best first.
    """
    for begin in range(0, len(sets), _SETS_AT_ONCE):
        part = slice(begin, begin + _SETS_AT_ONCE)
        member = membership_matrix(sets[part], browser.word_counts.shape[0])
        words = np.array(sorted({word for of_set in terms[part] for word, _ in of_set}), dtype=int)
        phrases = np.unique(browser.phrases_of_words[words].indices)
        summed = [
            each
            for counts, columns in ((browser.word_counts, words), (browser.phrase_counts, phrases))
            for each in _sum_columns(member, counts, columns)
        ]
        for number, of_set in enumerate(terms[part]):
            weights = {word: weight for word, weight in of_set if weight > 0}
            rows = (_dense_row(each, number) for each in summed)
            yield _extended_terms(browser, weights, rows)


def _sum_columns(
    member: sparse.csr_array, counts: sparse.csc_array, columns: Integers
) -> Iterator[sparse.csr_array]:
    """Shape (sets, all columns): documents that have something, and sums; 0 in other columns."""
    chosen = counts[:, columns]
    for each in (binary_counts(chosen), chosen):
        part = sparse.csr_array(member @ each)
        entries = part.data, columns[part.indices], part.indptr
        yield sparse.csr_array(entries, shape=(part.shape[0], counts.shape[1]))


def _extended_terms(
    browser: PhraseBrowser, weights: dict[int, float], counts: Iterable[NDArray[Any]]
) -> Iterator[int]:
    """Terms and phrases of a set, best first.

    Args:
        browser: the words and phrases of all documents.
        weights: words with positive weights, best first.
        counts: the documents of the set with each word, its occurrences there, and the same of
            phrases.
    """
    word_documents, word_times, phrase_documents, phrase_times = counts
    phrase_weights = np.zeros(len(browser.phrases))
    for word in sorted(weights):
        phrase_weights[_row_columns(browser.phrases_of_words, word)] += weights[word]
    covered: set[str] = set()
    for word, weight in weights.items():
        own = singular_form(browser.words[word])
        if own in covered:
            continue
        phrases = _row_columns(browser.phrases_of_words, word)
        times = phrase_times[phrases]
        share = phrase_documents[phrases] / word_documents[word]
        gains = share * phrase_weights[phrases] / weight
        fit = (gains > 1) | (times >= _BOUND_SHARE * word_times[word])
        fit &= times >= min(_MIN_OCCURRENCES, int(word_times[word]))
        free = [
            (-gain, len(browser.phrases[phrase]), browser.phrases[phrase], phrase)
            for gain, phrase in zip(gains[fit].tolist(), phrases[fit].tolist(), strict=True)
            if browser.singulars(phrase).isdisjoint(covered)
        ]
        best = min(free)[-1] if free else None
        covered |= {own} if best is None else browser.singulars(best)
        yield word if best is None else len(browser.words) + best


def _row_columns(matrix: sparse.csr_array, row: int) -> Integers:
    """The nonzero columns of a row of a sparse matrix."""
    begin, end = matrix.indptr[row : row + 2]
    return np.asarray(matrix.indices[begin:end], dtype=np.int64)


def _dense_row(matrix: sparse.csr_array, row: int) -> NDArray[Any]:
    """Shape (columns,): a row of a sparse matrix with its zeros."""
    begin, end = matrix.indptr[row : row + 2]
    found = np.zeros(matrix.shape[1], dtype=matrix.dtype)
    found[matrix.indices[begin:end]] = matrix.data[begin:end]
    return found


_MAX_TERMS = 5
"""Terms of a label."""
_MAX_WORDS = 10
"""Further words."""
_MAX_ABBREVIATION = 5
"""Letters; longer words in capitals are spelled as others."""
_MAX_TERM_LENGTH = 40
"""Characters; longer phrases are headlines, no labels."""


class Label(NamedTuple):
    """Terms that distinguish a person from the namesakes, best first."""

    terms: tuple[str, ...]
    """Up to five words and names."""
    words: tuple[str, ...]
    """Up to ten further words, of which none is part of a term."""


def labels_and_words(
    people: Sequence[Sequence[int]], table: PairTable, weigh: Weigh = spread_likelihood
) -> list[Label]:
    """The labels of people, who may share pages, and the best words that are left.

    Terms are spelled as they are mostly written. None holds a word of the name searched for, and no
    two share a word, singular or plural. Where pages have no text, titles and snippets are all
    there is; without these a label is empty.

    Args:
        people: for each person the rows of their pages; all others are the namesakes'.
        table: the pages, of any form.
        weigh: how words are weighed.
    """
    vocabulary = _vocabulary_of(table.analysis)
    best = vocabulary.terms(people, weigh)
    spelling = vocabulary.spellings(best)
    spell = cache(lambda term: _Spelled.of(_normalise_capitals(spelling(term))))
    labels = []
    extended = extend_all_to_phrases(best, vocabulary.browser, people)
    for extended_terms, words in zip(extended, best, strict=True):
        terms = _distinct_terms(map(spell, extended_terms), _MAX_TERMS)
        further = (spell(word) for word, _ in words)
        labels.append(Label(terms, _distinct_terms(further, _MAX_WORDS, known=" ".join(terms))))
    return labels


class _Spelled(NamedTuple):
    """A term as it is shown, and the forms of its words by which terms repeat one another."""

    text: str
    forms: frozenset[str]

    @classmethod
    def of(cls, text: str) -> _Spelled:
        return cls(text, frozenset(word.removesuffix("s") for word in split_words(text)))


def _normalise_capitals(term: str) -> str:
    """The term without words in capitals; short ones are abbreviations."""
    return " ".join(
        word.capitalize() if word.isupper() and len(word) > _MAX_ABBREVIATION else word
        for word in term.split()
    )


def _distinct_terms(terms: Iterable[_Spelled], most: int, known: str = "") -> tuple[str, ...]:
    """The first terms none of which is too long or repeats a word of another, or a known one.

    Extended terms repeat none but for *movies*, the singular of which is taken for *movy*.
    """
    chosen: list[str] = []
    covered = set(_Spelled.of(known).forms)
    for term in terms:
        if len(term.text) <= _MAX_TERM_LENGTH and covered.isdisjoint(term.forms):
            chosen.append(term.text)
            covered |= term.forms
        if len(chosen) == most:
            break
    return tuple(chosen)
