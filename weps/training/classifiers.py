"""Growing a classifier on the judged pairs of examples.

How pairs are weighted: a name with p judged pairs gives each of them the weight 1/√p, so that a
name counts in proportion to its pages, not to their square. Of the WePS-1 training names here the
15 with fewer than 30 judged pages hold 2 % of all pairs; they get 9 % of the weight. Coreferent
pairs and others weigh alike, so the classifier's confidence stays a share of pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps.coreference import Classifier
from weps.errors import SourceError
from weps.growing import draw_rivals, grow_boosted, grow_forest, grow_tree
from weps.training.example import Example

__all__ = ["GROWERS", "Grower", "grow", "pair_weight", "pairs_of"]

Pairs = tuple[NDArray[np.floating[Any]], NDArray[np.bool_], NDArray[np.floating[Any]]]
"""Values (pairs, similarities), coreferent (pairs,), weights (pairs,)."""


@dataclass(frozen=True, slots=True)
class Grower:
    """A way to grow a classifier."""

    grow: Callable[..., Classifier]
    choices: dict[str, float]
    """What was chosen by cross-validation on WePS-1, for the function."""
    most_pairs: int | None = None
    """Pairs taken of each example, by chance; None for all. Pairs of one name repeat each other."""


GROWERS = {
    # Leaves of fewer pairs learn single names by heart.
    "tree": Grower(grow_tree, {"depth": 6, "leaf": 100}),
    "boosted": Grower(grow_boosted, {"rounds": 100, "leaves": 4, "leaf": 40}, most_pairs=600),
    "forest": Grower(grow_forest, {"size": 40, "leaf": 20}, most_pairs=300),
    "hbr": Grower(draw_rivals, {"rivals": 100, "samples": 200, "shown": 5_000}, most_pairs=600),
}
"""Kind of classifier → how it is grown."""


def grow(kind: str, examples: Sequence[Example], seed: int) -> Classifier:
    """Grow a classifier of that kind on the judged pairs of the examples.

    Raises:
        SourceError: if there are no such pairs.
    """
    grower = GROWERS[kind]
    return grower.grow(*pairs_of(examples, grower.most_pairs, seed), **grower.choices, seed=seed)


def pairs_of(examples: Sequence[Example], most: int | None = None, seed: int = 0) -> Pairs:
    """The judged pairs of the examples.

    Args:
        examples: with the same similarities.
        most: pairs taken of each example; the others' weight is theirs.
        seed: which pairs are taken.

    Raises:
        SourceError: if there are none.
    """
    generator = np.random.default_rng(seed)
    values, coreferent, weights = [], [], []
    for example in examples:
        judged, truth = example.judged()
        rows = np.flatnonzero(judged)
        total = len(rows)
        if most is not None and total > most:
            rows = np.sort(generator.choice(rows, most, replace=False))
        values.append(example.values[rows])
        coreferent.append(truth[rows])
        weights.append(np.full(len(rows), pair_weight(total) * total / max(len(rows), 1)))
    if sum(map(len, values)) == 0:
        raise SourceError(
            "there is nothing to learn from: no two pages of the names that are not held out stand "
            "in a key",
            remedy="give more names with their keys, or fewer parts with --cv",
        )
    weight = np.concatenate(weights)
    return np.concatenate(values), np.concatenate(coreferent), weight / weight.mean()


def pair_weight(judged: int) -> float:
    """What each pair of a name with that many judged pairs weighs, 1/√p."""
    return float(1 / np.sqrt(max(judged, 1)))
