"""Which measures are variables, where there are more than all subsets can be looked at."""

from __future__ import annotations

import numpy as np

from eval.meta_study.judged import Judged
from weps.errors import ValuesError

__all__ = ["MOST", "variables"]

MOST = 12
"""Variables unless told otherwise: 4,095 subsets for each fold."""


def variables(judged: Judged, most: int = MOST) -> tuple[int, ...]:
    """The first measure, then again and again the one least like those that are there.

    How alike two are is the size of Pearson's coefficient over all outputs. People's scores are not
    looked at, so that nothing of them leaks into the choice. Constant measures are left out.

    Args:
        judged: all measures.
        most: how many variables.

    Returns:
        Numbers of measures in their own order, all if they are no more.

    Raises:
        ValuesError: if all are constant.
    """
    varying = np.flatnonzero(np.ptp(judged.values, axis=1) > 0)
    if not len(varying):
        what = "no measure tells outputs apart"
        raise ValuesError(what, remedy="give measures whose values differ")
    if len(varying) <= most:
        return tuple(varying.tolist())
    alike = np.abs(np.corrcoef(judged.values[varying]))
    chosen = [0]
    while len(chosen) < most:
        nearest = alike[chosen].max(axis=0)
        nearest[chosen] = np.inf
        chosen.append(int(nearest.argmin()))
    return tuple(sorted(varying[chosen].tolist()))
