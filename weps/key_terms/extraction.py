"""The key terms of sets of documents, best first (COLING 2004, section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps.clustering.dendrogram import membership_matrix
from weps.key_terms.occurrences import Occurrences, Position, binary_counts
from weps.key_terms.weighting import Counts, Reference, Vector, Weighting

Terms = list[tuple[str, float]]
"""Words and their weights, best first."""
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
    """What :func:`key_terms` finds for each of several sets, as numbers and all worked out at once.

    Sets may overlap; ``most`` is how many words of each are returned, by default all. The other
    arguments and the errors are those of :func:`key_terms`.
    """
    member = membership_matrix(sets, occurrences.documents)
    candidates = _candidate_counts(occurrences, member, weighting)
    counts = _collect_counts(occurrences, member, candidates, reference, namesakes=namesakes)
    of_set, word = candidates.coords
    weights = weighting.weigh(counts)
    ends = np.searchsorted(of_set, np.arange(len(sets) + 1))
    return [
        _rank_candidates(word[begin:end], weights[begin:end], most)
        for begin, end in pairwise(ends.tolist())
    ]


def _rank_candidates(word: NDArray[np.int32], weights: Vector, most: int | None) -> RankedWords:
    """The best candidates of a set, which stand in the order of words."""
    if most is not None and most < len(weights):
        enough = np.flatnonzero(weights >= np.partition(weights, -most)[-most])
        word, weights = word[enough], weights[enough]
    order = np.argsort(-weights, kind="stable")[:most]
    return word[order].astype(np.int64), weights[order]


def _candidate_counts(
    occurrences: Occurrences, member: sparse.csr_array, weighting: Weighting
) -> sparse.coo_array:
    """Shape (sets, words), int32: how often each candidate occurs where its occurrences count.

    Entries stand set by set, in the order of words.
    """
    counted = member @ occurrences.at(weighting.counted)
    if weighting.among is not weighting.counted:
        counted = counted.multiply(member @ occurrences.at(weighting.among) > 0)
    rows = sparse.csr_array(counted)
    rows.sort_indices()
    return sparse.coo_array(rows)


def _collect_counts(
    occurrences: Occurrences,
    member: sparse.csr_array,
    candidates: sparse.coo_array,
    reference: Reference,
    *,
    namesakes: bool,
) -> Counts:
    """What weights are made from, for each candidate of each set.

    With namesakes, the documents outside each set are added to its reference collection.
    """
    of_set, word = candidates.coords
    everywhere = occurrences.at(Position.ANYWHERE)
    present = binary_counts(everywhere)
    size = (member @ everywhere.sum(axis=1))[of_set].astype(np.float64)
    pages = member.sum(axis=1)[of_set]
    outside, frequency = (counts[word] for counts in reference.counts_of(occurrences.words))
    reference_size: Vector | float = float(reference.size)
    documents: Vector | float = float(reference.documents)
    if namesakes:
        outside = outside + _counts_outside(everywhere, member, candidates)
        frequency = frequency + _counts_outside(present, member, candidates)
        reference_size = reference_size + (everywhere.sum() - size)
        documents = documents + occurrences.documents - pages
    return Counts(
        inside=candidates.data.astype(np.float64),
        size=size,
        outside=outside,
        reference_size=reference_size,
        frequency=frequency,
        documents=documents,
        share=_entries_at(member @ present, candidates) / pages,
    )


def _counts_outside(
    counts: sparse.csr_array, member: sparse.csr_array, candidates: sparse.coo_array
) -> Vector:
    """Shape (candidates,): the sum of a word's counts over the documents outside the set."""
    _, word = candidates.coords
    elsewhere: Vector = counts.sum(axis=0)[word] - _entries_at(member @ counts, candidates)
    return elsewhere


def _entries_at(matrix: sparse.csr_array, candidates: sparse.coo_array) -> Vector:
    """Shape (candidates,): the entries of the matrix at their places."""
    dense = matrix.toarray()  # single entries of a sparse matrix are slow to find
    return np.asarray(dense[candidates.coords], dtype=np.float64)
