"""The protocol of classifiers of pairs, and checks shared by trees read from a file."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

__all__ = ["LEAF", "READ_ERRORS", "Classifier", "float32_array", "int32_array"]


class Classifier(Protocol):
    """Estimates from a pair's similarities the probability that the pair is coreferent."""

    kind: ClassVar[str]
    """Name of the kind in model files."""

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """The confidence that each pair is coreferent.

        Args:
            values: shape (pairs, columns), the values of a pair table.

        Returns:
            Shape (pairs,), between 0 and 1.
        """

    def to_data(self) -> dict[str, Any]:
        """The classifier as lists and numbers for JSON."""

    @classmethod
    def from_data(cls, data: Any, columns: int) -> Self:
        """Read what :meth:`to_data` wrote.

        Raises:
            ModelError: if the data are not such a classifier over that many columns.
        """


LEAF = -1
"""Column of a leaf."""

READ_ERRORS = (KeyError, TypeError, ValueError, OverflowError)
"""Exceptions raised by reading arrays from data of the wrong shape."""


def int32_array(values: Any) -> NDArray[np.int32]:
    """The values as an array; ValueError if they are not whole numbers."""
    array = np.asarray(values)
    with np.errstate(invalid="ignore"):
        whole = array.astype(np.int32)
    if not np.array_equal(array, whole):
        raise ValueError("expected whole numbers as places in the tree")
    return whole


def float32_array(values: Any) -> NDArray[np.float32]:
    """The values as an array; infinite where they are too large for it."""
    with np.errstate(over="ignore"):
        return np.asarray(values, dtype=np.float64).astype(np.float32)
