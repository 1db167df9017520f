"""The corrections of one name: their kinds, contradictions among them, and their effect.

Corrections constrain the clustering, and change the probabilities of other pairs of the name.

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
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, starmap
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.special import expit, logit

from weps._formatting import cut_text, short_repr
from weps.clustering.dendrogram import Dendrogram
from weps.clustering.linkage import Constraints, FlatLinkage, Linkage
from weps.errors import CorrectionsError
from weps.similarity.pairs import condensed_rows, pairs_between

Ranks = tuple[int, ...]
Vector = NDArray[np.float64]


class CorrectionKind(NamedTuple):
    """The syntax of a kind of correction, and the meaning of its groups of pages."""

    usage: str
    min_groups: int
    """Smallest number of groups of pages."""
    max_groups: int
    same_groups: tuple[int, ...] = ()
    """Numbers of the groups that together are one person."""
    separates: bool = False
    """Whether its first and its second group share no person."""


CORRECTION_KINDS = {
    "same": CorrectionKind("same PAGES", 1, 1, same_groups=(0,)),
    "different": CorrectionKind("different PAGES / OTHERS", 2, 2, separates=True),
    "apart": CorrectionKind("apart PAGES / OTHERS", 2, 2, separates=True),
    "split": CorrectionKind("split PAGES / OTHERS", 2, 2, same_groups=(0,), separates=True),
    "move": CorrectionKind(
        "move PAGES / OTHERS / TARGET", 3, 3, same_groups=(0, 2), separates=True
    ),
    "confirm": CorrectionKind("confirm PAGES or confirm PAGES / OTHERS", 1, 2, same_groups=(0, 1)),
    "called": CorrectionKind("called PAGE NAME", 1, 1),
    "keep": CorrectionKind("keep PAGES", 1, 1),
    "exclude": CorrectionKind("exclude PAGES", 1, 1),
    "unclear": CorrectionKind("unclear PAGES", 1, 1),
    "threshold": CorrectionKind("threshold PROBABILITY", 0, 0),
}
"""The kinds of corrections.

``same``: all these pages are about one person. ``different``: the pages share no person with
the others. ``apart``: the same, but other pages keep their probabilities, see
above. ``split``: the pages are one person, who is not among the
others. ``move``: the pages and the target are one person, who is not among the others. ``confirm``:
the pages are placed correctly, with one another and the others. ``called``: the name of a page's
person. ``exclude``: the pages are about nobody of the name, and set aside. ``unclear``: the pages
do not say about whom they are, and are set aside. ``keep``: the pages are not set aside, as any
other correction of a page says. Of these three the last on a page applies. ``threshold``: the
lowest calibrated probability at which clusters merge, the position of the slider that the user
chose; the last applies.
"""
_PLACING_KINDS = ("keep", "exclude", "unclear")


@dataclass(frozen=True, slots=True)
class Correction:
    """One correction: a line of a corrections file."""

    kind: str
    """Key of :data:`CORRECTION_KINDS`."""
    groups: tuple[Ranks, ...]
    """Ranks, ascending and without repeats in each group."""
    name: str = ""
    """Name of the person, of kind ``called``."""
    threshold: float | None = None
    """Probability, of kind ``threshold``."""
    notes: tuple[str, ...] = ()
    """Comments before it in its file, without ``#``."""
    line: int = field(default=0, compare=False)
    """Its line in its file, from 1; 0 without a file."""

    @property
    def same(self) -> Ranks:
        """The ranks that are one person; empty if there are none."""
        ours = (
            self.groups[place]
            for place in CORRECTION_KINDS[self.kind].same_groups
            if place < len(self.groups)
        )
        return tuple(sorted(frozenset().union(*ours)))

    @property
    def different(self) -> tuple[Ranks, Ranks] | None:
        """Two sides that share no person; None for other kinds."""
        return (self.groups[0], self.groups[1]) if CORRECTION_KINDS[self.kind].separates else None

    @property
    def ranks(self) -> frozenset[int]:
        """All ranks that it mentions."""
        return frozenset().union(*self.groups)

    def __str__(self) -> str:
        """Its line in a file."""
        parts = " / ".join(" ".join(map(str, group)) for group in self.groups)
        number = "" if self.threshold is None else threshold_text(self.threshold)
        return " ".join(filter(None, (self.kind, parts, self.name, number)))


def threshold_text(threshold: float) -> str:
    """The shortest decimal number that is read as this one, without an exponent."""
    return np.format_float_positional(threshold, trim="-")


_MAX_QUOTE = 40
_MAX_REPORTED = 20
CorrectionsByRank = dict[int, list[Correction]]
"""Rank → the corrections that link it to others."""
Contradiction = tuple[Correction, set[int], set[int]]
"""A correction, and pages of one person on both sides of it."""


