"""Values as whole numbers that compare alike."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.ordering.values import as_measure
from weps.errors import ValuesError

__all__ = ["dense_ranks", "joint_ranks"]

Ints = NDArray[np.int64]


def dense_ranks(values: ArrayLike, name: str = "values") -> Ints:
    """Shape (instances,): 0 for the lowest value, 1 for the next, alike for equal values.

    Raises:
        ValuesError: if values are missing, NaN or no numbers.
    """
    _, ranks = np.unique(as_measure(values, name), return_inverse=True)
    return ranks.astype(np.int64, copy=False)


def joint_ranks(first: Ints, second: Ints) -> Ints:
    """Ranks, not dense, by the first and, where it ties, by the second; both from 0.

    Raises:
        ValuesError: if there are not equally many.
    """
    if len(first) != len(second):
        raise ValuesError(
            f"two measures of {len(first):,} and {len(second):,} instances cannot be paired",
            remedy="give both measures of the same instances",
        )
    levels = int(second.max()) + 1
    return first * levels + second
