"""What sets of measures and people say of the pairs of each group, and shares of it redrawn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.meta.drawn import RESAMPLES, Drawn, times_drawn
from eval.meta.heterogeneity import Pairs, Verdicts, corroboration, heterogeneities
from eval.meta.shares import share
from weps.progress import Progress, silent

__all__ = ["Counts", "counted", "split_pairs"]

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
