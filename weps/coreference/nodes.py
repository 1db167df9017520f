"""Nodes of trees: what is common to reading them from a file."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["LEAF", "UNREADABLE", "single_precision", "whole_numbers"]

LEAF = -1
"""Column of a node that asks nothing."""

UNREADABLE = (KeyError, TypeError, ValueError, OverflowError)
"""What reading arrays from data of the wrong shape raises."""


def whole_numbers(values: Any) -> NDArray[np.int32]:
    """The values as an array; ValueError if they are no whole numbers."""
    array = np.asarray(values)
    with np.errstate(invalid="ignore"):
        whole = array.astype(np.int32)
    if not np.array_equal(array, whole):
        raise ValueError("a place in the tree is no whole number")
    return whole


def single_precision(values: Any) -> NDArray[np.float32]:
    """The values as an array; infinite where they are too large for it."""
    with np.errstate(over="ignore"):
        return np.asarray(values, dtype=np.float64).astype(np.float32)
