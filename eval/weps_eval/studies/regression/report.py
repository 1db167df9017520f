"""Tables, figures, sections and JSON of the study (docs/schema/meta-regression.schema.json)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import nan
from operator import itemgetter
from typing import Any

import numpy as np

from weps._formatting import format_interval
from weps_eval.meta.correlation import Coefficient
from weps_eval.report.document import Document, Figure
from weps_eval.report.figures.intervals import IntervalRow
from weps_eval.report.figures.lines import GuideLine, Series
from weps_eval.report.tables import (
    COUNT,
    ESTIMATE,
    PERCENT,
    SHARE,
    SIGNED,
    SIGNED_ESTIMATE,
    TWO,
    Column,
    Kind,
    Table,
    as_json,
    by_name,
    measure_cell,
    name_kind,
)
from weps_eval.stats.estimate import BootstrapSamples
from weps_eval.studies.base import (
    SYSTEM_INTERVALS,
    TOPIC_INTERVALS,
    Result,
    draw_intervals,
    draw_trends,
    first_and,
    section_of,
)
from weps_eval.studies.regression.findings import (
    VRM,
    Findings,
    LearnerResults,
    PooledEstimates,
    PooledResults,
    RelativeQuality,
)

_BRIEF, _BRIEF_RELATIVE = 8, 5
"""Learners, and measures of Yasuda's method, on the terminal."""
_LEVELS = 1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2
"""Coverages of tables 1 and 2 of Nanba and Okumura."""
_BRIEF_LEVELS = 1.0, 0.8, 0.6, 0.4, 0.2
_MODELS = 20
_KAZAWA, _MEAN = "Kazawa, eq. 1", "weighted mean"


def report_tables(findings: Findings) -> Iterator[Table]:
    """What the terminal shows."""
    yield _brief_learners_table(findings).brief()
    yield _gap_table(findings.pools, _BRIEF_LEVELS, TWO)
    relative = _relative_table(findings.relative)
    yield replace(relative, records=relative.records[:_BRIEF_RELATIVE]).brief()


def report_document(result: Result[Findings]) -> Document:
    """Conclusions, then a section for each method."""
    findings = result.findings
    return result.document(
        "Scores of people estimated",
        [
            "Scores of people estimated: from several measures by the voted regression model (VRM; "
            "Hirao, Okumura, Yasuda and Isozaki 2007) and other regression models, all with the "
            "same cross-validation; "
            "from the scores of similar outputs (Kazawa's equation 1, and means weighted by "
            "similarity) and of other systems (Yasuda's regression), after Nanba and Okumura "
            "(COLING/ACL 2006)."
        ],
        [
            section_of(
                "Scores from several measures",
                [_learners_table(findings), _ahead_table(findings.learned)],
                [_learner_figure(findings)],
            ),
            section_of(
                "The voted regression model",
                [_variables_table(findings), _models_table(findings.learned)],
                (),
            ),
            section_of(
                "Scores from similar outputs",
                [
                    _gap_table(findings.pools, _LEVELS, SHARE),
                    _precision_table(findings.pools),
                ],
                _pool_figures(findings.pools) if findings.pools else (),
            ),
            section_of("Scores from other systems", [_relative_table(findings.relative)], ()),
        ],
    )


def report_data(result: Result[Findings]) -> dict[str, Any]:
    """Figures of learners, of VRM, and of both other methods."""
    findings, learned = result.findings, result.findings.learned
    relative = findings.relative
    return result.data(
        criterion=findings.judged.criterion,
        learners=by_name(_learners_table(findings).columns, range(len(learned.names))),
        vrm={
            "intercept": learned.model.model.intercept,
            "models": len(learned.model.subsets),
            "variables": by_name(_variables_table(findings).columns, range(len(learned.variables))),
        },
        relative=relative
        and by_name(_relative_table(relative).columns, range(len(relative.measures))),
        pools=findings.pools and _pools_data(findings.pools),
    )


def _pools_data(pools: PooledResults) -> Any:
    weighted_means = {
        pool.measure: {
            "gap": pool.gap.estimates,
            "coverage": pool.coverage,
            "precision": pool.precision.estimates,
            "best_same_pairs": pool.best_measure_precision.estimates,
        }
        for pool in pools.pools
    }
    equation = {
        pool.measure: {
            "gap": pool.gap.estimates[0],
            "precision": pool.precision.estimates[0],
            "best_same_pairs": pool.best_measure_precision.estimates[0],
        }
        for pool in pools.weighted
    }
    return as_json(
        {
            "thresholds": pools.thresholds,
            "best": pools.best,
            "best_precision": pools.best_precision.estimates[0],
            "weighted_mean": weighted_means,
            "kazawa_equation_1": equation,
        }
    )


