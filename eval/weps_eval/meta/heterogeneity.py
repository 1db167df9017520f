"""The heterogeneity of sets of measures, by their preferences on pairs of instances, in bits.

Amigó, Gonzalo, Giménez and Verdejo (EMNLP 2011; *SEM 2012) and Amigó, Gonzalo and Verdejo
(workshop on evaluation metrics for summarization, NAACL 2012). Measures are rows and instances
columns; pairs of instances are compared within their groups, topics or test sets.

Of each pair a measure prefers the first instance, the second, or neither. Everything the
heterogeneity principle needs of a set of measures follows from the pairs that *some* measure of the
set ranks higher and those that some ranks lower: the set contradicts itself in those that are both,
and agrees that the first is at least as high in those that none ranks lower. Heterogeneity is how
often the measures of a set contradict one another.

A union over a set looks up eight measures at once: for each eight a table has the unions of their
256 subsets, over blocks of pairs small enough for the tables to stay in the cache.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weps.errors import ValuesError
from weps_eval.meta.judged import checked_size
from weps_eval.stats.arrays import Bits, Flags, Floats, Ints, as_groups, as_measures, pack_bits

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
        """Preferences on every two instances of a group; n(n-1)/8 bytes for each measure.

        ``text``: see :func:`weps_eval.meta.heterogeneity.distinct_pairs`.
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
        """Preferences on a sample of all pairs, without pairs of equal texts."""
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


_CHUNK = 1 << 18
"""Ordered pairs at a time: with 300 measures about a second's work."""


class Pairs(NamedTuple):
    """Instances in pairs, both of shape (pairs,)."""

    first: Ints
    second: Ints


def every_pair(size: int, group: ArrayLike | None = None) -> Pairs:
    """Each two instances of one group, once.

    Args:
        size: how many instances there are.
        group: shape (instances,), whole numbers from 0, in the papers the topic, as they compare
            what is compared with the same reference; None for one group.

    Raises:
        ValuesError: if the groups do not fit.
    """
    within = _Within(size, group)
    return within.unordered(np.arange(within.pairs))


def distinct_pairs(pairs: Pairs, text: ArrayLike | None) -> Pairs:
    """Pairs of different texts: heterogeneity is that of s ≠ s' (EMNLP 2011, section 6).

    Args:
        pairs: of the instances.
        text: shape (instances,), the same number for equal texts; None if all differ.
    """
    if text is None:
        return pairs
    numbers = np.asarray(text)
    apart = numbers[pairs.first] != numbers[pairs.second]
    return Pairs(pairs.first[apart], pairs.second[apart])


def sampled_pairs(
    size: int, samples: int = 1000, group: ArrayLike | None = None, seed: int = 0
) -> Pairs:
    """So many different ones of :func:`every_pair`, each as likely as the other; all, if too few.

    The 2012 papers take 1,000 and 10,000 and leave open how; sampled without replacement, the
    estimate is exact as soon as there are no more pairs than samples.

    Raises:
        ValuesError: if the groups do not fit, or there is to be no sample.
    """
    if samples < 1:
        raise ValuesError(f"{samples} samples are none", where="samples")
    within = _Within(size, group)
    if within.pairs <= samples:
        return within.unordered(np.arange(within.pairs))
    sample = np.random.default_rng(seed).choice(within.pairs, samples, replace=False, shuffle=False)
    return within.unordered(np.sort(sample))


def ordered_pairs(size: int, group: ArrayLike | None = None) -> Iterator[Pairs]:
    """Each two instances of one group, both ways round, many at a time.

    Raises:
        ValuesError: if the groups do not fit.
    """
    within = _Within(size, group)
    for start in range(0, 2 * within.pairs, _CHUNK):
        yield within.ordered(np.arange(start, min(start + _CHUNK, 2 * within.pairs)))


