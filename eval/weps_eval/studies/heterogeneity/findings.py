"""Sets of measures: how often they contradict themselves, and agree with people, by group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps._parallel import Progress, no_progress, parallel_map
from weps_eval.meta.heterogeneity import (
    Pairs,
    PairwisePreferences,
    distinct_pairs,
    every_pair,
    pairs_of_measures,
    random_sets,
    set_heterogeneities,
)
from weps_eval.meta.labelled import LabelledConditions, greedy_features, mean_superiority
from weps_eval.meta.reliability import (
    Increase,
    Levels,
    bootstrap_gains,
    count_corroboration,
    levels_by_group,
)
from weps_eval.ranking.pwa import max_pwa
from weps_eval.ranking.subsets import greedy_subsets
from weps_eval.stats.arrays import Flags, Floats, Ints
from weps_eval.stats.estimate import (
    RESAMPLES,
    BootstrapSamples,
    Estimate,
    bootstrap_weights,
    safe_divide,
)
from weps_eval.studies.grouped import GroupedInstances, JudgedInstances
from weps_eval.studies.several import (
    NO_ESTIMATE,
    MeasureKind,
    correlation_over_measures,
    joint_estimate,
    measures_of_kind,
)

LEVEL_SIZES = range(1, 11)
"""Sizes of the random sets of figure 4."""
_EACH = 100
"""Random sets of each of them."""
_SIZES = (2, 3, 5, 10, 20, 40)
"""Of the other random sets, the paper's."""
_GAIN_PAIRS = 20_000
"""Pairs that score thresholds are tried on."""
_GAIN_RESAMPLES = 100
_JUDGING, _COUNTING = "judging sets of measures", "counting what sets of measures confirm"
_CELLS = 20_000_000
"""Groups times pairs over which heterogeneity is a share: a third of a gigabyte."""
_INTERVALS = 100
"""Of figure 1 of the workshop paper."""
_ROWS = 4096
"""Sets whose shares are computed at a time."""
_PAIRS = 1 << 14
"""Pairs of instances that are compared at a time: 39 MB for 300 measures."""
_FEATURES = 10
"""Features chosen at most."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How sets are drawn and pairs sampled."""

    each: int = 50
    """Random sets of each size."""
    samples: int = 10_000
    """Pairs over which the heterogeneity of what corroborates an increase is a share; 0: all."""
    seed: int = 0


@dataclass(frozen=True)
class SetCounts:
    """Of each set, by group."""

    counts: NDArray[np.unsignedinteger[Any]]
    """Shape (3, sets, groups): pairs of which measures of the set contradict one another; pairs,
    both ways round, that all measures of the set confirm; those of them that people confirm."""
    improvements: Floats
    """Shape (groups,): pairs, both ways round, that people confirm."""
    pairs: Floats
    """Shape (groups,): pairs of different texts; those of equal ones are never contradicted."""
    seed: int = 0

    def of(self, sets: slice) -> SetCounts:
        """Those of some of the sets."""
        return replace(self, counts=self.counts[:, sets])

    @cached_property
    def heterogeneity(self) -> BootstrapSamples:
        """H of every set."""
        return self._shares(self.counts[0], self.pairs[None])

    @cached_property
    def reliability(self) -> BootstrapSamples:
        """R of every set, NaN where it confirms nothing."""
        return self._shares(self.counts[2], self.counts[1])

    @cached_property
    def sensitivity(self) -> BootstrapSamples:
        """S of every set."""
        return self._shares(self.counts[2], self.improvements[None])

    def _shares(self, hits: NDArray[Any], total: NDArray[Any]) -> BootstrapSamples:
        weights = bootstrap_weights(len(self.pairs), RESAMPLES, self.seed).T
        found = np.empty((len(hits), weights.shape[1]))
        for rows in _blocks(len(hits)):
            own = (total if len(total) == 1 else total[rows]).astype(np.float64)
            found[rows] = safe_divide(hits[rows].astype(np.float64) @ weights, own @ weights)
        return BootstrapSamples.from_rows(found)


