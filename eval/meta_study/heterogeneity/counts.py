"""What sets of measures and people say of the pairs of each group, and shares of it redrawn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from eval.meta.drawn import RESAMPLES, Drawn, times_drawn
from eval.meta.heterogeneity import Pairs, Verdicts, corroboration, heterogeneities
from eval.meta.shares import share

__all__ = ["Counts", "counted", "split_pairs"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Counts:
    """Of each set, by group."""

    contradicted: Floats
    """Shape (sets, groups): pairs of which measures of the set contradict one another."""
    corroborated: Floats
    """Shape (sets, groups): pairs, both ways round, that all measures of the set confirm."""
    real: Floats
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

    def _shares(self, held: Floats, total: Floats) -> Drawn:
        found = share(held @ self._times, total @ self._times)
        return Drawn(found[:, 0], found[:, 1:])


def split_pairs(pairs: Pairs, group: Ints) -> list[Pairs]:
    """The pairs of each group that has any, in ascending order of groups."""
    of_pair = group[pairs.first]
    parts = [np.flatnonzero(of_pair == each) for each in np.unique(of_pair)]
    return [Pairs(pairs.first[part], pairs.second[part]) for part in parts]


def counted(
    values: Floats, quality: Floats, sets: NDArray[np.bool_], parts: list[Pairs], seed: int
) -> Counts:
    """Count them.

    Args:
        values: shape (measures, instances).
        quality: shape (instances,).
        sets: shape (sets, measures).
        parts: pairs of instances of each group.
        seed: for the resamples.
    """
    contradicted, corroborated, real = np.zeros((3, len(sets), len(parts)))
    improvements = np.zeros(len(parts))
    for number, pairs in enumerate(parts):
        verdicts = Verdicts.of(values, pairs)
        found = corroboration(verdicts, Verdicts.of(quality, pairs), sets)
        contradicted[:, number] = np.rint(heterogeneities(verdicts, sets) * verdicts.pairs)
        corroborated[:, number], real[:, number] = found.corroborated, found.real
        improvements[number] = found.improvements
    sizes = np.array([len(each.first) for each in parts], dtype=np.float64)
    return Counts(contradicted, corroborated, real, improvements, sizes, seed)
