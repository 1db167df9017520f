"""A decision tree over the pair's similarities (EMNLP 2009, section 4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from weps.coreference.nodes import LEAF, UNREADABLE, whole_numbers
from weps.errors import ModelError

__all__ = ["DecisionTree"]


@dataclass(frozen=True, slots=True, eq=False)
class DecisionTree:
    """A binary tree of N nodes; node 0 is the root, children have greater numbers."""

    kind: ClassVar[str] = "tree"

    column: NDArray[np.int32]
    """Shape (N,): column of the pair table that the node looks at; -1 in a leaf."""
    threshold: NDArray[np.float64]
    """Shape (N,): values up to and including it go left."""
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    probability: NDArray[np.float64]
    """Shape (N,): share of coreferent pairs in the node, weighted and smoothed."""

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """The tree's confidence that each pair is coreferent.

        Args:
            values: shape (pairs, columns), the values of a pair table.

        Returns:
            Shape (pairs,), between 0 and 1.
        """
        node = np.zeros(len(values), dtype=np.int32)
        inner = np.arange(len(values))
        while len(inner):
            at = node[inner]
            inner, at = inner[self.column[at] != LEAF], at[self.column[at] != LEAF]
            goes_left = values[inner, self.column[at]] <= self.threshold[at]
            node[inner] = np.where(goes_left, self.left[at], self.right[at])
        return self.probability[node]

    def to_data(self) -> dict[str, Any]:
        """The arrays as lists for JSON."""
        return {name: getattr(self, name).tolist() for name in self.__slots__}

    @classmethod
    def from_data(cls, data: Any, columns: int) -> DecisionTree:
        """Read what :meth:`to_data` wrote.

        Raises:
            ModelError: if the arrays are no tree over that many columns.
        """
        try:
            tree = cls(
                column=whole_numbers(data["column"]),
                threshold=np.asarray(data["threshold"], dtype=np.float64),
                left=whole_numbers(data["left"]),
                right=whole_numbers(data["right"]),
                probability=np.asarray(data["probability"], dtype=np.float64),
            )
        except UNREADABLE as error:
            raise ModelError(f"its decision tree cannot be read ({error})") from None
        if not tree._is_sound(columns):
            raise ModelError("its decision tree is damaged")
        return tree

    def _is_sound(self, columns: int) -> bool:
        """Whether every walk from the root stays inside and ends in a leaf."""
        arrays = [getattr(self, name) for name in self.__slots__]
        size = len(self.column) if self.column.ndim == 1 else 0
        if size == 0 or any(array.shape != (size,) for array in arrays):
            return False
        inner = np.flatnonzero(self.column != LEAF)
        children = np.stack([self.left[inner], self.right[inner]])
        return bool(
            np.isfinite(self.threshold[inner]).all()
            and ((self.probability >= 0) & (self.probability <= 1)).all()
            and ((self.column[inner] >= 0) & (self.column[inner] < columns)).all()
            and ((children > inner) & (children < size)).all()
        )
