"""Pearson's, Spearman's and Kendall's coefficients of many rows, with bootstrap over groups.

A group that is sampled twice has all its instances twice. Instances with equal values in both
rows are one *cell*; the weight of each cell in a resample is a product with the weights of the
groups, and counting cells is exact. With every group sampled once it is the plain coefficient. Time
grows with resamples times cells, for Kendall's also with the logarithm of the different values of
the second side; memory does not grow with the resamples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.stats import rankdata

from weps_eval.ranking.pwa import redundancy_counts
from weps_eval.stats.arrays import Floats, Ints, count_ties, dense_ranks, joint_ranks
from weps_eval.stats.estimate import safe_divide

_CELLS = 1 << 18
"""Cells × resamples that are worked on at a time: 2 MB, which the cache holds."""
_FEW = 2048
"""Instances whose pairs can be laid out in full; more are counted by sorting."""
_NOTHING = 1e-12
"""Share of a variance that is none, but for rounding."""


class Coefficient(StrEnum):
    """How alike two columns of scores are, from -1 to 1."""

    PEARSON = "pearson"
    """Pearson's r, of the values."""
    SPEARMAN = "spearman"
    """Pearson's of the ranks, ties ranked midway (ρ)."""
    KENDALL = "kendall"
    """Pairs ranked alike less pairs ranked opposite, over the geometric mean of the pairs that
    either ranks (τ-b)."""


def row_coefficients(first: Floats, second: Floats, kind: Coefficient) -> Floats:
    """The coefficient of every row of one table with the same row of another.

    Args:
        first: shape (rows, instances), finite for Pearson's.
        second: the same shape, or (1, instances) for one row with which each is compared.
        kind: which coefficient.

    Returns:
        Shape (rows,); NaN where a row is constant, as one instance always is.
    """
    if kind is Coefficient.KENDALL:
        ours_up, theirs_up = _rises(first), _rises(second)
        sums: list[NDArray[Any]] = [ours_up * theirs_up, np.abs(ours_up), np.abs(theirs_up)]
    else:
        if kind is Coefficient.SPEARMAN:
            first, second = rankdata(first, axis=1), rankdata(second, axis=1)
        ours, theirs = _unit(first), _unit(second)
        sums = [ours * theirs, ours**2, theirs**2]
    return _bounded_ratio(*(each.sum(axis=1, dtype=np.float64) for each in sums))


def _bounded_ratio(part: Floats, first: Floats, second: Floats) -> Floats:
    """``part`` over the geometric mean of two others, from -1 to 1; NaN where one is 0."""
    return safe_divide(part, np.sqrt(first) * np.sqrt(second)).clip(-1, 1)


def _unit(rows: Floats) -> Floats:
    """The rows about their means, the farthest value ±1; zeros, exactly, for a constant row."""
    apart = np.where(np.ptp(rows, axis=1, keepdims=True) > 0, rows, 0.0)
    apart -= apart.mean(axis=1, keepdims=True)
    farthest = np.abs(apart).max(axis=1, keepdims=True)
    return np.asarray(apart / np.where(farthest > 0, farthest, 1.0))


def _rises(rows: Floats) -> NDArray[np.int8]:
    """Shape (rows, pairs): whether the second of a pair of instances is higher, lower, or tied."""
    low, high = np.triu_indices(rows.shape[1], 1)
    before, after = rows[:, low], rows[:, high]
    return (after > before).astype(np.int8) - (after < before).astype(np.int8)


def bootstrap_coefficients(
    first: Floats, second: Floats, group: Ints, weights: Floats, kind: Coefficient
) -> Floats:
    """The coefficient over all instances, resample by resample.

    Args:
        first: shape (instances,), finite for Pearson's.
        second: shape (instances,), likewise.
        group: shape (instances,), from 0.
        weights: shape (resamples, groups), the weight of each group.
        kind: which coefficient.

    Returns:
        Shape (resamples,); NaN where either is constant.
    """
    return _WEIGHTED[kind](first, second, group, weights)


def _weighted_pearson(first: Floats, second: Floats, group: Ints, weights: Floats) -> Floats:
    ours, theirs = _standard(first), _standard(second)
    columns = (np.ones(len(ours)), ours, theirs, ours * theirs, ours**2, theirs**2)
    sums = [np.bincount(group, each, minlength=weights.shape[1]) for each in columns]
    size, one, other, both, one_square, other_square = (weights @ np.array(sums).T).T
    size = np.where(size > 0, size, np.nan)
    return _bounded_ratio(
        np.nan_to_num(both - one * other / size),
        _variance(one_square, one, size),
        _variance(other_square, other, size),
    )


