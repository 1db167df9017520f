"""Everything that a feature study computes, whatever the instances are (EMNLP 2009, section 4).

How each measure ranks the instances by itself (sections 4.1 and 4.2), and what they reach together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from weps._parallel import Progress, no_progress
from weps.features.registry import Feature
from weps.similarity.columns import Similarity
from weps.similarity.measures import PAPER_MEASURES
from weps_eval.ranking.curves import Curve, average_precisions, precision_recall
from weps_eval.ranking.pwa import (
    auc_counts,
    max_pwa_counts,
    pwa_counts,
    redundancy,
    redundancy_counts,
)
from weps_eval.ranking.subsets import best_subset, gain_counts, greedy_subsets
from weps_eval.stats.estimate import Estimate, PairCounts, estimate_share, resample_weights
from weps_eval.studies.features.trees import (
    Bound,
    Combination,
    Trees,
    bound_correlation,
    compute_bound,
    distinct_combinations,
    random_combinations,
    split_by_label,
)
from weps_eval.tables.instances import Instances

Array = NDArray[Any]
_RESAMPLES = 1_000
"""For average precision, which takes longer than pair counts."""
_STEPS = 10
"""Measures that greedy search adds."""


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
        return Estimate.from_row(self.average_precisions)

    @property
    def recall(self) -> float:
        """What is reached before the instances whose value is 0 enter."""
        return float(self.curve.recall[-1]) if len(self.curve.recall) else 0.0

    def ahead_of(self, other: Ranking) -> Estimate:
        """Average precision minus that of the other measure."""
        return Estimate.from_row(self.average_precisions - other.average_precisions)


def rank_measures(
    instances: Instances, base: str, seed: int = 0, progress: Progress = no_progress
) -> dict[str, Ranking]:
    """Measure → how it ranks the instances, beside the base; all have the same resamples of groups.

    Raises:
        ValuesError: if there is no such base, or no instance of either label.
    """
    rankings = {}
    for number, measure in enumerate(instances.measures, start=1):
        values = instances.column(measure)
        curve = precision_recall(values, instances.positive)
        (positive,), (negative,), *groups = split_by_label(instances, [measure])
        counts = [count(positive, negative, *groups) for count in (pwa_counts, auc_counts)]
        shares = redundancy_counts(instances.column(base), values, instances.group)
        rankings[measure] = Ranking(
            measure,
            curve.above(0) if curve.threshold[-1] == 0 else curve,
            average_precisions_of(instances, measure, seed),
            *(
                estimate_share(each, per_group=per_group, seed=seed)
                for each in counts
                for per_group in (False, True)
            ),
            *(estimate_share(share, seed=seed) for share in shares),
        )
        progress("ranking by each measure", number, len(instances.measures))
    return rankings


def average_precisions_of(instances: Instances, measure: str, seed: int = 0) -> Array:
    """Shape (1 + resamples,): average precision of the groups as they are, then of resamples.

    The resamples are the same for all measures; those of a single group are nan.
    """
    groups = len(instances.groups)
    weights = np.vstack([np.ones((1, groups)), resample_weights(groups, seed, _RESAMPLES)])
    values = instances.column(measure)
    found = average_precisions(values, instances.positive, instances.group, weights)
    if groups < 2:
        found[1:] = np.nan
    return found


@dataclass(frozen=True, slots=True, eq=False)
class SimilarityComparison:
    """Average precision of each feature under each measure, by resamples of the names."""

    features: tuple[str, ...]
    measures: tuple[str, ...]
    figures: Array
    """Shape (features, measures, 1 + resamples): of the names as they are, then of resamples;
    empty if there are no features."""

    def average_precision(self, feature: str, measure: str) -> Estimate:
        """Of one feature under one measure."""
        return Estimate.from_row(self._of(measure)[self.features.index(feature)])

    def ahead(self, measure: str, other: str) -> Estimate:
        """Average precision under one measure minus that under another, mean over features."""
        return Estimate.from_row((self._of(measure) - self._of(other)).mean(axis=0))

    def count_higher(self, measure: str, other: str) -> int:
        """For how many features the one has the higher average precision."""
        return int((self._of(measure)[:, 0] > self._of(other)[:, 0]).sum())

    def _of(self, measure: str) -> Array:
        return np.asarray(self.figures[:, self.measures.index(measure)])


def compared_by_all(features: Sequence[Feature]) -> tuple[Similarity, ...]:
    """The features under each of the measures; flags as they are."""
    return tuple(
        similarity
        for each in features
        for similarity in (
            [Similarity(each)] if each.flag else [Similarity(each, name) for name in PAPER_MEASURES]
        )
    )


def compare_similarities(
    instances: Instances, features: Sequence[Feature], seed: int = 0
) -> SimilarityComparison:
    """Compare the measures on every feature that is no flag, see :func:`compared_by_all`."""
    bags = [each for each in features if not each.flag]
    figures = [
        [
            average_precisions_of(instances, str(Similarity(each, name)), seed)
            for name in PAPER_MEASURES
        ]
        for each in bags
    ]
    return SimilarityComparison(tuple(map(str, bags)), PAPER_MEASURES, np.array(figures))


class Addition(NamedTuple):
    """A measure that greedy search adds, and where that leads."""

    measure: str
    max_pwa: Estimate
    """Of all measures so far."""
    gain: float


class BestSubset(NamedTuple):
    """The best subset of a size, found by exhaustive search."""

    measures: tuple[str, ...]
    max_pwa: Estimate


@dataclass(frozen=True, slots=True)
class Search:
    """What the measures reach together, step by step and all at once."""

    additions: tuple[Addition, ...]
    best: tuple[BestSubset, ...]
    """Of two measures, of three, …"""
    every: Estimate
    """MaxPWA of all measures."""
    gains: dict[str, Estimate]
    """Measure → what MaxPWA of all loses without it."""


def search_subsets(
    instances: Instances,
    steps: int,
    exhaustive: int,
    seed: int = 0,
    progress: Progress = no_progress,
) -> Search:
    """Search the measures for subsets with a high MaxPWA.

    Greedy search adds so many ``steps`` at most; up to the size ``exhaustive`` all are searched.
    """
    measures = instances.measures

    def bound(names: Sequence[str]) -> Estimate:
        return estimate_share(max_pwa_counts(*split_by_label(instances, names)), seed=seed)

    positives, negatives, *groups = split_by_label(instances, measures)
    most = min(exhaustive, len(measures))
    progress("searching subsets", 0, most + 1)
    found = greedy_subsets(positives, negatives, min(steps, len(measures)))
    names = [measures[step.measure] for step in found]
    best = []
    for size in range(2, most + 1):
        progress("searching subsets", size - 1, most + 1)
        subset = best_subset(positives, negatives, size)
        chosen = tuple(measures[place] for place in subset.measures)
        best.append(BestSubset(chosen, bound(chosen)))
    progress("searching subsets", most, most + 1)
    gains = [estimate_share(each, seed=seed) for each in gain_counts(positives, negatives, *groups)]
    progress("searching subsets", most + 1, most + 1)
    return Search(
        tuple(
            Addition(name, bound(names[:size]), step.gain)
            for size, (name, step) in enumerate(zip(names, found, strict=True), start=1)
        ),
        tuple(best),
        bound(measures),
        dict(zip(measures, gains, strict=True)),
    )


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be studied."""

    base: str
    """The measure that the others are compared with."""
    combinations: tuple[Combination, ...]
    """Named ones; those of greedy search and random ones are added."""
    random: int
    """How many random ones."""
    exhaustive: int
    """The largest size for which all subsets are searched."""
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """What was found; all intervals are over groups."""

    plan: Plan
    studied: Instances
    tested: Instances
    """The instances that trees are judged on."""
    rankings: dict[str, Ranking]
    """Measure → how it ranks the studied instances."""
    search: Search
    """Subsets of the measures, on the tested instances."""
    bounds: tuple[Bound, ...]
    """Of the combinations, on the tested instances."""
    pearson: Estimate
    """Correlation of MaxPWA with the trees' PWA over the combinations."""
    spearman: Estimate
    among_better: Estimate
    """Pearson's, of the combinations alone whose MaxPWA is not below that of the base."""
    corpora: dict[str, Instances] = field(default_factory=dict)
    """Title → its pairs of pages; none if a table is studied."""
    comparison: SimilarityComparison | None = None
    """Of the features of corpora; None if a table is studied."""
    recognisers: tuple[str, ...] = ()
    """The pipelines that recognised entities, no two alike: of ``entity``, of ``fine_entity``."""

    @property
    def unit(self) -> str:
        """What a group of instances is."""
        return "name" if self.corpora else "group"

    @property
    def ordered(self) -> list[Ranking]:
        """The rankings, that of the highest average precision first."""
        return sorted(
            self.rankings.values(), key=lambda each: (-each.average_precision.value, each.measure)
        )

    @property
    def ranked_by_base(self) -> float:
        """Share of all pairs of instances in which the base's values differ."""
        values = self.studied.column(self.plan.base)
        return redundancy(values, values).ranked

    @property
    def bound_of_all(self) -> Bound:
        """The bound of all measures together."""
        every = self.tested.measures
        return next(each for each in self.bounds if each.combination.measures == every)

    def bound_of(self, name: str) -> Bound | None:
        """The bound of the combination of that name."""
        return next((each for each in self.bounds if each.combination.name == name), None)

    def estimate(self, counts: PairCounts, *, per_group: bool = False) -> Estimate:
        """The share, pooled or averaged over groups, with its interval."""
        return estimate_share(counts, per_group=per_group, seed=self.plan.seed)

    def by_group(self) -> list[tuple[Any, ...]]:
        """Each group of the tested instances by itself, the hardest for the base first.

        Name, instances, share of positive ones, AUC of the base, MaxPWA of all measures and AUC of
        trees over all; nan where all instances are alike.
        """
        tested, every = self.tested, self.bound_of_all
        members = np.bincount(tested.group, minlength=len(tested.groups))
        positive = np.bincount(tested.group[tested.positive], minlength=len(members)) / members
        (ours,), (theirs,), *units = split_by_label(tested, [self.plan.base])
        base = auc_counts(ours, theirs, *units).by_group
        figures = (members, positive, base, every.max_pwa.by_group, every.tree_auc.by_group)
        rows = list(zip(tested.groups, *(each.tolist() for each in figures), strict=True))
        return [rows[place] for place in np.argsort(np.nan_to_num(base, nan=2), kind="stable")]


