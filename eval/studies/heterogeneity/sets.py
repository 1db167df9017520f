"""What sets of measures and people say of the pairs of each group, and shares of it redrawn.

Heterogeneity of measures of words alone, and with those that know language (2011, figure 4).

Features chosen one after another: as KING would have it, and by MaxPWA.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.meta.heterogeneity.agreement import Verdicts, heterogeneities
from eval.meta.heterogeneity.pairs import Pairs, every_pair, random_sets
from eval.meta.heterogeneity.reliability import corroboration
from eval.meta.labelled import Passing, superiority
from eval.meta.labelled import greedy as greedy_by_king
from eval.ranking.pwa import max_pwa
from eval.ranking.subsets import greedy
from eval.stats.estimate import RESAMPLES, Drawn, Estimate, share, times_drawn
from eval.studies.measures import Grouped
from eval.studies.several import NO_KINDS, Kind, of_kind, together
from weps._parallel import Progress, silent

__all__ = [
    "NO_LEVELS",
    "SIZES",
    "Choice",
    "Counts",
    "choices",
    "counted",
    "linguistic_gain",
    "mean_heterogeneity",
    "split_pairs",
]

_WORK = "counting what sets of measures say"
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Counted = NDArray[np.unsignedinteger[Any]]
"""Whole numbers in as little room as they need: there are many."""
_SETS = 4096
"""Whose shares are worked out at a time."""
_PAIRS = 1 << 14
"""Pairs of instances whose verdicts are laid out at a time: 39 MB for 300 measures."""


@dataclass(frozen=True)
class Counts:
    """Of each set, by group."""

    contradicted: Counted
    """Shape (sets, groups): pairs of which measures of the set contradict one another."""
    corroborated: Counted
    """Shape (sets, groups): pairs, both ways round, that all measures of the set confirm."""
    real: Counted
    """Shape (sets, groups): those of them that people confirm."""
    improvements: Floats
    """Shape (groups,): pairs, both ways round, that people confirm."""
    pairs: Floats
    """Shape (groups,)."""
    seed: int = 0

    def of(self, sets: slice) -> Counts:
        """Those of some of the sets."""
        return replace(
            self,
            contradicted=self.contradicted[sets],
            corroborated=self.corroborated[sets],
            real=self.real[sets],
        )

    @cached_property
    def _times(self) -> Floats:
        return times_drawn(len(self.pairs), RESAMPLES, self.seed).T

    @cached_property
    def heterogeneity(self) -> Drawn:
        """H of every set."""
        return self._shares(self.contradicted, self.pairs)

    @cached_property
    def reliability(self) -> Drawn:
        """R of every set, NaN where it confirms nothing."""
        return self._shares(self.real, self.corroborated)

    @cached_property
    def sensitivity(self) -> Drawn:
        """S of every set."""
        return self._shares(self.real, self.improvements)

    def _shares(self, held: Counted, total: Counted | Floats) -> Drawn:
        found = np.empty((len(held), self._times.shape[1]))
        for start in range(0, len(held), _SETS):
            rows = slice(start, start + _SETS)
            own = (total if total.ndim == 1 else total[rows]).astype(np.float64)
            found[rows] = share(held[rows].astype(np.float64) @ self._times, own @ self._times)
        return Drawn(found[:, 0], found[:, 1:])


def split_pairs(pairs: Pairs, group: Ints) -> list[Pairs]:
    """The pairs of each group that has any, in ascending order of groups."""
    of_pair = group[pairs.first]
    parts = [np.flatnonzero(of_pair == each) for each in np.unique(of_pair)]
    return [Pairs(pairs.first[part], pairs.second[part]) for part in parts]


def counted(  # noqa: PLR0913, PLR0917 - what is said, by whom, of what, and how it is told
    values: Floats,
    quality: Floats,
    sets: NDArray[np.bool_],
    parts: list[Pairs],
    seed: int,
    progress: Progress = silent,
) -> Counts:
    """Count them: of one measure and of two by matrix products, of more by looking sets up.

    Args:
        values: shape (measures, instances).
        quality: shape (instances,).
        sets: shape (sets, measures).
        parts: pairs of instances of each group.
        seed: for the resamples.
        progress: hears how many groups are done.
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
        truth = Verdicts.of(quality, pairs)
        unequal = np.bitwise_count(truth.higher).sum() + np.bitwise_count(truth.lower).sum()
        improvements[number] = 2 * truth.pairs - int(unequal)
        counts[:, number, few] = _two_by_two(values, quality, pairs)[:, first, last]
        if len(many):
            counts[:, number, many] = _looked_up(Verdicts.of(values, pairs), truth, sets[many])
    progress(_WORK, len(parts), len(parts))
    contradicted, corroborated, real = counts.swapaxes(1, 2)
    return Counts(contradicted, corroborated, real, improvements, sizes.astype(np.float64), seed)


