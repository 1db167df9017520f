"""Growing trees: one alone (EMNLP 2009, section 4.3), or a forest (Breiman 2001)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps.coreference import LEAF, DecisionTree, Forest, Trees
from weps.growing.values import comparable

__all__ = ["grow_forest", "grow_tree"]


def grow_tree(  # noqa: PLR0913 - the pairs, and how to grow
    values: NDArray[np.floating[Any]],
    coreferent: NDArray[np.bool_],
    weights: NDArray[np.floating[Any]],
    *,
    depth: int,
    leaf: int,
    seed: int,
) -> DecisionTree:
    """Grow a decision tree on pairs (EMNLP 2009, section 4.3).

    Args:
        values: shape (pairs, columns), finite, at least one pair; read in single precision.
        coreferent: shape (pairs,).
        weights: shape (pairs,), positive.
        depth: most questions asked of a pair.
        leaf: fewest pairs in a leaf.
        seed: decides between equally good questions.

    Raises:
        ValuesError: if a value is infinite or NaN.
    """
    from sklearn.tree import DecisionTreeClassifier  # noqa: PLC0415 - only training needs it

    classifier = DecisionTreeClassifier(max_depth=depth, min_samples_leaf=leaf, random_state=seed)
    classifier.fit(comparable(values), coreferent, sample_weight=weights)
    return _single(classifier.tree_, classifier.classes_.tolist())


def grow_forest(  # noqa: PLR0913 - as above
    values: NDArray[np.floating[Any]],
    coreferent: NDArray[np.bool_],
    weights: NDArray[np.floating[Any]],
    *,
    size: int,
    leaf: int,
    seed: int,
) -> Forest:
    """Grow a random forest on pairs: every tree on a bootstrap sample of them.

    Each question is about one of √c of the c columns, drawn anew. scikit-learn draws the samples by
    weight from 1.9 on; before, it drew all pairs alike and weighed them in the trees.

    Args:
        values: shape (pairs, columns), finite, at least one pair; read in single precision.
        coreferent: shape (pairs,).
        weights: shape (pairs,), positive.
        size: number of trees.
        leaf: fewest pairs in a leaf; one that was drawn twice counts once.
        seed: for the samples and the columns drawn.

    Raises:
        ValuesError: if a value is infinite or NaN.
    """
    from sklearn.ensemble import RandomForestClassifier  # noqa: PLC0415 - only training needs it

    classifier = RandomForestClassifier(size, min_samples_leaf=leaf, random_state=seed)
    classifier.fit(comparable(values), coreferent, sample_weight=weights)
    kinds = classifier.classes_.tolist()
    return _forest_of([_single(each.tree_, kinds) for each in classifier.estimators_])


def _single(fitted: Any, kinds: list[bool]) -> DecisionTree:
    """Take the arrays out of a tree that scikit-learn fitted to pairs of these kinds.

    Leaves are smoothed as if each had one more pair of either kind, so that no finite number of
    training pairs makes the tree certain.
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


def _forest_of(trees: list[DecisionTree]) -> Forest:
    """The trees one after another, their places counted on."""
    sizes = [len(tree.column) for tree in trees]
    roots = np.cumsum([0, *sizes[:-1]])
    column = np.concatenate([tree.column for tree in trees])
    leaf, shift = column == LEAF, np.repeat(roots, sizes)
    left = np.concatenate([tree.left for tree in trees])
    right = np.concatenate([tree.right for tree in trees])
    share = np.concatenate([tree.probability for tree in trees])
    grown = Trees(
        roots=roots.astype(np.int32),
        column=column,
        threshold=_rounded_down(np.concatenate([tree.threshold for tree in trees])),
        left=np.where(leaf, LEAF, left + shift).astype(np.int32),
        right=np.where(leaf, LEAF, right + shift).astype(np.int32),
        value=np.where(leaf, share, 0).astype(np.float32),
    )
    return Forest(grown)


def _rounded_down(thresholds: NDArray[np.float64]) -> NDArray[np.float32]:
    """In single precision, so that a value of that precision lies on the same side as before."""
    rounded = thresholds.astype(np.float32)
    below = np.nextafter(rounded, np.float32(-np.inf))
    return np.where(rounded > thresholds, below, rounded)
