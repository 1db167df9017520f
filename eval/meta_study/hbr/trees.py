"""Boosted trees on labelled instances: what learning from other groups makes of the measures."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.meta_study.grouped import Grouped
from weps.growing import grow_boosted
from weps.training import GROWERS, folds, pair_weight

__all__ = ["TREES", "boosted_trees"]

TREES = "boosted trees"
_PARTS = 2
"""Of the groups; each is judged by trees grown on the other."""


def boosted_trees(source: Grouped, seed: int) -> NDArray[np.float64]:
    """Shape (instances,): the confidence of trees that have seen only other groups.

    Grown as for a system of people search, with what was chosen for it; as there, the instances of
    a group weigh as the root of their number.
    """
    grower = GROWERS["boosted"]
    weight = np.array([pair_weight(size) for size in np.bincount(source.group)])[source.group]
    (truth,) = (each > 0 for each in source.quality.values())
    values = _ranked(source.values).T
    found = np.empty(len(truth))
    for part in folds(len(source.groups), min(_PARTS, len(source.groups)), seed):
        unseen = np.isin(source.group, part)
        rows = _some(source.group, ~unseen, grower.most_pairs, seed)
        trees = grow_boosted(values[rows], truth[rows], weight[rows], **_whole(grower.choices))
        found[unseen] = trees.predict(values[unseen])
    return found


def _ranked(values: NDArray[np.float64]) -> NDArray[np.float32]:
    """Single precision, in which infinite values are the ranks that they have."""
    if np.isfinite(values).all():
        return values.astype(np.float32)
    return np.array([np.unique(each, return_inverse=True)[1] for each in values], dtype=np.float32)


def _some(
    group: NDArray[np.int64], wanted: NDArray[np.bool_], most: int | None, seed: int
) -> NDArray[np.int64]:
    """At most so many instances of each group, by chance."""
    generator = np.random.default_rng(seed)
    parts = [np.flatnonzero(wanted & (group == each)) for each in np.unique(group[wanted])]
    return np.concatenate(
        [
            generator.choice(part, most, replace=False) if most and len(part) > most else part
            for part in parts
        ]
    )


def _whole(choices: dict[str, float]) -> dict[str, Any]:
    return {name: int(value) for name, value in choices.items()}
