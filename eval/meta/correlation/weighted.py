"""Coefficients of instances that come in groups, with the groups drawn anew many times.

A group that is drawn twice has all its instances twice. What the coefficients need is added up
group by group once; then each resample is a product with how often groups were drawn, exact, not
approximated. With every group drawn once it is the plain coefficient.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from eval.meta.correlation.coefficients import Coefficient, quotient
from eval.ordering.agreement import agreement
from eval.ordering.ranks import dense_ranks
from eval.ordering.ties import tied

__all__ = ["drawn_coefficients"]

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Signs: TypeAlias = NDArray[np.int8]

_CELLS = 1 << 21
"""Of a table of resamples × instances that is held at a time: 16 MB."""
_FEW = 2048
"""Instances whose pairs are laid out in full; more are counted by sorting."""
_NOTHING = 1e-12
"""Share of a variance that is none, but for rounding."""


def drawn_coefficients(
    first: Floats, second: Floats, group: Ints, drawn: Floats, kind: Coefficient
) -> Floats:
    """The coefficient over all instances, resample by resample.

    Args:
        first: shape (instances,), finite for Pearson's.
        second: shape (instances,), likewise.
        group: shape (instances,), from 0.
        drawn: shape (resamples, groups), how often each group is drawn.
        kind: which coefficient.

    Returns:
        Shape (resamples,); NaN where either is constant.
    """
    return _KINDS[kind](first, second, group, drawn)


def _pearson(first: Floats, second: Floats, group: Ints, drawn: Floats) -> Floats:
    ours, theirs = _standard(first), _standard(second)
    columns = (np.ones(len(ours)), ours, theirs, ours * theirs, ours**2, theirs**2)
    sums = [np.bincount(group, each, minlength=drawn.shape[1]) for each in columns]
    size, one, other, both, one_square, other_square = (drawn @ np.array(sums).T).T
    size = np.where(size > 0, size, np.nan)
    return quotient(
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


def _spearman(first: Floats, second: Floats, group: Ints, drawn: Floats) -> Floats:
    block = max(1, _CELLS // len(first))
    starts = range(0, len(drawn), block)
    parts = [_rank_block(first, second, group, drawn[at : at + block]) for at in starts]
    return np.concatenate(parts)


def _rank_block(first: Floats, second: Floats, group: Ints, drawn: Floats) -> Floats:
    ours, theirs = dense_ranks(first), dense_ranks(second)
    (one, one_square), (other, other_square) = (
        _mid_ranks(ranks, group, drawn) for ranks in (ours, theirs)
    )
    both = (one[:, ours] * other[:, theirs] * drawn[:, group]).sum(axis=1)
    return quotient(both, one_square, other_square)


def _mid_ranks(ranks: Ints, group: Ints, drawn: Floats) -> tuple[Floats, Floats]:
    """The ranks of the different values about the mean rank, and their squares added up.

    Shape (resamples, values) and (resamples,). Whole and half numbers: the sums are exact.
    """
    ones = np.ones(len(ranks))
    shape = (drawn.shape[1], int(ranks.max()) + 1)
    times = drawn @ sparse.csr_array((ones, (group, ranks)), shape=shape)
    total = times.sum(axis=1, keepdims=True)
    middle = times.cumsum(axis=1) - times / 2 - total / 2
    return middle, (times * middle**2).sum(axis=1)


def _kendall(first: Floats, second: Floats, group: Ints, drawn: Floats) -> Floats:
    count = _laid_out if len(first) <= _FEW else _counted
    tables = count(first, second, group, drawn.shape[1])
    return quotient(*(((drawn @ table) * drawn).sum(axis=1) for table in tables))


def _laid_out(first: Floats, second: Floats, group: Ints, groups: int) -> list[Floats]:
    """Pairs ranked alike less opposite, ranked by the first, by the second: by groups each."""
    ones = np.ones(len(first))
    member = sparse.csr_array((ones, (group, np.arange(len(group)))), (groups, len(group)))
    ours, theirs = (
        np.sign(np.subtract.outer(each, each)) for each in map(dense_ranks, (first, second))
    )
    return [member @ (member @ table).T for table in (ours * theirs, np.abs(ours), np.abs(theirs))]


def _counted(first: Floats, second: Floats, group: Ints, groups: int) -> list[Floats]:
    """As :func:`_laid_out`, in less room."""
    found = agreement(first, second, group)
    members = np.bincount(group, minlength=groups)
    every = np.multiply.outer(members, members) - np.diag(members)
    alike = np.zeros((groups, groups))
    size = len(found.redundant.held)
    alike[:size, :size] = found.redundant.held - found.non_redundant.held
    return [
        alike,
        *((every - tied(each, group, groups)).astype(np.float64) for each in (first, second)),
    ]


_KINDS: dict[Coefficient, Callable[[Floats, Floats, Ints, Floats], Floats]] = {
    Coefficient.PEARSON: _pearson,
    Coefficient.SPEARMAN: _spearman,
    Coefficient.KENDALL: _kendall,
}
