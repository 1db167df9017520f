"""How measures rank positive instances above negative ones: pairwise accuracy, sets, and curves.

PWA and MaxPWA (Artiles, Amigó and Gonzalo, EMNLP 2009, section 4.3) and the redundancy of two
measures, each as a figure over plain arrays and as :class:`~weps_eval.stats.PairCounts` by groups
of instances. All counts are exact. Precision-recall curves have one point for each value, and
average precision resamples.

MaxPWA counts the comparisons that at least one measure gets right; the others are the pairs in
which one instance, of the negatives, *dominates* another, of the positives: it is at least as high
in every measure. As a measure never adds more to a larger set than to a smaller one (MaxPWA is
submodular), an earlier gain of it is an upper bound of its current gain. Both searches for sets of
measures skip what the bounds rule out; results are those of trying everything.

To find the pairs (a, b) in which b dominates a, both sets of instances are ranked together, as
integers in the order of the values, and the a's are divided into blocks. Within a block each
measure sorts the a's, and a table holds, for every r, the bitset of the r lowest of them. For an
instance b only the number of a's that are not above it is needed in each measure: the table has the
bitset of exactly those. The intersection over the measures, 64 pairs to an instruction, leaves the
a's that b dominates. Blocks are divided along one measure, so most b's reach few of them, and those
that reach none are dropped first. Nothing is sampled or approximated: 10¹⁰ pairs take seconds.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.stats import kendalltau

from weps.errors import ValuesError
from weps_eval.stats import (
    Bits,
    Flags,
    Floats,
    Ints,
    PairCounts,
    as_groups,
    as_measure,
    as_measures,
    dense_ranks,
    safe_divide,
)

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
        return np.outer(np.bincount(self._low_groups), np.bincount(self._high_groups))

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

    def _sorted(self, measures: Sequence[int]) -> list[int]:
        """The measures, those first that leave fewest pairs: the others have less to do."""

        def pairs(measure: int) -> int:
            counts = np.bincount(self._low[measure], minlength=self._ends[measure])
            return int(counts.cumsum()[self._high[measure]].sum())

        return sorted(measures, key=pairs)

    def _count(
        self,
        measures: Sequence[int],
        count: Callable[[BitBlock], Ints],
        filtering: int,
    ) -> Ints:
        """Add up, over blocks below and all rows above, what is counted, by the groups of both.

        Args:
            measures: in which order.
            count: shape (counts, rows) of a block: for each row, how many of the block meet each
                of some conditions.
            filtering: how many of the measures, from the first, rule out a row if they leave it
                nothing of the block.

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
            rows = _reaching_rows(low, above, filtering)
            order = low.argsort(axis=1, kind="stable")
            reach = np.empty((len(low), len(rows)), dtype=np.uint16)
            for number, values in enumerate(np.take_along_axis(low, order, axis=1)):
                widths = np.diff(values, prepend=0, append=self._ends[chosen[number]])
                at_most = np.repeat(np.arange(len(widths), dtype=np.uint16), widths)  # of each rank
                reach[number] = at_most[above[number, rows]]
            tables = tuple(map(_table, order))
            starts = range(0, max(len(rows), 1), _ROWS)
            parts = (BitBlock(len(members), reach[:, at : at + _ROWS], tables) for at in starts)
            counts = np.concatenate([count(part) for part in parts], axis=1)
            groups, size = high_groups[rows], int(high_groups.max()) + 1
            return np.array([np.bincount(groups, each, size) for each in counts], dtype=np.int64)

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


def _reaching_rows(low: NDArray[np.int32], high: NDArray[np.int32], filtering: int) -> Ints:
    """The rows to which each of the measures leaves something of the block."""
    rows = np.arange(high.shape[1])
    for measure in range(filtering):
        kept = high[measure, rows] >= low[measure].min()
        if not kept.all():
            rows = rows[kept]
    return rows


