"""Classifiers made of decision trees over the similarities of a pair, as one set of arrays.

A single tree (EMNLP 2009, section 4.3); a random forest, the mean of randomised trees (L. Breiman,
"Random forests", Machine Learning 45, 2001); gradient-boosted trees, a sum of small trees for the
logistic loss (J. Friedman, "Greedy function approximation: a gradient boosting machine", Annals of
Statistics 29, 2001, section 4.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from math import isfinite
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from weps.coreference.base import LEAF, float32_array, int32_array, read_fields
from weps.errors import ModelError

_float64_array = partial(np.asarray, dtype=np.float64)
_PLACES = dict.fromkeys(("column", "left", "right"), int32_array)
_TREE_FIELDS = _PLACES | dict.fromkeys(("threshold", "probability"), _float64_array)
_TREES_FIELDS = (
    {"roots": int32_array} | _PLACES | dict.fromkeys(("threshold", "value"), float32_array)
)


@dataclass(frozen=True, slots=True, eq=False)
class DecisionTree:
    """A binary tree of N nodes; node 0 is the root, children have greater numbers."""

    kind: ClassVar[str] = "tree"

    column: NDArray[np.int32]
    """Shape (N,): column of the pair table that the node tests; -1 in a leaf."""
    threshold: NDArray[np.float64]
    """Shape (N,): values up to and including it go left."""
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    probability: NDArray[np.float64]
    """Shape (N,): share of coreferent pairs in the node, weighted and smoothed."""

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """The tree's confidence that each pair is coreferent, see :class:`Classifier`."""
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
        """Read what :meth:`to_data` wrote, see :class:`Classifier`."""
        tree = cls(**read_fields(data, "its decision tree", **_TREE_FIELDS))
        if not tree._is_valid(columns):
            raise ModelError("its decision tree is damaged")
        return tree

    def _is_valid(self, columns: int) -> bool:
        """Whether every path from the root stays inside and ends in a leaf."""
        arrays = [getattr(self, name) for name in self.__slots__]
        size = len(self.column) if self.column.ndim == 1 else 0
        if size == 0 or any(array.shape != (size,) for array in arrays):
            return False
        inner, children = _inner_nodes(self)
        return bool(
            np.isfinite(self.threshold[inner]).all()
            and ((self.probability >= 0) & (self.probability <= 1)).all()
            and ((self.column[inner] >= 0) & (self.column[inner] < columns)).all()
            and ((children > inner) & (children < size)).all()
        )


def _inner_nodes(tree: DecisionTree | Trees) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
    """Shapes (inner nodes,) and (2, inner nodes): the nodes that are no leaves, their children."""
    inner = np.flatnonzero(tree.column != LEAF)
    return inner, np.stack([tree.left[inner], tree.right[inner]])


