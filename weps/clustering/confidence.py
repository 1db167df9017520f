"""Confidence: the probability that a page, or a cluster, is right.

Pages. The event predicted: a page of a cluster of several is *right* if more than half of the other
judged pages of the cluster share a person with it; a page alone is right if no other judged page
shares a person with it. Two logistic regressions, not from the literature. Of a page of several, on
the logit m of the *median* probability of its pairs within its cluster, since the event is about
more than half of them; on m times the logarithm of the number of pages, since of a large cluster
more than half is hardly ever a matter of chance; and on the logit of the mean probability of all
pairs of the cluster, which is low where several people were joined. Of a page alone, on the logit
of the greatest mean probability of its pairs with another cluster. They are fitted to all parts of
held-out dendrograms, so that they hold at every threshold, and clusters of many people are among
what they have seen.

Clusters. Are all pages of a cluster one person, and if not, how many people are they? Both follow
from the cluster's own part of the dendrogram alone, so they are the same at every threshold at
which the cluster exists. Not from the literature. The probability that all pages are one person is
that of the cluster's last merge, recalibrated: P = logistic(slope · logit(level) + shift). Levels
never rise from merge to merge, so a cluster is never more probably one person than its parts are.
Of single pages P is 1. The expected number of people is P + (1 - P)(2 + (n - 2) f) for n pages: if
they are not one person they are two at least, and each further page is another person with
probability f, a logistic regression on the logit of the mean probability of the cluster's pairs and
on log n. It is bounded by what a merge can do: the people of a merged cluster are at least those of
either part, and at most those of both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps.clustering.dendrogram import Dendrogram, Flags
from weps.coreference.base import (
    Calibration,
    Part,
    clipped_logit,
    finite_numbers,
    fit_calibration,
    fit_logistic,
    inverse_logit,
)
from weps.similarity.columns import (
    SQUARE_ROWS,
    Vector,
    condensed_part,
    pairs_between,
    slices_of,
    square_matrix,
    square_rows,
)

Clusters = Sequence[Sequence[int]]

_PAGE_EPSILON = 0.05
"""Probabilities are clipped to this distance from 0 and 1: beyond it they say no more about a
whole cluster, and a few confident errors would flatten the regression."""
_CLUSTER_EPSILON = 1e-4
"""Mean probabilities of clusters are clipped to this distance from 0 and 1."""
_POSITIONS = 15
"""Cuts of a dendrogram, from all pages apart to all in one, that confidence is fitted to."""


@dataclass(frozen=True, slots=True)
class ConfidenceExample:
    """A name with a key, and its dendrogram by a model that was not trained on it."""

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
class PageConfidence(Part):
    """Calibrated confidence of pages: inverse_logit(weights · (1, predictors))."""

    together: tuple[float, ...] = field(default=(0.0,) * 4, metadata={"read": finite_numbers})
    """Weights for pages in a cluster of several: of 1, of m, of m · log(pages) and of the logit of
    the cluster's mean probability, see :mod:`weps.clustering.confidence`."""
    alone: tuple[float, ...] = field(default=(0.0,) * 2, metadata={"read": finite_numbers})
    """Weights for pages in a cluster of their own: of 1 and of the logit of the greatest mean
    probability with another cluster."""
    usual: tuple[float, ...] = field(default=(0.5,) * 2, metadata={"read": finite_numbers})
    """Share of right pages among the held-out pages of several, and among those alone: all that is
    known of a page on which the predictors are silent."""

    def scores_of(
        self, dendrogram: Dendrogram, clusters: Clusters, unfamiliar: Flags | bool = False
    ) -> Vector:
        """Shape (n,): the confidence of each page.

        Args:
            dendrogram: of n pages.
            clusters: rows of the pages of each cluster.
            unfamiliar: shape (n,): pages unlike those that the model was trained on, whose
                confidence is bounded by that of usual pages; False for no such pages.
        """
        several, lone, single = _page_predictors(dendrogram, clusters)
        scores = np.where(single, _logistic(self.alone, lone), _logistic(self.together, several))
        together, alone = self.usual
        return np.where(unfamiliar, np.minimum(scores, np.where(single, alone, together)), scores)

    def is_sound(self, _columns: int = 0) -> bool:
        """Whether there are as many weights as predictors, and shares are shares."""
        numbers = len(self.together), len(self.alone), len(self.usual)
        return numbers == (4, 2, 2) and all(0 <= share <= 1 for share in self.usual)


def fit_page_confidence(cases: Sequence[ConfidenceExample]) -> PageConfidence:
    """Fit to names that the classifier was not fitted to; every name has the same weight."""
    cuts: list[tuple[NDArray[Any], ...]] = []
    for case in cases:
        pages = int(case.judged.sum())
        for merges, share in case.cuts().items():
            clusters = case.dendrogram.clusters(merges)
            predictors = _page_predictors(case.dendrogram, clusters)
            placed = correctly_placed(clusters, case.coreferent, case.judged)
            cuts.append(
                (
                    *(each[case.judged] for each in (*predictors, placed)),
                    np.full(pages, share / max(pages, 1)),
                    np.full(pages, merges == case.kept),
                )
            )
    if not cuts:
        return PageConfidence()
    together, alone, single, outcome, weight, kept = map(np.concatenate, zip(*cuts, strict=True))
    zero, fit = PageConfidence(), partial(fit_logistic, penalty=1.0)
    answered = [outcome[part & kept] for part in (~single, single)]
    return PageConfidence(
        fit(together[~single], outcome[~single], weight[~single]) or zero.together,
        fit(alone[single], outcome[single], weight[single]) or zero.alone,
        tuple(float((right.sum() + 1) / (len(right) + 2)) for right in answered),
    )


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
    most = 2 * (mates & coreferent).sum(axis=1) > mates.sum(axis=1)
    # A page in a cluster of otherwise unjudged pages is right if it is alone in the key.
    return np.where(mates.any(axis=1), most, ~(others & coreferent).any(axis=1))


