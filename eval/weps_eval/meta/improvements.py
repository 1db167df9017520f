"""Whether measures detect improvements, and how reliable their very low and high scores are.

Amigó, Giménez, Gonzalo and Verdejo, “The contribution of linguistic features to automatic machine
translation evaluation”, ACL 2009: SIP and SIR in section 5.1, counter-samples of very low and very
high scores in section 5.2, the largest undetected loss of quality in section 5.3, the oracle system
test in section 5.4.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from weps._parallel import Progress, no_progress
from weps.errors import ValuesError
from weps_eval.meta.judged import as_human_scored, as_table
from weps_eval.stats.arrays import Flags, Floats, Ints, as_groups, dense_ranks
from weps_eval.stats.estimate import RESAMPLES, BootstrapSamples, PairCounts, bootstrap_shares
from weps_eval.stats.significance import rank_sum, signed_rank


def quality_decreases(
    values: ArrayLike, human: ArrayLike, topic: ArrayLike, system: ArrayLike, chosen: int
) -> Floats:
    """Max over t of Qh(th) - Qh(t) where Qm(th) ≤ Qm(t), topic by topic.

    The paper's figure is the mean over topics (:func:`~weps_eval.stats.estimate.bootstrap_means`).
    It leaves open what holds where no other output reaches the chosen system's th: here th itself
    stands among the outputs, and the decrease is 0 at least.

    Args:
        values: shape (measures, instances).
        human: shape (instances,).
        topic: shape (instances,), whole numbers from 0.
        system: shape (instances,), whole numbers from 0.
        chosen: the system that the others are compared with, in the paper the human-aided one.

    Returns:
        Shape (measures, topics); NaN where the chosen system has not answered the topic.

    Raises:
        ValuesError: if values are missing, NaN, not numbers, or not equally many, or a system
            answers a topic twice.
    """
    measures, people = as_human_scored(values, human)
    quality, *scores = as_table(np.vstack([people, measures]), topic, system)
    lost = quality[:, [chosen]] - quality
    reaching = np.stack([each >= each[:, [chosen]] for each in scores])
    worst = np.where(reaching, lost, -np.inf).max(axis=2)
    return np.where(reaching.any(axis=2), worst, np.nan)


SIGNIFICANCE_LEVEL = 0.025
"""The paper's α; of a one-sided test, which makes 0.05 for both sides."""


