"""Contradictions: pages that are said to be one person, and said not to be."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from weps.corrections.said import Correction
from weps.errors import CorrectionsError

__all__ = ["person_of", "refuse_contradictions"]

_LONGEST_QUOTE = 40
_MOST_TOLD = 20
Lines = dict[int, list[Correction]]
"""Rank → the corrections that tie it to others."""
Broken = tuple[Correction, set[int], set[int]]
"""A correction, and pages of one person on either side of it."""


def refuse_contradictions(corrections: Sequence[Correction], where: object = None) -> None:
    """Make sure that all corrections can be obeyed.

    Args:
        corrections: what a user said, oldest first.
        where: the file, for the message.

    Raises:
        CorrectionsError: if some contradict one another; all contradictions are told, each with
            the shortest chain of corrections that makes one person of the pages.
    """
    if found := _broken(corrections):
        lines = _lines_of(corrections)
        told = "; ".join(_told(each, lines) for each in found[:_MOST_TOLD])
        more = f"; and {len(found) - _MOST_TOLD} more" if len(found) > _MOST_TOLD else ""
        remedy = "take back one of the corrections of each contradiction"
        raise CorrectionsError(told + more, where=where, remedy=remedy)


def person_of(corrections: Sequence[Correction]) -> dict[int, int]:
    """For every rank that is mentioned the number of its person: one by any chain of *same*."""
    ranks = sorted({rank for said in corrections for rank in said.ranks})
    place = {rank: number for number, rank in enumerate(ranks)}
    ties = [
        (place[same[0]], place[rank])
        for same in (said.same for said in corrections)
        for rank in same
    ]
    first, second = np.array(ties, dtype=np.int64).reshape(-1, 2).T
    graph = coo_array((np.ones(len(ties)), (first, second)), shape=(len(ranks), len(ranks)))
    numbers = connected_components(graph, directed=False)[1] if ranks else ()
    return {rank: int(number) for rank, number in zip(ranks, numbers, strict=True)}


def _broken(corrections: Sequence[Correction]) -> list[Broken]:
    """The corrections that say *different* of pages that are one person, person by person."""
    person = person_of(corrections)
    return [
        (said, left[number], right[number])
        for said in corrections
        if said.different
        for left, right in [[_by_person(side, person) for side in said.different]]
        for number in left
        if number in right
    ]


def _by_person(ranks: Iterable[int], person: dict[int, int]) -> dict[int, set[int]]:
    grouped = defaultdict(set)
    for rank in ranks:
        grouped[person[rank]].add(rank)
    return grouped


def _lines_of(corrections: Sequence[Correction]) -> Lines:
    lines = defaultdict(list)
    for each in corrections:
        for rank in each.same:
            lines[rank].append(each)
    return lines


def _shortest(left: set[int], right: set[int], lines: Lines) -> tuple[int, int, list[Correction]]:
    """The fewest corrections that tie a page on the left to one on the right, and the two."""
    before: dict[int, tuple[int, Correction] | None] = dict.fromkeys(sorted(left))
    used: set[int] = set()
    waiting = deque(before)
    while (rank := waiting.popleft()) not in right:
        for line in lines[rank]:
            if id(line) not in used:
                used.add(id(line))
                found = [other for other in line.same if other not in before]
                before |= dict.fromkeys(found, (rank, line))
                waiting += found
    end, chain = rank, []
    while step := before[rank]:
        rank, line = step
        chain.append(line)
    return rank, end, chain[::-1]


def _told(broken: Broken, lines: Lines) -> str:
    """One sentence, with the shortest chain."""
    said, left, right = broken
    start, end, chain = _shortest(left, right, lines)
    if start == end:
        return f"page {start} is on both sides of {_quoted(said)}"
    by = " and ".join(map(_quoted, chain[:_MOST_TOLD]))
    more = f" and {len(chain) - _MOST_TOLD} more" if len(chain) > _MOST_TOLD else ""
    return f"pages {start} and {end} are one person by {by}{more}, but two by {_quoted(said)}"


def _quoted(said: Correction) -> str:
    text = str(said)
    short = text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1].rstrip() + "…"
    return f"“{short}”" + (f" (line {said.line})" if said.line else "")