def check_consistency(corrections: Sequence[Correction], where: object = None) -> None:
    """Check that the corrections do not contradict one another.

    Args:
        corrections: oldest first.
        where: the file, for the message.

    Raises:
        CorrectionsError: if some contradict one another; all contradictions are reported, each with
            the shortest chain of corrections that links the pages.
    """
    found = _find_contradictions(corrections)
    placed = _persons_of_excluded(corrections)
    if found or placed:
        lines = defaultdict(list)
        for each in corrections:
            for rank in each.same:
                lines[rank].append(each)
        faults = [_describe_contradiction(each, lines) for each in found[: _MAX_REPORTED + 1]]
        faults += starmap(_describe_exclusion, placed)
        what = join_faults(faults, len(found) + len(placed))
        remedy = "remove one of the corrections of each contradiction"
        raise CorrectionsError(what, where=where, remedy=remedy)


def join_faults(faults: Iterable[str], number: int) -> str:
    """The first of a number of faults, joined by semicolons, and how many others there are."""
    shown = "; ".join(islice(faults, _MAX_REPORTED))
    return shown if number <= _MAX_REPORTED else f"{shown}; and {number - _MAX_REPORTED} more"


def person_numbers(corrections: Sequence[Correction]) -> dict[int, int]:
    """For every mentioned rank the number of its person, closed under *same*."""
    ranks = sorted({rank for entry in corrections for rank in entry.ranks})
    place = {rank: number for number, rank in enumerate(ranks)}
    ties = [
        (place[same[0]], place[rank])
        for same in (entry.same for entry in corrections)
        for rank in same
    ]
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415 - only corrections need it

    first, second = np.array(ties, dtype=np.int64).reshape(-1, 2).T
    graph = coo_array((np.ones(len(ties)), (first, second)), shape=(len(ranks), len(ranks)))
    numbers = connected_components(graph, directed=False)[1] if ranks else ()
    return {rank: int(number) for rank, number in zip(ranks, numbers, strict=True)}


def _find_contradictions(corrections: Sequence[Correction]) -> list[Contradiction]:
    """The corrections that separate pages of one person, person by person."""
    person, found = person_numbers(corrections), []
    for entry in corrections:
        grouped: tuple[defaultdict[int, set[int]], ...] = (defaultdict(set), defaultdict(set))
        for side, by_person in zip(entry.different or (), grouped, strict=False):
            for rank in side:
                by_person[person[rank]].add(rank)
        left, right = grouped
        found += [(entry, left[number], right[number]) for number in left if number in right]
    return found


def excluded_pages(corrections: Iterable[Correction]) -> dict[int, Correction]:
    """Rank → the *exclude* or *unclear* that sets the page aside; a later *keep* undoes it."""
    latest = {
        rank: entry
        for entry in corrections
        if entry.kind in _PLACING_KINDS
        for rank in entry.groups[0]
    }
    return {rank: entry for rank, entry in latest.items() if entry.kind != "keep"}


def _persons_of_excluded(
    corrections: Sequence[Correction],
) -> list[tuple[int, Correction, Correction]]:
    """Pages that are set aside, with a correction that gives them a person or its name."""
    excluded = excluded_pages(corrections)
    return [
        (rank, entry, excluded[rank])
        for entry in corrections
        if len(entry.same) > 1 or entry.kind == "called"
        for rank in entry.same or entry.groups[0]
        if rank in excluded
    ]


def _shortest_chain(
    left: set[int], right: set[int], lines: CorrectionsByRank
) -> tuple[int, int, list[Correction]]:
    """The shortest chain of corrections from a page of one side to one of the other, and both."""
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


def _describe_contradiction(contradiction: Contradiction, lines: CorrectionsByRank) -> str:
    """One sentence, with the shortest chain."""
    entry, left, right = contradiction
    start, end, chain = _shortest_chain(left, right, lines)
    if start == end:
        return f"page {start} is on both sides of {_quote_correction(entry)}"
    by = " and ".join(map(_quote_correction, chain[:_MAX_REPORTED]))
    more = f" and {len(chain) - _MAX_REPORTED} more" if len(chain) > _MAX_REPORTED else ""
    two = _quote_correction(entry)
    return f"pages {start} and {end} are one person by {by}{more}, but two by {two}"


def _describe_exclusion(rank: int, entry: Correction, exclusion: Correction) -> str:
    by, against = map(_quote_correction, (entry, exclusion))
    return f"page {rank} is about a person of this name by {by}, but set aside by {against}"


def _quote_correction(correction: Correction) -> str:
    return f"“{cut_text(str(correction), _MAX_QUOTE)}”" + (
        f" (line {correction.line})" if correction.line else ""
    )


