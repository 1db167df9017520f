"""Page confidence: the probability that a page is in the right cluster.

The event predicted: a page of a cluster of several is *right* if more than half of the other
judged pages of the cluster share a person with it; a page alone is right if no other judged page
shares a person with it.

Two logistic regressions, not from the literature. Of a page of several, on the logit m of the
*median* probability of its pairs within its cluster, since the event is about more than half of
them; on m times the logarithm of the number of pages, since of a large cluster more than half is
hardly ever a matter of chance; and on the logit of the mean probability of all pairs of the
cluster, which is low where several people were joined. Of a page alone, on the logit of the
greatest mean probability of its pairs with another cluster. They are fitted to all parts of
held-out dendrograms, so that they hold at every threshold, and clusters of many people are among
what they have seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit, logit

from weps.clustering.dendrogram import Dendrogram, membership_matrix
from weps.coreference.base import fit_logistic
from weps.errors import ModelError
from weps.similarity.pairs import square_matrix

Vector = NDArray[np.float64]
Flags = NDArray[np.bool_]
Clusters = Sequence[Sequence[int]]

_EPSILON = 0.05
"""Probabilities are clipped to this distance from 0 and 1: beyond it they say no more about a
whole cluster, and a few confident errors would flatten the regression."""
_MAX_PARAMETER = 1e3
_POSITIONS = 15
"""Cuts of a dendrogram, from all pages apart to all in one, that confidence is fitted to."""


@dataclass(frozen=True, slots=True)
class ConfidenceExample:
    """A name whose key is known, and what a model that has not seen it makes of it."""

    dendrogram: Dendrogram
    kept: int
    """Number of merges that the stopping rule keeps."""
    coreferent: Flags
    """Shape (n, n): whether two pages share a person; the diagonal is ignored."""
    judged: Flags
    """Shape (n,): whether the key assigns the page to a person."""

    def cuts(self) -> dict[int, float]:
        """Numbers of merges to fit to, with their weights, which sum to 1.

        Half of the weight is that of the answer, half that of equidistant cuts of the dendrogram:
        answers decide what most readers see, cuts what they see when they move the slider.
        """
        positions = np.unique(np.linspace(0, len(self.dendrogram.merges), _POSITIONS).astype(int))
        weights = dict.fromkeys(positions.tolist(), 0.5 / len(positions))
        return weights | {self.kept: weights.get(self.kept, 0.0) + 0.5}


@dataclass(frozen=True, slots=True)
class PageConfidence:
    """Calibrated confidence of pages: logistic(weights · (1, predictors))."""

    together: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    """Of pages in a cluster of several: weights of 1, of m, of m · log(pages) and of the logit of
    the cluster's mean probability, see :mod:`weps.clustering.confidence`."""
    alone: tuple[float, ...] = (0.0, 0.0)
    """Of pages in a cluster of their own: weights of 1 and of the logit of the greatest mean
    probability with another cluster."""
    usual: tuple[float, ...] = (0.5, 0.5)
    """Share of right pages among the held-out pages of several, and among those alone: all that is
    known of a page on which the predictors are silent."""

    def scores_of(
        self, dendrogram: Dendrogram, clusters: Clusters, unfamiliar: Flags | None = None
    ) -> Vector:
        """Shape (n,): the confidence of each page.

        Args:
            dendrogram: of n pages.
            clusters: rows of the pages of each cluster.
            unfamiliar: shape (n,): pages unlike those that the model was trained on, whose
                confidence is bounded by that of usual pages; None for no such pages.
        """
        together, alone, single = _page_predictors(dendrogram, clusters)
        scores = np.where(single, _logistic(self.alone, alone), _logistic(self.together, together))
        if unfamiliar is None:
            return scores
        bound = np.where(single, self.usual[1], self.usual[0])
        return np.where(unfamiliar, np.minimum(scores, bound), scores)

    def to_data(self) -> dict[str, list[float]]:
        """The weights, for JSON."""
        return {name: list(getattr(self, name)) for name in self.__slots__}

    @classmethod
    def from_data(cls, data: Any) -> PageConfidence:
        """Read what :meth:`to_data` wrote.

        Raises:
            ModelError: if weights are missing or damaged.
        """
        if not isinstance(data, dict) or data.keys() != set(cls.__slots__):
            raise ModelError("its page confidence cannot be read")
        zero = cls()
        read = {
            name: read_weights(weights, len(getattr(zero, name)), "page confidence")
            for name, weights in data.items()
        }
        if not all(0 <= share <= 1 for share in read["usual"]):
            raise ModelError("its page confidence is damaged")
        return cls(**read)


