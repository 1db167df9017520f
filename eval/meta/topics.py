"""Measures topic by topic: AUC for graded quality, and which topics contradict a measure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.meta.judged import as_judged
from eval.meta.shares import share
from eval.ordering.concordance import redundancy
from eval.ordering.values import as_groups

__all__ = ["TopicAuc", "topic_auc"]

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
_FEW = 128
"""Instances of a topic whose pairs are laid out; of more they are counted by sorting."""


@dataclass(frozen=True, slots=True, eq=False)
class TopicAuc:
    """How often measures rank what people rank, over pairs of instances of one topic."""

    held: Floats
    """Shape (measures, topics): pairs of different quality that are ranked right; half if tied."""
    total: Floats
    """Shape (topics,): pairs of different quality."""

    @property
    def pooled(self) -> Floats:
        """Shape (measures,): AUC over the pairs of all topics; nan if there are none."""
        return share(self.held.sum(axis=1), self.total.sum())

    @property
    def by_topic(self) -> Floats:
        """Shape (measures, topics): AUC, nan in a topic whose instances are all equally good."""
        return share(self.held, self.total)

    @property
    def ranked(self) -> Truths:
        """Shape (topics,): whether people rank any two of its instances."""
        return self.total > 0

    @property
    def inconsistent(self) -> Truths:
        """Shape (topics,): whether a measure has an AUC below ½ there (section 5.4)."""
        return np.asarray((self.held < self.total / 2).any(axis=0))

    @property
    def consistent(self) -> Truths:
        """Shape (topics,): whether none has, in a topic that people rank.

        In the paper all measures exceed ½ in a consistent topic and one is below it in an
        inconsistent one; a measure at ½ exactly is no negative evidence and here consistent.
        """
        return self.ranked & ~self.inconsistent


def topic_auc(values: ArrayLike, quality: ArrayLike, group: ArrayLike | None = None) -> TopicAuc:
    """AUC(x) = P(x(s) > x(s') | Q(s) > Q(s')), ties ½ (workshop 2012, section 4.2).

    Quality may have any number of levels: counted are all pairs of one topic that differ in it,
    exactly; large topics in O(n log n), as :func:`eval.ordering.concordance.redundancy` counts.
    :func:`eval.ordering.tally.share_of` gives intervals over topics.

    Args:
        values: shape (measures, instances).
        quality: shape (instances,), as people judged.
        group: shape (instances,), the topic of each, whole numbers from 0; None for one.

    Raises:
        ValuesError: if values are missing, NaN, no numbers, or do not fit together.
    """
    measures, truth = as_judged(values, quality)
    groups = as_groups(group, len(truth), "group")
    held, total = np.zeros((len(measures), groups.max() + 1)), np.zeros(groups.max() + 1)
    order = np.argsort(groups, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(groups[order])) + 1):
        topic = groups[members[0]]
        count = _by_looking if len(members) <= _FEW else _by_sorting
        held[:, topic], total[topic] = count(measures[:, members], truth[members])
    return TopicAuc(held, total)


def _by_looking(measures: Floats, truth: Floats) -> tuple[Floats, int]:
    """Shape (measures,), pairs ranked right, and how many people rank."""
    better, worse = np.nonzero(truth[:, None] > truth)
    one, other = measures[:, better], measures[:, worse]
    return (one > other).sum(axis=1) + (one == other).sum(axis=1) / 2, len(better)


def _by_sorting(measures: Floats, truth: Floats) -> tuple[Floats, int]:
    """The same in O(n log n)."""
    found = [redundancy(truth, each) for each in measures]
    held = np.array([each.same + each.tied / 2 for each in found])
    return held, found[0].same + found[0].opposite + found[0].tied
