"""Bitsets over ranks: which of many instances lie below another one, measure by measure.

To find the pairs (a, b) in which b is at least as high as a in every measure, the instances a are
cut into tiles. Within a tile each measure sorts the a's, and a table holds, for every r, the
bitset of the r lowest of them. Of an instance b only its *reach* in each measure is needed, the
number of a's that are not above it: the table has the bitset of exactly those. The intersection
over the measures, 64 pairs to an instruction, leaves the a's that b dominates. Nothing is
approximated.

Tiles are cut along one measure, so most b's reach few of the tiles, and those that reach nothing
are dropped before any bit is looked at.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.ordering.ranked import Ranked

__all__ = ["Bits", "Block", "count_pairs"]

Ints = NDArray[np.int64]
Bits = NDArray[np.uint64]
"""Shape (rows, words): bit i of a row stands for instance i of the tile."""

_TILE = 2048
_ROWS = 4096
"""Rows of a block: its bitsets (1 MB) stay in the cache while the measures pass."""
_WORD = 64
_THREADS = 8
"""At most: each holds tables and reaches of its own, some 60 MB for 69 measures of 180,000."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some instances above, the rows, against one tile of instances below."""

    size: int
    """Instances of the tile."""
    reach: NDArray[np.uint16]
    """Shape (measures, rows): how many of the tile are at most as high as the row."""
    tables: tuple[Bits, ...]
    """For each measure, shape (size + 1, words): row r holds the r lowest of the tile."""

    def below(self, measure: int, rows: Any = slice(None)) -> Bits:
        """Which of the tile are at most as high as each of the rows."""
        bits: Bits = np.take(self.tables[measure], self.reach[measure, rows], axis=0, mode="clip")
        return bits

    def whole(self, measure: int) -> bool:
        """Whether every row reaches all of the tile, so that the measure divides nothing."""
        return bool((self.reach[measure] == self.size).all())


Count = Callable[[Block], Ints]
"""Shape (counts, rows): for each row, how many of the tile meet each of some conditions."""


def count_pairs(  # noqa: PLR0913, PLR0917 - two sides, what is counted, what cannot count
    ranks: Ranked,
    low_groups: Ints,
    high_groups: Ints,
    count: Count,
    filtering: int,
    misses: int = 0,
) -> Ints:
    """Add up, over all tiles and rows, what is counted, by the groups of both sides.

    Args:
        ranks: of the instances below and above.
        low_groups: shape (instances below,), from 0.
        high_groups: shape (instances above,), from 0.
        count: what to count in a block.
        filtering: how many of the measures, from the first, may rule out a row.
        misses: a row counts only if at most so many of these leave it nothing of the tile.

    Returns:
        Shape (counts, groups below, groups above).
    """
    upward = ranks.high[0].argsort(kind="stable")  # so that most blocks reach all or nothing
    ranks, high_groups = ranks.rearranged(upward), high_groups[upward]

    def work(tile: Ints) -> Ints:
        return _count_tile(ranks, tile, high_groups, count, (filtering, misses))

    tiles = list(_tiles(ranks, low_groups))
    threads = min(_THREADS, os.cpu_count() or 1)
    with ThreadPoolExecutor(threads) as pool:  # numpy lets go of the interpreter
        counted = np.stack(list(pool.map(work, tiles)))
    owners = low_groups[[tile[0] for tile in tiles]]
    total = np.zeros((low_groups.max() + 1, *counted.shape[1:]), dtype=np.int64)
    np.add.at(total, owners, counted)
    return total.swapaxes(0, 1)


def _tiles(ranks: Ranked, groups: Ints) -> Iterator[Ints]:
    """The instances below in tiles, none of two groups, each along the first measure."""
    order = np.lexsort((ranks.low[0], groups))
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    for members in np.split(order, starts[1:]):
        for start in range(0, len(members), _TILE):
            yield members[start : start + _TILE]


def _count_tile(
    ranks: Ranked, tile: Ints, high_groups: Ints, count: Count, sieve: tuple[int, int]
) -> Ints:
    """Shape (counts, groups above): what is counted against one tile."""
    low = ranks.low[:, tile]
    rows = _reaching(low, ranks.high, *sieve)
    order = low.argsort(axis=1, kind="stable")
    tables = tuple(map(_table, order))
    ordered = np.take_along_axis(low, order, axis=1)
    reach = np.empty((len(low), len(rows)), dtype=np.uint16)
    for measure, values in enumerate(ordered):
        reach[measure] = _steps(values, ranks.sizes[measure])[ranks.high[measure, rows]]
    starts = range(0, max(len(rows), 1), _ROWS)
    blocks = (Block(len(tile), reach[:, start : start + _ROWS], tables) for start in starts)
    counts = np.concatenate([count(block) for block in blocks], axis=1)
    return _by_group(counts, high_groups[rows], int(high_groups.max()) + 1)


def _reaching(low: NDArray[np.int32], high: NDArray[np.int32], filtering: int, misses: int) -> Ints:
    """The rows to which at most so many of the measures leave nothing of the tile."""
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


def _steps(ordered: NDArray[np.int32], size: int) -> NDArray[np.uint16]:
    """Shape (size,): for each rank, how many of the ordered ranks are at most as high."""
    widths = np.diff(ordered, prepend=0, append=size)
    return np.repeat(np.arange(len(widths), dtype=np.uint16), widths)


def _by_group(counts: Ints, groups: Ints, size: int) -> Ints:
    """Shape (counts, size): the rows' counts added up by the rows' groups."""
    sums = [np.bincount(groups, weights=each, minlength=size) for each in counts]
    return np.array(sums, dtype=np.int64)
