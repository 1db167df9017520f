"""What keys tell of answers besides scores: whether labels are right, how much help is needed.

A *label* of a person is held against the description of the person that the key has in words.

*Corrections* are those of a simulated user, who knows the key. The pages of one person in one group
of the answer are a piece. From the largest piece to the smallest, a piece is correct in its group
unless another piece already is, or its person already has a group. The user moves the largest
incorrect piece to the group of its person, or makes it a group of its own if the person has none
yet: one correction, as the report states it, in terms of pages that the key judges, and without
errors. A piece that is the whole of its group is joined with the other group.

*Questions*: the user is asked whether two pages are about one person, and answers by the key; the
people of pages that are one person are joined. Questions are those of
:mod:`weps.corrections.edits`, or any two pages at random. Only pages that the key judges are asked
about.

All means are over names.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import isnan, nan
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps._formatting import format_number, format_score
from weps._text import singular_form, split_words
from weps.cli.console import Console
from weps.clustering.dendrogram import Dendrogram, calibrate_dendrogram, linkage_by_name
from weps.corrections.edits import choose_questions, constrained_dendrogram
from weps.corrections.model import Correction, Corrections
from weps.corrections.placement import place_corrected
from weps.features.bags import content_words
from weps.model import Model
from weps.name.person_name import PersonName
from weps.records import Clustering
from weps.similarity.columns import square_matrix
from weps.training import Example, clustering_after
from weps_eval import stats
from weps_eval.clustering.measures import Scorer

SIZES = (1, 2, 3)
"""Minimum numbers of pages of the people that a share is over."""


@dataclass(frozen=True, slots=True)
class LabelledPerson:
    """A person of an answer whom the key describes in words."""

    pages: int
    """Number of pages of the answer's person."""
    agrees: bool
    """True if the label and the description share a content word."""


def compare_labels(answer: Clustering, key: Clustering, name: str) -> list[LabelledPerson]:
    """Compare each person of an answer with the person of the key with most of the same pages.

    Of several such the one with fewest other pages counts, of these the first. People are left out
    whose pages the key has in no group, or in one that it does not describe. A label agrees if it
    has a content word of the description: stop words and the name searched for count for nothing,
    and plurals are undone. No label agrees with nothing.

    Args:
        answer: groups with or without labels.
        key: groups with descriptions; people without one are left out.
        name: as searched for, or its identifier, ``Thomas_Baker``.
    """
    searched = frozenset(PersonName.parse(name.replace("_", " ")).tokens)

    def described(text: str) -> set[str]:
        return set(map(singular_form, content_words(split_words(text), searched)))

    people = list(zip(key.groups, map(described, key.labels), strict=False))
    labelled = []
    for group, label in answer.labelled_groups if people else ():
        nearest, words = max(people, key=lambda each: (len(group & each[0]), -len(each[0])))
        if group & nearest and words:
            labelled.append(LabelledPerson(len(group), not words.isdisjoint(described(label))))
    return labelled


def label_quality(names: Sequence[Sequence[LabelledPerson]]) -> list[dict[str, Any]]:
    """The shares of labels that agree, in JSON form (docs/output.md).

    Args:
        names: the people of each name, see :func:`compare_labels`.

    Returns:
        For each of :data:`SIZES` that people have, ``pages``, ``people`` of so many pages or more,
        ``share`` of them whose label agrees, and ``interval``, bootstrapped over names.
    """
    qualities: list[dict[str, Any]] = []
    for least in SIZES:
        agreed = [[each.agrees for each in people if each.pages >= least] for people in names]
        agreeing, total = (np.array(list(map(count, agreed)), dtype=float) for count in (sum, len))
        if total.any():
            share, *ends = stats.estimate_instance_share(agreeing, total)
            interval = None if isnan(ends[0]) else ends
            people = {"pages": least, "people": int(total.sum())}
            qualities.append({**people, "share": share, "interval": interval})
    return qualities


CORRECTING = {"anew": "clustered again", "alone": "corrected pages only"}
"""Way of correcting → title: the name is clustered again after each correction, with what all of
them teach; or a correction changes only what it states."""
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


@dataclass(frozen=True, slots=True)
class SimulatedCorrection:
    """A piece in the wrong place, and where it belongs."""

    pages: Pages
    others: Pages
    """Pages of other people in the group of the piece."""
    target_group: Pages
    """The pages of its person that are at home; empty if the person has no home yet."""

    def correction(self, most_typical: Callable[[Pages], int] = min) -> Correction:
        """The correction that the user makes; see :mod:`weps.corrections.edits`."""

        def typical(pages: Pages) -> Pages:
            return frozenset(pages and [most_typical(pages)])

        goal = typical(self.target_group)
        if not self.target_group:
            kind, groups = "split", [self.pages, self.others]
        elif not self.others:
            kind, groups = "join", [typical(self.pages) | goal]
        else:
            kind, groups = "move", [self.pages, typical(self.others), goal]
        return Correction(kind, tuple(tuple(sorted(group)) for group in groups))


