"""Differences between two answers, each with the pair of pages that explains it best.

People keep their ids when a name is clustered again. The JSON of changes is described by
``docs/schema/changes.schema.json``; it and the sentences contain text from the web, which must be
escaped for HTML.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import count, product
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from annotated_types import MinLen

from weps._formatting import count_of, cut_text, format_probability, join_items
from weps.people.answer import Answer, ExplainedMerge, Person
from weps.people.evidence import SharedFeature
from weps.records import UNWRITTEN, Count, PersonId, Probability, Rank, in_schema
from weps.report.view import feature_words
from weps.results.stored import FILE_CONFIG, CollectedPages, StoredResult, as_data

PagesByPerson = Mapping[int, frozenset[int]]
"""The id of each person, and the ranks of the pages."""


def pages_by_person(answer: Answer) -> dict[int, frozenset[int]]:
    """The people of an answer by id."""
    return {person.id: _page_ranks(person) for person in answer.people}


def last_id(answer: Answer, previous: PagesByPerson, last: int = 0) -> int:
    """The greatest id ever given: in the answer, to the earlier people, or before."""
    return max([last, *previous, *pages_by_person(answer)])


def keep_ids(answer: Answer, previous: PagesByPerson, last: int = 0) -> Answer:
    """The answer with the earlier ids of people.

    Ids go to those who have their pages so that as many pages as possible keep their id; where that
    leaves a choice, more ids and smaller ones are kept. Others get unused ids.

    Args:
        answer: the new answer.
        previous: the earlier people, no page twice; missing pages are ignored.
        last: the greatest id ever given, if that is not among the previous.
    """
    # Imported here: it takes .2 s, and only answers that take the place of others need it.
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415

    known, now = sorted(previous), pages_by_person(answer).values()
    shared = np.array([[len(previous[id_] & pages) for pages in now] for id_ in known])
    kept: dict[int, int] = {}
    if shared.size:
        # A page outweighs all preferences for smaller ids together.
        preference = np.arange(len(known), 0, -1)[:, None]
        weight = shared * (int(preference.sum()) + 1) + preference * (shared > 0)
        pairs = np.transpose(linear_sum_assignment(weight, maximize=True)).tolist()
        kept = {column: known[row] for row, column in pairs if shared[row, column]}
    unused = count(max([last, *previous], default=0) + 1)
    ids: dict[int | None, int] = {
        person.id: kept[at] if at in kept else next(unused)
        for at, person in enumerate(answer.people)
    }
    people = (
        replace(
            person,
            id=ids[person.id],
            pages=tuple(
                replace(each, nearest=ids.get(each.nearest)) if each.nearest else each
                for each in person.pages
            ),
        )
        for person in answer.people
    )
    return replace(answer, people=tuple(people))


def _page_ranks(person: Person) -> frozenset[int]:
    return frozenset(page.rank for page in person.pages)


_NO_PAGES = frozenset[int]()


class Reason(NamedTuple):
    """Two pages, and the probability that they, or their groups, are one person."""

    pair: tuple[int, int] | None = None
    probability: float | None = None
    by_user: bool = False
    """Whether a correction says so of the two."""


NO_REASON = Reason()


def reason_between(
    first: frozenset[int], second: frozenset[int], answer: Answer, *, apart: bool
) -> Reason:
    """Why pages of one side are, or with ``apart`` are not, with pages of the other.

    A correction if there is one; else the merge that joins most of them, kept or not, with its pair
    of pages or, if that is not across the sides, the most probable pair between them.
    """
    corrections = answer.corrections
    claims: list[Sequence[Sequence[int]]] = (
        [claim for sides in corrections.different for claim in (sides[::-1], sides)]
        if apart
        else [(pages, pages) for pages in corrections.same]
    )
    for side, opposite in reversed(claims):  # the latest correction counts
        if (left := first.intersection(side)) and (right := second.intersection(opposite)):
            return Reason((min(left), min(right)), 0.0 if apart else 1.0, by_user=True)
    most, reason = 0, NO_REASON
    for one, other, merge in _merged_clusters(answer.merges):
        along = len(one & first) * len(other & second)
        against = len(other & first) * len(one & second)
        if along + against > most:
            most = along + against
            reason = Reason(
                merge.pages if along >= against else merge.pages[::-1], merge.probability
            )
    alternatives = answer.alternatives
    pair = reason.pair
    if pair is None or alternatives is None or (pair[0] in first and pair[1] in second):
        return reason
    row_of = {rank: row for row, rank in enumerate(alternatives.ranks)}

    def probability(pair: tuple[int, int]) -> float:
        return alternatives.probability_of(*sorted(row_of[rank] for rank in pair))

    return reason._replace(pair=max(product(sorted(first), sorted(second)), key=probability))


def _merged_clusters(
    merges: Iterable[ExplainedMerge],
) -> Iterator[tuple[set[int], set[int], ExplainedMerge]]:
    """Each merge with the pages of its two clusters, which change when the next is requested."""
    cluster: dict[int, set[int]] = {}
    for merge in merges:
        one, other = (cluster.setdefault(rank, {rank}) for rank in merge.pages)
        yield one, other, merge
        smaller, larger = sorted((one, other), key=len)
        larger |= smaller
        cluster |= dict.fromkeys(smaller, larger)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A difference between the earlier answer and the new one."""

    kind: ChangeKind
    """merged: the person before is one with another; split: pages became a new person; moved: pages
    moved to another known person; new: new pages are of a new person; joined: a new page is of a
    known person."""
    person: PersonId
    """Id of the person of the pages now."""
    before: PersonId | None = None
    """Id of the person of the pages before; absent for new pages."""
    pages: Annotated[tuple[Rank, ...], MinLen(1)] = field(metadata=in_schema(uniqueItems=True))
    """Ranks of the pages concerned, ascending."""
    pair: tuple[Rank, Rank] | None = field(default=None, metadata=in_schema(uniqueItems=True))
    """Ranks of two pages that show best why: of what was merged, moved or joined, why it is
    together; of what was split or is new, what is most similar. Absent where there is nobody
    else."""
    probability: Probability | None = None
    """Probability that the pair is one person, for joined; else that their groups of pages are."""
    evidence: tuple[SharedFeature, ...] | None = None
    """Features that the pair shares, strongest first."""
    by_user: bool = field(default=False, metadata=UNWRITTEN)
    """Whether a correction says that the two pages are, or are not, of one person; then the
    probability is 1 or 0."""

    @classmethod
    def of(  # noqa: PLR0913 - each part of a change
        cls,
        kind: ChangeKind,
        person: int,
        pages: Iterable[int],
        reason: Reason,
        *,
        before: int | None = None,
        answer: Answer,
    ) -> Change:
        """A change with the evidence that the answer has for its pair."""
        evidence = None
        if reason.pair:
            explained = answer.pairs.get((min(reason.pair), max(reason.pair)))
            evidence = tuple(
                SharedFeature(each.feature, each.shared)
                for each in (explained.evidence if explained else ())
            )
        return cls(
            kind=kind,
            person=person,
            before=before,
            pages=tuple(sorted(pages)),
            evidence=evidence,
            **reason._asdict(),
        )


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
    gone = []
    for before, after in product(previous, now):
        pages = previous[before] & now[after]
        if after == before or not pages:
            continue
        kind = ChangeKind.MOVED if after in previous else ChangeKind.SPLIT
        most = max(now, key=lambda id_: (len(previous[before] & now[id_]), -id_))
        if before not in now and after == most:
            kind = ChangeKind.MERGED
        # A split names the person that the pages left, other kinds the person that they joined.
        split = kind is ChangeKind.SPLIT
        others = now.get(before, _NO_PAGES) if split else now[after] - pages
        known = previous.get(before if split else after, _NO_PAGES)
        reason = reason_between(pages, (others & known) or others, answer, apart=split)
        gone.append(Change.of(kind, after, pages, reason, before=before, answer=answer))
    kinds, people = list(ChangeKind), list(now)
    return tuple(
        sorted(
            [*gone, *_new_page_changes(previous, answer)],
            key=lambda each: (
                not each.by_user,
                each.kind is ChangeKind.NEW and len(each.pages) == 1,
                kinds.index(each.kind),
                -len(each.pages),
                people.index(each.person),
                each.pages,
            ),
        )
    )


