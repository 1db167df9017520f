"""Measures over pairs of items: together or apart, in the answer and in the key."""

from math import sqrt
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.clustering.membership import Signatures
from eval.clustering.neighbours import neighbour_sums, together_in_answer, together_in_key

__all__ = ["PairCounts", "fowlkes_mallows", "jaccard", "pair_counts", "rand"]

Ints: TypeAlias = NDArray[np.int64]


class PairCounts(NamedTuple):
    """Unordered pairs of different items; *together* means sharing at least one group."""

    both: int
    """Together in the answer and in the key."""
    answer_only: int
    key_only: int
    neither: int


def pair_counts(distinct: Signatures) -> PairCounts:
    """Count the pairs among the items that the key holds."""
    weights = distinct.weights
    functions = (_together_in_both, together_in_answer, together_in_key)
    sums = neighbour_sums(distinct, functions) @ weights
    selves = np.array([function(*distinct.sizes) for function in functions]) @ weights
    both, answer, key = (round(count) for count in (sums - selves) / 2)
    items = round(weights.sum())
    return PairCounts(
        both, answer - both, key - both, items * (items - 1) // 2 - answer - key + both
    )


def rand(pairs: PairCounts) -> float:
    """The Rand statistic: the share of pairs on which answer and key agree; 1 without pairs."""
    return _share(pairs.both + pairs.neither, sum(pairs))


def jaccard(pairs: PairCounts) -> float:
    """Pairs together in both over pairs together in either; 1 where there are none."""
    return _share(pairs.both, pairs.both + pairs.answer_only + pairs.key_only)


def fowlkes_mallows(pairs: PairCounts) -> float:
    """The geometric mean of pair precision and pair recall (Fowlkes and Mallows 1983).

    1 where the answer or the key puts no pair together: the formula says 0 / 0 there, and this is
    what the official scorers print, even for one page per group.
    """
    answer, key = pairs.both + pairs.answer_only, pairs.both + pairs.key_only
    return pairs.both / sqrt(answer * key) if answer and key else 1.0


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def _together_in_both(in_answer: Ints, in_key: Ints) -> NDArray[Any]:
    return (in_answer > 0) & (in_key > 0)
