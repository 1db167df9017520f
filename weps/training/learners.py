"""Fitting trees, forests, boosted trees and heterogeneity based ranking to labelled pairs.

A single tree follows EMNLP 2009, section 4.3; forests Breiman 2001; boosted trees Friedman 2001. Of
heterogeneity based ranking only the calibration is fitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps.coreference.base import LEAF, fit_calibration
from weps.coreference.hbr import HeterogeneityRanking
from weps.coreference.trees import BoostedTrees, DecisionTree, Forest, Trees
from weps.errors import ValuesError

__all__ = ["checked_values", "fit_boosted", "fit_forest", "fit_hbr", "fit_tree"]


def checked_values(values: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    """The values in single precision, as trees compare them.

    Args:
        values: shape (pairs, columns).

    Raises:
        ValuesError: if a value is NaN, or infinite in single precision: thresholds beside it could
            not be read back.
    """
    with np.errstate(over="ignore"):
        single = np.asarray(values, dtype=np.float32)
    finite = np.isfinite(single).all(axis=0)
    if not finite.all():
        raise ValuesError(
            "a similarity is infinite or NaN",
            where=f"column {np.flatnonzero(~finite)[0]} of the pairs to learn from",
            remedy="leave its feature out",
        )
    return single


def fit_boosted(  # noqa: PLR0913 - the pairs, and parameters of the trees
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
    """Fit boosted trees to pairs with the logistic loss (Friedman 2001).

    Candidate thresholds are computed here: scikit-learn 1.9 sorts each column again for
    every weighted quantile, and takes three times as long over them as over all the trees.

    If all pairs have the same label there are no trees, and the log odds are those with one more
    pair of either label.

    Args:
        values: shape (pairs, columns), finite, at least one pair; read in single precision.
        coreferent: shape (pairs,).
        weights: shape (pairs,), positive.
        rounds: number of trees.
        rate: learning rate.
        leaves: most leaves of a tree.
        leaf: fewest pairs in a leaf.
        shrinkage: penalty on the squares of the leaves' values.
        share_of_columns: share of the columns, sampled at random, considered at each split.
        steps: largest number of thresholds of a column, at most 254.
        seed: of the sampled columns.
        monotone: shape (columns,): 1 where more similar must not mean less probable, -1 for the
            opposite, 0 for no such rule.

    Raises:
        ValuesError: if a value is infinite or NaN.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier  # noqa: PLC0415 - only training needs it

    values = checked_values(values)
    if len(np.unique(coreferent)) == 1:
        return _constant_trees(coreferent)
    offered = [_candidate_thresholds(column, steps) for column in values.T]
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
    classifier.fit(_bin_values(values, offered), coreferent, sample_weight=weights)
    return _trees_from_sklearn(classifier, offered)


def _constant_trees(coreferent: NDArray[np.bool_]) -> BoostedTrees:
    seen = np.log(len(coreferent) + 1)
    none, nothing = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.float32)
    trees = Trees(none, none, nothing, none, none, nothing)
    return BoostedTrees(float(seen if coreferent.all() else -seen), trees)


def _candidate_thresholds(column: NDArray[np.float32], most: int) -> NDArray[np.float32]:
    """The candidate thresholds of the column: midway between neighbouring values, increasing.

    If there are too many, those that divide the pairs into equal parts.
    """
    distinct, pairs = np.unique(column, return_counts=True)
    below = pairs.cumsum()[:-1]
    chosen = np.arange(len(below))
    if len(below) > most:
        wanted = np.linspace(0, len(column), most + 2)[1:-1]
        chosen = np.unique(np.searchsorted(below, wanted).clip(max=len(below) - 1))
    return np.asarray(distinct[chosen] / 2 + distinct[chosen + 1] / 2, dtype=np.float32)


def _bin_values(
    values: NDArray[np.float32], offered: Sequence[NDArray[np.float32]]
) -> NDArray[np.float32]:
    """Same shape as the values: the number of thresholds of its column below each."""
    coarse = np.empty_like(values)
    for number, thresholds in enumerate(offered):
        coarse[:, number] = np.searchsorted(thresholds, values[:, number])
    return coarse


