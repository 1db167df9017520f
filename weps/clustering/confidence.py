"""Page confidence: the probability that a page is in the right cluster.

The event predicted: a page of a cluster of several is *right* if more than half of the other
judged pages of the cluster share a person with it; a page alone is right if no other judged page
shares a person with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from weps.clustering.dendrogram import Dendrogram, square_matrix
from weps.coreference.base import fit_logistic
from weps.errors import ModelError

Vector = NDArray[np.float64]
Flags = NDArray[np.bool_]
Clusters = Sequence[Sequence[int]]

PREDICTORS = (
    "logit of the mean probability of the page's pairs within its cluster",
    "logit of the greatest such mean with another cluster",
    "logarithm of the pages of its cluster",
    "clusters of the name to a page",
)
"""The predictors of the confidence."""
_ZERO_WEIGHTS = (0.0,) * (1 + len(PREDICTORS))
_EPSILON = 1e-4
"""Means are clipped to this distance from 0 and 1."""
_MAX_PARAMETER = 1e3


@dataclass(frozen=True, slots=True)
class ConfidenceExample:
    """A clustered name whose key is known: page confidence is fitted to these."""

    clusters: Clusters
    """Rows of the pages of each cluster."""
    dendrogram: Dendrogram
    coreferent: Flags
    """Shape (n, n): whether two pages share a person; the diagonal is ignored."""
    judged: Flags
    """Shape (n,): whether the key assigns the page to a person."""


@dataclass(frozen=True, slots=True)
class PageConfidence:
    """Calibrated confidence from the predictors of a page: logistic(weights · (1, predictors))."""

    together: tuple[float, ...] = _ZERO_WEIGHTS
    """Weights for pages in a cluster of several: of 1, and of each of :data:`PREDICTORS`."""
    alone: tuple[float, ...] = _ZERO_WEIGHTS
    """The same for pages in a cluster of their own."""

    def scores_of(self, dendrogram: Dendrogram, clusters: Clusters) -> Vector:
        """Shape (n,): the confidence of each page."""
        signs, alone = _page_predictors(dendrogram, clusters)
        weights = np.where(alone[:, np.newaxis], self.alone, self.together)
        return np.asarray(expit(weights[:, 0] + (weights[:, 1:] * signs).sum(axis=1)))

    def to_data(self) -> dict[str, list[float]]:
        """The weights, for JSON."""
        return {"together": list(self.together), "alone": list(self.alone)}

    @classmethod
    def from_data(cls, data: Any) -> PageConfidence:
        """Read what :meth:`to_data` wrote.

        Raises:
            ModelError: if weights are missing or damaged.
        """
        if not isinstance(data, dict) or data.keys() != {"together", "alone"}:
            raise ModelError("its page confidence cannot be read")
        return cls(**{key: _read_weights(weights) for key, weights in data.items()})


def _read_weights(weights: Any) -> tuple[float, ...]:
    sound = isinstance(weights, list) and len(weights) == len(_ZERO_WEIGHTS)
    # Strings and booleans would convert to numbers; NaN fails the comparison and is refused.
    if not sound or not all(type(x) in (int, float) and abs(x) <= _MAX_PARAMETER for x in weights):
        raise ModelError("its page confidence is damaged")
    return tuple(map(float, weights))


def fit_page_confidence(cases: Sequence[ConfidenceExample]) -> PageConfidence:
    """Fit to names that the classifier was not fitted to; every name has the same weight."""
    if not cases:
        return PageConfidence()
    columns = zip(*map(_training_data, cases), strict=True)
    signs, alone, outcome, weight = (np.concatenate(column) for column in columns)
    together, single = (
        fit_logistic(signs[of], outcome[of], weight[of], penalty=1.0) or _ZERO_WEIGHTS
        for of in (~alone, alone)
    )
    return PageConfidence(together, single)


def _training_data(case: ConfidenceExample) -> tuple[Vector, Flags, Flags, Vector]:
    """Predictors, single pages, correct pages and weights, of the judged pages."""
    judged = case.judged
    signs, alone = _page_predictors(case.dendrogram, case.clusters)
    outcome = correctly_placed(case.clusters, case.coreferent, judged)
    weights = np.full(judged.sum(), 1 / max(int(judged.sum()), 1))
    return signs[judged], alone[judged], outcome[judged], weights


def correctly_placed(clusters: Clusters, coreferent: Flags, judged: Flags) -> Flags:
    """Shape (n,): whether each page is in the right cluster; undefined if not judged.

    Args:
        clusters: rows of the pages of each cluster.
        coreferent: shape (n, n), symmetric: whether two pages share a person.
        judged: shape (n,).
    """
    others = judged & ~np.eye(len(judged), dtype=bool)
    mates = np.zeros_like(others)
    for rows in clusters:
        mates[np.ix_(rows, rows)] = True
    mates &= others
    shared = (mates & coreferent).sum(axis=1)
    lonely = ~(others & coreferent).any(axis=1)
    # A page in a cluster of otherwise unjudged pages is right if it is alone in the key.
    return np.where(mates.any(axis=1), 2 * shared > mates.sum(axis=1), lonely)


def _page_predictors(dendrogram: Dendrogram, clusters: Clusters) -> tuple[Vector, Flags]:
    """Shape (n, predictors): see :data:`PREDICTORS`; and (n,): which pages are alone."""
    size = dendrogram.size
    member = np.zeros((size, len(clusters)))
    own = np.zeros(size, dtype=np.intp)
    for number, rows in enumerate(clusters):
        member[rows, number] = 1
        own[rows] = number
    pages = member.sum(axis=0)
    total = square_matrix(dendrogram.probability, size) @ member
    every = np.arange(size)
    inside = total[every, own] / np.maximum(pages[own] - 1, 1)
    mean = total / np.maximum(pages, 1)
    mean[every, own] = 0
    alone = pages[own] == 1
    predictors = (
        # A single page has no tie within its cluster; the predictor is 0 for all of them.
        np.where(alone, 0.0, _clipped_logit(inside)),
        _clipped_logit(mean.max(axis=1, initial=0)),
        np.log(np.maximum(pages[own], 1)),
        np.full(size, len(clusters) / max(size, 1)),
    )
    return np.stack(predictors, axis=1), alone


def _clipped_logit(probability: Vector) -> Vector:
    return np.asarray(logit(np.clip(probability, _EPSILON, 1 - _EPSILON)))
