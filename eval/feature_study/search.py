"""Which measures are worth having together, by MaxPWA."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eval.feature_study.rankings import sides
from eval.instances import Instances
from eval.ordering import (
    Estimate,
    best_subset,
    estimate,
    gain_tallies,
    greedy,
    max_pwa_tally,
)

__all__ = ["Addition", "Best", "Search", "search"]


@dataclass(frozen=True, slots=True)
class Addition:
    """A measure that greedy search adds, and where that leads."""

    measure: str
    max_pwa: Estimate
    """Of all measures so far."""
    gain: float


@dataclass(frozen=True, slots=True)
class Best:
    """The best subset of a size, found by exhaustive search."""

    measures: tuple[str, ...]
    max_pwa: Estimate


@dataclass(frozen=True, slots=True)
class Search:
    """What the measures reach together, step by step and all at once."""

    additions: tuple[Addition, ...]
    best: tuple[Best, ...]
    """Of two measures, of three, …"""
    every: Estimate
    """MaxPWA of all measures."""
    gains: dict[str, Estimate]
    """Measure → what MaxPWA of all loses without it."""


def search(
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
    positives, negatives, *groups = sides(instances, measures)
    progress("greedy search")
    found = greedy(positives, negatives, min(steps, len(measures)))
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
        best.append(Best(chosen, _max_pwa(instances, chosen, seed)))
    gains = [estimate(each, seed=seed) for each in gain_tallies(positives, negatives, *groups)]
    return Search(
        tuple(additions),
        tuple(best),
        _max_pwa(instances, measures, seed),
        dict(zip(measures, gains, strict=True)),
    )


def _max_pwa(instances: Instances, measures: Sequence[str], seed: int) -> Estimate:
    positives, negatives, *groups = sides(instances, measures)
    return estimate(max_pwa_tally(positives, negatives, *groups), seed=seed)
