"""Purity and inverse purity: how much of each group its best counterpart covers."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from eval.clustering.membership import Membership

__all__ = ["Purity", "purity"]


class Purity(NamedTuple):
    """Two shares of memberships, each in [0, 1]."""

    purity: float
    inverse: float


def purity(answer: Membership, key: Membership) -> Purity:
    """Purity and inverse purity, sizes summed with overlap (Artiles, Gonzalo and Sekine 2007).

    Purity is Σ_C max_L |C ∩ L| / Σ_C |C| over the answer groups C and key groups L; inverse
    purity swaps the two. Items that only the answer holds make its groups larger and so lower
    purity. Both matrices are binary, of shape (items, groups); a side without groups gives 0.
    """
    common = (answer.T @ key).tocoo()
    return Purity(_covered(common.row, common.data, answer), _covered(common.col, common.data, key))


def _covered(group: NDArray[Any], common: NDArray[Any], groups: Membership) -> float:
    """The share of the memberships in ``groups`` that each group has in common with its best."""
    best = np.zeros(groups.shape[1], dtype=np.int64)
    np.maximum.at(best, group, common)
    return float(best.sum() / groups.nnz) if groups.nnz else 0.0
