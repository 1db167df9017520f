"""What is found of sets of measures: by one criterion of people, and without people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from eval.meta.heterogeneity.agreement import PairwisePreferences
from eval.meta.heterogeneity.pairs import Pairs, every_pair, pairs_of_measures, random_sets
from eval.meta.heterogeneity.reliability import (
    Increase,
    Levels,
    bootstrap_gains,
    levels_by_group,
    threshold_curve,
)
from eval.ranking.curves import Curve
from eval.stats.estimate import (
    BootstrapSamples,
    Estimate,
    bootstrap_means,
    bootstrap_weights,
    safe_divide,
)
from eval.studies.heterogeneity.sets import SetCounts, count_by_group, split_pairs
from eval.studies.measures import GroupedInstances, JudgedInstances
from eval.studies.several import correlation_over_measures, joint_estimate
from weps._parallel import Progress, no_progress, parallel_map

__all__ = ["SET_SIZES", "CriterionReliability", "Findings", "Plan", "compute_findings", "sizes_of"]

Floats = NDArray[np.float64]
Sets = NDArray[np.bool_]

SET_SIZES = (2, 3, 5, 10, 20, 40)
"""Of the random sets, the paper's."""
_GAIN_PAIRS = 20_000
"""Pairs that score thresholds are tried on."""
_GAIN_RESAMPLES = 100
_WORK = "judging sets of measures"
_CELLS = 20_000_000
"""Groups times pairs over which heterogeneity is a share: a third of a gigabyte."""
_ROWS = 4096
_INTERVALS = 100
"""Of figure 1 of the workshop paper."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How sets are drawn and pairs sampled."""

    each: int = 50
    """Random sets of each size."""
    samples: int = 10_000
    """Pairs over which the heterogeneity of what corroborates an increase is a share; 0: all."""
    seed: int = 0


@dataclass(frozen=True)
class CriterionReliability:
    """One criterion of people."""

    criterion: str
    judged: JudgedInstances
    sets: Sets
    """Shape (random sets, measures)."""
    plan: Plan
    pairs: Pairs
    """All, of one group each."""
    counts: SetCounts
    """Of the single measures, of all two of them, and of the random sets, in this order."""
    gains: BootstrapSamples
    """R(X) − the highest R of a member at the same sensitivity, of each random set."""
    levels: Levels

    @property
    def measures(self) -> int:
        """How many measures there are."""
        return int(self.sets.shape[1])

    @cached_property
    def single(self) -> SetCounts:
        """Of the single measures."""
        return self.counts.of(slice(0, self.measures))

    @cached_property
    def random(self) -> SetCounts:
        """Of the random sets."""
        return self.counts.of(slice(len(self.counts.real) - len(self.sets), None))

    @cached_property
    def added(self) -> BootstrapSamples:
        """R({x, x'}) − max(R({x}), R({x'})) of every two measures (figure 1 of 2011)."""
        two = self.counts.of(slice(self.measures, len(self.counts.real) - len(self.sets)))
        alone, both = self.single.reliability, two.reliability
        first, second = np.triu_indices(self.measures, 1)
        for rows in _blocks(len(first)):
            for gained, of_one in ((both.value, alone.value), (both.samples, alone.samples)):
                gained[rows] -= np.fmax(of_one[first[rows]], of_one[second[rows]])
        return both

    @cached_property
    def additive(self) -> Estimate:
        """The share of pairs of measures with additive reliability."""
        return _share_not_negative(self.added)

    @cached_property
    def gaining(self) -> Estimate:
        """The share of random sets that are more reliable than thresholds of their members."""
        return _share_not_negative(self.gains)

    @cached_property
    def reliability_rises(self) -> Estimate:
        """Pearson's coefficient, over the random sets, of H and R."""
        return self._with_heterogeneity(self.random.reliability)

    @cached_property
    def sensitivity_rises(self) -> Estimate:
        """The same of H and S."""
        return self._with_heterogeneity(self.random.sensitivity)

    @cached_property
    def gain_rises(self) -> Estimate:
        """The same of H and the gain."""
        drawn = self.random.heterogeneity
        few = BootstrapSamples(drawn.value, drawn.samples[:, : self.gains.samples.shape[1]])
        return joint_estimate(correlation_over_measures, few, self.gains)

    @cached_property
    def increase(self) -> Increase:
        """Quality increase against heterogeneity (workshop 2012, figure 1)."""
        return self.levels.cut(_INTERVALS)

    @cached_property
    def increase_rises(self) -> Estimate:
        """Pearson's coefficient of both over the intervals."""
        times = bootstrap_weights(len(self.levels.total), _GAIN_RESAMPLES, self.plan.seed)
        known = [each for each in times if not np.isnan(each).any() and each.any()]
        cuts = [self.levels.cut(_INTERVALS, each) for each in known]
        table = correlation_over_measures(
            *(np.stack([each[part] for each in cuts], axis=1) for part in (0, 1))
        )
        return Estimate.from_samples(float(table[0]), table[1:])

    def curve(self, measure: int) -> Curve:
        """Reliability (precision) and sensitivity (recall) of one measure by threshold."""
        values, quality = self.judged.values[measure], self.judged.quality
        return threshold_curve(values, quality, _few(self.pairs, self.plan.seed))

    def _with_heterogeneity(self, figure: BootstrapSamples) -> Estimate:
        return joint_estimate(correlation_over_measures, self.random.heterogeneity, figure)


