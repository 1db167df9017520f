"""Reliability and sensitivity of improvements that all measures of a set confirm.

Sets of measures are counted group by group, which can be resampled without comparing anything again
(Amigó and others, EMNLP 2011). Also quality against heterogeneity, and whether more measures or a
larger difference in one measure is more reliable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps._parallel import Progress, log_progress, report_work
from weps_eval.meta.correlation import correlation_over_measures
from weps_eval.meta.heterogeneity import (
    Pairs,
    PairwisePreferences,
    PreferenceBlock,
    distinct_pairs,
    pairs_of_measures,
    pairwise_contradictions,
    random_sets,
    rival_pairs,
    sampled_pairs,
)
from weps_eval.ranking.pwa import Curve
from weps_eval.stats import (
    NO_ESTIMATE,
    RESAMPLES,
    Bits,
    BootstrapSamples,
    Estimate,
    Flags,
    Floats,
    Ints,
    bootstrap_weights,
    joint_estimate,
    safe_divide,
)

_COMPARING = "comparing instances"
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


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """Comparisons by group and by the heterogeneity of what corroborates them."""

    total: Floats
    """Shape (groups, levels): level c is a heterogeneity of c / (levels − 1)."""
    real: Floats
    """Shape (groups, levels): those of them with Q(s) ≥ Q(s')."""

    def cut(self, weights: Floats, intervals: int = _INTERVALS) -> Floats:
        """The heterogeneity principle put to the test (workshop 2012, section 5.1, figure 1).

        The comparisons are sorted by heterogeneity and cut into intervals of equal size. Those of
        the same heterogeneity are alike, so where a cut falls among them each side gets its share;
        the order of instances does not matter.

        Args:
            weights: shape (groups,), how often each group counts; one that has two instances, once.
            intervals: how many, the paper's 100 by default.

        Returns:
            Shape (2, intervals), from the least to the most heterogeneously corroborated: mean of
            H({x: x(s) ≥ x(s')}), and P(Q(s) ≥ Q(s')).
        """
        total, real = weights @ self.total, weights @ self.real
        heterogeneity = np.arange(len(total)) / (len(total) - 1)
        means = []
        for sums in (total * heterogeneity, real):
            reached, added = (np.append(0, np.cumsum(each[total > 0])) for each in (total, sums))
            cuts = np.linspace(0, reached[-1], intervals + 1)
            inside = np.diff(np.interp(cuts, reached, added))
            means.append(inside / (reached[-1] / intervals))
        return np.array(means)


def _levels_by_group(
    values: Floats,
    quality: Floats,
    preferences: PairwisePreferences,
    group: Ints,
    progress: Progress = log_progress,
) -> Levels:
    """Compare every two instances of one group, both ways round.

    Memory grows with groups times the pairs of the preferences.

    Args:
        values: shape (measures, instances).
        quality: shape (instances,), human scores.
        preferences: over which heterogeneity is a share (the paper: 10,000 samples).
        group: shape (instances,), the topic of each, whole numbers from 0.
        progress: called with the number of comparisons done.
    """
    sizes, width = np.bincount(group), preferences.pairs + 1
    total, real = np.zeros((2, len(sizes) * width))
    done, every = 0, int((sizes * (sizes - 1)).sum())
    for pairs in rival_pairs(len(quality), group=group):
        progress(_COMPARING, done, every)
        done += len(pairs.first)
        cell = group[pairs.first] * width + pairwise_contradictions(values, preferences, pairs)
        total += np.bincount(cell, minlength=len(total))
        real += np.bincount(cell, quality[pairs.first] >= quality[pairs.second], len(total))
    progress(_COMPARING, every, every)
    return Levels(total.reshape(-1, width), real.reshape(-1, width))


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
        return BootstrapSamples(found)


def _blocks(size: int) -> Iterator[slice]:
    """Rows of a long table, some at a time."""
    return (slice(start, start + _ROWS) for start in range(0, size, _ROWS))


def split_pairs(group: Ints, pairs: Pairs | None = None) -> list[Pairs]:
    """Pairs of instances, by default all, of each group that has any, in order of groups."""
    pairs = pairs or sampled_pairs(len(group), group=group)
    of_pair = group[pairs.first]
    parts = [np.flatnonzero(of_pair == each) for each in np.unique(of_pair)]
    return [pairs.take(part) for part in parts]


def _count_sets(values: Floats, quality: Floats, pairs: Pairs, sets: Flags) -> tuple[Ints, int]:
    """Count what H(X), R(X) and S(X) are shares of (EMNLP 2011, sections 5 to 7).

    Ties count as the paper writes it: ≥ on both sides, so that two instances of equal quality are
    an improvement whichever way round. The paper leaves open how pairs are sampled; here each pair
    is compared both ways. The empty set corroborates everything.

    Returns:
        Shape (3, sets): pairs of which measures of the set contradict one another; comparisons with
        x(s) ≥ x(s') for all measures x of the set; those of them with Q(s) ≥ Q(s'). And all
        comparisons with Q(s) ≥ Q(s').
    """
    people = PairwisePreferences.of(quality, pairs)
    better, worse = people.higher[0], people.lower[0]

    def count(block: PreferenceBlock) -> list[Bits]:
        onward, back = (block.mask & ~each for each in (block.lower, block.higher))
        real = onward & ~worse[block.words], back & ~better[block.words]
        return [block.higher & block.lower, onward, back, *real]

    members = np.packbits(sets, axis=1, bitorder="little")
    counts = PairwisePreferences.of(values, pairs).count(members, count)
    unequal = int(np.bitwise_count(better | worse).sum())
    table = np.array([counts[0], counts[1] + counts[2], counts[3] + counts[4]])
    return table, 2 * people.pairs - unequal


def count_sets_by_group(  # noqa: PLR0913, PLR0917 - what is counted, by what, and progress
    values: Floats,
    quality: Floats,
    parts: Sequence[Pairs],
    sets: Flags,
    text: Ints | None = None,
    seed: int = 0,
    progress: Progress = log_progress,
) -> SetCounts:
    """Pairs that sets of measures contradict or confirm, and that people confirm, by group.

    Args:
        values: shape (measures, instances).
        quality: shape (instances,), human scores.
        parts: the pairs of each group, see :func:`split_pairs`.
        sets: shape (sets, measures).
        text: shape (instances,), the same number for equal texts of a group; None if not known.
        seed: for resamples of the groups.
        progress: called with the number of groups done.
    """
    # There are many, so that they are kept in the smallest type.
    smallest = np.min_scalar_type(2 * max(len(each.first) for each in parts))
    counts = np.zeros((len(parts), 3, len(sets)), smallest)
    improvements = np.zeros(len(parts))
    for number, pairs in enumerate(report_work(parts, progress, "counting what sets confirm")):
        counts[number], improvements[number] = _count_sets(values, quality, pairs, sets)
    distinct = np.array([float(len(distinct_pairs(each, text).first)) for each in parts])
    return SetCounts(np.moveaxis(counts, 0, -1), improvements, distinct, seed)


def _resampled_gains(  # noqa: PLR0913 - what sets and thresholds are compared on
    values: Floats,
    quality: Floats,
    parts: Sequence[Pairs],
    sets: Flags,
    *,
    resamples: int,
    seed: int = 0,
    progress: Progress = log_progress,
) -> BootstrapSamples:
    """R(X) − max {R_th(x): x ∈ X, S_th(x) = S(X)} of many sets (EMNLP 2011, section 7).

    A threshold at which a measure is exactly as sensitive as the set rarely exists, and how near
    is near enough the paper does not state. Here the reliability between two thresholds lies on the
    line that joins them, and below the sensitivity of the highest one it is that of the highest.
    Of several reliabilities at the same sensitivity the highest is taken, as in the paper; th ≥ 0.
    The differences of a measure are sorted once; a resample only weighs them.

    Returns:
        NaN where a set confirms no real improvement, or is empty.
    """
    times = bootstrap_weights(len(parts), resamples, seed)
    known = ~np.isnan(times).any(axis=1)
    drawn = times[known]
    counted = count_sets_by_group(values, quality, parts, sets)
    corroborated, real = (each.astype(np.float64) @ drawn.T for each in counted.counts[1:])
    sensitivity = safe_divide(real, drawn @ counted.improvements)
    pairs = Pairs(*map(np.concatenate, zip(*parts, strict=True)))
    weights = np.repeat(drawn, [len(each.first) for each in parts], axis=1)
    best = np.full(real.shape, -np.inf)
    for number, measure in enumerate(report_work(values, progress, "trying thresholds")):
        holding = sets[:, number]
        for column, curve in enumerate(_curves(measure, quality, pairs, weights)):
            reached, start = np.unique(curve.recall, return_index=True)
            highest = np.maximum.reduceat(curve.precision, start)
            alone = np.interp(sensitivity[holding, column], reached, highest)
            best[holding, column] = np.maximum(best[holding, column], alone)
    rows = np.full((len(sets), len(times)), np.nan)
    confirmed = (real > 0) & sets.any(axis=1, keepdims=True)
    rows[:, known] = np.where(confirmed, safe_divide(real, corroborated) - best, np.nan)
    return BootstrapSamples(rows)


def _curves(measure: Floats, truth: Floats, pairs: Pairs, weights: Floats) -> Iterator[Curve]:
    """R_th(x) as precision, S_th(x) as recall, for every th ≥ 0 that makes a difference.

    R_th(x) = P(Q(s) ≥ Q(s') | x(s) − x(s') ≥ th), S_th(x) = P(x(s) − x(s') ≥ th | Q(s) ≥ Q(s')).
    Values and quality are of shape (instances,); two infinite values that are equal differ by 0.
    Each pair is compared both ways round. A curve for each row of weights, shape (resamples,
    pairs).
    """
    first, second = (np.concatenate(each) for each in (pairs, pairs[::-1]))
    one, other = measure[first], measure[second]
    differences = np.zeros(len(one))
    with np.errstate(over="ignore"):  # as far apart as can be
        np.subtract(one, other, out=differences, where=one != other)
    threshold, level = np.unique(differences, return_inverse=True)
    order = np.argsort(-level, kind="stable")
    not_worse = (truth[first] >= truth[second])[order]
    starts = np.flatnonzero(np.diff(-level[order], prepend=-len(threshold)))
    for row in np.tile(weights, 2):
        weight = row[order]
        instances, positives = (
            np.add.reduceat(each, starts).cumsum() for each in (weight, weight * not_worse)
        )
        kept = (threshold[::-1] >= 0) & (instances > 0)
        yield Curve(
            positives[kept] / positives[-1],
            positives[kept] / instances[kept],
            threshold[::-1][kept],
        )


def _share_not_negative(gains: BootstrapSamples) -> Estimate:
    """Share of the sets with a known gain that is not negative, but for rounding."""
    known = ~np.isnan(gains.value)
    if not known.any():
        return NO_ESTIMATE
    hits = np.zeros(gains.samples.shape[1])
    for rows in _blocks(len(known)):
        samples = gains.samples[rows][known[rows]]
        hits += np.where(np.isnan(samples), np.nan, samples >= -1e-12).sum(axis=0)
    return Estimate.from_samples(float((gains.value[known] >= -1e-12).mean()), hits / known.sum())


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
    unjudged, parts = np.zeros(len(group)), split_pairs(group)
    found = count_sets_by_group(values, unjudged, parts, sets, text, seed).heterogeneity
    generator, rows = np.random.default_rng(seed), []
    for size in known:
        chosen = sets.sum(axis=1) == size
        means, samples = found.value[chosen], found.samples[chosen]
        chances = np.full(len(means), 1 / len(means))
        weights = generator.multinomial(len(means), chances, samples.shape[1]).T / len(means)
        rows.append(np.append(means.mean(), (samples * weights).sum(axis=0)))
    return BootstrapSamples(np.array(rows))


@dataclass(frozen=True, eq=False)
class SetReliability:
    """Reliability of measures, of every two of them, and of further sets, by one criterion."""

    single: SetCounts
    """Counts of the measures."""
    sets: SetCounts
    """Counts of the sets."""
    added: BootstrapSamples
    """R({x, x'}) − max(R({x}), R({x'})) of every two measures (EMNLP 2011, figure 1)."""
    gains: BootstrapSamples
    """R of each set less the highest R of a member at the same sensitivity."""
    levels: Levels
    seed: int

    @property
    def summary(self) -> dict[str, Estimate]:
        """Shares of sets, and correlations over the sets with their heterogeneity.

        The increase is Pearson's coefficient of heterogeneity and quality over the parts of all
        comparisons.
        """
        times = bootstrap_weights(len(self.levels.total), _GAIN_RESAMPLES, self.seed)
        known = [each for each in times if not np.isnan(each).any() and each.any()]
        cuts = np.array([self.levels.cut(each) for each in known])
        increase = correlation_over_measures(*np.moveaxis(cuts, 0, -1))
        return {
            "additive": _share_not_negative(self.added),
            "heterogeneity_and_reliability": self._correlation(self.sets.reliability),
            "heterogeneity_and_sensitivity": self._correlation(self.sets.sensitivity),
            "gaining": _share_not_negative(self.gains),
            "heterogeneity_and_gain": self._correlation(self.gains),
            "increase": Estimate.from_row(increase),
        }

    @property
    def increase(self) -> Floats:
        """Quality increase against heterogeneity (workshop of 2012, figure 1)."""
        return self.levels.cut(np.ones(len(self.levels.total)))

    def _correlation(self, figure: BootstrapSamples) -> Estimate:
        few = BootstrapSamples(self.sets.heterogeneity.rows[:, : figure.rows.shape[1]])
        return joint_estimate(correlation_over_measures, few, figure)


def judge_sets(  # noqa: PLR0913 - what is judged, by whom, and how
    values: Floats,
    quality: Floats,
    group: Ints,
    sets: Flags,
    *,
    text: Ints | None = None,
    samples: int = 0,
    seed: int = 0,
    progress: Progress = log_progress,
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
    pairs = sampled_pairs(len(group), group=group)
    parts = split_pairs(group, pairs)
    counts = count_sets_by_group(values, quality, parts, every, text, seed, progress)
    samples = min(samples or len(pairs.first), _CELLS // len(parts))
    preferences = PairwisePreferences.sampled(values, samples, group, seed, text)
    levels = _levels_by_group(values, quality, preferences, group, progress)
    if len(pairs.first) > _GAIN_PAIRS:
        generator = np.random.default_rng(seed)
        pairs = pairs.take(generator.choice(len(pairs.first), _GAIN_PAIRS, replace=False))
    gains = _resampled_gains(
        values,
        quality,
        split_pairs(group, pairs),
        sets,
        resamples=_GAIN_RESAMPLES,
        seed=seed,
        progress=progress,
    )
    single, of_sets = counts.of(slice(measures)), counts.of(slice(-len(sets), None))
    added = counts.of(slice(measures, -len(sets))).reliability
    alone = single.reliability.rows
    first, second = np.triu_indices(measures, 1)
    for some in _blocks(len(first)):  # in place, as there may be many
        added.rows[some] -= np.fmax(alone[first[some]], alone[second[some]])
    return SetReliability(single, of_sets, added, gains, levels, seed)
