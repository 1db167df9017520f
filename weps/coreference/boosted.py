"""Gradient-boosted trees over the pair's similarities: many small trees, added up.

J. Friedman, "Greedy function approximation: a gradient boosting machine", Annals of Statistics 29
(2001), for the logistic loss (section 4.4).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from weps.coreference.nodes import UNREADABLE
from weps.coreference.trees import Trees
from weps.errors import ModelError

__all__ = ["BoostedTrees"]


@dataclass(frozen=True, slots=True, eq=False)
class BoostedTrees:
    """A pair's log odds are ``base`` and the values of the leaves that it comes to."""

    kind: ClassVar[str] = "boosted"

    base: float
    """Log odds before any tree is asked."""
    trees: Trees

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """The trees' confidence that each pair is coreferent.

        Args:
            values: shape (pairs, columns), the values of a pair table.

        Returns:
            Shape (pairs,), between 0 and 1.
        """
        return np.asarray(expit(self.base + self.trees.sums(values)), dtype=np.float64)

    def to_data(self) -> dict[str, Any]:
        """The base and the trees' arrays for JSON."""
        return {"base": self.base} | self.trees.to_data()

    @classmethod
    def from_data(cls, data: Any, columns: int) -> BoostedTrees:
        """Read what :meth:`to_data` wrote.

        Raises:
            ModelError: if the data are no base and trees over that many columns, or too large.
        """
        trees = Trees.from_data(data, columns)
        try:
            base = float(data["base"])
        except UNREADABLE as error:
            raise ModelError(f"the base of its trees cannot be read ({error})") from None
        if not isfinite(base):
            raise ModelError("the base of its trees is no number")
        return cls(base, trees)