def _looked_up(verdicts: Verdicts, truth: Verdicts, sets: NDArray[np.bool_]) -> Floats:
    """Shape (3, sets): pairs contradicted, corroborated and real."""
    found = corroboration(verdicts, truth, sets)
    contradicted = np.rint(heterogeneities(verdicts, sets) * verdicts.pairs)
    return np.stack([contradicted, found.corroborated, found.real])


def _two_by_two(values: Floats, quality: Floats, pairs: Pairs) -> Floats:
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


SIZES = range(1, 11)
"""The paper's."""
_EACH = 100
"""Random sets of each size."""
NO_LEVELS = NO_KINDS


def mean_heterogeneity(source: Grouped, seed: int) -> tuple[Drawn, Drawn] | None:
    """Mean H of random sets of measures of words, and of random sets of all, by size.

    Both topics and sets are drawn anew for the intervals.

    None if fewer than three measures are known to be of either kind.
    """
    words, language = (of_kind(source.measures, each) for each in (Kind.WORDS, Kind.LINGUISTIC))
    if not words or not language:
        return None
    parts = split_pairs(every_pair(len(source.group), source.group), source.group)
    return (
        _means(source.values[words], parts, seed),
        _means(source.values[[*words, *language]], parts, seed),
    )


def linguistic_gain(source: Grouped, seed: int) -> Estimate | None:
    """By how much mean H of the largest sets is higher with linguistic measures; None as above."""
    found = mean_heterogeneity(source, seed)
    if found is None:
        return None
    size = min(len(each.value) for each in found)
    words, every = (Drawn(each.value[[size - 1]], each.drawn[[size - 1]]) for each in found)
    return together(lambda one, other: other[0] - one[0], words, every)


def _means(values: Floats, parts: list[Pairs], seed: int) -> Drawn:
    """Shape (sizes,)."""
    sizes = [size for size in SIZES if size <= len(values)]
    sets = random_sets(len(values), sizes, _EACH, seed)
    nobody = np.zeros(values.shape[1])
    found = counted(values, nobody, sets, parts, seed).heterogeneity
    generator = np.random.default_rng(seed)
    of_size = [np.flatnonzero(sets.sum(axis=1) == size) for size in sizes]
    return Drawn(
        np.array([found.value[each].mean() for each in of_size]),
        np.stack([_drawn_mean(found.drawn[each], generator) for each in of_size]),
    )


def _drawn_mean(drawn: Floats, generator: np.random.Generator) -> Floats:
    """Shape (resamples,): means over sets, which are drawn anew like the topics.

    Args:
        drawn: shape (sets, resamples).
        generator: draws the sets.
    """
    size, resamples = drawn.shape
    weights = generator.multinomial(size, np.full(size, 1 / size), resamples).T / size
    return np.asarray((drawn * weights).sum(axis=0))


_MOST = 10


@dataclass(frozen=True, slots=True)
class Choice:
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


def choices(source: Grouped, most: int = _MOST) -> tuple[Choice, ...]:
    """Both ways side by side, for labelled instances; none if no group shows them all it takes.

    QUEEN compares instances of one group, MaxPWA those of all (EMNLP 2009, section 4.1).
    """
    if not source.labelled:
        return ()
    (quality,) = source.quality.values()
    positive = quality > 0
    ours, theirs = source.values[:, positive], source.values[:, ~positive]
    our_groups, their_groups = source.group[positive], source.group[~positive]
    if not _enough(our_groups, their_groups, len(source.groups)):
        return ()
    passing = Passing.of(ours, theirs, our_groups, their_groups)
    size = min(most, len(source.measures))
    by_king = greedy_by_king(passing, size)
    steps = greedy(ours, theirs, size)
    found = []
    for number, (chosen, step) in enumerate(zip(by_king, steps, strict=True), start=1):
        rivals = tuple(each.measure for each in steps[:number])
        members = list(chosen.measures)
        found.append(
            Choice(
                source.measures[chosen.measures[-1]],
                chosen.quality,
                max_pwa(ours[members], theirs[members]),
                source.measures[step.measure],
                step.max_pwa,
                superiority(passing, rivals),
            )
        )
    return tuple(found)


def _enough(ours: Ints, theirs: Ints, groups: int) -> bool:
    """Whether a group has two positives and a negative."""
    positives, negatives = (np.bincount(each, minlength=groups) for each in (ours, theirs))
    return bool(((positives > 1) & (negatives > 0)).any())
