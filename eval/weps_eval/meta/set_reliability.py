"""Sets of measures, counted group by group: heterogeneity, reliability and sensitivity of each.

Counts by group can be resampled without comparing anything again (Amigó and others, EMNLP 2011).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps._parallel import Progress, no_progress
from weps_eval.meta.correlation import correlation_over_measures
from weps_eval.meta.heterogeneity import (
    Pairs,
    PairwisePreferences,
    distinct_pairs,
    every_pair,
    pairs_of_measures,
    random_sets,
    set_heterogeneities,
)
from weps_eval.meta.reliability import (
    Increase,
    Levels,
    count_corroboration,
    levels_by_group,
    resampled_gains,
)
from weps_eval.stats.arrays import Flags, Floats, Ints
from weps_eval.stats.estimate import (
    RESAMPLES,
    BootstrapSamples,
    Estimate,
    bootstrap_weights,
    joint_estimate,
    safe_divide,
)

_COUNTING = "counting what sets of measures confirm"
_ROWS = 4096
"""Sets whose shares are computed at a time."""
_EACH = 100
"""Random sets of each size."""
_CELLS = 20_000_000
"""Groups times pairs over which heterogeneity is a share: a third of a gigabyte."""
_GAIN_PAIRS = 20_000
"""Pairs that score thresholds are tried on."""
_GAIN_RESAMPLES = 100
_INTERVALS = 100
"""Parts of all comparisons (workshop of 2012, figure 1)."""
_PAIRS = 1 << 14
"""Pairs of instances that are compared at a time: 39 MB for 300 measures."""


@dataclass(frozen=True)
class SetCounts:
    """Counts of pairs of instances for each set of measures, by group."""

    counts: NDArray[np.unsignedinteger[Any]]
    """Shape (3, sets, groups): pairs of which measures of the set contradict one another; pairs,
    both ways round, that all measures of the set confirm; those of them that people confirm."""
    improvements: Floats
    """Shape (groups,): pairs, both ways round, that people confirm."""
    pairs: Floats
    """Shape (groups,): pairs of different texts; those of equal ones are never contradicted."""
    seed: int = 0

    def of(self, sets: slice) -> SetCounts:
        """Counts of some of the sets."""
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


def count_sets_by_group(  # noqa: PLR0913 - what is counted, by what, and progress
    values: Floats,
    quality: Floats,
    group: Ints,
    sets: Flags,
    *,
    text: Ints | None = None,
    seed: int = 0,
    progress: Progress = no_progress,
) -> SetCounts:
    """Pairs that sets of measures contradict or confirm, and that people confirm, by group.

    Sets of one measure and of two are counted by matrix products, larger ones by looking them up.

    Args:
        values: shape (measures, instances).
        quality: shape (instances,), human scores.
        group: shape (instances,), whole numbers from 0.
        sets: shape (sets, measures).
        text: shape (instances,), the same number for equal texts of a group; None if not known.
        seed: for resamples of the groups.
        progress: called with the number of groups done.
    """
    parts = split_pairs(group)
    sizes = np.array([len(each.first) for each in parts])
    # There are many, so that they are kept in the smallest type.
    counts = np.zeros((3, len(parts), len(sets)), np.min_scalar_type(2 * int(sizes.max())))
    improvements = np.zeros(len(parts))
    distinct = np.array([len(distinct_pairs(each, text).first) for each in parts])
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
    """Shape (3, measures, measures): counts of every two measures, of one on the diagonal."""
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


def added_reliability(single: BootstrapSamples, both: BootstrapSamples) -> BootstrapSamples:
    """R({x, x'}) − max(R({x}), R({x'})) of every two measures (EMNLP 2011, figure 1).

    Args:
        single: reliability of the measures.
        both: reliability of every two of them, in the order of ``numpy.triu_indices``; it is
            overwritten, as there may be many.
    """
    first, second = np.triu_indices(len(single.value), 1)
    for rows in _blocks(len(first)):
        for gained, of_one in ((both.value, single.value), (both.samples, single.samples)):
            gained[rows] -= np.fmax(of_one[first[rows]], of_one[second[rows]])
    return both


def share_not_negative(gains: BootstrapSamples) -> Estimate:
    """Share of the sets with a known gain that is not negative, but for rounding."""
    known = ~np.isnan(gains.value)
    if not known.any():
        return Estimate(np.nan, np.nan, np.nan)
    hits = np.zeros(gains.samples.shape[1])
    for rows in _blocks(len(known)):
        samples = gains.samples[rows][known[rows]]
        hits += np.where(np.isnan(samples), np.nan, samples >= -1e-12).sum(axis=0)
    value = float((gains.value[known] >= -1e-12).mean())
    return Estimate.from_samples(value, hits / known.sum())


def mean_by_size(
    values: Floats, group: Ints, sizes: Sequence[int], text: Ints | None = None, seed: int = 0
) -> BootstrapSamples:
    """Mean H of random sets of measures by size, where groups and sets are resampled.

    Args:
        values: shape (measures, instances).
        group: shape (instances,), whole numbers from 0.
        sizes: of the sets; those above the number of measures are left out.
        text: shape (instances,), the same number for equal texts of a group; None if not known.
        seed: for the sets and the resamples.
    """
    known = [size for size in sizes if size <= len(values)]
    sets = random_sets(len(values), known, _EACH, seed)
    unjudged = np.zeros(len(group))
    found = count_sets_by_group(values, unjudged, group, sets, text=text, seed=seed).heterogeneity
    generator, rows = np.random.default_rng(seed), []
    for size in known:
        chosen = sets.sum(axis=1) == size
        means, samples = found.value[chosen], found.samples[chosen]
        chances = np.full(len(means), 1 / len(means))
        weights = generator.multinomial(len(means), chances, samples.shape[1]).T / len(means)
        rows.append(np.append(means.mean(), (samples * weights).sum(axis=0)))
    return BootstrapSamples.from_rows(rows)


@dataclass(frozen=True, eq=False)
class SetReliability:
    """Reliability of measures, of every two of them, and of further sets, by one criterion."""

    single: SetCounts
    """Counts of the measures."""
    sets: SetCounts
    """Counts of the sets."""
    added: BootstrapSamples
    """R of every two measures less the higher R of the two, see :func:`added_reliability`."""
    gains: BootstrapSamples
    """R of each set less the highest R of a member at the same sensitivity."""
    levels: Levels
    pairs: Pairs
    """Pairs that score thresholds are tried on."""
    seed: int

    @property
    def summary(self) -> dict[str, Estimate]:
        """Shares of sets, and correlations over the sets with their heterogeneity."""
        return {
            "additive": share_not_negative(self.added),
            "heterogeneity_and_reliability": self._correlation(self.sets.reliability),
            "heterogeneity_and_sensitivity": self._correlation(self.sets.sensitivity),
            "gaining": share_not_negative(self.gains),
            "heterogeneity_and_gain": self._correlation(self.gains),
            "increase": self._increase_correlation(),
        }

    @property
    def increase(self) -> Increase:
        """Quality increase against heterogeneity (workshop of 2012, figure 1)."""
        return self.levels.cut(_INTERVALS)

    def _correlation(self, figure: BootstrapSamples) -> Estimate:
        whole = self.sets.heterogeneity
        few = BootstrapSamples(whole.value, whole.samples[:, : figure.samples.shape[1]])
        return joint_estimate(correlation_over_measures, few, figure)

    def _increase_correlation(self) -> Estimate:
        """Pearson's coefficient of heterogeneity and quality over the parts of all comparisons."""
        times = bootstrap_weights(len(self.levels.total), _GAIN_RESAMPLES, self.seed)
        known = [each for each in times if not np.isnan(each).any() and each.any()]
        cuts = np.array([self.levels.cut(_INTERVALS, each) for each in known])
        return Estimate.from_row(correlation_over_measures(*np.moveaxis(cuts, 0, -1)))


