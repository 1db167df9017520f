"""What is found of sets of measures: by one criterion of people, and without people."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from eval.meta.heterogeneity.agreement import PairwisePreferences
from eval.meta.heterogeneity.pairs import Pairs, pairs_of_measures, random_sets
from eval.meta.heterogeneity.reliability import (
    Increase,
    Levels,
    bootstrap_gains,
    levels_by_group,
    threshold_curve,
)
from eval.ranking.curves import Curve
from eval.stats.arrays import Flags, Floats
from eval.stats.estimate import (
    BootstrapSamples,
    Estimate,
    bootstrap_weights,
    safe_divide,
)
from eval.studies.grouped import GroupedInstances, JudgedInstances
from eval.studies.heterogeneity.sets import (
    FeatureChoice,
    SetCounts,
    blocks_of,
    choose_features,
    count_by_group,
    mean_heterogeneity,
    split_pairs,
)
from eval.studies.several import NO_ESTIMATE, correlation_over_measures, joint_estimate
from weps._parallel import Progress, no_progress, parallel_map

__all__ = ["CriterionReliability", "Findings", "Settings", "compute_findings"]


_SIZES = (2, 3, 5, 10, 20, 40)
"""Of the random sets, the paper's."""
_GAIN_PAIRS = 20_000
"""Pairs that score thresholds are tried on."""
_GAIN_RESAMPLES = 100
_WORK = "judging sets of measures"
_CELLS = 20_000_000
"""Groups times pairs over which heterogeneity is a share: a third of a gigabyte."""
_ROUNDING = 1e-12
_INTERVALS = 100
"""Of figure 1 of the workshop paper."""


@dataclass(frozen=True, slots=True)
class Settings:
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
    sets: Flags
    """Shape (random sets, measures)."""
    settings: Settings
    pairs: Pairs
    """Of one group each: those that score thresholds are tried on."""
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
        for rows in blocks_of(len(first)):
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
        return self._with_heterogeneity(self.gains)

    @cached_property
    def increase(self) -> Increase:
        """Quality increase against heterogeneity (workshop 2012, figure 1)."""
        return self.levels.cut(_INTERVALS)

    @cached_property
    def increase_rises(self) -> Estimate:
        """Pearson's coefficient of both over the intervals."""
        times = bootstrap_weights(len(self.levels.total), _GAIN_RESAMPLES, self.settings.seed)
        known = [each for each in times if not np.isnan(each).any() and each.any()]
        cuts = [self.levels.cut(_INTERVALS, each) for each in known]
        heterogeneity, confirmed = np.moveaxis(np.array(cuts), 0, -1)
        return Estimate.from_row(correlation_over_measures(heterogeneity, confirmed))

    def curve(self, measure: int) -> Curve:
        """Reliability (precision) and sensitivity (recall) of one measure by threshold."""
        return threshold_curve(self.judged.values[measure], self.judged.quality, self.pairs)

    def _with_heterogeneity(self, figure: BootstrapSamples) -> Estimate:
        whole = self.random.heterogeneity
        few = BootstrapSamples(whole.value, whole.samples[:, : figure.samples.shape[1]])
        return joint_estimate(correlation_over_measures, few, figure)


@dataclass(frozen=True)
class Findings:
    """What was found."""

    source: GroupedInstances
    settings: Settings
    sets: Flags
    """Shape (random sets, measures)."""
    heterogeneity: Floats
    """Shape (random sets,)."""
    whole: Estimate
    """Heterogeneity of all measures."""
    pairs: Floats
    """Shape (measures·(measures−1)/2,): heterogeneity of every two measures."""
    human_agreement: tuple[CriterionReliability, ...]

    @cached_property
    def sizes(self) -> dict[int, Flags]:
        """Size → shape (random sets,), whether a set is of it; ascending."""
        size_of = self.sets.sum(axis=1)
        return {size: size_of == size for size in np.unique(size_of).tolist()}

    @cached_property
    def levels(self) -> tuple[BootstrapSamples, BootstrapSamples] | None:
        """Mean H of sets of measures of words, and of all; see :func:`.mean_heterogeneity`."""
        return mean_heterogeneity(self.source, self.settings.seed)

    @property
    def linguistic_gain(self) -> Estimate | None:
        """By how much mean H of the largest sets is higher with linguistic measures."""
        if self.levels is None:
            return None
        words, every = self.levels
        largest = min(len(words.value), len(every.value)) - 1
        return words.difference(largest, largest, every)

    @cached_property
    def choices(self) -> tuple[FeatureChoice, ...]:
        """The features chosen from labelled instances."""
        return choose_features(self.source)


