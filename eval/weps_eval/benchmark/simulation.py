"""A simulated user, who corrects an answer or is asked questions about it, as tables and JSON.

The user knows the key. *Corrections*: the pages of one person in one group of the answer are a
piece. From the largest piece to the smallest, a piece is correct in its group unless another piece
already is, or its person already has a group. The user moves the largest incorrect piece to the
group of its person, or makes it a group of its own if the person has none yet: one correction, as
the report states it, in terms of pages that the key judges, and without errors. The rest of the
person that the piece goes to is confirmed as well where all of it is right.

*Questions*: the user is asked whether two pages are about one person, answers by the key, and the
name is clustered again. Questions are those of :mod:`weps.corrections.edits`, or any two pages
at random. Only pages that the key judges are asked about.

All means are over names.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Any

import numpy as np

from weps._formatting import format_score
from weps.cli.console import Console
from weps.clustering.dendrogram import Dendrogram, calibrate_dendrogram
from weps.clustering.linkage import linkage_by_name
from weps.corrections.edits import choose_questions, constrained_dendrogram
from weps.corrections.model import Correction, Corrections
from weps.model import Model
from weps.records import Clustering
from weps.similarity.pairs import square_matrix
from weps.training.examples import Example
from weps.training.fitting import clustering_after
from weps_eval import stats
from weps_eval.clustering.measures import Scorer

CORRECTING = {"anew": "clustered again", "alone": "corrected pages only"}
"""Way of correcting → title: the name is reclustered after each correction, under all of them; or
each correction changes only what it states."""
ASKING = ("chosen", "at random")
"""Ways of choosing questions."""
GOOD_SCORE = 0.95
"""An F0.5 that is good enough for most purposes."""
CORRECTION_STEPS = (0, 1, 2, 3, 5, 10, 20)
"""Numbers of corrections after which the mean F0.5 is reported."""
QUESTION_STEPS = (0, 1, 3, 5)
"""Numbers of answers after which the mean F0.5 is reported."""
_MEASURE = "bcubed_f05"
_EQUAL = 1e-9

Pages = frozenset[int]
Groups = Sequence[Pages]
"""The groups of an answer: sets of ranks, none in two."""
Persons = Mapping[int, int]
"""Rank → number of the person that the page is about, of the pages of the key."""


@dataclass(frozen=True, slots=True)
class SimulatedCorrection:
    """A piece in the wrong place, and where it belongs."""

    pages: Pages
    others: Pages
    """Pages of other people in the group of the piece."""
    target_group: Pages
    """The pages of its person that are at home; empty if the person has no home yet."""
    target_is_pure: bool = False
    """True if no page of another person is with them."""

    def correction(self, most_typical: Callable[[Pages], int] = min) -> Correction:
        """The correction that the user makes; see :mod:`weps.corrections.edits`."""

        def typical(pages: Pages) -> Pages:
            return frozenset(pages and [most_typical(pages)])

        goal = self.target_group if self.target_is_pure else typical(self.target_group)
        if not self.target_group:
            kind, groups = "split", [self.pages, self.others]
        elif not self.others:
            pages = self.pages if self.target_is_pure else typical(self.pages)
            kind, groups = "same", [pages | goal]
        else:
            kind, groups = "move", [self.pages, typical(self.others), goal]
        return Correction(kind, tuple(tuple(sorted(group)) for group in groups))

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
    pieces: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    for number, group in enumerate(groups):
        for rank in group & persons.keys():
            pieces[persons[rank], number].add(rank)
    home: dict[int, Pages] = {}
    taken: set[int] = set()
    wrong: list[tuple[int, int, Pages]] = []
    for (person, number), ranks in sorted(
        pieces.items(), key=lambda piece: (-len(piece[1]), min(piece[1]))
    ):
        if person in home or number in taken:
            wrong.append((person, number, frozenset(ranks)))
        else:
            home[person] = frozenset(ranks)
            taken.add(number)
    if not wrong:
        return None
    person, number, pages = wrong[0]
    target = home.get(person, frozenset())
    return SimulatedCorrection(
        pages,
        others=(groups[number] & persons.keys()) - pages,
        target_group=target,
        target_is_pure=any(group & persons.keys() == target for group in groups),
    )


@dataclass(frozen=True, slots=True)
class Course:
    """B-Cubed F0.5 of one name while the user helps."""

    name: str
    pages: int
    """Number of pages that the key contains."""
    people: int
    answer: Clustering
    """The model's answer, before any help."""
    best: float
    """F0.5 with each page in one place: that of the largest of its people."""
    scores: Mapping[str, tuple[float, ...]]
    """One of :data:`CORRECTING` or :data:`ASKING` → F0.5 after 0, 1, 2, … corrections, until
    nothing is wrong, or after 0 to 5 answers."""

    def score_after(self, way: str, times: int) -> float:
        """F0.5 after so many corrections or answers; the last if no more are needed."""
        return self.scores[way][min(times, len(self.scores[way]) - 1)]

    def corrections_to(self, level: float, way: str) -> int | None:
        """Number of corrections after which F0.5 first reaches a level; None if it never does."""
        reached = (count for count, f in enumerate(self.scores[way]) if f >= level - _EQUAL)
        return next(reached, None)

    def corrections_to_best(self, way: str) -> int:
        """Number of corrections after which F0.5 is as good as it can be."""
        return self.corrections_to(self.best, way) or 0


