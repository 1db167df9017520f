"""Fitting stopping rules to names that the classifier was not fitted to.

A *threshold* has the best
mean objective over the names, each name counting once. Thresholds *by origin* are fitted
separately: pages that a search engine returns for a name differ more than pages collected about
rare names, and a threshold from one kind joins too many or too few of the other. The *expected F*
has no parameter: the name's own probabilities decide. A *prior by name*, shifted by the number of
people and the mean probability (:class:`weps.clustering.stopping.ExpectedFByName`), needs names of
many people to be fitted: mixed names, which together weigh as much as all others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise, repeat

import numpy as np
from numpy.typing import NDArray

from weps.clustering.dendrogram import Dendrogram
from weps.clustering.stopping import (
    ExpectedF,
    ExpectedFByName,
    Stopping,
    Threshold,
    name_predictors,
)
from weps.page_forms import Origin
from weps.records import Clustering
from weps.training.examples import Example

Objective = Callable[[Clustering, Clustering, Collection[int]], float]
"""The score of an answer, from the answer, the key and the ranks of the name's pages."""

HeldOut = Sequence[tuple[Example, Dendrogram]]
"""Examples, each with the dendrogram of a classifier fitted without it."""

_MIN_EXAMPLES = 5
"""Fewest examples of an origin to which a threshold is fitted."""
_SHARPNESS = 8.0
"""Slope of expected F, close to a majority vote. Many small raw probabilities add up to a
recall that cannot be reached; values from 4 to 32 did as well on WePS-1 (docs/systems.md)."""

_SHIFTS = np.linspace(-1.0, 1.0, 9)
"""Shifts of the log odds that are tried for every name."""
_SMOOTHING = np.array([1.0, 2.0, 3.0, 2.0, 1.0])
"""Weights of neighbouring shifts: the score of one name jumps from shift to shift."""
_STEPS = (1.0, 0.5, 0.25, 0.125)
"""Penalty of the coefficients of standardised predictors."""
_LEAST_GAIN = 1e-6


def _threshold_by_origin(held_out: HeldOut, objective: Objective) -> Mapping[Origin, Stopping]:
    """For each origin the threshold of its examples, or of all if these are too few."""
    found = {}
    for origin in Origin:
        alike = [(example, tree) for example, tree in held_out if example.origin is origin]
        enough = len({example.name for example, _ in alike}) >= _MIN_EXAMPLES
        found[origin] = Threshold(learn_threshold(alike if enough else held_out, objective))
    return found


def _shift_by_name(held_out: HeldOut, objective: Objective) -> Mapping[Origin, Stopping]:
    """The prior by name with the best mean objective; mixed names weigh as much as all others."""
    if not held_out:
        return dict.fromkeys(Origin, ExpectedFByName(_SHARPNESS, 0.0, 0.0, 0.0))
    mixed = np.array([bool(example.components) for example, _ in held_out], dtype=bool)
    weights = np.where(mixed, 1 / max(mixed.sum(), 1), 1 / max((~mixed).sum(), 1))
    unshifted = ExpectedF(_SHARPNESS, 0.0)
    predictors = np.array([name_predictors(tree, unshifted) for _, tree in held_out])
    middle = np.average(predictors, axis=0, weights=weights)
    spread = np.sqrt(np.average((predictors - middle) ** 2, axis=0, weights=weights))
    spread = np.where(spread > 0, spread, 1.0)
    design = np.column_stack([np.ones(len(held_out)), (predictors - middle) / spread])
    scores = np.array([_scores_by_shift(*each, objective) for each in held_out])

    def total(coefficients: NDArray[np.float64]) -> float:
        at = (design @ coefficients).clip(_SHIFTS[0], _SHIFTS[-1])
        found = [np.interp(*each) for each in zip(at, repeat(_SHIFTS), scores, strict=False)]
        return float(weights @ found)

    first, *others = _coordinate_ascent(total, design.shape[1])
    slopes = np.array(others) / spread
    return dict.fromkeys(
        Origin, ExpectedFByName(_SHARPNESS, float(first - slopes @ middle), *slopes.tolist())
    )


def _scores_by_shift(
    example: Example, dendrogram: Dendrogram, objective: Objective
) -> NDArray[np.float64]:
    """Shape (shifts,): the objective after each shift, smoothed over its neighbours."""
    kept = [ExpectedF(_SHARPNESS, _SHARPNESS * each).merges(dendrogram) for each in _SHIFTS]
    score = {
        merges: objective(clustering_after(example, dendrogram, merges), example.key, example.ranks)
        for merges in set(kept)
    }
    padded = np.pad([score[merges] for merges in kept], len(_SMOOTHING) // 2, mode="edge")
    return np.convolve(padded, _SMOOTHING / _SMOOTHING.sum(), mode="valid")


def _coordinate_ascent(
    total: Callable[[NDArray[np.float64]], float], size: int
) -> NDArray[np.float64]:
    """Coefficients with a local maximum of the total, from zeros, by steps that get smaller."""
    best = np.zeros(size)
    value = total(best)
    for step in _STEPS:
        improved = True
        while improved:
            improved = False
            for change in (*(step * np.eye(size)), *(-step * np.eye(size))):
                if (after := total(best + change)) > value + _LEAST_GAIN:
                    best, value, improved = best + change, after, True
    return best


STOPPING_LEARNERS: dict[str, Callable[[HeldOut, Objective], Mapping[Origin, Stopping]]] = {
    "threshold": lambda *given: dict.fromkeys(Origin, Threshold(learn_threshold(*given))),
    "threshold-by-origin": _threshold_by_origin,
    "expected-f": lambda *_: dict.fromkeys(Origin, ExpectedF(_SHARPNESS, 0.0)),
    "expected-f-by-name": _shift_by_name,
}
"""Stopping method (:data:`weps.systems.STOPPING_METHODS`) → function that fits it."""


def learn_threshold(held_out: HeldOut, objective: Objective) -> float:
    """The threshold with the best mean objective over the names, each name counting once.

    The clustering changes only at the probabilities of merges, so the candidates are all
    gaps between them; the widest of equally good gaps is preferred.
    """
    merging = {merge.probability for _, tree in held_out for merge in tree.merges}
    steps = sorted({0.0, *merging, 1.0 + 1e-6})
    candidates = np.array([(low + high) / 2 for low, high in pairwise(steps)])
    total = np.zeros(len(candidates))
    for example, tree in held_out:
        levels = np.sort([merge.probability for merge in tree.merges])
        kept = len(levels) - np.searchsorted(levels, candidates)
        for count in np.unique(kept):
            answer = clustering_after(example, tree, int(count))
            total[kept == count] += objective(answer, example.key, example.ranks)
    best = np.flatnonzero(total >= total.max() - 1e-9)
    widths = np.diff(steps)[best]
    return float(candidates[best[widths.argmax()]])


def clustering_after(example: Example, dendrogram: Dendrogram, merges: int) -> Clustering:
    """The answer for an example after so many merges."""
    clusters = dendrogram.clusters(merges)
    return Clustering(tuple(frozenset(example.ranks[row] for row in rows) for rows in clusters))