def describe_learning(answer: Answer, learnt: Sequence[frozenset[int]]) -> tuple[str, ...]:
    """What would become of other people if corrections were learnt from; nothing if all stay.

    Args:
        answer: in which they are not.
        learnt: the ranks of the pages of each person if they were.

    Returns:
        A summary, and a line for each change; not escaped.
    """
    split, joined = list[str](), defaultdict[int, list[str]](list)
    for person in answer.people:
        pages = _page_ranks(person)
        called = f"person {person.id} ({cut_text(person.label, _MAX_LENGTH)})".replace(" ()", "")
        shares = [len(pages & group) for group in learnt]
        joined[int(np.argmax(shares))].append(called)
        if len(parts := sorted(filter(None, shares), reverse=True)) > 1:
            split.append(f"{called} would be {len(parts)} people: {join_items(parts)} pages")
    together = [people for people in joined.values() if len(people) > 1]
    effects = [f"split {count_of(len(split), 'person', 'people')}"] if split else []
    effects += [f"join {sum(map(len, together))} people"] if together else []
    lines = [*split, *(f"{' and '.join(people)} would be one person" for people in together)]
    return (f"would also {' and '.join(effects)}", *lines) if effects else ()


def _new_page_changes(previous: PagesByPerson, answer: Answer) -> Iterator[Change]:
    """The changes of pages that belonged to no person before."""
    known = _NO_PAGES.union(*previous.values())
    for person in answer.people:
        pages, reason = _page_ranks(person), NO_REASON
        if pages.isdisjoint(known):
            # The reason is the merge that would join the person with another.
            for one, other, merge in _merged_clusters(answer.merges):
                if bool(one & pages) != bool(other & pages):
                    reason = Reason(
                        merge.pages if one & pages else merge.pages[::-1], merge.probability
                    )
                    break
            yield Change.of(ChangeKind.NEW, person.id, pages, reason, answer=answer)
            continue
        for page in person.pages:
            if page.rank not in known:
                near = page.closest
                reason = Reason((page.rank, near.rank), near.probability) if near else NO_REASON
                yield Change.of(ChangeKind.JOINED, person.id, [page.rank], reason, answer=answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateFile:
    """Changes that new pages made in the result for one name."""

    __pydantic_config__: ClassVar = {"title": "weps update", **FILE_CONFIG}

    name: str
    """The name that was searched for."""
    new: tuple[Rank, ...] = field(metadata=in_schema(uniqueItems=True))
    """Ranks of the pages that were added, ascending."""
    known: Count
    """Number of the pages to be added that the result had already."""
    altered: tuple[Rank, ...] = field(metadata=in_schema(uniqueItems=True))
    """Ranks of old pages whose content has changed; they keep their ranks."""
    gone: tuple[Rank, ...] = field(metadata=in_schema(uniqueItems=True))
    """Ranks of old pages that are missing; they are removed from the result."""
    unchanged: Count
    """Number of old pages that stayed with their person."""
    changes: tuple[Change, ...]
    """Most important first: by kind in the order of the kinds, most pages first, but new people
    with a single page last."""
    model: str
    """Signature of the model."""
    signature: str
    """How the answer was made, so that it can be made again: key:value pairs joined by |."""


_SENTENCES = {
    ChangeKind.MERGED: "{before} was merged with {person}",
    ChangeKind.SPLIT: "{pages} of {before} split off as a new person, {person}",
    ChangeKind.MOVED: "{pages} moved from {before} to {person}",
    ChangeKind.NEW: "{pages} became a new person, {person}",
    ChangeKind.JOINED: "{pages} joined {person}",
}
_COUNTS = {
    ChangeKind.JOINED: ("page joined an existing person", "pages joined existing people"),
    ChangeKind.NEW: ("new person", "new people"),
    ChangeKind.MERGED: ("person merged with another", "people merged with another"),
    ChangeKind.SPLIT: ("split", "splits"),
    ChangeKind.MOVED: (
        "move of earlier pages to another person",
        "moves of earlier pages to another person",
    ),
}
_MAX_LENGTH = 50
"""Characters of a label or a shared string."""
_MAX_STRINGS = 2
_MAX_PAGES = 8


def describe_change(change: Change, labels: Mapping[int, str]) -> str:
    """A change and its reason, on one line; the labels are of the people before and now, by id."""

    def short(text: str) -> str:
        return cut_text(" ".join(text.split()), _MAX_LENGTH)

    called = {id_: f" ({short(label)})" for id_, label in labels.items() if label}
    person, before = (
        f"person {each}{called.get(each or 0, '')}" for each in (change.person, change.before)
    )
    pages = f"page{'s' * (len(change.pages) != 1)} {join_items(change.pages, _MAX_PAGES)}"
    happened = _SENTENCES[change.kind].format(person=person, before=before, pages=pages)
    if change.pair is None or change.probability is None:
        return happened
    first, second = change.pair
    if change.by_user:
        return f"{happened}, because of your correction of pages {first} and {second}"
    shows = "closest are" if change.kind in {"split", "new"} else "best shown by"
    certain = f"{format_probability(change.probability)} likely to be one person"
    reason = f"{happened}: {certain}, {shows} pages {first} and {second}"
    evidence = change.evidence or ()
    shared = (short(each) for one in evidence for each in one.shared[:_MAX_STRINGS])
    if strings := list(dict.fromkeys(shared))[:_MAX_STRINGS]:
        return f"{reason}, which share {', '.join(f'“{each}”' for each in strings)}"
    return f"{reason} ({feature_words(evidence[0].feature)})" if evidence else reason


def describe_changes(
    changes: Sequence[Change], answer: Answer, labels: Mapping[int, str], most: int
) -> list[str]:
    """The first changes in words, and the number of others; see :func:`describe_change`.

    Args:
        changes: most important first.
        answer: the new answer.
        labels: of the earlier people, by id.
        most: largest number of changes in words.
    """
    known = {**labels, **{person.id: person.label for person in answer.people}}
    shown = [describe_change(each, known) for each in changes[:most]]
    others = len(changes) - most
    return [*shown, f"and {count_of(others, 'other change')}"] if others > 0 else shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Update(UpdateFile):
    """The changes that new pages made in a result."""

    stored: StoredResult = field(metadata=UNWRITTEN)
    """The earlier result."""
    answer: Answer = field(metadata=UNWRITTEN)
    """The new answer, with the earlier ids of people."""
    warnings: tuple[str, ...] = field(metadata=UNWRITTEN)
    """Remarks on the pages and the model, one sentence each."""

    @classmethod
    def of(
        cls,
        stored: StoredResult,
        collected: CollectedPages,
        answer: Answer,
        warnings: Sequence[str] = (),
    ) -> Update:
        """The changes from an earlier result to the answer for the pages collected since."""
        now = pages_by_person(answer)
        return cls(
            name=answer.name,
            new=collected.new,
            known=collected.known,
            altered=collected.changed,
            gone=collected.gone,
            unchanged=sum(
                len(pages & now.get(id_, _NO_PAGES)) for id_, pages in stored.people.items()
            ),
            changes=find_changes(stored.people, answer),
            model=answer.model,
            signature=answer.signature,
            stored=stored,
            answer=answer,
            warnings=tuple(warnings),
        )

    @property
    def summary(self) -> str:
        """The numbers of changes and of old pages that stayed with their person, on one line."""
        kinds = [each.kind for each in self.changes]
        counts = [
            count_of(kinds.count(kind), *noun) for kind, noun in _COUNTS.items() if kind in kinds
        ]
        kept = "earlier page kept its person", "earlier pages kept their person"
        return "; ".join([*counts, count_of(self.unchanged, *kept)])

    def describe_changes(self, most: int) -> list[str]:
        """The first changes in words, and the number of others; not escaped."""
        return describe_changes(self.changes, self.answer, self.stored.labels, most)

    def as_data(self) -> Any:
        """The changes as JSON data, see ``docs/schema/changes.schema.json``."""
        return as_data(self)
