"""Heterogeneity based ranking, the prediction of good measures by it, and measures topic by topic.

HBR combines measures without weights, scales or human judgements. Topic by topic there are AUC for
graded quality, contradicting topics, and the robustness of a measure: its rank among the others
where it ranks lowest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import rankdata

from weps._parallel import Progress, no_progress
from weps.errors import ValuesError
from weps_eval.meta.correlation import Coefficient, row_coefficients
from weps_eval.meta.heterogeneity import (
    Pairs,
    PairwisePreferences,
    count_contradictions,
    ordered_pairs,
    rival_pairs,
)
from weps_eval.meta.judged import as_finite, as_human_scored
from weps_eval.ranking.pwa import redundancy
from weps_eval.stats.arrays import Bits, Flags, Floats, Ints, as_groups, as_measure, as_measures
from weps_eval.stats.estimate import RESAMPLES, BootstrapSamples, bootstrap_shares, safe_divide

_WORD = 64
_FEW = 128
"""Instances of a topic whose pairs are laid out; of more they are counted by sorting."""


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """The quality of measures as predicted and as it is, in each group (the paper: test set)."""

    predicted: Floats
    """Shape (measures, groups): the correlation with the ranking."""
    actual: Floats
    """Shape (measures, groups): that with the human scores; both nan where undefined."""

    @property
    def correlation(self) -> float:
        """Pearson's r, over measures, of their means over groups (*SEM 2012, figure 1: .94)."""
        return _over_measures(_mean(self.predicted), _mean(self.actual))

    @property
    def by_group(self) -> Floats:
        """Shape (groups,): Pearson's r over measures in each group (figure 5, black)."""
        return np.array(list(map(_over_measures, self.predicted.T, self.actual.T)))

    @property
    def by_others(self) -> Floats:
        """Shape (groups,): how well mean quality over all other groups predicts that in one.

        What figure 5 shows in grey, "the average correlation across test sets", without the one.
        """
        size = self.actual.shape[1]
        others = (_mean(self.actual[:, np.arange(size) != each]) for each in range(size))
        return np.array(list(map(_over_measures, others, self.actual.T)))


def predict_quality(
    values: ArrayLike,
    ranking: ArrayLike,
    human: ArrayLike,
    group: ArrayLike | None = None,
) -> Prediction:
    """Pearson's r of measures with a ranking such as HBR, and with people (*SEM 2012, section 6).

    Args:
        values: shape (measures, instances).
        ranking: shape (instances,).
        human: shape (instances,), human scores.
        group: shape (instances,), whole numbers from 0, the test set of each; None for one.

    Raises:
        ValuesError: if values are missing, NaN, infinite, not numbers, or do not fit together.
    """
    measures, people = as_human_scored(values, human, finite=True)
    ranked = as_finite(as_measure(ranking, "ranking").astype(np.float64), "ranking")
    if len(ranked) != len(people):
        what = f"{len(ranked):,} values do not match {len(people):,} instances"
        raise ValuesError(what, where="ranking")
    groups = as_groups(group, len(people), "group")
    return Prediction(*(_by_group(measures, each, groups) for each in (ranked, people)))


def _by_group(measures: Floats, target: Floats, groups: Ints) -> Floats:
    """Shape (measures, groups), nan for an empty group."""
    found = np.full((len(measures), groups.max() + 1), np.nan)
    for group in np.unique(groups):
        rows = measures[:, groups == group]
        wanted = np.broadcast_to(target[groups == group], rows.shape)
        found[:, group] = row_coefficients(rows, wanted, Coefficient.PEARSON)
    return found


def _over_measures(first: Floats, second: Floats) -> float:
    """Pearson's r of the values that both have; nan if either has no different values."""
    known = ~(np.isnan(first) | np.isnan(second))
    if not known.any():
        return math.nan
    return float(row_coefficients(first[None, known], second[None, known], Coefficient.PEARSON)[0])


def _mean(shares: Floats) -> Floats:
    """Shape (measures,): mean over the groups with a value, nan if there are none."""
    return safe_divide(np.nan_to_num(shares).sum(axis=1), (~np.isnan(shares)).sum(axis=1))


