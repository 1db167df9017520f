"""The reliability of very low and very high scores of a measure, by counter-samples.

Amigó, Giménez, Gonzalo and Verdejo, ACL 2009, section 5.2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eval.meta.judged import as_human_scored
from eval.stats.arrays import Flags, Floats, Ints, as_groups, dense_ranks
from eval.stats.estimate import RESAMPLES, BootstrapSamples, bootstrap_shares

__all__ = [
    "PAPER_THRESHOLDS",
    "CounterSamples",
    "Thresholds",
    "counter_samples",
    "equivalent_quality",
]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What is low and high quality, on the human scale."""

    low: float
    """The measure is low: QN ≤ low."""
    not_low: float
    """People contradict it: Q ≥ not_low."""
    high: float
    """The measure is high: QN ≥ high."""
    not_high: float
    """People contradict it: Q ≤ not_high."""

    def on_scale(self, lowest: float, highest: float) -> Thresholds:
        """The same places on another scale than the paper's, 2 to 10."""
        shares = ((each - 2) / 8 for each in (self.low, self.not_low, self.high, self.not_high))
        return Thresholds(*(lowest + share * (highest - lowest) for share in shares))


PAPER_THRESHOLDS = Thresholds(low=3, not_low=5, high=7, not_high=4)
"""The paper's, of adequacy and fluency added up, 2 to 10."""


@dataclass(frozen=True, slots=True, eq=False)
class CounterSamples:
    """How often people contradict the measures; NaN without such human scores."""

    low: BootstrapSamples
    """Share of the low-scored instances that people find not low."""
    high: BootstrapSamples
    """Share of the high-scored instances that people find not high."""


def equivalent_quality(values: ArrayLike, human: ArrayLike) -> Floats:
    """The human score that stands at the same rank: QN(t) = Q(t') with equal ranks.

    Where a measure ties instances, which the paper leaves open, all of them get the mean of the
    human scores at their ranks.

    Args:
        values: shape (measures, instances).
        human: shape (instances,), finite.

    Returns:
        Shape (measures, instances).

    Raises:
        ValuesError: if values are missing, NaN, not numbers, or not equally many.
    """
    measures, people = as_human_scored(values, human)
    ordered = np.sort(people)
    return np.array([_at_equal_ranks(each, ordered) for each in measures])


def counter_samples(  # noqa: PLR0913 - what is judged, where, how strictly, and how it is resampled
    values: ArrayLike,
    human: ArrayLike,
    topic: ArrayLike | None = None,
    *,
    thresholds: Thresholds = PAPER_THRESHOLDS,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> CounterSamples:
    """The ratios of errors among low-scored and among high-scored instances.

    Where a measure ties instances, each has every one of their ranks with the same chance, and
    the ratios are those expected: a constant measure has those of a random one. The intervals are
    bootstrapped over topics, with the ranks as they are.

    Args:
        values: shape (measures, instances).
        human: shape (instances,).
        topic: shape (instances,), whole numbers from 0; None for one topic, without interval.
        thresholds: on the scale of the human scores.
        resamples: how many.
        seed: for the resamples.

    Raises:
        ValuesError: if values are missing, NaN, not numbers, or not equally many.
    """
    measures, people = as_human_scored(values, human)
    topics = as_groups(topic, len(people), "topic")
    ordered = np.sort(people)

    def contradicted(at_extreme: Flags, against: Flags) -> BootstrapSamples:
        chance = np.array([_at_equal_ranks(each, at_extreme) for each in measures])
        hits, total = (_by_topic(each, topics) for each in (chance * against, chance))
        return bootstrap_shares(hits, total, resamples=resamples, seed=seed)

    return CounterSamples(
        contradicted(ordered <= thresholds.low, people >= thresholds.not_low),
        contradicted(ordered >= thresholds.high, people <= thresholds.not_high),
    )


def _at_equal_ranks(measure: Floats, ordered: Floats | Flags) -> Floats:
    """Shape (instances,): what stands at the same rank, the mean of it where the measure ties."""
    ranks = dense_ranks(measure)
    counts = np.bincount(ranks)
    starts = np.cumsum(counts) - counts
    sums = np.add.reduceat(ordered.astype(np.float64), starts)
    return np.asarray((sums / counts)[ranks])


def _by_topic(rows: Floats, topic: Ints) -> Floats:
    """Shape (rows, topics): the values of each row added up."""
    sums = [np.bincount(topic, each) for each in rows]
    return np.array(sums, dtype=np.float64)
