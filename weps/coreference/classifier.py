"""What every classifier of pairs can do."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

__all__ = ["Classifier"]


class Classifier(Protocol):
    """Says from a pair's similarities how probable it is that the pair is coreferent."""

    kind: ClassVar[str]
    """What model files call it."""

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
            ModelError: if the data are no such classifier over that many columns.
        """
