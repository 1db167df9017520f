"""The kinds of classifiers that can be grown, and reading them."""

from __future__ import annotations

from typing import Any

from weps.coreference.boosted import BoostedTrees
from weps.coreference.classifier import Classifier
from weps.coreference.forest import Forest
from weps.coreference.hbr import HeterogeneityRanking
from weps.coreference.tree import DecisionTree
from weps.errors import ModelError

__all__ = ["CLASSIFIERS", "grown_of"]

CLASSIFIERS: dict[str, type[Classifier]] = {
    each.kind: each for each in (DecisionTree, BoostedTrees, Forest, HeterogeneityRanking)
}


def grown_of(kind: Any, data: Any, columns: int) -> Classifier:
    """Read what a classifier that was grown wrote with ``to_data``.

    Args:
        kind: a key of :data:`CLASSIFIERS`.
        data: what was written.
        columns: how many columns it knows.

    Raises:
        ModelError: if there is no such kind, or the data are no classifier of it.
    """
    if not isinstance(kind, str) or kind not in CLASSIFIERS:
        raise ModelError(
            f"there is no classifier of the kind {str(kind)[:40]!r}, only {', '.join(CLASSIFIERS)}",
            remedy="train the model again with `weps train`, or install the weps that made it",
        )
    return CLASSIFIERS[kind].from_data(data, columns)
