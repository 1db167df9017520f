"""Differences between two answers, each with the pair of pages that explains it best.

People keep their ids when a name is clustered again.
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
    "ChangeKind",
    "PagesByPerson",
    "Reason",
    "find_changes",
    "keep_ids",
    "last_id",
    "pages_by_person",
    "reason_apart",
    "reason_between",
]

PagesByPerson = Mapping[int, frozenset[int]]
"""The id of each person, and the ranks of the pages."""


def pages_by_person(answer: Answer) -> dict[int, frozenset[int]]:
    """The people of an answer by id."""
    return {person.id: _page_ranks(person) for person in answer.people}


def last_id(answer: Answer, previous: PagesByPerson, last: int = 0) -> int:
    """The greatest id ever given.

    Args:
        answer: with final ids.
        previous: the earlier people.
        last: the earlier greatest id.
    """
    return max([last, *previous, *pages_by_person(answer)])


def keep_ids(answer: Answer, previous: PagesByPerson, last: int = 0) -> Answer:
    """The same answer, in which people keep their earlier ids.

    Ids go to those who have their pages so that as many pages as possible keep their id; where that
    leaves a choice, more ids and smaller ones are kept. Others get unused ids.

    Args:
        answer: the new answer.
        previous: the earlier people, no page twice; missing pages are ignored.
        last: the greatest id ever given, if that is not among the previous.
    """
    kept = _assign_ids(previous, [_page_ranks(person) for person in answer.people])
    unused = max([last, *previous], default=0) + 1
    fresh = (at for at in range(len(answer.people)) if at not in kept)
    ids = kept | {at: unused + number for number, at in enumerate(fresh)}
    renamed = {person.id: ids[at] for at, person in enumerate(answer.people)}
    return replace(answer, people=tuple(_with_new_id(each, renamed) for each in answer.people))


def _assign_ids(previous: PagesByPerson, people: Sequence[frozenset[int]]) -> dict[int, int]:
    """Index of a person → id kept, by the assignment of greatest overlap."""
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


def _with_new_id(person: Person, ids: Mapping[int, int]) -> Person:
    pages = tuple(_with_new_nearest(page, ids) for page in person.pages)
    return replace(person, id=ids[person.id], pages=pages)


def _with_new_nearest(page: PageScore, ids: Mapping[int, int]) -> PageScore:
    return page if page.nearest is None else replace(page, nearest=ids[page.nearest])


def _page_ranks(person: Person) -> frozenset[int]:
    return frozenset(page.rank for page in person.pages)


_RankSet = frozenset[int]


class Reason(NamedTuple):
    """Two pages, and the probability that they, or their groups, are one person."""

    pair: tuple[int, int] | None = None
    probability: float | None = None
    by_user: bool = False
    """Whether a correction says so of the two."""


NO_REASON = Reason()


def reason_between(first: _RankSet, second: _RankSet, answer: Answer, *, apart: bool) -> Reason:
    """Why pages of one side are, or with ``apart`` are not, with pages of the other.

    A correction if there is one; else the reason is the merge that joins most of them, kept
    or not. If the pair of this merge is not across the sides, the most probable pair
    between the sides is used instead.
    """
    if pair := (_different_by_user if apart else _same_by_user)(first, second, answer):
        return Reason(pair, 0.0 if apart else 1.0, by_user=True)
    reason = _merge_reason(first, second, answer.merges)
    if (
        reason.pair is None
        or answer.alternatives is None
        or _spans_both(reason.pair, first, second)
    ):
        return reason
    return reason._replace(pair=_most_probable_pair(first, second, answer.alternatives))


def reason_apart(pages: _RankSet, merges: Iterable[ExplainedMerge]) -> Reason:
    """The reason for the merge that would join a person with another."""
    for one, other, merge in _merged_clusters(merges):
        if bool(one & pages) != bool(other & pages):
            return Reason(merge.pages if one & pages else merge.pages[::-1], merge.probability)
    return NO_REASON


def _same_by_user(first: _RankSet, second: _RankSet, answer: Answer) -> tuple[int, int] | None:
    """Pages of either side that the latest such correction says are one person."""
    for said in map(frozenset, reversed(answer.corrections.same)):
        if said & first and said & second:
            return min(said & first), min(said & second)
    return None


def _different_by_user(first: _RankSet, second: _RankSet, answer: Answer) -> tuple[int, int] | None:
    """Pages of either side that the latest such correction says are different people."""
    for sides in reversed(answer.corrections.different):
        for one, other in (map(frozenset, sides), map(frozenset, reversed(sides))):
            if one & first and other & second:
                return min(one & first), min(other & second)
    return None


def _spans_both(pair: tuple[int, int], first: _RankSet, second: _RankSet) -> bool:
    return pair[0] in first and pair[1] in second


def _most_probable_pair(
    first: _RankSet, second: _RankSet, alternatives: Alternatives
) -> tuple[int, int]:
    """The most probable pair between the sides; the first of equal ones."""
    size = len(alternatives.ranks)
    row_of = {rank: row for row, rank in enumerate(alternatives.ranks)}

    def probability(pair: tuple[int, int]) -> float:
        one, other = sorted(row_of[rank] for rank in pair)
        return float(alternatives.probability[pair_position(one, other, size)])

    return max(product(sorted(first), sorted(second)), key=probability)


def _merge_reason(first: _RankSet, second: _RankSet, merges: Iterable[ExplainedMerge]) -> Reason:
    """Of the merge that joins most pages of the one with pages of the other, kept or not."""
    most, reason = 0, NO_REASON
    for one, other, merge in _merged_clusters(merges):
        along, against = (
            len(one & first) * len(other & second),
            len(other & first) * len(one & second),
        )
        if along + against > most:
            most = along + against
            pair = merge.pages if along >= against else merge.pages[::-1]
            reason = Reason(pair, merge.probability)
    return reason


def _merged_clusters(
    merges: Iterable[ExplainedMerge],
) -> Iterator[tuple[_RankSet, _RankSet, ExplainedMerge]]:
    """Each merge with the pages of its two clusters."""
    cluster: dict[int, _RankSet] = {}
    for merge in merges:
        one, other = (cluster.get(rank, frozenset({rank})) for rank in merge.pages)
        yield one, other, merge
        cluster |= dict.fromkeys(one | other, one | other)


_NO_PAGES = frozenset[int]()


class ChangeKind(StrEnum):
    """The kinds of changes."""

    MERGED = "merged"
    """A person was merged with another, whose id is kept."""
    SPLIT = "split"
    """Some pages of a person became a new person."""
    MOVED = "moved"
    """Some pages of a person moved to another person."""
    NEW = "new"
    """New pages became a new person."""
    JOINED = "joined"
    """A new page joined an existing person."""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two answers, and the pair of pages that explains it."""

    kind: ChangeKind
    person: int
    """The new person of the pages."""
    pages: tuple[int, ...]
    """The ranks of the pages concerned, ascending."""
    before: int | None = None
    """The earlier person of the pages; None for new pages."""
    pair: tuple[int, int] | None = None
    """The pair of pages that explains the change: for merged, moved or joined pages, why they are
    together;
    for split or new ones, the most probable pair across. None where there are none."""
    probability: float | None = None
    """Probability that both sides are one person: where a page joined, that with the other page,
    else that of the two groups of pages; 1 or 0 where a correction decides."""
    by_user: bool = False
    """Whether a correction says that the two pages are, or are not, of one person."""

    def evidence(self, answer: Answer) -> tuple[Evidence, ...]:
        """The evidence that the two pages share, strongest first."""
        if self.pair is None:
            return ()
        explained = answer.pairs.get((min(self.pair), max(self.pair)))
        return explained.evidence if explained else ()