def judge_sets(  # noqa: PLR0913 - what is judged, by whom, and how
    values: Floats,
    quality: Floats,
    group: Ints,
    sets: Flags,
    *,
    text: Ints | None = None,
    samples: int = 0,
    seed: int = 0,
    progress: Progress = no_progress,
) -> SetReliability:
    """Reliability of sets of measures by people's scores.

    Args:
        values: shape (measures, instances).
        quality: shape (instances,), human scores.
        group: shape (instances,), whole numbers from 0.
        sets: shape (sets, measures).
        text: shape (instances,), the same number for equal texts of a group; None if not known.
        samples: pairs over which the heterogeneity of what confirms an increase is a share; 0 for
            all.
        seed: for what is drawn.
        progress: called with what is done.
    """
    measures = len(values)
    every = np.vstack([np.eye(measures, dtype=np.bool_), pairs_of_measures(measures), sets])
    counts = count_sets_by_group(
        values, quality, group, every, text=text, seed=seed, progress=progress
    )
    parts = split_pairs(group)
    pairs = Pairs(*(np.concatenate(each) for each in zip(*parts, strict=True)))
    samples = min(samples or len(pairs.first), _CELLS // len(parts))
    preferences = PairwisePreferences.sampled(values, samples, group, seed, text)
    levels = levels_by_group(values, quality, preferences, group, progress)
    if len(pairs.first) > _GAIN_PAIRS:
        generator = np.random.default_rng(seed)
        rows = generator.choice(len(pairs.first), _GAIN_PAIRS, replace=False)
        pairs = Pairs(pairs.first[rows], pairs.second[rows])
    gains = resampled_gains(
        values, quality, group, pairs, sets, seed=seed, resamples=_GAIN_RESAMPLES, progress=progress
    )
    single = counts.of(slice(measures))
    both = counts.of(slice(measures, -len(sets))).reliability
    added = added_reliability(single.reliability, both)
    of_sets = counts.of(slice(-len(sets), None))
    return SetReliability(single, of_sets, added, gains, levels, pairs, seed)