def _standard(values: Floats) -> Floats:
    """With mean 0 and variance 1; zeros, exactly, if all are equal."""
    if not np.ptp(values):
        return np.zeros(len(values))
    apart = values / np.abs(values).max()
    apart -= apart.mean()
    return np.asarray(apart / apart.std())


def _variance(squares: Floats, total: Floats, size: Floats) -> Floats:
    """Sum of squares about the mean; what rounding leaves of nothing is nothing."""
    value = np.nan_to_num(squares - total**2 / size)
    return np.where(value > _NOTHING * np.nan_to_num(size), value, 0.0)


def _weighted_spearman(first: Floats, second: Floats, group: Ints, weights: Floats) -> Floats:
    """Products of mid-ranks over the squares of either: whole and half numbers, so exact."""
    cells = _Cells.of(first, second, group)

    def count(times: Floats) -> Floats:
        (one, one_square), (other, other_square) = (_mid_ranks(by @ times) for by in cells.by)
        both = cells.by[1] @ (times * one[cells.first])
        return np.stack([_summed(both, other), one_square, other_square])

    return _bounded_ratio(*cells.apply_blockwise(weights, count))


def _mid_ranks(weights: Floats) -> tuple[Floats, Floats]:
    """The ranks of the different values about the mean rank, and their squares added up.

    Shape (values, resamples) and (resamples,).
    """
    middle = weights.cumsum(axis=0)
    half = middle[-1] / 2
    middle -= weights / 2
    middle -= half
    return middle, _summed(weights * middle, middle)


def _weighted_kendall(first: Floats, second: Floats, group: Ints, weights: Floats) -> Floats:
    """Pairs ranked alike less opposite over those that either ranks: whole numbers, so exact."""
    cells = _Cells.of(first, second, group)
    # In units of 10 ns.
    cost = 500_000 + len(weights) * len(cells.first) * (1 + int(cells.second[-1]).bit_length())
    if cost < _cost_by_groups(weights, len(first)):
        return _bounded_ratio(*_by_cells(cells, weights))
    count = _group_tables if len(first) <= _FEW else _sorted_tables
    tables = count(first, second, group, weights.shape[1])
    return _bounded_ratio(*(((weights @ table) * weights).sum(axis=1) for table in tables))


