"""Outputs that both measures and people have scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from eval.instances.wording import quoted
from eval.meta.ulc import Scale, ulc
from eval.meta_study.material import Scored
from weps.errors import ValuesError
from weps.report.wording import counted

__all__ = ["COMBINED", "Judged", "check_size", "criteria_of", "judged_by"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

COMBINED = "ULC"
"""What the combination of all measures is called."""
_LARGEST = 1e100
"""Greater values overflow when they are squared and summed."""


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
        """With ULC of all measures as a further measure, the last.

        Raises:
            ValuesError: if a measure is called so already.
        """
        if COMBINED in self.measures:
            what = f"there is a measure called {COMBINED}, as all measures together are"
            raise ValuesError(what, remedy="rename it, or leave it out with --measures")
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
        ValuesError: if there are none, they are all scored alike, values are too large or too
            small, or there is no such criterion.
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
    check_size(matrix.measures, matrix.values, scored.title)
    topics, topic = _numbered([matrix.topic[row] for row in rows.tolist()])
    systems, system = _numbered([matrix.system[row] for row in rows.tolist()])
    values = matrix.values[:, rows]
    return Judged(criterion, matrix.measures, values, human[rows], topics, topic, systems, system)


def check_size(measures: Sequence[str], values: Floats, title: str) -> None:
    """See that correlations can be computed.

    Args:
        measures: their names.
        values: shape (measures, instances).
        title: of the data.

    Raises:
        ValuesError: if a value is infinite or beyond 1e100, or a measure has none beyond 1e-100
            but 0.
    """
    largest = np.abs(values).max(axis=1)
    for name, most in zip(measures, largest.tolist(), strict=True):
        if not (most == 0 or 1 / _LARGEST <= most <= _LARGEST):
            what = f"the largest value of {quoted(name)} is {most:g} in size"
            remedy = "give it on another scale, or leave the measure out with --measures"
            raise ValuesError(what, where=title, remedy=remedy)


def _numbered(names: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    """The different names in order of first appearance, and the number of each name."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return tuple(numbers), np.array([numbers[name] for name in names], dtype=np.int64)