def _table(order: Ints) -> Bits:
    """The bitsets of the first r in the order, for every r: shape (size + 1, words)."""
    table = np.zeros((len(order) + 1, -(-len(order) // _WORD)), dtype=np.uint64)
    bits = np.uint64(1) << (order % _WORD).astype(np.uint64)
    table[np.arange(1, len(order) + 1), order // _WORD] = bits
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
    several = (bits & block.below(other, rows) for other in range(base, len(block.tables)))
    return _spread_counts(block, rows, several)


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
    for measure, failing in _greedy_choice(compared, size or compared.measures):
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
            promising = rest[later & (gain > failing - others - fewest)]
            if len(promising) >= wanted - 1:
                gains = failing - _failing(compared, extended, promising.tolist())
                extend(extended, failing, promising, gains)

    total, every = int(compared.total.sum()), np.arange(compared.measures)
    extend((), total, every, total - _failing(compared, [], every.tolist()))
    return best


def _greedy_choice(compared: Comparisons, size: int) -> Iterator[tuple[int, int]]:
    """The measures that greedy search adds, and how many comparisons still fail with each.

    Lazy evaluation (Minoux 1978): a measure is tried again only while the bound of what it adds
    leads the field.
    """
    chosen: list[int] = []
    failed = int(compared.total.sum())
    losses = dict.fromkeys(range(compared.measures), -failed)  # minus the bound of what each adds
    for _ in range(size):
        tried: set[int] = set()
        field = sorted(losses, key=losses.__getitem__)  # of equal ones the first
        while field[0] not in tried:
            batch = [measure for measure in field[:_BATCH] if measure not in tried]
            lost = (_failing(compared, chosen, batch) - failed).tolist()
            losses.update(zip(batch, lost, strict=True))
            tried.update(batch)
            field = sorted(losses, key=losses.__getitem__)
        failed += losses.pop(field[0])
        chosen.append(field[0])
        yield field[0], failed


def _failing(compared: Comparisons, base: Sequence[int], others: Sequence[int]) -> Ints:
    """Shape (others,): comparisons that neither the base nor this other measure decides right."""
    return np.asarray(compared.extended(base, others).sum(axis=(1, 2)))


def pwa(positive: ArrayLike, negative: ArrayLike) -> float:
    """PWA = P(x(a, a') > x(c, d)), in O(n log n); a tie counts as 0.

    Args:
        positive: shape (positives,), the measure's values of the positive instances.
        negative: shape (negatives,), those of the negative ones.

    Raises:
        ValuesError: if either is empty or holds NaN.

    Example:
        >>> pwa([0.9, 0.8, 0.4], [0.7, 0.1])  # of pairs that are one person, and of all others
        0.8333333333333334
    """
    return order_counts(positive, negative)[0].pooled


def auc(positive: ArrayLike, negative: ArrayLike) -> float:
    """PWA with ties counted as ½: the area under the ROC curve (Mann and Whitney 1947).

    Example:
        >>> auc([0.9, 0.5], [0.5, 0.1])
        0.875
    """
    return order_counts(positive, negative)[1].pooled


def max_pwa(positives: ArrayLike, negatives: ArrayLike) -> float:
    """MaxPWA = P(∃x: x(a, a') > x(c, d)), exact.

    No combination that rises with each of the measures has a higher PWA, whatever its weights: if
    no measure is higher for the positive instance, neither is the combination. The paper calls it
    an upper bound of any learner, but a learner that prefers low values of a measure can exceed it.

    Args:
        positives: shape (measures, positives).
        negatives: shape (measures, negatives), the same measures.

    Raises:
        ValuesError: if either is empty, they do not match, or hold NaN.

    Example:
        >>> max_pwa([[0.9, 0.4], [0.1, 0.8]], [[0.5, 0.2], [0.3, 0.6]])
        1.0
    """
    compared = Comparisons(positives, negatives)
    return PairCounts.of(compared.total - compared.dominated(), compared.total).pooled


def order_counts(
    positive: ArrayLike,
    negative: ArrayLike,
    positive_groups: ArrayLike | None = None,
    negative_groups: ArrayLike | None = None,
) -> tuple[PairCounts, PairCounts]:
    """PWA, and PWA with ties counted as ½, by groups.

    Rows of a pair count are the positives' groups, columns the negatives'. Groups have the shapes
    of the values, whole numbers from 0; None stands for one group.
    """
    ours, theirs = as_measure(positive, "positive"), as_measure(negative, "negative")
    our_groups = as_groups(positive_groups, len(ours), "positive groups")
    their_groups = as_groups(negative_groups, len(theirs), "negative groups")
    distinct, ranks = np.unique(np.concatenate([ours, theirs]), return_inverse=True)
    rows, others = np.split(ranks, [len(ours)])
    below, up_to, total = [], [], []
    for group in range(int(their_groups.max()) + 1):
        found = np.bincount(others[their_groups == group], minlength=len(distinct))
        reached = np.append(0, found.cumsum())  # of their group, below each rank
        # Sums of counts as floats are exact below 2⁵³.
        below.append(np.bincount(our_groups, reached[rows]))
        up_to.append(np.bincount(our_groups, reached[rows + 1]))
        total.append(np.bincount(our_groups) * float(reached[-1]))
    wins, at_least, every = (np.stack(each, axis=1) for each in (below, up_to, total))
    return PairCounts.of(wins, every), PairCounts.of((wins + at_least) / 2, every)


def _joint_ranks(first: Ints, second: Ints) -> Ints:
    """Ranks, not dense, by the first and, where it ties, by the second; both from 0."""
    if len(first) != len(second):
        raise ValuesError(
            f"two measures of {len(first):,} and {len(second):,} instances cannot be paired",
            remedy="give both measures of the same instances",
        )
    return first * (int(second.max()) + 1) + second


def count_ties(
    first: ArrayLike, group: ArrayLike, groups: int, second: ArrayLike | None = None
) -> Ints:
    """Numbers of ordered pairs of different instances with equal values, group by group.

    The counts of each value in each group are a sparse matrix; its product with itself adds up
    the pairs, value by value, and an instance's pair with itself is taken off the diagonal.

    Args:
        first: shape (instances,), values of one measure.
        group: shape (instances,), the group of each instance, less than ``groups``.
        groups: how many groups there are; some may have no instance.
        second: shape (instances,), values of another measure that are to be equal as well.

    Returns:
        Shape (groups, groups), symmetric: pairs of an instance of one group with one of another.

    Raises:
        ValuesError: if values are missing, NaN, not numbers, or not equally many.
    """
    values = dense_ranks(first, "first")
    members = as_groups(group, len(values), "group")
    if second is not None:
        values = dense_ranks(_joint_ranks(values, dense_ranks(second, "second")))
    ones = np.ones(len(values), dtype=np.int64)
    counts = sparse.csr_array((ones, (values, members)), (int(values.max()) + 1, groups))
    together: Ints = (counts.T @ counts).toarray()
    return together - np.diag(np.bincount(members, minlength=groups))


def redundancy_counts(
    base: ArrayLike, other: ArrayLike, group: ArrayLike | None = None
) -> tuple[PairCounts, PairCounts, PairCounts]:
    """Redundancy by groups: shape (instances,), whole numbers from 0, None for one group.

    Pairs are counted in both orders, so the pair counts are symmetric; pooled shares are the same.

    Returns:
        Redundant, non-redundant and non-informative pairs, of those that the base ranks: the other
        measure ranks them the same way, the opposite way, or ties them.
    """
    first, second = as_measure(base, "base"), as_measure(other, "other")
    groups = as_groups(group, len(first), "group")
    size = int(groups.max()) + 1
    base_ties, both_ties = count_ties(first, groups, size), count_ties(first, groups, size, second)
    members = np.bincount(groups).astype(np.int64)
    ranked = np.multiply.outer(members, members) - np.diag(members) - base_ties
    both = np.stack([first, second])
    rising = Comparisons(both, both, groups, groups, strict=True).dominated()
    same, level = rising + rising.T, count_ties(second, groups, size) - both_ties
    opposite = ranked - same - level
    return (
        PairCounts.of(same, ranked),
        PairCounts.of(opposite, ranked),
        PairCounts.of(level, ranked),
    )


@dataclass(frozen=True, slots=True)
class Redundancy:
    """Agreement of another measure on the pairs of instances that a base measure ranks.

    The first three shares are of the pairs that the base ranks, and nan if it ranks none.
    """

    same: int
    """Pairs that both rank, the same way."""
    opposite: int
    """Pairs that both rank, in opposite ways."""
    tied: int
    """Pairs that the base ranks and the other measure ties."""
    pairs: int
    """All pairs of instances, n(n-1)/2, ranked by the base or not."""

    @property
    def redundant(self) -> float:
        """Share that the other measure ranks the same way."""
        return float(safe_divide(self.same, self._ranked))

    @property
    def non_redundant(self) -> float:
        """Share that the other measure ranks the opposite way."""
        return float(safe_divide(self.opposite, self._ranked))

    @property
    def non_informative(self) -> float:
        """Share that the other measure ties."""
        return float(safe_divide(self.tied, self._ranked))

    @property
    def ranked(self) -> float:
        """Share of all pairs that the base ranks; nan for a single instance."""
        return float(safe_divide(self._ranked, self.pairs))

    @property
    def _ranked(self) -> int:
        return self.same + self.opposite + self.tied


def redundancy(base: ArrayLike, other: ArrayLike) -> Redundancy:
    """Repetition of a base measure by another one (EMNLP 2009, section 4.2.2).

    Every pair of instances that the base ranks (its two values differ) is redundant, non-redundant
    or non-informative. All pairs are counted, none sampled, in O(n log n) by way of Kendall's tau
    (Knight 1966).

    Args:
        base: shape (instances,), the values of the base measure, in the paper those of tokens.
        other: shape (instances,), the values of the other measure; both may be infinite.

    Raises:
        ValuesError: if values are missing, NaN, not numbers, or not equally many.

    Example:
        >>> redundancy([0.1, 0.2, 0.3], [0.3, 0.4, 0.1])
        Redundancy(same=1, opposite=2, tied=0, pairs=3)
    """
    first, second = dense_ranks(base, "base"), dense_ranks(other, "other")
    joint = _joint_ranks(first, second)
    counts = np.bincount(first), np.bincount(second), np.unique_counts(joint).counts
    by_base, by_other, by_both = (int((each * (each - 1) // 2).sum()) for each in counts)
    pairs, tied = math.comb(len(joint), 2), by_other - by_both
    ranked = pairs - by_base - tied
    # τ-b is pairs ranked alike less opposite over the geometric mean of those that either ranks.
    tau = kendalltau(first, second).statistic if ranked else 0.0
    lead = round(tau * math.sqrt(pairs - by_base) * math.sqrt(pairs - by_other))
    opposite = (ranked - lead) // 2
    return Redundancy(ranked - opposite, opposite, tied, pairs)


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A precision/recall curve: three arrays of shape (points,), one point per distinct value.

    Point k is about the instances whose value is at least ``threshold[k]``.
    """

    recall: Floats
    """Share of all positives that is among them, never falling."""
    precision: Floats
    """Share of them that is positive."""
    threshold: Floats
    """The distinct values, falling."""

    def above(self, value: float) -> Curve:
        """The points whose threshold is greater than that.

        ``above(0)`` leaves off the point at which all pairs with nothing in common enter at once:
        a similarity does not rank them, and its curve ends at the recall of those it does.
        """
        kept = self.threshold > value
        return Curve(self.recall[kept], self.precision[kept], self.threshold[kept])


def precision_recall(values: NDArray[Any], positive: Flags) -> Curve:
    """Rank the instances by their values, highest first (EMNLP 2009, section 4.2.1).

    With t_n positives among the first n instances and t in all, P = t_n / n and R = t_n / t.
    Instances of one value enter together, as nothing ranks one before another: n is only ever the
    number of instances with a value or any higher.

    Args:
        values: shape (instances,), values of one measure.
        positive: shape (instances,), bool, one true at least.
    """
    threshold, level = np.unique(values, return_inverse=True)
    instances, positives = (
        np.cumsum(np.bincount(level, each)[::-1]) for each in (np.ones(len(positive)), positive)
    )
    return Curve(
        recall=positives / positives[-1],
        precision=positives / instances,
        threshold=threshold[::-1].astype(np.float64),
    )


_POINTS = 64
"""Points of the curves that are worked on at a time: their figures fit the cache."""


def average_precisions(
    values: NDArray[Any], positive: Flags, group: NDArray[Any], weights: Floats
) -> Floats:
    """Average precision where group g counts ``weights[r, g]`` times in resample r.

    Σ (R_k − R_{k−1}) P_k over the points of the curve, see :func:`precision_recall`, for the cost
    of two matrix products: the instances down to a point are counted once, by group, and a resample
    only weighs the counts. Only points count at which a positive enters; negatives count from the
    next such point on, and those after the last one nowhere.

    Args:
        values: shape (instances,), values of one measure.
        positive: shape (instances,), bool, one true at least.
        group: shape (instances,), the group of each instance.
        weights: shape (resamples, groups), not negative.

    Returns:
        Shape (resamples,), nan for a resample in which nothing is positive.
    """
    ranks, groups = dense_ranks(values), weights.shape[1]
    level = ranks.max() - ranks
    gains = np.bincount(level, positive) > 0
    point: Ints = (np.cumsum(gains) - gains)[level]
    shape = (int(gains.sum()), 2 * groups)
    counted = point < shape[0]
    cells = (point[counted], (group + groups * positive)[counted])
    entering = sparse.csr_array((np.ones(len(cells[0])), cells), shape)
    sums, found = np.zeros((2, len(weights)))
    before = np.zeros(2 * groups)
    for start in range(0, shape[0], _POINTS):
        counts = entering[start : start + _POINTS].toarray().cumsum(axis=0) + before
        before = counts[-1]
        negatives, positives = (half @ weights.T for half in np.split(counts, 2, axis=1))
        gained = np.diff(positives, axis=0, prepend=found[np.newaxis])
        instances = np.maximum(negatives + positives, np.finfo(np.float64).tiny)
        sums += (gained * positives / instances).sum(axis=0)
        found = positives[-1]
    return safe_divide(sums, found)
