"""What comes of a user's corrections, one after another, with and without clustering anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from eval.correcting.mending import Groups, next_mending
from eval.judge import Judge
from weps.clustering import LINKS
from weps.corrections import Correction
from weps.corrections.obeying import obeying
from weps.model import Model
from weps.records import Clustering
from weps.training import Example
from weps.training.stops import clustering_of

__all__ = ["Course", "course"]

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
