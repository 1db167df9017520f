"""Learning where to stop, on names that the classifier has not seen.

A *threshold* has the best mean objective over the names, each name counting once. Thresholds *by
origin* are learnt apart: pages that a search engine returns for a name differ more than pages
collected about rare names, and a threshold from one kind puts too many or too few of the other
together. The *expected F* learns nothing: it is the name's own probabilities that decide.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from weps.clustering import Dendrogram
from weps.forms import Origin
from weps.records import Clustering
from weps.stopping import ExpectedF, Stopping, Threshold
from weps.training.example import Example

__all__ = ["LEARNERS", "Objective", "Unseen", "clustering_of", "learn_threshold"]

Objective = Callable[[Clustering, Clustering, Collection[int]], float]
"""How good an answer is, from the answer, the key and the ranks of the name's pages."""

Unseen = Sequence[tuple[Example, Dendrogram]]
"""Examples, and what a classifier that has not seen them makes of them."""

_FEWEST = 5
"""Examples of an origin that teach a threshold."""
_SHARPNESS = 8.0
"""Of expected F: nearly a majority of yes and no. Raw probabilities add many weak doubts up to a
recall that is never to be had; anything from 4 to 32 did as well on WePS-1 (docs/systems.md)."""


def _one_threshold(unseen: Unseen, objective: Objective) -> Mapping[Origin, Stopping]:
    return dict.fromkeys(Origin, Threshold(learn_threshold(unseen, objective)))


def _threshold_by_origin(unseen: Unseen, objective: Objective) -> Mapping[Origin, Stopping]:
    return {
        origin: Threshold(learn_threshold(_of_origin(unseen, origin), objective))
        for origin in Origin
    }


def _expected_f(_: Unseen, __: Objective) -> Mapping[Origin, Stopping]:
    return dict.fromkeys(Origin, ExpectedF(_SHARPNESS, 0.0))


LEARNERS: dict[str, Callable[[Unseen, Objective], Mapping[Origin, Stopping]]] = {
    "threshold": _one_threshold,
    "threshold-by-origin": _threshold_by_origin,
    "expected-f": _expected_f,
}
"""How to stop (:data:`weps.configuration.STOPS`) → what is learnt for it."""


def learn_threshold(unseen: Unseen, objective: Objective) -> float:
    """The threshold with the best mean objective over the names, each name counting once.

    Between two neighbouring probabilities at which something merges nothing changes, so all
    thresholds there are: one in each gap, the widest of equally good gaps preferred.
    """
    merging = {merge.probability for _, tree in unseen for merge in tree.merges}
    steps = sorted({0.0, *merging, 1.0 + 1e-6})
    candidates = np.array([(low + high) / 2 for low, high in pairwise(steps)])
    total = np.zeros(len(candidates))
    for example, tree in unseen:
        total += _curve(example, tree, candidates, objective)
    best = np.flatnonzero(total >= total.max() - 1e-9)
    widths = np.diff(steps)[best]
    return float(candidates[best[widths.argmax()]])


def clustering_of(example: Example, dendrogram: Dendrogram, merges: int) -> Clustering:
    """The answer for an example after so many merges."""
    clusters = dendrogram.clusters(merges)
    return Clustering(tuple(frozenset(example.ranks[row] for row in rows) for rows in clusters))


def _of_origin(unseen: Unseen, origin: Origin) -> Unseen:
    """The examples of an origin, or all where these are too few to learn from."""
    alike = [(example, tree) for example, tree in unseen if example.origin is origin]
    return alike if len({example.name for example, _ in alike}) >= _FEWEST else unseen


def _curve(
    example: Example, tree: Dendrogram, thresholds: NDArray[np.float64], objective: Objective
) -> NDArray[np.float64]:
    """Shape (thresholds,): the objective of the example at each of them."""
    merging = np.sort([merge.probability for merge in tree.merges])
    held = len(merging) - np.searchsorted(merging, thresholds)
    curve = np.zeros(len(thresholds))
    for count in np.unique(held):
        given = clustering_of(example, tree, int(count))
        curve[held == count] = objective(given, example.key, example.ranks)
    return curve
