"""The preferences of measures on pairs of instances, in bits, and the heterogeneity of sets.

Of each pair a measure prefers the first instance, the second, or neither. Everything the
heterogeneity principle needs of a set of measures follows from the pairs that *some* measure of the
set ranks higher and those that some ranks lower: the set contradicts itself in those that are both,
and agrees that the first is at least as high in those that none ranks lower. Heterogeneity is how
often the measures of a set contradict one another.

A union over a set looks up eight measures at once: for each eight a table has the unions of their
256 subsets, over blocks of pairs small enough for the tables to stay in the cache.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weps.errors import ValuesError
from weps_eval.meta.heterogeneity.pairs import (
    Pairs,
    distinct_pairs,
    every_pair,
    pack_sets,
    sampled_pairs,
)
from weps_eval.stats.arrays import Bits, Floats, Ints, as_measures, pack_bits

_WORDS = 16
"""Words of a block: the tables of 64 measures take half a megabyte."""
_CELLS = 1 << 17
"""Values compared at a time: two megabytes."""
_SETS = 4096
"""Sets looked up at a time: their unions take a megabyte."""


@dataclass(frozen=True, slots=True, eq=False)
class PreferenceBlock:
    """The preferences of sets on a block of pairs."""

    higher: Bits
    """Shape (sets, words): some measure of the set calls the first instance higher."""
    lower: Bits
    words: slice
    """Which words of all they are."""
    mask: Bits
    """Shape (words,): every bit that stands for a pair."""


Count = Callable[[PreferenceBlock], Sequence[Bits]]
"""Shape (sets, words) for each count: the pairs to be counted."""


@dataclass(frozen=True, slots=True, eq=False)
class PairwisePreferences:
    """The preference of each measure on each pair; bit p of a row stands for pair p."""

    higher: Bits
    """Shape (measures, words): the first instance of the pair is higher than the second."""
    lower: Bits
    """Shape (measures, words): it is lower."""
    pairs: int

    @classmethod
    def of(cls, values: ArrayLike, pairs: Pairs) -> PairwisePreferences:
        """Compare the instances of these pairs: a bit for each measure, pair and direction.

        Args:
            values: shape (measures, instances); one measure may be given as (instances,).
            pairs: of the instances.

        Raises:
            ValuesError: if values are missing, NaN or not numbers, or there is no pair.
        """
        measures = as_measures(values)
        if not len(pairs.first):
            what = "no pairs of instances given"
            raise ValuesError(what, where="pairs", remedy="give two instances of one group")
        if max(map(np.max, pairs)) >= measures.shape[1]:
            what = f"they are not of these {measures.shape[1]:,} instances"
            raise ValuesError(what, where="pairs")
        step = max(1, _CELLS // len(pairs.first))
        blocks = (measures[start : start + step] for start in range(0, len(measures), step))
        sides = ((each[:, pairs.first], each[:, pairs.second]) for each in blocks)
        packed = [(pack_bits(one > other), pack_bits(one < other)) for one, other in sides]
        higher, lower = (np.concatenate(each) for each in zip(*packed, strict=True))
        return cls(higher, lower, len(pairs.first))

    @classmethod
    def exact(
        cls, values: ArrayLike, group: ArrayLike | None = None, text: ArrayLike | None = None
    ) -> PairwisePreferences:
        """Of every two instances of one group; n(n-1)/8 bytes for each measure.

        ``text``: see :func:`weps_eval.meta.heterogeneity.pairs.distinct_pairs`.
        """
        measures = as_measures(values)
        return cls.of(measures, distinct_pairs(every_pair(measures.shape[1], group), text))

    @classmethod
    def sampled(
        cls,
        values: ArrayLike,
        samples: int = 1000,
        group: ArrayLike | None = None,
        seed: int = 0,
        text: ArrayLike | None = None,
    ) -> PairwisePreferences:
        """Of a sample of every two, from which pairs of equal texts are left out."""
        measures = as_measures(values)
        pairs = sampled_pairs(measures.shape[1], samples, group, seed)
        return cls.of(measures, distinct_pairs(pairs, text))

    @property
    def measures(self) -> int:
        """How many measures there are."""
        return len(self.higher)

    def count(self, packed: NDArray[np.uint8], count: Count) -> Ints:
        """Shape (counts, sets): count pairs, for each of many sets of measures.

        Args:
            packed: shape (sets, bytes): bit m of a row (little endian) is set if it has measure m.
            count: what to count in a block.
        """
        blocks = [packed[start : start + _SETS] for start in range(0, len(packed) or 1, _SETS)]
        total: Any = 0
        for words, seen, tables in self._blocks():
            parts = (PreferenceBlock(*_unions(tables, block), words, seen) for block in blocks)
            bits = [np.bitwise_count(count(part)).sum(axis=2, dtype=np.int64) for part in parts]
            total = total + np.concatenate(bits, axis=1)
        return np.asarray(total, dtype=np.int64)

    def _blocks(self) -> Iterator[tuple[slice, Bits, Bits]]:
        seen = pack_bits(np.ones((1, self.pairs), dtype=np.bool_))[0]
        for start in range(0, len(seen), _WORDS):
            words = slice(start, start + _WORDS)
            both = np.stack([self.higher[:, words], self.lower[:, words]], axis=1)
            yield words, seen[words], _tables(both)


def _tables(bits: Bits) -> Bits:
    """The unions of all subsets of each eight measures.

    From shape (measures, 2, words) to (eights, 256, 2, words).
    """
    eights = -(-len(bits) // 8)
    tables = np.zeros((eights, 256, *bits.shape[1:]), dtype=np.uint64)
    for measure, own in enumerate(bits):
        table, bit = tables[measure // 8], 1 << measure % 8
        np.bitwise_or(table[:bit], own, out=table[bit : 2 * bit])
    return tables


def _unions(tables: Bits, packed: NDArray[np.uint8]) -> tuple[Bits, Bits]:
    """Shape (sets, words) each: what some measure of the set calls higher, and lower."""
    both, other = np.empty((2, len(packed), *tables.shape[2:]), dtype=np.uint64)
    both[:] = 0
    for table, subset in zip(tables, packed.T, strict=True):
        both |= np.take(table, subset, axis=0, out=other, mode="clip")
    return both[:, 0], both[:, 1]


def set_heterogeneities(preferences: PairwisePreferences, sets: ArrayLike) -> Floats:
    """H(X) = P(∃x, x' ∈ X: x(i) > x(j) ∧ x'(i) < x'(j)) over the pairs, shape (sets,).

    Amigó, Gonzalo, Giménez and Verdejo (EMNLP 2011, section 6); the same in 2012 (*SEM, section
    2.2, and the workshop on evaluation metrics, section 2). i and j are different instances of one
    group; pairs whose texts equal their references, which the papers leave out, are for the caller
    to leave out.

    Args:
        preferences: the preferences of all measures on pairs, every one or a sample.
        sets: bool, shape (sets, measures); the empty set has heterogeneity 0.

    Raises:
        ValuesError: if the sets do not fit.
    """
    members = pack_sets(sets, preferences.measures)
    return count_contradictions(preferences, members) / preferences.pairs


def count_contradictions(preferences: PairwisePreferences, members: NDArray[np.uint8]) -> Ints:
    """Shape (sets,): in how many pairs each set contradicts itself, the sets in bits."""
    counts: Ints = preferences.count(members, lambda block: [block.higher & block.lower])[0]
    return counts
