"""People keep their ids when a name is clustered again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from scipy.optimize import linear_sum_assignment

from weps.people import Answer, PageScore, Person

__all__ = ["Groups", "groups", "last_id", "stable"]

Groups = Mapping[int, frozenset[int]]
"""The id of each person, and the ranks of the pages."""


def groups(answer: Answer) -> dict[int, frozenset[int]]:
    """The people of an answer by id."""
    return {person.id: _ranks(person) for person in answer.people}


def last_id(answer: Answer, previous: Groups, last: int = 0) -> int:
    """The greatest id ever given.

    Args:
        answer: with the ids that it is to keep.
        previous: the people there were.
        last: what it was before.
    """
    return max([last, *previous, *groups(answer)])


def stable(answer: Answer, previous: Groups, last: int = 0) -> Answer:
    """The same answer, in which people bear the ids that they had.

    Ids go to those who have their pages so that as many pages as possible keep their id; where that
    leaves a choice, more ids and smaller ones are kept. Others get ids that nobody has had.

    Args:
        answer: who is who now.
        previous: who was who, no page twice; pages that are gone do no harm.
        last: the greatest id ever given, if that is not among the previous.
    """
    kept = _assigned(previous, [_ranks(person) for person in answer.people])
    unused = max([last, *previous], default=0) + 1
    fresh = (at for at in range(len(answer.people)) if at not in kept)
    ids = kept | {at: unused + number for number, at in enumerate(fresh)}
    renamed = {person.id: ids[at] for at, person in enumerate(answer.people)}
    return replace(answer, people=tuple(_renamed(each, renamed) for each in answer.people))


def _assigned(previous: Groups, people: Sequence[frozenset[int]]) -> dict[int, int]:
    """Index of a person to the id kept: the assignment of greatest overlap."""
    known = sorted(previous)
    shared = np.array([[len(previous[id_] & pages) for pages in people] for id_ in known])
    if not shared.size:
        return {}
    # A page outweighs all preferences for smaller ids together.
    preference = np.arange(len(known), 0, -1)[:, None]
    weight = shared * (int(preference.sum()) + 1) + preference * (shared > 0)
    rows, columns = linear_sum_assignment(weight, maximize=True)
    pairs: Iterable[tuple[int, int]] = zip(rows.tolist(), columns.tolist(), strict=True)
    return {column: known[row] for row, column in pairs if shared[row, column]}


def _renamed(person: Person, ids: Mapping[int, int]) -> Person:
    pages = tuple(_pointing(page, ids) for page in person.pages)
    return replace(person, id=ids[person.id], pages=pages)


def _pointing(page: PageScore, ids: Mapping[int, int]) -> PageScore:
    return page if page.nearest is None else replace(page, nearest=ids[page.nearest])


def _ranks(person: Person) -> frozenset[int]:
    return frozenset(page.rank for page in person.pages)
