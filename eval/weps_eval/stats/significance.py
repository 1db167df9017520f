"""Significance of the difference of two systems, Wilcoxon's tests, and tests by permutation.

Systems are paired by name: the names are the sample, not their pages. The signed-rank test is
implemented here because values are missing where a system has no answer, and because it is exact
for few topics with ties too; on the same data without ties or missing values it equals scipy's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from weps._formatting import format_p_value, format_signed
from weps_eval.stats.arrays import Flags, Floats, round_digits
from weps_eval.stats.estimate import Estimate

DIFFERENCE_HEADINGS = ("95 % interval", "sign test p", "better", "worse", "equal")
"""Headings of the columns of tables after the size of a difference."""

_RESAMPLES = 10_000
_EQUAL = 1e-9
"""Scores no further apart are equal: the same answer, added up in another order."""
_FEW = 50
"""Differences up to which all signs are gone through; more make the normal distribution good."""
_SMALL = 8
"""Values of either system up to which the rank-sum test is exact, unless some are tied."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Difference of the second of two systems from the first on the same names."""

    mean: float
    """Mean of the second minus mean of the first."""
    low: float
    high: float
    """95 % interval of the mean difference, bootstrapped over names; nan for a single name."""
    p: float
    """Two-sided sign test over the names where they differ; 1 if there are none."""
    better: int
    worse: int
    equal: int
    """Names on which the second scores higher, lower, and the same."""


def compare(first: ArrayLike, second: ArrayLike, seed: int = 0) -> Difference:
    """Compare the scores of two systems; the order of the names does not matter.

    The interval is the percentile bootstrap with 10,000 resamples of the names (Efron and
    Tibshirani 1993, chapter 13), the test exact.

    Args:
        first: shape (names,), scores of the first system.
        second: shape (names,), scores of the second, the same names in the same order.
        seed: for the resamples.

    Raises:
        ValueError: if the scores are not paired, or none.
    """
    before, after = (np.asarray(scores, dtype=np.float64) for scores in (first, second))
    if before.shape != after.shape or before.ndim != 1 or len(before) == 0:
        raise ValueError(f"scores of shape {before.shape} and {after.shape} cannot be paired")
    differences = np.sort(after - before)  # sorted, so that no order of names shows
    size, mean = len(differences), float(differences.mean())
    # Names are sampled one by one: by the weights of weps_eval.stats.estimate, another random
    # stream, the intervals that were published would change.
    sample = np.random.default_rng(seed).integers(size, size=(_RESAMPLES, size))
    interval = Estimate.from_samples(mean, differences[sample].mean(axis=1))
    low, high = interval[1:] if size > 1 else (math.nan, math.nan)
    better, worse = int((differences > _EQUAL).sum()), int((differences < -_EQUAL).sum())
    # The probability of a division at least as uneven if either side were equally likely.
    tail = sum(math.comb(better + worse, k) for k in range(min(better, worse) + 1))
    p = float(min(1.0, 2 * tail / 2 ** (better + worse)))
    return Difference(mean, low, high, p, better, worse, size - better - worse)


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
    sizes = np.where(known, round_digits(np.abs(differences)), -1.0)  # what is left out is lowest
    ranks = stats.rankdata(sizes, axis=0) - (~known).sum(axis=0)
    ranks = np.where(known, ranks, 0.0)
    signed = ranks * np.sign(np.where(known, differences, 0.0))
    squares = (ranks**2).sum(axis=0)
    score = signed.sum(axis=0) / np.sqrt(np.where(squares > 0, squares, np.inf))
    above, below = stats.norm.sf(score), stats.norm.sf(-score)
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
    # Of many pairs at once scipy takes the normal distribution for all if there is a tie in one.
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


def random_swaps(units: int, permutations: int, seed: int = 0) -> Flags:
    """Shape (permutations, units): which units of a pair are exchanged, in the first row none.

    All ways there are, each once, if they are no more.
    """
    if units < 63 and 2**units <= permutations:
        return (np.arange(2**units)[:, None] >> np.arange(units) & 1).astype(np.bool_)
    swaps = np.random.default_rng(seed).integers(0, 2, (permutations, units), np.int8) > 0
    swaps[0] = False
    return swaps


def step_down_p_values(observed: Floats, permuted: Floats) -> Floats:
    """P of several tests, none of which is true by chance more often than each p says.

    The step-down method of Westfall and Young (Resampling-based multiple testing, 1993): as
    Holm's, from the greatest statistic on, each compared with the greatest of the rest.

    Args:
        observed: shape (tests,).
        permuted: shape (tests, permutations), statistics where all hypotheses are true; one of
            the permutations is what was observed, so that no p is 0.

    Returns:
        Shape (tests,).
    """
    order = np.argsort(-observed, kind="stable")
    greatest = np.maximum.accumulate(permuted[order[::-1]], axis=0)[::-1]
    found = np.empty(len(observed))
    reached = (greatest >= observed[order, None]).mean(axis=1)
    found[order] = np.maximum.accumulate(reached)
    return found


@lru_cache(maxsize=1024)
def _exact(ranks: tuple[int, ...]) -> Floats:
    """Shape (sum of ranks + 1,): the chance that ranks with a plus add up to so much or more."""
    ways = np.zeros(sum(ranks) + 1)
    ways[0] = 1.0
    for rank in ranks:
        ways[rank:] += ways[:-rank].copy()
    return np.asarray(ways[::-1].cumsum()[::-1] / 2.0 ** len(ranks))


def difference_cells(difference: Difference) -> list[str]:
    """Size, interval, sign test, and on how many names it is better, worse and equal."""
    counts = (difference.better, difference.worse, difference.equal)
    size, p = format_signed(difference.mean, minus="-"), format_p_value(difference.p)
    return [size, difference_interval(difference), p, *map(str, counts)]


def difference_data(measure: str, difference: Difference) -> dict[str, Any]:
    """A difference on a measure; the interval is None for a single name."""
    return {
        "measure": measure,
        "difference": difference.mean,
        "interval": None if math.isnan(difference.low) else [difference.low, difference.high],
        **{part: getattr(difference, part) for part in ("p", "better", "worse", "equal")},
    }


def difference_interval(difference: Difference) -> str:
    """Its 95 % interval; a dash for a single name."""
    if math.isnan(difference.low):
        return "–"
    low, high = (format_signed(end, minus="-") for end in (difference.low, difference.high))
    return f"{low} to {high}"
