"""The values that classifiers are grown on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps.errors import ValuesError

__all__ = ["comparable"]


def comparable(values: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    """The values in single precision, as trees compare them.

    Args:
        values: shape (pairs, columns).

    Raises:
        ValuesError: if a value is NaN, or infinite in single precision: thresholds beside it could
            not be read back.
    """
    with np.errstate(over="ignore"):
        single = np.asarray(values, dtype=np.float32)
    finite = np.isfinite(single).all(axis=0)
    if not finite.all():
        raise ValuesError(
            "a similarity is infinite or no number",
            where=f"column {np.flatnonzero(~finite)[0]} of the pairs to learn from",
            remedy="leave its feature out",
        )
    return single
