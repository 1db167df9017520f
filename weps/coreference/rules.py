"""The kinds of classifiers, and a classifier adjusted by rules that add to the log odds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from weps.coreference.base import Classifier, are_columns, int32_array, read_fields
from weps.coreference.hbr import HeterogeneityRanking
from weps.coreference.linear import LogisticClassifier, MeanClassifier
from weps.coreference.trees import BoostedTrees, DecisionTree, Forest
from weps.errors import ModelError

CLASSIFIERS: dict[str, type[Classifier]] = {
    each.kind: each
    for each in (
        DecisionTree,
        BoostedTrees,
        Forest,
        LogisticClassifier,
        MeanClassifier,
        HeterogeneityRanking,
    )
}


_EPSILON = 1e-6
"""Inner predictions are clipped to this distance from 0 and 1, so that rules have an effect."""


@dataclass(frozen=True, slots=True, eq=False)
class RuleCorrectedClassifier:
    """A classifier of c columns of the pair table and rules over r others (:mod:`weps.systems`)."""

    kind: ClassVar[str] = "ruled"

    inner: Classifier
    """Classifier of :data:`weps.coreference.rules.CLASSIFIERS`, without rules of its own."""
    inner_columns: NDArray[np.int32]
    """Shape (c,): the columns of the inner classifier, in its order."""
    rule_columns: NDArray[np.int32]
    """Shape (r,): the columns that have rules."""
    weights: NDArray[np.float64]
    """Shape (r,): what one unit of each adds to the log odds."""

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """The inner classifier's confidence, adjusted by the rules, see :class:`Classifier`."""
        inner = self.inner.predict(values[:, self.inner_columns]).clip(_EPSILON, 1 - _EPSILON)
        added = values[:, self.rule_columns].astype(np.float64) @ self.weights
        return np.asarray(expit(logit(inner) + added), dtype=np.float64)

    def to_data(self) -> dict[str, Any]:
        """The inner classifier with its kind, the columns and the weights, for JSON."""
        return {
            "kind": self.inner.kind,
            "inner": self.inner.to_data(),
            "seen": self.inner_columns.tolist(),
            "ruled": self.rule_columns.tolist(),
            "weights": self.weights.tolist(),
        }

    @classmethod
    def from_data(cls, data: Any, columns: int) -> RuleCorrectedClassifier:
        """Read what :meth:`to_data` wrote, see :class:`Classifier`."""
        fields = read_fields(
            data,
            "its rules",
            seen=int32_array,
            ruled=int32_array,
            weights=partial(np.asarray, dtype=np.float64),
            kind=lambda kind: kind,
            inner=lambda inner: inner,
        )
        seen, ruled, weights, kind, inner = fields.values()
        if not (are_columns(seen, columns) and are_columns(ruled, columns)):
            raise ModelError("its rules refer to missing columns")
        if weights.shape != ruled.shape or not np.isfinite(weights).all():
            raise ModelError("its rules are damaged")
        return cls(_learned_classifier(kind, inner, seen.size), seen, ruled, weights)


def classifier_from_data(kind: str, data: Any, columns: int) -> Classifier:
    """Read what a classifier of that kind wrote with ``to_data``.

    Args:
        kind: a key of :data:`CLASSIFIERS`, or that of :class:`RuleCorrectedClassifier`.
        data: what was written.
        columns: how many columns the pair table has.

    Raises:
        ModelError: if there is no such kind, or the data are not a classifier of it.
    """
    if kind == RuleCorrectedClassifier.kind:
        return RuleCorrectedClassifier.from_data(data, columns)
    return _learned_classifier(kind, data, columns)


def _learned_classifier(kind: Any, data: Any, columns: int) -> Classifier:
    if not isinstance(kind, str) or kind not in CLASSIFIERS:
        raise ModelError(
            f"there is no classifier of the kind {str(kind)[:40]!r}, only {', '.join(CLASSIFIERS)}",
            remedy="train the model again with `weps train`, or install the version that made it",
        )
    return CLASSIFIERS[kind].from_data(data, columns)