def _cost_by_groups(weights: Floats, size: int) -> int:
    """How long tables by groups take, in units of 10 ns."""
    resamples, groups = weights.shape
    few = 2 * size**2
    many = size**2 // 25 + groups * (11 * size + 100_000)
    by_pairs = few if size <= _FEW else many
    return int(by_pairs + resamples * groups**2 // 20)


def _group_tables(first: Floats, second: Floats, group: Ints, groups: int) -> list[Floats]:
    """Pairs ranked alike less opposite, ranked by the first, by the second: by groups each."""
    ones = np.ones(len(first))
    member = sparse.csr_array((ones, (group, np.arange(len(group)))), (groups, len(group)))
    ours, theirs = (
        np.sign(np.subtract.outer(each, each)) for each in map(dense_ranks, (first, second))
    )
    return [member @ (member @ table).T for table in (ours * theirs, np.abs(ours), np.abs(theirs))]


def _sorted_tables(first: Floats, second: Floats, group: Ints, groups: int) -> list[Floats]:
    """As :func:`_group_tables`, in less memory."""
    found = redundancy_counts(first, second, group)
    members = np.bincount(group, minlength=groups)
    every = np.multiply.outer(members, members) - np.diag(members)
    alike = np.zeros((groups, groups))
    size = len(found.redundant.hits)
    alike[:size, :size] = found.redundant.hits - found.non_redundant.hits
    ranked = [every - count_ties(each, group, groups) for each in (first, second)]
    return [alike, *(each.astype(np.float64) for each in ranked)]


def _by_cells(cells: _Cells, weights: Floats) -> Floats:
    """Shape (3, resamples): the same counts.

    Of two different ranks by the second a highest bit is different. Bit by bit, cells whose
    higher bits are the same are parted in those that have it and those that do not, and each of
    the former is compared by the first with all of the latter.
    """
    steps = list(_steps(cells.first, cells.second))

    def count(times: Floats) -> Floats:
        every = times.sum(axis=0) ** 2
        ranked = [every - _summed(each, each) for each in (by @ times for by in cells.by)]
        alike = np.zeros(times.shape[1])
        for step in steps:
            lower, upper = step.parted(times)
            alike += 2 * step.risen(lower, upper)
            times = lower + upper
        return np.stack([alike, *ranked])

    return cells.apply_blockwise(weights, count)


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """Instances by both of their ranks; those that are alike in both are one cell."""

    first: Ints
    """Shape (cells,): ranks from 0 without gaps."""
    second: Ints
    """Second value of each cell; cells ascend by it, then by the first."""
    members: sparse.csr_array
    """Shape (cells, groups): how many instances of each."""
    by: tuple[sparse.csr_array, sparse.csr_array]
    """Shape (values of the first, cells), and of the second: which cells have which."""

    @classmethod
    def of(cls, first: Floats, second: Floats, group: Ints) -> _Cells:
        ours, theirs = dense_ranks(first), dense_ranks(second)
        _, at, cell = np.unique(joint_ranks(theirs, ours), return_index=True, return_inverse=True)
        by = (_indicator(each[at]) for each in (ours, theirs))
        return cls(ours[at], theirs[at], _indicator(cell, group), (*by,))

    def apply_blockwise(self, weights: Floats, count: Callable[[Floats], Floats]) -> Floats:
        """Shape (counts, resamples), counted some resamples at a time.

        The weights are of shape (resamples, groups); ``count`` takes how often each cell is
        there, shape (cells, some resamples).
        """
        size = max(1, _CELLS // len(self.first))
        parts = (
            weights[at : at + size, : self.members.shape[1]] for at in range(0, len(weights), size)
        )
        found = [count(self.members @ np.ascontiguousarray(part.T)) for part in parts]
        return np.concatenate(found, axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """One bit of the ranks by the second."""

    lower: Ints
    """Cells whose rank is without it."""
    upper: Ints
    """Cells whose rank has it."""
    into: Ints
    """Shape (cells,): what each becomes part of when the bit is forgotten."""
    ends: Ints
    """The last of these parts of each of the higher bits."""

    def parted(self, weights: Floats) -> tuple[Floats, Floats]:
        """Shape (parts, resamples) each: of the lower, and of the upper cells."""
        lower, upper = np.zeros((2, int(self.into.max()) + 1, weights.shape[1]))
        lower[self.into[self.lower]] = weights[self.lower]
        upper[self.into[self.upper]] = weights[self.upper]
        return lower, upper

    def risen(self, lower: Floats, upper: Floats) -> Floats:
        """Shape (resamples,): pairs of a lower and an upper that rise, less those that fall."""
        below = lower.cumsum(axis=0)
        ends = below[self.ends]
        ends[1:] += ends[:-1].copy()
        below *= 2
        below -= lower
        reached = np.add.reduceat(upper, np.append(0, self.ends[:-1] + 1), axis=0)
        return _summed(upper, below) - _summed(reached, ends)


def _steps(first: Ints, second: Ints) -> Iterator[_Step]:
    while second.max() > 0:
        has, second = (second & 1).astype(np.bool_), second >> 1
        codes, at, into = np.unique(
            joint_ranks(second, first), return_index=True, return_inverse=True
        )
        first, second = first[at], second[at]
        ends = np.append(np.flatnonzero(np.diff(second)), len(codes) - 1)
        yield _Step(np.flatnonzero(~has), np.flatnonzero(has), into, ends)


def _indicator(row: Ints, column: Ints | None = None) -> sparse.csr_array:
    columns = np.arange(len(row)) if column is None else column
    return sparse.csr_array((np.ones(len(row)), (row, columns)))


def _summed(first: Floats, second: Floats) -> Floats:
    """Shape (columns,): products added up."""
    return np.asarray(np.einsum("ij,ij->j", first, second))


_WEIGHTED: dict[Coefficient, Callable[[Floats, Floats, Ints, Floats], Floats]] = {
    Coefficient.PEARSON: _weighted_pearson,
    Coefficient.SPEARMAN: _weighted_spearman,
    Coefficient.KENDALL: _weighted_kendall,
}


def correlation_over_measures(
    first: Floats, second: Floats, kind: Coefficient = Coefficient.PEARSON
) -> Floats:
    """A coefficient over measures, column by column, of arrays of shape (measures, columns)."""
    table = np.full(first.shape[1], np.nan)
    whole = ~(np.isnan(first) | np.isnan(second)).any(axis=0)
    if len(first) > 2 and whole.any():
        ours, theirs = (each[:, whole].T for each in (first, second))
        table[whole] = row_coefficients(ours, theirs, kind)
    return table
