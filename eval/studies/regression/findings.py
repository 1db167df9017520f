"""Everything that the study of regression finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eval.stats.estimate import Drawn
from eval.studies.measures import JudgedJudged
from eval.studies.regression.learners import Learned, Plan, learned
from eval.studies.regression.outputs import Alike, Pools, Relative, pools, relative, system_gap
from weps._parallel import Progress, silent

__all__ = ["Findings", "studied"]


@dataclass(frozen=True)
class Findings:
    """What was found; None where the data cannot tell."""

    judged: JudgedJudged
    plan: Plan
    learned: Learned
    relative: Relative | None
    """Yasuda's; None for fewer than three systems."""
    pools: Pools | None
    """Kazawa's; None without texts."""
    pool_gap: Drawn | None
    """Of systems by Kazawa's estimator without threshold, a row for each similarity."""


def studied(
    judged: JudgedJudged,
    plan: Plan,
    alike: Alike | None = None,
    similar: Sequence[str] = (),
    progress: Progress = silent,
) -> Findings:
    """Learn scores from measures, from wins over systems, and from similar outputs.

    Args:
        judged: outputs with people's scores.
        plan: how.
        alike: similarities between outputs, if there are texts.
        similar: the measures of these similarities.
        progress: hears how far it has come.
    """
    found = learned(judged, plan, progress)
    how: dict[str, int] = {"resamples": plan.resamples, "seed": plan.seed}
    rows = plan.variables
    several = len(judged.systems) > 2
    compared = relative(judged, rows, **how, progress=progress) if several else None
    if alike is None:
        return Findings(judged, plan, found, compared, None, None)
    pooled = pools(judged, alike, similar, **how)
    first = np.array([each.estimates[0] for each in pooled.pools])
    return Findings(judged, plan, found, compared, pooled, system_gap(judged, first, **how))
