"""Coreference: the probability that two pages are about one person.

A classifier reads the similarities of a pair. Growing one is :mod:`weps.growing`; here it is only
read, so that clustering needs no learning library.
"""

from typing import Any

from weps.coreference.boosted import BoostedTrees
from weps.coreference.classifier import Classifier
from weps.coreference.nodes import LEAF
from weps.coreference.tree import DecisionTree
from weps.errors import ModelError

__all__ = ["CLASSIFIERS", "LEAF", "BoostedTrees", "Classifier", "DecisionTree", "classifier_of"]

CLASSIFIERS: dict[str, type[Classifier]] = {
    each.kind: each for each in (DecisionTree, BoostedTrees)
}


def classifier_of(kind: str, data: Any, columns: int) -> Classifier:
    """Read what a classifier of that kind wrote with ``to_data``.

    Args:
        kind: a key of :data:`CLASSIFIERS`.
        data: what was written.
        columns: how many columns the pair table has.

    Raises:
        ModelError: if there is no such kind, or the data are no classifier of it.
    """
    if not isinstance(kind, str) or kind not in CLASSIFIERS:
        raise ModelError(
            f"there is no classifier of the kind {str(kind)[:40]!r}, only {', '.join(CLASSIFIERS)}",
            remedy="train the model again with `weps train`, or install the weps that made it",
        )
    return CLASSIFIERS[kind].from_data(data, columns)