def _learners_table(findings: Findings) -> Table:
    plan, learned, accuracy = findings.plan, findings.learned, findings.learned.accuracy
    columns: list[Column[int]] = [
        Column("learner", learned.names.__getitem__),
        Column("absolute error", accuracy.absolute.estimates.__getitem__, ESTIMATE, "absolute"),
        Column("squared error", accuracy.squared.estimates.__getitem__, ESTIMATE, "squared"),
    ]
    for level, found in (("system", accuracy.per_system), ("summary", accuracy.per_summary)):
        for kind, each in found.items():
            values = each.estimates.__getitem__
            title = f"per {level}, {kind}"
            columns.append(Column(title, values, ESTIMATE, f"per_{level}_{kind}"))
    return Table(
        "learners",
        "Learners and single measures",
        columns,
        learned.by_error,
        f"Each score is estimated by a model that has not seen its fold: {plan.folds} folds of "
        f"{plan.left_out} at most; parameters are chosen inside the other folds. Alone: simple "
        f"regression on one measure. {TOPIC_INTERVALS[:-1]}, per system over topics and systems.",
    )


def _brief_learners_table(findings: Findings) -> Table:
    learned = findings.learned
    accuracy, pearson = learned.accuracy, Coefficient.PEARSON
    columns: list[Column[int]] = [
        Column("learner", learned.names.__getitem__, name_kind()),
        Column("mean error", accuracy.absolute.estimates.__getitem__, ESTIMATE),
        Column("r per system", accuracy.per_system[pearson].value.__getitem__, TWO),
        Column("r per summary", accuracy.per_summary[pearson].value.__getitem__, TWO),
    ]
    return Table(
        "learners-brief",
        f"Scores for {findings.judged.criterion} estimated from {len(learned.variables)} measures",
        columns,
        first_and(learned.by_error, _BRIEF, [learned.names.index(VRM)]),
        "Error on the scale of people. r: Pearson's coefficient. "
        f"VRM is the mean of {len(learned.model.subsets)} regressions. {TOPIC_INTERVALS}",
    )


def _ahead_table(learned: LearnerResults) -> Table:
    others = [learned.names[each] for each in learned.by_error if learned.names[each] != VRM]
    ahead = {other: learned.ahead_in_correlation(other) for other in others}
    columns: list[Column[str]] = [
        Column("of", str),
        Column("smaller error", learned.ahead_in_error, SIGNED_ESTIMATE),
        Column("higher r per system", lambda each: ahead[each]["per system"], SIGNED_ESTIMATE),
        Column("higher r per summary", lambda each: ahead[each]["per summary"], SIGNED_ESTIMATE),
    ]
    return Table(
        "ahead",
        "How far VRM is ahead",
        columns,
        others,
        f"{TOPIC_INTERVALS[:-1]}, of r per system over topics and systems, the same ones for both.",
    )


def _variables_table(findings: Findings) -> Table:
    learned, model = findings.learned, findings.learned.model
    columns: list[Column[int]] = [
        Column("measure", learned.variables.__getitem__),
        Column("in models", model.support.__getitem__, PERCENT),
        Column("weight", model.model.weights.__getitem__, SIGNED, "weight"),
        Column("effect", learned.effects.__getitem__, SIGNED, "effect"),
        Column("", model.support.__getitem__, key="support", only="json"),
    ]
    return Table(
        "variables",
        "Variables of VRM",
        columns,
        np.argsort(-model.support, kind="stable").tolist(),
        f"Fitted to all scores: {len(model.subsets)} models within ΔAICc {findings.plan.within:g} "
        "of the best. Weight: the mean over these models, 0 for models without the measure. "
        "Effect: of one standard deviation of the measure, on the scale of people.",
    )


def _models_table(learned: LearnerResults) -> Table:
    model = learned.model
    members = [
        [each for bit, each in enumerate(learned.variables) if int(subset) >> bit & 1]
        for subset in model.subsets[:_MODELS]
    ]
    columns: list[Column[int]] = [
        Column("measures", lambda row: ", ".join(members[row])),
        Column("how many", lambda row: len(members[row]), COUNT),
        Column("ΔAICc", model.difference.__getitem__, SHARE),
    ]
    note = f"{len(members)} of {len(model.subsets)}, the best first."
    rows = range(len(members))
    return Table("models", "Models that VRM takes the mean of", columns, rows, note)


def _estimators(pools: PooledResults | None) -> list[tuple[str, PooledEstimates]]:
    """Each similarity's, Kazawa's first; none without texts."""
    if pools is None:
        return []
    pairs = zip(pools.weighted, pools.pools, strict=True)
    return [row for first, then in pairs for row in ((_KAZAWA, first), (_MEAN, then))]


def _gap_table(pools: PooledResults | None, levels: Sequence[float], kind: Kind) -> Table:
    """As tables 1 and 2 of Nanba and Okumura; no rows without texts."""

    def gap(row: tuple[str, PooledEstimates], level: float) -> float:
        name, pool = row
        at = None if name == _KAZAWA and level < 1 else pool.at(level)
        return nan if at is None else float(pool.gap.value[at])

    columns: list[Column[tuple[str, PooledEstimates]]] = [
        Column("estimator", itemgetter(0)),
        Column("similarity", lambda row: measure_cell(row[1].measure)),
        *(Column(f"{level:.1f}", partial(gap, level=level), kind) for level in levels),
    ]
    return Table(
        "gap-coverage",
        "Scores estimated from similar outputs: Gap by Coverage",
        columns,
        _estimators(pools),
        "Gap: mean distance from people's scores over the outputs that are estimated. Coverage: "
        "their share, at the highest threshold that reaches it; a dash if no threshold does. "
        f"{_KAZAWA}: weights of systems and an offset, learned from the other folds; without a "
        "threshold it covers all. Weighted mean: weighted by similarity, nothing is learned.",
    )


