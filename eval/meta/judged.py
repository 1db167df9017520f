"""Instances that measures and people have judged: checked, and laid out by topic and system."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.ordering.values import as_groups, as_measure, as_measures
from weps.errors import ValuesError

__all__ = ["as_finite", "as_judged", "as_table"]

Floats = NDArray[np.float64]


def as_judged(
    values: ArrayLike, human: ArrayLike, *, finite: bool = False
) -> tuple[Floats, Floats]:
    """A measure matrix and what people said of the same instances.

    Args:
        values: shape (measures, instances), or (instances,) for one measure.
        human: shape (instances,), finite.
        finite: refuse infinite values of measures, which have an order but neither sum nor mean.

    Raises:
        ValuesError: if values are missing, NaN, no numbers, infinite where they must not be, or
            not equally many.
    """
    measures = as_measures(values, "values").astype(np.float64)
    people = as_finite(as_measure(human, "human").astype(np.float64), "human")
    if measures.shape[1] != len(people):
        what = f"values of {measures.shape[1]:,} and human scores of {len(people):,} instances"
        raise ValuesError(f"{what} cannot be paired", remedy="give both of the same instances")
    return as_finite(measures, "values") if finite else measures, people


def as_finite(array: Floats, name: str) -> Floats:
    """The same values, shape (instances,) or (measures, instances).

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
        ValuesError: if values are missing, NaN, no numbers, or not equally many, or a system
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
