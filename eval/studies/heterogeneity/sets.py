"""Sets of measures: how often they contradict themselves and agree with people, group by group.

Also random sets with and without linguistic measures (2011, figure 4), and sets of features that
KING and MaxPWA choose one after another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.meta.heterogeneity.agreement import PairwisePreferences, set_heterogeneities
from eval.meta.heterogeneity.pairs import Pairs, every_pair, random_sets
from eval.meta.heterogeneity.reliability import count_corroboration
from eval.meta.labelled import LabelledConditions, mean_superiority
from eval.meta.labelled import greedy_features as greedy_by_king
from eval.ranking.pwa import max_pwa
from eval.ranking.subsets import greedy_subsets
from eval.stats.arrays import Flags, Floats, Ints
from eval.stats.estimate import (
    RESAMPLES,
    BootstrapSamples,
    bootstrap_weights,
    safe_divide,
)
from eval.studies.grouped import GroupedInstances
from eval.studies.several import MeasureKind, measures_of_kind
from weps._parallel import Progress, no_progress

__all__ = [
    "LEVEL_SIZES",
    "FeatureChoice",
    "SetCounts",
    "blocks_of",
    "choose_features",
    "count_by_group",
    "mean_heterogeneity",
    "split_pairs",
]

_WORK = "counting what sets of measures say"
CountArray = NDArray[np.unsignedinteger[Any]]
"""Whole numbers in as little room as they need: there are many."""
_ROWS = 4096
"""Sets whose shares are worked out at a time."""
_PAIRS = 1 << 14
"""Pairs of instances whose verdicts are laid out at a time: 39 MB for 300 measures."""


@dataclass(frozen=True)
class SetCounts:
    """Of each set, by group."""

    contradicted: CountArray
    """Shape (sets, groups): pairs of which measures of the set contradict one another."""
    corroborated: CountArray
    """Shape (sets, groups): pairs, both ways round, that all measures of the set confirm."""
    real: CountArray
    """Shape (sets, groups): those of them that people confirm."""
    improvements: Floats
    """Shape (groups,): pairs, both ways round, that people confirm."""
    pairs: Floats
    """Shape (groups,)."""
    seed: int = 0

    def of(self, sets: slice) -> SetCounts:
        """Those of some of the sets."""
        return replace(
            self,
            contradicted=self.contradicted[sets],
            corroborated=self.corroborated[sets],
            real=self.real[sets],
        )

    @cached_property
    def _weights(self) -> Floats:
        return bootstrap_weights(len(self.pairs), RESAMPLES, self.seed).T

    @cached_property
    def heterogeneity(self) -> BootstrapSamples:
        """H of every set."""
        return self._shares(self.contradicted, self.pairs)

    @cached_property
    def reliability(self) -> BootstrapSamples:
        """R of every set, NaN where it confirms nothing."""
        return self._shares(self.real, self.corroborated)

    @cached_property
    def sensitivity(self) -> BootstrapSamples:
        """S of every set."""
        return self._shares(self.real, self.improvements)

    def _shares(self, hits: CountArray, total: CountArray | Floats) -> BootstrapSamples:
        found = np.empty((len(hits), self._weights.shape[1]))
        for rows in blocks_of(len(hits)):
            own = (total if total.ndim == 1 else total[rows]).astype(np.float64)
            found[rows] = safe_divide(
                hits[rows].astype(np.float64) @ self._weights, own @ self._weights
            )
        return BootstrapSamples(found[:, 0], found[:, 1:])


def blocks_of(size: int) -> Iterator[slice]:
    """Rows of a long table, some at a time."""
    return (slice(start, start + _ROWS) for start in range(0, size, _ROWS))


def split_pairs(group: Ints) -> list[Pairs]:
    """All pairs of each group that has any, in ascending order of groups."""
    pairs = every_pair(len(group), group)
    of_pair = group[pairs.first]
    parts = [np.flatnonzero(of_pair == each) for each in np.unique(of_pair)]
    return [Pairs(pairs.first[part], pairs.second[part]) for part in parts]


def count_by_group(  # noqa: PLR0913, PLR0917 - the arrays that are counted, and progress
    values: Floats,
    quality: Floats,
    sets: Flags,
    parts: list[Pairs],
    seed: int,
    progress: Progress = no_progress,
) -> SetCounts:
    """Count them: of one measure and of two by matrix products, of more by looking sets up.

    Args:
        values: shape (measures, instances).
        quality: shape (instances,).
        sets: shape (sets, measures).
        parts: pairs of instances of each group.
        seed: for the resamples.
        progress: called with how many groups are done.
    """
    sizes = np.array([len(each.first) for each in parts])
    counts = np.zeros((3, len(parts), len(sets)), np.min_scalar_type(2 * int(sizes.max())))
    improvements = np.zeros(len(parts))
    size = sets.sum(axis=1)
    few, many = (
        np.flatnonzero(each) for each in ((size == 1) | (size == 2), (size < 1) | (size > 2))
    )
    first, last = (np.argmax(sets[few], axis=1), -1 - np.argmax(sets[few, ::-1], axis=1))
    for number, pairs in enumerate(parts):
        progress(_WORK, number, len(parts))
        truth = PairwisePreferences.of(quality, pairs)
        unequal = np.bitwise_count(truth.higher).sum() + np.bitwise_count(truth.lower).sum()
        improvements[number] = 2 * truth.pairs - int(unequal)
        counts[:, number, few] = _count_by_products(values, quality, pairs)[:, first, last]
        if len(many):
            counts[:, number, many] = _count_by_lookup(
                PairwisePreferences.of(values, pairs), truth, sets[many]
            )
    progress(_WORK, len(parts), len(parts))
    contradicted, corroborated, real = counts.swapaxes(1, 2)
    return SetCounts(contradicted, corroborated, real, improvements, sizes.astype(np.float64), seed)


def _count_by_lookup(
    preferences: PairwisePreferences, truth: PairwisePreferences, sets: Flags
) -> Floats:
    """Shape (3, sets): pairs contradicted, corroborated and real."""
    found = count_corroboration(preferences, truth, sets)
    contradicted = np.rint(set_heterogeneities(preferences, sets) * preferences.pairs)
    return np.stack([contradicted, found.corroborated, found.real])


def _count_by_products(values: Floats, quality: Floats, pairs: Pairs) -> Floats:
    """Shape (3, measures, measures): the same of every two measures, of one on the diagonal."""
    found = np.zeros((3, len(values), len(values)))
    for start in range(0, len(pairs.first), _PAIRS):
        one, other = (each[start : start + _PAIRS] for each in pairs)
        ours, theirs = values[:, one], values[:, other]
        higher, lower = ((ours > theirs).astype(np.float64), (ours < theirs).astype(np.float64))
        found[0] += higher @ lower.T
        confirmed = np.concatenate([1 - lower, 1 - higher], axis=1)
        real = np.append(quality[one] >= quality[other], quality[other] >= quality[one])
        for count, each in ((1, confirmed), (2, confirmed[:, real])):
            found[count] += each @ each.T
    found[0] += found[0].T.copy()
    return found


LEVEL_SIZES = range(1, 11)
"""The paper's."""
_EACH = 100
"""Random sets of each size."""


