"""Is one measure's correlation with people higher than another's? Williams' test."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from eval.meta.correlation.coefficients import Coefficient, row_coefficients
from eval.meta.judged import as_judged

__all__ = ["williams", "williams_against", "williams_table"]

Floats: TypeAlias = NDArray[np.float64]

_EQUAL = 1e-12
"""Determinants up to this are 0: the measures are one and the same, up to their scale."""


def williams(first: ArrayLike, second: ArrayLike, between: ArrayLike, size: int) -> Floats:
    """One-sided p that the first correlation is the higher one by chance.

    t = (r₁ - r₂) √((n-1)(1+r₁₂)) / √(2K(n-1)/(n-3) + ((r₁+r₂)²/4)(1-r₁₂)³) with n-3 degrees of
    freedom, K = 1 - r₁² - r₂² - r₁₂² + 2 r₁ r₂ r₁₂ (Williams 1959; Steiger 1980, equation 7;
    for measures Graham and Baldwin 2014). It holds for Pearson's coefficient of normal values.

    Args:
        first: r₁, of one measure with people; any shape.
        second: r₂, of another measure with people.
        between: r₁₂, of the two measures.
        size: n, the instances.

    Returns:
        The same shape; ½ where nothing tells the measures apart, NaN for fewer than four
        instances or where a coefficient is.
    """
    ours, theirs, both = (np.asarray(each, dtype=np.float64) for each in (first, second, between))
    if size < 4:
        return np.full(np.broadcast(ours, theirs, both).shape, np.nan)
    apart = 1 - ours**2 - theirs**2 - both**2 + 2 * ours * theirs * both
    spread = 2 * np.maximum(apart, 0) * (size - 1) / (size - 3)
    spread = spread + (ours + theirs) ** 2 / 4 * (1 - both) ** 3
    difference = (ours - theirs) * np.sqrt((size - 1) * (1 + both))
    known = np.where(spread > _EQUAL, spread, 1.0)
    certain = np.sign(difference) * np.where(np.abs(difference) > _EQUAL, np.inf, 0.0)
    score = np.where(spread > _EQUAL, difference / np.sqrt(known), certain)
    return np.asarray(stats.t.sf(score, size - 3))


def williams_against(values: ArrayLike, human: ArrayLike, best: int) -> Floats:
    """The test between one measure and every other.

    Args:
        values: shape (measures, instances); at the level of systems the systems' means.
        human: shape (instances,).
        best: the measure.

    Returns:
        Shape (measures,): a row of :func:`williams_table`.

    Raises:
        ValuesError: if values are missing, NaN, infinite, no numbers, or not equally many.
    """
    measures, people = as_judged(values, human, finite=True)
    with_people, between = _pearson(measures, people), _pearson(measures, measures[best])
    between[best] = np.where(np.isnan(with_people[best]), np.nan, 1.0)
    return williams(with_people[best], with_people, between, len(people))


def williams_table(values: ArrayLike, human: ArrayLike) -> Floats:
    """The test for all pairs of measures.

    Args:
        values: shape (measures, instances); at the level of systems the systems' means.
        human: shape (instances,).

    Returns:
        Shape (measures, measures): p that the row correlates higher with people by chance; ½ on
        the diagonal, NaN where a measure is constant.

    Raises:
        ValuesError: if values are missing, NaN, infinite, no numbers, or not equally many.
    """
    measures, people = as_judged(values, human, finite=True)
    with_people = _pearson(measures, people)
    between = np.array([_pearson(measures, each) for each in measures])
    np.fill_diagonal(between, np.where(np.isnan(with_people), np.nan, 1.0))
    return williams(with_people[:, None], with_people, between, len(people))


def _pearson(measures: Floats, other: Floats) -> Floats:
    return row_coefficients(measures, other[None], Coefficient.PEARSON)
