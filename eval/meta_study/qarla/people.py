"""What KING and QUEEN have to do with what people say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.correlation import Coefficient, Level, correlations
from eval.meta.correlation.coefficients import row_coefficients
from eval.meta.drawn import Drawn, over_topics
from eval.meta.qarla import Conditions, queen
from eval.meta_study.compared import Compared
from eval.meta_study.compared.records import Instances
from eval.ordering import Estimate
from weps.errors import ValuesError

__all__ = ["Agreement", "agreements", "plain_values", "queen_values"]

Floats: TypeAlias = NDArray[np.float64]

_FEWEST = 3
"""Fewer systems always lie on a line."""


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """Pearson's r of systems' means with those of people, by one criterion; NaN where none is."""

    criterion: str
    systems: int
    topics: int
    queens: Drawn
    """Of QUEEN by each set."""
    plain: Drawn
    """Of each measure's mean similarity to the references."""
    kings: Drawn
    """KING of each set on the topics that people judged."""

    def with_king(self) -> Estimate:
        """How r of QUEEN goes with KING over the sets, Pearson's r (2005, Figures 5 and 7)."""
        known = ~np.isnan(self.queens.value)
        if known.sum() < _FEWEST:
            return Estimate(np.nan, np.nan, np.nan)
        kings, queens = (
            np.column_stack([each.value, each.drawn])[known].T for each in (self.kings, self.queens)
        )
        found = row_coefficients(kings, queens, Coefficient.PEARSON)
        return Estimate.of(float(found[0]), found[1:])


def queen_values(conditions: Conditions, sets: Sequence[Sequence[int]]) -> Floats:
    """Shape (sets, instances): QUEEN of every output."""
    return np.stack([np.concatenate(queen(conditions, each)) for each in sets])


def plain_values(compared: Compared) -> Floats:
    """Shape (measures, instances): the mean similarity of every output to its references."""
    return np.concatenate([each.values.peers.mean(axis=2) for each in compared.topics], axis=1)


def agreements(
    compared: Compared, queens: Floats, kings: Floats, seed: int = 0
) -> tuple[Agreement, ...]:
    """Agreement by every criterion by which systems enough were judged on common topics.

    Args:
        compared: with human scores.
        queens: shape (sets, instances).
        kings: shape (sets, topics).
        seed: for the resamples of topics.
    """
    instances, plain = compared.instances, plain_values(compared)
    each = (
        _agreement(name, human, instances, (queens, plain, kings), seed)
        for name, human in zip(compared.criteria, instances.human, strict=True)
    )
    return tuple(found for found in each if found)


def _agreement(
    criterion: str, human: Floats, instances: Instances, values: tuple[Floats, ...], seed: int
) -> Agreement | None:
    queens, plain, kings = values
    rows = np.flatnonzero(~np.isnan(human))
    topic, system = instances.topic[rows], instances.system[rows]
    systems, topics = len(np.unique(system)), np.unique(topic)
    if systems < _FEWEST:
        return None
    try:
        by_queen, by_measure = (
            _coefficients(some[:, rows], human[rows], topic, system, seed)
            for some in (queens, plain)
        )
    except ValuesError:  # no topic that all systems have answered
        return None
    judged = over_topics(kings[:, topics], seed=seed)
    return Agreement(criterion, systems, len(topics), by_queen, by_measure, judged)


def _coefficients(
    values: Floats,
    human: Floats,
    topic: NDArray[np.int64],
    system: NDArray[np.int64],
    seed: int,
) -> Drawn:
    """By measure; those with infinite values, which have no mean, have none."""
    finite = np.isfinite(values).all(axis=1)
    found = correlations(values[finite], human, topic, system, level=Level.SYSTEM, seed=seed)
    every = np.full((len(values), 1 + found.drawn.shape[1]), np.nan)
    every[finite] = np.column_stack([found.value, found.drawn])
    return Drawn(every[:, 0], every[:, 1:])
