"""Edits by users, questions that ask for them, and what their corrections teach of other pages.

By default corrections change what they name, see :mod:`weps.corrections.placement`. Where a user
wants other pages to follow (``learn``), the name is clustered again: corrections constrain the
clustering, and change the probabilities of other pairs of the name.

Namesakes of one trade share much, others little; a model knows only the average. Where a user says
that two groups of pages are different people, the model's probability was too high, and it usually
is for other pages of the name as well. So all logits of the name are shifted, by the most probable
shift if shifts are normally distributed with mean 0 and variance 1 and every *different* is one
observation: the mean logit between its sides, labelled as not coreferent. An *apart* says the same
of its pages and nothing of others, and is none.

Where a user says that pages are one person, no shift follows: that they share little says less
about other pages. But pages that resemble any of them, which may resemble one another little, are
then probably of this person, too. With s(x) for the mean probability that page x and each of them
are about one person, the probability p of two pages becomes 1 − (1 − p)(1 − (s(x) · s(y))²). The
idea is that of space-level constraints (Klein, Kamvar and Manning 2002, ICML), the form is not from
the literature. With either, simulated users need fewer corrections (``weps evaluate
--corrections``).

Edits of an answer become corrections. A correction states no more than the user can be taken to
mean; a page that is not mentioned stays free:

- *same* links all given pages; *join* their people as well, of whom a typical page each is given.
- *different* separates two pages, or all pages of two people. *apart* teaches nothing.
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
whether two pages are about one person. Each stands for a cluster, and those of one person are
joined. If clusters of a and b pages of n are wrongly apart, the B-Cubed recall of the a pages is
too small by about b/(a+b) and that of the b pages by a/(a+b): 2ab/(n(a+b)) in all. Times the
probability that they are one person, this is what the answer is expected to gain; expected error
reduction in active learning (Roy and McCallum 2001, ICML), approximated without clustering again.
To learn that a page does not belong to its cluster moves that page only. So questions about a page
and the rest of its cluster, the least probable first, come when no pair of clusters is left to ask
about. The pages shown are the most typical of their groups: those most probably about one person
with the rest of the group.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from weps._formatting import quote_text, suggest_names
from weps.clustering.dendrogram import Constraints, Dendrogram, FlatLinkage, Linkage
from weps.coreference.base import clipped_logit, inverse_logit
from weps.corrections.model import (
    CORRECTION_KINDS,
    MAX_BYTES,
    Correction,
    Corrections,
    check_consistency,
    correction_fault,
    corrections_text,
    one_line,
    person_numbers,
)
from weps.errors import CorrectionsError, require_type
from weps.features.bags import membership_matrix
from weps.similarity.columns import Vector, condensed_rows, pairs_between, square_matrix

_EPSILON = 1e-4
"""No pair is taken to be more certain than this, either way."""
_EDITS = (
    *("same", "join", "different", "apart", "move", "split", "confirm"),
    *("exclude", "unclear", "keep", "called", "learn"),
    *(kind for kind, each in CORRECTION_KINDS.items() if each.marks),
)
_REMEDY = "choose pages of the current answer"


def build_constraints(corrections: Corrections, ranks: Sequence[int]) -> Constraints:
    """The constraints on pages, closed under *same* and *different*.

    Args:
        corrections: of the name; those on missing pages still link others.
        ranks: of the rows, without repeats.

    Raises:
        CorrectionsError: if corrections contradict one another.
    """
    if not corrections:
        return Constraints.unconstrained(len(ranks))
    check_consistency(corrections.entries)
    person = person_numbers(corrections.entries)
    numbers: dict[int, int] = {}
    # A page without corrections is a component of its own; ranks are never negative.
    component = [numbers.setdefault(person.get(rank, -1 - rank), len(numbers)) for rank in ranks]
    apart = np.zeros((len(numbers), len(numbers)), dtype=bool)
    for sides in corrections.different:
        left, right = ([numbers[person[r]] for r in side if person[r] in numbers] for side in sides)
        apart[np.ix_(left, right)] = apart[np.ix_(right, left)] = True
    confirmed = corrections.confirmed
    return Constraints(
        np.array(component, dtype=np.int64),
        apart,
        np.array([rank in confirmed for rank in ranks], dtype=bool),
    )


def constrained_dendrogram(
    corrections: Corrections,
    linkage: Linkage | FlatLinkage,
    probability: Vector,
    ranks: Sequence[int],
    preference: Vector | None = None,
) -> Dendrogram:
    """The dendrogram of a name under corrections; without any, that of the linkage.

    Args:
        corrections: of the name.
        linkage: see :func:`weps.clustering.dendrogram.linkage_by_name`.
        probability: shape (n(n-1)/2,), the model's, condensed.
        ranks: of the n rows.
        preference: same shape as the probability, see :class:`weps.clustering.dendrogram.Linkage`.

    Raises:
        CorrectionsError: if corrections contradict one another.
    """
    return linkage(
        shift_probabilities(join_resembling(probability, corrections, ranks), corrections, ranks),
        len(ranks),
        preference,
        build_constraints(corrections, ranks) if corrections else None,
    )


def shift_probabilities(
    probability: Vector, corrections: Corrections, ranks: Sequence[int]
) -> Vector:
    """The probabilities of all pairs of a name, shifted by the corrections.

    Args:
        probability: shape (n(n-1)/2,), the model's, condensed.
        corrections: of the name.
        ranks: of the n rows.

    Returns:
        Shape (n(n-1)/2,); the same probabilities if there is no *different*.
    """
    row_of = {rank: row for row, rank in enumerate(ranks)}
    separated = [
        [np.array([row_of[rank] for rank in side if rank in row_of]) for side in each.different]
        for each in corrections.entries
        if each.different and each.kind != "apart"
    ]
    separated = [sides for sides in separated if all(map(len, sides))]
    if not separated:
        return probability
    logits = clipped_logit(probability, _EPSILON)
    observed = [logits[pairs_between(left, right, len(ranks))].mean() for left, right in separated]
    return inverse_logit(logits + most_probable_shift(np.array(observed)))


def join_resembling(probability: Vector, corrections: Corrections, ranks: Sequence[int]) -> Vector:
    """The probabilities of all pairs of a name, raised where both pages resemble one person's.

    Args:
        probability: shape (n(n-1)/2,), the model's, condensed.
        corrections: of the name.
        ranks: of the n rows.

    Returns:
        Shape (n(n-1)/2,); the same probabilities if no two pages are said to be one person.
    """
    row_of = {rank: row for row, rank in enumerate(ranks)}
    together = ([row_of[rank] for rank in same if rank in row_of] for same in corrections.same)
    size, raised = len(ranks), probability
    for rows in (rows for rows in together if len(rows) > 1):
        likeness = np.zeros(size)
        for row in rows:
            others = np.delete(np.arange(size), row)
            likeness[others] += probability[pairs_between(np.array([row]), others, size)[0]]
            likeness[row] += 1
        likeness /= len(rows)
        raised = raised.copy() if raised is probability else raised
        for row, values in enumerate(condensed_rows(raised, size)):
            values[:] += (1 - values) * (likeness[row] * likeness[row + 1 :]) ** 2
    return raised


def most_probable_shift(logits: Vector) -> float:
    """The shift, at most 0, for logits of pairs that were said to be different.

    Args:
        logits: shape (observations,).
    """
    from scipy.optimize import brentq  # noqa: PLC0415 - slow to import, and few answers need it

    # Where the slope of the log posterior is 0; its sign is reversed here.
    return float(brentq(lambda at: at + float(inverse_logit(logits + at).sum()), -len(logits), 0.0))


@dataclass(frozen=True, slots=True)
class ShownPeople:
    """The people that a user sees, whom edits refer to."""

    people: Sequence[Collection[int]]
    """The ranks of the pages of each."""
    scores: Mapping[int, float]
    """Rank → confidence of the page; on the greatest the most typical page of a person is chosen,
    the first of equals."""
    closest: Mapping[int, int]
    """Rank → that of the most probable page of the same person, where there is one."""
    aside: Collection[int] = ()
    """Ranks of the pages that are set aside."""

    def of(self, pages: Collection[int]) -> list[set[int]]:
        """The people of some pages."""
        return [set(person) for person in self.people if not set(pages).isdisjoint(person)]


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
        pages: ranks, at least one but for ``learn``.
        shown: the people of the pages.
        to: of ``move``, the rank of a page of the person that they go to, best of its most typical
            one.
        name: of ``called``, that of the person; the text of a note or tag.

    Raises:
        CorrectionsError: if there is no such edit, or it contradicts earlier corrections.
    """
    require_type(to, int | None, "the rank of a page", "to")
    require_type(name, str, "a text", "name")
    wanted = bool(pages) != (kind == "learn") and (kind == "move") == (to is not None)
    if kind not in _EDITS:
        what = f"there is no correction {quote_text(kind)}"
        raise CorrectionsError(what, remedy=suggest_names(kind, list(_EDITS)))
    if not wanted:
        remedy = "give pages in one list, also where they are to be apart; to= for move alone"
        raise CorrectionsError(
            f"cannot apply {kind!r} to these pages",
            remedy="give none" if kind == "learn" else remedy,
        )
    marked = CORRECTION_KINDS[kind].marks == "page"
    shown_pages = [*(shown.people if kind != "keep" else ())]
    shown_pages += [shown.aside] if marked or kind == "keep" else []
    if strangers := {*pages, *([] if to is None else [to])}.difference(*shown_pages):
        page = min(strangers)
        is_there = any(page in group for group in (shown.aside, *shown.people))
        what = f"page {page} is {'not ' * (kind == 'keep')}set aside"
        raise CorrectionsError(what if is_there else f"there is no page {page}", remedy=_REMEDY)
    chosen = set(pages)
    match kind:
        case "different" | "apart":
            persons = ([page] for page in chosen) if len(chosen) == 2 else shown.of(chosen)
            sides = [chosen.intersection(person) for person in persons]
            if len(sides) != 2:
                raise CorrectionsError(
                    f"these are {len(chosen)} pages of {len(sides)} people",
                    remedy="choose two pages, or the pages of two people",
                )
            return add_correction(corrections, kind, *sorted(sides, key=min))
        case "split":
            left = set[int]().union(*shown.of(chosen)) - chosen
            if not left:
                raise CorrectionsError(
                    "these are all pages of the person, nothing remains to split them from",
                    remedy="choose only some of the pages",
                )
            return add_correction(corrections, "split", chosen, left)
        case "move":
            return _move_pages(corrections, chosen, to or 0, shown)
        case "confirm":
            return _confirm_pages(corrections, chosen, shown)
    groups = {"called": [pages[:1]], "learn": []}.get(kind, [pages])
    return add_correction(corrections, kind, *groups, name=name)