class Test(StrEnum):
    """How two systems are compared; the paper says “Wilcoxon”."""

    __test__ = False  # not a test, whatever pytest thinks of the name

    SIGNED_RANK = "signed-rank"
    """Paired: topic by topic, over the topics that both have answered."""
    RANK_SUM = "rank-sum"
    """Not paired, as in the evaluations of WMT: over all topics that either has answered."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundImprovements:
    """The significant improvements that a measure finds, against those that people find.

    Pair counts by pairs of systems: ``.pooled`` is the paper's figure, NaN if there is nothing to
    be shared, and :func:`~weps_eval.stats.estimate.estimate_share` gives it an interval by systems.
    """

    precision: PairCounts
    """SIP = |Ih ∩ Im| / |Im|."""
    recall: PairCounts
    """SIR = |Ih ∩ Im| / |Ih|."""


def significant_improvements(  # noqa: PLR0913 - what is tested, where, how, and progress
    values: ArrayLike,
    topic: ArrayLike,
    system: ArrayLike,
    *,
    level: float = SIGNIFICANCE_LEVEL,
    test: Test = Test.SIGNED_RANK,
    progress: Progress = no_progress,
) -> Flags:
    """Which systems significantly improve which others by a measure, or by people.

    The paper leaves open whether the test is paired and what becomes of ties: ``test`` chooses,
    and equal scores on a topic are left out of the signed-rank test, as in Wilcoxon's own. The
    signed-rank test takes O(systems² · topics log topics) for each measure.

    Args:
        values: shape (measures, instances), or (instances,) for one measure or human scores.
        topic: shape (instances,), whole numbers from 0.
        system: shape (instances,), whole numbers from 0.
        level: the greatest p, of a one-sided test.
        test: how two systems are compared.
        progress: called with the number of measures done.

    Returns:
        Shape (measures, systems, systems): whether the row improves the column; never both ways
        below a level of ½.

    Raises:
        ValuesError: if values are missing, NaN, not numbers, or not equally many, or a system
            answers a topic twice.
    """
    table = as_table(values, topic, system)
    size = table.shape[2]
    better, worse = np.triu_indices(size, 1)
    improves = np.zeros((len(table), size, size), dtype=np.bool_)
    for measure, scores in enumerate(table if size > 1 else ()):
        progress("testing improvements", measure, len(table))
        first, second = scores[:, better], scores[:, worse]
        if test is Test.RANK_SUM:
            above, below = rank_sum(first, second)
        else:
            equal = first == second  # infinite ones have no difference
            above, below = signed_rank(np.where(equal, 0.0, first - np.where(equal, 0.0, second)))
        improves[measure, better, worse] = above <= level
        improves[measure, worse, better] = below <= level
    progress("testing improvements", len(table), len(table))
    return improves


def sip_and_sir(found: ArrayLike, real: ArrayLike) -> FoundImprovements:
    """SIP and SIR of one measure.

    Args:
        found: shape (systems, systems), whether by the measure the row improves the column.
        real: the same by people, as of :func:`significant_improvements` or as published.

    Raises:
        ValuesError: if these are not truth values, or not of the same systems.
    """
    ours, theirs = np.asarray(found), np.asarray(real)
    if ours.shape != theirs.shape or ours.ndim != 2 or ours.shape[0] != ours.shape[1]:
        what = f"improvements of shape {ours.shape} and {theirs.shape} cannot be compared"
        raise ValuesError(what, remedy="give systems × systems for both")
    if ours.dtype != np.bool_ or theirs.dtype != np.bool_:
        raise ValuesError(f"expected truth values, got {ours.dtype} and {theirs.dtype}")
    both = ours & theirs
    return FoundImprovements(PairCounts.of(both, ours), PairCounts.of(both, theirs))


@dataclass(frozen=True, slots=True, eq=False)
class Oracle:
    """The human score of what is chosen, topic by topic; the paper's figure is the mean.

    :func:`weps_eval.stats.estimate.bootstrap_means` gives the means and their intervals.
    """

    chosen: Floats
    """Shape (measures, topics): by each measure (OST)."""
    random: Floats
    """Shape (topics,): by chance, the mean of the topic (randOST)."""
    least: Floats
    """Shape (topics,): the worst that there is (minOST)."""
    most: Floats
    """Shape (topics,): the best that there is (maxOST)."""


def oracle_scores(values: ArrayLike, human: ArrayLike, topic: ArrayLike) -> Oracle:
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
        ValuesError: if values are missing, NaN, not numbers, or not equally many.
    """
    measures, people = as_human_scored(values, human)
    topics = np.unique(as_groups(topic, len(people), "topic"), return_inverse=True)[1]
    random, least, most = (
        _score_of_highest(each, people, topics) for each in (np.zeros(len(people)), -people, people)
    )
    chosen = [_score_of_highest(each, people, topics) for each in measures]
    return Oracle(np.array(chosen), random, least, most)


def _score_of_highest(measure: Floats, human: Floats, topic: Ints) -> Floats:
    """Shape (topics,): the mean human score of what the measure scores highest."""
    highest = np.full(int(topic.max()) + 1, -np.inf)
    np.maximum.at(highest, topic, measure)
    top = measure == highest[topic]
    return np.asarray(np.bincount(topic[top], human[top]) / np.bincount(topic[top]))


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
        """Places on another scale than the paper's, 2 to 10."""
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
        chance = [_at_equal_ranks(each, at_extreme) for each in measures]
        hits = np.array([np.bincount(topics, each * against) for each in chance])
        total = np.array([np.bincount(topics, each) for each in chance])
        return bootstrap_shares(hits, total, resamples=resamples, seed=seed)

    return CounterSamples(
        contradicted(ordered <= thresholds.low, people >= thresholds.not_low),
        contradicted(ordered >= thresholds.high, people <= thresholds.not_high),
    )


def _at_equal_ranks(measure: Floats, ordered: Flags) -> Floats:
    """Shape (instances,): what stands at the same rank, the mean of it where the measure ties."""
    ranks = dense_ranks(measure)
    counts = np.bincount(ranks)
    starts = np.cumsum(counts) - counts
    sums = np.add.reduceat(ordered.astype(np.float64), starts)
    return np.asarray((sums / counts)[ranks])
