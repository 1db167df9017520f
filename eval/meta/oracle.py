"""How good would a system be that chose, topic by topic, what a measure scores highest?

The oracle system test of Amigó, Giménez, Gonzalo and Verdejo, ACL 2009, section 5.4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.meta.judged import as_judged
from eval.ordering.values import as_groups

__all__ = ["Oracle", "oracle"]

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Oracle:
    """The human score of what is chosen, topic by topic; the paper's figure is the mean.

    :func:`eval.meta.drawn.over_topics` gives the means and their intervals.
    """

    chosen: Floats
    """Shape (measures, topics): by each measure (OST)."""
    random: Floats
    """Shape (topics,): by chance, the mean of the topic (randOST)."""
    least: Floats
    """Shape (topics,): the worst that there is (minOST)."""
    most: Floats
    """Shape (topics,): the best that there is (maxOST)."""


def oracle(values: ArrayLike, human: ArrayLike, topic: ArrayLike) -> Oracle:
    """OST(m) = Avg over topics of Qh(argmax of Qm).

    The paper leaves ties open: of outputs that a measure ties at the top, the mean score counts,
    as if one were drawn. A constant measure thus chooses by chance.

    Args:
        values: shape (measures, instances).
        human: shape (instances,), finite.
        topic: shape (instances,), whole numbers from 0.

    Returns:
        Topics in the order of their numbers; numbers without an instance are left out.

    Raises:
        ValuesError: if values are missing, NaN, no numbers, or not equally many.
    """
    measures, people = as_judged(values, human)
    topics = np.unique(as_groups(topic, len(people), "topic"), return_inverse=True)[1]
    random, least, most = (
        _of_highest(each, people, topics) for each in (np.zeros(len(people)), -people, people)
    )
    chosen = [_of_highest(each, people, topics) for each in measures]
    return Oracle(np.array(chosen), random, least, most)


def _of_highest(measure: Floats, human: Floats, topic: Ints) -> Floats:
    """Shape (topics,): the mean human score of what the measure scores highest."""
    highest = np.full(int(topic.max()) + 1, -np.inf)
    np.maximum.at(highest, topic, measure)
    top = measure == highest[topic]
    return np.asarray(np.bincount(topic[top], human[top]) / np.bincount(topic[top]))