def hbr(  # noqa: PLR0913 - what is ranked, by what, with whom, and progress
    values: ArrayLike,
    preferences: PairwisePreferences,
    group: ArrayLike | None = None,
    *,
    rivals: int | None = None,
    seed: int = 0,
    progress: Progress = no_progress,
) -> Floats:
    r"""HBR_X(i) = Avg_j H({x ∈ X: x(i) ≥ x(j)}) (\*SEM 2012, section 3; summaries: section 3.2).

    Exact over the instances: i is compared with every other j of its group (the papers do not
    state whether also with itself, which would add the same to all). The result depends only on
    the order of values, is not changed by a repeated measure, and never ranks an instance below
    another that no measure ranks above it.

    A random measure changes nothing, by the paper, for enough instances. That holds on average over
    random measures only: one of them corroborates, for an instance that it happens to rank high,
    more than half of the comparisons, and adds (Avg_j [some x(i) ≥ x(j)] − HBR(i)) / 2 times the
    share of instances that it ranks below i, however many there are.

    Time grows with the number of comparisons, n² in a group of n, memory does not. In large groups
    a sample of rivals gives nearly the same order (:func:`rival_pairs`).

    Args:
        values: shape (measures, instances).
        preferences: of the same measures, over which heterogeneity is a share: of all pairs, of a
            sample (the papers: 1,000 and 10,000), or of other instances.
        group: shape (instances,), whole numbers from 0; None for one group.
        rivals: number of instances of its group that each instance is compared with; None: all.
        seed: for the sample of rivals.
        progress: called with the number of comparisons done and the approximate total.

    Returns:
        Shape (instances,), in [0, 1]; nan for an instance that is alone in its group.

    Raises:
        ValuesError: if values are missing, NaN, not numbers, or do not fit together.
    """
    measures = as_measures(values)
    size = measures.shape[1]
    sums, compared = np.zeros(size), np.zeros(size)
    compare = (
        ordered_pairs(size, group) if rivals is None else rival_pairs(size, rivals, group, seed)
    )
    groups = np.bincount(as_groups(group, size, "group"))
    total = int((groups * np.minimum(groups, rivals or size)).sum())
    for pairs in compare:
        progress("ranking", min(int(compared.sum()), total), total)
        sums += np.bincount(
            pairs.first, pairwise_contradictions(measures, preferences, pairs), size
        )
        compared += np.bincount(pairs.first, minlength=size)
    progress("ranking", total, total)
    return safe_divide(sums, compared * preferences.pairs)


