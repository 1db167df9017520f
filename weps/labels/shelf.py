"""The phrases that the best words of people can grow to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps.candidates import Candidates, PageWords
from weps.features.bags import Bags
from weps.key_terms import Browser, Occurrences, Phrases, Position, Terms
from weps.labels.vocabulary import Vocabulary

__all__ = ["Shelf"]

Integers = NDArray[np.integer]


@dataclass(frozen=True, slots=True, eq=False)
class Shelf:
    """Words and phrases to be looked up by their forms in lower case, and spelled at the end."""

    browser: Browser
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
    def of(cls, vocabulary: Vocabulary, terms: Sequence[Terms]) -> Shelf:
        """Take the words of the terms, and the phrases that hold any of them."""
        wanted = frozenset(word for word, _ in chain.from_iterable(terms))
        kept = [(each, _holding(each, vocabulary, wanted)) for each in vocabulary.phrases]
        phrases = {text: place for each in kept for text, place in _told(vocabulary, *each)}
        counts = [each.bags.counts[:, columns] for each, columns in kept]
        bags = Bags(sparse.hstack(counts, format="csr"), tuple(phrases))
        held = wanted.union(chain.from_iterable(map(str.split, phrases)))
        chosen = np.flatnonzero([word in held for word in vocabulary.occurrences.words])
        words = {vocabulary.occurrences.words[at]: int(vocabulary.form[at]) for at in chosen}
        counts_of_words = vocabulary.occurrences.at(Position.ANYWHERE)[:, chosen]
        occurrences = Occurrences(tuple(words), {Position.ANYWHERE: counts_of_words})
        browser = Browser.of(occurrences, Phrases(bags, {}))
        pages = vocabulary.pages
        order = np.argsort(pages.form, kind="stable")
        begin = np.searchsorted(pages.form[order], np.arange(len(pages.forms) + 1))
        return cls(browser, words, phrases, pages, order, begin)

    def spelled(self, text: str) -> str:
        """A word or phrase as it is mostly written."""
        if text in self.words:
            return self._word(self.words[text])
        source, column = self.phrases[text]
        return source.bags.strings[column]

    def _word(self, form: int) -> str:
        """As written outside of addresses; if pages are lists, in titles and snippets."""
        pages = self.pages
        found = self.order[self.begin[form] : self.begin[form + 1]]
        found = found[~pages.address[found]]
        shown = found[found >= pages.shown]
        chosen = shown if pages.listed and len(shown) else found
        ways: Counter[str] = Counter(pages.surface[at] for at in pages.written[chosen].tolist())
        return max(ways, key=lambda way: (ways[way], way))


def _holding(phrases: Candidates, vocabulary: Vocabulary, wanted: frozenset[str]) -> Integers:
    """The phrases that are written as names and hold a wanted word."""
    held = vocabulary.pages.flags(wanted)[phrases.parts].any(axis=1)
    return np.flatnonzero((phrases.worth > 0) & held)


def _told(
    vocabulary: Vocabulary, phrases: Candidates, columns: Integers
) -> Iterator[tuple[str, tuple[Candidates, int]]]:
    """The chosen phrases in lower case with their places."""
    for column, parts in zip(columns.tolist(), phrases.parts[columns].tolist(), strict=True):
        yield " ".join(vocabulary.pages.forms[part] for part in parts), (phrases, column)