def _blocks(size: int) -> Iterator[slice]:
    """Rows of a long table, some at a time."""
    return (slice(start, start + _ROWS) for start in range(0, size, _ROWS))


def split_pairs(group: Ints) -> list[Pairs]:
    """All pairs of each group that has any, in ascending order of groups."""
    pairs = every_pair(len(group), group)
    of_pair = group[pairs.first]
    parts = [np.flatnonzero(of_pair == each) for each in np.unique(of_pair)]
    return [Pairs(pairs.first[part], pairs.second[part]) for part in parts]


def count_by_group(
    judged: JudgedInstances, sets: Flags, seed: int, progress: Progress = no_progress
) -> SetCounts:
    """Count pairs: of one measure and of two by matrix products, of more by looking sets up.

    Sets have shape (sets, measures); progress is called with the number of groups done.
    """
    values, quality, parts = judged.values, judged.quality, split_pairs(judged.group)
    sizes = np.array([len(each.first) for each in parts])
    # There are many, so that they are kept in the smallest type.
    counts = np.zeros((3, len(parts), len(sets)), np.min_scalar_type(2 * int(sizes.max())))
    improvements = np.zeros(len(parts))
    distinct = np.array([len(distinct_pairs(each, judged.text).first) for each in parts])
    size = sets.sum(axis=1)
    few, many = np.flatnonzero((size == 1) | (size == 2)), np.flatnonzero((size < 1) | (size > 2))
    first, last = np.argmax(sets[few], axis=1), -1 - np.argmax(sets[few, ::-1], axis=1)
    for number, pairs in enumerate(parts):
        progress(_COUNTING, number, len(parts))
        truth = PairwisePreferences.of(quality, pairs)
        unequal = np.bitwise_count(truth.higher).sum() + np.bitwise_count(truth.lower).sum()
        improvements[number] = 2 * truth.pairs - int(unequal)
        counts[:, number, few] = _count_by_products(values, quality, pairs)[:, first, last]
        if len(many):
            preferences = PairwisePreferences.of(values, pairs)
            found = count_corroboration(preferences, truth, sets[many])
            contradicted = np.rint(set_heterogeneities(preferences, sets[many]) * truth.pairs)
            counts[:, number, many] = contradicted, found.corroborated, found.real
    progress(_COUNTING, len(parts), len(parts))
    return SetCounts(counts.swapaxes(1, 2), improvements, distinct.astype(np.float64), seed)


def _count_by_products(values: Floats, quality: Floats, pairs: Pairs) -> Floats:
    """Shape (3, measures, measures): those of every two measures, of one on the diagonal."""
    found = np.zeros((3, len(values), len(values)))
    for start in range(0, len(pairs.first), _PAIRS):
        one, other = (each[start : start + _PAIRS] for each in pairs)
        ours, theirs = values[:, one], values[:, other]
        higher, lower = (ours > theirs).astype(np.float64), (ours < theirs).astype(np.float64)
        found[0] += higher @ lower.T
        confirmed = np.concatenate([1 - lower, 1 - higher], axis=1)
        real = np.append(quality[one] >= quality[other], quality[other] >= quality[one])
        for count, each in ((1, confirmed), (2, confirmed[:, real])):
            found[count] += each @ each.T
    found[0] += found[0].T.copy()
    return found


