"""What is different between two answers, each difference with what shows best why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from weps.changes.ids import Groups, groups
from weps.changes.reasons import NO_REASON, Reason, between, beyond
from weps.explaining.evidence import Evidence
from weps.people import Answer, ExplainedMerge, PageScore, Person

__all__ = ["Change", "Kind", "changes"]


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
