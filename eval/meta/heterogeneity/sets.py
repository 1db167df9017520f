"""Sets of measures: all pairs, random ones, and their packing into bits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weps.errors import ValuesError

__all__ = ["as_sets", "members", "packed", "random_sets", "two_by_two"]

Sets = NDArray[np.bool_]


def as_sets(members: Iterable[Sequence[int]], measures: int) -> Sets:
    """Shape (sets, measures): which of the measures each set has, given their numbers.

    Raises:
        ValuesError: if there is no measure of that number.
    """
    listed = [list(each) for each in members]
    sets = np.zeros((len(listed), measures), dtype=np.bool_)
    for row, numbers in zip(sets, listed, strict=True):
        unknown = [number for number in numbers if not 0 <= number < measures]
        if unknown:
            what = f"there is no measure {unknown[0]} among {measures}, numbered from 0"
            raise ValuesError(what, where="sets")
        row[numbers] = True
    return sets


def members(sets: Sets) -> list[tuple[int, ...]]:
    """The numbers of the measures of each set, ascending."""
    return [tuple(np.flatnonzero(row).tolist()) for row in sets]


def two_by_two(measures: int) -> Sets:
    """Shape (n(n-1)/2, measures): every two measures, (0, 1), (0, 2), …, (1, 2), …."""
    return as_sets(combinations(range(measures), 2), measures)


def random_sets(measures: int, sizes: Iterable[int], each: int, seed: int = 0) -> Sets:
    """So many different sets of each size, or all there are if these are no more.

    For reliability against heterogeneity the 2011 paper takes sizes 2, 3, 5, 10, 20 and 40, how
    many it does not say.

    Raises:
        ValuesError: if a size is less than 1 or more than the measures.
    """
    generator = np.random.default_rng(seed)
    chosen: list[tuple[int, ...]] = []
    for size in sizes:
        if not 1 <= size <= measures:
            raise ValuesError(f"there is no set of {size} among {measures} measures", where="sizes")
        chosen += _some(measures, size, each, generator)
    return as_sets(chosen, measures)


def packed(sets: ArrayLike, measures: int) -> NDArray[np.uint8]:
    """Shape (sets, bytes): the sets in bits, little endian.

    Raises:
        ValuesError: if they are no truth values of shape (sets, measures).
    """
    array = np.asarray(sets)
    if array.dtype != np.bool_ or array.ndim != 2 or array.shape[1] != measures:
        what = f"shape {array.shape} and type {array.dtype} are no sets of {measures} measures"
        raise ValuesError(what, where="sets", remedy="give truth values, sets × measures")
    return np.packbits(array, axis=1, bitorder="little")


def _some(
    measures: int, size: int, each: int, generator: np.random.Generator
) -> list[tuple[int, ...]]:
    if comb(measures, size) <= each:
        return list(combinations(range(measures), size))
    found: dict[tuple[int, ...], None] = {}
    for drawn in _draws(measures, size, generator):
        if len(found) == each:
            break
        found[drawn] = None
    return list(found)


def _draws(measures: int, size: int, generator: np.random.Generator) -> Iterator[tuple[int, ...]]:
    while True:
        drawn = generator.choice(measures, size, replace=False)
        yield tuple(sorted(drawn.tolist()))
