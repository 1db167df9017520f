"""The summary of a measure matrix: scores of systems, and agreement of measures with people."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from weps_eval.stats.arrays import Floats, Ints
from weps_eval.tables.instances import number_names
from weps_eval.text.matrix import MeasureMatrix

FEWEST_SYSTEMS = 3
"""Fewer always lie on a line."""
_DIGITS = 12
"""Parts of the largest mean that agree in so many are equal: sums differ by rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class SystemMeans:
    """Means of measures by system over all topics that each has answered."""

    systems: tuple[str, ...]
    """In order of first appearance."""
    topics: Ints
    """Shape (systems,): how many each has answered."""
    values: Floats
    """Shape (measures, systems)."""
    overall: Floats
    """Shape (measures,): over all outputs."""


@dataclass(frozen=True, slots=True, eq=False)
class SystemAgreement:
    """How measures agree with people by one criterion."""

    criterion: str
    systems: int
    """That were judged."""
    topics: int
    """On which people judged all of these systems."""
    pearson: Floats
    """Shape (measures,): of the systems' means over these topics; NaN where systems are fewer than
    :data:`FEWEST_SYSTEMS`, there is no such topic, or all systems are alike."""
    kendall: Floats
    """The same, τ-b."""

    @property
    def is_defined(self) -> bool:
        """Whether there are systems enough, and a topic on which people judged all of them."""
        return self.systems >= FEWEST_SYSTEMS and self.topics > 0


def system_means(matrix: MeasureMatrix) -> SystemMeans:
    """The means of measures, system by system."""
    system, systems = number_names(matrix.system)
    values = _means(matrix.values, system, len(systems))
    return SystemMeans(systems, np.bincount(system), values, matrix.values.mean(axis=1))


def system_agreement(matrix: MeasureMatrix, criterion: str) -> SystemAgreement:
    """Correlation of measures with a criterion at the level of systems.

    Systems are compared by their means over the topics that they share, so that no system gains by
    topics that others were not judged on.

    Raises:
        ValuesError: if there is no such criterion.
    """
    human = matrix.column(criterion)
    rows = np.flatnonzero(~np.isnan(human))
    system, systems = number_names([matrix.system[row] for row in rows.tolist()])
    topic, topics = number_names([matrix.topic[row] for row in rows.tolist()])
    answers = np.bincount(topic, minlength=len(topics))
    shared = answers[topic] == len(systems)
    columns = np.vstack([human, matrix.values])[:, rows[shared]]
    enough = shared.any() and len(systems) >= FEWEST_SYSTEMS
    people, *ours = _means(columns, system[shared], len(systems)) if enough else columns[:, :0]
    return SystemAgreement(
        criterion,
        len(systems),
        int((answers == len(systems)).sum()),
        np.array([_coefficient(stats.pearsonr, people, each) for each in ours]),
        np.array([_coefficient(stats.kendalltau, people, each) for each in ours]),
    )


def _means(values: Floats, group: Ints, groups: int) -> Floats:
    """Shape (rows, groups): the mean of each row in each group, none of them empty."""
    sums = [np.bincount(group, row, minlength=groups) for row in values]
    return np.array(sums).reshape(len(values), groups) / np.bincount(group, minlength=groups)


def _coefficient(function: Callable[..., Any], people: Floats, measure: Floats) -> float:
    """The coefficient, NaN where there is none."""
    both = np.array([people, measure])
    if not both.size or not np.isfinite(both).all():
        return float("nan")
    largest = np.abs(both).max(axis=1, keepdims=True)
    both = np.round(both / np.where(largest > 0, largest, 1.0), _DIGITS)
    if (np.ptp(both, axis=1) == 0).any():
        return float("nan")
    with warnings.catch_warnings():  # nearly constant values have a coefficient, if a rough one
        warnings.simplefilter("ignore")
        return float(function(*both).statistic)
