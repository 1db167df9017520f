"""Measures topic by topic: AUC for graded quality, contradicting topics, and robustness.

Robustness is the rank of a measure among the others where it ranks lowest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import rankdata

from eval.meta.judged import as_human_scored
from eval.ranking.pwa import redundancy
from eval.stats.arrays import Flags, Floats, as_groups, as_measures
from eval.stats.estimate import safe_divide
from weps.errors import ValuesError

__all__ = ["TopicAuc", "lowest_mean", "topic_auc", "topic_ranks", "worst_ranks"]

_EQUAL = 1e-9
"""A share of topics may be this much more than a whole number of them."""


def topic_ranks(scores: ArrayLike) -> Floats:
    """Shape (measures, topics): the share of the other measures that score lower, ties ½.

    The paper scales ranks from 0 to 1 without saying which end is which: here 1 is the best.

    Args:
        scores: shape (measures, topics), such as AUC by topic.

    Raises:
        ValuesError: if scores are missing, NaN, not numbers, or those of one measure only.
    """
    measures = as_measures(scores, "scores")
    if len(measures) < 2:
        remedy = "give the scores of two measures at least"
        raise ValuesError("a single measure has no rank", where="scores", remedy=remedy)
    ranks: Floats = (rankdata(measures, axis=0) - 1) / (len(measures) - 1)
    return ranks


def worst_ranks(scores: ArrayLike, share: float = 0.1) -> Floats:
    """Mean rank over the topics in which the measure ranks lowest (workshop 2012, section 5.3).

    Args:
        scores: shape (measures, topics); topics in which nothing is scored are to be left out.
        share: of the topics, the paper's 10 % by default, rounded up to a whole number.

    Returns:
        Shape (measures,), in [0, 1], 1 for a measure that is best in every topic.

    Raises:
        ValuesError: as :func:`topic_ranks`, or if the share is not above 0 and at most 1.
    """
    return lowest_mean(topic_ranks(scores), share)


def lowest_mean(ranks: Floats, share: float = 0.1) -> Floats:
    """Shape (measures,): the mean of the lowest of them, as many as are that share of the topics.

    Args:
        ranks: shape (measures, topics).
        share: of the topics, rounded up to a whole number.

    Raises:
        ValuesError: if the share is not above 0 and at most 1.
    """
    if not 0 < share <= 1:
        raise ValuesError(
            f"expected a share of the topics, got {share}", remedy="give more than 0, up to 1"
        )
    lowest = math.ceil(share * ranks.shape[1] - _EQUAL)
    means: Floats = np.sort(ranks, axis=1)[:, : max(lowest, 1)].mean(axis=1)
    return means


_FEW = 128
"""Instances of a topic whose pairs are laid out; of more they are counted by sorting."""


@dataclass(frozen=True, slots=True, eq=False)
class TopicAuc:
    """How often measures rank what people rank, over pairs of instances of one topic."""

    hits: Floats
    """Shape (measures, topics): pairs of different quality that are ranked right; half if tied."""
    total: Floats
    """Shape (topics,): pairs of different quality."""

    @property
    def pooled(self) -> Floats:
        """Shape (measures,): AUC over the pairs of all topics; nan if there are none."""
        return safe_divide(self.hits.sum(axis=1), self.total.sum())

    @property
    def by_topic(self) -> Floats:
        """Shape (measures, topics): AUC, nan in a topic whose instances are all equally good."""
        return safe_divide(self.hits, self.total)

    @property
    def ranked(self) -> Flags:
        """Shape (topics,): whether people rank any two of its instances."""
        return self.total > 0

    @property
    def inconsistent(self) -> Flags:
        """Shape (topics,): whether a measure has an AUC below ½ there (section 5.4)."""
        return np.asarray((self.hits < self.total / 2).any(axis=0))

    @property
    def consistent(self) -> Flags:
        """Shape (topics,): whether none has, in a topic that people rank.

        In the paper all measures exceed ½ in a consistent topic and one is below it in an
        inconsistent one; a measure at ½ exactly is no negative evidence and here consistent.
        """
        return self.ranked & ~self.inconsistent


def topic_auc(values: ArrayLike, quality: ArrayLike, group: ArrayLike | None = None) -> TopicAuc:
    """AUC(x) = P(x(s) > x(s') | Q(s) > Q(s')), ties ½ (workshop 2012, section 4.2).

    Quality may have any number of levels: counted are all pairs of one topic that differ in it,
    exactly; large topics in O(n log n), as :func:`eval.ranking.pwa.redundancy` counts.
    :func:`eval.stats.estimate.estimate_instance_share` gives intervals over topics.

    Args:
        values: shape (measures, instances).
        quality: shape (instances,), human scores.
        group: shape (instances,), the topic of each, whole numbers from 0; None for one.

    Raises:
        ValuesError: if values are missing, NaN, not numbers, or do not fit together.
    """
    measures, truth = as_human_scored(values, quality)
    groups = as_groups(group, len(truth), "group")
    hits, total = np.zeros((len(measures), groups.max() + 1)), np.zeros(groups.max() + 1)
    order = np.argsort(groups, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(groups[order])) + 1):
        topic = groups[members[0]]
        count = _by_looking if len(members) <= _FEW else _by_sorting
        hits[:, topic], total[topic] = count(measures[:, members], truth[members])
    return TopicAuc(hits, total)


def _by_looking(measures: Floats, truth: Floats) -> tuple[Floats, int]:
    """Shape (measures,), pairs ranked right, and how many people rank."""
    better, worse = np.nonzero(truth[:, None] > truth)
    one, other = measures[:, better], measures[:, worse]
    return (one > other).sum(axis=1) + (one == other).sum(axis=1) / 2, len(better)


def _by_sorting(measures: Floats, truth: Floats) -> tuple[Floats, int]:
    """The same in O(n log n)."""
    found = [redundancy(truth, each) for each in measures]
    hits = np.array([each.same + each.tied / 2 for each in found])
    return hits, found[0].same + found[0].opposite + found[0].tied
