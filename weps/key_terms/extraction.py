"""The key terms of sets of documents, best first (COLING 2004, section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps.clustering.dendrogram import membership
from weps.key_terms.occurrences import Occurrences, Position
from weps.key_terms.weighting import Counts, Reference, Vector, Weighting

__all__ = ["Ranked", "Terms", "key_terms", "key_terms_of_all", "ranked_of_all"]

Terms = list[tuple[str, float]]
"""Words and their weights, best first."""
Ranked = tuple[NDArray[np.int64], Vector]
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
    ranked = ranked_of_all(occurrences, sets, weighting, reference, namesakes=namesakes)
    return [_told(occurrences.words, *each) for each in ranked]


def ranked_of_all(  # noqa: PLR0913 - those of key_terms_of_all, and how many
    occurrences: Occurrences,
    sets: Sequence[Sequence[int]],
    weighting: Weighting,
    reference: Reference,
    *,
    namesakes: bool = False,
    most: int | None = None,
) -> list[Ranked]:
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
    member = membership(sets, occurrences.documents)
    candidates = _candidates(occurrences, member, weighting)
    counts = _counts(occurrences, member, candidates, reference)
    if namesakes:
        counts = _with_namesakes(occurrences, member, candidates, counts)
    of_set, word = candidates.coords
    weights = weighting.weigh(counts)
    ends = np.searchsorted(of_set, np.arange(len(sets) + 1))
    return [
        _ranked(word[begin:end], weights[begin:end], most) for begin, end in pairwise(ends.tolist())
    ]


def _ranked(word: NDArray[np.int32], weights: Vector, most: int | None) -> Ranked:
    """The best candidates of a set, which stand in the order of words."""
    if most is not None and most < len(weights):
        enough = np.flatnonzero(weights >= np.partition(weights, -most)[-most])
        word, weights = word[enough], weights[enough]
    order = np.argsort(-weights, kind="stable")[:most]
    return word[order].astype(np.int64), weights[order]


def _candidates(
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


def _counts(
    occurrences: Occurrences,
    member: sparse.csr_array,
    candidates: sparse.coo_array,
    reference: Reference,
) -> Counts:
    """What weights are made from, for each candidate of each set."""
    of_set, word = candidates.coords
    everywhere = occurrences.at(Position.ANYWHERE)
    sizes = member @ everywhere.sum(axis=1)
    holders = _sampled(member @ _present(everywhere), candidates)
    outside, frequency = reference.of_words(occurrences.words)
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
        outside=counts.outside + _elsewhere(everywhere, member, candidates),
        reference_size=counts.reference_size + (everywhere.sum() - counts.size),
        frequency=counts.frequency + _elsewhere(_present(everywhere), member, candidates),
        documents=counts.documents + occurrences.documents - member.sum(axis=1)[of_set],
    )


def _elsewhere(
    counts: sparse.csr_array, member: sparse.csr_array, candidates: sparse.coo_array
) -> Vector:
    """Shape (candidates,): the sum of a word's counts over the documents outside the set."""
    _, word = candidates.coords
    elsewhere: Vector = counts.sum(axis=0)[word] - _sampled(member @ counts, candidates)
    return elsewhere


def _present(counts: sparse.csr_array) -> sparse.csr_array:
    """1 where there is something."""
    return sparse.csr_array((counts > 0).astype(np.int32))


def _sampled(matrix: sparse.csr_array, candidates: sparse.coo_array) -> Vector:
    """Shape (candidates,): the entries of the matrix at their places."""
    dense = matrix.toarray()  # single entries of a sparse matrix are slow to find
    return np.asarray(dense[candidates.coords], dtype=np.float64)


def _told(words: Sequence[str], chosen: NDArray[np.integer], weights: Vector) -> Terms:
    """Words with their weights."""
    named = (words[number] for number in chosen.tolist())
    return list(zip(named, weights.tolist(), strict=True))
