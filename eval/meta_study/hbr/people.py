"""How far HBR and all measures agree with people by one criterion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from eval.meta.drawn import RESAMPLES, Drawn, drawn_shares, over_topics
from eval.meta.heterogeneity import Prediction, prediction
from eval.meta.robustness import lowest_mean, topic_ranks
from eval.meta.topics import TopicAuc, topic_auc
from eval.meta_study.grouped import Judged
from eval.meta_study.several import NOTHING, alike, chosen, together
from eval.ordering import Estimate, pwa_tally

__all__ = ["HBR", "Against"]

Floats = NDArray[np.float64]
HBR = "HBR"


@dataclass(frozen=True)
class Against:
    """One criterion; figures are of the single measures, then of HBR and what stands beside it."""

    criterion: str
    single: tuple[str, ...]
    """The single measures."""
    beside: tuple[str, ...]
    """HBR, and other rankings made of all measures."""
    judged: Judged
    rankings: Floats
    """Shape (beside, instances)."""
    rank: Callable[[Floats, NDArray[np.int64]], Floats]
    """HBR of some measures, shape (measures, instances), within groups."""
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
    def auc(self) -> Drawn:
        """AUC over all pairs of one topic, ties ½."""
        return self.auc_of(self.topics.ranked)

    def auc_of(self, topics: NDArray[np.bool_]) -> Drawn:
        """AUC over some of the topics."""
        return _shares(self.topics.held[:, topics], self.topics.total[topics], self.seed)

    @cached_property
    def pwa(self) -> Drawn | None:
        """Labelled instances: pairs of one group that are ranked right, a tie no success."""
        positive = self.judged.quality > 0
        if not np.isin(self.judged.quality, (0, 1)).all() or positive.all() or not positive.any():
            return None
        group = self.judged.group
        found = [
            pwa_tally(each[positive], each[~positive], group[positive], group[~positive])
            for each in self.values
        ]
        held, total = (
            np.stack([np.diagonal(getattr(each, part)) for each in found])
            for part in ("held", "total")
        )
        return drawn_shares(held, total, seed=self.seed)

    @cached_property
    def consistent(self) -> NDArray[np.bool_]:
        """Shape (topics,): whether no single measure has an AUC below ½."""
        singles = TopicAuc(self.topics.held[: self.hbr], self.topics.total)
        return singles.consistent

    @cached_property
    def worst(self) -> Drawn:
        """Mean rank among the single measures and HBR over the 10 % of topics with the lowest."""
        scores = self.topics.by_topic[: self.hbr + 1, self.topics.ranked]
        ranks = topic_ranks(scores)
        generator, size = np.random.default_rng(self.seed), scores.shape[1]
        if size < 2:
            return Drawn(lowest_mean(ranks), np.full((len(ranks), RESAMPLES), np.nan))
        draws = generator.integers(0, size, (RESAMPLES, size))
        drawn = np.stack([lowest_mean(ranks[:, each]) for each in draws], axis=1)
        return Drawn(lowest_mean(ranks), drawn)

    @cached_property
    def prediction(self) -> Prediction:
        """Correlations with HBR and with people, by topic."""
        ranking = self.rankings[0]
        return prediction(self.values, ranking, self.judged.quality, self.judged.group)

    @cached_property
    def with_people(self) -> Drawn:
        """Pearson's coefficient with people, mean over topics."""
        return over_topics(self.prediction.actual, seed=self.seed)

    @cached_property
    def predicted(self) -> Drawn:
        """The same with HBR: what it predicts of a measure's quality."""
        return over_topics(self.prediction.predicted, seed=self.seed)

    @property
    def predicted_single(self) -> Drawn:
        """Of the single measures alone."""
        return chosen(self.predicted, range(self.hbr))

    @cached_property
    def predictive(self) -> Estimate:
        """Pearson's coefficient of both over the single measures (*SEM 2012, figure 1)."""
        people = chosen(self.with_people, range(self.hbr))
        return together(alike, self.predicted_single, people)

    @cached_property
    def elsewhere(self) -> Estimate:
        """How much better HBR predicts than people do who judged all other topics (figure 5)."""
        singles = Prediction(
            self.prediction.predicted[: self.hbr], self.prediction.actual[: self.hbr]
        )
        ahead = singles.by_group - singles.by_others
        return over_topics(ahead[None], seed=self.seed).estimates[0] if len(ahead) > 1 else NOTHING

    @cached_property
    def best(self) -> int:
        """The single measure with the highest AUC."""
        return int(np.nanargmax(self.auc.value[: self.hbr]))

    def lowest(self, count: int) -> list[int]:
        """The single measures with the lowest AUC, the lowest first."""
        order: list[int] = np.argsort(self.auc.value[: self.hbr], kind="stable").tolist()
        return order[:count]

    @cached_property
    def of_worse_half(self) -> Drawn:
        """AUC of each of the worse half of the measures, best first, then of HBR of these alone.

        Empty if there are fewer than four measures.
        """
        rows = self.lowest(self.hbr // 2)[::-1]
        if len(rows) < 2:
            return Drawn(np.zeros(0), np.zeros((0, RESAMPLES)))
        values = self.judged.values[rows]
        ranking = self.rank(values, self.judged.group)
        known = ~np.isnan(ranking)  # else nobody judged another of its group
        every = np.vstack([values, ranking])[:, known]
        found = topic_auc(every, self.judged.quality[known], self.judged.group[known])
        ranked = found.total > 0
        return _shares(found.held[:, ranked], found.total[ranked], self.seed)


def _shares(held: Floats, total: Floats, seed: int) -> Drawn:
    if not total.size:
        return Drawn(np.full(len(held), np.nan), np.full((len(held), RESAMPLES), np.nan))
    return drawn_shares(held, np.broadcast_to(total, held.shape), seed=seed)
