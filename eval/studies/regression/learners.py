"""Human scores estimated from measures by several learners under one cross-validation.

Which measures are variables, where there are more than all subsets can be looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.regression.accuracy import Accuracy, accuracy
from eval.meta.regression.learners import (
    WITHIN,
    Voted,
    best_aicc,
    lasso,
    ridge,
    support_vectors,
    voted,
    voted_regression,
)
from eval.meta.regression.linear import Learner, cross_validated, folds, multiple, simple
from eval.stats.estimate import RESAMPLES
from eval.studies.measures import JudgedJudged
from weps._parallel import Progress, silent
from weps.errors import ValuesError

__all__ = [
    "ALONE",
    "BASELINES",
    "MOST",
    "VRM",
    "Learned",
    "LeftOut",
    "Plan",
    "learned",
    "variables",
]

Floats: TypeAlias = NDArray[np.float64]

VRM = "VRM"
BEST = "best AICc"
ALONE = "{} alone"
BASELINES = {
    "ROUGE-1": ("rouge(n=1)", "rouge(n=1,", "R1_"),
    "ROUGE-2": ("rouge(n=2)", "rouge(n=2,", "R2_"),
}
"""Measure of the paper → how its name begins in tables."""


class LeftOut(StrEnum):
    """What a fold is of."""

    TOPICS = "topics"
    SYSTEMS = "systems"


@dataclass(frozen=True, slots=True)
class Plan:
    """How scores are learned."""

    variables: tuple[int, ...]
    """Numbers of measures."""
    left_out: LeftOut = LeftOut.TOPICS
    folds: int = 10
    """At most; as many as there are topics or systems if these are fewer."""
    within: float = WITHIN
    """ΔAICc up to which a model has a vote."""
    svr: bool = False
    seed: int = 0
    resamples: int = RESAMPLES


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """How good the learners are."""

    names: tuple[str, ...]
    """Learners, VRM first, then measures alone."""
    accuracy: Accuracy
    model: Voted
    """VRM of all scores."""
    variables: tuple[str, ...]
    effects: Floats
    """Shape (variables,): its weights times the variables' standard deviations."""
    baselines: Mapping[str, str]
    """``ROUGE-1`` → the learner that uses it alone."""

    @property
    def rivals(self) -> list[str]:
        """The learners that use several measures, but VRM."""
        alone = ALONE.format("")
        return [name for name in self.names[1:] if not name.endswith(alone)]


def learned(judged: JudgedJudged, plan: Plan, progress: Progress = silent) -> Learned:
    """Estimate every score by every learner, from topics, or systems, that it is not of.

    Args:
        judged: outputs with people's scores.
        plan: how.
        progress: hears how many learners are done.
    """
    unit = judged.topic if plan.left_out is LeftOut.TOPICS else judged.system
    count = min(plan.folds, int(unit.max()) + 1)
    fold = folds(unit, count, plan.seed)
    work = [*_together(plan), *_each_alone(judged, plan)]
    estimates = []
    for done, (name, learner, rows) in enumerate(work):
        progress(f"learning: {name}", done, len(work))
        values = judged.values[list(rows)]
        estimates.append(cross_validated(learner, values, judged.human, fold))
    progress("learning", len(work), len(work))
    names = tuple(name for name, _, _ in work)
    chosen = judged.values[list(plan.variables)]
    model = voted_regression(chosen, judged.human, within=plan.within)
    return Learned(
        names,
        accuracy(
            np.array(estimates),
            judged.human,
            judged.topic,
            judged.system,
            resamples=plan.resamples,
            seed=plan.seed,
            progress=progress,
        ),
        model,
        tuple(judged.measures[each] for each in plan.variables),
        model.model.weights * chosen.std(axis=1),
        {
            name: ALONE.format(judged.measures[number])
            for name, number in _baselines(judged.measures).items()
        },
    )


Work: TypeAlias = tuple[str, Learner, Sequence[int]]
"""Name, learner, and the measures that it sees."""


def _together(plan: Plan) -> list[Work]:
    learners: dict[str, Learner] = {
        VRM: voted(plan.within),
        BEST: best_aicc(),
        "multiple": multiple,
        "ridge": ridge(),
        "lasso": lasso(),
        **({"SVR": support_vectors()} if plan.svr else {}),
        "simple": simple,
    }
    return [(name, learner, plan.variables) for name, learner in learners.items()]


def _each_alone(judged: JudgedJudged, plan: Plan) -> list[Work]:
    numbers = sorted({*plan.variables, *_baselines(judged.measures).values()})
    return [(ALONE.format(judged.measures[number]), simple, (number,)) for number in numbers]


def _baselines(measures: Sequence[str]) -> dict[str, int]:
    """The paper's measures → the first measure at hand whose name begins so."""
    found = {
        name: next((at for at, each in enumerate(measures) if each.startswith(begins)), None)
        for name, begins in BASELINES.items()
    }
    return {name: number for name, number in found.items() if number is not None}


MOST = 12
"""Variables unless told otherwise: 4,095 subsets for each fold."""


def variables(judged: JudgedJudged, most: int = MOST) -> tuple[int, ...]:
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
