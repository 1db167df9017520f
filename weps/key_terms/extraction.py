"""The key terms of sets of documents, best first (COLING 2004, section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps.clustering.dendrogram import membership_matrix
from weps.key_terms.occurrences import Occurrences, Position
from weps.key_terms.weighting import Counts, Reference, Vector, Weighting

__all__ = ["RankedWords", "Terms", "key_terms", "key_terms_of_all", "ranked_words_of_all"]

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
    (terms,) = key_terms_of_all(occurrences, [rows], weighting, reference, namesakes=namesakes)
    return terms


def key_terms_of_all(
    occurrences: Occurrences,
    sets: Sequence[Sequence[int]],
    weighting: Weighting,
    reference: Reference,
    *,
    namesakes: bool = False,
) -> list[Terms]:
    """What :func:`key_terms` finds for each of several sets, all worked out at once.

    Args:
        occurrences: the words of all documents of the name or topic.
        sets: the documents of each set; sets may overlap.
        weighting: how words are weighed, and which are candidates.
        reference: what their frequency is compared with.
        namesakes: whether the documents outside a set belong to its reference collection too.

    Raises:
        FeatureError: if the weighting needs tags and the documents were read without.
        ValuesError: if there is no such document.
    """
    ranked = ranked_words_of_all(occurrences, sets, weighting, reference, namesakes=namesakes)
    return [_terms_of(occurrences.words, *each) for each in ranked]


def ranked_words_of_all(  # noqa: PLR0913 - those of key_terms_of_all, and how many
    occurrences: Occurrences,
    sets: Sequence[Sequence[int]],
    weighting: Weighting,
    reference: Reference,
    *,
    namesakes: bool = False,
    most: int | None = None,
) -> list[RankedWords]:
    """The same as numbers, which are quicker to work with.

    Args:
        occurrences: the words of all documents of the name or topic.
        sets: the documents of each set; sets may overlap.
        weighting: how words are weighed, and which are candidates.
        reference: what their frequency is compared with.
        namesakes: whether the documents outside a set belong to its reference collection too.
        most: how many words of each set; None for all.

    Raises:
        FeatureError: if the weighting needs tags and the documents were read without.
        ValuesError: if there is no such document.
    """
    member = membership_matrix(sets, occurrences.documents)
    candidates = _candidate_counts(occurrences, member, weighting)
    counts = _collect_counts(occurrences, member, candidates, reference)
    if namesakes:
        counts = _with_namesakes(occurrences, member, candidates, counts)
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
) -> Counts:
    """What weights are made from, for each candidate of each set."""
    of_set, word = candidates.coords
    everywhere = occurrences.at(Position.ANYWHERE)
    sizes = member @ everywhere.sum(axis=1)
    holders = _entries_at(member @ _binary_counts(everywhere), candidates)
    outside, frequency = reference.counts_of(occurrences.words)
    return Counts(
        inside=candidates.data.astype(np.float64),
        size=sizes[of_set].astype(np.float64),
        outside=outside[word],
        reference_size=float(reference.size),
        frequency=frequency[word],
        documents=float(reference.documents),
        share=holders / member.sum(axis=1)[of_set],
    )


def _with_namesakes(
    occurrences: Occurrences,
    member: sparse.csr_array,
    candidates: sparse.coo_array,
    counts: Counts,
) -> Counts:
    """The counts with the documents outside each set added to its reference collection."""
    of_set, _ = candidates.coords
    everywhere = occurrences.at(Position.ANYWHERE)
    return replace(
        counts,
        outside=counts.outside + _counts_outside(everywhere, member, candidates),
        reference_size=counts.reference_size + (everywhere.sum() - counts.size),
        frequency=counts.frequency
        + _counts_outside(_binary_counts(everywhere), member, candidates),
        documents=counts.documents + occurrences.documents - member.sum(axis=1)[of_set],
    )


def _counts_outside(
    counts: sparse.csr_array, member: sparse.csr_array, candidates: sparse.coo_array
) -> Vector:
    """Shape (candidates,): the sum of a word's counts over the documents outside the set."""
    _, word = candidates.coords
    elsewhere: Vector = counts.sum(axis=0)[word] - _entries_at(member @ counts, candidates)
    return elsewhere


def _binary_counts(counts: sparse.csr_array) -> sparse.csr_array:
    """1 where there is something."""
    return sparse.csr_array((counts > 0).astype(np.int32))


def _entries_at(matrix: sparse.csr_array, candidates: sparse.coo_array) -> Vector:
    """Shape (candidates,): the entries of the matrix at their places."""
    dense = matrix.toarray()  # single entries of a sparse matrix are slow to find
    return np.asarray(dense[candidates.coords], dtype=np.float64)


def _terms_of(words: Sequence[str], chosen: NDArray[np.integer], weights: Vector) -> Terms:
    """Words with their weights."""
    named = (words[number] for number in chosen.tolist())
    return list(zip(named, weights.tolist(), strict=True))
