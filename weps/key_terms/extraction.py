"""The key terms of sets of documents, best first (COLING 2004, section 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps._sets import membership_matrix, sets_of_like_size, sums_of_sets
from weps.key_terms.occurrences import Occurrences, Position, binary_counts
from weps.key_terms.weighting import (
    Counts,
    Reference,
    Vector,
    Weighting,
    likelihood_ratio,
    term_frequency,
)

Terms = list[tuple[str, float]]
"""Words and their weights, best first."""
_TRIED = 4
"""Of the words that may be among the best ones of some sets, so many times as are wanted are
weighed first."""
_MANY = 4
"""Where sets have together fewer times as many words as there are distinct ones, all are weighed
at once, because that is faster."""
_BOUNDED = frozenset({term_frequency, likelihood_ratio})
"""Statistics that grow with the occurrences of a word in the set, and fall with those outside and
with the words of the set, where they are positive."""
_ROUNDING = 1e-6
"""Relative; more than the error of a weight."""
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
    positions = {Position.ANYWHERE, weighting.counted, weighting.among}
    collection = _Collection(
        np.arange(len(occurrences.words)),
        # Columns are what is selected and summed.
        {position: occurrences.at(position).tocsc() for position in positions},
        occurrences.at(Position.ANYWHERE).sum(axis=1, dtype=np.int64),
        reference,
        *reference.counts_of(occurrences.words),
        namesakes,
    )
    found: dict[int, RankedWords] = {}
    for places in sets_of_like_size(sets):
        ranked = collection.rank_words([sets[at] for at in places], weighting, most)
        found.update(zip(places, ranked, strict=True))
    return [found[at] for at in range(len(sets))]


@dataclass(frozen=True, slots=True, eq=False)
class _Collection:
    """w words of the documents of a name or topic, and what sets of these are compared with."""

    place: NDArray[np.int64]
    """Shape (w,): their places among all words."""
    counts: Mapping[Position, sparse.csc_array]
    """Position → shape (documents, w), int32: how often the word occurs there."""
    lengths: NDArray[np.int64]
    """Shape (documents,): how many words each document has, others than the w among them."""
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
        """The best words of each set.

        Most words of large sets are too rare to be among the best ones, and are not weighed.
        """
        tried = _TRIED * (most or 0)
        few = self._sizes(sets)[0].sum() < _MANY * len(self.place)
        if few or not 0 < tried < len(self.place) or weighting.statistic not in _BOUNDED:
            return self._rank_all(sets, weighting, most)
        bounds = self._bounds(sets, weighting)
        likely = np.sort(np.argpartition(bounds, -tried)[-tried:])
        ranked = self._select(likely)._rank_all(sets, weighting, most)
        least = min(weights[-1] if len(weights) == most else 0.0 for _, weights in ranked)
        able = np.flatnonzero(bounds >= least) if least > 0 else np.arange(len(bounds))
        return self._select(able)._rank_all(sets, weighting, most)

    def _bounds(self, sets: Sequence[Sequence[int]], weighting: Weighting) -> Vector:
        """Shape (w,): what no positive weight of the words in any of the sets exceeds.

        Each word is weighed as if it stood in one set alone, as short as the shortest.
        """
        anywhere, counted = (self.counts[each] for each in (Position.ANYWHERE, weighting.counted))
        times, times_counted = (each.sum(axis=0, dtype=np.int64) for each in (anywhere, counted))
        shortest, fewest = (np.maximum(each.min(), 1) for each in self._sizes(sets))
        holders = np.diff(anywhere.indptr)
        counts = self._counts(slice(None), times_counted, times, holders, shortest, fewest)
        return weighting.weigh(counts) * (1 + _ROUNDING)

    def _select(self, chosen: NDArray[np.int64]) -> _Collection:
        """Some of the words, in order."""
        return replace(
            self,
            place=self.place[chosen],
            counts={position: each[:, chosen] for position, each in self.counts.items()},
            outside=self.outside[chosen],
            frequency=self.frequency[chosen],
        )

    def _rank_all(
        self, sets: Sequence[Sequence[int]], weighting: Weighting, most: int | None
    ) -> list[RankedWords]:
        """The best words of each set, by weighing all that it has."""
        summed = cache(lambda position: sums_of_sets(sets, self.counts[position]))
        anywhere = summed(Position.ANYWHERE)
        present = sums_of_sets(sets, binary_counts(self.counts[Position.ANYWHERE]))
        candidates = _candidates(summed, weighting)
        of_set, word = candidates.coords
        within = (_entries_at(each, candidates) for each in (anywhere, present))
        sizes = (each[of_set] for each in self._sizes(sets))
        weights = weighting.weigh(self._counts(word, candidates.data, *within, *sizes))
        ends = np.searchsorted(of_set, np.arange(len(sets) + 1))
        best = (
            _best_words(word[begin:end], weights[begin:end], most)
            for begin, end in pairwise(ends.tolist())
        )
        return [(self.place[words], weights) for words, weights in best]

    def _sizes(self, sets: Sequence[Sequence[int]]) -> tuple[Vector, Vector]:
        """Shapes (sets,): how many words and how many documents each set has."""
        member = membership_matrix(sets, len(self.lengths)).astype(np.float64)
        return member @ self.lengths, member.sum(axis=1)

    def _counts(  # noqa: PLR0913, PLR0917 - all that weights are made from
        self,
        word: NDArray[np.integer] | slice,
        inside: NDArray[np.integer],
        anywhere: NDArray[np.number],
        with_word: NDArray[np.number],
        size: Vector,
        pages: Vector,
    ) -> Counts:
        """What weights are made from.

        Args:
            word: words in sets.
            inside: how often they occur in the set where their occurrences count.
            anywhere: how often they occur in it.
            with_word: in how many documents of the set.
            size: how many words the set has.
            pages: how many documents.
        """
        outside, frequency = self.outside[word], self.frequency[word]
        reference_size: Vector | float = float(self.reference.size)
        documents: Vector | float = float(self.reference.documents)
        if self.namesakes:
            everywhere = self.counts[Position.ANYWHERE]
            outside = outside + everywhere.sum(axis=0)[word] - anywhere
            frequency = frequency + np.diff(everywhere.indptr)[word] - with_word
            reference_size = reference_size + (self.lengths.sum() - size)
            documents = documents + (len(self.lengths) - pages)
        return Counts(
            inside=inside.astype(np.float64),
            size=size,
            outside=outside,
            reference_size=reference_size,
            frequency=frequency,
            documents=documents,
            share=np.asarray(with_word / pages, dtype=np.float64),
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
