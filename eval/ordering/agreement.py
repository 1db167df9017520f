"""Redundancy by groups of instances, for figures over groups and their intervals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from eval.ordering.dominance import Comparisons
from eval.ordering.tally import Tally
from eval.ordering.ties import tied
from eval.ordering.values import as_groups, as_measure

__all__ = ["Agreement", "agreement"]


class Agreement(NamedTuple):
    """What another measure says of the pairs of instances that a base measure ranks."""

    redundant: Tally
    """It ranks them the same way."""
    non_redundant: Tally
    """It ranks them the opposite way."""
    non_informative: Tally
    """It ties them."""


def agreement(base: ArrayLike, other: ArrayLike, group: ArrayLike | None = None) -> Agreement:
    """As :func:`eval.ordering.concordance.redundancy`, group by group.

    Pairs are counted in both orders, so the tallies are symmetric, and their pooled shares are
    those of ``redundancy``.

    Args:
        base: shape (instances,), values of the base measure.
        other: shape (instances,), values of the other measure.
        group: shape (instances,), whole numbers from 0; None for one group.

    Raises:
        ValuesError: if values are missing, NaN, no numbers, or not equally many.
    """
    first, second = as_measure(base, "base"), as_measure(other, "other")
    groups = as_groups(group, len(first), "group")
    size = int(groups.max()) + 1
    base_ties, both_ties = tied(first, groups, size), tied(first, groups, size, second)
    members = np.bincount(groups).astype(np.int64)
    every = np.multiply.outer(members, members) - np.diag(members)
    both = np.stack([first, second])
    rising = Comparisons(both, both, groups, groups, strict=True).dominated()
    same, level = rising + rising.T, tied(second, groups, size) - both_ties
    ranked = every - base_ties
    opposite = ranked - same - level
    return Agreement(*(Tally.of(held, ranked) for held in (same, opposite, level)))
