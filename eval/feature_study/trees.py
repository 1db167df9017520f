"""What a decision tree makes of some measures: its confidence in instances that it has not seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from eval.instances import Instances
from weps.coreference import DecisionTree
from weps.training import Settings, folds, grow_on, pair_weight

__all__ = ["Judged", "cross_validated", "transferred"]

Array = NDArray[Any]


class Judged(NamedTuple):
    """What trees make of instances; confidences of different trees do not compare."""

    confidence: NDArray[np.float64]
    """Shape (instances,): that the instance is positive."""
    tree: NDArray[np.int64]
    """Shape (instances,): which tree says so."""


def cross_validated(instances: Instances, settings: Settings) -> Judged:
    """What trees say that were grown on other instances.

    The groups, or the instances if there is one group only, are divided at random into
    ``settings.folds`` parts; each part is judged by a tree grown on the others.
    """
    size = len(instances.positive)
    judged = Judged(np.zeros(size), np.zeros(size, dtype=np.int64))
    for number, held_out in enumerate(_held_out(instances, settings)):
        tree = _grown(instances, ~held_out, settings)
        judged.confidence[held_out] = tree.predict(_rows(instances, held_out))
        judged.tree[held_out] = number
    return judged


def transferred(training: Instances, tested: Instances, settings: Settings) -> Judged:
    """What a tree says of the tested instances that was grown on the training ones."""
    everything = np.ones(len(training.positive), dtype=np.bool_)
    tree = _grown(training, everything, settings)
    found = tree.predict(_rows(tested, np.ones(len(tested.positive), dtype=np.bool_)))
    return Judged(found, np.zeros(len(found), dtype=np.int64))


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


def _rows(instances: Instances, chosen: NDArray[np.bool_]) -> Array:
    """Shape (chosen, measures)."""
    return instances.values[:, chosen].T
