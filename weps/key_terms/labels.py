"""Labels: a few terms that distinguish each person from the namesakes.

Words are ranked by how well they identify one person, and extended to phrases by an index.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps._files import gazetteer_names
from weps._text import split_words
from weps.clustering.dendrogram import membership_matrix
from weps.features.bags import Bags
from weps.key_terms.candidates import Candidates, PageWords, candidate_strings, page_words
from weps.key_terms.extraction import Terms, ranked_words_of_all
from weps.key_terms.occurrences import Occurrences, Position
from weps.key_terms.phrases import PhraseBrowser, Phrases, extend_all_to_phrases
from weps.key_terms.weighting import Reference, Weighting, weighting_by_name
from weps.language.analysis import Analysis
from weps.similarity import PairTable

__all__ = [
    "DEFAULT_WEIGHTING",
    "Label",
    "PhraseIndex",
    "Vocabulary",
    "labels_and_words",
    "person_labels",
]

_NEAR_WEIGHT = 2.0
"""Factor of a word that is near the name on all pages of the person."""
_OCCUPATION_WEIGHT = 5.0
"""Factor of a word that names an occupation."""
_MAX_RANKED, _MAX_KEPT = 300, 30
"""Number of terms of each person that are reweighted, and of those that are kept."""

Floats = NDArray[np.float64]
Integers = NDArray[np.integer]


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The w candidate words of labels, and the phrases that contain them."""

    occurrences: Occurrences
    near: sparse.csr_array
    """Shape (documents, w), float64: 1 where the word stands near the name."""
    base_weights: Floats
    """Shape (w,): weights of words, independent of the person."""
    form: Integers
    """Shape (w,): their places among the forms of the pages."""
    phrases: tuple[Candidates, ...]
    """By length."""
    pages: PageWords

    @classmethod
    def of(cls, analysis: Analysis) -> Vocabulary:
        """Collect the words of text, title and snippet of every page."""
        words = page_words(analysis)
        single, *phrases = candidate_strings(analysis)
        form = single.parts[:, 0]
        order = np.argsort(np.array(words.forms, dtype=object)[form])
        form = form[order]
        counts = _count_forms(words, ~words.address, len(analysis.documents))[:, form]
        near = _count_forms(words, ~words.address & words.near, len(analysis.documents))[:, form]
        told = tuple(words.forms[at] for at in form.tolist())
        return cls(
            Occurrences(told, {Position.ANYWHERE: counts}),
            near.minimum(1),
            _base_weights(words, form, single.name_scores[order]),
            form,
            tuple(phrases),
            words,
        )

    def terms(self, people: Sequence[Sequence[int]], weighting: Weighting) -> list[Terms]:
        """For each person the best words, see :func:`weps.key_terms.extraction.key_terms`.

        Weights are multiplied by those of the words, and by how often they are near the name.
        """
        ranked = ranked_words_of_all(
            self.occurrences,
            people,
            weighting,
            Reference.builtin(),
            namesakes=True,
            most=_MAX_RANKED,
        )
        near = sparse.csr_array(membership_matrix(people, self.occurrences.documents) @ self.near)
        return [
            self._best_terms(
                *of_person, self.base_weights * (1 + _NEAR_WEIGHT * pages / max(len(rows), 1))
            )
            for of_person, pages, rows in zip(ranked, _dense_rows(near), people, strict=True)
        ]

    def _best_terms(self, word: Integers, weights: Floats, factors: Floats) -> Terms:
        """Those of positive weight, best first, equals in alphabetical order."""
        weights = weights * factors[word]
        order = np.lexsort((word, -weights))[:_MAX_KEPT]
        told = zip(word[order].tolist(), weights[order].tolist(), strict=True)
        return [(self.occurrences.words[at], weight) for at, weight in told if weight > 0]


def _dense_rows(matrix: sparse.csr_array) -> Iterator[Floats]:
    """Shape (columns,) each: the rows of a sparse matrix with their zeros."""
    for begin, end in pairwise(matrix.indptr.tolist()):
        row = np.zeros(matrix.shape[1])
        row[matrix.indices[begin:end]] = matrix.data[begin:end]
        yield row


def _count_forms(words: PageWords, chosen: NDArray[np.bool_], documents: int) -> sparse.csr_array:
    """Shape (documents, forms), int32: how often each form stands where it is to be counted."""
    places = words.document[chosen], words.form[chosen]
    ones = np.ones(len(places[0]), dtype=np.int32)
    return sparse.coo_array((ones, places), shape=(documents, len(words.forms))).tocsr()


def _base_weights(words: PageWords, form: Integers, worth: Floats) -> Floats:
    """Shape (w,): the root of how well a word names anything; more for occupations."""
    roles = words.flags(_occupation_words())[form]
    return np.asarray(np.sqrt(worth) * np.where(roles, 1 + _OCCUPATION_WEIGHT, 1.0))


def _occupation_words() -> frozenset[str]:
    """The words that occupations end with."""
    return frozenset(name.lower().split()[-1] for name in gazetteer_names("occupations"))


