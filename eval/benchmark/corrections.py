"""The effect of simulated user corrections, with and without reclustering, as tables and JSON.

The simulated user sees an answer, knows the key, and corrects the largest error. The pages of one
person in one group of the answer are a piece. From the largest piece to the smallest, a piece is
correct in its group unless another piece already is, or its person already has a group. The user
moves the largest incorrect piece to the group of its person, or makes it a group of its own if the
person has none yet: one correction, in terms of pages that the key judges, and without errors.
Results are means over names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

from eval.benchmark.compare_report import difference_data
from eval.clustering.scorers import Scorer
from eval.stats.significance import Difference, compare
from weps._formatting import format_score
from weps.clustering.linkage import LINKAGES
from weps.corrections.constraints import constrained_dendrogram
from weps.corrections.model import Correction
from weps.model import Model
from weps.records import Clustering
from weps.training.examples import Example
from weps.training.fitting import clustering_after

__all__ = [
    "CORRECTION_STEPS",
    "GOOD_SCORE",
    "STRATEGIES",
    "CorrectionCurve",
    "CorrectionSummary",
    "Groups",
    "SimulatedCorrection",
    "corrections_data",
    "corrections_needed",
    "corrections_saved",
    "curve_rows",
    "mean_curve_rows",
    "next_correction",
    "saved_corrections_line",
    "score_after",
    "simulate_corrections",
    "summarise_corrections",
]

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

    @property
    def correction(self) -> Correction:
        """The correction that the user makes."""
        if not self.target_group:
            return _make_correction("split", self.pages, self.others)
        if not self.others:
            return _make_correction("same", self.pages | self.target_group)
        return _make_correction("move", self.pages, self.others, self.target_group)

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
    return SimulatedCorrection(first.pages, others, home.get(first.person, frozenset()))


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


_MEASURE = "bcubed_f05"
AnswerSequence = Iterator[Groups]


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
    anew: tuple[float, ...]
    """The name is reclustered after each correction, under all of them."""
    alone: tuple[float, ...]
    """Each correction changes only what it states."""


def simulate_corrections(example: Example, model: Model, scorer: Scorer) -> CorrectionCurve:
    """The course of corrections of a name.

    Args:
        example: the name, with the columns of the model.
        model: what clusters its pages.
        scorer: whose rules define which pages count, and for what.
    """
    persons = _persons(example, scorer)
    score = _score(example, scorer)
    anew = list(_cluster_anew(example, model, persons))
    alone = list(_apply_alone(anew[0], persons))
    return CorrectionCurve(
        example.name,
        pages=len(persons),
        people=len(set(persons.values())),
        answer=Clustering(tuple(anew[0])),
        best=score(alone[-1]),
        anew=tuple(map(score, anew)),
        alone=tuple(map(score, alone)),
    )


def _cluster_anew(example: Example, model: Model, persons: dict[int, int]) -> AnswerSequence:
    """The answers after each correction, reclustered."""
    probability = model.classifier.predict(example.values)
    preference = example.values.mean(axis=1, dtype=float)
    stopping = model.stopping[example.origin]
    corrections: list[Correction] = []
    while True:
        tree = constrained_dendrogram(
            corrections, LINKAGES[model.linkage], probability, example.ranks, preference
        )
        groups = clustering_after(example, tree, stopping.merges(tree)).groups
        yield groups
        correction_step = next_correction(groups, persons)
        if correction_step is None:
            return
        corrections.append(correction_step.correction)


def _apply_alone(groups: Groups, persons: dict[int, int]) -> AnswerSequence:
    """The answers after each correction, which changes only what it states."""
    yield groups
    while correction_step := next_correction(groups, persons):
        groups = correction_step.apply_to(groups)
        yield groups


def _persons(example: Example, scorer: Scorer) -> dict[int, int]:
    """Rank → person, of the pages that count; of several people the one with most pages."""
    people = scorer.rule.persons(example.key, example.ranks)
    smallest_first = sorted(enumerate(people), key=lambda each: (len(each[1]), -each[0]))
    there = set(example.ranks)
    return {rank: number for number, pages in smallest_first for rank in pages & there}


def _score(example: Example, scorer: Scorer) -> Callable[[Sequence[frozenset[int]]], float]:
    def score(groups: Sequence[frozenset[int]]) -> float:
        answer = Clustering(tuple(groups))
        return scorer.rule.score(answer, example.key, example.ranks, [_MEASURE])[_MEASURE]

    return score


GOOD_SCORE = 0.95
"""An F0.5 that is good enough for most purposes."""
CORRECTION_STEPS = (0, 1, 2, 3, 5, 10, 20)
"""Numbers of corrections after which the mean F0.5 is reported."""
STRATEGIES = ("anew", "alone")
"""See :class:`eval.benchmark.corrections.CorrectionCurve`."""
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class CorrectionSummary:
    """One way of correcting, over all names."""

    after: tuple[float, ...]
    """Mean F0.5 after each of :data:`CORRECTION_STEPS`."""
    to_good: float | None
    """Mean number of corrections until F0.5 is :data:`GOOD_SCORE`, over the names where it can be;
    None if there are none."""
    to_best: float
    """The same until it is as good as it can be, over all names."""


def summarise_corrections(curves: Sequence[CorrectionCurve], way: str) -> CorrectionSummary:
    """The means over names of one of :data:`STRATEGIES`."""
    good = [
        count for each in curves if (count := corrections_needed(each, way, GOOD_SCORE)) is not None
    ]
    best = [corrections_needed(each, way, each.best) or 0 for each in curves]
    return CorrectionSummary(
        tuple(fmean(score_after(each, way, step) for each in curves) for step in CORRECTION_STEPS),
        fmean(good) if good else None,
        fmean(best),
    )


def corrections_saved(curves: Sequence[CorrectionCurve]) -> Difference:
    """How many corrections fewer it takes to the best answer if names are reclustered."""
    anew, alone = (
        [corrections_needed(each, way, each.best) or 0 for each in curves] for way in STRATEGIES
    )
    return compare(anew, alone)


def score_after(curve: CorrectionCurve, way: str, corrections: int) -> float:
    """F0.5 after so many corrections; who needs no more has what there is in the end."""
    scores = _scores(curve, way)
    return scores[min(corrections, len(scores) - 1)]


def corrections_needed(curve: CorrectionCurve, way: str, level: float) -> int | None:
    """After how many corrections F0.5 first reaches a level; None if it never does."""
    reached = (count for count, f in enumerate(_scores(curve, way)) if f >= level - _EQUAL)
    return next(reached, None)


def _scores(curve: CorrectionCurve, way: str) -> tuple[float, ...]:
    return {"anew": curve.anew, "alone": curve.alone}[way]


_TITLES = {"anew": "clustered anew", "alone": "as said only"}


def corrections_data(curves: Sequence[CorrectionCurve]) -> dict[str, Any]:
    """The courses in JSON form (docs/output.md)."""
    return {
        **{way: _summary_data(curves, way) for way in STRATEGIES},
        "saved": difference_data("corrections", corrections_saved(curves)),
        "names": {each.name: _curve_data(each) for each in curves},
    }


def curve_rows(curves: Sequence[CorrectionCurve]) -> list[list[str]]:
    """Heading, then one row per name."""
    to_good, to_best = f"to {GOOD_SCORE:.2f}", "to best"
    heading = [
        "name",
        "pages",
        "people",
        "F0.5",
        "best",
        to_good,
        "(as said)",
        to_best,
        "(as said)",
    ]
    return [heading, *(_name_row(each) for each in curves)]


def _name_row(curve: CorrectionCurve) -> list[str]:
    counts = [
        corrections_needed(curve, way, level)
        for level in (GOOD_SCORE, curve.best)
        for way in STRATEGIES
    ]
    return [
        curve.name,
        str(curve.pages),
        str(curve.people),
        format_score(curve.anew[0]),
        format_score(curve.best),
        *("–" if count is None else str(count) for count in counts),
    ]


def mean_curve_rows(curves: Sequence[CorrectionCurve]) -> list[list[str]]:
    """Heading, then the means over names of each strategy."""
    heading = [
        "mean F0.5 after corrections",
        *map(str, CORRECTION_STEPS),
        f"to {GOOD_SCORE:.2f}",
        "to best",
    ]
    return [heading, *(_mean_row(curves, way) for way in STRATEGIES)]


def _mean_row(curves: Sequence[CorrectionCurve], way: str) -> list[str]:
    found = summarise_corrections(curves, way)
    to_good = "–" if found.to_good is None else f"{found.to_good:.1f}"
    return [_TITLES[way], *map(format_score, found.after), to_good, f"{found.to_best:.1f}"]


def saved_corrections_line(curves: Sequence[CorrectionCurve]) -> str:
    """How many corrections clustering again saves, as a sentence."""
    found = corrections_saved(curves)
    interval = f" ({found.low:+.1f} to {found.high:+.1f})" if len(curves) > 1 else ""
    return (
        f"clustering anew saves {found.mean:.1f}{interval} corrections to the best; fewer on "
        f"{found.better}, more on {found.worse}, as many on {found.equal} names"
    )


def _summary_data(curves: Sequence[CorrectionCurve], way: str) -> dict[str, Any]:
    found = summarise_corrections(curves, way)
    return {
        "after": dict(zip(map(str, CORRECTION_STEPS), found.after, strict=True)),
        "to_good": found.to_good,
        "to_best": found.to_best,
    }


def _curve_data(curve: CorrectionCurve) -> dict[str, Any]:
    return {
        "pages": curve.pages,
        "people": curve.people,
        "best": curve.best,
        **{way: list(getattr(curve, way)) for way in STRATEGIES},
    }
