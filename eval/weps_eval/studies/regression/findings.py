"""Human scores estimated from several measures, from similar outputs, and from other systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from weps._parallel import Progress, no_progress
from weps_eval.meta.correlation import Coefficient
from weps_eval.meta.estimates import (
    Accuracy,
    estimate_accuracy,
    pair_precision,
    pooled_pairs,
    pooled_scores,
    relative_scores,
    weighted_subscores,
)
from weps_eval.meta.judged import as_table
from weps_eval.meta.regression import (
    CANDIDATE_RANGE,
    Learner,
    VotedRegression,
    assign_folds,
    best_aicc,
    cross_validate_scores,
    lasso_regression,
    multiple_regression,
    ridge_regression,
    simple_regression,
    support_vectors,
    voted_learner,
    vrm,
)
from weps_eval.stats.arrays import Floats, Ints
from weps_eval.stats.estimate import (
    RESAMPLES,
    BootstrapSamples,
    Estimate,
    bootstrap_shares,
    safe_divide,
    two_way_weights,
)
from weps_eval.studies.measures import JudgedOutputs
from weps_eval.studies.several import select_measures

OutputSimilarities: TypeAlias = Mapping[int, Floats]
"""Topic → shape (measures, outputs, outputs), outputs as they are judged."""

VRM = "VRM"
BEST = "best AICc"
_ALONE = "{} alone"
BASELINES = {
    "ROUGE-1": ("rouge(n=1)", "rouge(n=1,", "R1_"),
    "ROUGE-2": ("rouge(n=2)", "rouge(n=2,", "R2_"),
}
"""Measure of the paper → how its name begins in tables."""
_STEPS = 51
"""Thresholds of similarity."""
_DECIMALS = 12
"""Of differences that count, so that equal scores are equal however they are added up."""


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
        other, accuracy = self.names.index(name), self.accuracy
        return {
            "per system": accuracy.per_system[Coefficient.PEARSON].difference(other, 0),
            "per summary": accuracy.per_summary[Coefficient.PEARSON].difference(other, 0),
        }


def evaluate_learners(
    judged: JudgedOutputs, plan: Plan, progress: Progress = no_progress
) -> LearnerResults:
    """Estimate every score by every learner, from topics, or systems, that it is not of."""
    fold = _folds(judged, plan)
    baselines = _baselines(judged.measures)
    joint: dict[str, Learner] = {
        VRM: voted_learner(plan.within),
        BEST: best_aicc,
        "multiple": multiple_regression,
        "ridge": ridge_regression,
        "lasso": lasso_regression,
        **({"SVR": support_vectors} if plan.svr else {}),
        "simple": simple_regression,
    }
    work = [(name, learner, list(plan.variables)) for name, learner in joint.items()]
    work += [
        (_ALONE.format(judged.measures[number]), simple_regression, [number])
        for number in sorted({*plan.variables, *baselines.values()})
    ]
    estimates = []
    for done, (name, learner, rows) in enumerate(work):
        progress(f"learning: {name}", done, len(work))
        estimates.append(cross_validate_scores(learner, judged.values[rows], judged.human, fold))
    progress("learning", len(work), len(work))
    chosen = judged.values[list(plan.variables)]
    model = vrm(chosen, judged.human, within=plan.within)
    accuracy = estimate_accuracy(
        np.array(estimates),
        judged.human,
        judged.topic,
        judged.system,
        resamples=plan.resamples,
        seed=plan.seed,
        progress=progress,
    )
    return LearnerResults(
        tuple(name for name, _, _ in work),
        accuracy,
        model,
        tuple(judged.measures[each] for each in plan.variables),
        model.model.weights * chosen.std(axis=1),
        {name: _ALONE.format(judged.measures[each]) for name, each in baselines.items()},
    )


def _folds(judged: JudgedOutputs, plan: Plan) -> Ints:
    """Shape (instances,): the fold of topics or of systems in which each is estimated."""
    unit = judged.topic if plan.left_out is LeftOut.TOPICS else judged.system
    return assign_folds(unit, min(plan.folds, int(unit.max()) + 1), plan.seed)


def _baselines(measures: Sequence[str]) -> dict[str, int]:
    """The paper's measures → the first available measure whose name begins so."""
    found = {
        name: [at for at, each in enumerate(measures) if each.startswith(begins)]
        for name, begins in BASELINES.items()
    }
    return {name: numbers[0] for name, numbers in found.items() if numbers}


