"""Coreference: the probability that two pages are about one person.

A classifier reads the similarities of a pair. Growing one is :mod:`weps.growing`; here it is only
read, so that clustering needs no learning library.
"""

from typing import Any

from weps.coreference.boosted import BoostedTrees
from weps.coreference.classifier import Classifier
from weps.coreference.forest import Forest
from weps.coreference.hbr import HeterogeneityRanking
from weps.coreference.kinds import CLASSIFIERS, grown_of
from weps.coreference.nodes import LEAF
from weps.coreference.ruled import Ruled
from weps.coreference.tree import DecisionTree
from weps.coreference.trees import Trees

__all__ = [
    "CLASSIFIERS",
    "LEAF",
    "BoostedTrees",
    "Classifier",
    "DecisionTree",
    "Forest",
    "HeterogeneityRanking",
    "Ruled",
    "Trees",
    "classifier_of",
]


def classifier_of(kind: str, data: Any, columns: int) -> Classifier:
    """Read what a classifier of that kind wrote with ``to_data``.

    Args:
        kind: a key of :data:`CLASSIFIERS`, or that of :class:`Ruled`.
        data: what was written.
        columns: how many columns the pair table has.

    Raises:
        ModelError: if there is no such kind, or the data are no classifier of it.
    """
    return Ruled.from_data(data, columns) if kind == Ruled.kind else grown_of(kind, data, columns)
