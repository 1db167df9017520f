"""Everything a feature study finds out, whatever the instances are (EMNLP 2009, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from eval.ranking.pwa import auc_counts, max_pwa_counts, redundancy
from eval.ranking.subsets import best_subset, gain_counts, greedy_subsets
from eval.stats.estimate import Estimate, PairCounts, estimate_share
from eval.studies.features.rankings import (
    Ranking,
    SimilarityComparison,
    rank_measures,
    split_by_label,
)
from eval.studies.features.trees import (
    Bound,
    Combination,
    Trees,
    bound_correlation,
    compute_bound,
    distinct_combinations,
    random_combinations,
)
from eval.tables.instances import Instances

__all__ = [
    "Addition",
    "BestSubset",
    "Findings",
    "GroupFigures",
    "Plan",
    "Search",
    "compute_findings",
    "search_subsets",
]

_STEPS = 10
"""Measures that greedy search adds."""


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
    progress: Callable[[str], None] = lambda _: None,
) -> Search:
    """Search the measures for subsets with a high MaxPWA.

    Args:
        instances: with the measures to choose from.
        steps: how many measures greedy search adds at most.
        exhaustive: the largest size for which all subsets are searched.
        seed: for the resamples of groups.
        progress: called with what is done next.
    """
    measures = instances.measures

    def bound(names: Sequence[str]) -> Estimate:
        return estimate_share(max_pwa_counts(*split_by_label(instances, names)), seed=seed)

    positives, negatives, *groups = split_by_label(instances, measures)
    progress("greedy search")
    found = greedy_subsets(positives, negatives, min(steps, len(measures)))
    names = [measures[step.measure] for step in found]
    best = []
    for size in range(2, min(exhaustive, len(measures)) + 1):
        progress(f"exhaustive search for the best {size}")
        subset = best_subset(positives, negatives, size)
        chosen = tuple(measures[place] for place in subset.measures)
        best.append(BestSubset(chosen, bound(chosen)))
    gains = [estimate_share(each, seed=seed) for each in gain_counts(positives, negatives, *groups)]
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


class GroupFigures(NamedTuple):
    """One group by itself; figures are nan where all its instances are alike."""

    name: str
    instances: int
    positive: float
    """Share of the instances."""
    base_auc: float
    max_pwa: float
    """Of all measures."""
    tree_auc: float
    """Of trees over all measures."""


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

    def by_group(self) -> list[GroupFigures]:
        """Each group of the tested instances by itself, the hardest for the base first."""
        tested, every = self.tested, self.bound_of_all
        members = np.bincount(tested.group, minlength=len(tested.groups))
        positive = np.bincount(tested.group[tested.positive], minlength=len(members)) / members
        (ours,), (theirs,), *units = split_by_label(tested, [self.plan.base])
        base = auc_counts(ours, theirs, *units).by_group
        figures = (members, positive, base, every.max_pwa.by_group, every.tree_auc.by_group)
        columns = (each.tolist() for each in figures)
        rows = list(map(GroupFigures._make, zip(tested.groups, *columns, strict=True)))
        order = np.argsort(np.nan_to_num(base, nan=2), kind="stable")
        return [rows[place] for place in order]


def compute_findings(
    studied: Instances,
    tested: Instances,
    trees: Trees,
    plan: Plan,
    progress: Callable[[str], None] = lambda _: None,
) -> Findings:
    """Study the measures one by one, then together.

    Args:
        studied: the instances whose ranking by single measures is studied.
        tested: those on which combinations are; the same measures.
        trees: what trees over some measures make of the tested instances, unseen.
        plan: what is to be studied.
        progress: called with what is done next.

    Raises:
        ValuesError: if a measure is unknown, or there are no instances of either label.
    """
    rankings = rank_measures(studied, plan.base, plan.seed, progress)
    search = search_subsets(tested, _STEPS, plan.exhaustive, plan.seed, progress)
    bounds = []
    combinations = _combinations(tested.measures, plan, search)
    for number, combination in enumerate(combinations, start=1):
        progress(f"[{number}/{len(combinations)}] trees from {combination.name}")
        bounds.append(compute_bound(combination, tested, trees, plan.seed))
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
    """The named ones, the base alone, all, those of greedy search, and random ones."""
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
