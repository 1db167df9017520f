"""Instances scored by measures and people, similarities within a topic, and checks of both.

ULC combines measures without training.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from weps.errors import ValuesError
from weps_eval.stats.arrays import Floats, Ints, as_measure, as_measures


def as_human_scored(values: ArrayLike, human: ArrayLike) -> tuple[Floats, Floats]:
    """A measure matrix and human scores of the same instances, all finite.

    Args:
        values: shape (measures, instances), or (instances,) for one measure.
        human: shape (instances,).

    Raises:
        ValuesError: if values are missing, NaN, not numbers, infinite, or not equally many.
    """
    measures = as_measures(values, "values").astype(np.float64)
    people = as_measure(human, "human").astype(np.float64)
    if measures.shape[1] != len(people):
        what = f"values of {measures.shape[1]:,} and human scores of {len(people):,} instances"
        raise ValuesError(f"{what} cannot be paired", remedy="give both of the same instances")
    for array, name in ((people, "human"), (measures, "values")):
        for *measure, instance in np.argwhere(np.isinf(array))[:1].tolist():
            place = f"instance {instance}" + "".join(f" of measure {each}" for each in measure)
            remedy = "give it a finite value, or leave it out"
            raise ValuesError(f"the value of {place} is infinite", where=name, remedy=remedy)
    return measures, people


def as_table(values: Floats, topic: Ints, system: Ints) -> Floats:
    """Shape (measures, topics, systems), NaN where a system has not answered a topic.

    Args:
        values: shape (measures, instances), or (instances,) for one measure.
        topic: shape (instances,), whole numbers from 0.
        system: shape (instances,), whole numbers from 0, none twice for a topic.
    """
    measures = np.atleast_2d(values)
    table = np.full((len(measures), int(topic.max()) + 1, int(system.max()) + 1), np.nan)
    table[:, topic, system] = measures
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


def mean_of_measures(values: Floats, *, scale: Scale = Scale.NONE) -> Floats:
    """ULC: the arithmetic mean of the measures, combined without training.

    Giménez and Màrquez 2008, as used by Amigó, Giménez, Gonzalo and Verdejo, ACL 2009, section 3.1.

    Args:
        values: shape (measures, instances), finite, of the measures that are to be combined.
        scale: the paper's ``NONE`` lets measures of greater range weigh more.

    Returns:
        Shape (instances,).

    Raises:
        ValuesError: if the greatest value of a measure, by which it is to be divided, is not above
            0.
    """
    if scale is Scale.MAXIMUM:
        greatest = values.max(axis=1, keepdims=True)
        for measure in np.flatnonzero(greatest <= 0)[:1].tolist():
            what = f"no value of measure {measure} is above 0"
            raise ValuesError(what, where="values", remedy="choose another scale, or leave it out")
        values = np.asarray(values / greatest)
    elif scale is Scale.DEVIATION:
        spread = values.std(axis=1, keepdims=True)
        constant = np.ptp(values, axis=1, keepdims=True) == 0
        apart = values - values.mean(axis=1, keepdims=True)
        values = np.where(constant, 0.0, apart / np.where(constant, 1.0, spread))
    return np.asarray(values.mean(axis=0))
