"""Person confidence: are all pages of a cluster one person, and if not, how many people are they?

Both follow from the cluster's own part of the dendrogram alone, so they are the same at every
threshold at which the cluster exists. Not from the literature.

The probability that all pages are one person is that of the cluster's last merge, recalibrated:
P = logistic(slope · logit(level) + shift). Levels never rise from merge to merge, so a cluster is
never more probably one person than its parts are. Of single pages P is 1.

The expected number of people is P + (1 - P)(2 + (n - 2) f) for n pages: if they are not one
person they are two at least, and each further page is another person with probability f, a
logistic regression on the logit of the mean probability of the cluster's pairs and on log n. It is
bounded by what a merge can do: the people of a merged cluster are at least those of either part,
and at most those of both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from weps.clustering.confidence import ConfidenceExample, clipped_logit, read_weights
from weps.clustering.dendrogram import Dendrogram
from weps.coreference.base import Calibration, fit_calibration, fit_logistic
from weps.errors import ModelError
from weps.similarity.pairs import pairs_between

Vector = NDArray[np.float64]
Flags = NDArray[np.bool_]

_EPSILON = 1e-4
"""Mean probabilities are clipped to this distance from 0 and 1."""


@dataclass(frozen=True, slots=True)
class PersonConfidence:
    """Calibrated confidence of clusters, see :mod:`weps.clustering.person_confidence`."""

    one_person: Calibration = field(default_factory=Calibration)
    """Of the probability of a cluster's last merge."""
    further_people: tuple[float, ...] = (0.0, -1.0, 0.0)
    """Weights of f: of 1, of the logit of the mean probability of pairs, and of log n."""

    def of_nodes(self, dendrogram: Dendrogram) -> tuple[Vector, Vector]:
        """For each node of the dendrogram the probability of one person, and the expected number.

        Merges that corrections require are certain, merges that they forbid are impossible.

        Returns:
            Two arrays of shape (2n - 1,): the n pages first, then the cluster of each merge.
        """
        size = dendrogram.size
        levels = np.array([merge.probability for merge in dendrogram.merges], dtype=np.float64)
        probable = self.one_person(levels)
        probable[: dendrogram.min_merges] = 1.0
        probable[dendrogram.bounded_count(len(levels)) :] = 0.0
        one = np.concatenate([np.ones(size), probable])
        pages, mean = node_statistics(dendrogram)
        weights = self.further_people
        further = expit(
            weights[0] + weights[1] * clipped_logit(mean, _EPSILON) + weights[2] * np.log(pages)
        )
        number = one + (1 - one) * (2 + np.maximum(pages - 2, 0) * further)
        for node, (first, second) in enumerate(dendrogram.children(), start=size):
            ours, theirs = number[first], number[second]
            number[node] = np.clip(number[node], max(ours, theirs), ours + theirs)
        return one, number

    def to_data(self) -> dict[str, Any]:
        """The weights, for JSON."""
        return {
            "one_person": self.one_person.to_data(),
            "further_people": list(self.further_people),
        }

    @classmethod
    def from_data(cls, data: Any) -> PersonConfidence:
        """Read what :meth:`to_data` wrote.

        Raises:
            ModelError: if weights are missing or damaged.
        """
        if not isinstance(data, dict) or data.keys() != set(cls.__slots__):
            raise ModelError("its person confidence cannot be read")
        return cls(
            Calibration.from_data(data["one_person"]),
            read_weights(data["further_people"], 3, "person confidence"),
        )


def node_statistics(dendrogram: Dendrogram) -> tuple[Vector, Vector]:
    """For each node its number of pages and the mean probability of its pairs, (2n - 1,) each.

    The mean of a single page is 1.
    """
    size = dendrogram.size
    pages = np.ones(max(2 * size - 1, 0))
    total = np.zeros_like(pages)
    merged = zip(dendrogram.children(), dendrogram.merged_pairs(), strict=True)
    for node, ((first, second), (ours, theirs)) in enumerate(merged, start=size):
        between = pairs_between(np.array(ours), np.array(theirs), size)
        pages[node] = pages[first] + pages[second]
        total[node] = total[first] + total[second] + dendrogram.probability[between].sum()
    return pages, np.where(pages > 1, total / np.maximum(pages * (pages - 1) / 2, 1), 1.0)


def people_in(rows: Sequence[int], coreferent: Flags, judged: Flags) -> tuple[int, float]:
    """How many judged pages a cluster has, and how many people these are.

    A page adds 1 / the number of judged pages of the cluster that share a person with it, itself
    included: of disjoint people the sum is their number, and 1 means that all share one person.
    """
    ours = [row for row in rows if judged[row]]
    together = coreferent[np.ix_(ours, ours)] | np.eye(len(ours), dtype=bool)
    return len(ours), float((1 / together.sum(axis=1)).sum())


def fit_person_confidence(cases: Sequence[ConfidenceExample]) -> PersonConfidence:
    """Fit to names that the classifier was not fitted to; every name has the same weight.

    Only clusters with several judged pages teach something.
    """
    rows = [row for case in cases for row in _training_data(case)]
    if not rows:
        return PersonConfidence()
    level, mean, pages, judged, people, weight = np.array(rows).T
    one = people < 1 + 1e-9
    wrong = ~one & (judged > 2)
    share = ((people - 2) / np.maximum(judged - 2, 1)).clip(0, 1)[wrong]
    predictors = np.stack([clipped_logit(mean, _EPSILON), np.log(pages)], axis=1)[wrong]
    # A share is as many successes as failures of a weight: logistic regression of a proportion.
    # Pages of one cluster are not independent, so its weight is less than proportional to them.
    weights = (weight * np.sqrt(judged - 2).clip(0))[wrong] if wrong.any() else weight[wrong]
    twice = np.concatenate([weights * share, weights * (1 - share)])
    known = twice > 0
    further = fit_logistic(
        np.concatenate([predictors, predictors])[known],
        np.repeat([True, False], len(share))[known],
        twice[known],
        penalty=1.0,
    )
    return PersonConfidence(
        fit_calibration(level, one, weight),
        further or PersonConfidence().further_people,
    )


def _training_data(case: ConfidenceExample) -> Iterator[tuple[float, ...]]:
    """Of each cluster of several judged pages: level, mean, pages, judged pages, people, weight.

    Its weight is that of the cuts that have it, divided among their clusters.
    """
    dendrogram, size = case.dendrogram, case.dendrogram.size
    weights: dict[int, float] = {}
    members: dict[int, list[int]] = {}
    for merges, weight in case.cuts().items():
        clusters = dendrogram.clusters(merges)
        node_of = dendrogram.node_of_rows(merges)
        several = {int(node_of[rows[0]]): rows for rows in clusters if case.judged[rows].sum() > 1}
        members |= several
        for node in several:
            weights[node] = weights.get(node, 0.0) + weight / len(several)
    pages, mean = node_statistics(dendrogram)
    for node, rows in members.items():
        judged, people = people_in(rows, case.coreferent, case.judged)
        level = dendrogram.merges[node - size].probability
        yield level, mean[node], pages[node], judged, people, weights[node]
