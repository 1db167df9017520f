"""Ties between groups: in how many pairs of instances values are equal."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from eval.ordering.ranks import dense_ranks, joint_ranks
from eval.ordering.values import as_groups

__all__ = ["tied"]

Ints = NDArray[np.int64]


def tied(first: ArrayLike, group: ArrayLike, groups: int, second: ArrayLike | None = None) -> Ints:
    """How many ordered pairs of different instances have equal values, group by group.

    The counts of each value in each group are a sparse matrix; its product with itself adds up
    the pairs, value by value, and an instance's pair with itself is taken off the diagonal.

    Args:
        first: shape (instances,), values of one measure.
        group: shape (instances,), the group of each instance, less than ``groups``.
        groups: how many groups there are; some may have no instance.
        second: shape (instances,), values of another measure that are to be equal as well.

    Returns:
        Shape (groups, groups), symmetric: pairs of an instance of one group with one of another.

    Raises:
        ValuesError: if values are missing, NaN, no numbers, or not equally many.
    """
    values = dense_ranks(first, "first")
    members = as_groups(group, len(values), "group")
    if second is not None:
        values = dense_ranks(joint_ranks(values, dense_ranks(second, "second")))
    ones = np.ones(len(values), dtype=np.int64)
    shape = (int(values.max()) + 1, groups)
    counts = sparse.csr_array((ones, (values, members)), shape=shape)
    together: Ints = (counts.T @ counts).toarray()
    return together - np.diag(np.bincount(members, minlength=groups))
