"""How characteristic words are of sets of documents.

Words are weighed by how often they occur in a set, in the other documents of the name, and in a
reference collection, whose frequencies lower the weight of common words.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import xlogy

from weps._files import atomic_write, read_bytes, resource_path
from weps.errors import SourceError
from weps.features.bags import Bags, membership_matrix, sets_of_like_size, sums_of_sets
from weps.features.words import content_word_bags, token
from weps.language.analysis import Analysis

_MAX_BYTES = 500_000_000
_DAMAGE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""Errors that data of another shape raise."""


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """Word counts of a collection of documents."""

    words: Mapping[str, tuple[int, int]]
    """Word in lower case → how often it occurs, and in how many documents; at least once each."""
    size: int
    """Content words of the whole collection, those that ``words`` leaves out among them."""
    documents: int
    made_from: Mapping[str, Any] = field(default_factory=dict)
    """Description of the collection, for readers of the file."""

    def counts_of(self, words: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Shapes (k,): how often each of k words occurs, and in how many documents."""
        found = [self.words.get(word, (0, 0)) for word in words]
        counts, documents = np.array(found, dtype=np.float64).reshape(-1, 2).T
        return counts, documents

    @classmethod
    def of(cls, words: Bags) -> Reference:
        """The counts of the words of some documents."""
        totals = np.asarray(words.counts.sum(axis=0)).tolist()
        entries = zip(words.strings, totals, words.frequency.tolist(), strict=True)
        counted = {word: (times, holders) for word, times, holders in entries if times}
        return cls(counted, int(sum(totals)), words.counts.shape[0])

    @classmethod
    def combine(cls, collections: Iterable[Reference], fewest: int = 1) -> Reference:
        """Collections that share no document, taken as one.

        Args:
            collections: any number of them, none is an empty collection.
            fewest: a word is kept if it occurs in at least so many of the collections; those left
                out still count in the size.
        """
        parts = list(collections)
        holders = Counter(word for part in parts for word in part.words)
        words = {word: (0, 0) for word in sorted(holders) if holders[word] >= fewest}
        for part in parts:
            for word, (count, documents) in part.words.items():
                if word in words:
                    known = words[word]
                    words[word] = known[0] + count, known[1] + documents
        return cls(words, sum(part.size for part in parts), sum(part.documents for part in parts))

    @classmethod
    @cache
    def builtin(cls) -> Reference:
        """The words of English Web pages, included in weps; read once."""
        return cls.read(resource_path("reference/english.json"))

    @classmethod
    def read(cls, path: Path) -> Reference:
        """Read what :meth:`write` wrote.

        Raises:
            SourceError: if the file cannot be read, or is no such file.
        """
        raw = read_bytes(path, _MAX_BYTES, SourceError)
        try:
            data = json.loads(raw)
            entries = data["words"].items()
            words = {word: (int(count), int(documents)) for word, (count, documents) in entries}
            return cls(words, int(data["size"]), int(data["documents"]), data["made_from"])
        except _DAMAGE as error:
            raise SourceError(
                f"this is not a reference collection ({type(error).__name__}: {error})",
                where=path,
                remedy="make one with `weps train-reference`",
            ) from error

    def write(self, path: Path) -> None:
        """Write the counts as JSON.

        Raises:
            OutputError: if the file cannot be written.
        """
        data = {
            "made_from": self.made_from,
            "documents": self.documents,
            "size": self.size,
            "words": self.words,
        }
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        atomic_write({path: f"{text}\n".encode()})


Vector: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """How often k words occur in a set of documents and in a reference collection.

    Every field has shape (k,), or is one number for all k.
    """

    inside: Vector
    """How often the word occurs in the set."""
    size: Vector | float
    """Words of the set."""
    outside: Vector
    """How often it occurs in the reference collection."""
    reference_size: Vector | float
    """Words of the collection."""
    frequency: Vector
    """In how many documents of the collection it occurs."""
    documents: Vector | float
    """Documents of the collection."""
    share: Vector | float = 1.0
    """Share of the documents of the set in which it occurs."""


def likelihood_ratio(counts: Counts) -> Vector:
    """The log-likelihood ratio of two frequency profiles (Rayson and Garside 2000, section 3).

    For a word that occurs a times in the set of c words and b times in the reference collection
    of d words, E1 = c(a + b)/(c + d) and E2 = d(a + b)/(c + d) occurrences are expected:

        LL = 2 (a ln(a/E1) + b ln(b/E2)),    0 ln 0 = 0

    LL is 0 if the word is as frequent in both, a/c = b/d, or occurs in neither, and positive
    otherwise; here a word that is rarer in the set has -LL, so that it ranks below all that are
    more frequent. Against an empty collection all words have 0.
    """
    a, c, b, d = counts.inside, counts.size, counts.outside, counts.reference_size
    per_word = safe_divide(a + b, np.add(c, d))
    expected, expected_outside = c * per_word, d * per_word
    ratio = 2 * (
        xlogy(a, safe_divide(a, expected, empty=1))
        + xlogy(b, safe_divide(b, expected_outside, empty=1))
    )
    return np.asarray(np.sign(a * d - b * c) * ratio.clip(min=0))


def spread_likelihood(counts: Counts) -> Vector:
    """The log-likelihood ratio times the share of the documents of the set with the word."""
    return likelihood_ratio(counts) * counts.share


def safe_divide(above: Vector | float, below: Vector | float, empty: float = 0) -> Vector:
    """The quotient, ``empty`` where the denominator is 0."""
    numerator, denominator = np.broadcast_arrays(np.asarray(above, np.float64), below)
    quotient: Vector = np.full(numerator.shape, float(empty))
    np.divide(numerator, denominator, out=quotient, where=denominator != 0)
    return quotient


def content_word_counts(analysis: Analysis) -> Bags:
    """The content words of each page, sorted; of a page without text those of title and snippet."""
    text = token(analysis)
    without_text = np.diff(text.counts.indptr) == 0
    texts = (
        f"{page.title} {page.snippet}" if empty else ""
        for page, empty in zip(analysis.documents, without_text, strict=True)
    )
    shown = content_word_bags(analysis, texts)
    strings = [*text.strings, *shown.strings]
    words = sorted(set(strings))
    place = {word: number for number, word in enumerate(words)}
    column = np.array([place[string] for string in strings], dtype=np.int64)
    both = sparse.hstack([text.counts, shown.counts]).tocoo()
    places = both.coords[0], column[both.coords[1]]
    shape = len(analysis.documents), len(words)
    return Bags(sparse.coo_array((both.data, places), shape=shape).tocsr(), words)


Weigh: TypeAlias = Callable[[Counts], Vector]
"""A statistic of words, greater for more characteristic ones."""
RankedWords = tuple[NDArray[np.int64], Vector]
"""Shapes (k,): columns of words, and their weights, best first."""


def rank_words(
    words: Bags,
    sets: Sequence[Sequence[int]],
    weigh: Weigh,
    reference: Reference,
    most: int | None = None,
) -> list[RankedWords]:
    """The words of sets of documents with their weights, best first.

    Args:
        words: those of all documents of a name.
        sets: the documents of each set; sets may overlap.
        weigh: how words are weighed.
        reference: what their frequency is compared with, together with the other documents.
        most: number of words of each set, by default all.

    Returns:
        For each set its words; of equal weight in the order of columns.

    Raises:
        ValuesError: if there is no such document.
    """
    counts = words.counts.tocsc()  # columns are what is summed
    lengths, documents = counts.sum(axis=1, dtype=np.int64), counts.shape[0]
    outside, frequency = reference.counts_of(words.strings)
    times, holders = outside + counts.sum(axis=0), frequency + np.diff(counts.indptr)
    ranked: dict[int, RankedWords] = {}
    for places in sets_of_like_size(sets):
        alike = [sets[at] for at in places]
        inside = sums_of_sets(alike, counts)
        present = sums_of_sets(alike, counts.sign())  # entries in the same places
        of_set, word = inside.tocoo().coords
        member = membership_matrix(alike, documents).astype(np.float64)
        size, pages = (member @ lengths)[of_set], member.sum(axis=1)[of_set]
        weights = weigh(
            Counts(
                inside=inside.data.astype(np.float64),
                size=size,
                outside=times[word] - inside.data,
                reference_size=reference.size + (lengths.sum() - size),
                frequency=holders[word] - present.data,
                documents=reference.documents + (documents - pages),
                share=present.data / pages,
            )
        )
        for place, (begin, end) in zip(places, pairwise(inside.indptr.tolist()), strict=True):
            columns, own = word[begin:end], weights[begin:end]
            if most is not None and most < len(own):  # sorting all takes longer
                enough = np.flatnonzero(own >= np.partition(own, -most)[-most])
                columns, own = columns[enough], own[enough]
            order = np.argsort(-own, kind="stable")[:most]
            ranked[place] = columns[order], own[order]
    return [ranked[at] for at in range(len(sets))]
