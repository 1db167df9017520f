"""What a decision tree makes of some measures: its confidence in instances that it has not seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from eval.instances import Instances
from weps.coreference import DecisionTree
from weps.growing import grow_tree
from weps.training import folds, pair_weight

__all__ = [
    "Judged",
    "TreeSettings",
    "comparable_by_trees",
    "cross_validated",
    "study_settings",
    "transferred",
]

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class TreeSettings:
    """How trees are grown and judged; depth and leaf as in the paper's system."""

    depth: int = 6
    leaf: int = 100
    """Fewest instances in a leaf."""
    folds: int = 2
    """Parts of the groups; each is judged by a tree that has not seen it."""
    repeats: int = 5
    """Different divisions into parts."""
    seed: int = 0


def study_settings(seed: int, leaf: int = 100) -> TreeSettings:
    """Half of the groups judge trees grown on the other half, as in the paper; five divisions."""
    return TreeSettings(leaf=leaf, seed=seed)


class Judged(NamedTuple):
    """What trees make of instances; confidences of different trees do not compare."""

    confidence: NDArray[np.float64]
    """Shape (instances,): that the instance is positive."""
    tree: NDArray[np.int64]
    """Shape (instances,): which tree says so."""


def cross_validated(instances: Instances, settings: TreeSettings) -> list[Judged]:
    """What trees say that were grown on other instances, division after division.

    The groups, or the instances if there is one group only, are divided at random into
    ``settings.folds`` parts, ``settings.repeats`` times; each part is judged by a tree grown on
    the others.
    """
    return [_divided(instances, settings, division) for division in range(settings.repeats)]


def transferred(training: Instances, tested: Instances, settings: TreeSettings) -> list[Judged]:
    """What one tree says of the tested instances that was grown on the training ones."""
    everything = np.ones(len(training.positive), dtype=np.bool_)
    tree = _grown(training, everything, settings)
    found = tree.predict(tested.values.T)
    return [Judged(found, np.zeros(len(found), dtype=np.int64))]


def comparable_by_trees(instances: Instances) -> Instances:
    """The instances with ranks for values, if trees could not take the values as they are.

    Trees see single precision and no infinity. They divide by order alone, so ranks serve as well.
    """
    values = instances.values
    if values.dtype == np.float32 and np.isfinite(values).all():
        return instances
    ranks = [np.unique(measure, return_inverse=True)[1] for measure in values]
    return replace(instances, values=np.array(ranks, dtype=np.float32))


def _divided(instances: Instances, settings: TreeSettings, division: int) -> Judged:
    size = len(instances.positive)
    judged = Judged(np.zeros(size), np.zeros(size, dtype=np.int64))
    seed = settings.seed * settings.repeats + division
    for number, held_out in enumerate(_held_out(instances, settings.folds, seed)):
        tree = _grown(instances, ~held_out, settings)
        judged.confidence[held_out] = tree.predict(instances.values[:, held_out].T)
        judged.tree[held_out] = number
    return judged


def _held_out(instances: Instances, parts: int, seed: int) -> Iterator[NDArray[np.bool_]]:
    """The instances of each part."""
    size = len(instances.positive)
    several = len(instances.groups) > 1
    unit = instances.group if several else np.arange(size)
    for part in folds(len(instances.groups) if several else size, parts, seed):
        yield np.isin(unit, part)


def _grown(instances: Instances, seen: NDArray[np.bool_], settings: TreeSettings) -> DecisionTree:
    """A tree grown on some of the instances, each weighted as in training a system."""
    sizes = np.bincount(instances.group[seen], minlength=len(instances.groups))
    weights = np.array([pair_weight(size) for size in sizes])[instances.group[seen]]
    values = instances.values[:, seen].T
    return grow_tree(
        values,
        instances.positive[seen],
        weights,
        depth=settings.depth,
        leaf=settings.leaf,
        seed=settings.seed,
    )