@dataclass(frozen=True)
class CriterionReliability:
    """One criterion of people."""

    criterion: str
    judged: JudgedInstances
    sets: Flags
    """Shape (random sets, measures)."""
    seed: int
    pairs: Pairs
    """Of one group each: those that score thresholds are tried on."""
    counts: SetCounts
    """Of the single measures, of all two of them, and of the random sets, in this order."""
    gains: BootstrapSamples
    """R(X) − the highest R of a member at the same sensitivity, of each random set."""
    levels: Levels

    @cached_property
    def single(self) -> SetCounts:
        """Of the single measures."""
        return self.counts.of(slice(self.sets.shape[1]))

    @cached_property
    def random(self) -> SetCounts:
        """Of the random sets."""
        return self.counts.of(slice(-len(self.sets), None))

    @cached_property
    def added(self) -> BootstrapSamples:
        """R({x, x'}) − max(R({x}), R({x'})) of every two measures (figure 1 of 2011)."""
        measures = self.sets.shape[1]
        alone = self.single.reliability
        both = self.counts.of(slice(measures, -len(self.sets))).reliability
        first, second = np.triu_indices(measures, 1)
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

    def correlation(self, figure: BootstrapSamples) -> Estimate:
        """Pearson's coefficient, over the random sets, of H and another figure."""
        whole = self.random.heterogeneity
        few = BootstrapSamples(whole.value, whole.samples[:, : figure.samples.shape[1]])
        return joint_estimate(correlation_over_measures, few, figure)

    @property
    def increase(self) -> Increase:
        """Quality increase against heterogeneity (workshop 2012, figure 1)."""
        return self.levels.cut(_INTERVALS)

    @cached_property
    def increase_correlation(self) -> Estimate:
        """Pearson's coefficient of both over the intervals."""
        times = bootstrap_weights(len(self.levels.total), _GAIN_RESAMPLES, self.seed)
        known = [each for each in times if not np.isnan(each).any() and each.any()]
        cuts = np.array([self.levels.cut(_INTERVALS, each) for each in known])
        return Estimate.from_row(correlation_over_measures(*np.moveaxis(cuts, 0, -1)))


def _share_not_negative(gains: BootstrapSamples) -> Estimate:
    """Over the sets that have a gain; a rounding error below 0 is none."""
    known = ~np.isnan(gains.value)
    if not known.any():
        return NO_ESTIMATE
    hits = np.zeros(gains.samples.shape[1])
    for rows in _blocks(len(known)):
        samples = gains.samples[rows][known[rows]]
        hits += np.where(np.isnan(samples), np.nan, samples >= -1e-12).sum(axis=0)
    value = float((gains.value[known] >= -1e-12).mean())
    return Estimate.from_samples(value, hits / known.sum())


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
        """Mean H of sets of measures of words, and of all; see :func:`mean_heterogeneity`."""
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
    found = count_by_group(_unjudged(source), every, settings.seed, progress)
    whole = found.of(slice(0, 1)).heterogeneity.estimates[0]
    # Over the pairs of all groups; resamples of all sets would be large.
    pooled = safe_divide(found.counts[0].sum(axis=1, dtype=np.float64), found.pairs.sum())
    del found
    people: list[CriterionReliability] = []
    progress(_JUDGING, 0, len(source.quality))
    inner = progress if jobs == 1 or len(source.quality) == 1 else no_progress
    work = partial(_judge_sets, source=source, sets=sets, settings=settings, progress=inner)
    for each in parallel_map(work, list(source.quality), jobs):
        people.append(each)
        progress(_JUDGING, len(people), len(source.quality))
    two = len(every) - len(sets)
    return Findings(source, settings, sets, pooled[two:], whole, pooled[1:two], tuple(people))


def _unjudged(source: GroupedInstances, measures: list[int] | None = None) -> JudgedInstances:
    """All instances, of which nobody has judged any, with all or some of the measures."""
    values = source.values if measures is None else source.values[measures]
    return JudgedInstances(values, np.zeros(len(source.group)), source.group, text=source.text)


