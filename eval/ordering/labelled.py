"""Checks of one measure of instances that are known to be positive or not."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.ordering.values import as_measure
from weps.errors import ValuesError

__all__ = ["as_labelled"]


def as_labelled(values: ArrayLike, positive: ArrayLike) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """The values and which instances are positive, both of shape (instances,).

    Raises:
        ValuesError: if values are missing, NaN or no numbers, or if positives are no truth values,
            not as many as the values, or none.
    """
    measure, truth = as_measure(values), np.asarray(positive)
    if truth.shape != measure.shape:
        raise ValuesError(
            f"shape {truth.shape} is not ({len(measure)},), one per instance", where="positive"
        )
    if truth.dtype != np.bool_:
        raise ValuesError(f"these are no truth values ({truth.dtype})", where="positive")
    if not truth.any():
        raise ValuesError(
            "no instance is positive", where="positive", remedy="there is no recall without one"
        )
    return measure, truth