@dataclass(frozen=True, slots=True, eq=False)
class PooledEstimates:
    """Estimates by one measure of similarity; a row for each threshold, one for equation 1."""

    measure: str
    estimates: Floats
    """Shape (thresholds, instances); NaN where no output is similar enough."""
    gap: BootstrapSamples
    coverage: Floats
    """Shape (thresholds,)."""
    precision: BootstrapSamples
    """Share of the pairs that are ranked as people rank them; neither is in the other's pool."""
    best_measure_precision: BootstrapSamples
    """Of the same pairs, by the best single measure."""

    def at(self, coverage: float) -> int | None:
        """The last threshold that still covers so much."""
        enough = np.flatnonzero(self.coverage >= coverage - 1e-12)
        return int(enough[-1]) if len(enough) else None


@dataclass(frozen=True, slots=True, eq=False)
class PooledResults:
    """Scores from similar outputs, by several measures of similarity."""

    thresholds: Floats
    pools: tuple[PooledEstimates, ...]
    """Means weighted by similarity (Nanba and Okumura, step 3)."""
    weighted: tuple[PooledEstimates, ...]
    """Kazawa's equation 1; the same similarities."""
    best: str
    """The single measure that ranks most pairs as people do."""
    best_precision: BootstrapSamples
    """Over all pairs, one row."""


def pooled_estimates(
    judged: JudgedOutputs, similarities: OutputSimilarities, measures: Sequence[str], plan: Plan
) -> PooledResults:
    """Estimate every score from those of the other outputs of its topic.

    Raises:
        ValuesError: if a similarity is below 0.
    """
    most = max(1.0, *(float(table.max()) for table in similarities.values()))
    thresholds = np.linspace(0, most, _STEPS)
    pairs = [pair_precision(each, judged.human, judged.topic) for each in judged.values]
    hits, total = (
        [np.diagonal(getattr(each, part)) for each in pairs] for part in ("hits", "total")
    )
    ranked = _shares(hits, total, plan)
    best = int(np.nanargmax(ranked.value))
    means: list[PooledEstimates] = []
    weighted: list[PooledEstimates] = []
    rival = judged.values[best]
    for number, measure in enumerate(measures):
        tables = {topic: each[number] for topic, each in similarities.items()}
        mean = _weighted_means(judged, tables, thresholds)
        means.append(_pool(judged, measure, mean, rival, plan))
        weigh = _weighted_sums(judged, tables, plan)
        weighted.append(_pool(judged, measure, weigh, rival, plan))
    highest = select_measures(ranked, [best])
    return PooledResults(thresholds, tuple(means), tuple(weighted), judged.measures[best], highest)


_Estimated: TypeAlias = tuple[Floats, list[tuple[Ints, list[Floats]]]]
"""Estimates, shape (thresholds, instances); each topic's instances, and for each threshold the
score of the row without the column."""


def _weighted_means(
    judged: JudgedOutputs, tables: Mapping[int, Floats], thresholds: Floats
) -> _Estimated:
    estimates = np.full((len(thresholds), len(judged.human)), np.nan)
    pairs = []
    for topic, table in tables.items():
        rows = np.flatnonzero(judged.topic == topic)
        human = judged.human[rows]
        estimates[:, rows] = pooled_scores(table, human, thresholds)
        pairs.append((rows, [pooled_pairs(table, human, each) for each in thresholds.tolist()]))
    return estimates, pairs


