"""Whether measures detect improvements, and how reliable their very low and high scores are.

Amigó, Giménez, Gonzalo and Verdejo, “The contribution of linguistic features to automatic machine
translation evaluation”, ACL 2009: SIP and SIR in section 5.1, counter-samples of very low and very
high scores in section 5.2, the largest undetected loss of quality in section 5.3, the oracle system
test in section 5.4.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy import stats

from weps._parallel import Progress, log_progress, report_work
from weps.errors import ValuesError
from weps_eval.stats import (
    BootstrapSamples,
    Flags,
    Floats,
    Ints,
    PairCounts,
    as_table,
    bootstrap_shares,
    dense_ranks,
    round_digits,
)

_FEW = 50
"""Differences up to which all signs are gone through; more make the normal distribution good."""


def quality_decreases(
    values: Floats, human: Floats, topic: Ints, system: Ints, chosen: int
) -> Floats:
    """Max over t of Qh(th) - Qh(t) where Qm(th) ≤ Qm(t), topic by topic.

    The paper's figure is the mean over topics (:func:`~weps_eval.stats.bootstrap_means`).
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
    """
    quality, *scores = as_table(np.vstack([human, values]), topic, system)
    reaching = np.stack([each >= each[:, [chosen]] for each in scores])
    lost = np.where(reaching, quality[:, [chosen]] - quality, -np.inf)
    return np.where(reaching.any(axis=2), lost.max(axis=2), np.nan)


SIGNIFICANCE_LEVEL = 0.025
"""The paper's α; of a one-sided test, which makes 0.05 for both sides."""


class Test(StrEnum):
    """How two systems are compared; the paper says “Wilcoxon”."""

    __test__ = False  # not a test, whatever pytest thinks of the name

    SIGNED_RANK = "signed-rank"
    """Paired: topic by topic, over the topics that both have answered."""
    RANK_SUM = "rank-sum"
    """Not paired, as in the evaluations of WMT: over all topics that either has answered."""


def significant_improvements(  # noqa: PLR0913 - what is tested, where, how, and progress
    values: Floats,
    topic: Ints,
    system: Ints,
    *,
    level: float = SIGNIFICANCE_LEVEL,
    test: Test = Test.SIGNED_RANK,
    progress: Progress = log_progress,
) -> Flags:
    """Which systems significantly improve which others by a measure, or by people.

    The paper leaves open whether the test is paired and what becomes of ties: ``test`` chooses,
    and equal scores on a topic are left out of the signed-rank test, as in Wilcoxon's own. The
    signed-rank test takes O(systems² · topics log topics) for each measure.

    Args:
        values: shape (measures, instances).
        topic: shape (instances,), whole numbers from 0.
        system: shape (instances,), whole numbers from 0.
        level: the greatest p, of a one-sided test.
        test: how two systems are compared.
        progress: called with the number of measures done.

    Returns:
        Shape (measures, systems, systems): whether the row improves the column; never both ways
        below a level of ½.
    """
    table = as_table(values, topic, system)
    size = table.shape[2]
    better, worse = np.triu_indices(size, 1)
    improves = np.zeros((len(table), size, size), dtype=np.bool_)
    several = table if size > 1 else table[:0]
    for measure, scores in enumerate(report_work(several, progress, "testing improvements")):
        first, second = scores[:, better], scores[:, worse]
        if test is Test.RANK_SUM:
            above, below = _rank_sum(first, second)
        else:
            equal = first == second  # infinite ones have no difference
            above, below = _signed_rank(np.where(equal, 0.0, first - np.where(equal, 0.0, second)))
        improves[measure, better, worse] = above <= level
        improves[measure, worse, better] = below <= level
    return improves


def sip_and_sir(found: Flags, real: Flags) -> tuple[PairCounts, PairCounts]:
    """SIP = |Ih ∩ Im| / |Im| and SIR = |Ih ∩ Im| / |Ih| of one measure.

    Pair counts by pairs of systems: ``.pooled`` is the paper's figure, NaN if there is nothing to
    be shared, and :func:`~weps_eval.stats.estimate_share` gives it an interval by systems.

    Args:
        found: shape (systems, systems), whether by the measure the row improves the column.
        real: the same by people, as of :func:`significant_improvements` or as published.
    """
    return PairCounts.of(found & real, found), PairCounts.of(found & real, real)


def _signed_rank(differences: Floats) -> tuple[Floats, Floats]:
    """Wilcoxon's signed-rank test of paired differences (1945), his way: zeros are left out.

    Up to 50 differences the p is exact, over all signs of the ranks that are there, ties midway;
    beyond, normal: Σ ± rank / √(Σ rank²), whose variance holds with ties.

    Args:
        differences: shape (topics, pairs); NaN where there is none, inf counts as the greatest.

    Returns:
        p of values above 0 and of values below 0, shape (pairs,) each; 1 without differences.
    """
    known = ~np.isnan(differences) & (differences != 0)
    sizes = np.where(known, round_digits(np.abs(differences)), -1.0)  # what is left out is lowest
    ranks = np.where(known, stats.rankdata(sizes, axis=0) - (~known).sum(axis=0), 0.0)
    signed = ranks * np.sign(np.where(known, differences, 0.0))
    squares = (ranks**2).sum(axis=0)
    score = signed.sum(axis=0) / np.sqrt(np.where(squares > 0, squares, np.inf))
    above, below = stats.norm.sf(score), stats.norm.sf(-score)
    for pair in np.flatnonzero(known.sum(axis=0) <= _FEW).tolist():
        doubled = tuple(np.sort(2 * ranks[known[:, pair], pair]).astype(np.int64).tolist())
        chances = _exact(doubled)
        positive = round(2 * ranks[signed[:, pair] > 0, pair].sum())
        above[pair], below[pair] = chances[positive], chances[sum(doubled) - positive]
    return above, below