def _trees_from_sklearn(classifier: Any, offered: Sequence[NDArray[np.float32]]) -> BoostedTrees:
    """Extract the arrays of boosted trees that were fitted to binned values."""
    base, trees = _sklearn_nodes(classifier)
    sizes = [len(tree) for tree in trees]
    roots = np.cumsum([0, *sizes[:-1]])
    nodes, shift = np.concatenate(trees), np.repeat(roots, sizes)
    leaf = nodes["is_leaf"] > 0
    threshold = np.zeros(len(nodes), dtype=np.float32)
    for node in np.flatnonzero(~leaf):
        of_column = offered[nodes["feature_idx"][node]]
        threshold[node] = of_column[int(nodes["num_threshold"][node])]
    fitted_trees = Trees(
        roots=roots.astype(np.int32),
        column=np.where(leaf, LEAF, nodes["feature_idx"]).astype(np.int32),
        threshold=threshold,
        left=np.where(leaf, LEAF, nodes["left"] + shift).astype(np.int32),
        right=np.where(leaf, LEAF, nodes["right"] + shift).astype(np.int32),
        value=np.where(leaf, nodes["value"], 0).astype(np.float32),
    )
    return BoostedTrees(base, fitted_trees)


def _sklearn_nodes(classifier: Any) -> tuple[float, list[NDArray[Any]]]:
    """The log odds that boosting starts from, and the nodes of each tree.

    scikit-learn has no public API for either. A test compares the result with its own
    predictions, so that a release that changes them is noticed.
    """
    trees = [tree.nodes for (tree,) in classifier._predictors]
    return float(classifier._baseline_prediction.item()), trees


def fit_hbr(  # noqa: PLR0913 - the pairs, and parameters of the sample
    values: NDArray[np.floating[Any]],
    coreferent: NDArray[np.bool_],
    weights: NDArray[np.floating[Any]],
    *,
    rivals: int,
    samples: int,
    shown: int,
    seed: int,
) -> HeterogeneityRanking:
    """Sample the pairs that others are compared with; labels are used for the calibration only.

    Args:
        values: shape (pairs, columns), finite, at least one pair; read in single precision.
        coreferent: shape (pairs,); two numbers are fitted to them, slope and shift of the log odds.
        weights: shape (pairs,), positive, proportional to the probability of being sampled.
        rivals: pairs that others are compared with.
        samples: pairs of rivals over which heterogeneity is a share.
        shown: pairs that the calibration is fitted to.
        seed: of all samples.

    Raises:
        ValuesError: if a value is infinite or NaN.
    """
    pairs = checked_values(values)
    generator = np.random.default_rng(seed)
    chance = weights / weights.sum()
    chosen = generator.choice(len(pairs), rivals, p=chance)
    apart = generator.integers(1, max(rivals, 2), samples)
    first = generator.integers(0, rivals, samples)
    sample_pairs = np.stack([first, (first + apart) % rivals], axis=1).astype(np.int32)
    ranking = HeterogeneityRanking(pairs[chosen], sample_pairs)
    some = generator.choice(len(pairs), min(shown, len(pairs)), replace=False)
    scores = ranking.scores(pairs[some])
    calibration = fit_calibration(scores, coreferent[some], weights[some].astype(np.float64))
    return HeterogeneityRanking(pairs[chosen], sample_pairs, calibration)


def fit_tree(  # noqa: PLR0913 - the pairs, and parameters of the trees
    values: NDArray[np.floating[Any]],
    coreferent: NDArray[np.bool_],
    weights: NDArray[np.floating[Any]],
    *,
    depth: int,
    leaf: int,
    seed: int,
) -> DecisionTree:
    """Fit a decision tree to pairs (EMNLP 2009, section 4.3).

    Args:
        values: shape (pairs, columns), finite, at least one pair; read in single precision.
        coreferent: shape (pairs,).
        weights: shape (pairs,), positive.
        depth: maximum depth.
        leaf: fewest pairs in a leaf.
        seed: selects among equally good splits.

    Raises:
        ValuesError: if a value is infinite or NaN.
    """
    from sklearn.tree import DecisionTreeClassifier  # noqa: PLC0415 - only training needs it

    classifier = DecisionTreeClassifier(max_depth=depth, min_samples_leaf=leaf, random_state=seed)
    classifier.fit(checked_values(values), coreferent, sample_weight=weights)
    return _tree_from_sklearn(classifier.tree_, classifier.classes_.tolist())