def compute_findings(
    source: GroupedInstances, settings: Settings, *, jobs: int = 1, progress: Progress = no_progress
) -> Findings:
    """Study sets of measures; criteria may be judged at the same time.

    Raises:
        ValuesError: if there is one measure only, or values do not fit together.
    """
    measures = len(source.measures)
    sizes = [size for size in _SIZES if size <= measures]
    sets = random_sets(measures, sizes, settings.each, settings.seed)
    every = np.vstack([np.ones((1, measures), dtype=np.bool_), pairs_of_measures(measures), sets])
    parts = split_pairs(source.group)
    nobody = np.zeros(len(source.group))
    found = count_by_group(source.values, nobody, every, parts, settings.seed, progress)
    two = len(every) - len(sets)
    whole = found.of(slice(0, 1)).heterogeneity.estimates[0]
    # Over the pairs of all groups; resamples of all sets would be large.
    pooled = safe_divide(found.contradicted.sum(axis=1, dtype=np.float64), found.pairs.sum())
    del found
    people: list[CriterionReliability] = []
    progress(_WORK, 0, len(source.quality))
    inner = progress if jobs == 1 or len(source.quality) == 1 else no_progress
    work = partial(
        _criterion_reliability, source=source, sets=sets, settings=settings, progress=inner
    )
    for each in parallel_map(work, list(source.quality), jobs):
        people.append(each)
        progress(_WORK, len(people), len(source.quality))
    return Findings(source, settings, sets, pooled[two:], whole, pooled[1:two], tuple(people))


def _criterion_reliability(
    criterion: str, source: GroupedInstances, sets: Flags, settings: Settings, progress: Progress
) -> CriterionReliability:
    judged, seed = source.judged_instances(criterion), settings.seed
    values, quality, group = judged.values, judged.quality, judged.group
    parts = split_pairs(group)
    singles = np.eye(len(source.measures), dtype=np.bool_)
    every = np.vstack([singles, pairs_of_measures(len(singles)), sets])
    counts = count_by_group(values, quality, every, parts, seed, progress)
    pairs = Pairs(*(np.concatenate(each) for each in zip(*parts, strict=True)))
    samples = min(settings.samples or len(pairs.first), _CELLS // len(parts))
    preferences = PairwisePreferences.sampled(values, samples, group, seed)
    levels = levels_by_group(values, quality, preferences, group, progress)
    if len(pairs.first) > _GAIN_PAIRS:
        generator = np.random.default_rng(seed)
        rows = generator.choice(len(pairs.first), _GAIN_PAIRS, replace=False)
        pairs = Pairs(pairs.first[rows], pairs.second[rows])
    gains = _gains(judged, sets, pairs, seed, progress)
    return CriterionReliability(criterion, judged, sets, settings, pairs, counts, gains, levels)


def _gains(
    judged: JudgedInstances, sets: Flags, pairs: Pairs, seed: int, progress: Progress
) -> BootstrapSamples:
    """The gains with all groups, and with groups drawn anew."""
    numbers, place = np.unique(judged.group[pairs.first], return_inverse=True)
    times = bootstrap_weights(len(numbers), _GAIN_RESAMPLES, seed)
    known = ~np.isnan(times).any(axis=1)
    table = np.full((len(sets), len(times)), np.nan)
    often = times[known][:, place]
    table[:, known] = bootstrap_gains(
        judged.values, judged.quality, pairs, sets, often, progress=progress
    )
    return BootstrapSamples(table[:, 0], table[:, 1:])


def _share_not_negative(gains: BootstrapSamples) -> Estimate:
    """Over the sets that have a gain; a rounding error below 0 is none."""
    known = ~np.isnan(gains.value)
    if not known.any():
        return NO_ESTIMATE
    hits = np.zeros(gains.samples.shape[1])
    for rows in blocks_of(len(known)):
        samples = gains.samples[rows][known[rows]]
        hits += np.where(np.isnan(samples), np.nan, samples >= -_ROUNDING).sum(axis=0)
    value = float((gains.value[known] >= -_ROUNDING).mean())
    return Estimate.from_samples(value, hits / known.sum())
