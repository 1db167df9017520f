"""What is different between two answers, each difference with what shows best why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from weps.changes.ids import Groups, groups
from weps.explaining.evidence import Evidence
from weps.people import Answer, ExplainedMerge, PageScore, Person

__all__ = ["Change", "Kind", "changes"]

_Reason = tuple[tuple[int, int] | None, float | None]
"""Two pages, and how probable it is that they, or the groups that they stand for, are one."""
_NO_REASON: _Reason = (None, None)


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
    else that of the groups of pages that the pair stands for."""

    def evidence(self, answer: Answer) -> tuple[Evidence, ...]:
        """What the two pages share, strongest first."""
        if self.pair is None:
            return ()
        explained = answer.pairs.get((min(self.pair), max(self.pair)))
        return explained.evidence if explained else ()


def changes(previous: Groups, answer: Answer) -> tuple[Change, ...]:
    """What is different, most important first.

    Kinds stand in the order of :class:`Kind`, but new people with a single page come last. Within
    a kind most pages come first, then people in the order of the answer.

    Args:
        previous: who was who, no page twice; pages that are gone are no change.
        answer: who is who now, with ids from :func:`stable`.
    """
    now = groups(answer)
    gone = [
        _departure(_Move(before, after, pages & now[after]), previous, now, answer.merges)
        for before, pages in previous.items()
        for after in now
        if after != before and pages & now[after]
    ]
    kinds, people = list(Kind), list(now)

    def importance(change: Change) -> tuple[bool, int, int, int, tuple[int, ...]]:
        size, place = len(change.pages), people.index(change.person)
        stray = change.kind is Kind.NEW and size == 1
        return stray, kinds.index(change.kind), -size, place, change.pages

    return tuple(sorted([*gone, *_arrivals(previous, answer)], key=importance))


class _Move(NamedTuple):
    """Pages that had another person before."""

    before: int
    after: int
    pages: frozenset[int]


def _departure(
    move: _Move, previous: Groups, now: Groups, merges: Iterable[ExplainedMerge]
) -> Change:
    kind = _kind(move, previous, now)
    # A split tells from whom the pages were parted, the others whom they came to.
    others = now[move.before] if kind is Kind.SPLIT else now[move.after] - move.pages
    known = previous[move.before if kind is Kind.SPLIT else move.after]
    pair, probability = _between(move.pages, (others & known) or others, merges)
    return Change(kind, move.after, tuple(sorted(move.pages)), move.before, pair, probability)


def _kind(move: _Move, previous: Groups, now: Groups) -> Kind:
    if move.after not in previous:
        return Kind.SPLIT
    pages = previous[move.before]
    most = max(now, key=lambda id_: (len(pages & now[id_]), -id_))
    return Kind.MERGED if move.before not in now and move.after == most else Kind.MOVED


def _arrivals(previous: Groups, answer: Answer) -> Iterator[Change]:
    """Pages that nobody had before."""
    known = frozenset[int]().union(*previous.values())
    for person in answer.people:
        fresh = [page for page in person.pages if page.rank not in known]
        if len(fresh) == len(person.pages):
            yield _new(person, answer.merges)
        else:
            yield from (_joined(page, person.id) for page in fresh)


def _joined(page: PageScore, person: int) -> Change:
    near = page.closest
    pair, probability = ((page.rank, near.rank), near.probability) if near else _NO_REASON
    return Change(Kind.JOINED, person, (page.rank,), None, pair, probability)


def _new(person: Person, merges: Iterable[ExplainedMerge]) -> Change:
    pages = frozenset(page.rank for page in person.pages)
    pair, probability = _beyond(pages, merges)
    return Change(Kind.NEW, person.id, tuple(sorted(pages)), None, pair, probability)


def _between(
    first: frozenset[int], second: frozenset[int], merges: Iterable[ExplainedMerge]
) -> _Reason:
    """Of the merge that unites most pages of the one with pages of the other, held or not."""
    most, reason = 0, _NO_REASON
    for one, other, merge in _grown(merges):
        along, against = (
            len(one & first) * len(other & second),
            len(other & first) * len(one & second),
        )
        if along + against > most:
            most = along + against
            reason = (merge.pages if along >= against else merge.pages[::-1], merge.probability)
    return reason


def _beyond(pages: frozenset[int], merges: Iterable[ExplainedMerge]) -> _Reason:
    """Of the merge that would unite a person with anybody else."""
    for one, other, merge in _grown(merges):
        if bool(one & pages) != bool(other & pages):
            return (merge.pages if one & pages else merge.pages[::-1]), merge.probability
    return _NO_REASON


def _grown(
    merges: Iterable[ExplainedMerge],
) -> Iterator[tuple[frozenset[int], frozenset[int], ExplainedMerge]]:
    """Each merge with the pages that it makes one: those with its first, those with its second."""
    cluster: dict[int, frozenset[int]] = {}
    for merge in merges:
        one, other = (cluster.get(rank, frozenset({rank})) for rank in merge.pages)
        yield one, other, merge
        cluster |= dict.fromkeys(one | other, one | other)