def _weighted_sums(judged: JudgedOutputs, tables: Mapping[int, Floats], plan: Plan) -> _Estimated:
    """By Kazawa's equation 1; of a pair neither lends the other its term."""
    fold = _folds(judged, plan)
    parts = weighted_subscores(tables, judged.human, judged.topic, judged.system, fold)
    estimates = parts.sum(axis=0)
    pairs = []
    for topic in tables:
        rows = np.flatnonzero(judged.topic == topic)
        scores = estimates[rows, None] - parts[np.ix_(1 + judged.system[rows], rows)].T
        np.fill_diagonal(scores, np.nan)
        pairs.append((rows, [scores]))
    return estimates[None], pairs


def _pool(
    judged: JudgedOutputs, measure: str, found: _Estimated, rival: Floats, plan: Plan
) -> PooledEstimates:
    """How good estimates are, and how they and the best single measure rank pairs."""
    estimates, pairs = found
    own, other = np.zeros((2, 2, len(estimates), len(judged.topics)))
    for rows, tables in pairs:
        human, values, topic = judged.human[rows], rival[rows], judged.topic[rows[0]]
        for at, scores in enumerate(tables):
            ahead = (scores - scores.T).round(_DECIMALS)
            plain = np.where(np.isnan(ahead), np.nan, values[:, None] - values)
            own[:, at, topic] = _concordant_pairs(ahead, human)
            other[:, at, topic] = _concordant_pairs(plain, human)
    known = ~np.isnan(estimates)
    apart = np.where(known, np.abs(estimates - judged.human), 0.0)
    sums, sizes = (
        [np.bincount(judged.topic, row, len(judged.topics)) for row in each]
        for each in (apart, known)
    )
    return PooledEstimates(
        measure,
        estimates,
        _shares(sums, sizes, plan),
        known.mean(axis=1),
        _shares(own[0], own[1], plan),
        _shares(other[0], other[1], plan),
    )


def _shares(hits: ArrayLike, total: ArrayLike, plan: Plan) -> BootstrapSamples:
    shape = {"resamples": plan.resamples, "seed": plan.seed}
    return bootstrap_shares(np.array(hits), np.array(total), **shape)


def _concordant_pairs(ahead: Floats, human: Floats) -> tuple[int, int]:
    """How many pairs are ranked as people rank them, and how many there are."""
    pairs = (human[:, None] > human) & ~np.isnan(ahead)
    return int((pairs & (ahead > 0)).sum()), int(pairs.sum())


@dataclass(frozen=True, slots=True, eq=False)
class RelativeQuality:
    """Of each measure; topics and systems are resampled."""

    measures: tuple[str, ...]
    gap: BootstrapSamples
    """Mean over systems of |estimate - mean score by people|."""
    precision: BootstrapSamples
    """Share of the pairs of systems that the estimates rank as people do."""
    plain: BootstrapSamples
    """The same of the measure's means."""


def relative_quality(
    judged: JudgedOutputs, plan: Plan, progress: Progress = no_progress
) -> RelativeQuality:
    """Estimate every system's score from those of the others by Yasuda's regression."""
    rows = list(plan.variables)
    values = np.vstack([judged.human, judged.values[rows]])
    table = as_table(values, judged.topic, judged.system)
    times, systems = two_way_weights(table.shape[1], table.shape[2], plan.resamples, plan.seed)
    people, *ours = (_means(each, times) for each in table)
    limits = (float(judged.human.min()), float(judged.human.max()))
    found = []
    for done, each in enumerate(table[1:]):
        progress("estimating systems", done, len(rows))
        found.append(_estimates(each, people, times, limits))
    progress("estimating systems", len(rows), len(rows))
    return RelativeQuality(
        tuple(judged.measures[each] for each in rows),
        BootstrapSamples.from_rows([_mean_gap(each, people, systems) for each in found]),
        BootstrapSamples.from_rows([_share_ranked_alike(each, people, systems) for each in found]),
        BootstrapSamples.from_rows([_share_ranked_alike(each, people, systems) for each in ours]),
    )


