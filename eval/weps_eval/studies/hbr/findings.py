"""HBR of the instances of a study, and how it, all measures and boosted trees agree with people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from weps._parallel import Progress, no_progress
from weps.training.examples import make_folds
from weps.training.fitting import FITTERS, pair_weight
from weps.training.learners import fit_boosted
from weps_eval.meta.hbr import (
    Prediction,
    TopicAuc,
    hbr,
    lowest_mean,
    predict_quality,
    topic_auc,
    topic_ranks,
)
from weps_eval.meta.heterogeneity import PairwisePreferences
from weps_eval.ranking.pwa import pwa_counts
from weps_eval.stats.arrays import Flags, Floats, Ints
from weps_eval.stats.estimate import (
    RESAMPLES,
    BootstrapSamples,
    Estimate,
    bootstrap_means,
    bootstrap_shares,
)
from weps_eval.studies.grouped import GroupedInstances, JudgedInstances
from weps_eval.studies.measures import check_size
from weps_eval.studies.several import (
    NO_ESTIMATE,
    correlation_over_measures,
    joint_estimate,
    select_measures,
)

HBR, TREES = "HBR", "boosted trees"
_PARTS = 2
"""Of the groups; each is judged by trees trained on the other."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How HBR is computed."""

    samples: int = 10_000
    """Pairs of instances over which heterogeneity is a share; 0 for all."""
    rivals: int = 0
    """With how many of its group an instance is compared; 0 for all."""
    trees: bool = False
    """Whether boosted trees, which learn from other groups, stand beside it."""
    seed: int = 0

    def ranking(
        self,
        values: Floats,
        group: Ints,
        text: Ints | None = None,
        progress: Progress = no_progress,
    ) -> Floats:
        """Shape (instances,): HBR of values of shape (measures, instances).

        NaN for an instance alone in its group. Pairs of equal ``text``, numbers of shape
        (instances,), do not count for heterogeneity. Progress is called with the comparisons done.
        """
        preferences = (
            PairwisePreferences.sampled(values, self.samples, group, self.seed, text)
            if self.samples
            else PairwisePreferences.exact(values, group, text)
        )
        rivals = self.rivals or None
        return hbr(values, preferences, group, rivals=rivals, seed=self.seed, progress=progress)


