"""Everything that the study of regression finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eval.stats.estimate import BootstrapSamples
from eval.studies.measures import JudgedOutputs
from eval.studies.regression.learners import LearnerResults, Plan, evaluate_learners
from eval.studies.regression.outputs import (
    OutputSimilarities,
    PooledResults,
    RelativeQuality,
    pooled_estimates,
    relative_quality,
    system_gap,
)
from weps._parallel import Progress, no_progress

__all__ = ["Findings", "compute_findings"]


@dataclass(frozen=True)
class Findings:
    """What was found; None where the data cannot tell."""

    judged: JudgedOutputs
    plan: Plan
    learned: LearnerResults
    relative: RelativeQuality | None
    """Yasuda's; None for fewer than three systems."""
    pools: PooledResults | None
    """Kazawa's; None without texts."""
    pool_gap: BootstrapSamples | None
    """Of systems by Kazawa's estimator without threshold, a row for each similarity."""


def compute_findings(
    judged: JudgedOutputs,
    plan: Plan,
    similarities: OutputSimilarities | None = None,
    similar: Sequence[str] = (),
    progress: Progress = no_progress,
) -> Findings:
    """Learn scores from measures, from wins over systems, and from similar outputs.

    Args:
        judged: outputs with people's scores.
        plan: how.
        similarities: similarities between outputs, if there are texts.
        similar: the measures of these similarities.
        progress: hears how far it has come.
    """
    found = evaluate_learners(judged, plan, progress)
    how: dict[str, int] = {"resamples": plan.resamples, "seed": plan.seed}
    rows = plan.variables
    several = len(judged.systems) > 2
    compared = relative_quality(judged, rows, **how, progress=progress) if several else None
    if similarities is None:
        return Findings(judged, plan, found, compared, None, None)
    pooled = pooled_estimates(judged, similarities, similar, **how)
    first = np.array([each.estimates[0] for each in pooled.pools])
    return Findings(judged, plan, found, compared, pooled, system_gap(judged, first, **how))
