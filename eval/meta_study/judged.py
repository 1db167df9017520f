"""Outputs that both measures and people have scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from eval.instances.wording import quoted
from eval.meta.ulc import Scale, ulc
from eval.meta_study.material import Scored
from eval.text.testbed import MeasureMatrix
from weps.errors import ValuesError
from weps.report.wording import counted

__all__ = ["COMBINED", "Judged", "criteria_of", "judged_by"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

COMBINED = "ULC"
"""What the combination of all measures is called."""


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """Outputs with the values of measures and the scores of people by one criterion."""

    criterion: str
    measures: tuple[str, ...]
    values: Floats
    """Shape (measures, instances), finite."""
    human: Floats
    """Shape (instances,), finite."""
    topics: tuple[str, ...]
    topic: Ints
    """Shape (instances,): the topic of each, from 0."""
    systems: tuple[str, ...]
    system: Ints
    """Shape (instances,): the system of each, from 0."""

    @property
    def is_by_system(self) -> bool:
        """Whether people judged systems as a whole: each has one score, and several outputs."""
        lowest, highest = (np.full(len(self.systems), end) for end in (np.inf, -np.inf))
        np.minimum.at(lowest, self.system, self.human)
        np.maximum.at(highest, self.system, self.human)
        several = np.bincount(self.system) > 1
        return bool(several.any() and (lowest == highest)[several].all())

    @property
    def told(self) -> str:
        """How much there is, in words."""
        size = f"{counted(len(self.human), 'output')} of {counted(len(self.systems), 'system')}"
        size += f" on {counted(len(self.topics), 'topic')}"
        return f"{size} have a score for {self.criterion}." if self.criterion else f"{size}."

    def with_combined(self, scale: Scale) -> Judged:
        """With ULC of all measures as a further measure, the last."""
        values = np.vstack([self.values, ulc(self.values, scale=scale)])
        return replace(self, measures=(*self.measures, COMBINED), values=values)


def criteria_of(scored: Scored) -> tuple[str, ...]:
    """By which criteria people judged.

    Raises:
        ValuesError: if they did not.
    """
    if not scored.matrix.criteria:
        remedy = "name the column of human scores with --human, or call it human:SOMETHING"
        raise ValuesError("there are no human scores", where=scored.title, remedy=remedy)
    return scored.matrix.criteria


def judged_by(scored: Scored, criterion: str) -> Judged:
    """The outputs that people have judged by a criterion; with none, all outputs, scored 0.

    Raises:
        ValuesError: if there are none, they are all scored alike, a value is infinite, or there is
            no such criterion.
    """
    matrix = scored.matrix
    human = matrix.column(criterion) if criterion else np.zeros(len(matrix.topic))
    rows = np.flatnonzero(~np.isnan(human))
    if not len(rows):
        what = f"no output has a score for {quoted(criterion)}"
        raise ValuesError(what, where=scored.title, remedy="choose another criterion with --human")
    if criterion and np.ptp(human[rows]) == 0:
        what = f"all outputs have the same score for {quoted(criterion)}"
        raise ValuesError(what, where=scored.title, remedy="choose another criterion with --human")
    _check_finite(matrix, scored.title)
    topics, topic = _numbered([matrix.topic[row] for row in rows.tolist()])
    systems, system = _numbered([matrix.system[row] for row in rows.tolist()])
    values = matrix.values[:, rows]
    return Judged(criterion, matrix.measures, values, human[rows], topics, topic, systems, system)


def _check_finite(matrix: MeasureMatrix, title: str) -> None:
    for measure, _ in np.argwhere(np.isinf(matrix.values))[:1].tolist():
        what = f"a value of {quoted(matrix.measures[measure])} is infinite"
        raise ValuesError(what, where=title, remedy="leave the measure out with --measures")


def _numbered(names: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    """The different names in order of first appearance, and the number of each name."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return tuple(numbers), np.array([numbers[name] for name in names], dtype=np.int64)
