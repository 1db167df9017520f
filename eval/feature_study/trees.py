"""What a decision tree makes of some measures: its confidence in instances that it has not seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.instances import Instances
from weps.coreference import DecisionTree
from weps.training import Settings, folds, grow_on, pair_weight

__all__ = ["confidence", "cross_validated"]

Vector = NDArray[np.float64]


def cross_validated(instances: Instances, settings: Settings) -> Vector:
    """Shape (instances,): the confidence of trees that were grown on other groups.

    The groups, or the instances if there is one group only, are divided at random into
    ``settings.folds`` parts; each part is judged by a tree grown on the others.
    """
    found = np.zeros(len(instances.positive))
    for held_out in _held_out(instances, settings):
        tree = _grown(instances, ~held_out, settings)
        found[held_out] = tree.predict(_rows(instances, held_out))
    return found


def confidence(training: Instances, tested: Instances, settings: Settings) -> Vector:
    """Shape (tested instances,): the confidence of a tree that was grown on the training ones."""
    everything = np.ones(len(training.positive), dtype=np.bool_)
    tree = _grown(training, everything, settings)
    return tree.predict(_rows(tested, np.ones(len(tested.positive), dtype=np.bool_)))


def _held_out(instances: Instances, settings: Settings) -> Iterator[NDArray[np.bool_]]:
    """The instances of each part."""
    size = len(instances.positive)
    several = len(instances.groups) > 1
    unit = instances.group if several else np.arange(size)
    for part in folds(len(instances.groups) if several else size, settings.folds, settings.seed):
        yield np.isin(unit, part)


def _grown(instances: Instances, seen: NDArray[np.bool_], settings: Settings) -> DecisionTree:
    """A tree grown on some of the instances, each weighted as in training a system."""
    sizes = np.bincount(instances.group[seen], minlength=len(instances.groups))
    weights = np.array([pair_weight(size) for size in sizes])[instances.group[seen]]
    return grow_on(_rows(instances, seen), instances.positive[seen], weights, settings)


def _rows(instances: Instances, chosen: NDArray[np.bool_]) -> NDArray[Any]:
    """Shape (chosen, measures)."""
    return instances.values[:, chosen].T
