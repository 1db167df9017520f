"""Can a measure be cheated? The largest loss of quality that it would not see.

Amigó, Giménez, Gonzalo and Verdejo, ACL 2009, section 5.3.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.meta.judged import as_judged, as_table

__all__ = ["quality_decreases"]

Floats: TypeAlias = NDArray[np.float64]


def quality_decreases(  # noqa: PLR0913 - what is judged, where, by whom, and against whom
    values: ArrayLike,
    human: ArrayLike,
    topic: ArrayLike,
    system: ArrayLike,
    chosen: int,
    *,
    itself: bool = True,
) -> Floats:
    """Max over t of Qh(th) - Qh(t) where Qm(th) ≤ Qm(t), topic by topic.

    The paper's figure is the mean over topics (:func:`eval.meta.drawn.over_topics`). It leaves
    open what holds where no other output reaches the chosen system's th: with ``itself`` th
    stands among the outputs, and the decrease is 0 at least.

    Args:
        values: shape (measures, instances).
        human: shape (instances,).
        topic: shape (instances,), whole numbers from 0.
        system: shape (instances,), whole numbers from 0.
        chosen: the system that the others are held against, in the paper the human-aided one.
        itself: whether its own output counts; else topics where no other reaches it say nothing,
            and a decrease is negative where those that do are better.

    Returns:
        Shape (measures, topics); NaN where the topic says nothing, or the chosen system has not
        answered it.

    Raises:
        ValuesError: if values are missing, NaN, no numbers, or not equally many, or a system
            answers a topic twice.
    """
    measures, people = as_judged(values, human)
    quality, *scores = as_table(np.vstack([people, measures]), topic, system)
    lost = quality[:, [chosen]] - quality
    others = np.arange(quality.shape[1]) != chosen
    return np.array([_worst(lost, each, chosen, others | itself) for each in scores])


def _worst(lost: Floats, scores: Floats, chosen: int, counted: NDArray[np.bool_]) -> Floats:
    """Shape (topics,): the greatest loss to outputs that count and reach the chosen one."""
    reaching = (scores >= scores[:, [chosen]]) & counted
    worst = np.where(reaching, lost, -np.inf).max(axis=1)
    return np.where(reaching.any(axis=1), worst, np.nan)
