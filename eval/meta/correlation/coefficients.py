"""Pearson's, Spearman's and Kendall's coefficients of many rows at once."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

__all__ = ["Coefficient", "quotient", "row_coefficients"]

Floats: TypeAlias = NDArray[np.float64]


class Coefficient(StrEnum):
    """How alike two columns of scores are, from -1 to 1."""

    PEARSON = "pearson"
    """Of the values (r)."""
    SPEARMAN = "spearman"
    """Pearson's of the ranks, ties ranked midway (ρ)."""
    KENDALL = "kendall"
    """Pairs ranked alike less pairs ranked opposite, over the geometric mean of the pairs that
    either ranks (τ-b)."""


def row_coefficients(first: Floats, second: Floats, kind: Coefficient) -> Floats:
    """The coefficient of every row of one table with the same row of another.

    Args:
        first: shape (rows, instances), finite for Pearson's.
        second: the same shape, or (1, instances) for one row with which each is held.
        kind: which coefficient.

    Returns:
        Shape (rows,); NaN where a row is constant, as one instance always is.
    """
    return _BY_ROWS[kind](first, second)


def quotient(part: Floats, first: Floats, second: Floats) -> Floats:
    """``part`` over the geometric mean of two others, from -1 to 1; NaN where one is 0."""
    whole = np.sqrt(first) * np.sqrt(second)
    share = np.full(np.shape(part), np.nan)
    np.divide(part, whole, out=share, where=whole > 0)
    return np.asarray(share.clip(-1, 1))


def _pearson(first: Floats, second: Floats) -> Floats:
    ours, theirs = _unit(first), _unit(second)
    return quotient((ours * theirs).sum(axis=1), (ours**2).sum(axis=1), (theirs**2).sum(axis=1))


def _unit(rows: Floats) -> Floats:
    """The rows about their means, the farthest value ±1; zeros, exactly, for a constant row."""
    apart = np.where(np.ptp(rows, axis=1, keepdims=True) > 0, rows, 0.0)
    apart -= apart.mean(axis=1, keepdims=True)
    farthest = np.abs(apart).max(axis=1, keepdims=True)
    return np.asarray(apart / np.where(farthest > 0, farthest, 1.0))


def _spearman(first: Floats, second: Floats) -> Floats:
    return _pearson(rankdata(first, axis=1), rankdata(second, axis=1))


def _kendall(first: Floats, second: Floats) -> Floats:
    ours, theirs = _rises(first), _rises(second)
    both = (ours * theirs).sum(axis=1, dtype=np.float64)
    return quotient(both, *(np.abs(each).sum(axis=1, dtype=np.float64) for each in (ours, theirs)))


def _rises(rows: Floats) -> NDArray[np.int8]:
    """Shape (rows, pairs): whether the second of a pair of instances is higher, lower, or tied."""
    low, high = np.triu_indices(rows.shape[1], 1)
    before, after = rows[:, low], rows[:, high]
    return (after > before).astype(np.int8) - (after < before).astype(np.int8)


_BY_ROWS: dict[Coefficient, Callable[[Floats, Floats], Floats]] = {
    Coefficient.PEARSON: _pearson,
    Coefficient.SPEARMAN: _spearman,
    Coefficient.KENDALL: _kendall,
}