def system_gap(judged: JudgedOutputs, estimates: Floats, plan: Plan) -> BootstrapSamples:
    """The gap between the means of systems, of estimates of shape (rows, instances) or NaN."""
    size = (len(judged.topics), len(judged.systems))
    times, systems = two_way_weights(*size, plan.resamples, plan.seed)
    people = _means(as_table(judged.human, judged.topic, judged.system)[0], times)
    found = []
    for row in estimates:
        table = np.full(size, np.nan)
        table[judged.topic, judged.system] = row
        found.append(_mean_gap(_means(table, times), people, systems))
    return BootstrapSamples.from_rows(found)


def _means(table: Floats, weights: Floats) -> Floats:
    """Shape (1 + resamples, systems), of values of shape (topics, systems)."""
    known = ~np.isnan(table)
    return safe_divide(weights @ np.where(known, table, 0.0), weights @ known.astype(np.float64))


def _estimates(
    table: Floats, people: Floats, weights: Floats, limits: tuple[float, float]
) -> Floats:
    """Shape (1 + resamples, systems): Yasuda's scores with the topics of each resample."""
    first, second = table[:, :, None], table[:, None, :]
    won = np.where(first == second, 0.5, first > second)
    compared = ~(np.isnan(first) | np.isnan(second))
    wins, total = (np.tensordot(weights, each, axes=1) for each in (won, 1.0 * compared))
    return np.array(
        [
            relative_scores(rate, score, limits)
            if np.isfinite(score).all()
            else np.full(len(score), np.nan)
            for rate, score in zip(safe_divide(wins, total), people, strict=True)
        ]
    )


def _mean_gap(estimates: Floats, people: Floats, weights: Floats) -> Floats:
    """Shape (rows,): the mean gap over the systems that have an estimate."""
    known = np.where(np.isnan(estimates) | np.isnan(people), 0.0, weights)
    apart = np.nan_to_num(np.abs(estimates - people))
    return safe_divide((known * apart).sum(axis=1), known.sum(axis=1))


def _share_ranked_alike(estimates: Floats, people: Floats, weights: Floats) -> Floats:
    """Shape (rows,): of the pairs that people rank, the share ranked alike."""
    ours, theirs = (each[:, :, None] - each[:, None, :] for each in (estimates, people))
    pairs = ((theirs > 0) & ~np.isnan(ours)) * weights[:, :, None] * weights[:, None]
    return safe_divide((pairs * (ours > 0)).sum(axis=(1, 2)), pairs.sum(axis=(1, 2)))


@dataclass(frozen=True)
class Findings:
    """What was found; None where the data lack what is needed."""

    judged: JudgedOutputs
    plan: Plan
    learned: LearnerResults
    relative: RelativeQuality | None
    """Yasuda's; None for fewer than three systems."""
    pools: PooledResults | None
    """From similar outputs; None without texts."""
    pool_gap: BootstrapSamples | None
    """Of systems by weighted means without threshold, a row for each similarity."""


def compute_findings(
    judged: JudgedOutputs,
    plan: Plan,
    similarities: OutputSimilarities | None = None,
    similar: Sequence[str] = (),
    progress: Progress = no_progress,
) -> Findings:
    """Learn scores from measures, from wins over systems, and from similar outputs.

    ``similar`` names the measures of the similarities between outputs, which texts have.
    """
    learned = evaluate_learners(judged, plan, progress)
    relative = relative_quality(judged, plan, progress) if len(judged.systems) > 2 else None
    if similarities is None:
        return Findings(judged, plan, learned, relative, None, None)
    pooled = pooled_estimates(judged, similarities, similar, plan)
    first = np.array([each.estimates[0] for each in pooled.pools])
    return Findings(judged, plan, learned, relative, pooled, system_gap(judged, first, plan))
