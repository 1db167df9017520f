"""Sets of measures: dominance, search by MaxPWA, and the gain of each measure.

MaxPWA counts the comparisons that at least one measure gets right; the others are the pairs in
which one instance, of the negatives, *dominates* another, of the positives: it is at least as high
in every measure. As a measure never adds more to a larger set than to a smaller one (MaxPWA is
submodular), an earlier gain of it is an upper bound of its current gain. Both searches skip what
the bounds rule out; results are those of trying everything.

To find the pairs (a, b) in which b dominates a, both sets of instances are ranked together, as
integers in the order of the values, and the a's are divided into blocks. Within a block each
measure sorts the a's, and a table holds, for every r, the bitset of the r lowest of them. For an
instance b only the number of a's that are not above it is needed in each measure: the table has the
bitset of exactly those. The intersection over the measures, 64 pairs to an instruction, leaves the
a's that b dominates. Blocks are divided along one measure, so most b's reach few of them, and those
that reach none are dropped first. Nothing is sampled or approximated: 10¹⁰ pairs take seconds.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weps.errors import ValuesError
from weps_eval.stats.arrays import Bits, Ints, as_groups, as_measures
from weps_eval.stats.estimate import PairCounts

_BLOCK_SIZE = 2048
_ROWS = 4096
"""Rows of a block: its bitsets (1 MB) stay in the cache while the measures pass."""
_WORD = 64
_THREADS = 8
"""Most threads: each holds tables and reaches of its own, 60 MB for 69 measures of 180,000."""
_BATCH = 8
"""Measures tried in one pass over the comparisons."""


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
        """Rank the instances of both sides together, equal values alike.

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
        self._low_groups = as_groups(low_groups, below.shape[1], "groups below")
        self._high_groups = as_groups(high_groups, above.shape[1], "groups above")
        self._low, self._high = (np.empty(each.shape, np.int32) for each in (below, above))
        self._ends: list[int] = []  # above the ranks of each measure
        for measure, both in enumerate(zip(below, above, strict=True)):
            distinct, ranks = np.unique(np.concatenate(both), return_inverse=True)
            self._low[measure], self._high[measure] = np.split(ranks, [below.shape[1]])
            self._ends.append(len(distinct) + 1)  # room for the shift that strictness is
        self._low += np.int32(strict)

    @property
    def total(self) -> Ints:
        """Shape (groups below, groups above): how many pairs there are."""
        below, above = (np.bincount(each) for each in (self._low_groups, self._high_groups))
        return np.asarray(np.multiply.outer(below, above), dtype=np.int64)

    @property
    def measures(self) -> int:
        """Number of measures."""
        return len(self._ends)

    def dominated(self, measures: Sequence[int] | None = None) -> Ints:
        """Shape (groups below, groups above): pairs low ≤ high in all of these measures.

        None stands for every measure.
        """
        order = self._sorted(range(self.measures) if measures is None else measures)
        return np.asarray(self._count(order, _dominated, filtering=len(order))[0])

    def extended(self, base: Sequence[int], others: Sequence[int]) -> Ints:
        """Shape (others, groups below, groups above): pairs low ≤ high in the base and this one."""
        if not base:
            return np.stack([self.dominated([other]) for other in others])
        count = partial(_extended, base=len(base))
        return self._count([*self._sorted(base), *others], count, filtering=len(base))

    def all_but_one(self) -> Ints:
        """Shape (measures, groups below, groups above): pairs low ≤ high in all but this one."""
        order = self._sorted(range(self.measures))
        counts = self._count(order, _all_but_one, filtering=self.measures, misses=1)
        return counts[np.argsort(order)]

    def _sorted(self, measures: Sequence[int]) -> list[int]:
        """The measures, those first that leave fewest pairs: the others have less to do."""

        def pairs(measure: int) -> int:
            counts = np.bincount(self._low[measure], minlength=self._ends[measure])
            return int(counts.cumsum()[self._high[measure]].sum())

        return sorted(measures, key=pairs)

    def _count(
        self, measures: Sequence[int], count: Count, filtering: int, misses: int = 0
    ) -> Ints:
        """Add up, over blocks below and all rows above, what is counted, by the groups of both.

        Args:
            measures: in which order.
            count: what to count in a block.
            filtering: how many of the measures, from the first, may rule out a row.
            misses: a row counts only if at most so many of these leave it nothing of the block.

        Returns:
            Shape (counts, groups below, groups above).
        """
        chosen = list(measures)
        below, above = self._low[chosen], self._high[chosen]
        upward = above[0].argsort(kind="stable")  # so that most blocks reach all or nothing
        above, high_groups = above[:, upward], self._high_groups[upward]

        def count_block(members: Ints) -> Ints:
            """Shape (counts, groups above): what is counted against one block."""
            low = below[:, members]
            rows = _reaching_rows(low, above, filtering, misses)
            order = low.argsort(axis=1, kind="stable")
            ordered = np.take_along_axis(low, order, axis=1)
            reach = np.empty((len(low), len(rows)), dtype=np.uint16)
            for number, values in enumerate(ordered):
                widths = np.diff(values, prepend=0, append=self._ends[chosen[number]])
                at_most = np.repeat(np.arange(len(widths), dtype=np.uint16), widths)  # of each rank
                reach[number] = at_most[above[number, rows]]
            tables = tuple(map(_table, order))
            starts = range(0, max(len(rows), 1), _ROWS)
            parts = (BitBlock(len(members), reach[:, at : at + _ROWS], tables) for at in starts)
            counts = np.concatenate([count(part) for part in parts], axis=1)
            groups, size = high_groups[rows], int(high_groups.max()) + 1
            sums = [np.bincount(groups, weights=each, minlength=size) for each in counts]
            return np.array(sums, dtype=np.int64)

        # Blocks of the instances below, none of two groups, each along the first measure.
        order = np.lexsort((below[0], self._low_groups))
        starts = np.flatnonzero(np.diff(self._low_groups[order], prepend=-1))
        blocks = [
            members[at : at + _BLOCK_SIZE]
            for members in np.split(order, starts[1:])
            for at in range(0, len(members), _BLOCK_SIZE)
        ]
        with ThreadPoolExecutor(min(_THREADS, os.cpu_count() or 1)) as pool:  # numpy frees the GIL
            counted = np.stack(list(pool.map(count_block, blocks)))
        owners = self._low_groups[[block[0] for block in blocks]]
        total = np.zeros((self._low_groups.max() + 1, *counted.shape[1:]), dtype=np.int64)
        np.add.at(total, owners, counted)
        return total.swapaxes(0, 1)


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


