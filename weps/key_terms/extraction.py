"""The key terms of sets of documents, best first (COLING 2004, section 5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps.clustering.dendrogram import sums_of_sets
from weps.key_terms.occurrences import Occurrences, Position, binary_counts
from weps.key_terms.weighting import Counts, Reference, Vector, Weighting

Terms = list[tuple[str, float]]
"""Words and their weights, best first."""
_SETS_AT_ONCE = 64
"""Bounds the memory, which the words of all sets together would fill where these are large."""
RankedWords = tuple[NDArray[np.int64], Vector]
"""Shapes (k,): places of words among all words, and their weights, best first."""


def key_terms(
    occurrences: Occurrences,
    rows: Sequence[int],
    weighting: Weighting,
    reference: Reference,
    *,
    namesakes: bool = False,
) -> Terms:
    """The candidate words of a set of documents with their weights, best first.

    Args:
        occurrences: the words of all documents of the name or topic.
        rows: the documents of the set.
        weighting: how words are weighed, and which are candidates.
        reference: what their frequency is compared with.
        namesakes: whether the other documents belong to the reference collection too; then the
            words that set these apart from them weigh more.

    Returns:
        Words of equal weight in alphabetical order.

    Raises:
        FeatureError: if the weighting needs tags and the documents were read without.
        ValuesError: if there is no such document.
    """
    ((words, weights),) = ranked_words_of_all(
        occurrences, [rows], weighting, reference, namesakes=namesakes
    )
    terms = (occurrences.words[place] for place in words.tolist())
    return list(zip(terms, weights.tolist(), strict=True))


def ranked_words_of_all(  # noqa: PLR0913 - those of key_terms, and how many
    occurrences: Occurrences,
    sets: Sequence[Sequence[int]],
    weighting: Weighting,
    reference: Reference,
    *,
    namesakes: bool = False,
    most: int | None = None,
) -> list[RankedWords]:
    """What :func:`key_terms` finds for each of several sets, as numbers.

    Sets may overlap; ``most`` is how many words of each are returned, by default all. The other
    arguments and the errors are those of :func:`key_terms`.
    """
    present = binary_counts(occurrences.at(Position.ANYWHERE))
    known = reference.counts_of(occurrences.words)
    collection = _Collection(occurrences, present, reference, *known, namesakes=namesakes)
    found: list[RankedWords] = []
    for begin in range(0, len(sets), _SETS_AT_ONCE):
        found += collection.rank_words(sets[begin : begin + _SETS_AT_ONCE], weighting, most)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Collection:
    """The documents of a name or topic, and the collection that sets of them are compared with."""

    occurrences: Occurrences
    present: sparse.csr_array
    """Shape (documents, w), int32: 1 where the word occurs."""
    reference: Reference
    outside: Vector
    """Shape (w,): how often each word occurs in the reference collection."""
    frequency: Vector
    """Shape (w,): in how many of its documents."""
    namesakes: bool
    """Whether the documents outside of a set are added to its reference collection."""

    def rank_words(
        self, sets: Sequence[Sequence[int]], weighting: Weighting, most: int | None
    ) -> list[RankedWords]:
        """The best words of each set."""
        summed = cache(lambda position: sums_of_sets(sets, self.occurrences.at(position)))
        candidates = _candidates(summed, weighting)
        weights = weighting.weigh(self._counts(sets, candidates, summed(Position.ANYWHERE)))
        of_set, word = candidates.coords
        ends = np.searchsorted(of_set, np.arange(len(sets) + 1))
        return [
            _best_words(word[begin:end], weights[begin:end], most)
            for begin, end in pairwise(ends.tolist())
        ]

    def _counts(
        self,
        sets: Sequence[Sequence[int]],
        candidates: sparse.coo_array,
        all_words: sparse.csr_array,
    ) -> Counts:
        """What weights are made from, for each candidate of each set.

        ``all_words`` has shape (sets, w): how often each word occurs on the pages of each set.
        """
        of_set, word = candidates.coords
        everywhere = self.occurrences.at(Position.ANYWHERE)
        size = all_words.sum(axis=1)[of_set].astype(np.float64)
        pages = np.array([len(set(rows)) for rows in sets])[of_set]
        with_word = _entries_at(sums_of_sets(sets, self.present), candidates)
        outside, frequency = self.outside[word], self.frequency[word]
        reference_size: Vector | float = float(self.reference.size)
        documents: Vector | float = float(self.reference.documents)
        if self.namesakes:
            inside = _entries_at(all_words, candidates)
            outside = outside + everywhere.sum(axis=0)[word] - inside
            frequency = frequency + self.present.sum(axis=0)[word] - with_word
            reference_size = reference_size + (everywhere.sum() - size)
            documents = documents + self.occurrences.documents - pages
        return Counts(
            inside=candidates.data.astype(np.float64),
            size=size,
            outside=outside,
            reference_size=reference_size,
            frequency=frequency,
            documents=documents,
            share=with_word / pages,
        )


def _candidates(
    summed: Callable[[Position], sparse.csr_array], weighting: Weighting
) -> sparse.coo_array:
    """Shape (sets, w), int32: how often each candidate occurs where its occurrences count.

    Entries stand set by set, in the order of words.
    """
    counted = summed(weighting.counted)
    if weighting.among is not weighting.counted:
        counted = sparse.csr_array(counted.multiply(summed(weighting.among) > 0))
        counted.sort_indices()
    return sparse.coo_array(counted)


def _best_words(word: NDArray[np.int32], weights: Vector, most: int | None) -> RankedWords:
    """The best candidates of a set, which stand in the order of words."""
    if most is not None and most < len(weights):
        enough = np.flatnonzero(weights >= np.partition(weights, -most)[-most])
        word, weights = word[enough], weights[enough]
    order = np.argsort(-weights, kind="stable")[:most]
    return word[order].astype(np.int64), weights[order]


def _entries_at(matrix: sparse.csr_array, candidates: sparse.coo_array) -> Vector:
    """Shape (candidates,): the entries of the matrix, which has some at all their places."""
    if matrix.nnz == candidates.nnz:
        return np.asarray(matrix.data, dtype=np.float64)
    width = np.int64(matrix.shape[1])
    row, column = matrix.tocoo().coords
    of_set, word = candidates.coords
    places = np.searchsorted(row * width + column, of_set * width + word)
    return np.asarray(matrix.data[places], dtype=np.float64)
