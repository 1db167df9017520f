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
    """Of the pair table."""
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
    """The pair's log odds minus those without any similarity of this kind."""


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
    """The effect of each group of columns on each pair's log odds.

    That is the logit of the prediction, minus its logit if all of the group's columns were 0. It is
    exact for rules; predictions are clipped to 1e-6 from 0 and 1. The effects of groups
    are not additive: redundant groups each have a small effect.

    Args:
        classifier: of any kind.
        values: shape (pairs, columns), the values of a pair table.
        groups: columns of each group.

    Returns:
        Shape (pairs, groups); 0 where a pair has nothing but zeros in the group's columns.
    """
    if not isinstance(classifier, RuleCorrectedClassifier):
        return _ablation_effects(classifier, values, groups)
    place = {column: at for at, column in enumerate(classifier.inner_columns.tolist())}
    inner = [[place[column] for column in group if column in place] for group in groups]
    effects = _ablation_effects(classifier.inner, values[:, classifier.inner_columns], inner)
    ruled = values[:, classifier.rule_columns].astype(np.float64)
    for number, group in enumerate(groups):
        weights = np.where(np.isin(classifier.rule_columns, group), classifier.weights, 0.0)
        effects[:, number] += ruled @ weights
    return effects


def _ablation_effects(
    classifier: Classifier, values: NDArray[np.float32], groups: Sequence[Sequence[int]]
) -> NDArray[np.float64]:
    """The effects of groups, from one prediction for all pairs and groups that differ from 0."""
    found = np.zeros((len(values), len(groups)))
    present = np.array([values[:, group].any(axis=1) for group in groups], dtype=bool)
    group_of, pair_of = np.nonzero(present.reshape(len(groups), len(values)))
    without = values[pair_of]
    for number, group in enumerate(groups):
        without[np.ix_(group_of == number, group)] = 0.0
    predicted = classifier.predict(np.concatenate([values, without]))
    odds = logit(np.clip(predicted, _EPSILON, 1 - _EPSILON))
    found[pair_of, group_of] = odds[pair_of] - odds[len(values) :]
    return found
