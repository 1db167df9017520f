"""Pairs of instances of one group, and random sets of measures packed into bits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weps.errors import ValuesError
from weps_eval.meta.judged import checked_size
from weps_eval.stats.arrays import Flags, Ints, as_groups

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
    """Those of different texts: heterogeneity is that of s ≠ s' (EMNLP 2011, section 6).

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