@lru_cache(maxsize=1024)
def _exact(ranks: tuple[int, ...]) -> Floats:
    """Shape (sum of ranks + 1,): the chance that ranks with a plus add up to so much or more."""
    ways = np.zeros(sum(ranks) + 1)
    ways[0] = 1.0
    for rank in ranks:
        ways[rank:] += ways[:-rank].copy()
    return np.asarray(ways[::-1].cumsum()[::-1] / 2.0 ** len(ranks))


def _rank_sum(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Wilcoxon's rank-sum test, that of Mann and Whitney, of values that are not paired.

    Args:
        first: shape (topics, pairs); NaN where there is none.
        second: the same shape.

    Returns:
        p of the first being higher and of it being lower, shape (pairs,) each; 1 where all are
        equal.
    """
    above, below = np.ones((2, first.shape[1]))
    for pair, columns in enumerate(zip(first.T, second.T, strict=True)):
        ours, theirs = (each[~np.isnan(each)] for each in columns)
        if np.ptp(np.concatenate([ours, theirs])):
            above[pair] = stats.mannwhitneyu(ours, theirs, alternative="greater").pvalue
            below[pair] = stats.mannwhitneyu(theirs, ours, alternative="greater").pvalue
    return above, below


def oracle_scores(values: Floats, human: Floats, topic: Ints) -> Floats:
    """OST(m) = Avg over topics of Qh(argmax of Qm): the human score of what is chosen, by topic.

    The paper leaves ties open: of outputs that a measure ties at the top, the mean score counts,
    as if one were drawn. A constant measure thus chooses by chance (randOST), and people's scores
    themselves choose the best that there is (maxOST), their negatives the worst (minOST).

    Args:
        values: shape (measures, instances).
        human: shape (instances,), finite.
        topic: shape (instances,), whole numbers from 0, each of which has an instance.

    Returns:
        Shape (measures, topics).
    """
    found = []
    for measure in values:
        highest = np.full(int(topic.max()) + 1, -np.inf)
        np.maximum.at(highest, topic, measure)
        top = measure == highest[topic]
        found.append(np.bincount(topic[top], human[top]) / np.bincount(topic[top]))
    return np.array(found)


class Thresholds(NamedTuple):
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
        return Thresholds(*(lowest + (each - 2) / 8 * (highest - lowest) for each in self))


PAPER_THRESHOLDS = Thresholds(low=3, not_low=5, high=7, not_high=4)
"""The paper's, of adequacy and fluency added up, 2 to 10."""


def counter_samples(
    values: Floats, human: Floats, topic: Ints, thresholds: Thresholds, seed: int = 0
) -> tuple[BootstrapSamples, BootstrapSamples]:
    """The ratios of errors among low-scored and among high-scored instances.

    That is the share of the low-scored that people find not low, and of the high-scored that they
    find not high; NaN without such human scores.

    Where a measure ties instances, each has every one of their ranks with the same chance, and
    the ratios are those expected: a constant measure has those of a random one. The intervals are
    bootstrapped over topics, with the ranks as they are.

    Args:
        values: shape (measures, instances).
        human: shape (instances,).
        topic: shape (instances,), whole numbers from 0.
        thresholds: on the scale of the human scores.
        seed: for the resamples.
    """
    ordered = np.sort(human)

    def contradicted(at_extreme: Flags, against: Flags) -> BootstrapSamples:
        hits, total = [], []
        for measure in values:
            ranks = dense_ranks(measure)
            counts = np.bincount(ranks)
            sums = np.add.reduceat(1.0 * at_extreme, np.cumsum(counts) - counts)
            chance = (sums / counts)[ranks]  # that the instance is at an extreme rank
            hits.append(np.bincount(topic, chance * against))
            total.append(np.bincount(topic, chance))
        return bootstrap_shares(np.array(hits), np.array(total), seed=seed)

    return (
        contradicted(ordered <= thresholds.low, human >= thresholds.not_low),
        contradicted(ordered >= thresholds.high, human <= thresholds.not_high),
    )


class Scale(StrEnum):
    """What is done to the measures before."""

    NONE = "none"
    """Nothing: “the unnormalized arithmetic mean of metric scores”."""
    MAXIMUM = "maximum"
    """Each is divided by its greatest value over the instances."""
    DEVIATION = "deviation"
    """Each is standardised over the instances: mean 0, variance 1, a constant 0."""


def mean_of_measures(values: Floats, *, scale: Scale = Scale.NONE) -> Floats:
    """ULC: the arithmetic mean of the measures, combined without training.

    Giménez and Màrquez 2008, as used by Amigó, Giménez, Gonzalo and Verdejo, ACL 2009, section 3.1.

    Args:
        values: shape (measures, instances), finite, of the measures that are to be combined.
        scale: the paper's ``NONE`` lets measures of greater range weigh more.

    Returns:
        Shape (instances,).

    Raises:
        ValuesError: if the greatest value of a measure, by which it is to be divided, is not above
            0.
    """
    if scale is Scale.MAXIMUM:
        greatest = values.max(axis=1, keepdims=True)
        for measure in np.flatnonzero(greatest <= 0)[:1].tolist():
            raise ValuesError(
                f"no value of measure {measure} is above 0",
                where="values",
                remedy="choose another scale, or leave it out",
            )
        values = np.asarray(values / greatest)
    elif scale is Scale.DEVIATION:
        constant = np.ptp(values, axis=1, keepdims=True) == 0
        spread = np.where(constant, 1.0, values.std(axis=1, keepdims=True))
        values = np.where(constant, 0.0, (values - values.mean(axis=1, keepdims=True)) / spread)
    return np.asarray(values.mean(axis=0))
