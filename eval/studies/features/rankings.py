"""How well each measure ranks the instances by itself (EMNLP 2009, sections 4.1 and 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.ranking.curves import Curve, average_precisions, precision_recall
from eval.ranking.pwa import auc_counts, pwa_counts, redundancy_counts
from eval.stats.estimate import Estimate, estimate_share, resample_weights
from eval.tables.instances import Instances
from weps.features.registry import Feature
from weps.similarity import PAPER_MEASURES, Similarity

__all__ = [
    "Ranking",
    "SimilarityComparison",
    "average_precisions_of",
    "compare_similarities",
    "rank_measures",
    "split_by_label",
]

Array = NDArray[Any]
_RESAMPLES = 1_000
"""For average precision, which takes longer than pair counts."""


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
        return _estimate_of(self.average_precisions)

    @property
    def recall(self) -> float:
        """What is reached before the instances whose value is 0 enter."""
        return float(self.curve.recall[-1]) if len(self.curve.recall) else 0.0

    def ahead_of(self, other: Ranking) -> Estimate:
        """Average precision minus that of the other measure."""
        return _estimate_of(self.average_precisions - other.average_precisions)


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
        progress: called before each measure.

    Raises:
        ValuesError: if there is no such base, or no instance of either label.
    """
    rankings = {}
    for number, measure in enumerate(instances.measures, start=1):
        progress(f"[{number}/{len(instances.measures)}] {measure}")
        values = instances.column(measure)
        curve = precision_recall(values, instances.positive)
        shares = redundancy_counts(instances.column(base), values, instances.group)
        rankings[measure] = Ranking(
            measure,
            curve.above(0) if curve.threshold[-1] == 0 else curve,
            average_precisions_of(instances, measure, seed),
            *_accuracies(instances, measure, seed),
            *(estimate_share(share, seed=seed) for share in shares),
        )
    return rankings


def average_precisions_of(instances: Instances, measure: str, seed: int = 0) -> Array:
    """Shape (1 + resamples,): average precision of the groups as they are, then drawn anew.

    The groups are drawn alike for all measures; resamples of a single group are nan.
    """
    groups = len(instances.groups)
    weights = np.vstack([np.ones((1, groups)), resample_weights(groups, seed, _RESAMPLES)])
    values = instances.column(measure)
    found = average_precisions(values, instances.positive, instances.group, weights)
    if groups < 2:
        found[1:] = np.nan
    return found


def split_by_label(
    instances: Instances, measures: Sequence[str]
) -> tuple[Array, Array, Array, Array]:
    """Values of the positive instances and of the others, then the groups of either.

    Values have shape (measures, positives) and (measures, negatives).
    """
    values, group = instances.only(measures).values, instances.group
    positive = instances.positive
    return values[:, positive], values[:, ~positive], group[positive], group[~positive]


def _accuracies(instances: Instances, measure: str, seed: int) -> list[Estimate]:
    """PWA pooled and by group, AUC pooled and by group."""
    (positive,), (negative,), *groups = split_by_label(instances, [measure])
    counts = [count(positive, negative, *groups) for count in (pwa_counts, auc_counts)]
    return [
        estimate_share(each, per_group=per_group, seed=seed)
        for each in counts
        for per_group in (False, True)
    ]


@dataclass(frozen=True, slots=True, eq=False)
class SimilarityComparison:
    """Average precision of each feature under each measure, by resamples of the names."""

    features: tuple[str, ...]
    measures: tuple[str, ...]
    figures: Array
    """Shape (features, measures, 1 + resamples): of the names as they are, then drawn anew;
    empty if there are no features."""

    def average_precision(self, feature: str, measure: str) -> Estimate:
        """Of one feature under one measure."""
        return _estimate_of(self._of(measure)[self.features.index(feature)])

    def ahead(self, measure: str, other: str) -> Estimate:
        """Average precision under one measure minus that under another, mean over features."""
        return _estimate_of((self._of(measure) - self._of(other)).mean(axis=0))

    def count_higher(self, measure: str, other: str) -> int:
        """For how many features the one has the higher average precision."""
        return int((self._of(measure)[:, 0] > self._of(other)[:, 0]).sum())

    def _of(self, measure: str) -> Array:
        return np.asarray(self.figures[:, self.measures.index(measure)])


def compare_similarities(
    instances: Instances, features: Sequence[Feature], seed: int = 0
) -> SimilarityComparison:
    """Compare the measures on every feature that is no flag.

    Args:
        instances: with every feature under every measure, ``cosine(token)``.
        features: the features, flags among them or not.
        seed: for the resamples of names.
    """
    bags = [each for each in features if not each.flag]
    figures = [
        [
            average_precisions_of(instances, str(Similarity(each, name)), seed)
            for name in PAPER_MEASURES
        ]
        for each in bags
    ]
    return SimilarityComparison(tuple(map(str, bags)), PAPER_MEASURES, np.array(figures))


def _estimate_of(figures: Array) -> Estimate:
    """The first is the figure, the others are those of resamples."""
    return Estimate.from_samples(float(figures[0]), figures[1:])