def simulate_user(example: Example, model: Model, scorer: Scorer) -> Course:
    """Correct the answer for a name until nothing is wrong, and ask five questions about it.

    Args:
        example: the name, with the columns of the model.
        model: what clusters its pages.
        scorer: whose rules define which pages count, and for what.
    """
    probability = model.classifier.predict(example.values)
    preference = example.values.mean(axis=1, dtype=float)
    linkage, stopping = linkage_by_name(model.linkage), model.stopping[example.origin]

    def cluster(corrections: Sequence[Correction]) -> tuple[Dendrogram, int, Groups]:
        """The dendrogram under corrections, the merges kept, and the answer."""
        made = Corrections(tuple(corrections))
        tree = constrained_dendrogram(made, linkage, probability, example.ranks, preference)
        kept = stopping.merges(tree)
        return tree, kept, clustering_after(example, tree, kept).groups

    def score(groups: Groups) -> float:
        answer = Clustering(tuple(groups))
        return scorer.scores(answer, example.key, example.ranks, [_MEASURE])[_MEASURE]

    people = enumerate(scorer.persons(example.key, example.ranks))
    smallest_first = sorted(people, key=lambda each: (len(each[1]), -each[0]))
    # Of several people of a page, it is about the one with most pages.
    persons = {
        rank: number
        for number, pages in smallest_first
        for rank in pages.intersection(example.ranks)
    }
    square = square_matrix(probability, len(example.ranks))

    def most_typical(pages: Pages) -> int:
        """The page with the highest probabilities to be about the same person as the others."""
        some = sorted(pages)
        rows = [example.ranks.index(rank) for rank in some]
        return some[int(square[np.ix_(rows, rows)].sum(axis=1).argmax())]

    corrections: list[Correction] = []
    anew = [cluster(corrections)[2]]
    while correction := next_correction(anew[-1], persons):
        corrections.append(correction.correction(most_typical))
        anew.append(cluster(corrections)[2])
    alone = [anew[0]]
    while correction := next_correction(alone[-1], persons):
        alone.append(correction.apply_to(alone[-1]))

    answerable = frozenset(row for row, rank in enumerate(example.ranks) if rank in persons)
    random = np.random.default_rng([0, zlib.crc32(example.name.encode())])

    def ask(way: str) -> Iterator[float]:
        """F0.5 after each answer; where no question is left, that after the last."""
        corrections: list[Correction] = []
        asked: set[tuple[int, int]] = set()
        for _ in range(max(QUESTION_STEPS) + 1):
            tree, kept, groups = cluster(corrections)
            yield score(groups)
            if way == "chosen":
                shown = calibrate_dendrogram(tree, model.calibration)
                pairs = choose_questions(shown, kept, 1, answerable, asked)
            else:
                left = [each for each in combinations(sorted(answerable), 2) if each not in asked]
                pairs = [left[random.integers(len(left))]] if left else []
            for pair in pairs:
                asked.add(pair)
                first, second = sorted(example.ranks[row] for row in pair)
                corrections.append(
                    Correction("same", ((first, second),))
                    if persons[first] == persons[second]
                    else Correction("different", ((first,), (second,)))
                )

    return Course(
        example.name,
        pages=len(persons),
        people=len(set(persons.values())),
        answer=Clustering(tuple(anew[0])),
        best=score(alone[-1]),
        scores={
            "anew": tuple(map(score, anew)),
            "alone": tuple(map(score, alone)),
            **{way: tuple(ask(way)) for way in ASKING},
        },
    )