@dataclass(frozen=True)
class Findings:
    """What was found."""

    source: GroupedInstances
    plan: Plan
    sets: Sets
    """Shape (random sets, measures)."""
    heterogeneity: Floats
    """Shape (random sets,)."""
    whole: Estimate
    """Heterogeneity of all measures."""
    pairs: Floats
    """Shape (measures·(measures−1)/2,): heterogeneity of every two measures."""
    human_agreement: tuple[CriterionReliability, ...]


def compute_findings(
    source: GroupedInstances, plan: Plan, *, jobs: int = 1, progress: Progress = no_progress
) -> Findings:
    """Study sets of measures; criteria may be judged at the same time.

    Raises:
        ValuesError: if there is one measure only, or values do not fit together.
    """
    measures = len(source.measures)
    sizes = [size for size in SET_SIZES if size <= measures]
    sets = random_sets(measures, sizes, plan.each, plan.seed)
    every = np.vstack([np.ones((1, measures), dtype=np.bool_), pairs_of_measures(measures), sets])
    parts = _parts(source.group)
    nobody = np.zeros(len(source.group))
    found = count_by_group(source.values, nobody, every, parts, plan.seed, progress)
    two = len(every) - len(sets)
    whole = found.of(slice(0, 1)).heterogeneity.estimates[0]
    pairs, random = (_pooled(found.of(each)) for each in (slice(1, two), slice(two, None)))
    del found  # it is large
    people: list[CriterionReliability] = []
    progress(_WORK, 0, len(source.quality))
    told = progress if jobs == 1 or len(source.quality) == 1 else no_progress
    work = partial(_criterion_reliability, source=source, sets=sets, plan=plan, progress=told)
    for each in parallel_map(work, list(source.quality), jobs):
        people.append(each)
        progress(_WORK, len(people), len(source.quality))
    return Findings(source, plan, sets, random, whole, pairs, tuple(people))


def _pooled(counts: SetCounts) -> Floats:
    """Shape (sets,): H over the pairs of all groups."""
    return safe_divide(counts.contradicted.sum(axis=1, dtype=np.float64), counts.pairs.sum())


def _criterion_reliability(
    criterion: str, source: GroupedInstances, sets: Sets, plan: Plan, progress: Progress
) -> CriterionReliability:
    judged = source.judged_instances(criterion)
    parts = _parts(judged.group)
    singles = np.eye(len(source.measures), dtype=np.bool_)
    every = np.vstack([singles, pairs_of_measures(len(singles)), sets])
    counts = count_by_group(judged.values, judged.quality, every, parts, plan.seed, progress)
    pairs = Pairs(*(np.concatenate(each) for each in zip(*parts, strict=True)))
    samples = min(plan.samples or len(pairs.first), _CELLS // len(parts))
    verdicts = PairwisePreferences.sampled(judged.values, samples, judged.group, plan.seed)
    levels = levels_by_group(judged.values, judged.quality, verdicts, judged.group, progress)
    gains = _gains(judged, sets, _few(pairs, plan.seed), plan.seed, progress)
    return CriterionReliability(criterion, judged, sets, plan, pairs, counts, gains, levels)


def _gains(
    judged: JudgedInstances, sets: Sets, pairs: Pairs, seed: int, progress: Progress
) -> BootstrapSamples:
    """The gains with all groups, and with groups drawn anew."""
    of_pair = judged.group[pairs.first]
    numbers, place = np.unique(of_pair, return_inverse=True)
    times = bootstrap_weights(len(numbers), _GAIN_RESAMPLES, seed)
    known = ~np.isnan(times).any(axis=1)
    table = np.full((len(sets), len(times)), np.nan)
    often = times[known][:, place]
    table[:, known] = bootstrap_gains(
        judged.values, judged.quality, pairs, sets, often, progress=progress
    )
    return BootstrapSamples(table[:, 0], table[:, 1:])


def _parts(group: NDArray[np.int64]) -> list[Pairs]:
    return split_pairs(every_pair(len(group), group), group)


def _few(pairs: Pairs, seed: int) -> Pairs:
    if len(pairs.first) <= _GAIN_PAIRS:
        return pairs
    rows = np.random.default_rng(seed).choice(len(pairs.first), _GAIN_PAIRS, replace=False)
    return Pairs(pairs.first[rows], pairs.second[rows])


def _share_not_negative(gains: BootstrapSamples) -> Estimate:
    """Over the sets that have a gain; a rounding error below 0 is none."""
    known = ~np.isnan(gains.value)
    if not known.any():
        return bootstrap_means(np.full((1, 1), np.nan)).estimates[0]
    held = np.zeros(gains.samples.shape[1])
    for rows in _blocks(len(known)):
        drawn = gains.samples[rows][known[rows]]
        held += np.where(np.isnan(drawn), np.nan, drawn >= -1e-12).sum(axis=0)
    return Estimate.from_samples(float((gains.value[known] >= -1e-12).mean()), held / known.sum())


def _blocks(size: int) -> Iterator[slice]:
    """Rows of a long table, some at a time."""
    return (slice(start, start + _ROWS) for start in range(0, size, _ROWS))


def sizes_of(sets: Sets) -> Sequence[int]:
    """The sizes that there are, ascending."""
    return sorted(set(sets.sum(axis=1).tolist()))
