"""Heterogeneity: how often the measures of a set contradict one another."""

from __future__ import annotations

from functools import reduce

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.meta.heterogeneity.sets import packed
from eval.meta.heterogeneity.verdicts import Bits, Stretch, Verdicts
from eval.ordering.dominance import Comparisons
from eval.ordering.ranks import dense_ranks, joint_ranks
from eval.ordering.tally import Tally, united
from eval.ordering.ties import tied
from eval.ordering.values import as_groups, as_measures

__all__ = ["contradictions", "heterogeneities", "heterogeneity", "heterogeneity_tally"]

Ints = NDArray[np.int64]


def heterogeneity(values: ArrayLike, group: ArrayLike | None = None) -> float:
    """H(X) = P(∃x, x' ∈ X: x(i) > x(j) ∧ x'(i) < x'(j)), exact over all pairs.

    Amigó, Gonzalo, Giménez and Verdejo (EMNLP 2011, section 6); the same in 2012 (*SEM, section
    2.2, and the workshop on evaluation metrics, section 2). i and j are different instances of one
    group. Pairs whose texts equal their references, which the papers leave out, are to be left out
    by the caller: here are no texts. No pair is looked at: those without contradiction are those
    in which one instance dominates the other (:mod:`eval.ordering.dominance`). That is made for
    large groups; of thousands of small ones :func:`heterogeneities` tells the same sooner.

    Args:
        values: shape (measures, instances).
        group: shape (instances,), whole numbers from 0, in the papers the topic; None for one.

    Returns:
        In [0, 1], 0 for a single measure; nan if no group has two instances.

    Raises:
        ValuesError: if values are missing, NaN or no numbers, or the groups do not fit.
    """
    measures = as_measures(values)
    groups = as_groups(group, measures.shape[1], "group")
    parts = (measures[:, groups == each] for each in np.unique(groups))
    return united([heterogeneity_tally(part) for part in parts]).pooled


def heterogeneity_tally(values: ArrayLike, group: ArrayLike | None = None) -> Tally:
    """Contradictions by the groups of both instances, for intervals and means over groups.

    Pairs are counted in both orders, so the tally is symmetric; those within one group are its
    diagonal.
    """
    measures = as_measures(values)
    groups = as_groups(group, measures.shape[1], "group")
    below = Comparisons(measures, measures, groups, groups).dominated()
    members = np.bincount(groups)
    level = tied(reduce(_joined, measures, np.zeros_like(groups)), groups, len(members))
    agreed = below + below.T - level - np.diag(members)  # what is level is below both ways
    every = np.multiply.outer(members, members)
    return Tally.of(every - agreed, every - np.diag(members))


def heterogeneities(verdicts: Verdicts, sets: ArrayLike) -> NDArray[np.float64]:
    """Shape (sets,): H of many sets of measures over the pairs of the verdicts.

    Args:
        verdicts: what all measures say of pairs, every one or a sample.
        sets: bool, shape (sets, measures); the empty set has heterogeneity 0.

    Raises:
        ValuesError: if the sets do not fit.
    """
    return contradictions(verdicts, packed(sets, verdicts.measures)) / verdicts.pairs


def contradictions(verdicts: Verdicts, members: NDArray[np.uint8]) -> Ints:
    """Shape (sets,): in how many pairs each set contradicts itself, the sets in bits."""
    counts: Ints = verdicts.count(members, _contradicting)[0]
    return counts


def _contradicting(stretch: Stretch) -> list[Bits]:
    return [stretch.higher & stretch.lower]


def _joined(codes: Ints, values: NDArray[np.float64]) -> Ints:
    """Codes that are equal where they were and the values are."""
    return dense_ranks(joint_ranks(codes, dense_ranks(values)))
