"""Shares of counts, of which some may be of nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["share"]


def share(held: ArrayLike, total: ArrayLike) -> NDArray[np.float64]:
    """The quotient, nan where there is nothing to divide by; shaped as both broadcast."""
    part, whole = np.broadcast_arrays(held, total)
    quotient = np.full(whole.shape, np.nan)
    np.divide(part, whole, out=quotient, where=whole > 0)
    return quotient
