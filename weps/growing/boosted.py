"""Growing boosted trees (Friedman 2001)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps.coreference import LEAF, BoostedTrees, Trees
from weps.growing.values import comparable

__all__ = ["grow_boosted"]


def grow_boosted(  # noqa: PLR0913 - the pairs, and how to grow
    values: NDArray[np.floating[Any]],
    coreferent: NDArray[np.bool_],
    weights: NDArray[np.floating[Any]],
    *,
    rounds: int = 150,
    rate: float = 0.06,
    leaves: int = 15,
    leaf: int = 100,
    shrinkage: float = 5.0,
    share_of_columns: float = 0.3,
    steps: int = 31,
    seed: int = 0,
    monotone: Sequence[int] | None = None,
) -> BoostedTrees:
    """Grow boosted trees on pairs, for the logistic loss (Friedman 2001).

    The thresholds to choose from are laid down here: scikit-learn 1.9 sorts each column anew for
    every weighted quantile, and takes three times as long over them as over all the trees.

    Where all pairs are of one kind there is nothing to ask: no trees, and log odds as if one more
    pair of either kind had been seen.

    Args:
        values: shape (pairs, columns), finite, at least one pair; read in single precision.
        coreferent: shape (pairs,).
        weights: shape (pairs,), positive.
        rounds: number of trees.
        rate: how much of what a tree has found is believed.
        leaves: most leaves of a tree.
        leaf: fewest pairs in a leaf.
        shrinkage: penalty on the squares of the leaves' values.
        share_of_columns: how many of the columns, drawn at random, each question may be about.
        steps: most thresholds that a column offers, at most 254.
        seed: for the columns drawn.
        monotone: shape (columns,): 1 where more similar must not mean less probable, -1 for the
            opposite, 0 for no such rule.

    Raises:
        ValuesError: if a value is infinite or NaN.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier  # noqa: PLC0415 - only training needs it

    values = comparable(values)
    if len(np.unique(coreferent)) == 1:
        return _without_trees(coreferent)
    offered = [_thresholds(column, steps) for column in values.T]
    classifier = HistGradientBoostingClassifier(
        max_iter=rounds,
        learning_rate=rate,
        max_leaf_nodes=leaves,
        min_samples_leaf=leaf,
        l2_regularization=shrinkage,
        max_features=share_of_columns,
        monotonic_cst=monotone,
        early_stopping=False,
        random_state=seed,
    )
    classifier.fit(_coarse(values, offered), coreferent, sample_weight=weights)
    return _boosted_of(classifier, offered)


def _without_trees(coreferent: NDArray[np.bool_]) -> BoostedTrees:
    seen = np.log(len(coreferent) + 1)
    none, nothing = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.float32)
    trees = Trees(none, none, nothing, none, none, nothing)
    return BoostedTrees(float(seen if coreferent.all() else -seen), trees)


def _thresholds(column: NDArray[np.float32], most: int) -> NDArray[np.float32]:
    """Where a tree may divide the column: midway between neighbouring values, increasing.

    Where there are too many neighbours, between those that divide the pairs into equal parts.
    """
    distinct, pairs = np.unique(column, return_counts=True)
    below = pairs.cumsum()[:-1]
    chosen = np.arange(len(below))
    if len(below) > most:
        wanted = np.linspace(0, len(column), most + 2)[1:-1]
        chosen = np.unique(np.searchsorted(below, wanted).clip(max=len(below) - 1))
    return np.asarray(distinct[chosen] / 2 + distinct[chosen + 1] / 2, dtype=np.float32)


def _coarse(
    values: NDArray[np.float32], offered: Sequence[NDArray[np.float32]]
) -> NDArray[np.float32]:
    """Shape of the values: how many thresholds of its column lie below each."""
    coarse = np.empty_like(values)
    for number, thresholds in enumerate(offered):
        coarse[:, number] = np.searchsorted(thresholds, values[:, number])
    return coarse


def _boosted_of(classifier: Any, offered: Sequence[NDArray[np.float32]]) -> BoostedTrees:
    """Take the arrays out of boosted trees that were fitted to coarse values."""
    base, trees = _fitted(classifier)
    sizes = [len(tree) for tree in trees]
    roots = np.cumsum([0, *sizes[:-1]])
    nodes, shift = np.concatenate(trees), np.repeat(roots, sizes)
    leaf = nodes["is_leaf"] > 0
    threshold = np.zeros(len(nodes), dtype=np.float32)
    for node in np.flatnonzero(~leaf):
        of_column = offered[nodes["feature_idx"][node]]
        threshold[node] = of_column[int(nodes["num_threshold"][node])]
    grown = Trees(
        roots=roots.astype(np.int32),
        column=np.where(leaf, LEAF, nodes["feature_idx"]).astype(np.int32),
        threshold=threshold,
        left=np.where(leaf, LEAF, nodes["left"] + shift).astype(np.int32),
        right=np.where(leaf, LEAF, nodes["right"] + shift).astype(np.int32),
        value=np.where(leaf, nodes["value"], 0).astype(np.float32),
    )
    return BoostedTrees(base, grown)


def _fitted(classifier: Any) -> tuple[float, list[NDArray[Any]]]:
    """The log odds that boosting starts from, and the nodes of each tree.

    scikit-learn has no public way to either. A test holds what comes of them against its own
    predictions, so that a release which changes them shows at once.
    """
    trees = [tree.nodes for (tree,) in classifier._predictors]
    return float(classifier._baseline_prediction.item()), trees
