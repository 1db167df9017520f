"""HBR of the instances of a study, and how it and all measures agree with people."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from eval.meta.drawn import Drawn, over_topics
from eval.meta.heterogeneity import Verdicts, hbr, prediction
from eval.meta_study.grouped import Grouped
from eval.meta_study.hbr.people import HBR, Against
from eval.meta_study.hbr.trees import TREES, boosted_trees
from eval.meta_study.judged import check_size
from weps.progress import Progress, silent

__all__ = ["Findings", "Plan", "find"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Plan:
    """How HBR is computed."""

    samples: int = 10_000
    """Pairs of instances over which heterogeneity is a share; 0 for all."""
    rivals: int = 0
    """With how many of its group an instance is compared; 0 for all."""
    trees: bool = False
    """Whether boosted trees, which learn from other groups, stand beside it."""
    seed: int = 0

    def ranking(
        self, values: Floats, group: NDArray[np.int64], progress: Progress = silent
    ) -> Floats:
        """Shape (instances,): HBR, nan for an instance that is alone in its group.

        Args:
            values: shape (measures, instances).
            group: shape (instances,).
            progress: hears how many comparisons are done.
        """
        verdicts = (
            Verdicts.sampled(values, self.samples, group, self.seed)
            if self.samples
            else Verdicts.exact(values, group)
        )
        rivals = self.rivals or None
        return hbr(values, verdicts, group, rivals=rivals, seed=self.seed, progress=progress)


@dataclass(frozen=True)
class Findings:
    """What was found."""

    source: Grouped
    plan: Plan
    ranking: Floats
    """Shape (instances,): HBR."""
    people: tuple[Against, ...]
    """By criterion; empty without human scores."""

    @cached_property
    def predicted(self) -> Drawn:
        """The quality of each measure without people: its correlation with HBR, mean over groups.

        NaN for a measure that is the same for all instances of every group.
        """
        known = ~np.isnan(self.ranking)
        ranking, group = self.ranking[known], self.source.group[known]
        found = prediction(self.source.values[:, known], ranking, ranking, group)
        return over_topics(found.predicted, seed=self.plan.seed)

    @cached_property
    def systems(self) -> list[tuple[str, float, int]]:
        """Systems with their mean HBR and the outputs ranked, from the best on."""
        sums: dict[str, list[float]] = {}
        for name, value in zip(self.source.system, self.ranking.tolist(), strict=False):
            if not np.isnan(value):
                sums.setdefault(name, []).append(value)
        found = [(name, float(np.mean(each)), len(each)) for name, each in sums.items()]
        return sorted(found, key=lambda row: (-row[1], row[0]))


def find(source: Grouped, plan: Plan, progress: Progress = silent) -> Findings:
    """Rank the instances, and see what people say.

    Raises:
        ValuesError: if values are too large or too small for correlations.
    """
    check_size(source.measures, source.values, source.title)
    progress("ranking", 0, 0)
    ranking = plan.ranking(source.values, source.group, progress)
    beside = {HBR: ranking}
    if plan.trees and source.labelled and len(source.groups) > 1:
        progress("growing trees", 0, 0)
        beside[TREES] = boosted_trees(source, plan.seed)
    people = tuple(
        _against(source, criterion, beside, plan, progress) for criterion in source.quality
    )
    return Findings(source, plan, ranking, people)


def _against(
    source: Grouped, criterion: str, beside: dict[str, Floats], plan: Plan, progress: Progress
) -> Against:
    quality = np.where(np.isnan(beside[HBR]), np.nan, source.quality[criterion])
    known = ~np.isnan(quality)
    judged = source.judged(criterion, quality)
    rows = np.stack([each[known] for each in beside.values()])
    rank = partial(plan.ranking, progress=progress)
    told = Against(criterion, source.measures, tuple(beside), judged, rows, rank, plan.seed)
    progress(f"judging by {criterion}", 0, 0)
    return told
