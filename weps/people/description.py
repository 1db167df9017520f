"""Person descriptions of groups of pages: terms, context entities, and a refined query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weps.key_terms.labels import labels_and_words
from weps.people.context import ContextEntities
from weps.refinement.suggestion import Refinement, suggest_refinements
from weps.similarity import PairTable

__all__ = ["ContextEntity", "PersonDescription", "describe_people"]

_MAX_NAMES = 15
"""Largest number of context entities of a description."""


@dataclass(frozen=True, slots=True)
class ContextEntity:
    """A person, organisation or place named near the name searched for."""

    text: str
    """The most frequent spelling."""
    kind: str
    """person, organisation or location."""
    ranks: tuple[int, ...]
    """The group's pages that have it near the name, ascending."""


@dataclass(frozen=True, slots=True)
class PersonDescription:
    """The description of the person of a group of pages."""

    terms: tuple[str, ...] = ()
    """Words and names that distinguish the person from the namesakes, best first; five at most."""
    words: tuple[str, ...] = ()
    """Further key terms, none of which is part of another; ten at most."""
    names: tuple[ContextEntity, ...] = ()
    """Those on most of the group's pages first, of equals those on the fewest other pages;
    15 at most."""
    refinement: Refinement | None = None
    """Refinement of the query that finds the person again; None if nothing helps."""


def describe_people(
    groups: Sequence[Sequence[int]], table: PairTable, context: ContextEntities | None
) -> list[PersonDescription]:
    """Describe each group of pages; all other pages count as those of namesakes.

    Args:
        groups: for each the rows of its pages; groups may overlap, as nodes of a dendrogram do.
        table: the pages, of any form.
        context: the context entities; None to leave them out.
    """
    told = zip(
        labels_and_words(groups, table),
        _context_of_groups(groups, table, context) if context else [()] * len(groups),
        suggest_refinements(groups, table),
        strict=True,
    )
    return [PersonDescription(*label, names, refinement) for label, names, refinement in told]


def _context_of_groups(
    groups: Sequence[Sequence[int]], table: PairTable, context: ContextEntities
) -> list[tuple[ContextEntity, ...]]:
    rank = np.array([document.rank for document in table.analysis.documents], dtype=np.int64)
    present = context.present.astype(bool).toarray()
    everywhere = present.sum(axis=0)
    return [
        _context_of_group(rank[rows], present[rows], everywhere, context)
        for rows in map(list, groups)
    ]


def _context_of_group(
    rank: NDArray[np.int64],
    present: NDArray[np.bool_],
    everywhere: NDArray[np.int64],
    context: ContextEntities,
) -> tuple[ContextEntity, ...]:
    """The names on the pages of a group.

    Args:
        rank: shape (k,), of its pages.
        present: shape (k, d), which names they have.
        everywhere: shape (d,), on how many pages of all groups each name is.
        context: the names.
    """
    pages = present.sum(axis=0)
    best = np.lexsort((everywhere, -pages))[:_MAX_NAMES]
    return tuple(
        ContextEntity(
            context.texts[at], context.kinds[at], tuple(sorted(rank[present[:, at]].tolist()))
        )
        for at in best[pages[best] > 0].tolist()
    )
