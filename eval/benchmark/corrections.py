"""What comes of a user's corrections, one after another, with and without clustering anew.

The simulated user: sees an answer, knows the key, and mends the largest thing that is wrong.

The pages of one person in one group of the answer are a piece. Going from the largest piece to the
smallest, the piece is at home in its group unless another piece is so already, or its person has a
home. What is not at home is in the wrong place. The user takes the largest such piece and moves it
to the home of its person, or makes it a group of its own if the person has no home yet: one
correction, in terms of pages that the key knows, and nothing in it is wrong.

Courses of many names, in the mean over names.

What corrections reach, as tables for the terminal and as JSON.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

from eval.benchmark.compare_report import difference_data
from eval.clustering.scorers import Judge, two_decimals
from eval.stats.significance import Difference, compare
from weps._formatting import aligned
from weps.clustering.linkage import LINKS
from weps.corrections.constraints import obeying
from weps.corrections.model import Correction
from weps.model import Model
from weps.records import Clustering
from weps.training.examples import Example
from weps.training.fitting import clustering_of

__all__ = [
    "GOOD",
    "STEPS",
    "WAYS",
    "Course",
    "Groups",
    "Mending",
    "Summary",
    "after",
    "corrections_data",
    "corrections_lines",
    "course",
    "needed",
    "next_mending",
    "saved",
    "summary",
]

Pages = frozenset[int]
Groups = Sequence[Pages]
"""The groups of an answer: sets of ranks, none in two."""
Persons = Mapping[int, int]
"""Rank → number of the person that the page is about, of the pages that the key knows."""


class _Piece(NamedTuple):
    pages: Pages
    person: int
    group: int
    """Place of its group in the answer."""


@dataclass(frozen=True, slots=True)
class Mending:
    """A piece in the wrong place, and where it belongs."""

    pages: Pages
    others: Pages
    """What stands with the piece and is known to be about others."""
    home: Pages
    """The pages of its person that are at home; empty if the person has no home yet."""

    @property
    def said(self) -> Correction:
        """What the user says."""
        if not self.home:
            return _correction("split", self.pages, self.others)
        if not self.others:
            return _correction("same", self.pages | self.home)
        return _correction("move", self.pages, self.others, self.home)

    def on(self, groups: Groups) -> list[Pages]:
        """The answer with this mended and nothing else changed."""
        moved = [
            (group | self.pages) if group & self.home else group - self.pages for group in groups
        ]
        return [group for group in (*moved, *([] if self.home else [self.pages])) if group]


def next_mending(groups: Groups, persons: Persons) -> Mending | None:
    """What the user mends first; None if nothing is wrong.

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
    return Mending(first.pages, others, home.get(first.person, frozenset()))


def _pieces(groups: Groups, persons: Persons) -> list[_Piece]:
    """All pieces, the largest first."""
    found = defaultdict(set)
    for number, group in enumerate(groups):
        for rank in group & persons.keys():
            found[persons[rank], number].add(rank)
    pieces = [_Piece(frozenset(pages), *where) for where, pages in found.items()]
    return sorted(pieces, key=lambda piece: (-len(piece.pages), min(piece.pages)))


def _correction(kind: str, *groups: Pages) -> Correction:
    return Correction(kind, tuple(tuple(sorted(group)) for group in groups))


_MEASURE = "bcubed_f05"
Answers = Iterator[Groups]


@dataclass(frozen=True, slots=True)
class Course:
    """The B-Cubed F0.5 of one name after 0, 1, 2, … corrections, until nothing is wrong."""

    name: str
    pages: int
    """That the key judges."""
    people: int
    answer: Clustering
    """The model's, before any correction."""
    best: float
    """With each page in one place: that of the largest of its people."""
    anew: tuple[float, ...]
    """The name is clustered anew after each correction, under all of them."""
    alone: tuple[float, ...]
    """Each correction changes what it says and nothing else."""


def course(example: Example, model: Model, judge: Judge) -> Course:
    """The course of corrections of a name.

    Args:
        example: the name, with the columns of the model.
        model: what clusters its pages.
        judge: whose rules say which pages count, and for what.
    """
    persons = _persons(example, judge)
    score = _score(example, judge)
    anew = list(_anew(example, model, persons))
    alone = list(_alone(anew[0], persons))
    return Course(
        example.name,
        pages=len(persons),
        people=len(set(persons.values())),
        answer=Clustering(tuple(anew[0])),
        best=score(alone[-1]),
        anew=tuple(map(score, anew)),
        alone=tuple(map(score, alone)),
    )


def _anew(example: Example, model: Model, persons: dict[int, int]) -> Answers:
    """The answers after each correction, clustered anew."""
    probability = model.classifier.predict(example.values)
    preference = example.values.mean(axis=1, dtype=float)
    stopping = model.stopping[example.origin]
    said: list[Correction] = []
    while True:
        tree = obeying(said, LINKS[model.link], probability, example.ranks, preference)
        groups = clustering_of(example, tree, stopping.merges(tree)).groups
        yield groups
        mending = next_mending(groups, persons)
        if mending is None:
            return
        said.append(mending.said)


def _alone(groups: Groups, persons: dict[int, int]) -> Answers:
    """The answers after each correction, which changes only what it says."""
    yield groups
    while mending := next_mending(groups, persons):
        groups = mending.on(groups)
        yield groups


