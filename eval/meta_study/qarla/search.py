"""Which measures together have the highest KING, and whether that holds on other topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.drawn import Drawn, over_topics
from eval.meta.qarla import Cluster, Conditions, king, mean_king
from weps.errors import ValuesError

__all__ = ["Crossed", "Search", "candidates_of", "crossed", "searched"]

Floats: TypeAlias = NDArray[np.float64]
Set: TypeAlias = tuple[int, ...]

_MOST = 20_000
"""Sets that are tried."""
_FOLDS = 5


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """KING of many sets on every topic."""

    measures: int
    """How many there are; the first sets are these, one each."""
    candidates: Set
    """Of which every set was tried."""
    tried: int
    """Sets that were all tried; the others come from elsewhere."""
    sets: tuple[Set, ...]
    kings: Floats
    """Shape (sets, topics)."""

    @property
    def best(self) -> int:
        """The set with the highest KING, the first of equal ones, which come by size."""
        return _highest(self.kings)

    @property
    def best_single(self) -> int:
        """The measure with the highest KING."""
        return _highest(self.kings[: self.measures])


@dataclass(frozen=True, slots=True, eq=False)
class Crossed:
    """Chosen on some topics, judged on the others."""

    chosen: tuple[tuple[int, int], ...]
    """By fold, the best set of several and the best single measure of the other folds."""
    kings: Drawn
    """Of the chosen sets, and of the chosen measures, on the topics on which they were not."""


def candidates_of(clusters: Sequence[Cluster]) -> Set:
    """The best measure of each cluster, as the paper on DUC 2004 takes them (section 3.2)."""
    return tuple(sorted(each.best for each in clusters))


def searched(
    conditions: Conditions, candidates: Set, size: int | None = None, more: Sequence[Set] = ()
) -> Search:
    """KING of every single measure, and of every set of candidates.

    Args:
        conditions: of the topics.
        candidates: measures of which sets are made.
        size: of the largest set; None for any number.
        more: further sets.

    Raises:
        ValuesError: if there are too many sets to try.
    """
    largest = min(size or len(candidates), len(candidates))
    sizes = range(2, largest + 1)
    number = sum(comb(len(candidates), each) for each in sizes)
    if number > _MOST:
        what = f"{len(candidates)} measures have {number:,} sets of up to {largest}"
        raise ValuesError(what, remedy="choose a smaller --size, or fewer --clusters")
    singles = [(measure,) for measure in range(conditions.measures)]
    tried = [*singles, *(each for some in sizes for each in combinations(candidates, some))]
    sets = tuple(dict.fromkeys([*tried, *(tuple(sorted(each)) for each in more)]))
    kings = np.stack([king(conditions, each) for each in sets])
    return Search(conditions.measures, candidates, len(tried), sets, kings)


def crossed(search: Search, seed: int = 0, folds: int = _FOLDS) -> Crossed | None:
    """KING of the best combination and of the best measure on topics that did not choose them.

    Of many sets the best one is partly so by chance; what it gains shows on other topics. Topics
    are put into folds at random. None for a single topic, or if no sets of several were tried.
    """
    topics, singles = search.kings.shape[1], search.measures
    if topics < 2 or search.tried == singles:
        return None
    kings = search.kings[: search.tried]  # the others were chosen by all topics
    fold = np.random.default_rng(seed).permutation(topics) % min(folds, topics)
    values = np.empty((2, topics))
    chosen = []
    for number in range(int(fold.max()) + 1):
        held_out = fold == number
        known = kings[:, ~held_out]
        pair = singles + _highest(known[singles:]), _highest(known[:singles])
        values[:, held_out] = kings[list(pair)][:, held_out]
        chosen.append(pair)
    return Crossed(tuple(chosen), over_topics(values, seed=seed))


def _highest(kings: Floats) -> int:
    """Sets come in the order of their sizes, so the first is the smallest."""
    return int(np.argmax(mean_king(kings)))
