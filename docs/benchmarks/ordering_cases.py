"""What the benchmark of the ordering kernel works on, and how one case of it is measured."""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docs.benchmarks.scoring import timed
from weps_eval.ranking.pwa import Redundancy
from weps_eval.tables.files import read_instances

Values = NDArray[np.floating[Any]]
_UNIT = 1e-6 if sys.platform == "darwin" else 1.024e-3  # MB: Linux counts in KiB
_ROWS = 64
"""Rows that the brute force compares at once: their truth values stay in the cache."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one case took."""

    wall: float
    """Seconds."""
    cpu: float
    """Seconds, of all threads."""
    peak: float
    """Most MB held by the process, libraries and data included."""
    result: Any


@dataclass(frozen=True, slots=True)
class MadeUp:
    """Made-up values of positive and negative instances, the same every time.

    The measures share a hidden truth. Positives are 0.8 standard deviations higher. A sparse
    measure is cut off at one deviation above the negatives' mean, below which it is 0: 84 % of
    the negatives and 58 % of the positives are tied there.
    """

    positives: int
    negatives: int
    measures: int
    correlation: float = 0.7
    sparse_every: int = 3
    """Every how many measures one is sparse."""

    @property
    def compared(self) -> int:
        """Comparisons × measures."""
        return self.positives * self.negatives * self.measures

    def scaled(self, scale: int) -> MadeUp:
        """The same with so many times fewer instances."""
        return replace(self, positives=self.positives // scale, negatives=self.negatives // scale)

    def sides(self) -> tuple[Values, Values]:
        """Shapes (measures, positives) and (measures, negatives), float32."""
        generator = np.random.default_rng(0)
        return self._side(generator, self.positives, 0.8), self._side(generator, self.negatives, 0)

    def grouped(self, groups: int) -> tuple[NDArray[Any], ...]:
        """The same with the group of each positive and of each negative."""
        generator = np.random.default_rng(1)
        owners = (generator.integers(0, groups, n) for n in (self.positives, self.negatives))
        return *self.sides(), *owners

    def first(self, groups: int = 0) -> tuple[NDArray[Any], ...]:
        """As one of these, of the first measure alone, which is sparse."""
        positives, negatives, *owners = self.grouped(groups) if groups else self.sides()
        return positives[0], negatives[0], *owners

    def _side(self, generator: np.random.Generator, size: int, shift: float) -> Values:
        truth = generator.standard_normal(size, dtype=np.float32)
        values = np.empty((self.measures, size), dtype=np.float32)
        generator.standard_normal(out=values, dtype=np.float32)
        values *= np.float32(np.sqrt(1 - self.correlation))  # in place: data hold no peak
        values += np.float32(np.sqrt(self.correlation)) * truth + np.float32(shift)
        sparse = values[:: self.sparse_every]
        sparse -= 1
        np.maximum(sparse, 0, out=sparse)
        return values


def two_measures(instances: int, ties: bool, groups: int = 0) -> tuple[NDArray[Any], ...]:
    """Two measures, correlated by 0.7; with ties half of each is 0, the rest of 300 values."""
    generator = np.random.default_rng(2)
    base = generator.standard_normal(instances)
    both = np.stack([base, 0.7 * base + np.sqrt(0.51) * generator.standard_normal(instances)])
    owners = [generator.integers(0, groups, instances)] if groups else []
    return *(np.maximum(both.round(2), 0) if ties else both), *owners


def of_table(path: Path) -> tuple[Values, Values]:
    """The instances of a table, positive and negative, those of cosine and overlap left out."""
    read = read_instances(path).instances
    kept = [not name.startswith(("cosine(", "overlap(")) for name in read.measures]
    values = read.values[kept]
    return values[:, read.positive], values[:, ~read.positive]


def alone(work: Callable[..., Any], make: Callable[[], Sequence[Any]], *, rounds: int = 1) -> Cost:
    """The cost of the work on what is made for it, in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measured, work, make, rounds).result()


def measured(work: Callable[..., Any], make: Callable[[], Sequence[Any]], rounds: int) -> Cost:
    """The cost in this process; making the data takes none of the time."""
    wall, cpu, result = timed(partial(work, *make()), rounds=rounds)
    return Cost(wall, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT, result)


def brute_max_pwa(positives: Values, negatives: Values) -> float:
    """MaxPWA by comparing all with all, some rows at a time."""
    failed = np.empty((_ROWS, negatives.shape[1]), dtype=np.bool_)
    failing, fails = np.empty_like(failed), 0
    for start in range(0, positives.shape[1], _ROWS):
        rows = positives[:, start : start + _ROWS, np.newaxis]
        size = rows.shape[1]
        np.less_equal(rows[0], negatives[0], out=failed[:size])
        for ours, theirs in zip(rows[1:], negatives[1:], strict=True):
            failed[:size] &= np.less_equal(ours, theirs, out=failing[:size])
        fails += np.count_nonzero(failed[:size])
    total = positives.shape[1] * negatives.shape[1]
    return (total - fails) / total


def brute_redundancy(base: Values, other: Values) -> Redundancy:
    """Redundancy by comparing all with all, some rows at a time; every pair is seen twice."""
    same = opposite = tied = 0
    for start in range(0, len(base), _ROWS):
        rows = slice(start, start + _ROWS)
        ranked = base[rows, np.newaxis] < base
        same += np.count_nonzero(ranked & (other[rows, np.newaxis] < other))
        opposite += np.count_nonzero(ranked & (other[rows, np.newaxis] > other))
        tied += np.count_nonzero(ranked & (other[rows, np.newaxis] == other))
    return Redundancy(same, opposite, tied, len(base) * (len(base) - 1) // 2)