_MAX_NODES = 1_000_000
"""Larger files are refused; a forest of 33 names has a fiftieth of this."""
_BLOCK_PAIRS = 8_192
"""Pairs processed together, so that their values stay in the processor's cache."""
_MAX_TESTS = 8
"""Most tests of a table of trees, so that their outcomes are one byte."""


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """Binary trees, N nodes in all; every node is a root or the child of one earlier node."""

    roots: NDArray[np.int32]
    """Shape (trees,): the nodes where a pair starts; there may be none."""
    column: NDArray[np.int32]
    """Shape (N,): column of the pair table that the node tests; -1 in a leaf."""
    threshold: NDArray[np.float32]
    """Shape (N,): values up to and including it go left."""
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: NDArray[np.float32]
    """Shape (N,): value of a leaf."""

    def sum_leaves(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Shape (pairs,): the sum of the leaf values of each pair over all trees.

        Args:
            values: shape (pairs, columns), the values of a pair table.
        """
        sums = np.zeros(len(values))
        tables, large = _tabulate_trees(self)
        for start in range(0, len(values), _BLOCK_PAIRS):
            block = slice(start, start + _BLOCK_PAIRS)
            columns = np.ascontiguousarray(values[block].T)
            _add_looked_up(sums[block], columns, tables)
            for root in large:
                self._add_leaves(sums[block], columns, root)
        return sums

    def _add_leaves(
        self,
        sums: NDArray[np.float64],
        columns: NDArray[np.float32] | Mapping[int, NDArray[np.float32]],
        root: int,
    ) -> None:
        """Send pairs down one tree, node after node; each of the columns has shape (pairs,)."""
        arriving = [(root, np.arange(len(sums)))]
        while arriving:
            node, pairs = arriving.pop()
            column = int(self.column[node])
            if column == LEAF:
                sums[pairs] += self.value[node]
                continue
            goes_left = columns[column][pairs] <= self.threshold[node]
            arriving += [
                (int(self.right[node]), pairs[~goes_left]),
                (int(self.left[node]), pairs[goes_left]),
            ]

    def _inner_nodes_below(self, root: int) -> list[int]:
        """The nodes of one tree that are no leaves."""
        nodes, below = [], [root]
        while below:
            node = below.pop()
            if self.column[node] != LEAF:
                nodes.append(node)
                below += [int(self.left[node]), int(self.right[node])]
        return nodes

    def to_data(self) -> dict[str, Any]:
        """The arrays as lists for JSON, each number as short as its precision allows."""
        data = {name: getattr(self, name).tolist() for name in self.__slots__}
        for name in ("threshold", "value"):
            data[name] = [float(str(number)) for number in getattr(self, name)]
        return data

    @classmethod
    def from_data(cls, data: Any, columns: int) -> Trees:
        """Read what :meth:`to_data` wrote.

        Raises:
            ModelError: if the arrays are not trees over that many columns, or too large.
        """
        trees = cls(**read_fields(data, "its trees", **_TREES_FIELDS))
        if trees.column.size > _MAX_NODES:
            raise ModelError(f"its trees have more than {_MAX_NODES:,} nodes")
        if not trees._is_valid(columns):
            raise ModelError("its trees are damaged")
        return trees

    def _is_valid(self, columns: int) -> bool:
        """Whether every path from a root stays in its own tree and ends in a leaf."""
        arrays = (self.column, self.threshold, self.left, self.right, self.value)
        if self.roots.ndim != 1 or any(array.shape != (self.column.size,) for array in arrays):
            return False
        inner, children = _inner_nodes(self)
        reached = np.sort(np.concatenate([self.roots, *children]))
        return bool(
            np.isfinite(self.threshold).all()
            and np.isfinite(self.value).all()
            and ((self.column[inner] >= 0) & (self.column[inner] < columns)).all()
            and (children > inner).all()
            and np.array_equal(reached, np.arange(self.column.size))
        )


Test = tuple[int, float]
"""Column and threshold."""
_Tables = Sequence[tuple[list[Test], NDArray[np.float64]]]
"""Tests, and the sum of the leaves of some trees for each combination of their outcomes: one bit
for each test, the last test's lowest, 1 where a pair goes left."""


@lru_cache(maxsize=8)
def _tabulate_trees(trees: Trees) -> tuple[_Tables, list[int]]:
    """Small trees as tables, as many of them together as share few tests, and the other roots.

    Boosting repeats its tests, so that a pair's outcomes are computed once for all trees, and a
    table replaces several trees.
    """
    inner = np.flatnonzero(trees.column != LEAF)
    asked = zip(trees.column[inner].tolist(), trees.threshold[inner].tolist(), strict=True)
    test_at: dict[int, Test] = dict(zip(inner.tolist(), asked, strict=True))
    groups, large = _group_trees(trees, test_at)
    # The trees as they would be if each test were a column of its own, 0 where a pair goes left.
    number = {test: number for number, test in enumerate(dict.fromkeys(test_at.values()))}
    column = trees.column.copy()
    column[inner] = [number[test] for test in test_at.values()]
    numbered = replace(trees, column=column, threshold=np.full_like(trees.threshold, 0.5))
    tables = []
    for tests, roots in groups:
        codes = np.arange(1 << len(tests))
        table = np.zeros(len(codes))
        columns = {
            number[test]: ((codes >> bit & 1) == 0).astype(np.float32)
            for bit, test in enumerate(reversed(tests))
        }
        for root in roots:
            numbered._add_leaves(table, columns, root)
        tables.append((tests, table))
    return tables, large


def _group_trees(
    trees: Trees, test_at: Mapping[int, Test]
) -> tuple[list[tuple[list[Test], list[int]]], list[int]]:
    """Tests and roots of neighbouring trees that have few tests together; roots of larger trees."""
    groups: list[tuple[dict[Test, None], list[int]]] = []
    large = []
    for root in trees.roots.tolist():
        own = dict.fromkeys(test_at[node] for node in trees._inner_nodes_below(root))
        if len(own) > _MAX_TESTS:
            large.append(root)
        elif groups and len(groups[-1][0] | own) <= _MAX_TESTS:
            groups[-1][0].update(own)
            groups[-1][1].append(root)
        else:
            groups.append((own, [root]))
    return [(list(tests), roots) for tests, roots in groups], large


def _add_looked_up(
    sums: NDArray[np.float64], columns: NDArray[np.float32], tables: _Tables
) -> None:
    """Add what the tables have for each pair; ``columns`` has shape (columns, pairs)."""
    outcome: dict[Test, NDArray[np.uint8]] = {}
    code, found = np.empty(len(sums), np.uint8), np.empty(len(sums))
    for tests, table in tables:
        code.fill(0)
        for test in tests:
            if test not in outcome:
                outcome[test] = (columns[test[0]] <= np.float32(test[1])).view(np.uint8)
            np.add(code, code, out=code)
            np.bitwise_or(code, outcome[test], out=code)
        np.take(table, code, out=found, mode="clip")
        sums += found


@dataclass(frozen=True, slots=True, eq=False)
class BoostedTrees:
    """A pair's log odds are ``base`` plus the sum of its leaf values."""

    kind: ClassVar[str] = "boosted"

    base: float
    """Log odds without trees."""
    trees: Trees

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """The trees' confidence that each pair is coreferent, see :class:`Classifier`."""
        return np.asarray(expit(self.log_odds(values)), dtype=np.float64)

    def log_odds(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Shape (pairs,): the log odds of each pair, given its values, shape (pairs, columns)."""
        return self.base + self.trees.sum_leaves(values)

    def to_data(self) -> dict[str, Any]:
        """The base and the trees' arrays for JSON."""
        return {"base": self.base} | self.trees.to_data()

    @classmethod
    def from_data(cls, data: Any, columns: int) -> BoostedTrees:
        """Read what :meth:`to_data` wrote, see :class:`Classifier`."""
        trees = Trees.from_data(data, columns)
        base = read_fields(data, "the base of its trees", base=float)["base"]
        if not isfinite(base):
            raise ModelError("the base of its trees is not a finite number")
        return cls(base, trees)


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """A pair's probability is the mean of its leaf values."""

    kind: ClassVar[str] = "forest"

    trees: Trees
    """At least one tree; leaf values are shares of coreferent pairs."""

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """The forest's confidence that each pair is coreferent, see :class:`Classifier`."""
        return self.trees.sum_leaves(values) / len(self.trees.roots)

    def to_data(self) -> dict[str, Any]:
        """The trees' arrays for JSON."""
        return self.trees.to_data()

    @classmethod
    def from_data(cls, data: Any, columns: int) -> Forest:
        """Read what :meth:`to_data` wrote, see :class:`Classifier`."""
        trees = Trees.from_data(data, columns)
        if len(trees.roots) == 0:
            raise ModelError("its forest has no trees")
        if not ((trees.value >= 0) & (trees.value <= 1)).all():
            raise ModelError("the leaves of its forest are not between 0 and 1")
        return cls(trees)
