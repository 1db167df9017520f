"""Dominance: the number of pairs in which one instance is at least as high in every measure.

Two sets of instances are ranked together, as integers in the order of the values. To find the pairs
(a, b) in which b is at least as high as a in every measure, the instances a are divided into
blocks. Within a block each measure sorts the a's, and a table holds, for every r, the bitset of the
r lowest of them. For an instance b only the number of a's that are not above it is needed in each
measure: the table has the bitset of exactly those. The intersection over the measures, 64 pairs to
an instruction, leaves the a's that b dominates. Blocks are divided along one measure, so most b's
reach few of them, and those that reach none are dropped first. Nothing is sampled or approximated:
10¹⁰ pairs take seconds.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weps.errors import ValuesError
from weps_eval.stats.arrays import Bits, Ints, as_groups, as_measures


@dataclass(frozen=True, slots=True, eq=False)
class RankedInstances:
    """Ranks of the rows below and of the rows above, in each measure."""

    low: NDArray[np.int32]
    """Shape (measures, instances below)."""
    high: NDArray[np.int32]
    """Shape (measures, instances above)."""
    sizes: tuple[int, ...]
    """For each measure a number greater than all its ranks."""

    @classmethod
    def of(cls, low: NDArray[Any], high: NDArray[Any]) -> RankedInstances:
        """Rank the values of both, shapes (measures, instances), equal values alike."""
        below, above = (np.empty(each.shape, dtype=np.int32) for each in (low, high))
        sizes = []
        for measure, both in enumerate(zip(low, high, strict=True)):
            distinct, ranks = np.unique(np.concatenate(both), return_inverse=True)
            below[measure], above[measure] = np.split(ranks, [low.shape[1]])
            sizes.append(len(distinct) + 1)  # room for the shift that strictness is
        return cls(below, above, tuple(sizes))

    def only(self, measures: Sequence[int]) -> RankedInstances:
        """Some of the measures, in the order given."""
        chosen = list(measures)
        sizes = tuple(self.sizes[measure] for measure in chosen)
        return RankedInstances(self.low[chosen], self.high[chosen], sizes)

    def pairs(self, measure: int) -> int:
        """Number of pairs in which the instance below is at most as high as the one above."""
        counts = np.cumsum(np.bincount(self.low[measure], minlength=self.sizes[measure]))
        return int(counts[self.high[measure]].sum())


_BLOCK_SIZE = 2048
_ROWS = 4096
"""Rows of a block: its bitsets (1 MB) stay in the cache while the measures pass."""
_WORD = 64
_THREADS = 8
"""Most threads: each holds tables and reaches of its own, 60 MB for 69 measures of 180,000."""


@dataclass(frozen=True, slots=True, eq=False)
class BitBlock:
    """Some instances above, the rows, against one block of instances below.

    Bitsets have the shape (rows, words): bit i of a row stands for instance i of the block.
    """

    size: int
    """Instances of the block."""
    depth: NDArray[np.uint16]
    """Shape (measures, rows): how many of the block are at most as high as the row."""
    tables: tuple[Bits, ...]
    """For each measure, shape (size + 1, words): row r holds the r lowest of the block."""

    def below(self, measure: int, rows: Any = slice(None)) -> Bits:
        """Instances of the block that are at most as high as each of the rows."""
        bits: Bits = np.take(self.tables[measure], self.depth[measure, rows], axis=0, mode="clip")
        return bits


Count = Callable[[BitBlock], Ints]
"""Shape (counts, rows): for each row, how many of the block meet each of some conditions."""


def count_pairs(  # noqa: PLR0913, PLR0917 - two sides, what is counted, what cannot count
    ranks: RankedInstances,
    low_groups: Ints,
    high_groups: Ints,
    count: Count,
    filtering: int,
    misses: int = 0,
) -> Ints:
    """Add up, over all blocks and rows, what is counted, by the groups of both sides.

    Args:
        ranks: of the instances below and above.
        low_groups: shape (instances below,), from 0.
        high_groups: shape (instances above,), from 0.
        count: what to count in a block.
        filtering: how many of the measures, from the first, may rule out a row.
        misses: a row counts only if at most so many of these leave it nothing of the block.

    Returns:
        Shape (counts, groups below, groups above).
    """
    upward = ranks.high[0].argsort(kind="stable")  # so that most blocks reach all or nothing
    ranks, high_groups = replace(ranks, high=ranks.high[:, upward]), high_groups[upward]

    blocks = list(_split_instances(ranks, low_groups))
    with ThreadPoolExecutor(min(_THREADS, os.cpu_count() or 1)) as pool:  # numpy frees the GIL
        work = partial(_count_block, ranks, high_groups, count, (filtering, misses))
        counted = np.stack(list(pool.map(work, blocks)))
    owners = low_groups[[block[0] for block in blocks]]
    total = np.zeros((low_groups.max() + 1, *counted.shape[1:]), dtype=np.int64)
    np.add.at(total, owners, counted)
    return total.swapaxes(0, 1)


def _split_instances(ranks: RankedInstances, groups: Ints) -> Iterator[Ints]:
    """The instances below in blocks, none of two groups, each along the first measure."""
    order = np.lexsort((ranks.low[0], groups))
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    for members in np.split(order, starts[1:]):
        for start in range(0, len(members), _BLOCK_SIZE):
            yield members[start : start + _BLOCK_SIZE]


def _count_block(
    ranks: RankedInstances, high_groups: Ints, count: Count, sieve: tuple[int, int], members: Ints
) -> Ints:
    """Shape (counts, groups above): what is counted against one block."""
    low = ranks.low[:, members]
    rows = _reaching_rows(low, ranks.high, *sieve)
    order = low.argsort(axis=1, kind="stable")
    tables = tuple(map(_table, order))
    ordered = np.take_along_axis(low, order, axis=1)
    reach = np.empty((len(low), len(rows)), dtype=np.uint16)
    for measure, values in enumerate(ordered):
        widths = np.diff(values, prepend=0, append=ranks.sizes[measure])
        at_most = np.repeat(np.arange(len(widths), dtype=np.uint16), widths)  # for each rank
        reach[measure] = at_most[ranks.high[measure, rows]]
    starts = range(0, max(len(rows), 1), _ROWS)
    blocks = (BitBlock(len(members), reach[:, start : start + _ROWS], tables) for start in starts)
    counts = np.concatenate([count(block) for block in blocks], axis=1)
    groups, size = high_groups[rows], int(high_groups.max()) + 1
    sums = [np.bincount(groups, weights=each, minlength=size) for each in counts]
    return np.array(sums, dtype=np.int64)


def _reaching_rows(
    low: NDArray[np.int32], high: NDArray[np.int32], filtering: int, misses: int
) -> Ints:
    """The rows to which at most so many of the measures leave nothing of the block."""
    rows = np.arange(high.shape[1])
    missed = np.zeros(len(rows), dtype=np.uint16)
    for measure in range(filtering):
        missed += high[measure, rows] < low[measure].min()
        kept = missed <= misses
        if not kept.all():
            rows, missed = rows[kept], missed[kept]
    return rows


def _table(order: Ints) -> Bits:
    """The bitsets of the first r in the order, for every r: shape (size + 1, words)."""
    table = np.zeros((len(order) + 1, -(-len(order) // _WORD)), dtype=np.uint64)
    bit = np.uint64(1) << (order % _WORD).astype(np.uint64)
    table[np.arange(1, len(order) + 1), order // _WORD] = bit
    return np.bitwise_or.accumulate(table, axis=0, out=table)


class Comparisons:
    """All comparisons of an instance below with an instance above."""

    def __init__(
        self,
        low: ArrayLike,
        high: ArrayLike,
        low_groups: ArrayLike | None = None,
        high_groups: ArrayLike | None = None,
        *,
        strict: bool = False,
    ) -> None:
        """Rank the instances.

        Args:
            low: shape (measures, instances below).
            high: shape (measures, instances above), the same measures.
            low_groups: shape (instances below,), whole numbers from 0; None for one group.
            high_groups: shape (instances above,), likewise.
            strict: whether a tie in a measure counts as not dominated.

        Raises:
            ValuesError: if the arrays do not fit together, or hold NaN.
        """
        below, above = as_measures(low, "instances below"), as_measures(high, "instances above")
        if len(below) != len(above):
            raise ValuesError(f"{len(below)} measures below and {len(above)} above do not match")
        ranks = RankedInstances.of(below, above)
        self._ranks = replace(ranks, low=ranks.low + np.int32(strict))
        self._groups = (
            as_groups(low_groups, below.shape[1], "groups below"),
            as_groups(high_groups, above.shape[1], "groups above"),
        )

    @property
    def total(self) -> Ints:
        """Shape (groups below, groups above): how many pairs there are."""
        below, above = (np.bincount(groups).astype(np.int64) for groups in self._groups)
        return np.asarray(np.multiply.outer(below, above))

    @property
    def measures(self) -> int:
        """Number of measures."""
        return len(self._ranks.sizes)

    def dominated(self, measures: Sequence[int] | None = None) -> Ints:
        """Shape (groups below, groups above): pairs low ≤ high in all of these measures.

        None stands for every measure.
        """
        order = self._sorted(range(self.measures) if measures is None else measures)
        ranks = self._ranks.only(order)
        return np.asarray(count_pairs(ranks, *self._groups, _dominated, filtering=len(order))[0])

    def extended(self, base: Sequence[int], others: Sequence[int]) -> Ints:
        """Shape (others, groups below, groups above): pairs low ≤ high in the base and this one."""
        if not base:
            return np.stack([self.dominated([other]) for other in others])
        ranks = self._ranks.only([*self._sorted(base), *others])
        count = partial(_extended, base=len(base))
        return count_pairs(ranks, *self._groups, count, filtering=len(base))

    def all_but_one(self) -> Ints:
        """Shape (measures, groups below, groups above): pairs low ≤ high in all but this one."""
        order = self._sorted(range(self.measures))
        ranks = self._ranks.only(order)
        counts = count_pairs(ranks, *self._groups, _all_but_one, filtering=self.measures, misses=1)
        return counts[np.argsort(order)]

    def _sorted(self, measures: Sequence[int]) -> list[int]:
        """The measures, those first that leave fewest pairs: the others have less to do."""
        return sorted(measures, key=self._ranks.pairs)


def _dominated(block: BitBlock) -> Ints:
    """Shape (1, rows): how many of the block are below the row in every measure."""
    dividing = _dividing_measures(block, len(block.tables))
    if len(dividing) == 1:
        return block.depth[dividing].astype(np.int64)
    bits, rows = _intersection(block, dividing)
    return _spread_counts(block, rows, [bits])


def _extended(block: BitBlock, base: int) -> Ints:
    """Shape (measures after the base, rows): those below in all of the base and in one more."""
    bits, rows = _intersection(block, _dividing_measures(block, base))
    others = range(base, len(block.tables))
    return _spread_counts(block, rows, (bits & block.below(other, rows) for other in others))


def _all_but_one(block: BitBlock) -> Ints:
    """Shape (measures, rows): those below in every measure but this one."""
    dividing = _dividing_measures(block, len(block.tables))
    every = block.below(dividing[0])
    one_missing = ~every & block.tables[0][-1]
    for measure in dividing[1:]:
        below = block.below(measure)
        one_missing = one_missing & below | every & ~below
        every &= below
    counts = np.zeros(block.depth.shape, dtype=np.int64)
    rows = np.flatnonzero(one_missing.any(axis=1))
    bits = (one_missing[rows] & ~block.below(measure, rows) for measure in dividing)
    counts[dividing] = _spread_counts(block, rows, bits)
    return counts


def _dividing_measures(block: BitBlock, number: int) -> list[int]:
    """First measures in which not all of the block are below all rows, or one."""
    return np.flatnonzero((block.depth[:number] < block.size).any(axis=1)).tolist() or [0]


def _intersection(block: BitBlock, measures: Sequence[int]) -> tuple[Bits, Ints]:
    """Counts below in all measures for the rows that have any, and these rows."""
    rows = np.arange(block.depth.shape[1])
    bits = block.below(measures[0])
    for number, measure in enumerate(measures[1:], start=1):
        bits &= block.below(measure, rows)
        if number & (number - 1) == 0:  # after 1, 2, 4, 8, … measures
            some = bits.any(axis=1)
            rows, bits = rows[some], bits[some]
    return bits, rows


def _spread_counts(block: BitBlock, rows: Ints, several: Iterable[Bits]) -> Ints:
    """Shape (several, rows of the block): how many bits are set, 0 in the rows left out."""
    counted = [np.bitwise_count(bits).sum(axis=1, dtype=np.int64) for bits in several]
    counts = np.zeros((len(counted), block.depth.shape[1]), dtype=np.int64)
    counts[:, rows] = counted
    return counts
