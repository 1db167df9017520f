"""What is different between two answers, each difference with what shows best why.

People keep their ids when a name is clustered again.

Why pages came together or were parted: two pages that show it, and how probable it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from weps.clustering.dendrogram import pair_position
from weps.people.answer import Alternatives, Answer, ExplainedMerge, PageScore, Person
from weps.people.evidence import Evidence

__all__ = [
    "NO_REASON",
    "Change",
    "Groups",
    "Kind",
    "Reason",
    "between",
    "beyond",
    "changes",
    "groups",
    "last_id",
    "stable",
]

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


_Ranks = frozenset[int]


class Reason(NamedTuple):
    """Two pages, and how probable it is that they, or the groups they stand for, are one."""

    pair: tuple[int, int] | None = None
    probability: float | None = None
    said: bool = False
    """Whether a user has said so of the two."""


NO_REASON = Reason()


def between(first: _Ranks, second: _Ranks, answer: Answer, *, apart: bool) -> Reason:
    """Why pages of the one side are, or with ``apart`` are not, with pages of the other.

    It is what a user has said of them; else it is found in the merge that unites most of them, held
    or not. If the pages that show this merge best are not of both sides, the most probable pair
    between the sides takes their place.
    """
    if pair := (_parted if apart else _united)(first, second, answer):
        return Reason(pair, 0.0 if apart else 1.0, said=True)
    reason = _merged(first, second, answer.merges)
    if reason.pair is None or answer.alternatives is None or _across(reason.pair, first, second):
        return reason
    return reason._replace(pair=_nearest(first, second, answer.alternatives))


def beyond(pages: _Ranks, merges: Iterable[ExplainedMerge]) -> Reason:
    """Of the merge that would unite a person with anybody else."""
    for one, other, merge in _grown(merges):
        if bool(one & pages) != bool(other & pages):
            return Reason(merge.pages if one & pages else merge.pages[::-1], merge.probability)
    return NO_REASON


def _united(first: _Ranks, second: _Ranks, answer: Answer) -> tuple[int, int] | None:
    """Pages of either side that a user has called one person, the last time that one did."""
    for said in map(frozenset, reversed(answer.corrections.same)):
        if said & first and said & second:
            return min(said & first), min(said & second)
    return None


def _parted(first: _Ranks, second: _Ranks, answer: Answer) -> tuple[int, int] | None:
    """Pages of either side that a user has told apart, the last time that one did."""
    for sides in reversed(answer.corrections.different):
        for one, other in (map(frozenset, sides), map(frozenset, reversed(sides))):
            if one & first and other & second:
                return min(one & first), min(other & second)
    return None


def _across(pair: tuple[int, int], first: _Ranks, second: _Ranks) -> bool:
    return pair[0] in first and pair[1] in second


def _nearest(first: _Ranks, second: _Ranks, alternatives: Alternatives) -> tuple[int, int]:
    """The most probable pair between the sides; of equals the first."""
    size = len(alternatives.ranks)
    row_of = {rank: row for row, rank in enumerate(alternatives.ranks)}

    def probability(pair: tuple[int, int]) -> float:
        one, other = sorted(row_of[rank] for rank in pair)
        return float(alternatives.probability[pair_position(one, other, size)])

    return max(product(sorted(first), sorted(second)), key=probability)


def _merged(first: _Ranks, second: _Ranks, merges: Iterable[ExplainedMerge]) -> Reason:
    """Of the merge that unites most pages of the one with pages of the other, held or not."""
    most, reason = 0, NO_REASON
    for one, other, merge in _grown(merges):
        along, against = (
            len(one & first) * len(other & second),
            len(other & first) * len(one & second),
        )
        if along + against > most:
            most = along + against
            pair = merge.pages if along >= against else merge.pages[::-1]
            reason = Reason(pair, merge.probability)
    return reason


def _grown(merges: Iterable[ExplainedMerge]) -> Iterator[tuple[_Ranks, _Ranks, ExplainedMerge]]:
    """Each merge with the pages that it makes one: those with its first, those with its second."""
    cluster: dict[int, _Ranks] = {}
    for merge in merges:
        one, other = (cluster.get(rank, frozenset({rank})) for rank in merge.pages)
        yield one, other, merge
        cluster |= dict.fromkeys(one | other, one | other)


_NOBODY = frozenset[int]()


class Kind(StrEnum):
    """What can happen to people when pages are added."""

    MERGED = "merged"
    """Someone turned out to be somebody else, whose id both bear now."""
    SPLIT = "split"
    """Some pages of a person turned out to be a person of their own."""
    MOVED = "moved"
    """Some pages of a person turned out to be somebody else's, who was known."""
    NEW = "new"
    """New pages are of a person who was not there."""
    JOINED = "joined"
    """A new page is of a person who was there."""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two answers, and what shows best why."""

    kind: Kind
    person: int
    """The person whose the pages are now."""
    pages: tuple[int, ...]
    """The ranks of the pages that it is about, ascending."""
    before: int | None = None
    """The person whose they were; None for new pages."""
    pair: tuple[int, int] | None = None
    """Two pages that show best why: for what was merged, moved or joined, why they are together;
    for what was split or is new, what nearly kept them together. None where there are none."""
    probability: float | None = None
    """That both sides are one person: where a page joined, its probability with the other page,
    else that of the groups of pages that the pair stands for; 1 or 0 where a user said so."""
    said: bool = False
    """Whether a user has said of the two pages that they are, or are not, of one person."""

    def evidence(self, answer: Answer) -> tuple[Evidence, ...]:
        """What the two pages share, strongest first."""
        if self.pair is None:
            return ()
        explained = answer.pairs.get((min(self.pair), max(self.pair)))
        return explained.evidence if explained else ()


def changes(previous: Groups, answer: Answer) -> tuple[Change, ...]:
    """What is different, most important first.

    What a user has said stands before what follows from it. Kinds stand in the order of
    :class:`Kind`, but new people with a single page come last. Within a kind most pages come
    first, then people in the order of the answer.

    Args:
        previous: who was who, no page twice; pages that are gone are no change.
        answer: who is who now, with ids from :func:`stable`; an id may be of someone who was there
            still earlier.
    """
    now = groups(answer)
    gone = [
        _departure(_Move(before, after, pages & now[after]), previous, now, answer)
        for before, pages in previous.items()
        for after in now
        if after != before and pages & now[after]
    ]
    kinds, people = list(Kind), list(now)

    def importance(change: Change) -> tuple[bool, bool, int, int, int, tuple[int, ...]]:
        size, place = len(change.pages), people.index(change.person)
        stray = change.kind is Kind.NEW and size == 1
        return not change.said, stray, kinds.index(change.kind), -size, place, change.pages

    return tuple(sorted([*gone, *_arrivals(previous, answer)], key=importance))


class _Move(NamedTuple):
    """Pages that had another person before."""

    before: int
    after: int
    pages: frozenset[int]


def _departure(move: _Move, previous: Groups, now: Groups, answer: Answer) -> Change:
    kind = _kind(move, previous, now)
    # A split tells from whom the pages were parted, the others whom they came to.
    parted = kind is Kind.SPLIT
    others = now.get(move.before, _NOBODY) if parted else now[move.after] - move.pages
    known = previous.get(move.before if parted else move.after, _NOBODY)
    reason = between(move.pages, (others & known) or others, answer, apart=parted)
    return Change(kind, move.after, tuple(sorted(move.pages)), move.before, *reason)


def _kind(move: _Move, previous: Groups, now: Groups) -> Kind:
    pages = previous[move.before]
    most = max(now, key=lambda id_: (len(pages & now[id_]), -id_))
    if move.before not in now and move.after == most:
        return Kind.MERGED
    return Kind.MOVED if move.after in previous else Kind.SPLIT


def _arrivals(previous: Groups, answer: Answer) -> Iterator[Change]:
    """Pages that nobody had before."""
    known = _NOBODY.union(*previous.values())
    for person in answer.people:
        fresh = [page for page in person.pages if page.rank not in known]
        if len(fresh) == len(person.pages):
            yield _new(person, answer.merges)
        else:
            yield from (_joined(page, person.id) for page in fresh)


def _joined(page: PageScore, person: int) -> Change:
    near = page.closest
    reason = Reason((page.rank, near.rank), near.probability) if near else NO_REASON
    return Change(Kind.JOINED, person, (page.rank,), None, *reason)


def _new(person: Person, merges: Iterable[ExplainedMerge]) -> Change:
    pages = frozenset(page.rank for page in person.pages)
    reason = beyond(pages, merges)
    return Change(Kind.NEW, person.id, tuple(sorted(pages)), None, *reason)
