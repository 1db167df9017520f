"""Everything that the study of regression finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eval.meta.drawn import Drawn
from eval.meta_study.judged import Judged
from eval.meta_study.regression.learned import Learned, Plan, learned
from eval.meta_study.regression.outputs import Alike
from eval.meta_study.regression.pools import Pools, pools
from eval.meta_study.regression.relative import Relative, relative, system_gap
from weps.progress import Progress, silent

__all__ = ["Findings", "studied"]


@dataclass(frozen=True)
class Findings:
    """What was found; None where the data cannot tell."""

    judged: Judged
    plan: Plan
    learned: Learned
    relative: Relative | None
    """Yasuda's; None for fewer than three systems."""
    pools: Pools | None
    """Kazawa's; None without texts."""
    pool_gap: Drawn | None
    """Of systems by Kazawa's estimator without threshold, a row for each similarity."""


def studied(
    judged: Judged,
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
