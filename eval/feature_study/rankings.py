"""How well each measure ranks the instances by itself (EMNLP 2009, section 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.instances import Instances
from eval.ordering import (
    Curve,
    Estimate,
    agreement,
    auc_tally,
    average_precisions,
    estimate,
    multiplicities,
    precision_recall,
    pwa_tally,
)

__all__ = ["Ranking", "average_precisions_of", "rank_measures", "sides"]

Array = NDArray[Any]
_RESAMPLES = 1_000
"""For average precision, which is dearer than a tally."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The ranking of instances by one measure, beside that by the base measure."""

    measure: str
    curve: Curve
    """Without the point at which those with nothing in common enter, whose lowest value is 0."""
    average_precisions: Array
    """Shape (1 + resamples,): of the groups as they are, then of the same resamples for all."""
    pwa: Estimate
    """Pooled over all groups."""
    pwa_by_group: Estimate
    """Mean over groups."""
    auc: Estimate
    auc_by_group: Estimate
    redundant: Estimate
    """Share of the pairs of instances ranked by the base that are ranked the same way."""
    non_redundant: Estimate
    """Share that is ranked the opposite way."""
    non_informative: Estimate
    """Share that is tied."""

    @property
    def average_precision(self) -> Estimate:
        """Of the whole ranking, instances of one value entering together."""
        return _estimate(self.average_precisions)

    def ahead_of(self, other: Ranking) -> Estimate:
        """Average precision minus that of the other measure."""
        return _estimate(self.average_precisions - other.average_precisions)


def rank_measures(
    instances: Instances,
    base: str,
    seed: int = 0,
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, Ranking]:
    """Measure → how it ranks the instances, beside the base.

    Args:
        instances: with one measure or more.
        base: one of the measures.
        seed: for the resamples of groups, the same for all measures.
        progress: told before each measure.

    Raises:
        ValuesError: if there is no such base, or no instance of either label.
    """
    rankings = {}
    for number, measure in enumerate(instances.measures, start=1):
        progress(f"[{number}/{len(instances.measures)}] {measure}")
        rankings[measure] = Ranking(
            measure,
            _curve(instances, measure),
            average_precisions_of(instances, measure, seed),
            *_accuracies(instances, measure, seed),
            *_shares(instances, base, measure, seed),
        )
    return rankings


def average_precisions_of(instances: Instances, measure: str, seed: int = 0) -> Array:
    """Shape (1 + resamples,): average precision of the groups as they are, then drawn anew.

    The groups are drawn alike for all measures; resamples of a single group are nan.
    """
    groups = len(instances.groups)
    drawn = np.vstack([np.ones((1, groups)), multiplicities(groups, seed, _RESAMPLES)])
    values = instances.column(measure)
    found = average_precisions(values, instances.positive, instances.group, drawn)
    if groups < 2:
        found[1:] = np.nan
    return found


def sides(instances: Instances, measures: Sequence[str]) -> tuple[Array, Array, Array, Array]:
    """Values of the positive instances and of the others, then the groups of either.

    Values have shape (measures, positives) and (measures, negatives).
    """
    values, group = instances.only(measures).values, instances.group
    positive = instances.positive
    return values[:, positive], values[:, ~positive], group[positive], group[~positive]


def _curve(instances: Instances, measure: str) -> Curve:
    curve = precision_recall(instances.column(measure), instances.positive)
    return curve.above(0) if curve.threshold[-1] == 0 else curve


def _accuracies(instances: Instances, measure: str, seed: int) -> list[Estimate]:
    """PWA pooled and by group, AUC pooled and by group."""
    (positive,), (negative,), *groups = sides(instances, [measure])
    tallies = [tally(positive, negative, *groups) for tally in (pwa_tally, auc_tally)]
    return [
        estimate(tally, per_group=per_group, seed=seed)
        for tally in tallies
        for per_group in (False, True)
    ]


def _shares(instances: Instances, base: str, measure: str, seed: int) -> list[Estimate]:
    """Redundant, non-redundant and non-informative."""
    found = agreement(instances.column(base), instances.column(measure), instances.group)
    return [estimate(share, seed=seed) for share in found]


def _estimate(figures: Array) -> Estimate:
    """The first is the figure, the others are those of resamples."""
    return Estimate.of(float(figures[0]), figures[1:])
