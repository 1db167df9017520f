"""How good estimated scores are: error, and correlation per system and per summary.

Hirao, Okumura, Yasuda and Isozaki 2007, section 4.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.meta.correlation import Coefficient, Level, correlations
from eval.meta.drawn import RESAMPLES, Drawn, drawn_shares
from eval.meta.judged import as_judged
from eval.ordering.values import as_groups
from weps.progress import Progress, part_of, silent

__all__ = ["Accuracy", "accuracy", "errors"]

Floats: TypeAlias = NDArray[np.float64]

_KINDS = (Coefficient.PEARSON, Coefficient.SPEARMAN)


@dataclass(frozen=True, slots=True, eq=False)
class Accuracy:
    """Several learners' estimates against human scores."""

    absolute: Drawn
    """Mean of |ŷ - y|."""
    squared: Drawn
    """Mean of (ŷ - y)²."""
    per_system: dict[Coefficient, Drawn]
    """Mean over systems of the correlation over each system's instances."""
    per_summary: dict[Coefficient, Drawn]
    """Correlation over all instances."""


def accuracy(  # noqa: PLR0913 - what is judged, where, by whom, and how it is drawn
    estimates: ArrayLike,
    human: ArrayLike,
    topic: ArrayLike,
    system: ArrayLike,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    progress: Progress = silent,
) -> Accuracy:
    """Everything that the paper compares learners by: error, Pearson's and Spearman's coefficients.

    The text that we have leaves open whether the error is absolute or squared: both are given.

    Args:
        estimates: shape (learners, instances), see
            :func:`~eval.meta.regression.folds.cross_validated`; measures may stand among them.
        human: shape (instances,).
        topic: shape (instances,), whole numbers from 0.
        system: shape (instances,), whole numbers from 0.
        resamples: how many, of topics.
        seed: for the resamples.
        progress: hears how far it has come.

    Raises:
        ValuesError: if values are missing, NaN, infinite, no numbers, or not equally many.
    """
    found, people = as_judged(estimates, human, finite=True)
    apart = np.abs(found - people)

    def by(level: Level) -> dict[Coefficient, Drawn]:
        return {
            kind: correlations(
                found,
                people,
                topic,
                system,
                level=level,
                kind=kind,
                resamples=resamples,
                seed=seed,
                progress=part_of(progress, f"correlating estimates {level}", part, len(_KINDS)),
            )
            for part, kind in enumerate(_KINDS)
        }

    return Accuracy(
        errors(apart, topic, resamples=resamples, seed=seed),
        errors(apart**2, topic, resamples=resamples, seed=seed),
        by(Level.WITHIN_SYSTEM),
        by(Level.SEGMENT),
    )


def errors(apart: Floats, topic: ArrayLike, *, resamples: int = RESAMPLES, seed: int = 0) -> Drawn:
    """The mean error over instances.

    Args:
        apart: shape (learners, instances), the error of each.
        topic: shape (instances,), whole numbers from 0.
        resamples: how many.
        seed: for the resamples.
    """
    topics = np.unique(as_groups(topic, apart.shape[1], "topic"), return_inverse=True)[1]
    sums = np.array([np.bincount(topics, each) for each in apart], dtype=np.float64)
    sizes = np.broadcast_to(np.bincount(topics).astype(np.float64), sums.shape)
    return drawn_shares(sums, sizes, resamples=resamples, seed=seed)