def _move_pages(
    corrections: Corrections, pages: set[int], target: int, shown: ShownPeople
) -> Corrections:
    """The pages belong to the person of the target, not to that of the most typical page left."""
    (goal,) = shown.of({target})
    if not (chosen := pages - goal):
        raise CorrectionsError("the pages belong to this person already", remedy=_REMEDY)
    remaining = filter(None, (sorted(person - chosen) for person in shown.of(chosen)))
    left = {max(each, key=lambda rank: shown.scores.get(rank, 0.0)) for each in remaining}
    if left:
        return add_correction(corrections, "move", chosen, left, {target})
    return add_correction(corrections, "same", chosen | {target})


def _confirm_pages(corrections: Corrections, pages: set[int], shown: ShownPeople) -> Corrections:
    """The pages are right, each with its person; all pages of a person confirm the person."""
    for person in shown.of(pages):
        chosen = pages & person
        if len(person) == 1:
            corrections = add_correction(
                corrections, "different", chosen, set().union(*shown.people) - chosen
            )
            continue
        linked = person & corrections.confirmed - chosen
        if not linked and len(chosen) == 1:
            nearest = shown.closest.get(min(chosen))
            linked = {nearest} if nearest in person - chosen else {min(person - chosen)}
        corrections = add_correction(corrections, "confirm", *filter(None, (chosen, linked)))
    return corrections