def read_weights(weights: Any, number: int, what: str) -> tuple[float, ...]:
    """The weights of a part of a model file.

    Raises:
        ModelError: if they are not so many finite numbers.
    """
    sound = isinstance(weights, list) and len(weights) == number
    # Strings and booleans would convert to numbers; NaN fails the comparison and is refused.
    if not sound or not all(type(x) in (int, float) and abs(x) <= _MAX_PARAMETER for x in weights):
        raise ModelError(f"its {what} is damaged")
    return tuple(map(float, weights))


def fit_page_confidence(cases: Sequence[ConfidenceExample]) -> PageConfidence:
    """Fit to names that the classifier was not fitted to; every name has the same weight."""
    if not cases:
        return PageConfidence()
    columns = zip(*(cut for case in cases for cut in _training_data(case)), strict=True)
    together, alone, single, outcome, weight, kept = map(np.concatenate, columns)
    zero, usual = PageConfidence(), []
    for part in (~single, single):
        answered = part & kept
        usual.append((outcome[answered].sum() + 1) / (answered.sum() + 2))
    return PageConfidence(
        _fit(together[~single], outcome[~single], weight[~single]) or zero.together,
        _fit(alone[single], outcome[single], weight[single]) or zero.alone,
        tuple(map(float, usual)),
    )


def _fit(predictors: Vector, outcome: Flags, weight: Vector) -> tuple[float, ...]:
    return fit_logistic(predictors, outcome, weight, penalty=1.0)


def _training_data(case: ConfidenceExample) -> Iterator[tuple[NDArray[Any], ...]]:
    """Of the judged pages of each cut: both kinds of predictors, which are single, which are right.

    Then their weights, and whether the cut is the answer.
    """
    judged = case.judged
    pages = int(judged.sum())
    for merges, weight in case.cuts().items():
        clusters = case.dendrogram.clusters(merges)
        predictors = _page_predictors(case.dendrogram, clusters)
        outcome = correctly_placed(clusters, case.coreferent, judged)
        shares = np.full(pages, weight / max(pages, 1))
        answer = np.full(pages, merges == case.kept)
        yield (*(each[judged] for each in (*predictors, outcome)), shares, answer)


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


def _page_predictors(dendrogram: Dendrogram, clusters: Clusters) -> tuple[Vector, Vector, Flags]:
    """Predictors of pages of several (n, 3) and of pages alone (n, 1), and which pages are alone.

    Rows of the other kind are 0.
    """
    size = dendrogram.size
    square = square_matrix(dendrogram.probability, size)
    single = np.zeros(size, dtype=bool)
    together = np.zeros((size, 3))
    for rows in map(list, clusters):
        single[rows] = len(rows) == 1
        if len(rows) > 1:
            block = square[np.ix_(rows, rows)][~np.eye(len(rows), dtype=bool)]
            median = np.median(block.reshape(len(rows), -1), axis=1)
            together[rows, 0] = clipped_logit(median, _EPSILON)
            together[rows, 1] = together[rows, 0] * np.log(len(rows))
            together[rows, 2] = clipped_logit(block.mean(), _EPSILON)
    shares = sparse.diags_array([1 / len(rows) for rows in clusters])
    near = shares @ membership_matrix(clusters, size) @ square[:, single]
    alone = np.zeros((size, 1))
    # The mean with its own cluster is 0, since a page is no pair.
    alone[single, 0] = clipped_logit(near.max(axis=0, initial=0), _EPSILON)
    return together, alone, single


def _logistic(weights: Sequence[float], predictors: Vector) -> Vector:
    return np.asarray(expit(weights[0] + (predictors * weights[1:]).sum(axis=1)))


def clipped_logit(probability: Any, epsilon: float) -> Vector:
    """The logit of probabilities clipped to a distance from 0 and 1."""
    return np.asarray(logit(np.clip(probability, epsilon, 1 - epsilon)))