def compute_findings(
    studied: Instances,
    tested: Instances,
    trees: Trees,
    plan: Plan,
    progress: Progress = no_progress,
) -> Findings:
    """Study the measures one by one on some instances, then together on the tested ones.

    The trees give confidences for the tested instances, which they have not seen.

    Raises:
        ValuesError: if a measure is unknown, or there are no instances of either label.
    """
    rankings = rank_measures(studied, plan.base, plan.seed, progress)
    search = search_subsets(tested, _STEPS, plan.exhaustive, plan.seed, progress)
    bounds = []
    combinations = _combinations(tested.measures, plan, search)
    for number, combination in enumerate(combinations, start=1):
        bounds.append(compute_bound(combination, tested, trees, plan.seed))
        progress("fitting trees to combinations", number, len(combinations))
    limit = next(
        each.max_pwa.pooled for each in bounds if each.combination.measures == (plan.base,)
    )
    better = [each for each in bounds if each.max_pwa.pooled >= limit]
    return Findings(
        plan,
        studied,
        tested,
        rankings,
        search,
        tuple(bounds),
        pearson=bound_correlation(bounds, seed=plan.seed),
        spearman=bound_correlation(bounds, ranks=True, seed=plan.seed),
        among_better=bound_correlation(better, seed=plan.seed),
    )


def _combinations(measures: tuple[str, ...], plan: Plan, search: Search) -> list[Combination]:
    added = [addition.measure for addition in search.additions]
    return distinct_combinations(
        [
            *plan.combinations,
            Combination(plan.base, "base", (plan.base,)),
            Combination("all", "set", measures),
            *(
                Combination(f"best {size} by greedy search", "greedy", tuple(added[:size]))
                for size in range(2, len(added) + 1)
            ),
            *random_combinations(measures, plan.random, plan.seed),
        ],
        measures,
    )