def remove_correction(corrections: Corrections, number: int) -> Corrections:
    """Remove one correction, by its place in ``corrections.entries``."""
    if not 0 <= number < len(corrections.entries):
        raise CorrectionsError("there is no such correction to remove")
    entries = corrections.entries[:number] + corrections.entries[number + 1 :]
    ranks = replace(corrections, entries=entries).ranks
    pages = {rank: mark for rank, mark in corrections.pages.items() if rank in ranks}
    return replace(corrections, entries=entries, pages=pages)


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
        name: of ``called``, that of the person; the text of a note or tag.
        threshold: of ``threshold``, the lowest calibrated probability at which clusters merge.

    Raises:
        CorrectionsError: if it is faulty, or contradicts another one.
    """
    added = Correction(
        kind, tuple(tuple(sorted(set(group))) for group in groups), one_line(name), threshold
    )
    if what := correction_fault(added):
        raise CorrectionsError(f"{kind}: {what}", remedy=_REMEDY)
    entries = corrections.entries
    if added in entries and (added.same or added.different or CORRECTION_KINDS[kind].marks):
        return corrections
    entries = (*(each for each in entries if each != added), added)
    check_consistency(entries)
    made = replace(corrections, entries=entries)
    if len(corrections_text(made).encode()) > MAX_BYTES:
        raise CorrectionsError(f"there are over {MAX_BYTES >> 20} MB", remedy="remove some first")
    return made


MAX_QUESTIONS = 5
"""Largest number of questions to a user, one after another."""
_MAX_GROUPS = 1_000
"""Pairs of groups that are considered, those of the greatest gain first."""


def choose_questions(
    dendrogram: Dendrogram,
    kept: int,
    most: int = 1,
    answerable: Collection[int] | None = None,
    asked: Collection[tuple[int, int]] = (),
) -> list[tuple[int, int]]:
    """The pairs of rows about which to ask, of the greatest expected gain, best first.

    Rows of a pair ascend. There are fewer pairs if there are no more questions.

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
    questions: list[tuple[int, int]] = []
    for first, second in _most_promising(square, dendrogram.clusters(kept)):
        typical: list[int] = []  # the page most probably about one person with the others
        for rows in (first, second):
            if allowed := sorted(row for row in rows if answerable is None or row in answerable):
                likeness = square[np.ix_(allowed, rows)].sum(axis=1)
                typical.append(allowed[int(likeness.argmax())])
        # Probabilities of 0 and 1 come from corrections, which forbid to join or to divide.
        if len(typical) == 2 and not np.isin(square[np.ix_(first, second)], (0, 1)).any():
            pair = min(typical), max(typical)
            questions += [pair] if pair not in {*asked, *questions} else []
        if len(questions) == most:
            break
    return questions


def _most_promising(
    square: NDArray[np.floating], clusters: Sequence[Sequence[int]]
) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Pairs of clusters, those of the greatest expected gain first, then parts of clusters."""
    member = membership_matrix(clusters, len(square))
    first, second = np.triu_indices(len(clusters), k=1)
    sums = (member @ (member @ square).T)[first, second]
    sizes = np.array([len(rows) for rows in clusters], dtype=np.float64)
    # The mean probability of their pairs times what an error costs, but for constant factors.
    gain = sums / (sizes[first] + sizes[second])
    for at in np.argsort(-gain, kind="stable")[:_MAX_GROUPS].tolist():
        yield clusters[first[at]], clusters[second[at]]
    several = [(row, rows) for rows in clusters if len(rows) > 1 for row in rows]
    likeness = [(square[row, rows].sum() - 1) / (len(rows) - 1) for row, rows in several]
    for at in np.argsort(likeness, kind="stable").tolist():
        row, rows = several[at]
        yield [row], [each for each in rows if each != row]
