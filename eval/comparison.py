"""Are two systems different? Paired by name: the names are the sample, not their pages."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Difference", "compare"]

_RESAMPLES = 10_000
_EQUAL = 1e-9
"""Scores no further apart are equal: the same answer, added up in another order."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How the second of two systems differs from the first on the same names."""

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
    better, worse = int((differences > _EQUAL).sum()), int((differences < -_EQUAL).sum())
    return Difference(
        float(differences.mean()),
        *_interval(differences, seed),
        p=_sign_test(better, worse),
        better=better,
        worse=worse,
        equal=len(differences) - better - worse,
    )


def _interval(differences: NDArray[np.float64], seed: int) -> tuple[float, float]:
    """The middle 95 % of the means of resamples."""
    if len(differences) == 1:
        return math.nan, math.nan
    generator = np.random.default_rng(seed)
    shape = (_RESAMPLES, len(differences))
    means = differences[generator.integers(len(differences), size=shape)].mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def _sign_test(better: int, worse: int) -> float:
    """The probability of a division at least as uneven if either side were equally likely."""
    trials = better + worse
    tail = sum(math.comb(trials, k) for k in range(min(better, worse) + 1))
    return float(min(1.0, 2 * tail / 2**trials))
