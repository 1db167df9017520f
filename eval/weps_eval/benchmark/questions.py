"""The effect of questions to the user: F0.5 after so many answers, against other ways to help.

The simulated user of ``weps_eval.benchmark.corrections`` is asked whether two pages are about one
person, answers by the key, and the name is clustered again. Questions are those of
:mod:`weps.corrections.questions`, or any two pages at random. Only pages that the key judges are
asked about. Results are means over names.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np

from weps._formatting import format_score
from weps.clustering.dendrogram import Dendrogram, calibrate_dendrogram
from weps.clustering.linkage import LINKAGES
from weps.corrections.constraints import constrained_dendrogram
from weps.corrections.model import Correction
from weps.corrections.questions import choose_questions
from weps.model import Model
from weps.training.examples import Example
from weps.training.stopping import clustering_after
from weps_eval.benchmark.corrections import CorrectionCurve, largest_persons
from weps_eval.clustering.scorers import Scorer
from weps_eval.stats.significance import Difference, compare, difference_data

STEPS = (0, 1, 3, 5)
"""Numbers of answers after which the mean F0.5 is reported."""
_MEASURE = "bcubed_f05"
_SEED = 0

Pair = tuple[int, int]
"""Two rows, ascending."""
Chooser = Callable[[Dendrogram, int, frozenset[int], set[Pair]], Pair | None]
"""Takes the dendrogram with calibrated probabilities, the merges kept, the rows that may be asked
about and the pairs asked about before; gives the next pair."""


@dataclass(frozen=True, slots=True)
class QuestionCurve:
    """The B-Cubed F0.5 of one name after 0 to 5 answers."""

    name: str
    scores: Mapping[str, tuple[float, ...]]
    """Way of choosing, ``chosen`` or ``at random`` → F0.5 after so many answers."""


def simulate_questions(example: Example, model: Model, scorer: Scorer) -> QuestionCurve:
    """Ask about the answer for a name, and cluster it again after each answer.

    Args:
        example: the name, with the columns of the model.
        model: what clusters its pages.
        scorer: whose rules define which pages count, and for what.
    """
    generator = np.random.default_rng([_SEED, zlib.crc32(example.name.encode())])

    def choose(
        shown: Dendrogram, kept: int, answerable: frozenset[int], asked: set[Pair]
    ) -> Pair | None:
        found = choose_questions(shown, kept, 1, answerable, asked)
        return found[0].rows if found else None

    def draw(_: Dendrogram, __: int, answerable: frozenset[int], asked: set[Pair]) -> Pair | None:
        rows = sorted(answerable)
        left = [
            (first, second)
            for at, first in enumerate(rows)
            for second in rows[at + 1 :]
            if (first, second) not in asked
        ]
        return left[generator.integers(len(left))] if left else None

    ways: dict[str, Chooser] = {"chosen": choose, "at random": draw}
    return QuestionCurve(
        example.name,
        {way: tuple(_answered(example, model, scorer, each)) for way, each in ways.items()},
    )


def _answered(example: Example, model: Model, scorer: Scorer, choose: Chooser) -> Iterator[float]:
    """F0.5 after each answer; where no question is left, that after the last."""
    persons = largest_persons(example, scorer)
    probability = model.classifier.predict(example.values)
    preference = example.values.mean(axis=1, dtype=float)
    linkage, stopping = LINKAGES[model.linkage], model.stopping[example.origin]
    answerable = frozenset(row for row, rank in enumerate(example.ranks) if rank in persons)
    corrections: list[Correction] = []
    asked: set[Pair] = set()
    for _ in range(max(STEPS) + 1):
        tree = constrained_dendrogram(corrections, linkage, probability, example.ranks, preference)
        kept = stopping.merges(tree)
        answer = clustering_after(example, tree, kept)
        yield scorer.scores(answer, example.key, example.ranks, [_MEASURE])[_MEASURE]
        shown = calibrate_dendrogram(tree, model.calibration)
        if pair := choose(shown, kept, answerable, asked):
            asked.add(pair)
            first, second = sorted(example.ranks[row] for row in pair)
            if persons[first] == persons[second]:
                corrections.append(Correction("same", ((first, second),)))
            else:
                corrections.append(Correction("different", ((first,), (second,))))


def question_rows(
    questions: Sequence[QuestionCurve], corrections: Sequence[CorrectionCurve]
) -> list[list[str]]:
    """Heading, then the means over names: questions, and as many ordinary corrections."""
    rows = [["mean F0.5 after", *map(str, STEPS)]]
    for way in questions[0].scores:
        means = (fmean(each.scores[way][step] for each in questions) for step in STEPS)
        rows.append([f"answers to questions, {way}", *map(format_score, means)])
    means = (fmean(each.score_after("anew", step) for each in corrections) for step in STEPS)
    return [*rows, ["corrections of the largest errors", *map(format_score, means)]]


def gain_by_questions(questions: Sequence[QuestionCurve]) -> Difference:
    """What five answers to chosen questions add to F0.5."""
    before, after = ([each.scores["chosen"][step] for each in questions] for step in (0, -1))
    return compare(before, after)


def question_gain_line(questions: Sequence[QuestionCurve]) -> str:
    """The same as a sentence."""
    gain = gain_by_questions(questions)
    interval = f" ({gain.low:+.3f} to {gain.high:+.3f})" if len(questions) > 1 else ""
    return (
        f"five answers add {gain.mean:+.3f}{interval}; better on {gain.better}, worse on "
        f"{gain.worse}, equal on {gain.equal} names"
    )


def questions_data(questions: Sequence[QuestionCurve]) -> dict[str, Any]:
    """The curves in JSON form (docs/output.md)."""
    ways = questions[0].scores if questions else {}
    return {
        "after": {
            way: {str(step): fmean(each.scores[way][step] for each in questions) for step in STEPS}
            for way in ways
        },
        "gain": difference_data("questions", gain_by_questions(questions)),
        "names": {
            each.name: {way: list(scores) for way, scores in each.scores.items()}
            for each in questions
        },
    }
