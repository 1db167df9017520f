"""Suggested queries: a refinement that a person could think of (ACL-IJCNLP 2009).

The paper finds that the best refinement is hard to think of. Suggestions are chosen among words
and names alone, and among nearly equal ones the most distinctive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from weps.clustering.dendrogram import membership_matrix
from weps.key_terms.candidates import Candidates, candidate_strings
from weps.refinement.search import count_hits
from weps.similarity import PairTable

__all__ = ["Refinement", "suggest_refinements"]

_NEAR_BEST = 0.9
"""Refinements are nearly equal to the best one whose F is at least so much of its F."""
_F_POWER = 3
"""Among nearly equal ones, distinctiveness is weighted by this power of F."""

Floats = NDArray[np.float64]
Integers = NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class Refinement:
    """A refinement of the query."""

    text: str
    """A word or a name as written on the pages; no word of the name searched for."""
    precision: float
    """Of the collected pages that contain it, the share that are the person's."""
    recall: float
    """Of the person's collected pages, the share that contain it."""
    f: float
    """F0.5, the harmonic mean of both."""


def suggest_refinements(
    clusters: Sequence[Sequence[int]], table: PairTable
) -> list[Refinement | None]:
    """For each person the refinement to show.

    A page contains what stands in its text, its title or its snippet, in whatever case.

    Args:
        clusters: for each person the rows of their pages.
        table: the pages, of any form.

    Returns:
        One for each person; None where nothing that could be thought of does better than the name
        alone, which returns all pages.
    """
    analysis = table.analysis
    size = len(analysis.documents)
    found: list[list[_RatedCandidates]] = [[] for _ in clusters]
    for each in candidate_strings(analysis):
        for several, rated in zip(found, _rate_candidates(each, clusters), strict=True):
            several.append(rated)
    return [
        _choose_refinement(several, unrefined=2 * len(rows) / (size + len(rows)))
        for several, rows in zip(found, clusters, strict=True)
    ]


@dataclass(frozen=True, slots=True, eq=False)
class _RatedCandidates:
    """The candidates of one length that one person's pages have, k of them."""

    source: Candidates
    column: Integers
    """Shape (k,): their places in the source."""
    hits: Integers
    """Shape (k,): how many of the person's pages contain them."""
    wanted: int
    """Pages of the person."""
    distinctiveness: Floats
    """Shape (k,): how much the person's pages are about them, and how well they name anything."""

    @property
    def f(self) -> Floats:
        """Shape (k,)."""
        returned = self.source.bags.frequency[self.column]
        return np.asarray(2 * self.hits / (returned + self.wanted))

    def selection_values(self, least: float, above: float) -> Floats:
        """Shape (k,): the criterion; 0 for those whose F is too low."""
        f = self.f
        return np.where((f >= least) & (f > above), self.distinctiveness * f**_F_POWER, 0.0)

    def contains_word(self, form: int) -> NDArray[np.bool_]:
        """Shape (k,): which of them have a word."""
        return np.asarray((self.source.parts[self.column] == form).any(axis=1))

    def refinement(self, place: int) -> Refinement:
        """One of them, spelled."""
        column, hits = int(self.column[place]), int(self.hits[place])
        returned = int(self.source.bags.frequency[column])
        f = 2 * hits / (returned + self.wanted)
        text = self.source.bags.strings[column]
        return Refinement(text, hits / returned, hits / self.wanted, f)


def _rate_candidates(
    each: Candidates, clusters: Sequence[Sequence[int]]
) -> Iterator[_RatedCandidates]:
    """For each person the candidates on their pages."""
    hits = count_hits(each.bags, clusters)
    weights = membership_matrix(clusters, each.weights.shape[0]) @ each.weights
    hits.sort_indices()
    weights.sort_indices()  # now both have the same strings in the same places
    for (begin, end), rows in zip(pairwise(hits.indptr.tolist()), clusters, strict=True):
        column = hits.indices[begin:end]
        telling = weights.data[begin:end] * each.name_scores[column]
        kept = telling > 0
        yield _RatedCandidates(
            each, column[kept], hits.data[begin:end][kept], len(rows), telling[kept]
        )


def _choose_refinement(several: Iterable[_RatedCandidates], unrefined: float) -> Refinement | None:
    """Of those nearly equal to the best, the most distinctive; of equal ones the first."""
    known = [rated for rated in several if len(rated.column)]
    least = _NEAR_BEST * max((rated.f.max() for rated in known), default=0.0)
    values = [rated.selection_values(least, unrefined) for rated in known]
    if not any(value.any() for value in values):
        return None
    rated, value = max(zip(known, values, strict=True), key=lambda pair: float(pair[1].max()))
    place = int(value.argmax())
    return _containing_phrase(rated, place, known, values) or rated.refinement(place)


def _containing_phrase(
    chosen: _RatedCandidates,
    place: int,
    known: Sequence[_RatedCandidates],
    values: Sequence[Floats],
) -> Refinement | None:
    """Instead of a word the phrase that it is part of, if that is no worse: San Diego."""
    parts = chosen.source.parts[chosen.column[place]]
    if len(parts) > 1:
        return None
    for rated, value in zip(known, values, strict=True):
        fit = rated.contains_word(int(parts[0])) & (rated.f >= chosen.f[place])
        if rated is not chosen and fit.any():
            return rated.refinement(int(np.where(fit, value, 0.0).argmax()))
    return None
