"""Dominance: in how many pairs one instance is at least as high as the other in every measure.

The one count behind everything that compares instances by several measures at once. Nothing is
sampled or approximated; :mod:`eval.ordering.tiles` says how 10¹⁰ pairs are looked at in seconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.ordering.ranked import Ranked
from eval.ordering.tiles import Bits, Block, count_pairs
from eval.ordering.values import as_groups, as_measures
from weps.errors import ValuesError

__all__ = ["Comparisons"]

Ints = NDArray[np.int64]


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
        ranks = Ranked.of(below, above)
        self._ranks = ranks.strict() if strict else ranks
        self._groups = (
            as_groups(low_groups, below.shape[1], "groups below"),
            as_groups(high_groups, above.shape[1], "groups above"),
        )

    @property
    def total(self) -> Ints:
        """Shape (groups below, groups above): how many pairs there are."""
        below, above = (np.bincount(groups).astype(np.int64) for groups in self._groups)
        pairs: Ints = np.multiply.outer(below, above)
        return pairs

    @property
    def measures(self) -> int:
        """How many measures there are."""
        return len(self._ranks.sizes)

    def dominated(self, measures: Sequence[int] | None = None) -> Ints:
        """In how many pairs low ≤ high in every one of the measures (all, if None).

        Returns:
            Shape (groups below, groups above).
        """
        order = self._sorted(range(self.measures) if measures is None else measures)
        ranks = self._ranks.only(order)
        counts: Ints = count_pairs(ranks, *self._groups, _dominated, filtering=len(order))[0]
        return counts

    def extended(self, base: Sequence[int], others: Sequence[int]) -> Ints:
        """In how many pairs low ≤ high in all of the base and in one measure more, for each.

        Returns:
            Shape (others, groups below, groups above).
        """
        if not base:
            alone: Ints = np.stack([self.dominated([other]) for other in others])
            return alone
        ranks = self._ranks.only([*self._sorted(base), *others])
        count = partial(_extended, base=len(base))
        return count_pairs(ranks, *self._groups, count, filtering=len(base))

    def all_but_one(self) -> Ints:
        """In how many pairs low ≤ high in every measure but a certain one, for each of them.

        Returns:
            Shape (measures, groups below, groups above).
        """
        order = self._sorted(range(self.measures))
        ranks = self._ranks.only(order)
        counts = count_pairs(ranks, *self._groups, _all_but_one, filtering=self.measures, misses=1)
        return counts[np.argsort(order)]

    def _sorted(self, measures: Sequence[int]) -> list[int]:
        """The measures, those first that leave fewest pairs: the others have less to do."""
        return sorted(measures, key=self._ranks.pairs)


def _dominated(block: Block) -> Ints:
    """Shape (1, rows): how many of the tile are below the row in every measure."""
    dividing = _dividing(block, range(len(block.tables)))
    if len(dividing) == 1:
        return block.reach[dividing].astype(np.int64)
    bits, rows = _intersection(block, dividing)
    return _spread(block, rows, [bits])


def _extended(block: Block, base: int) -> Ints:
    """Shape (measures after the base, rows): those below in all of the base and in one more."""
    bits, rows = _intersection(block, _dividing(block, range(base)))
    others = range(base, len(block.tables))
    return _spread(block, rows, (bits & block.below(other, rows) for other in others))


def _all_but_one(block: Block) -> Ints:
    """Shape (measures, rows): those below in every measure but this one."""
    dividing = _dividing(block, range(len(block.tables)))
    every = block.below(dividing[0])
    one_missing = ~every & block.tables[0][-1]
    for measure in dividing[1:]:
        below = block.below(measure)
        one_missing = one_missing & below | every & ~below
        every &= below
    counts = np.zeros(block.reach.shape, dtype=np.int64)
    rows = np.flatnonzero(one_missing.any(axis=1))
    bits = (one_missing[rows] & ~block.below(measure, rows) for measure in dividing)
    counts[dividing] = _spread(block, rows, bits)
    return counts


def _dividing(block: Block, measures: Sequence[int]) -> list[int]:
    """The measures in which not all of the tile are below all rows; one at least."""
    return [measure for measure in measures if not block.whole(measure)] or [measures[0]]


def _intersection(block: Block, measures: Sequence[int]) -> tuple[Bits, Ints]:
    """Those below in all of the measures, of the rows that have any, and which rows these are."""
    rows = np.arange(block.reach.shape[1])
    bits = block.below(measures[0])
    for number, measure in enumerate(measures[1:], start=1):
        bits &= block.below(measure, rows)
        if number & (number - 1) == 0:  # after 1, 2, 4, 8, … measures
            some = bits.any(axis=1)
            rows, bits = rows[some], bits[some]
    return bits, rows


def _spread(block: Block, rows: Ints, several: Iterable[Bits]) -> Ints:
    """Shape (several, rows of the block): how many bits are set, 0 in the rows left out."""
    counted = [np.bitwise_count(bits).sum(axis=1, dtype=np.int64) for bits in several]
    counts = np.zeros((len(counted), block.reach.shape[1]), dtype=np.int64)
    counts[:, rows] = counted
    return counts