def fit_forest(  # noqa: PLR0913 - as above
    values: NDArray[np.floating[Any]],
    coreferent: NDArray[np.bool_],
    weights: NDArray[np.floating[Any]],
    *,
    size: int,
    leaf: int,
    seed: int,
) -> Forest:
    """Fit a random forest to pairs: each tree to a bootstrap sample of them.

    Each split considers √c of the c columns, sampled again. scikit-learn samples pairs by
    weight from 1.9 on; before, it sampled all pairs equally and weighted them in the trees.

    Args:
        values: shape (pairs, columns), finite, at least one pair; read in single precision.
        coreferent: shape (pairs,).
        weights: shape (pairs,), positive.
        size: number of trees.
        leaf: fewest pairs in a leaf; one that was sampled twice counts once.
        seed: of the samples of pairs and columns.

    Raises:
        ValuesError: if a value is infinite or NaN.
    """
    from sklearn.ensemble import RandomForestClassifier  # noqa: PLC0415 - only training needs it

    classifier = RandomForestClassifier(size, min_samples_leaf=leaf, random_state=seed)
    classifier.fit(checked_values(values), coreferent, sample_weight=weights)
    kinds = classifier.classes_.tolist()
    return _combine_trees(
        [_tree_from_sklearn(each.tree_, kinds) for each in classifier.estimators_]
    )


def _tree_from_sklearn(fitted: Any, kinds: list[bool]) -> DecisionTree:
    """Extract the arrays of a tree that scikit-learn fitted to pairs with these labels.

    Leaves are smoothed as if each had one more pair of either label, so that no finite number of
    training pairs gives a probability of 0 or 1.
    """
    weight = dict(zip(kinds, fitted.value[:, 0, :].T, strict=True))
    share = weight.get(True, 0.0) / fitted.value.sum(axis=(1, 2))
    leaf = fitted.children_left == LEAF
    return DecisionTree(
        column=np.where(leaf, LEAF, fitted.feature).astype(np.int32),
        threshold=np.where(leaf, 0.0, fitted.threshold),
        left=fitted.children_left.astype(np.int32),
        right=fitted.children_right.astype(np.int32),
        probability=(share * fitted.n_node_samples + 1) / (fitted.n_node_samples + 2),
    )


def _combine_trees(trees: list[DecisionTree]) -> Forest:
    """The trees concatenated, with node numbers shifted."""
    sizes = [len(tree.column) for tree in trees]
    roots = np.cumsum([0, *sizes[:-1]])
    column = np.concatenate([tree.column for tree in trees])
    leaf, shift = column == LEAF, np.repeat(roots, sizes)
    left = np.concatenate([tree.left for tree in trees])
    right = np.concatenate([tree.right for tree in trees])
    share = np.concatenate([tree.probability for tree in trees])
    fitted_trees = Trees(
        roots=roots.astype(np.int32),
        column=column,
        threshold=_round_down(np.concatenate([tree.threshold for tree in trees])),
        left=np.where(leaf, LEAF, left + shift).astype(np.int32),
        right=np.where(leaf, LEAF, right + shift).astype(np.int32),
        value=np.where(leaf, share, 0).astype(np.float32),
    )
    return Forest(fitted_trees)


def _round_down(thresholds: NDArray[np.float64]) -> NDArray[np.float32]:
    """Thresholds in single precision; values of that precision stay on the same side."""
    rounded = thresholds.astype(np.float32)
    below = np.nextafter(rounded, np.float32(-np.inf))
    return np.where(rounded > thresholds, below, rounded)