@dataclass(frozen=True, slots=True, eq=False)
class PhraseIndex:
    """An index of words and phrases by their forms in lower case, with their spellings."""

    browser: PhraseBrowser
    words: Mapping[str, int]
    """Word → its place among the forms of the pages."""
    phrases: Mapping[str, tuple[Candidates, int]]
    """Phrase → where it is."""
    pages: PageWords
    order: Integers
    """Shape (T,): the words of the pages, ordered by their forms; those of one form in order."""
    begin: Integers
    """Shape (forms + 1,): where each form begins there, and the end."""

    @classmethod
    def of(cls, vocabulary: Vocabulary, terms: Sequence[Terms]) -> PhraseIndex:
        """Build the index of the words of the terms, and the phrases that contain any of them."""
        wanted = frozenset(word for word, _ in chain.from_iterable(terms))
        kept = [(each, _phrases_with(each, vocabulary, wanted)) for each in vocabulary.phrases]
        phrases = {
            text: place for each in kept for text, place in _indexed_phrases(vocabulary, *each)
        }
        counts = [each.bags.counts[:, columns] for each, columns in kept]
        bags = Bags(sparse.hstack(counts, format="csr"), tuple(phrases))
        held = wanted.union(chain.from_iterable(map(str.split, phrases)))
        chosen = np.flatnonzero([word in held for word in vocabulary.occurrences.words])
        words = {vocabulary.occurrences.words[at]: int(vocabulary.form[at]) for at in chosen}
        counts_of_words = vocabulary.occurrences.at(Position.ANYWHERE)[:, chosen]
        occurrences = Occurrences(tuple(words), {Position.ANYWHERE: counts_of_words})
        browser = PhraseBrowser.of(occurrences, Phrases(bags, {}))
        pages = vocabulary.pages
        order = np.argsort(pages.form, kind="stable")
        begin = np.searchsorted(pages.form[order], np.arange(len(pages.forms) + 1))
        return cls(browser, words, phrases, pages, order, begin)

    def spelling(self, text: str) -> str:
        """A word or phrase in its most frequent spelling."""
        if text in self.words:
            return self._word_spelling(self.words[text])
        source, column = self.phrases[text]
        return source.bags.strings[column]

    def _word_spelling(self, form: int) -> str:
        """As written outside of addresses; if pages are lists, in titles and snippets."""
        pages = self.pages
        found = self.order[self.begin[form] : self.begin[form + 1]]
        found = found[~pages.address[found]]
        shown = found[found >= pages.results_start]
        chosen = shown if pages.is_word_list and len(shown) else found
        ways: Counter[str] = Counter(pages.surface[at] for at in pages.written[chosen].tolist())
        return max(ways, key=lambda way: (ways[way], way))


def _phrases_with(phrases: Candidates, vocabulary: Vocabulary, wanted: frozenset[str]) -> Integers:
    """The phrases that are written as names and contain a requested word."""
    held = vocabulary.pages.flags(wanted)[phrases.parts].any(axis=1)
    return np.flatnonzero((phrases.name_scores > 0) & held)


def _indexed_phrases(
    vocabulary: Vocabulary, phrases: Candidates, columns: Integers
) -> Iterator[tuple[str, tuple[Candidates, int]]]:
    """The chosen phrases in lower case with their places."""
    for column, parts in zip(columns.tolist(), phrases.parts[columns].tolist(), strict=True):
        yield " ".join(vocabulary.pages.forms[part] for part in parts), (phrases, column)


DEFAULT_WEIGHTING = "likelihood_ratio+spread"
"""How words are weighed, see :data:`weps.key_terms.weighting.WEIGHTINGS`."""
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
    """Up to five words and names, see :func:`person_labels`."""
    words: tuple[str, ...]
    """Up to ten further words, of which none is part of a term."""


def person_labels(
    people: Sequence[Sequence[int]], table: PairTable, weighting_name: str = DEFAULT_WEIGHTING
) -> list[tuple[str, ...]]:
    """For each person up to five words and names, best first, as they are mostly written.

    None holds a word of the name searched for, and no two share a word, singular or plural. Where
    pages have no text, titles and snippets are all there is; without these a label is empty.

    Args:
        people: for each person the rows of their pages.
        table: the pages, of any form.
        weighting_name: a weighting that needs no tags.
    """
    return [each.terms for each in labels_and_words(people, table, weighting_name)]


def labels_and_words(
    people: Sequence[Sequence[int]], table: PairTable, weighting_name: str = DEFAULT_WEIGHTING
) -> list[Label]:
    """The labels of people, who may share pages, and the best words that are left.

    Args:
        people: for each person the rows of their pages; all others are the namesakes'.
        table: the pages, of any form.
        weighting_name: a weighting that needs no tags.
    """
    vocabulary = Vocabulary.of(table.analysis)
    best = vocabulary.terms(people, weighting_by_name(weighting_name))
    shelf = PhraseIndex.of(vocabulary, best)
    spelled = cache(lambda term: _normalise_capitals(shelf.spelling(term)))
    return [
        _build_label(map(spelled, grown), [spelled(word) for word, _ in words])
        for grown, words in zip(
            extend_all_to_phrases(best, shelf.browser, people), best, strict=True
        )
    ]


def _build_label(terms: Iterable[str], further: Iterable[str]) -> Label:
    told = _distinct_terms(terms, _MAX_TERMS)
    return Label(told, _distinct_terms(further, _MAX_WORDS, known=" ".join(told)))


def _normalise_capitals(term: str) -> str:
    """The term without words in capitals; short ones are abbreviations."""
    return " ".join(
        word.capitalize() if word.isupper() and len(word) > _MAX_ABBREVIATION else word
        for word in term.split()
    )


def _distinct_terms(terms: Iterable[str], most: int, known: str = "") -> tuple[str, ...]:
    """The first terms none of which is too long or repeats a word of another, or a known one.

    Extended terms repeat none but for *movies*, the singular of which is taken for *movy*.
    """
    told: list[str] = []
    covered = _singular_words(known)
    for term in terms:
        forms = _singular_words(term)
        if len(term) <= _MAX_TERM_LENGTH and covered.isdisjoint(forms):
            told.append(term)
            covered |= forms
        if len(told) == most:
            break
    return tuple(told)


def _singular_words(text: str) -> set[str]:
    """The words of a text, plurals undone."""
    return {word.removesuffix("s") for word in split_words(text)}
