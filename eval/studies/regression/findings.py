"""Human scores estimated by several learners under one cross-validation, and by other methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

import numpy as np

from eval.meta.correlation import Coefficient
from eval.meta.regression.accuracy import Accuracy, estimate_accuracy
from eval.meta.regression.learners import (
    CANDIDATE_RANGE,
    VotedRegression,
    best_aicc,
    lasso_regression,
    ridge_regression,
    support_vectors,
    voted_learner,
    vrm,
)
from eval.meta.regression.linear import (
    Learner,
    assign_folds,
    cross_validate_scores,
    multiple_regression,
    simple_regression,
)
from eval.stats.arrays import Floats
from eval.stats.estimate import RESAMPLES, BootstrapSamples, Estimate
from eval.studies.measures import JudgedOutputs
from eval.studies.regression.outputs import (
    OutputSimilarities,
    PooledResults,
    RelativeQuality,
    pooled_estimates,
    relative_quality,
    system_gap,
)
from weps._parallel import Progress, no_progress
from weps.errors import ValuesError

__all__ = [
    "BASELINES",
    "DEFAULT_VARIABLES",
    "VRM",
    "Findings",
    "LearnerResults",
    "LeftOut",
    "Plan",
    "compute_findings",
    "evaluate_learners",
    "select_variables",
]


VRM = "VRM"
BEST = "best AICc"
DEFAULT_VARIABLES = 12
"""Variables unless told otherwise: 4,095 subsets for each fold."""
_ALONE = "{} alone"
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
    within: float = CANDIDATE_RANGE
    """ΔAICc up to which a model has a vote."""
    svr: bool = False
    seed: int = 0
    resamples: int = RESAMPLES


@dataclass(frozen=True, slots=True, eq=False)
class LearnerResults:
    """How good the learners are."""

    names: tuple[str, ...]
    """Learners, VRM first, then measures alone."""
    accuracy: Accuracy
    model: VotedRegression
    """VRM of all scores."""
    variables: tuple[str, ...]
    effects: Floats
    """Shape (variables,): its weights times the variables' standard deviations."""
    baselines: Mapping[str, str]
    """``ROUGE-1`` → the learner that uses it alone."""

    @property
    def rivals(self) -> list[str]:
        """The learners that use several measures, but VRM."""
        return [name for name in self.names[1:] if not name.endswith(_ALONE.format(""))]

    @property
    def by_error(self) -> list[int]:
        """Numbers of learners, the one with the smallest absolute error first."""
        return [int(each) for each in np.argsort(self.accuracy.absolute.value, kind="stable")]

    def ahead_in_error(self, name: str) -> Estimate:
        """How much smaller VRM's absolute error is."""
        return self.accuracy.absolute.difference(0, self.names.index(name))

    def ahead_in_correlation(self, name: str) -> dict[str, Estimate]:
        """How much higher VRM's Pearson coefficients are, per system and per summary."""
        levels = {
            "per system": self.accuracy.per_system,
            "per summary": self.accuracy.per_summary,
        }
        return {
            level: coefficients[Coefficient.PEARSON].difference(self.names.index(name), 0)
            for level, coefficients in levels.items()
        }


def evaluate_learners(
    judged: JudgedOutputs, plan: Plan, progress: Progress = no_progress
) -> LearnerResults:
    """Estimate every score by every learner, from topics, or systems, that it is not of.

    Args:
        judged: outputs with people's scores.
        plan: how.
        progress: hears how many learners are done.
    """
    unit = judged.topic if plan.left_out is LeftOut.TOPICS else judged.system
    count = min(plan.folds, int(unit.max()) + 1)
    fold = assign_folds(unit, count, plan.seed)
    work = [*_joint_learners(plan), *_single_learners(judged, plan)]
    estimates = []
    for done, (name, learner, rows) in enumerate(work):
        progress(f"learning: {name}", done, len(work))
        values = judged.values[list(rows)]
        estimates.append(cross_validate_scores(learner, values, judged.human, fold))
    progress("learning", len(work), len(work))
    names = tuple(name for name, _, _ in work)
    chosen = judged.values[list(plan.variables)]
    model = vrm(chosen, judged.human, within=plan.within)
    return LearnerResults(
        names,
        estimate_accuracy(
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
            name: _ALONE.format(judged.measures[number])
            for name, number in _baselines(judged.measures).items()
        },
    )


LearnerTask: TypeAlias = tuple[str, Learner, Sequence[int]]
"""Name, learner, and the measures that it sees."""


def _joint_learners(plan: Plan) -> list[LearnerTask]:
    learners: dict[str, Learner] = {
        VRM: voted_learner(plan.within),
        BEST: best_aicc,
        "multiple": multiple_regression,
        "ridge": ridge_regression,
        "lasso": lasso_regression,
        **({"SVR": support_vectors} if plan.svr else {}),
        "simple": simple_regression,
    }
    return [(name, learner, plan.variables) for name, learner in learners.items()]


def _single_learners(judged: JudgedOutputs, plan: Plan) -> list[LearnerTask]:
    numbers = sorted({*plan.variables, *_baselines(judged.measures).values()})
    return [
        (_ALONE.format(judged.measures[number]), simple_regression, (number,)) for number in numbers
    ]


def _baselines(measures: Sequence[str]) -> dict[str, int]:
    """The paper's measures → the first measure at hand whose name begins so."""
    found = {
        name: next((at for at, each in enumerate(measures) if each.startswith(begins)), None)
        for name, begins in BASELINES.items()
    }
    return {name: number for name, number in found.items() if number is not None}


def select_variables(judged: JudgedOutputs, most: int = DEFAULT_VARIABLES) -> tuple[int, ...]:
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
    learned, relative = evaluate_learners(judged, plan, progress), None
    how: dict[str, int] = {"resamples": plan.resamples, "seed": plan.seed}
    if len(judged.systems) > 2:
        relative = relative_quality(judged, plan.variables, **how, progress=progress)
    if similarities is None:
        return Findings(judged, plan, learned, relative, None, None)
    pooled = pooled_estimates(judged, similarities, similar, **how)
    first = np.array([each.estimates[0] for each in pooled.pools])
    return Findings(judged, plan, learned, relative, pooled, system_gap(judged, first, **how))