def pairwise_contradictions(
    values: ArrayLike, preferences: PairwisePreferences, pairs: Pairs
) -> Ints:
    """Number of pairs on which {x ∈ X: x(i) ≥ x(j)} contradicts itself, for each pair (i, j).

    Divided by ``preferences.pairs`` it is the heterogeneity of what corroborates that i is better.

    Args:
        values: shape (measures, instances).
        preferences: of the same measures.
        pairs: of the instances.

    Returns:
        Shape (pairs,), whole numbers.

    Raises:
        ValuesError: if values are missing, NaN, not numbers, or do not fit together.
    """
    measures = as_measures(values)
    if len(measures) != preferences.measures:
        what = f"{len(measures)} measures do not match the preferences of {preferences.measures}"
        raise ValuesError(what, where="preferences", remedy="give those of the same measures")
    words, place = _unique_rows(_corroborating_sets(measures, pairs))
    members = words.astype("<u8").view(np.uint8)[:, : -(-len(measures) // 8)]
    return count_contradictions(preferences, members)[place]


def _corroborating_sets(measures: Floats, pairs: Pairs) -> Bits:
    """Shape (pairs, words): bit m is set if the first is at least as high in measure m."""
    words = np.zeros((len(pairs.first), -(-len(measures) // _WORD)), dtype=np.uint64)
    for number, measure in enumerate(measures):
        reached = measure[pairs.first] >= measure[pairs.second]
        words[:, number // _WORD] |= reached.astype(np.uint64) << np.uint64(number % _WORD)
    return words


def _unique_rows(words: Bits) -> tuple[Bits, Ints]:
    """The different rows, and for each row which of them it is; all, if most are different."""
    code = np.zeros(len(words), dtype=np.int64)
    for column in words.T:
        if 2 * code.max(initial=0) > len(words):
            return words, np.arange(len(words))
        level = np.unique(column, return_inverse=True)[1]
        code = np.unique(code * (level.max() + 1) + level, return_inverse=True)[1]
    _, place = np.unique(code, return_index=True)
    return words[place], code


def topic_ranks(scores: ArrayLike) -> Floats:
    """Shape (measures, topics): the share of the other measures that score lower, ties ½.

    The paper scales ranks from 0 to 1 without saying which end is which: here 1 is the best. Scores
    are of the same shape, such as AUC by topic.

    Raises:
        ValuesError: if scores are missing, NaN, not numbers, or those of one measure only.
    """
    measures = as_measures(scores, "scores")
    if len(measures) < 2:
        remedy = "give the scores of two measures at least"
        raise ValuesError("a single measure has no rank", where="scores", remedy=remedy)
    ranks: Floats = (rankdata(measures, axis=0) - 1) / (len(measures) - 1)
    return ranks


def lowest_mean(ranks: Floats) -> Floats:
    """Mean rank over the tenth of the topics in which the measure ranks lowest.

    By the workshop of 2012, section 5.3, rounded up. From ranks of shape
    (measures, topics) come means of shape (measures,), 1 for one that is best in every topic.
    """
    means: Floats = np.sort(ranks, axis=1)[:, : lowest_size(ranks.shape[1])].mean(axis=1)
    return means


def bootstrap_lowest(ranks: Floats, seed: int = 0) -> BootstrapSamples:
    """The mean rank where a measure ranks lowest, of ranks of shape (measures, topics)."""
    size = ranks.shape[1]
    samples = np.full((len(ranks), RESAMPLES), np.nan)
    if size > 1:
        draws = np.random.default_rng(seed).integers(0, size, (RESAMPLES, size))
        samples = np.stack([lowest_mean(ranks[:, each]) for each in draws], axis=1)
    return BootstrapSamples(lowest_mean(ranks), samples)


def lowest_size(topics: int) -> int:
    """A tenth of so many topics, rounded up."""
    return -(-topics // 10)


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

    def bootstrap(self, topics: Flags, seed: int = 0) -> BootstrapSamples:
        """AUC of each measure over the pairs of some topics, of shape (topics,)."""
        hits, total = self.hits[:, topics], self.total[topics]
        if not total.size:
            return BootstrapSamples.from_rows(np.full((len(hits), 1 + RESAMPLES), np.nan))
        return bootstrap_shares(hits, np.broadcast_to(total, hits.shape), seed=seed)

    @property
    def by_topic(self) -> Floats:
        """Shape (measures, topics): AUC, nan in a topic whose instances are all equally good."""
        return safe_divide(self.hits, self.total)

    @property
    def ranked(self) -> Flags:
        """Shape (topics,): whether people rank any two of its instances."""
        return self.total > 0

    @property
    def consistent(self) -> Flags:
        """Shape (topics,): whether people rank it and no measure has an AUC below ½ (section 5.4).

        In the paper all measures exceed ½ in a consistent topic and one is below it in an
        inconsistent one; a measure at ½ exactly is no negative evidence and here consistent.
        """
        return self.ranked & (self.hits >= self.total / 2).all(axis=0)


def topic_auc(values: ArrayLike, quality: ArrayLike, group: ArrayLike | None = None) -> TopicAuc:
    """AUC(x) = P(x(s) > x(s') | Q(s) > Q(s')), ties ½ (workshop 2012, section 4.2).

    Quality may have any number of levels: counted are all pairs of one topic that differ in it,
    exactly; large topics in O(n log n), as :func:`weps_eval.ranking.pwa.redundancy` counts.
    :func:`weps_eval.stats.estimate.estimate_instance_share` gives intervals over topics.

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
        hits[:, topic], total[topic] = _ranked_pairs(measures[:, members], truth[members])
    return TopicAuc(hits, total)


def _ranked_pairs(measures: Floats, truth: Floats) -> tuple[Floats, int]:
    """Shape (measures,): pairs of a topic that are ranked right, and how many people rank."""
    if len(truth) > _FEW:
        found = [redundancy(truth, each) for each in measures]
        hits = np.array([each.same + each.tied / 2 for each in found])
        return hits, found[0].same + found[0].opposite + found[0].tied
    better, worse = np.nonzero(truth[:, None] > truth)
    one, other = measures[:, better], measures[:, worse]
    return (one > other).sum(axis=1) + (one == other).sum(axis=1) / 2, len(better)