def simulation_data(courses: Sequence[Course]) -> dict[str, Any]:
    """Corrections and questions in JSON form (docs/output.md).

    Of each way of correcting, ``to_good`` is the mean number of corrections until F0.5 is
    :data:`GOOD_SCORE`, over the names where it can be, None if there are none; ``to_best`` the same
    until it is as good as it can be, over all names.
    """

    def after(way: str, steps: Sequence[int]) -> dict[str, float]:
        return {str(n): fmean(each.score_after(way, n) for each in courses) for n in steps}

    def summary(way: str) -> dict[str, Any]:
        counts = (each.corrections_to(GOOD_SCORE, way) for each in courses)
        good = [count for count in counts if count is not None]
        return {
            "after": after(way, CORRECTION_STEPS),
            "to_good": fmean(good) if good else None,
            "to_best": fmean(each.corrections_to_best(way) for each in courses),
        }

    anew, alone = ([each.corrections_to_best(way) for each in courses] for way in CORRECTING)
    before, after_five = ([each.scores["chosen"][step] for each in courses] for step in (0, -1))
    saved, gained = stats.compare(anew, alone), stats.compare(before, after_five)
    return {
        "corrections": {
            **{way: summary(way) for way in CORRECTING},
            "saved": stats.difference_data("corrections", saved),
            "names": {
                each.name: {
                    "pages": each.pages,
                    "people": each.people,
                    "best": each.best,
                    **{way: list(each.scores[way]) for way in CORRECTING},
                }
                for each in courses
            },
        },
        "questions": {
            "after": {way: after(way, QUESTION_STEPS) for way in ASKING},
            "gain": stats.difference_data("questions", gained),
            "names": {each.name: {w: list(each.scores[w]) for w in ASKING} for each in courses},
        },
    }


def show_simulation(courses: Sequence[Course], data: Mapping[str, Any], console: Console) -> None:
    """Print three tables.

    A row per name: its pages, and the corrections that it takes. Means over names of each way of
    correcting, and what reclustering saves. Means after answers and after as many corrections, and
    the gain.

    Args:
        courses: of the names.
        data: see :func:`simulation_data`.
        console: where to print them.
    """
    to_good = f"to {GOOD_SCORE:.2f}"
    heading = ["name", "pages", "people", "F0.5", "best"]
    names = [[*heading, to_good, "(alone)", "to best", "(alone)"]]
    for each in courses:
        levels, sizes = (GOOD_SCORE, each.best), (each.pages, each.people)
        counts = (each.corrections_to(level, way) for level in levels for way in CORRECTING)
        scores = map(format_score, (each.score_after("anew", 0), each.best))
        cells = ("–" if count is None else str(count) for count in counts)
        names.append([each.name, *map(str, sizes), *scores, *cells])
    ways = [["mean F0.5 after corrections", *map(str, CORRECTION_STEPS), to_good, "to best"]]
    for way, title in CORRECTING.items():
        means = data["corrections"][way]
        good = "–" if means["to_good"] is None else f"{means['to_good']:.1f}"
        scores = map(format_score, means["after"].values())
        ways.append([title, *scores, good, f"{means['to_best']:.1f}"])
    after = {f"answers to questions, {way}": data["questions"]["after"][way] for way in ASKING}
    after["corrections of the largest errors"] = data["corrections"]["anew"]["after"]
    steps = list(map(str, QUESTION_STEPS))
    answers = [["mean F0.5 after", *steps]]
    for title, means in after.items():
        answers.append([title, *(format_score(means[step]) for step in steps)])
    saved, gain = data["corrections"]["saved"], data["questions"]["gain"]
    interval = " ({:+.1f} to {:+.1f})".format(*saved["interval"]) if saved["interval"] else ""
    saving = (
        f"clustering again saves {saved['difference']:.1f}{interval} corrections to the best; "
        f"fewer on {saved['better']}, more on {saved['worse']}, as many on {saved['equal']} names"
    )
    interval = " ({:+.3f} to {:+.3f})".format(*gain["interval"]) if gain["interval"] else ""
    gaining = (
        f"five answers add {gain['difference']:+.3f}{interval}; better on {gain['better']}, worse "
        f"on {gain['worse']}, equal on {gain['equal']} names"
    )
    for rows, line in ((names, ""), (ways, f"{saving}\n"), (answers, gaining)):
        console.write_table(rows)
        console.write(line)
