"""The effect of simulated user corrections, with and without reclustering, as tables and JSON.

The simulated user sees an answer, knows the key, and corrects the largest error. The pages of one
person in one group of the answer are a piece. From the largest piece to the smallest, a piece is
correct in its group unless another piece already is, or its person already has a group. The user
moves the largest incorrect piece to the group of its person, or makes it a group of its own if the
person has none yet: one correction, as the report states it, in terms of pages that the key judges,
and without errors. The rest of the person that the piece goes to is confirmed as well where all of
it is right. Results are means over names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

from weps._formatting import format_score
from weps.clustering.linkage import LINKAGES
from weps.corrections.constraints import constrained_dendrogram
from weps.corrections.model import Correction
from weps.model import Model
from weps.records import Clustering
from weps.similarity.pairs import square_matrix
from weps.training.examples import Example
from weps.training.stopping import clustering_after
from weps_eval.clustering.scorers import Scorer
from weps_eval.stats.significance import Difference, compare, difference_data

STRATEGIES = {"anew": "clustered again", "alone": "corrected pages only"}
"""Way of correcting → title: the name is reclustered after each correction, under all of them; or
each correction changes only what it states."""
GOOD_SCORE = 0.95
"""An F0.5 that is good enough for most purposes."""
CORRECTION_STEPS = (0, 1, 2, 3, 5, 10, 20)
"""Numbers of corrections after which the mean F0.5 is reported."""
_MEASURE = "bcubed_f05"
_EQUAL = 1e-9

Pages = frozenset[int]
Groups = Sequence[Pages]
"""The groups of an answer: sets of ranks, none in two."""
Persons = Mapping[int, int]
"""Rank → number of the person that the page is about, of the pages of the key."""


class _Piece(NamedTuple):
    pages: Pages
    person: int
    group: int
    """Place of its group in the answer."""


@dataclass(frozen=True, slots=True)
class SimulatedCorrection:
    """A piece in the wrong place, and where it belongs."""

    pages: Pages
    others: Pages
    """What stands with the piece and is known to be about others."""
    target_group: Pages
    """The pages of its person that are at home; empty if the person has no home yet."""
    target_is_pure: bool = False
    """Whether no page of another person is with them."""

    def correction(self, most_typical: Callable[[Pages], int] = min) -> Correction:
        """The correction that the user makes; see :mod:`weps.corrections.operations`."""

        def typical(pages: Pages) -> Pages:
            return frozenset(pages and [most_typical(pages)])

        goal = self.target_group if self.target_is_pure else typical(self.target_group)
        if not self.target_group:
            return _make_correction("split", self.pages, self.others)
        if not self.others:
            pages = self.pages if self.target_is_pure else typical(self.pages)
            return _make_correction("same", pages | goal)
        return _make_correction("move", self.pages, typical(self.others), goal)

    def apply_to(self, groups: Groups) -> list[Pages]:
        """The answer with only this correction applied."""
        moved = [
            (group | self.pages) if group & self.target_group else group - self.pages
            for group in groups
        ]
        return [group for group in (*moved, *([] if self.target_group else [self.pages])) if group]


def next_correction(groups: Groups, persons: Persons) -> SimulatedCorrection | None:
    """The user's next correction; None if the answer is correct.

    Of equally large pieces the one with the first page comes first.
    """
    home: dict[int, Pages] = {}
    taken: set[int] = set()
    wrong: list[_Piece] = []
    for piece in _pieces(groups, persons):
        if piece.person in home or piece.group in taken:
            wrong.append(piece)
        else:
            home[piece.person] = piece.pages
            taken.add(piece.group)
    if not wrong:
        return None
    first = wrong[0]
    others = (groups[first.group] & persons.keys()) - first.pages
    target = home.get(first.person, frozenset())
    pure = any(group & persons.keys() == target for group in groups)
    return SimulatedCorrection(first.pages, others, target, pure)


def _pieces(groups: Groups, persons: Persons) -> list[_Piece]:
    """All pieces, the largest first."""
    found = defaultdict(set)
    for number, group in enumerate(groups):
        for rank in group & persons.keys():
            found[persons[rank], number].add(rank)
    pieces = [_Piece(frozenset(pages), *where) for where, pages in found.items()]
    return sorted(pieces, key=lambda piece: (-len(piece.pages), min(piece.pages)))


def _make_correction(kind: str, *groups: Pages) -> Correction:
    return Correction(kind, tuple(tuple(sorted(group)) for group in groups))


@dataclass(frozen=True, slots=True)
class CorrectionCurve:
    """The B-Cubed F0.5 of one name after 0, 1, 2, … corrections, until nothing is wrong."""

    name: str
    pages: int
    """Those that the key contains."""
    people: int
    answer: Clustering
    """The model's, before any correction."""
    best: float
    """With each page in one place: that of the largest of its people."""
    scores: Mapping[str, tuple[float, ...]]
    """One of :data:`STRATEGIES` → F0.5 after so many corrections."""

    def score_after(self, way: str, corrections: int) -> float:
        """F0.5 after so many corrections; if no more are needed, the last."""
        return self.scores[way][min(corrections, len(self.scores[way]) - 1)]

    def corrections_to(self, level: float, way: str) -> int | None:
        """After how many corrections F0.5 first reaches a level; None if it never does."""
        reached = (count for count, f in enumerate(self.scores[way]) if f >= level - _EQUAL)
        return next(reached, None)

    def corrections_to_best(self, way: str) -> int:
        """After how many corrections F0.5 is as good as it can be."""
        return self.corrections_to(self.best, way) or 0