def build_constraints(corrections: Sequence[Correction], ranks: Sequence[int]) -> Constraints:
    """The constraints on pages, closed under *same* and *different*.

    Args:
        corrections: of the name; those on missing pages still link others.
        ranks: of the rows, without repeats.

    Raises:
        CorrectionsError: if corrections contradict one another.
    """
    check_consistency(corrections)
    person = person_numbers(corrections)
    numbers: dict[int, int] = {}
    # A page without corrections is a component of its own; ranks are never negative.
    component = [numbers.setdefault(person.get(rank, -1 - rank), len(numbers)) for rank in ranks]
    apart = np.zeros((len(numbers), len(numbers)), dtype=bool)
    for sides in (entry.different for entry in corrections if entry.different):
        left, right = ([numbers[person[r]] for r in side if person[r] in numbers] for side in sides)
        apart[np.ix_(left, right)] = apart[np.ix_(right, left)] = True
    confirmed_ranks = {
        rank for entry in corrections if entry.kind == "confirm" for rank in entry.groups[0]
    }
    sure = np.array([rank in confirmed_ranks for rank in ranks], dtype=bool)
    return Constraints(np.array(component, dtype=np.int64), apart, sure)


@dataclass(frozen=True, slots=True)
class PageIdentity:
    """Identifies a page among the others of its name, whatever its rank."""

    fingerprint: str
    """See :mod:`weps.provenance`."""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Corrections:
    """The corrections of the pages of one name, oldest first."""

    entries: tuple[Correction, ...] = ()
    pages: Mapping[int, PageIdentity] = field(default_factory=dict)
    """Rank → identity of the page: of the pages mentioned, as far as it is known."""
    notes: tuple[str, ...] = ()
    """Comments at the end of the file."""

    def __repr__(self) -> str:
        return short_repr(self, "", *map(str, self.entries))

    @property
    def same(self) -> tuple[Ranks, ...]:
        """Sets of ranks, each of pages of one person."""
        return tuple(each.same for each in self.entries if each.same)

    @property
    def different(self) -> tuple[tuple[Ranks, Ranks], ...]:
        """Pairs of sets of ranks that share no person."""
        return tuple(each.different for each in self.entries if each.different)

    @property
    def assigned_names(self) -> tuple[tuple[int, str], ...]:
        """Rank and name of the person of that page; the last one applies."""
        return tuple(
            (each.groups[0][0], each.name) for each in self.entries if each.kind == "called"
        )

    @property
    def threshold(self) -> float | None:
        """The threshold that a user chose, the last one; None if none did."""
        chosen = [each.threshold for each in self.entries if each.kind == "threshold"]
        return chosen[-1] if chosen else None

    @property
    def confirmed(self) -> frozenset[int]:
        """Ranks of confirmed pages."""
        described = (each.groups[0] for each in self.entries if each.kind == "confirm")
        return frozenset().union(*described)

    @property
    def ranks(self) -> frozenset[int]:
        """All ranks that are mentioned."""
        return frozenset().union(*(each.ranks for each in self.entries))

    def constraints(self, ranks: Sequence[int]) -> Constraints:
        """The constraints on pages of these ranks, see :func:`build_constraints`."""
        return build_constraints(self.entries, ranks)

    def __len__(self) -> int:
        return len(self.entries)


_EPSILON = 1e-4
"""No pair is taken to be more certain than this, either way."""


def constrained_dendrogram(
    corrections: Sequence[Correction],
    linkage: Linkage | FlatLinkage,
    probability: Vector,
    ranks: Sequence[int],
    preference: Vector | None = None,
) -> Dendrogram:
    """The dendrogram of a name under corrections; without any, that of the linkage.

    Args:
        corrections: of the name.
        linkage: see :func:`weps.clustering.linkage.linkage_by_name`.
        probability: shape (n(n-1)/2,), the model's, condensed.
        ranks: of the n rows.
        preference: same shape as the probability, see :class:`weps.clustering.linkage.Linkage`.

    Raises:
        CorrectionsError: if corrections contradict one another.
    """
    joined = join_resembling(probability, corrections, ranks)
    taught = shift_probabilities(joined, corrections, ranks)
    constraints = build_constraints(corrections, ranks) if corrections else None
    return linkage(taught, len(ranks), preference, constraints)


def shift_probabilities(
    probability: Vector, corrections: Sequence[Correction], ranks: Sequence[int]
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
        for each in corrections
        if each.different and each.kind != "apart"
    ]
    separated = [sides for sides in separated if all(map(len, sides))]
    if not separated:
        return probability
    logits = logit(probability.clip(_EPSILON, 1 - _EPSILON))
    observed = [logits[pairs_between(left, right, len(ranks))].mean() for left, right in separated]
    return np.asarray(expit(logits + most_probable_shift(np.array(observed))))


def join_resembling(
    probability: Vector, corrections: Sequence[Correction], ranks: Sequence[int]
) -> Vector:
    """The probabilities of all pairs of a name, raised where both pages resemble one person's.

    Args:
        probability: shape (n(n-1)/2,), the model's, condensed.
        corrections: of the name.
        ranks: of the n rows.

    Returns:
        Shape (n(n-1)/2,); the same probabilities if no two pages are said to be one person.
    """
    row_of = {rank: row for row, rank in enumerate(ranks)}
    together = ([row_of[rank] for rank in each.same if rank in row_of] for each in corrections)
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

    def slope(shift: float) -> float:
        """Slope of the log posterior, sign reversed."""
        return shift + float(expit(logits + shift).sum())

    return float(brentq(slope, -len(logits), 0.0))