def find_changes(previous: PagesByPerson, answer: Answer) -> tuple[Change, ...]:
    """The changes, most important first.

    Corrections come before what follows from them. Kinds are in the order of
    :class:`ChangeKind`, but new people with a single page come last. Within a kind most pages come
    first, then people in the order of the answer.

    Args:
        previous: the earlier people, no page twice; missing pages are not a change.
        answer: the new answer, with ids from :func:`keep_ids`; an id may be of a person that
            existed before the previous answer.
    """
    now = pages_by_person(answer)
    gone = [
        _moved_change(_Move(before, after, pages & now[after]), previous, now, answer)
        for before, pages in previous.items()
        for after in now
        if after != before and pages & now[after]
    ]
    kinds, people = list(ChangeKind), list(now)

    def importance(change: Change) -> tuple[bool, bool, int, int, int, tuple[int, ...]]:
        size, place = len(change.pages), people.index(change.person)
        stray = change.kind is ChangeKind.NEW and size == 1
        return not change.by_user, stray, kinds.index(change.kind), -size, place, change.pages

    return tuple(sorted([*gone, *_new_page_changes(previous, answer)], key=importance))


class _Move(NamedTuple):
    """The change of pages that belonged to another person before."""

    before: int
    after: int
    pages: frozenset[int]


def _moved_change(
    move: _Move, previous: PagesByPerson, now: PagesByPerson, answer: Answer
) -> Change:
    kind = _change_kind(move, previous, now)
    # A split names the person that the pages left, other kinds the person that they joined.
    parted = kind is ChangeKind.SPLIT
    others = now.get(move.before, _NO_PAGES) if parted else now[move.after] - move.pages
    known = previous.get(move.before if parted else move.after, _NO_PAGES)
    reason = reason_between(move.pages, (others & known) or others, answer, apart=parted)
    return Change(kind, move.after, tuple(sorted(move.pages)), move.before, *reason)


def _change_kind(move: _Move, previous: PagesByPerson, now: PagesByPerson) -> ChangeKind:
    pages = previous[move.before]
    most = max(now, key=lambda id_: (len(pages & now[id_]), -id_))
    if move.before not in now and move.after == most:
        return ChangeKind.MERGED
    return ChangeKind.MOVED if move.after in previous else ChangeKind.SPLIT


def _new_page_changes(previous: PagesByPerson, answer: Answer) -> Iterator[Change]:
    """The changes of pages that belonged to no person before."""
    known = _NO_PAGES.union(*previous.values())
    for person in answer.people:
        fresh = [page for page in person.pages if page.rank not in known]
        if len(fresh) == len(person.pages):
            yield _new_person_change(person, answer.merges)
        else:
            yield from (_joined_change(page, person.id) for page in fresh)


def _joined_change(page: PageScore, person: int) -> Change:
    near = page.closest
    reason = Reason((page.rank, near.rank), near.probability) if near else NO_REASON
    return Change(ChangeKind.JOINED, person, (page.rank,), None, *reason)


def _new_person_change(person: Person, merges: Iterable[ExplainedMerge]) -> Change:
    pages = frozenset(page.rank for page in person.pages)
    reason = reason_apart(pages, merges)
    return Change(ChangeKind.NEW, person.id, tuple(sorted(pages)), None, *reason)
