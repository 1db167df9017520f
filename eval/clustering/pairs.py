"""Measures over pairs of items: together or apart, in the answer and in the key."""

from math import sqrt
from typing import NamedTuple

from eval.clustering.neighbours import Neighbours

__all__ = ["PairCounts", "fowlkes_mallows", "jaccard", "pair_counts", "rand"]


class PairCounts(NamedTuple):
    """Unordered pairs of different items; *together* means sharing at least one group."""

    both: int
    """Together in the answer and in the key."""
    answer_only: int
    key_only: int
    neither: int


def pair_counts(neighbours: Neighbours) -> PairCounts:
    """Count the pairs of items, from what is known of every item's neighbours."""
    items = neighbours.items
    both, answer, key = (
        # Every item that stands in a group is its own neighbour; each pair is seen from both ends.
        round(float(items @ (sums - (sums > 0))) / 2)
        for sums in (neighbours.in_both, neighbours.in_answer, neighbours.in_key)
    )
    total = round(items.sum())
    neither = total * (total - 1) // 2 - answer - key + both
    return PairCounts(both, answer - both, key - both, neither)


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
