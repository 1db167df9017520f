"""Edits of an answer by a user, as corrections.

Each function takes the corrections so far and returns them with one more, or raises an error.
``people`` are the ranks of the pages of each person in the answer that the user sees. A correction
states no more than the user can be taken to mean; a page that is not mentioned stays free:

- *same* links all given pages; to join two people, give a typical page of each.
- *different* separates two pages, or all pages of two people. Other pages of the name become less
  probably one person as well, unless it is to be of *only* these: then it is an *apart*.
- *split* separates the pages from all others of their person, and links them to one another.
- *move* links the pages to one another and to the page given, and separates them from the most
  typical page of the person they leave: others there may be misplaced as well, and follow. It does
  not confirm the other pages of the new person; *confirm* does.
- *exclude* and *unclear* set pages aside: they are about nobody of the name, or do not say about
  whom. *keep* takes pages back. Of these three the last on a page applies.
- *confirm* links the pages of a person to one another and to those confirmed before; the first
  single page to its closest, because its being right does not confirm the others. A page that is
  the only one of its person is separated from all other present pages.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from weps.corrections.file import correction_fault, one_line
from weps.corrections.model import (
    CORRECTION_KINDS,
    Correction,
    Corrections,
    check_consistency,
)
from weps.errors import CorrectionsError

People = Sequence[Collection[int]]
_REMEDY = "choose pages of the current answer"


@dataclass(frozen=True, slots=True)
class ShownPeople:
    """The people that a user sees, whom edits refer to."""

    people: People
    """The ranks of the pages of each."""
    scores: Mapping[int, float]
    """Rank → confidence of the page."""
    closest: Mapping[int, int]
    """Rank → that of the most probable page of the same person, where there is one."""


def apply_edit(  # noqa: PLR0913 - everything that any edit depends on
    kind: str,
    corrections: Corrections,
    pages: Sequence[int],
    shown: ShownPeople,
    *,
    to: int | None = None,
    name: str = "",
) -> Corrections:
    """The corrections with one more, of any kind of which pages are chosen.

    Args:
        kind: of :data:`weps.corrections.model.CORRECTION_KINDS`.
        corrections: so far.
        pages: ranks, at least one.
        shown: the people of the pages.
        to: of ``move``, the rank of a page of the person that they go to.
        name: of ``called``, that of the person.

    Raises:
        CorrectionsError: if there is no such edit, or see the functions below.
    """
    so_far, people = (corrections, pages), shown.people
    edits: dict[str, Callable[[], Corrections]] = {
        "same": lambda: mark_same(*so_far),
        "different": lambda: mark_different(*so_far, people),
        "apart": lambda: mark_different(*so_far, people, only=True),
        "move": lambda: move_pages(*so_far, to or 0, people, shown.scores),
        "split": lambda: split_pages(*so_far, people),
        "confirm": lambda: confirm_pages(*so_far, people, shown.closest),
        **{
            placing: partial(place_pages, corrections, placing, pages)
            for placing in ("exclude", "unclear", "keep")
        },
        "called": lambda: rename_person(corrections, pages[0], name),
    }
    if kind not in edits or not pages or (kind == "move") == (to is None):
        what = f"cannot apply {kind!r} to these pages"
        remedy = f"choose from {', '.join(edits)}; give pages, and to= for move alone"
        raise CorrectionsError(what, remedy=remedy)
    return edits[kind]()


def mark_same(corrections: Corrections, pages: Collection[int]) -> Corrections:
    """All these pages are about one person.

    Raises:
        CorrectionsError: here and below, if the edit is invalid or contradicts earlier
            corrections.
    """
    return _add_correction(corrections, "same", pages)


def mark_different(
    corrections: Corrections, pages: Collection[int], people: People, *, only: bool = False
) -> Corrections:
    """The person of some of these pages is not the person of the others.

    They are pages of exactly two people of the answer, or two pages of one. ``only`` these: the
    probabilities of other pages stay as they are.
    """
    chosen = set(pages)
    sides = [chosen & person for person in _people_with(chosen, people)]
    if len(chosen) == 2:
        sides = [{page} for page in chosen]
    if len(sides) != 2:
        raise CorrectionsError(
            f"these are {len(chosen)} pages of {len(sides)} people",
            remedy="choose two pages, or the pages of two people",
        )
    return _add_correction(corrections, "apart" if only else "different", *sorted(sides, key=min))


def move_pages(
    corrections: Corrections,
    pages: Collection[int],
    target: int,
    people: People,
    scores: Mapping[int, float] | None = None,
) -> Corrections:
    """These pages belong to another person, the one of the page ``target``.

    Args:
        corrections: so far.
        pages: ranks.
        target: rank of a page of the new person, best of its most typical one.
        people: of the answer.
        scores: rank → confidence of a page; the page of greatest confidence is the most typical
            one of its person, the first of equals.
    """
    (goal,) = _people_with({target}, people)
    chosen = set(pages) - goal
    if not chosen:
        raise CorrectionsError("the pages belong to this person already", remedy=_REMEDY)
    if left := _typical_remaining(chosen, people, scores):
        return _add_correction(corrections, "move", chosen, left, {target})
    return _add_correction(corrections, "same", chosen | {target})


def split_pages(corrections: Corrections, pages: Collection[int], people: People) -> Corrections:
    """These pages are about one person, but not about the person they are assigned to."""
    chosen = set(pages)
    left = set().union(*_people_with(chosen, people)) - chosen
    if not left:
        what = "these are all pages of the person, nothing remains to split them from"
        raise CorrectionsError(what, remedy="choose only some of the pages")
    return _add_correction(corrections, "split", chosen, left)


def confirm_pages(
    corrections: Corrections,
    pages: Collection[int],
    people: People,
    closest: Mapping[int, int] | None = None,
) -> Corrections:
    """These pages are confirmed, each with its person.

    All pages of a person confirm the person. ``closest`` maps ranks to that of the most probable
    page of the same person, where there is one.
    """
    everybody = set().union(*people)
    for person in _people_with(set(pages), people):
        chosen = set(pages) & person
        if len(person) == 1:
            corrections = _add_correction(corrections, "different", chosen, everybody - chosen)
        else:
            linked = _linked_pages(corrections, chosen, person, closest or {})
            groups = [chosen, linked] if linked else [chosen]
            corrections = _add_correction(corrections, "confirm", *groups)
    return corrections


def rename_person(corrections: Corrections, page: int, name: str) -> Corrections:
    """Name the person of a page."""
    return _add_correction(corrections, "called", (page,), name=one_line(name))


def place_pages(corrections: Corrections, kind: str, pages: Collection[int]) -> Corrections:
    """Set pages aside, or take them back: ``exclude``, ``unclear`` or ``keep``."""
    return _add_correction(corrections, kind, pages)


def choose_threshold(corrections: Corrections, threshold: float) -> Corrections:
    """Clusters merge down to this calibrated probability, whatever was chosen before."""
    return _add_correction(corrections, "threshold", threshold=threshold)


def remove_correction(corrections: Corrections, number: int) -> Corrections:
    """Remove one correction, by its place in ``corrections.entries``."""
    if not 0 <= number < len(corrections.entries):
        raise CorrectionsError("there is no such correction to remove")
    entries = (*corrections.entries[:number], *corrections.entries[number + 1 :])
    fewer = replace(corrections, entries=entries)
    pages = {rank: mark for rank, mark in corrections.pages.items() if rank in fewer.ranks}
    return replace(fewer, pages=pages)


def _linked_pages(
    corrections: Corrections, chosen: set[int], person: set[int], closest: Mapping[int, int]
) -> set[int]:
    """The pages of the person that confirmed pages are linked to."""
    confirmed = person & corrections.confirmed - chosen
    if confirmed or len(chosen) > 1:
        return confirmed
    (page,) = chosen
    nearest = closest.get(page)
    return {nearest} if nearest in person - chosen else {min(person - chosen)}


def _people_with(pages: set[int], people: People) -> list[set[int]]:
    """The people of the pages."""
    if strangers := pages.difference(*people):
        raise CorrectionsError(f"there is no page {min(strangers)}", remedy=_REMEDY)
    return [set(person) for person in people if pages.intersection(person)]


def _typical_remaining(
    chosen: set[int], people: People, scores: Mapping[int, float] | None
) -> set[int]:
    """Of each person that loses some of the chosen pages but keeps others, the most typical."""
    remaining = (sorted(person - chosen) for person in _people_with(chosen, people))
    return {
        max(pages, key=lambda rank: (scores or {}).get(rank, 0.0)) for pages in remaining if pages
    }


def _add_correction(
    corrections: Corrections,
    kind: str,
    *groups: Iterable[int],
    name: str = "",
    threshold: float | None = None,
) -> Corrections:
    """One more correction, unless it is there already; where the latest applies, it comes last."""
    added = Correction(kind, tuple(tuple(sorted(set(group))) for group in groups), name, threshold)
    if what := correction_fault(added):
        raise CorrectionsError(f"{kind}: {what}", remedy=_REMEDY)
    entries = corrections.entries
    if added in entries and not CORRECTION_KINDS[kind].latest_applies:
        return corrections
    entries = (*(each for each in entries if each != added), added)
    check_consistency(entries)
    return replace(corrections, entries=entries)