def mean_heterogeneity(
    source: GroupedInstances, seed: int
) -> tuple[BootstrapSamples, BootstrapSamples] | None:
    """Mean H of random sets of measures of words, and of random sets of all, by size.

    Both topics and sets are drawn anew for the intervals.

    None if fewer than three measures are known to be of either kind.
    """
    words, language = (
        measures_of_kind(source.measures, each)
        for each in (MeasureKind.WORDS, MeasureKind.LINGUISTIC)
    )
    if not words or not language:
        return None
    parts = split_pairs(source.group)
    return (
        _means(source.values[words], parts, seed),
        _means(source.values[[*words, *language]], parts, seed),
    )


def _means(values: Floats, parts: list[Pairs], seed: int) -> BootstrapSamples:
    """Shape (sizes,)."""
    sizes = [size for size in LEVEL_SIZES if size <= len(values)]
    sets = random_sets(len(values), sizes, _EACH, seed)
    nobody = np.zeros(values.shape[1])
    found = count_by_group(values, nobody, sets, parts, seed).heterogeneity
    generator = np.random.default_rng(seed)
    of_size = [np.flatnonzero(sets.sum(axis=1) == size) for size in sizes]
    return BootstrapSamples(
        np.array([found.value[each].mean() for each in of_size]),
        np.stack([_resampled_mean(found.samples[each], generator) for each in of_size]),
    )


def _resampled_mean(samples: Floats, generator: np.random.Generator) -> Floats:
    """Shape (resamples,): means over sets, which are drawn anew like the topics.

    Args:
        samples: shape (sets, resamples).
        generator: draws the sets.
    """
    size, resamples = samples.shape
    weights = generator.multinomial(size, np.full(size, 1 / size), resamples).T / size
    return np.asarray((samples * weights).sum(axis=0))


_MOST = 10


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


def choose_features(source: GroupedInstances, most: int = _MOST) -> tuple[FeatureChoice, ...]:
    """Both ways side by side, for labelled instances; none if no group shows them all it takes.

    QUEEN compares instances of one group, MaxPWA those of all (EMNLP 2009, section 4.1).
    """
    if not source.labelled:
        return ()
    (quality,) = source.quality.values()
    positive = quality > 0
    ours, theirs = source.values[:, positive], source.values[:, ~positive]
    our_groups, their_groups = source.group[positive], source.group[~positive]
    positives, negatives = (
        np.bincount(each, minlength=len(source.groups)) for each in (our_groups, their_groups)
    )
    if not ((positives > 1) & (negatives > 0)).any():
        return ()
    passing = LabelledConditions.of(ours, theirs, our_groups, their_groups)
    size = min(most, len(source.measures))
    by_king = greedy_by_king(passing, size)
    steps = greedy_subsets(ours, theirs, size)
    found = []
    for number, (chosen, step) in enumerate(zip(by_king, steps, strict=True), start=1):
        rivals = tuple(each.measure for each in steps[:number])
        members = list(chosen.measures)
        found.append(
            FeatureChoice(
                source.measures[chosen.measures[-1]],
                chosen.quality,
                max_pwa(ours[members], theirs[members]),
                source.measures[step.measure],
                step.max_pwa,
                mean_superiority(passing, rivals),
            )
        )
    return tuple(found)
