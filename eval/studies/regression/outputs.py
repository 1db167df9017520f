"""Scores estimated from other outputs: Kazawa's estimator, and Yasuda's regression for systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

import numpy as np

from eval.meta.judged import as_table
from eval.meta.regression.accuracy import pair_precision
from eval.meta.regression.outputs import pooled_pairs, pooled_scores, relative_scores
from eval.stats.arrays import Floats
from eval.stats.estimate import (
    RESAMPLES,
    BootstrapSamples,
    bootstrap_shares,
    bootstrap_weights,
    safe_divide,
)
from eval.studies.measures import JudgedOutputs
from eval.studies.several import select_measures
from eval.text.measures.topic import TextTools, TopicTexts
from eval.text.registry import Measure
from eval.text.scoring import measure_similarities
from eval.text.testbed import Testbed, Topic
from weps._parallel import Progress, no_progress, parallel_map

__all__ = [
    "COVERAGE_LEVELS",
    "OutputSimilarities",
    "PooledEstimates",
    "PooledResults",
    "RelativeQuality",
    "output_similarities",
    "pooled_estimates",
    "relative_quality",
    "system_gap",
]

OutputSimilarities: TypeAlias = Mapping[int, Floats]
"""Topic → shape (measures, outputs, outputs), outputs as they are judged."""

COVERAGE_LEVELS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2)
"""Coverages of the paper's tables 1 and 2."""
_STEPS = 51
_DECIMALS = 12
"""Of differences that count, so that equal scores are equal however they are added up."""


