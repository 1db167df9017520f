"""How measures agree with people, by systems and by outputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.correlation import Level, correlations
from eval.meta.drawn import Drawn
from eval.meta_study.compared import Compared
from eval.meta_study.qarla.people import plain_values
from eval.ordering import Estimate
from weps.errors import ValuesError

__all__ = ["Acceptance", "acceptances"]

Floats: TypeAlias = NDArray[np.float64]

_FEWEST = 3
"""Fewer systems always lie on a line."""


@dataclass(frozen=True, slots=True, eq=False)
class Acceptance:
    """Pearson's r of each measure's mean similarity to references with what people say."""

    criterion: str
    systems: Drawn
    outputs: Drawn
    """NaN where people judged systems, and not single outputs."""

    def lost(self, measure: int) -> Estimate:
        """How much higher r is by systems than by outputs."""
        value = float(self.systems.value[measure] - self.outputs.value[measure])
        return Estimate.of(value, self.systems.drawn[measure] - self.outputs.drawn[measure])


def acceptances(compared: Compared, seed: int = 0) -> tuple[Acceptance, ...]:
    """By every criterion by which three systems were judged on a common topic.

    Args:
        compared: with human scores.
        seed: for the resamples of topics.
    """
    values = plain_values(compared)
    found = (
        _acceptance(compared, values, criterion, seed)
        for criterion in range(len(compared.criteria))
    )
    return tuple(each for each in found if each)


def _acceptance(compared: Compared, values: Floats, criterion: int, seed: int) -> Acceptance | None:
    instances = compared.instances
    human = instances.human[criterion]
    rows = np.flatnonzero(~np.isnan(human))
    if len(np.unique(instances.system[rows])) < _FEWEST:
        return None
    told = human[rows], instances.topic[rows], instances.system[rows]
    finite = np.asarray(np.isfinite(values).all(axis=1))
    try:
        by_level = [
            _spread(correlations(values[finite][:, rows], *told, level=level, seed=seed), finite)
            for level in (Level.SYSTEM, Level.SEGMENT)
        ]
    except ValuesError:  # no topic that all systems have answered
        return None
    by_system, by_output = by_level
    if not instances.judged_singly(criterion):
        nothing = np.full_like(by_output.drawn, np.nan)
        by_output = Drawn(nothing[:, 0], nothing)
    return Acceptance(compared.criteria[criterion], by_system, by_output)


def _spread(drawn: Drawn, finite: NDArray[np.bool_]) -> Drawn:
    """The figures of finite measures among those of all; the others have none."""
    every = np.full((len(finite), 1 + drawn.drawn.shape[1]), np.nan)
    every[finite] = np.column_stack([drawn.value, drawn.drawn])
    return Drawn(every[:, 0], every[:, 1:])
