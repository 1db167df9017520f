"""Many decision trees as one set of arrays: what forests and boosted trees have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps.coreference.nodes import LEAF, UNREADABLE, single_precision, whole_numbers
from weps.errors import ModelError

__all__ = ["Trees"]

_MOST_NODES = 1_000_000
"""A file with more would keep the machine busy, not right; a forest of 33 names has a fiftieth."""
_BLOCK = 8_192
"""Pairs looked at together, so that their values stay in the processor's cache."""
_ARRAYS = ("column", "threshold", "left", "right", "value")


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """Binary trees, N nodes in all; every node is a root or the child of one earlier node."""

    roots: NDArray[np.int32]
    """Shape (trees,): the nodes where a pair starts; there may be none."""
    column: NDArray[np.int32]
    """Shape (N,): column of the pair table that the node looks at; -1 in a leaf."""
    threshold: NDArray[np.float32]
    """Shape (N,): values up to and including it go left."""
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: NDArray[np.float32]
    """Shape (N,): what a leaf says."""

    def sums(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """The values of the leaves that each pair comes to, one in each tree, added up.

        Args:
            values: shape (pairs, columns), the values of a pair table.

        Returns:
            Shape (pairs,).
        """
        sums = np.zeros(len(values))
        for start in range(0, len(values), _BLOCK):
            block = slice(start, start + _BLOCK)
            self._add_leaves(sums[block], np.ascontiguousarray(values[block].T))
        return sums

    def _add_leaves(self, sums: NDArray[np.float64], columns: NDArray[np.float32]) -> None:
        """Send pairs down all trees, node after node; ``columns`` has shape (columns, pairs)."""
        arriving = dict.fromkeys(self.roots.tolist(), np.arange(len(sums)))
        left, right = self.left.tolist(), self.right.tolist()
        for node, column in enumerate(self.column.tolist()):
            pairs = arriving.pop(node)
            if column == LEAF:
                sums[pairs] += self.value[node]
                continue
            goes_left = columns[column][pairs] <= self.threshold[node]
            arriving[left[node]], arriving[right[node]] = pairs[goes_left], pairs[~goes_left]

    def to_data(self) -> dict[str, Any]:
        """The arrays as lists for JSON, each number as short as its precision allows."""
        return {name: _shortest(getattr(self, name)) for name in ("roots", *_ARRAYS)}

    @classmethod
    def from_data(cls, data: Any, columns: int) -> Trees:
        """Read what :meth:`to_data` wrote.

        Raises:
            ModelError: if the arrays are no trees over that many columns, or too large.
        """
        try:
            trees = cls(
                roots=whole_numbers(data["roots"]),
                column=whole_numbers(data["column"]),
                threshold=single_precision(data["threshold"]),
                left=whole_numbers(data["left"]),
                right=whole_numbers(data["right"]),
                value=single_precision(data["value"]),
            )
        except UNREADABLE as error:
            raise ModelError(f"its trees cannot be read ({error})") from None
        if trees.column.size > _MOST_NODES:
            raise ModelError(f"its trees have more than {_MOST_NODES:,} nodes")
        if not trees._is_sound(columns):
            raise ModelError("its trees are damaged")
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
            np.isfinite(self.threshold).all()
            and np.isfinite(self.value).all()
            and ((self.column[inner] >= 0) & (self.column[inner] < columns)).all()
            and (children > inner).all()
            and np.array_equal(reached, np.arange(self.column.size))
        )


def _shortest(array: NDArray[Any]) -> list[float]:
    """The numbers, those of single precision with the fewest digits that read back the same."""
    whole = np.issubdtype(array.dtype, np.integer)
    return array.tolist() if whole else [float(str(number)) for number in array]