def output_similarities(  # noqa: PLR0913 - whose outputs, by what, and how
    judged: JudgedOutputs,
    testbed: Testbed,
    measures: Sequence[Measure],
    tools: TextTools,
    *,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> OutputSimilarities:
    """Every judged output of a topic compared with every other, by every measure.

    Rows are the compared texts, columns those that stand in for a reference.

    Args:
        judged: of the testbed's outputs.
        testbed: their texts.
        measures: by which they are compared.
        tools: what measures need.
        jobs: processes.
        progress: hears how many topics are done.

    Raises:
        ValuesError: if a measure is not defined for a text.
    """
    wanted = [
        _restrict_topic(topic, judged) for topic in testbed.topics if topic.topic in judged.topics
    ]
    work = partial(_compare_topic, measures=tuple(map(str, measures)), tools=tools)
    found: dict[int, Floats] = {}
    progress("comparing outputs", 0, len(wanted))
    for topic, table in zip(wanted, parallel_map(work, wanted, jobs), strict=True):
        found[judged.topics.index(topic.topic)] = table
        progress("comparing outputs", len(found), len(wanted))
    return found


def _restrict_topic(topic: Topic, judged: JudgedOutputs) -> Topic:
    """The topic with the outputs that were judged, in that order."""
    outputs = {output.system: output for output in topic.outputs}
    rows = np.flatnonzero(judged.topic == judged.topics.index(topic.topic))
    systems = (judged.systems[each] for each in judged.system[rows].tolist())
    return replace(topic, outputs=tuple(outputs[each] for each in systems))


def _compare_topic(topic: Topic, measures: Sequence[str], tools: TextTools) -> Floats:
    desk = TopicTexts(topic, tools)
    texts = [output.text for output in topic.outputs]
    return np.array(
        [measure_similarities(Measure.parse(each), desk, texts, texts) for each in measures]
    )


@dataclass(frozen=True, slots=True, eq=False)
class PooledEstimates:
    """Estimates by one measure of similarity; figures have a row for each threshold."""

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

    def threshold_rows(self, coverages: Sequence[float]) -> list[int]:
        """The different thresholds of several coverages, rising."""
        found = {self.at(coverage) for coverage in coverages}
        return sorted(each for each in found if each is not None)


@dataclass(frozen=True, slots=True, eq=False)
class PooledResults:
    """Kazawa's estimator by several measures of similarity."""

    thresholds: Floats
    pools: tuple[PooledEstimates, ...]
    best: str
    """The single measure that ranks most pairs as people do."""
    best_precision: BootstrapSamples
    """Over all pairs, one row."""


def pooled_estimates(
    judged: JudgedOutputs,
    similarities: OutputSimilarities,
    measures: Sequence[str],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> PooledResults:
    """Estimate every score from those of the other outputs of its topic.

    Args:
        judged: outputs with people's scores, and single measures.
        similarities: similarities between outputs.
        measures: by which they are alike.
        resamples: how many, of topics.
        seed: for the resamples.

    Raises:
        ValuesError: if a similarity is below 0.
    """
    most = max(1.0, *(float(table.max()) for table in similarities.values()))
    thresholds = np.linspace(0, most, _STEPS)
    ranked = _precision(judged, judged.values, resamples, seed)
    best = int(np.nanargmax(ranked.value))
    found = []
    for number, measure in enumerate(measures):
        estimates = np.full((_STEPS, len(judged.human)), np.nan)
        for topic, tables in similarities.items():
            rows = np.flatnonzero(judged.topic == topic)
            estimates[:, rows] = pooled_scores(tables[number], judged.human[rows], thresholds)
        own, rival = _count_ranked_alike(
            judged, similarities, number, thresholds, judged.values[best]
        )
        found.append(
            PooledEstimates(
                measure,
                estimates,
                _gap(judged, estimates, resamples, seed),
                (~np.isnan(estimates)).mean(axis=1),
                bootstrap_shares(*own, resamples=resamples, seed=seed),
                bootstrap_shares(*rival, resamples=resamples, seed=seed),
            )
        )
    highest = select_measures(ranked, [best])
    return PooledResults(thresholds, tuple(found), judged.measures[best], highest)


def _count_ranked_alike(
    judged: JudgedOutputs,
    similarities: OutputSimilarities,
    number: int,
    thresholds: Floats,
    values: Floats,
) -> tuple[Floats, Floats]:
    """Pairs ranked as people rank them and all pairs: by the estimates, by a measure's values.

    Shape (2, thresholds, topics) each.
    """
    own, rival = np.zeros((2, 2, len(thresholds), len(judged.topics)))
    for topic, tables in similarities.items():
        rows = np.flatnonzero(judged.topic == topic)
        human, measure = judged.human[rows], values[rows]
        plain = measure[:, None] - measure
        for at, limit in enumerate(thresholds.tolist()):
            scores = pooled_pairs(tables[number], human, limit)
            ahead = (scores - scores.T).round(_DECIMALS)
            own[:, at, topic] = _concordant_pairs(ahead, human)
            rival[:, at, topic] = _concordant_pairs(np.where(np.isnan(ahead), np.nan, plain), human)
    return own, rival


def _concordant_pairs(ahead: Floats, human: Floats) -> tuple[int, int]:
    """How many pairs are ranked as people rank them, and how many there are."""
    pairs = (human[:, None] > human) & ~np.isnan(ahead)
    return int((pairs & (ahead > 0)).sum()), int(pairs.sum())


def _gap(judged: JudgedOutputs, estimates: Floats, resamples: int, seed: int) -> BootstrapSamples:
    known = ~np.isnan(estimates)
    apart = np.where(known, np.abs(estimates - judged.human), 0.0)
    sums, counts = (
        np.array([np.bincount(judged.topic, row, len(judged.topics)) for row in rows])
        for rows in (apart, known)
    )
    return bootstrap_shares(sums, counts, resamples=resamples, seed=seed)


def _precision(judged: JudgedOutputs, rows: Floats, resamples: int, seed: int) -> BootstrapSamples:
    tallies = [pair_precision(each, judged.human, judged.topic) for each in rows]
    hits, total = (
        np.array([np.diagonal(getattr(each, part)) for each in tallies])
        for part in ("hits", "total")
    )
    return bootstrap_shares(hits, total, resamples=resamples, seed=seed)


@dataclass(frozen=True, slots=True, eq=False)
class RelativeQuality:
    """Of each measure; topics are drawn."""

    measures: tuple[str, ...]
    gap: BootstrapSamples
    """Mean over systems of |estimate - mean score by people|."""
    precision: BootstrapSamples
    """Share of the pairs of systems that the estimates rank as people do."""
    plain: BootstrapSamples
    """The same of the measure's means."""


def relative_quality(
    judged: JudgedOutputs,
    rows: Sequence[int],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    progress: Progress = no_progress,
) -> RelativeQuality:
    """Estimate every system's score from those of the others, measure by measure.

    Args:
        judged: outputs with people's scores.
        rows: numbers of measures.
        resamples: how many.
        seed: for the resamples.
        progress: hears how many measures are done.
    """
    table = as_table(
        np.vstack([judged.human, judged.values[list(rows)]]), judged.topic, judged.system
    )
    times = bootstrap_weights(table.shape[1], resamples, seed)
    people, *ours = (_means(each, times) for each in table)
    limits = (float(judged.human.min()), float(judged.human.max()))
    found = []
    for done, each in enumerate(table[1:]):
        progress("estimating systems", done, len(rows))
        found.append(_estimates(each, people, times, limits))
    progress("estimating systems", len(rows), len(rows))
    names = tuple(judged.measures[each] for each in rows)
    return RelativeQuality(
        names,
        _samples([_mean_gap(each, people) for each in found]),
        _samples([_share_ranked_alike(each, people) for each in found]),
        _samples([_share_ranked_alike(each, people) for each in ours]),
    )


def system_gap(
    judged: JudgedOutputs, estimates: Floats, *, resamples: int = RESAMPLES, seed: int = 0
) -> BootstrapSamples:
    """The gap between the means of systems, of estimates of single outputs.

    Args:
        judged: outputs with people's scores.
        estimates: shape (rows, instances); NaN where there is none.
        resamples: how many.
        seed: for the resamples.
    """
    size = (len(judged.topics), len(judged.systems))
    times = bootstrap_weights(size[0], resamples, seed)
    people = _means(as_table(judged.human, judged.topic, judged.system)[0], times)
    found = []
    for row in estimates:
        table = np.full(size, np.nan)
        table[judged.topic, judged.system] = row
        found.append(_mean_gap(_means(table, times), people))
    return _samples(found)


def _samples(rows: Sequence[Floats]) -> BootstrapSamples:
    """Of rows of a figure followed by its resamples."""
    table = np.array(rows)
    return BootstrapSamples(table[:, 0], table[:, 1:])


def _means(table: Floats, weights: Floats) -> Floats:
    """Shape (1 + resamples, systems), of values of shape (topics, systems)."""
    known = ~np.isnan(table)
    return safe_divide(weights @ np.where(known, table, 0.0), weights @ known.astype(np.float64))


def _estimates(
    table: Floats, people: Floats, weights: Floats, limits: tuple[float, float]
) -> Floats:
    """Shape (1 + resamples, systems): Yasuda's scores with the topics as drawn."""
    first, second = table[:, :, None], table[:, None, :]
    won = np.where(first == second, 0.5, first > second)
    both = ~(np.isnan(first) | np.isnan(second))
    shape = (len(weights), *both.shape[1:])
    wins, total = (
        (weights @ (each * both).reshape(len(table), -1)).reshape(shape) for each in (won, 1.0)
    )
    return np.array(
        [
            relative_scores(rate, score, limits)
            if np.isfinite(score).all()
            else np.full(len(score), np.nan)
            for rate, score in zip(safe_divide(wins, total), people, strict=True)
        ]
    )


def _mean_gap(estimates: Floats, people: Floats) -> Floats:
    """Shape (columns,): the mean gap over the systems that have an estimate."""
    known = ~np.isnan(estimates) & ~np.isnan(people)
    apart = np.where(known, np.abs(estimates - people), 0.0)
    return safe_divide(apart.sum(axis=1), known.sum(axis=1))


def _share_ranked_alike(estimates: Floats, people: Floats) -> Floats:
    """Shape (columns,): of the pairs that people rank, the share ranked alike."""
    ours, theirs = (each[:, :, None] - each[:, None, :] for each in (estimates, people))
    pairs = (theirs > 0) & ~np.isnan(ours)
    return safe_divide((pairs & (ours > 0)).sum(axis=(1, 2)), pairs.sum(axis=(1, 2)))
