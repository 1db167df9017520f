"""ULC: measures combined without training.

Giménez and Màrquez 2008, as used by Amigó, Giménez, Gonzalo and Verdejo, ACL 2009, section 3.1.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from eval.meta.judged import as_finite
from eval.stats.arrays import Floats, as_measures
from weps.errors import ValuesError

__all__ = ["Scale", "ulc"]


class Scale(StrEnum):
    """What is done to the measures before."""

    NONE = "none"
    """Nothing: “the unnormalized arithmetic mean of metric scores”."""
    MAXIMUM = "maximum"
    """Each is divided by its greatest value over the instances."""
    DEVIATION = "deviation"
    """Each is standardised over the instances: mean 0, variance 1, a constant 0."""


def ulc(values: ArrayLike, *, scale: Scale = Scale.NONE) -> Floats:
    """The arithmetic mean of the measures.

    Args:
        values: shape (measures, instances), of the measures that are to be combined.
        scale: the paper's ``NONE`` lets measures of greater range weigh more.

    Returns:
        Shape (instances,).

    Raises:
        ValuesError: if values are missing, NaN, infinite, not numbers, or, where they are to be
            divided by it, the greatest value of a measure is not above 0.
    """
    measures = as_finite(as_measures(values, "values").astype(np.float64), "values")
    return np.asarray(_scaled(measures, scale).mean(axis=0))


def _scaled(measures: Floats, scale: Scale) -> Floats:
    if scale is Scale.MAXIMUM:
        greatest = measures.max(axis=1, keepdims=True)
        for measure in np.flatnonzero(greatest <= 0)[:1].tolist():
            what = f"no value of measure {measure} is above 0"
            raise ValuesError(what, where="values", remedy="choose another scale, or leave it out")
        return np.asarray(measures / greatest)
    if scale is Scale.DEVIATION:
        spread = measures.std(axis=1, keepdims=True)
        constant = np.ptp(measures, axis=1, keepdims=True) == 0
        apart = measures - measures.mean(axis=1, keepdims=True)
        return np.where(constant, 0.0, apart / np.where(constant, 1.0, spread))
    return measures
