"""What came of forecasts: which pairs are coreferent, and which pages stand with the right ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from eval.clustering import one_in_one
from weps.beliefs import right
from weps.records import Clustering
from weps.training import Answered, Example

__all__ = ["pages_right", "without_evidence"]

Flags = NDArray[np.bool_]


def pages_right(example: Example, given: Clustering) -> tuple[Flags, Flags]:
    """Which pages the key judges, and which stand with the right pages.

    Returns:
        Two arrays of shape (pages,), see :func:`weps.beliefs.right`.
    """
    member = example.members().astype(np.int32)
    judged = np.asarray(member.any(axis=1))
    row = {rank: number for number, rank in enumerate(example.ranks)}
    clusters = [sorted(row[rank] for rank in group) for group in given.groups]
    return judged, right(clusters, member @ member.T > 0, judged)


def without_evidence(training: Sequence[Example], test: Sequence[Example]) -> dict[str, Answered]:
    """Name of a test example → every page by itself, forecast as often right as in training."""
    pairs = [truth[judged] for judged, truth in (each.judged() for each in training)]
    pages = [
        held[judged]
        for judged, held in (pages_right(each, one_in_one(each.ranks)) for each in training)
    ]
    return {
        each.name: Answered(
            one_in_one(each.ranks),
            np.full(len(each.values), _share(pairs)),
            np.full(len(each.ranks), _share(pages)),
        )
        for each in test
    }


def _share(outcomes: Sequence[Flags]) -> float:
    """How often it happened, as if it had once more and once more not."""
    happened = sum(int(each.sum()) for each in outcomes)
    return (happened + 1) / (sum(map(len, outcomes)) + 2)
