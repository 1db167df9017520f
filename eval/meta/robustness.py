"""Robustness: how a measure ranks among the others where it ranks lowest."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from eval.ordering.values import as_measures
from weps.errors import ValuesError

__all__ = ["lowest_mean", "topic_ranks", "worst_ranks"]

Floats = NDArray[np.float64]
_EQUAL = 1e-9
"""A share of topics may be this much more than a whole number of them."""


def topic_ranks(scores: ArrayLike) -> Floats:
    """Shape (measures, topics): the share of the other measures that score lower, ties ½.

    The paper scales ranks from 0 to 1 without saying which end is which: here 1 is the best.

    Args:
        scores: shape (measures, topics), such as AUC by topic.

    Raises:
        ValuesError: if scores are missing, NaN, no numbers, or those of one measure only.
    """
    measures = as_measures(scores, "scores")
    if len(measures) < 2:
        remedy = "give the scores of two measures at least"
        raise ValuesError("a single measure has no rank", where="scores", remedy=remedy)
    ranks: Floats = (rankdata(measures, axis=0) - 1) / (len(measures) - 1)
    return ranks


def worst_ranks(scores: ArrayLike, share: float = 0.1) -> Floats:
    """Mean rank over the topics in which the measure ranks lowest (workshop 2012, section 5.3).

    Args:
        scores: shape (measures, topics); topics in which nothing is scored are to be left out.
        share: of the topics, the paper's 10 % by default, rounded up to a whole number.

    Returns:
        Shape (measures,), in [0, 1], 1 for a measure that is best in every topic.

    Raises:
        ValuesError: as :func:`topic_ranks`, or if the share is not above 0 and at most 1.
    """
    return lowest_mean(topic_ranks(scores), share)


def lowest_mean(ranks: Floats, share: float = 0.1) -> Floats:
    """Shape (measures,): the mean of the lowest of them, as many as are that share of the topics.

    Args:
        ranks: shape (measures, topics).
        share: of the topics, rounded up to a whole number.

    Raises:
        ValuesError: if the share is not above 0 and at most 1.
    """
    if not 0 < share <= 1:
        raise ValuesError(f"{share} is no share of the topics", remedy="give more than 0, up to 1")
    lowest = math.ceil(share * ranks.shape[1] - _EQUAL)
    means: Floats = np.sort(ranks, axis=1)[:, : max(lowest, 1)].mean(axis=1)
    return means
