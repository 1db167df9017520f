"""Reliability and sensitivity of improvements that all measures of a set confirm.

Also quality against heterogeneity, and whether more measures or a larger difference in one measure
is more reliable.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from weps._parallel import Progress, no_progress
from weps.errors import ValuesError
from weps_eval.meta.hbr import pairwise_contradictions
from weps_eval.meta.heterogeneity import (
    Pairs,
    PairwisePreferences,
    PreferenceBlock,
    ordered_pairs,
    pack_sets,
)
from weps_eval.meta.judged import as_human_scored
from weps_eval.ranking.pwa import Curve
from weps_eval.stats.arrays import Bits, Flags, Floats, Ints, as_groups, as_measure
from weps_eval.stats.estimate import BootstrapSamples, bootstrap_weights, safe_divide

_WORK = "comparing instances"


class Increase(NamedTuple):
    """Comparisons from the least to the most heterogeneously corroborated, in equal parts."""

    heterogeneity: Floats
    """Shape (intervals,): mean of H({x: x(s) ≥ x(s')})."""
    probability: Floats
    """Shape (intervals,): P(Q(s) ≥ Q(s'))."""


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """Comparisons by group and by the heterogeneity of what corroborates them."""

    total: Floats
    """Shape (groups, levels): level c is a heterogeneity of c / (levels − 1)."""
    real: Floats
    """Shape (groups, levels): those of them with Q(s) ≥ Q(s')."""

    def cut(self, intervals: int = 100, weights: ArrayLike | None = None) -> Increase:
        """The heterogeneity principle put to the test (workshop 2012, section 5.1, figure 1).

        The comparisons are sorted by heterogeneity and cut into intervals of equal size. Those of
        the same heterogeneity are alike, so where a cut falls among them each side gets its share;
        the order of instances does not matter.

        Args:
            intervals: how many, the paper's 100 by default.
            weights: shape (groups,), how often each group counts; None for once.

        Raises:
            ValuesError: if there is nothing to compare, or no interval.
        """
        if intervals < 1:
            raise ValuesError(f"{intervals} intervals are none", where="intervals")
        often = np.ones(len(self.total)) if weights is None else np.asarray(weights, np.float64)
        total, real = often @ self.total, often @ self.real
        if not total.any():
            raise ValuesError("no group has two instances", where="group")
        heterogeneity = np.arange(len(total)) / (len(total) - 1)
        return Increase(*(_means(total, each, intervals) for each in (total * heterogeneity, real)))


def levels_by_group(
    values: ArrayLike,
    quality: ArrayLike,
    preferences: PairwisePreferences,
    group: ArrayLike | None = None,
    progress: Progress = no_progress,
) -> Levels:
    """Compare every two instances of one group, both ways round.

    Memory grows with groups times the pairs of the preferences.

    Args:
        values: shape (measures, instances).
        quality: shape (instances,), human scores.
        preferences: over which heterogeneity is a share (the paper: 10,000 samples).
        group: shape (instances,), the topic of each, whole numbers from 0; None for one.
        progress: called with the number of comparisons done.

    Raises:
        ValuesError: if values are missing, NaN, not numbers, or do not fit together.
    """
    measures, truth = as_human_scored(values, quality)
    groups = as_groups(group, len(truth), "group")
    sizes, width = np.bincount(groups), preferences.pairs + 1
    total, real = np.zeros((2, len(sizes) * width))
    done, every = 0, int((sizes * (sizes - 1)).sum())
    for pairs in ordered_pairs(len(truth), group):
        progress(_WORK, done, every)
        done += len(pairs.first)
        cell = groups[pairs.first] * width + pairwise_contradictions(measures, preferences, pairs)
        not_worse = truth[pairs.first] >= truth[pairs.second]
        total += np.bincount(cell, minlength=len(total))
        real += np.bincount(cell, not_worse, len(total))
    progress(_WORK, every, every)
    return Levels(total.reshape(-1, width), real.reshape(-1, width))


def _means(total: Floats, sums: Floats, intervals: int) -> Floats:
    """Means over intervals of equal size of what adds up to these sums, level by level."""
    known = total > 0
    reached, added = (np.append(0, np.cumsum(each[known])) for each in (total, sums))
    cuts = np.linspace(0, reached[-1], intervals + 1)
    means: Floats = np.diff(np.interp(cuts, reached, added)) / (reached[-1] / intervals)
    return means


@dataclass(frozen=True, slots=True, eq=False)
class Corroboration:
    """Preferences of sets of measures and of people on pairs, each pair both ways round."""

    corroborated: Ints
    """Shape (sets,): comparisons with x(s) ≥ x(s') for all measures x of the set."""
    real: Ints
    """Shape (sets,): those of them with Q(s) ≥ Q(s')."""
    improvements: int
    """All comparisons with Q(s) ≥ Q(s')."""

    @property
    def reliability(self) -> Floats:
        """R(X) = P(Q(s) ≥ Q(s') | x(s) ≥ x(s') ∀x ∈ X), nan if nothing is corroborated."""
        return safe_divide(self.real, self.corroborated)

    @property
    def sensitivity(self) -> Floats:
        """S(X) = P(x(s) ≥ x(s') ∀x ∈ X | Q(s) ≥ Q(s'))."""
        return safe_divide(self.real, self.improvements)


def count_corroboration(
    preferences: PairwisePreferences, quality: PairwisePreferences, sets: ArrayLike
) -> Corroboration:
    """Count what R(X) and S(X) are shares of (EMNLP 2011, sections 5 and 7).

    Ties count as the paper writes it: ≥ on both sides, so that two instances of equal quality are
    an improvement whichever way round. The paper leaves open how pairs are sampled; here each pair
    is compared both ways.

    Args:
        preferences: of the measures.
        quality: preferences of people on the same pairs, as one measure.
        sets: bool, shape (sets, measures); the empty set corroborates everything.

    Raises:
        ValuesError: if the sets do not fit, or the quality is not of one criterion and the same
            pairs.
    """
    if quality.pairs != preferences.pairs or quality.measures != 1:
        what = f"{quality.measures} criteria of {quality.pairs:,} pairs do not match"
        remedy = f"give one criterion of the {preferences.pairs:,} pairs that are compared"
        raise ValuesError(what, where="quality", remedy=remedy)
    better, worse = quality.higher[0], quality.lower[0]

    def count(block: PreferenceBlock) -> list[Bits]:
        onward, back = (block.mask & ~each for each in (block.lower, block.higher))
        return [onward, back, onward & ~worse[block.words], back & ~better[block.words]]

    counts = preferences.count(pack_sets(sets, preferences.measures), count)
    unequal = int(np.bitwise_count(better).sum() + np.bitwise_count(worse).sum())
    return Corroboration(
        corroborated=counts[0] + counts[1],
        real=counts[2] + counts[3],
        improvements=2 * preferences.pairs - unequal,
    )


def bootstrap_gains(  # noqa: PLR0913 - what is judged, by whom, how often, and progress
    values: ArrayLike,
    quality: ArrayLike,
    pairs: Pairs,
    sets: ArrayLike,
    weights: ArrayLike,
    *,
    progress: Progress = no_progress,
) -> Floats:
    """R(X) − max {R_th(x): x ∈ X, S_th(x) = S(X)} of many sets (EMNLP 2011, section 7).

    A threshold at which a measure is exactly as sensitive as the set rarely exists, and how near
    is near enough the paper does not state. Here the reliability between two thresholds lies on the
    line that joins them, and below the sensitivity of the highest one it is that of the highest.
    Of several reliabilities at the same sensitivity the highest is taken, as in the paper; th ≥ 0.
    The differences of a measure are sorted once; a resample only weighs them.

    Args:
        values: shape (measures, instances).
        quality: shape (instances,), human scores.
        pairs: which instances are compared, each pair both ways round.
        sets: bool, shape (sets, measures).
        weights: shape (resamples, pairs), how often each pair is there, whole numbers from 0, not
            all 0.
        progress: called with the number of measures done.

    Returns:
        Shape (sets, resamples); nan where a set confirms no real improvement, or is empty.

    Raises:
        ValuesError: if values are missing, NaN, not numbers, or do not fit together.
    """
    measures, truth = as_human_scored(values, quality)
    chosen, often = np.asarray(sets), np.asarray(weights).astype(np.int64)
    found = [
        count_corroboration(
            PairwisePreferences.of(measures, each), PairwisePreferences.of(truth, each), chosen
        )
        for each in (Pairs(*(np.repeat(side, row) for side in pairs)) for row in often)
    ]
    best = np.full((len(chosen), len(often)), -np.inf)
    for number, measure in enumerate(measures):
        progress("trying thresholds", number, len(measures))
        holding = chosen[:, number]
        for column, curve in enumerate(_curves(measure, truth, pairs, often)):
            alone = _interpolated_reliability(curve, found[column].sensitivity[holding])
            best[holding, column] = np.maximum(best[holding, column], alone)
    progress("trying thresholds", len(measures), len(measures))
    reliability = np.stack([each.reliability for each in found], axis=1)
    real = np.stack([each.real for each in found], axis=1)
    known = (real > 0) & chosen.any(axis=1, keepdims=True)
    return np.where(known, reliability - best, np.nan)


def _curves(measure: Floats, truth: Floats, pairs: Pairs, weights: Ints) -> Iterator[Curve]:
    """:func:`threshold_curve` of each resample."""
    first, second = (np.concatenate(each) for each in (pairs, pairs[::-1]))
    one, other = measure[first], measure[second]
    differences = np.zeros(len(one))
    with np.errstate(over="ignore"):  # as far apart as can be
        np.subtract(one, other, out=differences, where=one != other)
    not_worse = (truth[first] >= truth[second]).astype(np.float64)
    threshold, level = np.unique(differences, return_inverse=True)
    order = np.argsort(-level, kind="stable")
    starts = np.flatnonzero(np.diff(-level[order], prepend=-len(threshold)))
    both = np.tile(weights, 2).astype(np.float64)
    for row in both:
        weight = row[order]
        instances, positives = (
            np.add.reduceat(each, starts).cumsum() for each in (weight, weight * not_worse[order])
        )
        kept = (threshold[::-1] >= 0) & (instances > 0)
        yield Curve(
            positives[kept] / positives[-1],
            positives[kept] / instances[kept],
            threshold[::-1][kept],
        )


def threshold_curve(values: ArrayLike, quality: ArrayLike, pairs: Pairs) -> Curve:
    """R_th(x) as precision, S_th(x) as recall, for every th ≥ 0 that makes a difference.

    R_th(x) = P(Q(s) ≥ Q(s') | x(s) − x(s') ≥ th), S_th(x) = P(x(s) − x(s') ≥ th | Q(s) ≥ Q(s')).
    Values and quality are of shape (instances,); two infinite values that are equal differ by 0.
    Each pair is compared both ways round.

    Raises:
        ValuesError: if values are missing, NaN, not numbers, or do not fit together.
    """
    (measure,), truth = as_human_scored(as_measure(values), quality)
    once = np.ones((1, len(pairs.first)), dtype=np.int64)
    return next(_curves(measure, truth, pairs, once))


def _interpolated_reliability(curve: Curve, sensitivity: Floats) -> Floats:
    """Shape (sets,): on the lines between the highest reliabilities at each sensitivity."""
    reached, start = np.unique(curve.recall, return_index=True)
    return np.interp(sensitivity, reached, np.maximum.reduceat(curve.precision, start))


def resampled_gains(  # noqa: PLR0913 - what sets and thresholds are compared on
    values: Floats,
    quality: Floats,
    group: Ints,
    pairs: Pairs,
    sets: Flags,
    *,
    seed: int = 0,
    resamples: int = 100,
    progress: Progress = no_progress,
) -> BootstrapSamples:
    """Gain of each set at equal sensitivity, R(X) − the highest R of a member, over groups.

    Arguments are those of :func:`bootstrap_gains`, with the group of each instance.
    """
    numbers, place = np.unique(group[pairs.first], return_inverse=True)
    times = bootstrap_weights(len(numbers), resamples, seed)
    known = ~np.isnan(times).any(axis=1)
    rows = np.full((len(sets), len(times)), np.nan)
    rows[:, known] = bootstrap_gains(
        values, quality, pairs, sets, times[known][:, place], progress=progress
    )
    return BootstrapSamples.from_rows(rows)