def _next_correction(groups: Groups, persons: Mapping[int, int]) -> SimulatedCorrection | None:
    """The user's next correction; None if the answer is correct.

    Of equally large pieces the one with the first page comes first.

    Args:
        groups: of the answer.
        persons: rank → number of the person that the page is about, of the pages of the key.
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
    others = (groups[number] & persons.keys()) - pages
    return SimulatedCorrection(pages, others, home.get(person, frozenset()))


def _most_typical(ranks: Sequence[int], square: NDArray[np.floating], pages: Pages) -> int:
    """The page with the highest probabilities to be about the same person as the others."""
    some = sorted(pages)
    rows = [ranks.index(rank) for rank in some]
    return some[int(square[np.ix_(rows, rows)].sum(axis=1).argmax())]


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

    def corrections_to(self, level: float, way: str) -> float:
        """Number of corrections after which F0.5 first reaches a level; NaN if it never does."""
        reached = (count for count, f in enumerate(self.scores[way]) if f >= level - _EQUAL)
        return next(reached, nan)


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
    model_tree = linkage(probability, len(example.ranks), preference)
    model_kept, rows = stopping.merges(model_tree), np.arange(len(example.ranks))

    def cluster(made: Sequence[Correction], way: str) -> tuple[Dendrogram, int, Groups]:
        """The dendrogram under corrections, the merges kept, and the answer."""
        corrections, pairs = Corrections(tuple(made)), (probability, example.ranks, preference)
        if way == "anew":
            tree = constrained_dendrogram(corrections, linkage, *pairs)
            kept = stopping.merges(tree)
        else:
            tree, kept = place_corrected(model_tree, model_kept, rows, corrections, *pairs)
        return tree, kept, clustering_after(example, tree, kept).groups

    def score(groups: Groups) -> float:
        answer = Clustering(tuple(groups))
        return scorer.scores(answer, example.key, example.ranks, [_MEASURE])[_MEASURE]

    # Of several people of a page, it is about the one with most pages.
    persons = {
        rank: number
        for number, pages in sorted(
            enumerate(scorer.persons(example.key, example.ranks)),
            key=lambda person: (len(person[1]), -person[0]),
        )
        for rank in pages.intersection(example.ranks)
    }
    square = square_matrix(probability, len(example.ranks))
    most_typical = partial(_most_typical, example.ranks, square)
    corrected: dict[str, list[Groups]] = {}
    for way in CORRECTING:
        made: list[Correction] = []
        corrected[way] = [cluster(made, way)[2]]
        while correction := _next_correction(corrected[way][-1], persons):
            made.append(correction.correction(most_typical))
            corrected[way].append(cluster(made, way)[2])
    answerable = frozenset(row for row, rank in enumerate(example.ranks) if rank in persons)
    random = np.random.default_rng([0, zlib.crc32(example.name.encode())])

    def ask(way: str) -> Iterator[float]:
        """F0.5 after each answer; where no question is left, that after the last."""
        corrections: list[Correction] = []
        asked: set[tuple[int, int]] = set()
        for _ in range(max(QUESTION_STEPS) + 1):
            tree, kept, groups = cluster(corrections, "alone")
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
                    Correction("join", ((first, second),))
                    if persons[first] == persons[second]
                    else Correction("different", ((first,), (second,)))
                )

    return Course(
        example.name,
        pages=len(persons),
        people=len(set(persons.values())),
        answer=Clustering(tuple(corrected["alone"][0])),
        best=score(corrected["alone"][-1]),
        scores={
            **{way: tuple(map(score, groups)) for way, groups in corrected.items()},
            **{way: tuple(ask(way)) for way in ASKING},
        },
    )


def simulation_data(courses: Sequence[Course]) -> dict[str, Any]:
    """Corrections and questions in JSON form (docs/output.md).

    Of each way of correcting, ``to_good`` is the mean number of corrections until F0.5 is
    :data:`GOOD_SCORE`, over the names where it can be, None if there are none; ``to_best`` the same
    until it is as good as it can be, over all names.
    """
    to_best = {
        way: np.nan_to_num([each.corrections_to(each.best, way) for each in courses]).tolist()
        for way in CORRECTING
    }
    saved = stats.compare(to_best["anew"], to_best["alone"])
    before, after_five = ([each.scores["chosen"][step] for each in courses] for step in (0, -1))

    def after(way: str, steps: Sequence[int]) -> dict[str, float]:
        return {str(n): fmean(each.score_after(way, n) for each in courses) for n in steps}

    def summary(way: str) -> dict[str, Any]:
        counts = (each.corrections_to(GOOD_SCORE, way) for each in courses)
        good = [count for count in counts if not isnan(count)]
        return {
            "after": after(way, CORRECTION_STEPS),
            "to_good": fmean(good) if good else None,
            "to_best": fmean(to_best[way]),
        }

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
            "gain": stats.difference_data("questions", stats.compare(before, after_five)),
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
    good = f"to {GOOD_SCORE:.2f}"
    names = [["name", "pages", "people", "F0.5", "best", good, "(alone)", "to best", "(alone)"]]
    for each in courses:
        scores = map(format_score, (each.score_after("anew", 0), each.best))
        counts = (
            format_number(each.corrections_to(level, way), 0)
            for level in (GOOD_SCORE, each.best)
            for way in CORRECTING
        )
        names.append([each.name, str(each.pages), str(each.people), *scores, *counts])
    ways = [["mean F0.5 after corrections", *map(str, CORRECTION_STEPS), good, "to best"]]
    for way, title in CORRECTING.items():
        means = data["corrections"][way]
        needed = (nan if means[to] is None else means[to] for to in ("to_good", "to_best"))
        after = map(format_score, means["after"].values())
        ways.append([title, *after, *(format_number(count, 1) for count in needed)])
    means = {f"answers to questions, {way}": data["questions"]["after"][way] for way in ASKING}
    means["corrections of the largest errors"] = data["corrections"]["anew"]["after"]
    steps = list(map(str, QUESTION_STEPS))
    answers = [["mean F0.5 after", *steps]]
    answers += [[title, *(format_score(at[step]) for step in steps)] for title, at in means.items()]
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
