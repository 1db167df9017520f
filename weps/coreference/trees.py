"""Classifiers made of decision trees over the similarities of a pair, as one set of arrays.

A single tree (EMNLP 2009, section 4.3); gradient-boosted trees, a sum of small trees for the
logistic loss (J. Friedman, "Greedy function approximation: a gradient boosting machine", Annals of
Statistics 29, 2001, section 4.4).

All are fitted by scikit-learn to ``values``, shape (pairs, columns), finite, in single precision;
``coreferent``, shape (pairs,); and ``weights``, shape (pairs,), positive.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from weps.coreference.base import (
    Part,
    finite_number,
    float32_array,
    float64_array,
    int32_array,
    inverse_logit,
)

LEAF = -1
"""Column of a leaf."""

_MAX_NODES = 1_000_000
"""Larger files are refused; 200 trees of four leaves have 1,400."""
_BLOCK_PAIRS = 1_024
"""Pairs processed together, so that their outcomes stay in the processor's cache."""
_MAX_TESTS = 8
"""Most tests of a table of trees, so that their outcomes are one byte."""
_MAX_THRESHOLDS = 31
"""Most candidate thresholds of a column in boosting."""

Places = NDArray[np.int32]
Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class DecisionTree(Part):
    """A binary tree of N nodes; node 0 is the root, children have greater numbers."""

    kind: ClassVar[str] = "tree"
    # Chosen by cross-validation on WePS-1: leaves of fewer pairs overfit single names.
    choices: ClassVar[dict[str, float]] = {"depth": 6, "leaf": 100}

    column: Places = field(metadata={"read": int32_array})
    """Shape (N,): column of the pair table that the node tests; -1 in a leaf."""
    threshold: NDArray[np.float64] = field(metadata={"read": float64_array})
    """Shape (N,): values up to and including it go left."""
    left: Places = field(metadata={"read": int32_array})
    right: Places = field(metadata={"read": int32_array})
    probability: NDArray[np.float64] = field(metadata={"read": float64_array})
    """Shape (N,): share of coreferent pairs in the node, weighted and smoothed."""

    @classmethod
    def fit(  # noqa: PLR0913 - the pairs, and parameters of the tree
        cls,
        values: Floats,
        coreferent: NDArray[np.bool_],
        weights: Floats,
        *,
        depth: int,
        leaf: int,
        seed: int,
    ) -> DecisionTree:
        """Fit a tree of at most that depth, with at least so many pairs in each leaf.

        The seed selects among equally good splits. Leaves are smoothed as if each had one more pair
        of either label, so that no finite number of training pairs gives a probability of 0 or 1.
        """
        from sklearn.tree import DecisionTreeClassifier  # noqa: PLC0415 - only training needs it

        fitted = DecisionTreeClassifier(max_depth=depth, min_samples_leaf=leaf, random_state=seed)
        fitted.fit(values, coreferent, sample_weight=weights)
        tree = fitted.tree_
        weight = dict(zip(fitted.classes_.tolist(), tree.value[:, 0, :].T, strict=True))
        share = weight.get(True, 0.0) / tree.value.sum(axis=(1, 2))
        is_leaf = tree.children_left == LEAF
        return cls(
            column=np.where(is_leaf, LEAF, tree.feature).astype(np.int32),
            threshold=np.where(is_leaf, 0.0, tree.threshold),
            left=tree.children_left.astype(np.int32),
            right=tree.children_right.astype(np.int32),
            probability=(share * tree.n_node_samples + 1) / (tree.n_node_samples + 2),
        )

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Shape (pairs,): the confidence that each pair of a pair table is coreferent."""
        found = np.zeros(len(values))
        _add_leaves(found, self, self.probability, values.T, 0)
        return found

    def is_sound(self, columns: int) -> bool:
        """Whether it is a tree over so many columns, its leaves shares."""
        shares = bool(((self.probability >= 0) & (self.probability <= 1)).all())
        return shares and _are_sound(self, self.probability, np.zeros(1, np.int32), columns)


def _are_sound(
    nodes: DecisionTree | BoostedTrees, leaves: Floats, roots: Places, columns: int
) -> bool:
    """Whether every path from a root stays in its own tree and ends in a leaf."""
    arrays = (nodes.column, nodes.threshold, nodes.left, nodes.right, leaves)
    if roots.ndim != 1 or {array.shape for array in arrays} != {(nodes.column.size,)}:
        return False
    inner = np.flatnonzero(nodes.column != LEAF)
    children = np.stack([nodes.left[inner], nodes.right[inner]])
    reached = np.sort(np.concatenate([roots, *children]))
    return bool(
        np.isfinite(nodes.threshold).all()
        and np.isfinite(leaves).all()
        and ((nodes.column[inner] >= 0) & (nodes.column[inner] < columns)).all()
        and (children > inner).all()
        and np.array_equal(reached, np.arange(nodes.column.size))
    )


def _add_leaves(
    sums: NDArray[np.float64],
    nodes: DecisionTree | BoostedTrees,
    leaves: Floats,
    columns: NDArray[np.float32],
    root: int,
) -> None:
    """Send pairs down one tree, node after node; columns have shape (columns, pairs)."""
    arriving = [(root, np.arange(len(sums)))]
    while arriving:
        node, pairs = arriving.pop()
        column = int(nodes.column[node])
        if column == LEAF:
            sums[pairs] += leaves[node]
            continue
        goes_left = columns[column][pairs] <= nodes.threshold[node]
        arriving += [
            (int(nodes.right[node]), pairs[~goes_left]),
            (int(nodes.left[node]), pairs[goes_left]),
        ]


Test = tuple[int, float]
"""Column and threshold."""


@lru_cache(maxsize=8)
def _tabulate_trees(
    trees: BoostedTrees,
) -> tuple[Places, NDArray[np.float32], NDArray[np.intp], NDArray[np.float64], list[int]]:
    """Small trees as tables, as many of them together as share few tests.

    A table has the sum of the leaves of its trees for each combination of the outcomes of its
    tests: one bit for each test, the last test's lowest, 1 where a pair goes left.

    Boosting repeats its tests, so that a pair's outcomes are computed once for all trees, and a
    table replaces several neighbouring trees.

    Returns:
        Column and threshold of each distinct test; shape (tables, 8), the tests of each table,
        behind one that always fails where they are fewer; shape (tables, 256), the sums of leaves;
        and the roots of large trees.
    """
    left, right, roots = trees.left.tolist(), trees.right.tolist(), trees.roots.tolist()
    inner = np.flatnonzero(trees.column != LEAF)
    asked = zip(trees.column[inner].tolist(), trees.threshold[inner].tolist(), strict=True)
    test_at = dict[int, Test](zip(inner.tolist(), asked, strict=True))
    tree_of = {root: number for number, root in enumerate(roots)}
    nodes_of: list[list[int]] = [[] for _ in roots]
    for node in range(len(left)):  # children come later than their parents
        nodes_of[tree_of[node]].append(node)
        if node in test_at:
            tree_of[left[node]] = tree_of[right[node]] = tree_of[node]
    groups: list[tuple[dict[Test, None], list[int]]] = []
    large = []
    for root, nodes in zip(roots, nodes_of, strict=True):
        tests = dict.fromkeys(test_at[node] for node in nodes if node in test_at)
        if len(tests) > _MAX_TESTS:
            large.append(root)
        elif groups and len(groups[-1][0] | tests) <= _MAX_TESTS:
            groups[-1][0].update(tests)
            groups[-1][1].extend(nodes)
        else:
            groups.append((tests, nodes))
    distinct = dict.fromkeys(test for tests, _ in groups for test in tests)
    number = {test: at for at, test in enumerate(distinct)}
    tests_of = np.full((len(groups), _MAX_TESTS), len(number))
    sums_of = np.zeros((len(groups), 1 << _MAX_TESTS))
    for row, (tests, nodes) in enumerate(groups):
        tests_of[row, _MAX_TESTS - len(tests) :] = [number[test] for test in tests]
        sums_of[row, : 1 << len(tests)] = _leaf_sums(trees, tests, nodes)
    column = np.array([column for column, _ in number], np.int32)
    threshold = np.array([threshold for _, threshold in number], np.float32)
    return column, threshold, tests_of, sums_of, large


def _leaf_sums(
    trees: BoostedTrees, tests: Collection[Test], nodes: list[int]
) -> NDArray[np.float64]:
    """The sum of the leaves of trees with these nodes, for each combination of outcomes."""
    codes = np.arange(1 << len(tests))
    goes_left = {test: (codes >> bit & 1) == 1 for bit, test in enumerate(reversed([*tests]))}
    reached: dict[int, NDArray[np.float64]] = {}
    for node in reversed(nodes):
        if trees.column[node] == LEAF:
            reached[node] = np.full(len(codes), trees.value[node], np.float64)
        else:
            test = int(trees.column[node]), float(trees.threshold[node])
            reached[node] = np.where(
                goes_left[test],
                *(reached.pop(int(side[node])) for side in (trees.left, trees.right)),
            )
    return sum(reversed(reached.values()), np.zeros(len(codes)))  # the roots are left


@dataclass(frozen=True, slots=True, eq=False)
class BoostedTrees(Part):
    """Binary trees, N nodes in all; every node is a root or the child of one earlier node.

    A pair's log odds are ``base`` plus the sum of its leaf values.
    """

    kind: ClassVar[str] = "boosted"
    choices: ClassVar[dict[str, float]] = {"rounds": 200, "leaves": 4, "leaf": 40}

    base: float = field(metadata={"read": finite_number})
    """Log odds without trees."""
    roots: Places = field(metadata={"read": int32_array})
    """Shape (trees,): the nodes where a pair starts; there may be none."""
    column: Places = field(metadata={"read": int32_array})
    """Shape (N,): column of the pair table that the node tests; -1 in a leaf."""
    threshold: NDArray[np.float32] = field(metadata={"read": float32_array})
    """Shape (N,): values up to and including it go left."""
    left: Places = field(metadata={"read": int32_array})
    right: Places = field(metadata={"read": int32_array})
    value: NDArray[np.float32] = field(metadata={"read": float32_array})
    """Shape (N,): value of a leaf."""

    @classmethod
    def fit(  # noqa: PLR0913 - the pairs, and parameters of the trees
        cls,
        values: NDArray[np.float32],
        coreferent: NDArray[np.bool_],
        weights: Floats,
        *,
        rounds: int,
        leaves: int,
        leaf: int,
        rate: float = 0.06,
        share_of_columns: float = 0.3,
        seed: int = 0,
    ) -> BoostedTrees:
        """Fit boosted trees with the logistic loss (Friedman 2001).

        Candidate thresholds are computed here: scikit-learn 1.9 sorts each column again for
        every weighted quantile, and takes three times as long over them as over all the trees.

        If all pairs have the same label there are no trees, and the log odds are those with one
        more pair of either label.

        Args:
            values: see above.
            coreferent: see above.
            weights: see above.
            rounds: number of trees.
            leaves: most leaves of a tree.
            leaf: fewest pairs in a leaf.
            rate: learning rate.
            share_of_columns: share of the columns, sampled at random, considered at each split.
            seed: of the sampled columns.
        """
        from sklearn.ensemble import HistGradientBoostingClassifier  # noqa: PLC0415 - for training

        if len(np.unique(coreferent)) == 1:
            log_odds = float(np.log(len(coreferent) + 1))
            none, nothing = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.float32)
            base = log_odds if coreferent.all() else -log_odds
            return cls(base, none, none, nothing, none, none, nothing)
        offered = [_candidate_thresholds(column) for column in values.T]
        columns = zip(offered, values.T, strict=True)
        # Of each column the number of thresholds below a value.
        coarse = np.stack([np.searchsorted(*each) for each in columns], axis=1)
        fitted = HistGradientBoostingClassifier(
            max_iter=rounds,
            learning_rate=rate,
            max_leaf_nodes=leaves,
            min_samples_leaf=leaf,
            l2_regularization=5.0,
            max_features=share_of_columns,
            early_stopping=False,
            random_state=seed,
        )
        fitted.fit(coarse.astype(np.float32), coreferent, sample_weight=weights)
        # scikit-learn has no public API for the trees. A test compares the result with its own
        # predictions, so that a release that changes them is noticed.
        grown = [tree.nodes for (tree,) in fitted._predictors]
        nodes, sizes = np.concatenate(grown), [*map(len, grown)]
        leaf_node = nodes["is_leaf"] > 0
        column = np.where(leaf_node, LEAF, nodes["feature_idx"]).astype(np.int32)
        asked = zip(column.tolist(), nodes["num_threshold"].tolist(), strict=True)
        threshold = np.array(
            [0.0 if of == LEAF else offered[of][int(at)] for of, at in asked], dtype=np.float32
        )
        roots = np.cumsum([0, *sizes[:-1]]).astype(np.int32)
        shift = np.repeat(roots, sizes)  # children are numbered within their tree
        left, right = (
            np.where(leaf_node, LEAF, nodes[side] + shift).astype(np.int32)
            for side in ("left", "right")
        )
        value = np.where(leaf_node, nodes["value"], 0).astype(np.float32)
        base = float(fitted._baseline_prediction.item())
        return cls(base, roots, column, threshold, left, right, value)

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Shape (pairs,): the confidence that each pair of a pair table is coreferent."""
        return inverse_logit(self.log_odds(values))

    def log_odds(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Shape (pairs,): the log odds of each pair, given its values, shape (pairs, columns)."""
        column, threshold, tests_of_tables, sums_of_tables, large = _tabulate_trees(self)
        begins = np.arange(len(sums_of_tables))[:, np.newaxis] << _MAX_TESTS
        sums = np.zeros(len(values))
        for start in range(0, len(values), _BLOCK_PAIRS):
            block = sums[start : start + _BLOCK_PAIRS]
            columns = values[start : start + _BLOCK_PAIRS].T
            outcomes = np.zeros((len(column) + 1, len(block)), dtype=bool)
            np.less_equal(columns[column], threshold[:, np.newaxis], out=outcomes[:-1])
            codes = np.zeros((len(sums_of_tables), len(block)), dtype=np.uint8)
            for tests in tests_of_tables.T:
                np.add(codes, codes, out=codes)
                np.bitwise_or(codes, outcomes[tests], out=codes)
            for found in sums_of_tables.take(codes + begins):
                block += found  # in order, so that no sum depends on the number of pairs
            for root in large:
                _add_leaves(block, self, self.value, columns, root)
        return self.base + sums

    def is_sound(self, columns: int) -> bool:
        """Whether they are trees over so many columns, and not too many."""
        return self.column.size <= _MAX_NODES and _are_sound(self, self.value, self.roots, columns)


def _candidate_thresholds(column: NDArray[np.float32]) -> NDArray[np.float32]:
    """The candidate thresholds of the column: midway between neighbouring values, increasing.

    If there are too many, those that divide the pairs into equal parts.
    """
    distinct, pairs = np.unique(column, return_counts=True)
    below = pairs.cumsum()[:-1]
    chosen = np.arange(len(below))
    if len(below) > _MAX_THRESHOLDS:
        wanted = np.linspace(0, len(column), _MAX_THRESHOLDS + 2)[1:-1]
        chosen = np.unique(np.searchsorted(below, wanted).clip(max=len(below) - 1))
    return np.asarray(distinct[chosen] / 2 + distinct[chosen + 1] / 2, dtype=np.float32)
