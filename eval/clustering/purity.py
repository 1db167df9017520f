"""Purity and inverse purity: how much of each group its best counterpart covers."""

from typing import NamedTuple

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
    common = (answer.T @ key).tocsr()
    return Purity(_covered(common, answer), _covered(common.T.tocsr(), key))


def _covered(common: Membership, groups: Membership) -> float:
    """The share of ``groups``' memberships that lie in each group's best counterpart."""
    if not groups.nnz or not common.nnz:
        return 0.0
    return float(common.max(axis=1).sum() / groups.nnz)
