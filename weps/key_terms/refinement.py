"""Refinements of the query that find one person's pages (ACL-IJCNLP 2009, sections 2.2 and 3).

A candidate is a word or a name on at least one of a person's pages; its result is the pages that
contain it. The best one has the highest F of precision and recall. The paper finds that the best
refinement is hard to think of, so what is suggested is, among nearly equal ones, the most
distinctive.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from weps._sets import sets_of_like_size, sums_of_sets
from weps.key_terms.candidates import (
    Floats,
    Integers,
    binary_counts,
    candidate_strings,
)
from weps.similarity.table import PairTable

_NEAR_BEST = 0.9
"""Refinements are nearly equal to the best one whose F is at least so much of its F."""
_F_POWER = 3
"""Among nearly equal ones, distinctiveness is weighted by this power of F."""


@dataclass(frozen=True, slots=True)
class Refinement:
    """A refinement of the query."""

    text: str
    """A word or a name as written on the pages; no word of the name searched for."""
    precision: float
    """Share of the collected pages that contain it that are the person's."""
    recall: float
    """Share of the person's collected pages that contain it."""
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
    candidates = candidate_strings(table.analysis)
    pages, frequency = len(table.analysis.documents), candidates.bags.frequency.astype(np.int64)
    present, weights = binary_counts(candidates.bags.counts).tocsc(), candidates.weights.tocsc()
    suggested: dict[int, Refinement | None] = {}
    for places in sets_of_like_size(clusters):
        alike = [clusters[at] for at in places]
        # What k of all N pages have finds n pages with an F of 2k / (k + n) at most, and the name
        # alone with one of 2n / (N + n), which is less only if k is above n² / N.
        enough = frequency * pages > min(map(len, alike)) ** 2
        useful = np.flatnonzero(enough & (candidates.name_scores > 0))
        # Both have the same candidates in the same places.
        hits, about = (sums_of_sets(alike, each[:, useful]) for each in (present, weights))
        for at, (begin, end) in zip(places, pairwise(hits.indptr.tolist()), strict=True):
            choice, found = useful[hits.indices[begin:end]], hits.data[begin:end]
            wanted = len(clusters[at])
            f = 2 * found / (frequency[choice] + wanted)
            distinctiveness = about.data[begin:end] * candidates.name_scores[choice]
            eligible = f >= _NEAR_BEST * f.max(initial=0.0)
            eligible &= f > 2 * wanted / (pages + wanted)
            suggested[at] = None
            if eligible.any():
                value = distinctiveness[eligible] * f[eligible] ** _F_POWER
                best = _most_distinctive(candidates.parts[choice[eligible]], f[eligible], value)
                place = np.flatnonzero(eligible)[best]
                text = candidates.bags.strings[int(choice[place])]
                returned, own = int(frequency[choice[place]]), int(found[place])
                suggested[at] = Refinement(text, own / returned, own / wanted, float(f[place]))
    return [suggested[at] for at in range(len(clusters))]


def _most_distinctive(parts: Integers, f: Floats, value: Floats) -> int:
    """The candidate of greatest value, of equal ones the first.

    Instead of a word the phrase that it is part of, if that is no worse: *San Diego*.

    Args:
        parts: shape (k, longest), the forms of each candidate, then −1.
        f: shape (k,).
        value: shape (k,), distinctiveness weighted by F.
    """
    best = int(value.argmax())
    words = (parts >= 0).sum(axis=1)
    fit = (words > 1) & (parts == parts[best, 0]).any(axis=1) & (f >= f[best])
    if words[best] > 1 or not fit.any():
        return best
    fit &= words == words[fit].min()
    return int(np.where(fit, value, 0.0).argmax())