def _persons(example: Example, judge: Judge) -> dict[int, int]:
    """Rank → person, of the pages that count; of several people the one with most pages."""
    people = judge.scorer.persons(example.key, example.ranks)
    smallest_first = sorted(enumerate(people), key=lambda each: (len(each[1]), -each[0]))
    there = set(example.ranks)
    return {rank: number for number, pages in smallest_first for rank in pages & there}


def _score(example: Example, judge: Judge) -> Callable[[Sequence[frozenset[int]]], float]:
    def score(groups: Sequence[frozenset[int]]) -> float:
        answer = Clustering(tuple(groups))
        return judge.scorer.score(answer, example.key, example.ranks, [_MEASURE])[_MEASURE]

    return score


GOOD = 0.95
"""An F0.5 that is good enough for most purposes."""
STEPS = (0, 1, 2, 3, 5, 10, 20)
"""Numbers of corrections after which the mean F0.5 is told."""
WAYS = ("anew", "alone")
"""See :class:`eval.benchmark.corrections.Course`."""
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Summary:
    """One way of correcting, over all names."""

    after: tuple[float, ...]
    """Mean F0.5 after each of :data:`STEPS`."""
    to_good: float | None
    """Mean number of corrections until F0.5 is :data:`GOOD`, over the names where it can be; None
    if there are none."""
    to_best: float
    """The same until it is as good as it can be, over all names."""


def summary(courses: Sequence[Course], way: str) -> Summary:
    """The means over names of one of :data:`WAYS`."""
    good = [count for each in courses if (count := needed(each, way, GOOD)) is not None]
    best = [needed(each, way, each.best) or 0 for each in courses]
    return Summary(
        tuple(fmean(after(each, way, step) for each in courses) for step in STEPS),
        fmean(good) if good else None,
        fmean(best),
    )


def saved(courses: Sequence[Course]) -> Difference:
    """How many corrections fewer it takes to the best answer if names are clustered anew."""
    anew, alone = ([needed(each, way, each.best) or 0 for each in courses] for way in WAYS)
    return compare(anew, alone)


def after(course: Course, way: str, corrections: int) -> float:
    """F0.5 after so many corrections; who needs no more has what there is in the end."""
    scores = _scores(course, way)
    return scores[min(corrections, len(scores) - 1)]


def needed(course: Course, way: str, level: float) -> int | None:
    """After how many corrections F0.5 first reaches a level; None if it never does."""
    reached = (count for count, f in enumerate(_scores(course, way)) if f >= level - _EQUAL)
    return next(reached, None)


def _scores(course: Course, way: str) -> tuple[float, ...]:
    return {"anew": course.anew, "alone": course.alone}[way]


_TITLES = {"anew": "clustered anew", "alone": "as said only"}


def corrections_lines(courses: Sequence[Course]) -> list[str]:
    """One line per name, then the means over names."""
    return [*aligned(_names(courses)), "", *aligned(_means(courses)), _saved(courses)]


def corrections_data(courses: Sequence[Course]) -> dict[str, Any]:
    """The courses as JSON holds them (docs/output.md)."""
    return {
        **{way: _summary_data(courses, way) for way in WAYS},
        "saved": difference_data("corrections", saved(courses)),
        "names": {each.name: _course_data(each) for each in courses},
    }


def _names(courses: Sequence[Course]) -> list[list[str]]:
    to_good, to_best = f"to {GOOD:.2f}", "to best"
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
    return [heading, *(_name(each) for each in courses)]


def _name(course: Course) -> list[str]:
    counts = [needed(course, way, level) for level in (GOOD, course.best) for way in WAYS]
    return [
        course.name,
        str(course.pages),
        str(course.people),
        two_decimals(course.anew[0]),
        two_decimals(course.best),
        *("–" if count is None else str(count) for count in counts),
    ]


def _means(courses: Sequence[Course]) -> list[list[str]]:
    heading = ["mean F0.5 after corrections", *map(str, STEPS), f"to {GOOD:.2f}", "to best"]
    return [heading, *(_mean(courses, way) for way in WAYS)]


def _mean(courses: Sequence[Course], way: str) -> list[str]:
    found = summary(courses, way)
    to_good = "–" if found.to_good is None else f"{found.to_good:.1f}"
    return [_TITLES[way], *map(two_decimals, found.after), to_good, f"{found.to_best:.1f}"]


def _saved(courses: Sequence[Course]) -> str:
    found = saved(courses)
    interval = f" ({found.low:+.1f} to {found.high:+.1f})" if len(courses) > 1 else ""
    return (
        f"clustering anew saves {found.mean:.1f}{interval} corrections to the best; fewer on "
        f"{found.better}, more on {found.worse}, as many on {found.equal} names"
    )


def _summary_data(courses: Sequence[Course], way: str) -> dict[str, Any]:
    found = summary(courses, way)
    return {
        "after": dict(zip(map(str, STEPS), found.after, strict=True)),
        "to_good": found.to_good,
        "to_best": found.to_best,
    }


def _course_data(course: Course) -> dict[str, Any]:
    return {
        "pages": course.pages,
        "people": course.people,
        "best": course.best,
        **{way: list(getattr(course, way)) for way in WAYS},
    }
