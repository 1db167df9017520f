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

from weps.coreference.nodes import LEAF, UNREADABLE, single_precision, whole_numbers
from weps.errors import ModelError

__all__ = ["BoostedTrees"]

_MOST_NODES = 200_000
"""A file with more would keep the machine busy, not right; 150 trees of 15 leaves have 4,350."""
_BLOCK = 8_192
"""Pairs looked at together, so that their values stay in the processor's cache."""
_ARRAYS = ("column", "threshold", "left", "right", "value")


@dataclass(frozen=True, slots=True, eq=False)
class BoostedTrees:
    """Binary trees, N nodes in all; every node is a root or the child of one earlier node.

    A pair's log odds are ``base`` and the values of the leaves, one in each tree, that it comes to.
    """

    kind: ClassVar[str] = "boosted"

    base: float
    """Log odds before any tree is asked."""
    roots: NDArray[np.int32]
    """Shape (trees,): the nodes where a pair starts; there may be none."""
    column: NDArray[np.int32]
    """Shape (N,): column of the pair table that the node looks at; -1 in a leaf."""
    threshold: NDArray[np.float32]
    """Shape (N,): values up to and including it go left."""
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: NDArray[np.float32]
    """Shape (N,): what a leaf adds to the log odds."""

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """The trees' confidence that each pair is coreferent.

        Args:
            values: shape (pairs, columns), the values of a pair table.

        Returns:
            Shape (pairs,), between 0 and 1.
        """
        log_odds = np.full(len(values), self.base)
        for start in range(0, len(values), _BLOCK):
            block = slice(start, start + _BLOCK)
            self._add_leaves(log_odds[block], np.ascontiguousarray(values[block].T))
        return np.asarray(expit(log_odds), dtype=np.float64)

    def _add_leaves(self, log_odds: NDArray[np.float64], columns: NDArray[np.float32]) -> None:
        """Send pairs down all trees, node after node; ``columns`` has shape (columns, pairs)."""
        arriving = dict.fromkeys(self.roots.tolist(), np.arange(len(log_odds)))
        left, right = self.left.tolist(), self.right.tolist()
        for node, column in enumerate(self.column.tolist()):
            pairs = arriving.pop(node)
            if column == LEAF:
                log_odds[pairs] += self.value[node]
                continue
            goes_left = columns[column][pairs] <= self.threshold[node]
            arriving[left[node]], arriving[right[node]] = pairs[goes_left], pairs[~goes_left]

    def to_data(self) -> dict[str, Any]:
        """The arrays as lists for JSON, each number as short as its precision allows."""
        data = {name: getattr(self, name) for name in ("roots", *_ARRAYS)}
        return {"base": self.base} | {name: _shortest(array) for name, array in data.items()}

    @classmethod
    def from_data(cls, data: Any, columns: int) -> BoostedTrees:
        """Read what :meth:`to_data` wrote.

        Raises:
            ModelError: if the arrays are no trees over that many columns, or too large.
        """
        try:
            trees = cls(
                base=float(data["base"]),
                roots=whole_numbers(data["roots"]),
                column=whole_numbers(data["column"]),
                threshold=single_precision(data["threshold"]),
                left=whole_numbers(data["left"]),
                right=whole_numbers(data["right"]),
                value=single_precision(data["value"]),
            )
        except UNREADABLE as error:
            raise ModelError(f"its boosted trees cannot be read ({error})") from None
        if trees.column.size > _MOST_NODES:
            raise ModelError(f"its boosted trees have more than {_MOST_NODES:,} nodes")
        if not trees._is_sound(columns):
            raise ModelError("its boosted trees are damaged")
        return trees

    def _is_sound(self, columns: int) -> bool:
        """Whether every walk from a root stays in its own tree and ends in a leaf."""
        arrays = [getattr(self, name) for name in _ARRAYS]
        if self.roots.ndim != 1 or any(array.shape != (self.column.size,) for array in arrays):
            return False
        inner = np.flatnonzero(self.column != LEAF)
        children = np.stack([self.left[inner], self.right[inner]])
        reached = np.sort(np.concatenate([self.roots, *children]))
        return bool(
            isfinite(self.base)
            and np.isfinite(self.threshold).all()
            and np.isfinite(self.value).all()
            and ((self.column[inner] >= 0) & (self.column[inner] < columns)).all()
            and (children > inner).all()
            and np.array_equal(reached, np.arange(self.column.size))
        )


def _shortest(array: NDArray[Any]) -> list[float]:
    """The numbers, those of single precision with the fewest digits that read back the same."""
    whole = np.issubdtype(array.dtype, np.integer)
    return array.tolist() if whole else [float(str(number)) for number in array]