def _precision_table(pools: PooledResults | None) -> Table:
    """The precision of pairs, by threshold; no rows without texts."""
    if pools is None:
        return Table("pair-precision", "", (), ())
    columns: list[Column[tuple[str, PooledEstimates, int]]] = [
        Column("estimator", itemgetter(0)),
        Column("similarity", lambda row: row[1].measure),
        Column(
            "threshold", lambda row: nan if row[0] == _KAZAWA else pools.thresholds[row[2]], TWO
        ),
        Column("Coverage", lambda row: row[1].coverage[row[2]], SHARE),
        Column("Precision", lambda row: row[1].precision.estimates[row[2]], ESTIMATE),
        Column(
            "best measure, same pairs",
            lambda row: row[1].best_measure_precision.estimates[row[2]],
            ESTIMATE,
        ),
    ]
    return Table(
        "pair-precision",
        "Pairs of a topic's outputs that are ranked as people rank them",
        columns,
        [
            (name, pool, at)
            for name, pool in _estimators(pools)
            for at in dict.fromkeys(map(pool.at, _LEVELS))
            if at is not None
        ],
        f"The best single measure is {pools.best}, with "
        f"{format_interval(pools.best_precision.estimates[0])} of all pairs. Pairs that lack an "
        "estimate are left out. " + TOPIC_INTERVALS,
    )


def _relative_table(relative: RelativeQuality | None) -> Table:
    """Yasuda's regression, the smallest Gap first; no rows for fewer than three systems."""
    title = "Scores of systems by Yasuda's regression on how often they beat others"
    if relative is None:
        return Table("relative", title, (), ())
    columns: list[Column[int]] = [
        Column("measure", relative.measures.__getitem__, name_kind()),
        Column("Gap", relative.gap.estimates.__getitem__, ESTIMATE, "gap"),
        Column("Precision", relative.precision.estimates.__getitem__, ESTIMATE, "precision"),
        Column("of the measure", relative.plain.estimates.__getitem__, ESTIMATE, "plain"),
    ]
    return Table(
        "relative",
        title,
        columns,
        np.argsort(relative.gap.value, kind="stable").tolist(),
        "Gap: mean distance from people's mean scores. Precision: pairs of systems that are ranked "
        f"as people rank them. {SYSTEM_INTERVALS}",
    )


def _learner_figure(findings: Findings) -> Figure:
    learned = findings.learned
    errors, together = learned.accuracy.absolute.estimates, {VRM, *learned.rivals}
    groups = [
        [
            IntervalRow(learned.names[each], errors[each], learned.names[each] == VRM)
            for each in learned.by_error
            if (learned.names[each] in together) is several
        ]
        for several in (True, False)
    ]
    return draw_intervals(
        "errors",
        f"Error of estimated scores: {findings.judged.criterion}",
        groups,
        "mean absolute error",
        "Learners above, simple regression on each measure below, with 95 % intervals over topics. "
        "Left is better.",
    )


def _pool_figures(pools: PooledResults) -> Iterator[Figure]:
    yield draw_trends(
        "gap",
        "Gap over thresholds of similarity",
        [
            _trend(each.measure, pools, each.gap, band=number == 0)
            for number, each in enumerate(pools.pools)
        ],
        ("threshold", "Gap"),
        "Band: 95 % interval over topics, of the first similarity. At high thresholds few outputs "
        "are left.",
    )
    yield draw_trends(
        "coverage",
        "Coverage over thresholds of similarity",
        [Series(each.measure, pools.thresholds, each.coverage) for each in pools.pools],
        ("threshold", "Coverage"),
        "Share of the outputs for which another of their topic is similar enough.",
    )
    first = pools.pools[0]
    yield draw_trends(
        "precision",
        f"Precision of pairs over thresholds: {first.measure}",
        [
            _trend(_MEAN, pools, first.precision),
            _trend(f"{pools.best}, same pairs", pools, first.best_measure_precision, band=False),
        ],
        ("threshold", "Precision"),
        "As figures 1 and 2 of Nanba and Okumura: the straight line is the best single measure on "
        "all pairs. An output's own score is left out: with low thresholds, which make estimates "
        "means of the others' scores, the best outputs get the lowest.",
        [GuideLine(f"{pools.best}, all pairs", float(pools.best_precision.value[0]))],
    )


def _trend(
    label: str, pools: PooledResults, samples: BootstrapSamples, *, band: bool = True
) -> Series:
    """Over the thresholds that leave anything."""
    known = ~np.isnan(samples.value)
    ends = np.array([(each.low, each.high) for each in samples.estimates])[known].T
    shaded = (ends[0], ends[1]) if band and not np.isnan(ends).any() else None
    return Series(label, pools.thresholds[known], samples.value[known], shaded)
