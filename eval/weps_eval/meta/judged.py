"""Instances scored by measures and people, similarities within a topic, and checks of both.

ULC combines measures without training.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from weps.errors import ValuesError
from weps_eval.stats.arrays import Floats, as_groups, as_measure, as_measures


def as_human_scored(
    values: ArrayLike, human: ArrayLike, *, finite: bool = False
) -> tuple[Floats, Floats]:
    """A measure matrix and human scores of the same instances.

    Args:
        values: shape (measures, instances), or (instances,) for one measure.
        human: shape (instances,), finite.
        finite: refuse infinite values of measures, which have an order but neither sum nor mean.

    Raises:
        ValuesError: if values are missing, NaN, not numbers, infinite where they must not be, or
            not equally many.
    """
    measures = as_measures(values, "values").astype(np.float64)
    people = as_finite(as_measure(human, "human").astype(np.float64), "human")
    if measures.shape[1] != len(people):
        what = f"values of {measures.shape[1]:,} and human scores of {len(people):,} instances"
        raise ValuesError(f"{what} cannot be paired", remedy="give both of the same instances")
    return as_finite(measures, "values") if finite else measures, people


def as_finite(array: Floats, name: str) -> Floats:
    """The finite values, shape (instances,) or (measures, instances).

    Raises:
        ValuesError: if one is infinite.
    """
    for *measure, instance in np.argwhere(np.isinf(array))[:1].tolist():
        place = f"instance {instance}" + "".join(f" of measure {each}" for each in measure)
        remedy = "give it a finite value, or leave it out"
        raise ValuesError(f"the value of {place} is infinite", where=name, remedy=remedy)
    return array


def as_table(values: ArrayLike, topic: ArrayLike, system: ArrayLike) -> Floats:
    """Shape (measures, topics, systems), NaN where a system has not answered a topic.

    Args:
        values: shape (measures, instances), or (instances,) for one measure.
        topic: shape (instances,), whole numbers from 0.
        system: shape (instances,), whole numbers from 0.

    Raises:
        ValuesError: if values are missing, NaN, not numbers, or not equally many, or a system
            answers a topic twice.
    """
    measures = as_measures(values, "values").astype(np.float64)
    size = measures.shape[1]
    rows, columns = as_groups(topic, size, "topic"), as_groups(system, size, "system")
    shape = (int(rows.max()) + 1, int(columns.max()) + 1)
    cells = np.ravel_multi_index((rows, columns), shape)
    twice = np.flatnonzero(np.bincount(cells) > 1)
    if len(twice):
        at, who = np.unravel_index(twice[0], shape)
        what = f"system {who} answers topic {at} more than once"
        raise ValuesError(what, where="values", remedy="give one instance for each")
    table = np.full((len(measures), *shape), np.nan)
    table[:, rows, columns] = measures
    return table


@dataclass(frozen=True, slots=True, eq=False)
class Similarities:
    """The similarities of one topic, by several measures; more is more similar.

    The row is the text compared, the column the reference, so that x(a, m) and x(m, a) may differ.
    Only the order of values matters; infinite ones are values.

    Raises:
        ValuesError: if the shapes do not fit together, there is nothing, or a value is NaN.
    """

    peers: Floats
    """Shape (measures, peers, models): x(a, m) of what systems made, the peers."""
    models: Floats
    """Shape (measures, models, models): x(m, m') of what people wrote, the models."""
    among_peers: Floats | None = None
    """Shape (measures, peers, peers): x(a, a'); JACK alone asks for it."""

    def __post_init__(self) -> None:
        if self.peers.ndim != 3 or not self.peers.size:
            what = f"expected shape (measures, peers, models), none 0, got {self.peers.shape}"
            raise ValuesError(what, where="peers")
        measures, peers, models = self.peers.shape
        _check(self.peers, (measures, peers, models), "peers")
        _check(self.models, (measures, models, models), "models")
        if self.among_peers is not None:
            _check(self.among_peers, (measures, peers, peers), "among peers")

    def only(self, measures: Sequence[int]) -> Similarities:
        """Some of the measures, in the order given."""
        chosen = list(measures)
        among = None if self.among_peers is None else self.among_peers[chosen]
        return Similarities(self.peers[chosen], self.models[chosen], among)


def checked_topics(topics: Sequence[Similarities]) -> int:
    """How many measures the topics have.

    Raises:
        ValuesError: if there is no topic, or they have not equally many measures.
    """
    if not topics:
        raise ValuesError("no topics given", where="topics", remedy="give one at least")
    sizes = [len(each.peers) for each in topics]
    for topic, size in enumerate(sizes):
        if size != sizes[0]:
            what = f"there are {size} measures, and {sizes[0]} on the first topic"
            raise ValuesError(what, where=f"topic {topic}", remedy="give all the same ones")
    return sizes[0]


def checked_measures(measures: Sequence[int] | None, size: int) -> list[int]:
    """The measures of a set; all, if None.

    Raises:
        ValuesError: if the set is empty, or one of them is not there.
    """
    chosen = list(range(size)) if measures is None else list(measures)
    if not chosen:
        raise ValuesError("a set of measures holds one at least")
    for measure in chosen:
        if not 0 <= measure < size:
            raise ValuesError(f"measure {measure} is out of range: expected 0 to {size - 1}")
    return chosen


def checked_size(size: int | None, measures: int, where: str | None = None) -> int:
    """The size of a set of measures; that of all, if None.

    Raises:
        ValuesError: if there is no set of that size, with ``where`` it was asked for.
    """
    if size is not None and not 1 <= size <= measures:
        what = f"no set of {size} can be chosen from {measures} measures"
        raise ValuesError(what, where=where)
    return measures if size is None else size


def _check(values: Floats, shape: tuple[int, ...], name: str) -> None:
    if values.shape != shape:
        raise ValuesError(f"shape {values.shape} does not fit {shape}", where=name)
    if values.dtype.kind not in "biuf":
        raise ValuesError(f"expected numbers, got {values.dtype}", where=name)
    for measure, row, column in np.argwhere(np.isnan(values))[:1].tolist():
        what = f"the value of measure {measure} for text {row} and reference {column} is NaN"
        remedy = "give it a value, or leave out the measure or the text"
        raise ValuesError(what, where=name, remedy=remedy)


class Scale(StrEnum):
    """What is done to the measures before."""

    NONE = "none"
    """Nothing: “the unnormalized arithmetic mean of metric scores”."""
    MAXIMUM = "maximum"
    """Each is divided by its greatest value over the instances."""
    DEVIATION = "deviation"
    """Each is standardised over the instances: mean 0, variance 1, a constant 0."""


def mean_of_measures(values: ArrayLike, *, scale: Scale = Scale.NONE) -> Floats:
    """ULC: the arithmetic mean of the measures, combined without training.

    Giménez and Màrquez 2008, as used by Amigó, Giménez, Gonzalo and Verdejo, ACL 2009, section 3.1.

    Args:
        values: shape (measures, instances), of the measures that are to be combined.
        scale: the paper's ``NONE`` lets measures of greater range weigh more.

    Returns:
        Shape (instances,).

    Raises:
        ValuesError: if values are missing, NaN, infinite, not numbers, or, where they are to be
            divided by it, the greatest value of a measure is not above 0.
    """
    measures = as_finite(as_measures(values, "values").astype(np.float64), "values")
    if scale is Scale.MAXIMUM:
        greatest = measures.max(axis=1, keepdims=True)
        for measure in np.flatnonzero(greatest <= 0)[:1].tolist():
            what = f"no value of measure {measure} is above 0"
            raise ValuesError(what, where="values", remedy="choose another scale, or leave it out")
        measures = np.asarray(measures / greatest)
    elif scale is Scale.DEVIATION:
        spread = measures.std(axis=1, keepdims=True)
        constant = np.ptp(measures, axis=1, keepdims=True) == 0
        apart = measures - measures.mean(axis=1, keepdims=True)
        measures = np.where(constant, 0.0, apart / np.where(constant, 1.0, spread))
    return np.asarray(measures.mean(axis=0))