class Step(NamedTuple):
    """One measure more."""

    measure: int
    max_pwa: float
    """MaxPWA of the measures up to and including this one."""
    gain: float
    """Gain by this measure."""


def greedy_subsets(
    positives: ArrayLike, negatives: ArrayLike, size: int | None = None
) -> list[Step]:
    """Add, one after another, the measure with which MaxPWA is highest; the first one if tied.

    Reaches at least 1 − 1/e of the best subset's MaxPWA (Nemhauser, Wolsey and Fisher 1978).

    Args:
        positives: shape (measures, positives).
        negatives: shape (measures, negatives).
        size: how many measures to add; None for all.

    Raises:
        ValuesError: as :func:`weps_eval.ranking.pwa.max_pwa`.
    """
    compared = Comparisons(positives, negatives)
    failed = total = int(compared.total.sum())
    steps: list[Step] = []
    chosen = _greedy_choice(compared, compared.measures if size is None else size)
    for measure, failing in chosen:
        steps.append(Step(measure, 1 - failing / total, (failed - failing) / total))
        failed = failing
    return steps


def best_subset(positives: ArrayLike, negatives: ArrayLike, size: int) -> tuple[int, ...]:
    """The measures, in ascending order, of the subset of that size with the highest MaxPWA.

    It is found by branch and bound. Of several equally good ones it is the one that greedy search
    finds, else the first found.

    Args:
        positives: shape (measures, positives).
        negatives: shape (measures, negatives).
        size: how many measures, from 1 to all.

    Raises:
        ValuesError: as :func:`greedy_subsets`.
    """
    compared = Comparisons(positives, negatives)
    chosen = list(_greedy_choice(compared, size))
    best, fewest = tuple(sorted(measure for measure, _ in chosen)), chosen[-1][1]

    def extend(members: tuple[int, ...], failed: int, rest: Ints, gain: Ints) -> None:
        """Try the subsets that add to the members some of the rest, whose gains are known."""
        nonlocal best, fewest
        wanted = size - len(members)
        for place in np.argsort(-gain, kind="stable").tolist():
            measure, failing = int(rest[place]), failed - int(gain[place])
            extended = (*members, measure)
            if wanted == 1:  # none of the others gains more
                if failing < fewest:
                    best, fewest = extended, failing
                return
            later = rest > measure  # each subset is reached by its members in ascending order
            others = int(np.sort(gain[later])[::-1][: wanted - 2].sum())
            promising = rest[later][gain[later] > failing - others - fewest]
            if len(promising) >= wanted - 1:
                gains = failing - _failing(compared, extended, promising.tolist())
                extend(extended, failing, promising, gains)

    total, every = int(compared.total.sum()), np.arange(compared.measures)
    extend((), total, every, total - _failing(compared, [], every.tolist()))
    return best


def gain_counts(
    positives: ArrayLike,
    negatives: ArrayLike,
    positive_groups: ArrayLike | None = None,
    negative_groups: ArrayLike | None = None,
) -> list[PairCounts]:
    """For each measure the comparisons that it alone decides right, by groups.

    Their pooled share is how much MaxPWA falls if this measure is taken away from all.
    """
    compared = Comparisons(positives, negatives, positive_groups, negative_groups)
    total = compared.total
    return [PairCounts.of(alone, total) for alone in compared.all_but_one()]


def _greedy_choice(compared: Comparisons, size: int) -> Iterator[tuple[int, int]]:
    """The measures that greedy search adds, and how many comparisons still fail with each.

    Lazy evaluation (Minoux 1978): a measure is tried again only while the bound of what it adds
    leads the field.
    """
    chosen: list[int] = []
    failed = int(compared.total.sum())
    bounds = dict.fromkeys(range(compared.measures), failed)

    def rank(measure: int) -> tuple[int, int]:
        return -bounds[measure], measure

    for _ in range(size):
        tried: set[int] = set()
        field = sorted(bounds, key=rank)
        while field[0] not in tried:
            batch = [measure for measure in field[:_BATCH] if measure not in tried]
            failing = _failing(compared, chosen, batch)
            bounds.update(zip(batch, (failed - failing).tolist(), strict=True))
            tried.update(batch)
            field = sorted(bounds, key=rank)
        failed -= bounds.pop(field[0])
        chosen.append(field[0])
        yield field[0], failed


def _failing(compared: Comparisons, base: Sequence[int], others: Sequence[int]) -> Ints:
    """Shape (others,): comparisons that neither the base nor this other measure decides right."""
    return np.asarray(compared.extended(base, others).sum(axis=(1, 2)))