def simulate_corrections(example: Example, model: Model, scorer: Scorer) -> CorrectionCurve:
    """Correct the answer for a name until nothing is wrong.

    Args:
        example: the name, with the columns of the model.
        model: what clusters its pages.
        scorer: whose rules define which pages count, and for what.
    """

    def score(groups: Groups) -> float:
        answer = Clustering(tuple(groups))
        return scorer.scores(answer, example.key, example.ranks, [_MEASURE])[_MEASURE]

    persons = largest_persons(example, scorer)
    anew = list(_cluster_again(example, model, persons))
    alone = [anew[0]]
    while correction := next_correction(alone[-1], persons):
        alone.append(correction.apply_to(alone[-1]))
    return CorrectionCurve(
        example.name,
        pages=len(persons),
        people=len(set(persons.values())),
        answer=Clustering(tuple(anew[0])),
        best=score(alone[-1]),
        scores={"anew": tuple(map(score, anew)), "alone": tuple(map(score, alone))},
    )


def _cluster_again(example: Example, model: Model, persons: Persons) -> Iterator[Groups]:
    """The answers after each correction, reclustered."""
    probability = model.classifier.predict(example.values)
    preference = example.values.mean(axis=1, dtype=float)
    linkage, stopping = LINKAGES[model.linkage], model.stopping[example.origin]
    corrections: list[Correction] = []
    square = square_matrix(probability, len(example.ranks))
    row_of = {rank: row for row, rank in enumerate(example.ranks)}

    def most_typical(pages: Pages) -> int:
        some = sorted(pages)
        rows = [row_of[rank] for rank in some]
        return some[int(square[np.ix_(rows, rows)].sum(axis=1).argmax())]

    while True:
        tree = constrained_dendrogram(corrections, linkage, probability, example.ranks, preference)
        groups = clustering_after(example, tree, stopping.merges(tree)).groups
        yield groups
        correction = next_correction(groups, persons)
        if correction is None:
            return
        corrections.append(correction.correction(most_typical))


def largest_persons(example: Example, scorer: Scorer) -> Persons:
    """The person of each page that counts; of several people the one with most pages."""
    people = scorer.persons(example.key, example.ranks)
    smallest_first = sorted(enumerate(people), key=lambda each: (len(each[1]), -each[0]))
    there = set(example.ranks)
    return {rank: number for number, pages in smallest_first for rank in pages & there}


class CorrectionSummary(NamedTuple):
    """One way of correcting, over all names."""

    after: Mapping[str, float]
    """Number of corrections, each of :data:`CORRECTION_STEPS` → mean F0.5."""
    to_good: float | None
    """Mean number of corrections until F0.5 is :data:`GOOD_SCORE`, over the names where it can be;
    None if there are none."""
    to_best: float
    """The same until it is as good as it can be, over all names."""


def summarise_corrections(curves: Sequence[CorrectionCurve], way: str) -> CorrectionSummary:
    """The means over names of one of :data:`STRATEGIES`."""
    counts = (each.corrections_to(GOOD_SCORE, way) for each in curves)
    good = [count for count in counts if count is not None]
    return CorrectionSummary(
        {str(n): fmean(each.score_after(way, n) for each in curves) for n in CORRECTION_STEPS},
        fmean(good) if good else None,
        fmean(each.corrections_to_best(way) for each in curves),
    )


def corrections_saved(curves: Sequence[CorrectionCurve]) -> Difference:
    """How many corrections fewer it takes to the best answer if names are reclustered."""
    anew, alone = ([each.corrections_to_best(way) for each in curves] for way in STRATEGIES)
    return compare(anew, alone)


def curve_rows(curves: Sequence[CorrectionCurve]) -> list[list[str]]:
    """Heading, then a row per name."""
    heading = ["name", "pages", "people", "F0.5", "best"]
    rows = [[*heading, f"to {GOOD_SCORE:.2f}", "(alone)", "to best", "(alone)"]]
    for each in curves:
        levels, sizes = (GOOD_SCORE, each.best), (each.pages, each.people)
        counts = (each.corrections_to(level, way) for level in levels for way in STRATEGIES)
        scores = map(format_score, (each.score_after("anew", 0), each.best))
        cells = ("–" if count is None else str(count) for count in counts)
        rows.append([each.name, *map(str, sizes), *scores, *cells])
    return rows


def mean_curve_rows(curves: Sequence[CorrectionCurve]) -> list[list[str]]:
    """Heading, then the means over names of each strategy."""
    heading = ["mean F0.5 after corrections", *map(str, CORRECTION_STEPS)]
    rows = [[*heading, f"to {GOOD_SCORE:.2f}", "to best"]]
    for way, title in STRATEGIES.items():
        after, to_good, to_best = summarise_corrections(curves, way)
        good = "–" if to_good is None else f"{to_good:.1f}"
        rows.append([title, *map(format_score, after.values()), good, f"{to_best:.1f}"])
    return rows


def saved_corrections_line(curves: Sequence[CorrectionCurve]) -> str:
    """How many corrections clustering again saves, as a sentence."""
    saved = corrections_saved(curves)
    interval = f" ({saved.low:+.1f} to {saved.high:+.1f})" if len(curves) > 1 else ""
    return (
        f"clustering again saves {saved.mean:.1f}{interval} corrections to the best; fewer on "
        f"{saved.better}, more on {saved.worse}, as many on {saved.equal} names"
    )


def corrections_data(curves: Sequence[CorrectionCurve]) -> dict[str, Any]:
    """The curves in JSON form (docs/output.md)."""
    return {
        **{way: summarise_corrections(curves, way)._asdict() for way in STRATEGIES},
        "saved": difference_data("corrections", corrections_saved(curves)),
        "names": {
            each.name: {
                "pages": each.pages,
                "people": each.people,
                "best": each.best,
                **{way: list(each.scores[way]) for way in STRATEGIES},
            }
            for each in curves
        },
    }