def _judge_sets(
    criterion: str, source: GroupedInstances, sets: Flags, settings: Settings, progress: Progress
) -> CriterionReliability:
    judged, seed = source.judged_instances(criterion), settings.seed
    values, quality, group = judged.values, judged.quality, judged.group
    singles = np.eye(len(values), dtype=np.bool_)
    every = np.vstack([singles, pairs_of_measures(len(singles)), sets])
    counts = count_by_group(judged, every, seed, progress)
    parts = split_pairs(group)
    pairs = Pairs(*(np.concatenate(each) for each in zip(*parts, strict=True)))
    samples = min(settings.samples or len(pairs.first), _CELLS // len(parts))
    preferences = PairwisePreferences.sampled(values, samples, group, seed, judged.text)
    levels = levels_by_group(values, quality, preferences, group, progress)
    if len(pairs.first) > _GAIN_PAIRS:
        generator = np.random.default_rng(seed)
        rows = generator.choice(len(pairs.first), _GAIN_PAIRS, replace=False)
        pairs = Pairs(pairs.first[rows], pairs.second[rows])
    numbers, place = np.unique(group[pairs.first], return_inverse=True)
    times = bootstrap_weights(len(numbers), _GAIN_RESAMPLES, seed)
    known = ~np.isnan(times).any(axis=1)
    rows = np.full((len(sets), len(times)), np.nan)
    often = times[known][:, place]
    rows[:, known] = bootstrap_gains(values, quality, pairs, sets, often, progress=progress)
    gains = BootstrapSamples.from_rows(rows)
    return CriterionReliability(criterion, judged, sets, seed, pairs, counts, gains, levels)


def mean_heterogeneity(
    source: GroupedInstances, seed: int
) -> tuple[BootstrapSamples, BootstrapSamples] | None:
    """Mean H of random sets of measures of words, and of random sets of all, by size.

    Topics and sets are resampled. None if fewer than three measures are known to be of a kind.
    """
    kinds = MeasureKind.WORDS, MeasureKind.LINGUISTIC
    words, language = (measures_of_kind(source.measures, each) for each in kinds)
    if not words or not language:
        return None
    return _mean_by_size(source, words, seed), _mean_by_size(source, [*words, *language], seed)


def _mean_by_size(source: GroupedInstances, measures: list[int], seed: int) -> BootstrapSamples:
    sizes = [size for size in LEVEL_SIZES if size <= len(measures)]
    sets = random_sets(len(measures), sizes, _EACH, seed)
    found = count_by_group(_unjudged(source, measures), sets, seed).heterogeneity
    generator, rows = np.random.default_rng(seed), []
    for size in sizes:
        chosen = sets.sum(axis=1) == size
        values, samples = found.value[chosen], found.samples[chosen]
        chances = np.full(len(values), 1 / len(values))
        weights = generator.multinomial(len(values), chances, samples.shape[1]).T / len(values)
        rows.append(np.append(values.mean(), (samples * weights).sum(axis=0)))
    return BootstrapSamples.from_rows(rows)


@dataclass(frozen=True, slots=True)
class FeatureChoice:
    """One feature more, by either way."""

    by_king: str
    """Added where P(QUEEN of a positive > QUEEN of a negative) is to be highest."""
    king: float
    """That of the features so far, K."""
    king_max_pwa: float
    """Their MaxPWA."""
    by_max_pwa: str
    """Added where MaxPWA is to be highest."""
    max_pwa: float
    max_pwa_king: float
    """K of the features that MaxPWA chose."""


def choose_features(source: GroupedInstances) -> tuple[FeatureChoice, ...]:
    """Both ways side by side, for labelled instances; none if no group shows them all it takes.

    QUEEN compares instances of one group, MaxPWA those of all (EMNLP 2009, section 4.1).
    """
    if not source.labelled:
        return ()
    (quality,) = source.quality.values()
    positive = quality > 0
    ours, theirs = source.values[:, positive], source.values[:, ~positive]
    our_groups, their_groups = source.group[positive], source.group[~positive]
    several = np.flatnonzero(np.bincount(our_groups) > 1)
    if not np.isin(several, their_groups).any():
        return ()
    passing = LabelledConditions.of(ours, theirs, our_groups, their_groups)
    size = min(_FEATURES, len(source.measures))
    by_king, steps = greedy_features(passing, size), greedy_subsets(ours, theirs, size)
    found = []
    for number, (chosen, step) in enumerate(zip(by_king, steps, strict=True), start=1):
        members = list(chosen.measures)
        found.append(
            FeatureChoice(
                source.measures[members[-1]],
                chosen.quality,
                max_pwa(ours[members], theirs[members]),
                source.measures[step.measure],
                step.max_pwa,
                mean_superiority(passing, [each.measure for each in steps[:number]]),
            )
        )
    return tuple(found)
