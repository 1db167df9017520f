"""Wilcoxon's tests, one-sided and for many pairs of systems at once.

The signed-rank test is worked out here because values are missing where a system has not answered,
and because it is exact for few topics with ties too; on the same data without ties or
missing values it is scipy's.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from eval.ordering.values import rounded

__all__ = ["rank_sum", "signed_rank"]

Floats: TypeAlias = NDArray[np.float64]

_FEW = 50
"""Differences up to which all signs are gone through; more make the normal distribution good."""
_SMALL = 8
"""Values of either system up to which the rank-sum test is exact, unless some are tied."""


def signed_rank(differences: Floats) -> tuple[Floats, Floats]:
    """Wilcoxon's signed-rank test of paired differences (1945), his way: zeros are left out.

    Up to 50 differences the p is exact, over all signs of the ranks that are there, ties midway;
    beyond, normal: Σ ± rank / √(Σ rank²), whose variance holds with ties.

    Args:
        differences: shape (topics, pairs); NaN where there is none, inf counts as the greatest.

    Returns:
        p of values above 0 and of values below 0, shape (pairs,) each; 1 without differences.
    """
    known = ~np.isnan(differences) & (differences != 0)
    sizes = np.where(known, rounded(np.abs(differences)), -1.0)  # what is left out ranks lowest
    ranks = stats.rankdata(sizes, axis=0) - (~known).sum(axis=0)
    ranks = np.where(known, ranks, 0.0)
    signed = ranks * np.sign(np.where(known, differences, 0.0))
    above, below = _normal(signed.sum(axis=0), (ranks**2).sum(axis=0))
    for pair in np.flatnonzero(known.sum(axis=0) <= _FEW).tolist():
        doubled = tuple(np.sort(2 * ranks[known[:, pair], pair]).astype(np.int64).tolist())
        chances = _exact(doubled)
        positive = round(2 * ranks[signed[:, pair] > 0, pair].sum())
        above[pair], below[pair] = chances[positive], chances[sum(doubled) - positive]
    return above, below


def rank_sum(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Wilcoxon's rank-sum test, that of Mann and Whitney, of values that are not paired.

    Args:
        first: shape (topics, pairs); NaN where there is none.
        second: the same shape.

    Returns:
        p of the first being higher and of it being lower, shape (pairs,) each; 1 where all are
        equal.
    """
    sizes = ((~np.isnan(each)).sum(axis=0) for each in (first, second))
    few = np.flatnonzero(np.minimum(*sizes) <= _SMALL).tolist()
    return _higher(first, second, few), _higher(second, first, few)


def _higher(first: Floats, second: Floats, few: list[int]) -> Floats:
    """Shape (pairs,): p of the first being higher; where values are few, pair by pair.

    Of many pairs at once scipy takes the normal distribution for all if there is a tie in one.
    """
    found = _mann_whitney(first, second, "asymptotic")
    for pair in few:
        found[pair] = _mann_whitney(first[:, pair], second[:, pair], "auto")
    return np.where(np.isnan(found), 1.0, found)


def _mann_whitney(first: Floats, second: Floats, method: str) -> Floats:
    unknown = np.isnan(first).any() or np.isnan(second).any()
    policy = "omit" if unknown else "propagate"
    with np.errstate(divide="ignore", invalid="ignore"):  # where all are equal
        found = stats.mannwhitneyu(
            first, second, alternative="greater", method=method, nan_policy=policy
        )
    return np.asarray(found.pvalue)


def _normal(total: Floats, squares: Floats) -> tuple[Floats, Floats]:
    score = total / np.sqrt(np.where(squares > 0, squares, np.inf))
    return stats.norm.sf(score), stats.norm.sf(-score)


@lru_cache(maxsize=1024)
def _exact(ranks: tuple[int, ...]) -> Floats:
    """Shape (sum of ranks + 1,): the chance that ranks with a plus add up to so much or more."""
    ways = np.zeros(sum(ranks) + 1)
    ways[0] = 1.0
    for rank in ranks:
        ways[rank:] += ways[:-rank].copy()
    return np.asarray(ways[::-1].cumsum()[::-1] / 2.0 ** len(ranks))
