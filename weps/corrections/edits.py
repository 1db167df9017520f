"""Edits of an answer by a user, as corrections, and questions that ask for them.

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

Questions are asked where the answer is expected to improve the clustering most. A question is
whether two pages are about one person. Each stands for two groups of pages that the
clustering keeps apart or joins: two clusters, or the two parts of a cluster that a merge of the
dendrogram leaves. If groups of a and b pages of n are joined wrongly, the B-Cubed precision of the
a pages is too small by about b/(a+b) and that of the b pages by a/(a+b), and so is recall if they
are wrongly apart: 2ab/(n(a+b)) in all. Times the probability that the answer is the unexpected one,
this is what the answer is expected to gain; expected error reduction in active learning (Roy and
McCallum 2001, ICML), approximated without clustering again. The pages asked about are the most
typical of their groups: those most probably about one person with the rest of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from itertools import islice
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from weps._sets import membership_matrix
from weps.clustering.dendrogram import Dendrogram
from weps.corrections.file import correction_fault, one_line
from weps.corrections.model import Correction, Corrections, check_consistency
from weps.errors import CorrectionsError
from weps.similarity.pairs import square_matrix

People = Sequence[Collection[int]]
_EDITS = (
    *("same", "different", "apart", "move", "split", "confirm"),
    *("exclude", "unclear", "keep", "called"),
)
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
    people = shown.people
    if pages and (kind == "move") == (to is not None):
        match kind:
            case "same" | "exclude" | "unclear" | "keep":
                return add_correction(corrections, kind, pages)
            case "called":
                return add_correction(corrections, kind, pages[:1], name=name)
            case "different" | "apart":
                return mark_different(corrections, pages, people, only=kind == "apart")
            case "split":
                return split_pages(corrections, pages, people)
            case "move":
                return move_pages(corrections, pages, to or 0, people, shown.scores)
            case "confirm":
                return confirm_pages(corrections, pages, people, shown.closest)
    what = f"cannot apply {kind!r} to these pages"
    remedy = f"choose from {', '.join(_EDITS)}; give pages, and to= for move alone"
    raise CorrectionsError(what, remedy=remedy)


def mark_different(
    corrections: Corrections, pages: Collection[int], people: People, *, only: bool = False
) -> Corrections:
    """The person of some of these pages is not the person of the others.

    They are pages of exactly two people of the answer, or two pages of one. ``only`` these: the
    probabilities of other pages stay as they are.

    Raises:
        CorrectionsError: here and below, if the edit is invalid or contradicts earlier
            corrections.
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
    return add_correction(corrections, "apart" if only else "different", *sorted(sides, key=min))


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
        return add_correction(corrections, "move", chosen, left, {target})
    return add_correction(corrections, "same", chosen | {target})


def split_pages(corrections: Corrections, pages: Collection[int], people: People) -> Corrections:
    """These pages are about one person, but not about the person they are assigned to."""
    chosen = set(pages)
    left = set().union(*_people_with(chosen, people)) - chosen
    if not left:
        what = "these are all pages of the person, nothing remains to split them from"
        raise CorrectionsError(what, remedy="choose only some of the pages")
    return add_correction(corrections, "split", chosen, left)


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
            corrections = add_correction(corrections, "different", chosen, everybody - chosen)
        else:
            linked = _linked_pages(corrections, chosen, person, closest or {})
            groups = [chosen, linked] if linked else [chosen]
            corrections = add_correction(corrections, "confirm", *groups)
    return corrections


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
    """The most typical page of each person that loses some of the chosen pages but keeps others."""
    remaining = (sorted(person - chosen) for person in _people_with(chosen, people))
    return {
        max(pages, key=lambda rank: (scores or {}).get(rank, 0.0)) for pages in remaining if pages
    }


def add_correction(
    corrections: Corrections,
    kind: str,
    *groups: Iterable[int],
    name: str = "",
    threshold: float | None = None,
) -> Corrections:
    """The corrections with one more, unless it is there already.

    A correction that links and separates no pages comes last, since of these the last applies.

    Args:
        corrections: so far.
        kind: of :data:`weps.corrections.model.CORRECTION_KINDS`.
        groups: ranks, as the kind needs them.
        name: of ``called``, that of the person.
        threshold: of ``threshold``, the lowest calibrated probability at which clusters merge.

    Raises:
        CorrectionsError: if it is faulty, or contradicts another one.
    """
    ranks = tuple(tuple(sorted(set(group))) for group in groups)
    added = Correction(kind, ranks, one_line(name), threshold)
    if what := correction_fault(added):
        raise CorrectionsError(f"{kind}: {what}", remedy=_REMEDY)
    entries = corrections.entries
    if added in entries and (added.same or added.different):
        return corrections
    entries = (*(each for each in entries if each != added), added)
    check_consistency(entries)
    return replace(corrections, entries=entries)