def _page_predictors(dendrogram: Dendrogram, clusters: Clusters) -> tuple[Vector, Vector, Flags]:
    """Predictors of pages of several (n, 3) and of pages alone (n, 1), and which pages are alone.

    Rows of the other kind are 0.
    """
    size = dendrogram.size
    single = np.zeros(size, dtype=bool)
    together = np.zeros((size, 3))
    for rows in map(list, clusters):
        single[rows] = len(rows) == 1
        if len(rows) > 1:
            own = condensed_part(dendrogram.probability, np.array(rows), size)
            square = square_matrix(own, len(rows))
            block = square[~np.eye(len(rows), dtype=bool)]
            together[rows, 0] = clipped_logit(
                np.median(block.reshape(len(rows), -1), axis=1), _PAGE_EPSILON
            )
            together[rows, 1] = together[rows, 0] * np.log(len(rows))
            together[rows, 2] = clipped_logit(block.mean(), _PAGE_EPSILON)
    others = np.empty((size, single.sum()), dendrogram.probability.dtype)
    for part in slices_of(size, SQUARE_ROWS):
        others[part] = square_rows(dendrogram.probability, size, part)[:, single]
    near = np.zeros(others.shape[1])
    for rows in map(list, clusters):
        np.maximum(near, others[rows].mean(axis=0), out=near)
    alone = np.zeros((size, 1))
    # The mean with its own cluster is 0, since a page is no pair.
    alone[single, 0] = clipped_logit(near, _PAGE_EPSILON)
    return together, alone, single


def _logistic(weights: Sequence[float], predictors: Vector) -> Vector:
    return inverse_logit(weights[0] + (predictors * weights[1:]).sum(axis=1))


@dataclass(frozen=True, slots=True)
class PersonConfidence(Part):
    """Calibrated confidence of clusters, see :mod:`weps.clustering.confidence`."""

    one_person: Calibration = field(
        default_factory=Calibration, metadata={"read": Calibration.from_data}
    )
    """Calibration of the probability of a cluster's last merge."""
    further_people: tuple[float, ...] = field(
        default=(0.0, -1.0, 0.0), metadata={"read": finite_numbers}
    )
    """Weights of f: of 1, of the logit of the mean probability of pairs, and of log n."""

    def of_nodes(self, dendrogram: Dendrogram) -> tuple[Vector, Vector]:
        """Probability of one person, and expected people, for each node of the dendrogram.

        Merges that corrections require are certain, merges that they forbid are impossible.

        Returns:
            Two arrays of shape (2n - 1,): the n pages first, then the cluster of each merge.
        """
        size = dendrogram.size
        probable = self.one_person(dendrogram.levels)
        probable[: dendrogram.min_merges] = 1.0
        probable[dendrogram.bounded_count(len(probable)) :] = 0.0
        one = np.concatenate([np.ones(size), probable])
        pages, mean = node_statistics(dendrogram)
        shift, slope, of_size = self.further_people
        further = inverse_logit(
            shift + slope * clipped_logit(mean, _CLUSTER_EPSILON) + of_size * np.log(pages)
        )
        number = one + (1 - one) * (2 + np.maximum(pages - 2, 0) * further)
        for node, (first, second) in enumerate(dendrogram.children(), start=size):
            ours, theirs = number[first], number[second]
            number[node] = min(max(number[node], ours, theirs), ours + theirs)
        return one, number

    def is_sound(self, _columns: int = 0) -> bool:
        """Whether there are as many weights as predictors."""
        return len(self.further_people) == 3


def node_statistics(dendrogram: Dendrogram) -> tuple[Vector, Vector]:
    """Number of pages, and mean probability of their pairs, for each node, shape (2n - 1,) each.

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
    """Number of judged pages of a cluster, and number of people that these are.

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
    rows: list[tuple[float, ...]] = []
    for case in cases:
        dendrogram, judging = case.dendrogram, case.judged
        # The weight of a node is that of the cuts that have it, divided among their clusters.
        weight_of = defaultdict[int, float](float)
        members: dict[int, list[int]] = {}
        for merges, share in case.cuts().items():
            node_of = dendrogram.node_of_rows(merges)
            several = {
                int(node_of[each[0]]): each
                for each in dendrogram.clusters(merges)
                if judging[each].sum() > 1
            }
            members |= several
            for node in several:
                weight_of[node] += share / len(several)
        sizes, means = node_statistics(dendrogram)
        for node, cluster in members.items():
            level = dendrogram.merges[node - dendrogram.size].probability
            rows.append(
                (
                    level,
                    means[node],
                    sizes[node],
                    *people_in(cluster, case.coreferent, judging),
                    weight_of[node],
                )
            )
    if not rows:
        return PersonConfidence()
    levels, mean, pages, judged, people, weight = np.array(rows).T
    one = people < 1 + 1e-9
    wrong = ~one & (judged > 2)
    share = ((people - 2) / np.maximum(judged - 2, 1)).clip(0, 1)[wrong]
    predictors = np.stack([clipped_logit(mean, _CLUSTER_EPSILON), np.log(pages)], axis=1)[wrong]
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
        fit_calibration(levels, one, weight), further or PersonConfidence().further_people
    )