@dataclass(frozen=True)
class CriterionFindings:
    """One criterion; figures are of the single measures, then of HBR and what stands beside it."""

    criterion: str
    single: tuple[str, ...]
    """Names of the single measures."""
    beside: tuple[str, ...]
    """HBR, and other rankings made of all measures."""
    judged: JudgedInstances
    rankings: Floats
    """Shape (beside, instances)."""
    rank: Callable[[Floats, Ints, Ints | None], Floats]
    """HBR of some measures, shape (measures, instances), within groups; the texts' numbers."""
    seed: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Of all rows."""
        return (*self.single, *self.beside)

    @property
    def hbr(self) -> int:
        """The row of HBR."""
        return len(self.single)

    @cached_property
    def values(self) -> Floats:
        """Shape (names, instances)."""
        return np.vstack([self.judged.values, self.rankings])

    @cached_property
    def topics(self) -> TopicAuc:
        """AUC by topic."""
        return topic_auc(self.values, self.judged.quality, self.judged.group)

    @cached_property
    def auc(self) -> BootstrapSamples:
        """AUC over all pairs of one topic, ties ½."""
        return self.auc_of(self.topics.ranked)

    def auc_of(self, topics: Flags) -> BootstrapSamples:
        """AUC over some of the topics."""
        return _shares(self.topics.hits[:, topics], self.topics.total[topics], self.seed)

    @cached_property
    def pwa(self) -> BootstrapSamples | None:
        """Labelled instances: pairs of one group that are ranked right, a tie no success."""
        positive = self.judged.quality > 0
        if not np.isin(self.judged.quality, (0, 1)).all() or positive.all() or not positive.any():
            return None
        group = self.judged.group
        found = [
            pwa_counts(each[positive], each[~positive], group[positive], group[~positive])
            for each in self.values
        ]
        hits, total = (
            np.stack([np.diagonal(getattr(each, part)) for each in found])
            for part in ("hits", "total")
        )
        return bootstrap_shares(hits, total, seed=self.seed)

    @cached_property
    def consistent(self) -> Flags:
        """Shape (topics,): whether no single measure has an AUC below ½."""
        return TopicAuc(self.topics.hits[: self.hbr], self.topics.total).consistent

    @cached_property
    def worst(self) -> BootstrapSamples:
        """Mean rank among the single measures and HBR over the 10 % of topics with the lowest."""
        ranks = topic_ranks(self.topics.by_topic[: self.hbr + 1, self.topics.ranked])
        size = ranks.shape[1]
        samples = np.full((len(ranks), RESAMPLES), np.nan)
        if size > 1:
            draws = np.random.default_rng(self.seed).integers(0, size, (RESAMPLES, size))
            samples = np.stack([lowest_mean(ranks[:, each]) for each in draws], axis=1)
        return BootstrapSamples(lowest_mean(ranks), samples)

    @cached_property
    def prediction(self) -> Prediction:
        """Correlations with HBR and with people, by topic."""
        judged = self.judged
        return predict_quality(self.values, self.rankings[0], judged.quality, judged.group)

    @cached_property
    def human_correlation(self) -> BootstrapSamples:
        """Pearson's coefficient with people, mean over topics."""
        return bootstrap_means(self.prediction.actual, seed=self.seed)

    @cached_property
    def predicted(self) -> BootstrapSamples:
        """The same with HBR: what it predicts of a measure's quality."""
        return bootstrap_means(self.prediction.predicted, seed=self.seed)

    @property
    def predicted_single(self) -> BootstrapSamples:
        """Of the single measures alone."""
        return select_measures(self.predicted, range(self.hbr))

    @property
    def actual_single(self) -> BootstrapSamples:
        """Their correlation with people."""
        return select_measures(self.human_correlation, range(self.hbr))

    @cached_property
    def predictive(self) -> Estimate:
        """Pearson's coefficient of both over the single measures (*SEM 2012, figure 1)."""
        figures = (self.predicted_single, self.actual_single)
        return joint_estimate(correlation_over_measures, *figures)

    @cached_property
    def elsewhere(self) -> Estimate:
        """How much better HBR predicts than people do who judged all other topics (figure 5)."""
        rows = slice(self.hbr)
        singles = Prediction(self.prediction.predicted[rows], self.prediction.actual[rows])
        ahead = singles.by_group - singles.by_others
        if len(ahead) < 2:
            return NO_ESTIMATE
        return bootstrap_means(ahead[None], seed=self.seed).estimates[0]

    @cached_property
    def best(self) -> int:
        """The single measure with the highest AUC."""
        return int(np.nanargmax(self.auc.value[: self.hbr]))

    def lowest(self, count: int) -> list[int]:
        """The single measures with the lowest AUC, the lowest first."""
        order: list[int] = np.argsort(self.auc.value[: self.hbr], kind="stable").tolist()
        return order[:count]

    @cached_property
    def of_worse_half(self) -> BootstrapSamples:
        """AUC of each of the worse half of the measures, best first, then of HBR of these alone.

        Empty if there are fewer than four measures.
        """
        rows = self.lowest(self.hbr // 2)[::-1]
        if len(rows) < 2:
            return BootstrapSamples(np.zeros(0), np.zeros((0, RESAMPLES)))
        values = self.judged.values[rows]
        ranking = self.rank(values, self.judged.group, self.judged.text)
        known = ~np.isnan(ranking)  # else no other of its group was judged
        every = np.vstack([values, ranking])[:, known]
        found = topic_auc(every, self.judged.quality[known], self.judged.group[known])
        return _shares(found.hits[:, found.ranked], found.total[found.ranked], self.seed)


def _shares(hits: Floats, total: Floats, seed: int) -> BootstrapSamples:
    if not total.size:
        return BootstrapSamples(np.full(len(hits), np.nan), np.full((len(hits), RESAMPLES), np.nan))
    return bootstrap_shares(hits, np.broadcast_to(total, hits.shape), seed=seed)


def _boosted_trees(source: GroupedInstances, seed: int) -> Floats:
    """Shape (instances,): the confidence of trees that have seen only other groups.

    Grown as for a system of people search, with what was chosen for it; as there, the instances of
    a group weigh as the root of their number.
    """
    grower = FITTERS["boosted"]
    choices: dict[str, Any] = {name: int(value) for name, value in grower.choices.items()}
    weight = np.array([pair_weight(size) for size in np.bincount(source.group)])[source.group]
    (truth,) = (each > 0 for each in source.quality.values())
    values = source.values
    if not np.isfinite(values).all():  # infinite values become the ranks that they have
        values = np.array([np.unique(each, return_inverse=True)[1] for each in values])
    columns = values.astype(np.float32).T
    found = np.empty(len(truth))
    for part in make_folds(len(source.groups), min(_PARTS, len(source.groups)), seed):
        unseen = np.isin(source.group, part)
        rows = _training_rows(source.group, ~unseen, grower.most_pairs, seed)
        trees = fit_boosted(columns[rows], truth[rows], weight[rows], **choices)
        found[unseen] = trees.predict(columns[unseen])
    return found


def _training_rows(group: Ints, wanted: Flags, most: int | None, seed: int) -> Ints:
    generator = np.random.default_rng(seed)
    parts = [np.flatnonzero(wanted & (group == each)) for each in np.unique(group[wanted])]
    return np.concatenate(
        [
            generator.choice(part, most, replace=False) if most and len(part) > most else part
            for part in parts
        ]
    )


@dataclass(frozen=True)
class Findings:
    """What was found."""

    source: GroupedInstances
    settings: Settings
    ranking: Floats
    """Shape (instances,): HBR."""
    human_agreement: tuple[CriterionFindings, ...]
    """By criterion; empty without human scores."""

    @cached_property
    def predicted(self) -> BootstrapSamples:
        """The quality of each measure without people: its correlation with HBR, mean over groups.

        NaN for a measure that is the same for all instances of every group.
        """
        known = ~np.isnan(self.ranking)
        ranking, group = self.ranking[known], self.source.group[known]
        found = predict_quality(self.source.values[:, known], ranking, ranking, group)
        return bootstrap_means(found.predicted, seed=self.settings.seed)

    @cached_property
    def systems(self) -> list[tuple[str, float, int]]:
        """Systems with their mean HBR and the outputs ranked, from the best on."""
        sums: dict[str, list[float]] = {}
        for name, value in zip(self.source.system, self.ranking.tolist(), strict=False):
            if not np.isnan(value):
                sums.setdefault(name, []).append(value)
        found = [(name, float(np.mean(each)), len(each)) for name, each in sums.items()]
        return sorted(found, key=lambda row: (-row[1], row[0]))


def compute_findings(
    source: GroupedInstances, settings: Settings, progress: Progress = no_progress
) -> Findings:
    """Rank the instances, and compare the ranking with people.

    Raises:
        ValuesError: if values are too large or too small for correlations.
    """
    check_size(source.measures, source.values, source.title)
    progress("ranking", 0, 0)
    ranking = settings.ranking(source.values, source.group, source.text, progress)
    beside = {HBR: ranking}
    if settings.trees and source.labelled and len(source.groups) > 1:
        progress("growing trees", 0, 0)
        beside[TREES] = _boosted_trees(source, settings.seed)
    people = []
    for criterion, scores in source.quality.items():
        quality = np.where(np.isnan(ranking), np.nan, scores)
        judged = source.judged_instances(criterion, quality)
        check_size([criterion], judged.quality[None], source.title, "--human")
        people.append(
            CriterionFindings(
                criterion,
                source.measures,
                tuple(beside),
                judged,
                np.stack([each[~np.isnan(quality)] for each in beside.values()]),
                partial(settings.ranking, progress=progress),
                settings.seed,
            )
        )
        progress(f"judging by {criterion}", 0, 0)
    return Findings(source, settings, ranking, tuple(people))
