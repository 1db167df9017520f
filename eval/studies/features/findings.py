"""Everything a feature study finds out, whatever the instances are.

Which measures are worth having together, by MaxPWA.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from eval.ranking.pwa import max_pwa_counts, pair_redundancy
from eval.ranking.subsets import best_subset, gain_counts, greedy_subsets
from eval.stats.estimate import Estimate, estimate_share
from eval.studies.features.rankings import Ranking, rank_measures, split_by_label
from eval.studies.features.trees import (
    Bound,
    Combination,
    Trees,
    bound_correlation,
    compute_bound,
    distinct_combinations,
    nested_combinations,
    random_combinations,
)
from eval.tables.instances import Instances

__all__ = [
    "Addition",
    "BestSubset",
    "Findings",
    "Plan",
    "Search",
    "compute_findings",
    "search_subsets",
]


@dataclass(frozen=True, slots=True)
class Addition:
    """A measure that greedy search adds, and where that leads."""

    measure: str
    max_pwa: Estimate
    """Of all measures so far."""
    gain: float


@dataclass(frozen=True, slots=True)
class BestSubset:
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
        progress: told what is done.
    """
    measures = instances.measures
    positives, negatives, *groups = split_by_label(instances, measures)
    progress("greedy search")
    found = greedy_subsets(positives, negatives, min(steps, len(measures)))
    names = [measures[step.measure] for step in found]
    additions = [
        Addition(name, _max_pwa(instances, names[: place + 1], seed), step.gain)
        for place, (name, step) in enumerate(zip(names, found, strict=True))
    ]
    best = []
    for size in range(2, min(exhaustive, len(measures)) + 1):
        progress(f"exhaustive search for the best {size}")
        subset = best_subset(positives, negatives, size)
        chosen = tuple(measures[place] for place in subset.measures)
        best.append(BestSubset(chosen, _max_pwa(instances, chosen, seed)))
    gains = [estimate_share(each, seed=seed) for each in gain_counts(positives, negatives, *groups)]
    return Search(
        tuple(additions),
        tuple(best),
        _max_pwa(instances, measures, seed),
        dict(zip(measures, gains, strict=True)),
    )


def _max_pwa(instances: Instances, measures: Sequence[str], seed: int) -> Estimate:
    positives, negatives, *groups = split_by_label(instances, measures)
    return estimate_share(max_pwa_counts(positives, negatives, *groups), seed=seed)


_STEPS = 10
"""Measures that greedy search adds."""


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

    def ranked_by_base(self) -> float:
        """Share of all pairs of instances in which the base's values differ."""
        values = self.studied.column(self.plan.base)
        return pair_redundancy(values, values).ranked

    @property
    def bound_of_all(self) -> Bound:
        """The bound of all measures together."""
        every = self.tested.measures
        return next(each for each in self.bounds if each.combination.measures == every)

    def bound_of(self, name: str) -> Bound | None:
        """The bound of the combination of that name."""
        return next((each for each in self.bounds if each.combination.name == name), None)


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
        progress: told what is done.

    Raises:
        ValuesError: if a measure is unknown, or there are no instances of either label.
    """
    rankings = rank_measures(studied, plan.base, plan.seed, progress)
    found = search_subsets(tested, _STEPS, plan.exhaustive, plan.seed, progress)
    bounds = list(_bounds(tested, trees, _combinations(tested, plan, found), plan.seed, progress))
    return Findings(
        plan,
        studied,
        tested,
        rankings,
        found,
        tuple(bounds),
        pearson=bound_correlation(bounds, seed=plan.seed),
        spearman=bound_correlation(bounds, ranks=True, seed=plan.seed),
        among_better=bound_correlation(_no_worse_than_base(bounds, plan), seed=plan.seed),
    )


def _combinations(tested: Instances, plan: Plan, found: Search) -> list[Combination]:
    measures = tested.measures
    best = [addition.measure for addition in found.additions]
    drawn = random_combinations(measures, plan.random, plan.seed)
    alone = Combination(plan.base, "base", (plan.base,))
    named = [*plan.combinations, alone, Combination("all", "set", measures)]
    return distinct_combinations(
        [*named, *nested_combinations(best, range(2, len(best) + 1)), *drawn], measures
    )


def _bounds(
    tested: Instances,
    trees: Trees,
    combinations: Sequence[Combination],
    seed: int,
    progress: Callable[[str], None],
) -> Iterable[Bound]:
    for number, combination in enumerate(combinations, start=1):
        progress(f"[{number}/{len(combinations)}] trees from {combination.name}")
        yield compute_bound(combination, tested, trees, seed)


def _no_worse_than_base(bounds: Sequence[Bound], plan: Plan) -> list[Bound]:
    limit = next(
        each.max_pwa.pooled for each in bounds if each.combination.measures == (plan.base,)
    )
    return [each for each in bounds if each.max_pwa.pooled >= limit]
