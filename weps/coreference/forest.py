"""A random forest over the pair's similarities: trees that differ by chance, their mean.

L. Breiman, "Random forests", Machine Learning 45 (2001).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from weps.coreference.trees import Trees
from weps.errors import ModelError

__all__ = ["Forest"]


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """A pair's probability is the mean of the leaves that it comes to."""

    kind: ClassVar[str] = "forest"

    trees: Trees
    """At least one; the leaves hold shares of coreferent pairs."""

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """The forest's confidence that each pair is coreferent.

        Args:
            values: shape (pairs, columns), the values of a pair table.

        Returns:
            Shape (pairs,), between 0 and 1.
        """
        return self.trees.sums(values) / len(self.trees.roots)

    def to_data(self) -> dict[str, Any]:
        """The trees' arrays for JSON."""
        return self.trees.to_data()

    @classmethod
    def from_data(cls, data: Any, columns: int) -> Forest:
        """Read what :meth:`to_data` wrote.

        Raises:
            ModelError: if the data are no trees over that many columns, too large, or no shares.
        """
        trees = Trees.from_data(data, columns)
        if len(trees.roots) == 0:
            raise ModelError("its forest has no trees")
        if not ((trees.value >= 0) & (trees.value <= 1)).all():
            raise ModelError("the leaves of its forest are no shares")
        return cls(trees)
