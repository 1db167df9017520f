"""Labels: a few terms that distinguish each person from the namesakes.

Words are ranked by how well they identify one person, and extended to phrases by an index.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps._files import gazetteer_names
from weps._sets import sums_of_sets
from weps._text import split_words
from weps.features.bags import Bags, LazyStrings
from weps.key_terms.candidates import (
    Candidates,
    PageWords,
    candidate_strings,
    page_words,
    usual_spelling,
)
from weps.key_terms.extraction import ranked_words_of_all
from weps.key_terms.occurrences import Occurrences, Position, count_near
from weps.key_terms.phrases import (
    PhraseBrowser,
    WeighedWords,
    dense_row,
    extend_all_to_phrases,
)
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
    """Shape (documents, w), int32: 1 where the word stands near the name, 0 where elsewhere."""
    base_weights: Floats
    """Shape (w,): the root of how well a word names anything, more for occupations."""
    form: Integers
    """Shape (w,): their places among the forms of the pages."""
    browser: PhraseBrowser
    """The words and p phrases."""
    phrases: tuple[Candidates, ...]
    """By length."""
    length: Integers
    """Shape (p,): the place among them of those that a phrase is of."""
    column: Integers
    """Shape (p,): its place among these."""
    pages: PageWords

    @classmethod
    def of(cls, analysis: Analysis) -> Vocabulary:
        """The words of text, title and snippet of every page."""
        words = page_words(analysis)
        single, *phrases = candidate_strings(analysis)
        form = single.parts[:, 0]
        order = np.argsort(np.array(words.forms, dtype=object)[form])
        form = form[order]
        word_of = np.full(len(words.forms) + 1, -1, dtype=np.int32)
        word_of[form] = np.arange(len(form))
        column = word_of[words.form]
        chosen = np.flatnonzero((column >= 0) & ~words.address & ~words.foreign_stop)
        shape = words.documents, len(form)
        counts, near = count_near(words.document[chosen], column[chosen], words.near[chosen], shape)
        counts = counts.minimum(_MAX_TIMES)
        strings = tuple(words.forms[at] for at in form.tolist())
        occurrences = Occurrences(strings, {Position.ANYWHERE: counts})
        columns = [np.flatnonzero(each.name_scores > 0) for each in phrases]
        occupations = frozenset(name.lower().split()[-1] for name in gazetteer_names("occupations"))
        factors = np.where(words.flags(occupations)[form], 1 + _OCCUPATION_WEIGHT, 1.0)
        return cls(
            occurrences,
            near,
            np.sqrt(single.name_scores[order]) * factors,
            form,
            _browse_phrases(phrases, columns, occurrences, (word_of, words.forms)),
            tuple(phrases),
            np.repeat(np.arange(len(phrases)), list(map(len, columns))),
            np.concatenate(columns),
            words,
        )

    def terms(self, people: Sequence[Sequence[int]], weighting: Weighting) -> list[WeighedWords]:
        """For each person the best words, as :func:`weps.key_terms.extraction.key_terms` does.

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

    def _best_terms(self, word: Integers, weights: Floats, near: Floats) -> WeighedWords:
        """Those of positive weight, best first, equals in alphabetical order."""
        weights = weights * (self.base_weights[word] * (1 + near))
        order = np.lexsort((word, -weights))[:_MAX_KEPT]
        order = order[weights[order] > 0]
        return list(zip(word[order].tolist(), weights[order].tolist(), strict=True))


def _browse_phrases(
    phrases: Sequence[Candidates],
    columns: Sequence[Integers],
    occurrences: Occurrences,
    words: tuple[Integers, Sequence[str]],
) -> PhraseBrowser:
    """Index phrases by the words that they hold; phrases are in lower case.

    Args:
        phrases: by length.
        columns: of each length those that are meant.
        occurrences: of the words.
        words: the word that each form of the pages is, -1 for none, and these forms.
    """
    word_of, forms = words
    longest = max(each.parts.shape[1] for each in phrases)
    # Shorter ones are filled up with a form that is none.
    parts = np.full((sum(map(len, columns)), longest), len(forms), dtype=np.int32)
    counts, begin = [], 0
    for each, chosen in zip(phrases, columns, strict=True):
        parts[begin : begin + len(chosen), : each.parts.shape[1]] = each.parts[chosen]
        counts.append(each.bags.counts[:, chosen])
        begin += len(chosen)
    held = word_of[parts]
    phrase, place = np.nonzero(held >= 0)

    def text(number: int) -> str:
        return " ".join(forms[part] for part in parts[number].tolist() if part < len(forms))

    bags = Bags(sparse.hstack(counts, format="csr"), LazyStrings(np.arange(len(parts)), text))
    return PhraseBrowser.of(occurrences, bags, (phrase, held[phrase, place]))


_vocabulary_of = cached_for_name(Vocabulary.of)


@dataclass(frozen=True, slots=True, eq=False)
class Spellings:
    """How words and phrases are mostly written, words as they are outside of addresses."""

    vocabulary: Vocabulary
    starts: Integers
    """Where words stand outside of addresses, ordered by their forms; those of one in order."""
    begin: Integers
    """Shape (forms + 1,): where each form begins there, and the end."""

    @classmethod
    def of(cls, vocabulary: Vocabulary, terms: Iterable[WeighedWords]) -> Spellings:
        """Find where the words of the terms stand."""
        pages = vocabulary.pages
        wanted = np.zeros(len(pages.forms), dtype=bool)
        wanted[vocabulary.form[[word for of_person in terms for word, _ in of_person]]] = True
        starts = np.flatnonzero(wanted[pages.form] & ~pages.address)
        starts = starts[np.argsort(pages.form[starts], kind="stable")]
        return cls(
            vocabulary, starts, np.searchsorted(pages.form[starts], np.arange(len(wanted) + 1))
        )

    def spelling(self, number: int) -> str:
        """The spelling of a word of the terms, or of a phrase, by its number in the browser."""
        found, phrase = self.vocabulary, number - len(self.vocabulary.form)
        if phrase >= 0:
            of_length = found.phrases[int(found.length[phrase])]
            return of_length.bags.strings[int(found.column[phrase])]
        begin, end = self.begin[found.form[number] + np.arange(2)]
        return usual_spelling(found.pages, self.starts[begin:end], 1)


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
    spellings = Spellings.of(vocabulary, best)
    spell = cache(lambda term: _Spelled.of(_normalise_capitals(spellings.spelling(term))))
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