MAX_QUESTIONS = 5
"""Largest number of questions to a user, one after another."""
_MAX_GROUPS = 1_000
"""Pairs of groups that are considered, those of the greatest gain first."""


@dataclass(frozen=True, slots=True)
class Question:
    """Are these two pages about the same person?"""

    rows: tuple[int, int]
    """Rows of the two pages in the dendrogram, ascending."""
    together: bool
    """Whether the clustering has them together."""
    probability: float
    """Mean probability that a page of the one group and one of the other are one person."""
    gain: float
    """Expected rise of the B-Cubed F of the name, a rough estimate between 0 and 1."""


_Groups = tuple[Sequence[int], Sequence[int], bool, float, float]
"""Rows of two groups, either both part of one cluster or each a cluster; whether they are together;
probability that they are one person; gain."""


def choose_questions(
    dendrogram: Dendrogram,
    kept: int,
    most: int = 1,
    answerable: Collection[int] | None = None,
    asked: Collection[tuple[int, int]] = (),
) -> list[Question]:
    """The questions of the greatest expected gain, best first; fewer if there are no more.

    Args:
        dendrogram: of n pages, with calibrated probabilities.
        kept: number of merges that make the clustering.
        most: largest number of questions.
        answerable: rows that may be asked about; None for all.
        asked: pairs of rows that are not asked about again.
    """
    if dendrogram.size < 2:
        return []
    square = square_matrix(dendrogram.probability, dendrogram.size, diagonal=1.0)
    clusters = dendrogram.clusters(kept)
    found = [*_apart(square, clusters), *_joined(square, dendrogram, clusters, kept)]
    excluded = set(asked)
    questions: dict[tuple[int, int], Question] = {}
    for first, second, together, probability, gain in nlargest(_MAX_GROUPS, found, itemgetter(-1)):
        pages = [_typical_page(square, rows, answerable) for rows in (first, second)]
        pair = tuple(sorted(page for page in pages if page is not None))
        # Probabilities of 0 and 1 come from corrections, which forbid to join or to divide.
        decided = (square[np.ix_(first, second)] == (1 if together else 0)).any()
        if len(pair) == 2 and pair not in excluded and not decided:
            questions.setdefault(pair, Question(pair, together, probability, gain))
        if len(questions) == most:
            break
    return list(questions.values())


def _apart(square: NDArray[np.floating], clusters: Sequence[Sequence[int]]) -> Iterator[_Groups]:
    """Pairs of clusters, the most promising ones."""
    member = membership_matrix(clusters, len(square))
    sizes = np.array([len(rows) for rows in clusters], dtype=np.float64)
    first, second = np.triu_indices(len(clusters), k=1)
    sums = (member @ (member @ square).T)[first, second]
    ours, theirs = sizes[first], sizes[second]
    probability = sums / (ours * theirs)
    gain = probability * _cost_of_error(ours, theirs, len(square))
    best = np.argsort(-gain, kind="stable")[:_MAX_GROUPS].tolist()
    for at in best:
        groups = clusters[first[at]], clusters[second[at]]
        yield *groups, False, float(probability[at]), float(gain[at])


def _joined(
    square: NDArray[np.floating],
    dendrogram: Dendrogram,
    clusters: Sequence[Sequence[int]],
    kept: int,
) -> Iterator[_Groups]:
    """Each page and each merge that was kept, and the rest of its cluster."""
    cluster_of = {row: rows for rows in clusters for row in rows}
    merged = islice(dendrogram.merged_pairs(), kept)
    parts = [[row] for row in range(len(square))]
    parts += [[*larger, *smaller] for larger, smaller in merged]
    for part in parts:
        inside = set(part)
        rest = [row for row in cluster_of[part[0]] if row not in inside]
        if rest:
            probability = float(square[np.ix_(part, rest)].mean())
            cost = float(_cost_of_error(len(part), len(rest), len(square)))
            yield part, rest, True, probability, (1 - probability) * cost


def _cost_of_error(
    ours: float | NDArray[np.float64], theirs: float | NDArray[np.float64], pages: int
) -> float | NDArray[np.float64]:
    """Loss of B-Cubed F by a wrong decision on two groups of so many pages."""
    return 2 * ours * theirs / (ours + theirs) / pages


def _typical_page(
    square: NDArray[np.floating], rows: Sequence[int], answerable: Collection[int] | None
) -> int | None:
    """The page most probably about one person with the others; None if none may be asked about."""
    allowed = sorted(row for row in rows if answerable is None or row in answerable)
    if not allowed:
        return None
    likeness = square[np.ix_(allowed, rows)].sum(axis=1)
    return allowed[int(likeness.argmax())]
