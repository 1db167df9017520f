"""Fitting trees, logistic regression and heterogeneity based ranking to labelled pairs.

A single tree follows EMNLP 2009, section 4.3; forests Breiman 2001; boosted trees Friedman 2001. Of
heterogeneity based ranking only the calibration is fitted. All take pairs as :func:`fit_boosted`
does, and raise a ValuesError if a value is infinite or NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps.coreference.base import LEAF, fit_calibration, fit_logistic
from weps.coreference.hbr import HeterogeneityRanking
from weps.coreference.linear import LogisticClassifier, MeanClassifier
from weps.coreference.trees import BoostedTrees, DecisionTree, Forest, Trees
from weps.errors import ValuesError


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
    """
    from sklearn.ensemble import HistGradientBoostingClassifier  # noqa: PLC0415 - only training needs it

    values = checked_values(values)
    if len(np.unique(coreferent)) == 1:
        log_odds = float(np.log(len(coreferent) + 1))
        none, nothing = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.float32)
        trees = Trees(none, none, nothing, none, none, nothing)
        return BoostedTrees(log_odds if coreferent.all() else -log_odds, trees)
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
    return _boosted_from_sklearn(classifier, offered)


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


def _boosted_from_sklearn(classifier: Any, offered: Sequence[NDArray[np.float32]]) -> BoostedTrees:
    """Extract the arrays of boosted trees that were fitted to binned values."""
    # scikit-learn has no public API for them. A test compares the result with its own predictions,
    # so that a release that changes them is noticed.
    trees = [tree.nodes for (tree,) in classifier._predictors]
    base = float(classifier._baseline_prediction.item())
    nodes = np.concatenate(trees)
    column = np.where(nodes["is_leaf"] > 0, LEAF, nodes["feature_idx"])
    threshold = np.zeros(len(nodes), dtype=np.float32)
    for node in np.flatnonzero(column != LEAF):
        threshold[node] = offered[column[node]][int(nodes["num_threshold"][node])]
    children = nodes["left"], nodes["right"]
    sizes = [len(tree) for tree in trees]
    return BoostedTrees(
        base, _concatenate_trees(sizes, column, threshold, children, nodes["value"])
    )


def _concatenate_trees(
    sizes: Sequence[int],
    column: NDArray[Any],
    threshold: NDArray[np.float32],
    children: tuple[NDArray[Any], NDArray[Any]],
    value: NDArray[Any],
) -> Trees:
    """Trees of these sizes from their nodes, one tree after the other.

    The others have shape (nodes,); children are numbered within their tree.
    """
    roots = np.cumsum([0, *sizes[:-1]])
    leaf, shift = column == LEAF, np.repeat(roots, sizes)
    left, right = (np.where(leaf, LEAF, side + shift).astype(np.int32) for side in children)
    return Trees(
        roots=roots.astype(np.int32),
        column=column.astype(np.int32),
        threshold=threshold,
        left=left,
        right=right,
        value=np.where(leaf, value, 0).astype(np.float32),
    )


def fit_linear(
    values: NDArray[np.floating[Any]],
    coreferent: NDArray[np.bool_],
    weights: NDArray[np.floating[Any]],
    *,
    penalty: float,
    seed: int = 0,  # noqa: ARG001 - nothing is random here
) -> LogisticClassifier:
    """Fit logistic regression to pairs, its columns standardised.

    If too few pairs have one of the labels, all coefficients are 0, and the log odds are those
    with one more pair of either label. The ``penalty`` is that of :func:`fit_logistic`.
    """
    pairs = checked_values(values).astype(np.float64)
    mean, deviation = pairs.mean(axis=0), pairs.std(axis=0)
    deviation[deviation == 0] = 1
    standardised, weight = (pairs - mean) / deviation, np.asarray(weights, dtype=np.float64)
    fitted = fit_logistic(standardised, coreferent, weight, penalty=penalty)
    if not fitted:
        prior = np.log((coreferent.sum() + 1) / ((~coreferent).sum() + 1))
        return LogisticClassifier(float(prior), np.zeros(pairs.shape[1], np.float32))
    coefficients = (np.array(fitted[1:]) / deviation).astype(np.float32)
    return LogisticClassifier(float(fitted[0] - mean @ coefficients), coefficients)


def fit_mean(  # noqa: PLR0913 - the pairs, and parameters of both parts
    values: NDArray[np.floating[Any]],
    coreferent: NDArray[np.bool_],
    weights: NDArray[np.floating[Any]],
    *,
    tree_columns: NDArray[np.int32],
    linear_columns: NDArray[np.int32],
    size_column: int,
    penalty: float,
    seed: int = 0,
    **trees: float,
) -> MeanClassifier:
    """Fit boosted trees and logistic regression to the same pairs, to be averaged.

    Each is fitted to its columns, see :class:`MeanClassifier`. The ``penalty`` is that of
    :func:`fit_linear`; ``trees`` are arguments of :func:`fit_boosted`.
    """
    labels = coreferent, weights
    return MeanClassifier(
        fit_boosted(values[:, tree_columns], *labels, seed=seed, **trees),  # type: ignore[arg-type]
        tree_columns,
        fit_linear(values[:, linear_columns], *labels, penalty=penalty),
        linear_columns,
        size_column,
    )


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

    So many ``rivals`` are sampled by weight, with so many ``samples`` of two rivals, over which
    heterogeneity is a share; the calibration is fitted to the labels of so many ``shown`` pairs.
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

    It has at most that ``depth``, and in each ``leaf`` at least so many pairs; the seed selects
    among equally good splits.
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
    ``size`` is the number of trees, ``leaf`` the fewest pairs in a leaf, where one that was sampled
    twice counts once.
    """
    from sklearn.ensemble import RandomForestClassifier  # noqa: PLC0415 - only training needs it

    classifier = RandomForestClassifier(size, min_samples_leaf=leaf, random_state=seed)
    classifier.fit(checked_values(values), coreferent, sample_weight=weights)
    kinds = classifier.classes_.tolist()
    trees = [_tree_from_sklearn(each.tree_, kinds) for each in classifier.estimators_]
    column, threshold, left, right, share = (
        np.concatenate([getattr(tree, name) for tree in trees]) for name in DecisionTree.__slots__
    )
    sizes = [len(tree.column) for tree in trees]
    return Forest(_concatenate_trees(sizes, column, _round_down(threshold), (left, right), share))


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


def _round_down(thresholds: NDArray[np.float64]) -> NDArray[np.float32]:
    """Thresholds in single precision; values of that precision stay on the same side."""
    rounded = thresholds.astype(np.float32)
    below = np.nextafter(rounded, np.float32(-np.inf))
    return np.where(rounded > thresholds, below, rounded)
