"""Accuracy of estimated scores: error, correlation per system and per summary.

Hirao, Okumura, Yasuda and Isozaki 2007, section 4.1; Precision where scores are missing: Nanba and
Okumura, COLING/ACL 2006, section 4.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eval.meta.correlation import Coefficient
from eval.meta.correlation_levels import Level, correlate_with_humans
from eval.meta.judged import as_human_scored
from eval.ranking.pwa import redundancy
from eval.stats.arrays import Floats, as_groups, as_measure
from eval.stats.estimate import RESAMPLES, BootstrapSamples, PairCounts, bootstrap_shares
from weps._parallel import Progress, no_progress, partial_progress
from weps.errors import ValuesError

__all__ = ["Accuracy", "estimate_accuracy", "pair_precision"]

_KINDS = (Coefficient.PEARSON, Coefficient.SPEARMAN)


@dataclass(frozen=True, slots=True, eq=False)
class Accuracy:
    """Several learners' estimates against human scores."""

    absolute: BootstrapSamples
    """Mean of |ŷ - y|."""
    squared: BootstrapSamples
    """Mean of (ŷ - y)²."""
    per_system: dict[Coefficient, BootstrapSamples]
    """Mean over systems of the correlation over each system's instances."""
    per_summary: dict[Coefficient, BootstrapSamples]
    """Correlation over all instances."""


def estimate_accuracy(  # noqa: PLR0913 - what is judged, where, by whom, and how it is resampled
    estimates: ArrayLike,
    human: ArrayLike,
    topic: ArrayLike,
    system: ArrayLike,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    progress: Progress = no_progress,
) -> Accuracy:
    """Everything that the paper compares learners by: error, Pearson's and Spearman's coefficients.

    The text that we have leaves open whether the error is absolute or squared: both are given.

    Args:
        estimates: shape (learners, instances), see
            :func:`~eval.meta.regression.linear.cross_validate_scores`; measures may stand among
            them.
        human: shape (instances,).
        topic: shape (instances,), whole numbers from 0.
        system: shape (instances,), whole numbers from 0.
        resamples: how many, of topics.
        seed: for the resamples.
        progress: called with the number of steps done.

    Raises:
        ValuesError: if values are missing, NaN, infinite, not numbers, or not equally many.
    """
    found, people = as_human_scored(estimates, human, finite=True)
    apart = np.abs(found - people)

    def by(level: Level) -> dict[Coefficient, BootstrapSamples]:
        return {
            kind: correlate_with_humans(
                found,
                people,
                topic,
                system,
                level=level,
                kind=kind,
                resamples=resamples,
                seed=seed,
                progress=partial_progress(
                    progress, f"correlating estimates {level}", part, len(_KINDS)
                ),
            )
            for part, kind in enumerate(_KINDS)
        }

    topics = np.unique(as_groups(topic, len(people), "topic"), return_inverse=True)[1]
    sizes = np.tile(np.bincount(topics).astype(np.float64), (len(found), 1))

    def mean(errors: Floats) -> BootstrapSamples:
        sums = np.array([np.bincount(topics, each) for each in errors], dtype=np.float64)
        return bootstrap_shares(sums, sizes, resamples=resamples, seed=seed)

    return Accuracy(mean(apart), mean(apart**2), by(Level.WITHIN_SYSTEM), by(Level.SEGMENT))


def pair_precision(estimates: ArrayLike, human: ArrayLike, topic: ArrayLike) -> PairCounts:
    """Precision: of the pairs of a topic's outputs, how many are ranked as people rank them.

    The text that we have does not state what becomes of ties. Pairs that people tie are no
    pairs, a pair that the estimates tie is ranked wrong, and pairs that lack an estimate are left
    out. ``.pooled`` is the share over all pairs, ``.mean`` that over topics; see
    :func:`eval.stats.estimate.estimate_share` for intervals.

    Args:
        estimates: shape (instances,); NaN where there is none.
        human: shape (instances,).
        topic: shape (instances,), whole numbers from 0.

    Raises:
        ValuesError: if human scores are missing, NaN or not numbers, or not as many.
    """
    found = np.asarray(estimates, dtype=np.float64)
    people = as_measure(human, "human").astype(np.float64)
    if found.shape != people.shape:
        what = f"estimates of shape {found.shape} do not match {len(people):,} human scores"
        raise ValuesError(what, remedy="give an estimate, or NaN, for each instance")
    topics = as_groups(topic, len(people), "topic")
    same, ranked = np.zeros((2, int(topics.max()) + 1))
    for each in np.unique(topics).tolist():
        rows = np.flatnonzero((topics == each) & ~np.isnan(found))
        if len(rows):
            counts = redundancy(people[rows], found[rows])
            same[each] = counts.same
            ranked[each] = counts.same + counts.opposite + counts.tied
    return PairCounts.of(np.diag(same), np.diag(ranked))
