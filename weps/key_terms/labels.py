"""Labels: a few terms that distinguish each person from the namesakes.

Words are ranked by how well they identify one person, and extended to phrases by an index.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps._files import gazetteer_names
from weps._text import split_words
from weps.clustering.dendrogram import sums_of_sets
from weps.features.bags import Bags
from weps.key_terms.candidates import (
    Candidates,
    PageWords,
    candidate_strings,
    page_words,
    usual_spelling,
)
from weps.key_terms.extraction import Terms, ranked_words_of_all
from weps.key_terms.occurrences import Occurrences, Position
from weps.key_terms.phrases import PhraseBrowser, dense_row, extend_all_to_phrases
from weps.key_terms.weighting import Reference, Weighting, weighting_by_name
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


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The w candidate words of labels, and the phrases that contain them."""

    occurrences: Occurrences
    near: sparse.csr_array
    """Shape (documents, w), float64: 1 where the word stands near the name."""
    base_weights: Floats
    """Shape (w,): the root of how well a word names anything, more for occupations."""
    form: Integers
    """Shape (w,): their places among the forms of the pages."""
    phrases: tuple[Candidates, ...]
    """By length."""
    pages: PageWords

    @classmethod
    def of(cls, analysis: Analysis) -> Vocabulary:
        """The words of text, title and snippet of every page."""
        words = page_words(analysis)
        single, *phrases = candidate_strings(analysis)
        form = single.parts[:, 0]
        order = np.argsort(np.array(words.forms, dtype=object)[form])
        form = form[order]
        evident = ~words.address & ~words.foreign_stop
        counts = _count_forms(words, evident)[:, form].minimum(_MAX_TIMES)
        near = _count_forms(words, evident & words.near)[:, form]
        strings = tuple(words.forms[at] for at in form.tolist())
        occupations = frozenset(name.lower().split()[-1] for name in gazetteer_names("occupations"))
        factors = np.where(words.flags(occupations)[form], 1 + _OCCUPATION_WEIGHT, 1.0)
        return cls(
            Occurrences(strings, {Position.ANYWHERE: counts}),
            near.minimum(1),
            np.sqrt(single.name_scores[order]) * factors,
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
        words = np.unique(np.concatenate([np.zeros(0, np.int64), *(word for word, _ in ranked)]))
        near = sums_of_sets(people, self.near[:, words])
        terms = []
        for number, (rows, (word, weights)) in enumerate(zip(people, ranked, strict=True)):
            times = dense_row(near, number)[np.searchsorted(words, word)]
            terms.append(self._best_terms(word, weights, _NEAR_WEIGHT * times / max(len(rows), 1)))
        return terms

    def _best_terms(self, word: Integers, weights: Floats, near: Floats) -> Terms:
        """Those of positive weight, best first, equals in alphabetical order."""
        weights = weights * (self.base_weights[word] * (1 + near))
        order = np.lexsort((word, -weights))[:_MAX_KEPT]
        best = zip(word[order].tolist(), weights[order].tolist(), strict=True)
        return [(self.occurrences.words[at], weight) for at, weight in best if weight > 0]


_vocabulary_of = cached_for_name(Vocabulary.of)


def _count_forms(words: PageWords, chosen: NDArray[np.bool_]) -> sparse.csr_array:
    """Shape (documents, forms), int32: how often each form stands where it is to be counted."""
    places = words.document[chosen], words.form[chosen]
    ones = np.ones(len(places[0]), dtype=np.int32)
    return sparse.coo_array((ones, places), shape=(words.documents, len(words.forms))).tocsr()


@dataclass(frozen=True, slots=True, eq=False)
class PhraseIndex:
    """An index of words and phrases by their forms in lower case, with their spellings."""

    browser: PhraseBrowser
    words: Mapping[str, int]
    """Word → its place among the forms of the pages."""
    phrases: Mapping[str, tuple[Bags, int]]
    """Phrase → where it is."""
    pages: PageWords
    order: Integers
    """Shape (T,): the words of the pages, ordered by their forms; those of one form in order."""
    begin: Integers
    """Shape (forms + 1,): where each form begins there, and the end."""

    @classmethod
    def of(cls, vocabulary: Vocabulary, terms: Sequence[Terms]) -> PhraseIndex:
        """Build the index of the words of the terms, and the phrases that contain any of them."""
        pages, words = vocabulary.pages, vocabulary.occurrences.words
        wanted = frozenset(word for word, _ in chain.from_iterable(terms))
        wanted_forms = pages.flags(wanted)
        phrases, counts = {}, []
        for each in vocabulary.phrases:
            holds_wanted = wanted_forms[each.parts].any(axis=1)
            columns = np.flatnonzero((each.name_scores > 0) & holds_wanted)
            counts.append(each.bags.counts[:, columns])
            for column, parts in zip(columns.tolist(), each.parts[columns].tolist(), strict=True):
                phrases[" ".join(pages.forms[part] for part in parts)] = each.bags, column
        bags = Bags(sparse.hstack(counts, format="csr"), tuple(phrases))
        needed = wanted.union(chain.from_iterable(map(str.split, phrases)))
        chosen = np.flatnonzero([word in needed for word in words])
        forms = {words[at]: int(vocabulary.form[at]) for at in chosen}
        counts_of_words = vocabulary.occurrences.at(Position.ANYWHERE)[:, chosen]
        occurrences = Occurrences(tuple(forms), {Position.ANYWHERE: counts_of_words})
        order = np.argsort(pages.form, kind="stable")
        begin = np.searchsorted(pages.form[order], np.arange(len(pages.forms) + 1))
        browser = PhraseBrowser.of(occurrences, bags)
        return cls(browser, forms, phrases, pages, order, begin)

    def spelling(self, text: str) -> str:
        """A word or phrase in its most frequent spelling, words as written outside of addresses."""
        if text not in self.words:
            bags, column = self.phrases[text]
            return bags.strings[column]
        form = self.words[text]
        starts = self.order[self.begin[form] : self.begin[form + 1]]
        return usual_spelling(self.pages, starts[~self.pages.address[starts]], 1)


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
    """Up to five words and names."""
    words: tuple[str, ...]
    """Up to ten further words, of which none is part of a term."""


def labels_and_words(
    people: Sequence[Sequence[int]], table: PairTable, weighting_name: str = DEFAULT_WEIGHTING
) -> list[Label]:
    """The labels of people, who may share pages, and the best words that are left.

    Terms are spelled as they are mostly written. None holds a word of the name searched for, and no
    two share a word, singular or plural. Where pages have no text, titles and snippets are all
    there is; without these a label is empty.

    Args:
        people: for each person the rows of their pages; all others are the namesakes'.
        table: the pages, of any form.
        weighting_name: a weighting that needs no tags.
    """
    vocabulary = _vocabulary_of(table.analysis)
    best = vocabulary.terms(people, weighting_by_name(weighting_name))
    index = PhraseIndex.of(vocabulary, best)
    spell = cache(lambda term: _Spelled.of(_normalise_capitals(index.spelling(term))))
    labels = []
    extended = extend_all_to_phrases(best, index.browser, people)
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
