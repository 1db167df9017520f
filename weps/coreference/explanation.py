"""Explanation of a prediction: the path through a single tree, and the effect of each group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from weps.coreference.base import LEAF, Classifier
from weps.coreference.rules import RuleCorrectedClassifier
from weps.coreference.trees import DecisionTree

_EPSILON = 1e-6
"""Predictions are clipped to this distance from 0 and 1, where log odds are infinite."""


@dataclass(frozen=True, slots=True)
class Step:
    """One test on the path of a pair through a decision tree."""

    column: int
    """Row of the pair table."""
    value: float
    """The pair's value there; values up to and including the threshold go left."""
    threshold: float
    probability: float
    """Share of coreferent pairs in the next node."""


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of one kind of evidence on a pair's log odds of coreference."""

    kind: str
    """Name of a feature's function (``content``, ``title``), or ``profile``."""
    effect: float
    """What the similarities of this kind add to the pair's log odds."""


def decision_path(classifier: Classifier, row: NDArray[np.float32]) -> tuple[Step, ...]:
    """The path of a pair through a single decision tree, from the root to its leaf.

    The last step's probability is the tree's prediction. A tree with rules has the same path;
    :func:`group_effects` includes the effect of rules.

    Args:
        classifier: of any kind; only single trees with more than a leaf have a path.
        row: shape (columns,), the pair's values in a pair table.
    """
    columns = np.arange(len(row), dtype=np.int32)
    if isinstance(classifier, RuleCorrectedClassifier):
        columns, classifier = classifier.inner_columns, classifier.inner
    if not isinstance(classifier, DecisionTree):
        return ()
    steps, node = [], 0
    while classifier.column[node] != LEAF:
        column = int(columns[classifier.column[node]])
        value, threshold = float(row[column]), float(classifier.threshold[node])
        node = int((classifier.left if value <= threshold else classifier.right)[node])
        steps.append(Step(column, value, threshold, float(classifier.probability[node])))
    return tuple(steps)


def group_effects(
    classifier: Classifier, values: NDArray[np.float32], groups: Sequence[Sequence[int]]
) -> NDArray[np.float64]:
    """What each group of columns adds to each pair's log odds.

    The effects of a pair add up to the logit of its prediction minus that of a pair whose columns
    in all groups are 0. The groups are put in one after the other, in order and in reverse order;
    a group's effect is the mean of the two differences that it makes. These are Shapley values
    (L. Shapley, "A value for n-person games", 1953) where no more than two groups interact. Rules
    have their exact effect; predictions are clipped to 1e-6 from 0 and 1.

    Args:
        classifier: of any kind.
        values: shape (pairs, columns), the values of a pair table.
        groups: columns of each group; no column is in two.

    Returns:
        Shape (pairs, groups); 0 where a pair has nothing but zeros in the group's columns.
    """
    if not isinstance(classifier, RuleCorrectedClassifier):
        return _added_effects(classifier, values, groups)
    place = {column: at for at, column in enumerate(classifier.inner_columns.tolist())}
    inner = [[place[column] for column in group if column in place] for group in groups]
    effects = _added_effects(classifier.inner, values[:, classifier.inner_columns], inner)
    ruled = values[:, classifier.rule_columns].astype(np.float64)
    for number, group in enumerate(groups):
        weights = np.where(np.isin(classifier.rule_columns, group), classifier.weights, 0.0)
        effects[:, number] += ruled @ weights
    return effects


def _added_effects(
    classifier: Classifier, values: NDArray[np.float32], groups: Sequence[Sequence[int]]
) -> NDArray[np.float64]:
    """The effects of groups, from one prediction for all pairs and groups that differ from 0."""
    present = [np.flatnonzero(values[:, group].any(axis=1)) for group in groups]
    forward = list(range(len(groups)))
    orders = (forward, forward[::-1])
    without = values.copy()
    for group in groups:
        without[:, group] = 0.0
    rows = [without]
    for order in orders:
        partial = without.copy()
        for number in order:
            partial[:, groups[number]] = values[:, groups[number]]
            rows.append(partial[present[number]])
    predicted = classifier.predict(np.concatenate(rows))
    odds = logit(np.clip(predicted, _EPSILON, 1 - _EPSILON))
    start, *stages = np.split(odds, np.cumsum([len(each) for each in rows[:-1]]))
    effects = np.zeros((len(values), len(groups)))
    for order, reached in zip(orders, (stages[: len(groups)], stages[len(groups) :]), strict=True):
        current = start.copy()
        for number, after in zip(order, reached, strict=True):
            pairs = present[number]
            effects[pairs, number] += (after - current[pairs]) / len(orders)
            current[pairs] = after
    return effects