def rival_pairs(
    size: int, rivals: int, group: ArrayLike | None = None, seed: int = 0
) -> Iterator[Pairs]:
    """Each instance with so many others of its group, or all of them, many pairs at a time.

    All instances of a group have the same rivals, sampled without replacement; one that is sampled
    has itself left out. For the same number of comparisons that orders a group better than rivals
    sampled for each instance.

    Raises:
        ValuesError: if the groups do not fit, or there are to be fewer than two rivals: one alone
            would have none.
    """
    if rivals < 2:
        raise ValuesError(f"{rivals} rivals are too few", where="rivals", remedy="give two or more")
    groups, generator = as_groups(group, size, "group"), np.random.default_rng(seed)
    for number in np.unique(groups):
        members = np.flatnonzero(groups == number)
        chosen = members
        if len(members) > rivals:
            chosen = np.sort(generator.choice(members, rivals, replace=False))
        step = max(1, _CHUNK // len(chosen))
        for start in range(0, len(members), step):
            part = members[start : start + step]
            first, second = np.repeat(part, len(chosen)), np.tile(chosen, len(part))
            apart = first != second
            if apart.any():
                yield Pairs(first[apart], second[apart])


class _Within:
    """The instances group after group; pairs are numbered by the place of their second one."""

    def __init__(self, size: int, group: ArrayLike | None) -> None:
        groups = as_groups(group, size, "group")
        self._order = np.argsort(groups, kind="stable")
        sizes = np.bincount(groups)
        starts = np.cumsum(sizes) - sizes
        self._start = np.repeat(starts, sizes)
        self._others = np.repeat(sizes - 1, sizes)
        self._place = np.arange(size) - self._start
        self._ends = np.cumsum(self._place)
        self._ordered_ends = np.cumsum(self._others)
        self.pairs = int(self._place.sum())

    def unordered(self, numbers: Ints) -> Pairs:
        """An instance is paired with those before it in its group."""
        second = np.searchsorted(self._ends, numbers, side="right")
        before = numbers - (self._ends - self._place)[second]
        return Pairs(self._order[self._start[second] + before], self._order[second])

    def ordered(self, numbers: Ints) -> Pairs:
        """An instance is paired with all others of its group."""
        first = np.searchsorted(self._ordered_ends, numbers, side="right")
        other = numbers - (self._ordered_ends - self._others)[first]
        other += other >= self._place[first]  # not with itself
        return Pairs(self._order[first], self._order[self._start[first] + other])


def as_sets(members: Iterable[Sequence[int]], measures: int) -> Flags:
    """Shape (sets, measures): which of the measures each set has, given their numbers.

    Raises:
        ValuesError: if there is no measure of that number.
    """
    listed = [list(each) for each in members]
    sets = np.zeros((len(listed), measures), dtype=np.bool_)
    for row, numbers in zip(sets, listed, strict=True):
        unknown = [number for number in numbers if not 0 <= number < measures]
        if unknown:
            what = f"measure {unknown[0]} is out of range: expected 0 to {measures - 1}"
            raise ValuesError(what, where="sets")
        row[numbers] = True
    return sets


def pairs_of_measures(measures: int) -> Flags:
    """Shape (n(n-1)/2, measures): every two measures, (0, 1), (0, 2), …, (1, 2), …."""
    return as_sets(combinations(range(measures), 2), measures)


def random_sets(measures: int, sizes: Iterable[int], each: int, seed: int = 0) -> Flags:
    """So many different sets of each size, or all there are if these are no more.

    For reliability against heterogeneity the 2011 paper takes sizes 2, 3, 5, 10, 20 and 40, how
    many it does not state.

    Raises:
        ValuesError: if a size is less than 1 or more than the measures.
    """
    generator = np.random.default_rng(seed)
    chosen: list[tuple[int, ...]] = []
    for size in sizes:
        chosen += _some(measures, checked_size(size, measures, "sizes"), each, generator)
    return as_sets(chosen, measures)


def pack_sets(sets: ArrayLike, measures: int) -> NDArray[np.uint8]:
    """Shape (sets, bytes): the sets in bits, little endian.

    Raises:
        ValuesError: if they are not truth values of shape (sets, measures).
    """
    array = np.asarray(sets)
    if array.dtype != np.bool_ or array.ndim != 2 or array.shape[1] != measures:
        what = (
            f"expected bool of shape (sets, {measures}), got {array.dtype} of shape {array.shape}"
        )
        raise ValuesError(what, where="sets", remedy="give truth values, sets × measures")
    return np.packbits(array, axis=1, bitorder="little")


def _some(
    measures: int, size: int, each: int, generator: np.random.Generator
) -> list[tuple[int, ...]]:
    if comb(measures, size) <= each:
        return list(combinations(range(measures), size))
    found: dict[tuple[int, ...], None] = {}
    while True:  # the sample after the last is taken too: those of the next size depend on it
        sample = tuple(sorted(generator.choice(measures, size, replace=False).tolist()))
        if len(found) == each:
            return list(found)
        found[sample] = None
