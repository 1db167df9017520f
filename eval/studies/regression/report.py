"""Tables of learners, of VRM's models, and of Kazawa's and Yasuda's methods.

The study of regression as JSON knows it.

Pictures of learners, and of Kazawa's method over thresholds.

The study of regression as a document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import nan
from typing import Any

import numpy as np

from eval.meta.correlation import Coefficient
from eval.report.document import Document, Figure, Section
from eval.report.figures.canvas import available
from eval.report.figures.intervals import IntervalRow, plot_intervals
from eval.report.figures.lines import GuideLine, Series, plot_trends
from eval.report.tables import Table, measure_cell
from eval.stats.estimate import BootstrapSamples
from eval.studies.base import Result, by_measure, estimate_data, first_and, json_number
from eval.studies.regression.claims import ahead_in_correlation, ahead_in_error
from eval.studies.regression.findings import Findings
from eval.studies.regression.learners import VRM, LearnerResults
from eval.studies.regression.outputs import (
    COVERAGE_LEVELS,
    PooledEstimates,
    PooledResults,
    RelativeQuality,
)
from weps._formatting import format_interval, format_number, format_percentage, format_signed

__all__ = [
    "brief_tables",
    "build_document",
    "learner_figure",
    "learner_tables",
    "pool_figures",
    "pool_tables",
    "relative_table",
    "study_data",
    "vote_tables",
]


def study_data(study: Result[Findings]) -> dict[str, Any]:
    """docs/schema/meta-regression.schema.json."""
    findings = study.findings
    return study.data(
        criterion=findings.judged.criterion,
        learners=_learners(findings.learned),
        vrm=_model(findings.learned),
        relative=_relative(findings.relative) if findings.relative else None,
        pools=_pools(findings.pools) if findings.pools else None,
    )


def _learners(found: LearnerResults) -> dict[str, Any]:
    accuracy = found.accuracy
    columns = {
        "absolute": by_measure(found.names, accuracy.absolute),
        "squared": by_measure(found.names, accuracy.squared),
        **{
            f"{what}_{kind}": by_measure(found.names, each)
            for what, drawn in (
                ("per_system", accuracy.per_system),
                ("per_summary", accuracy.per_summary),
            )
            for kind, each in drawn.items()
        },
    }
    return {name: {what: each[name] for what, each in columns.items()} for name in found.names}


def _model(found: LearnerResults) -> dict[str, Any]:
    model = found.model
    return {
        "intercept": model.model.intercept,
        "models": len(model.subsets),
        "variables": {
            name: {"weight": weight, "effect": effect, "support": support}
            for name, weight, effect, support in zip(
                found.variables,
                model.model.weights.tolist(),
                found.effects.tolist(),
                model.support.tolist(),
                strict=True,
            )
        },
    }


def _relative(found: RelativeQuality) -> dict[str, Any]:
    parts = {
        name: by_measure(found.measures, getattr(found, name))
        for name in ("gap", "precision", "plain")
    }
    return {name: {part: each[name] for part, each in parts.items()} for name in found.measures}


def _pools(found: PooledResults) -> dict[str, Any]:
    return {
        "thresholds": found.thresholds.tolist(),
        "best": found.best,
        "best_precision": estimate_data(found.best_precision.estimates[0]),
        "similarities": {
            pool.measure: {
                "gap": _rows(pool.gap),
                "coverage": list(map(json_number, pool.coverage.tolist())),
                "precision": _rows(pool.precision),
                "best_same_pairs": _rows(pool.best_measure_precision),
            }
            for pool in found.pools
        },
    }


def _rows(samples: BootstrapSamples) -> list[dict[str, float | None]]:
    return [estimate_data(each) for each in samples.estimates]


def learner_figure(findings: Findings) -> Figure:
    """The error of learners and of measures alone."""
    found = findings.learned
    errors = found.accuracy.absolute
    together = {VRM, *found.rivals}
    order = np.argsort(errors.value, kind="stable").tolist()
    groups = [
        [
            IntervalRow(found.names[each], errors.estimates[each], found.names[each] == VRM)
            for each in order
            if (found.names[each] in together) is several
        ]
        for several in (True, False)
    ]
    title = f"Error of estimated scores: {findings.judged.criterion}"
    return Figure(
        "errors",
        title,
        plot_intervals(groups, title, "mean absolute error") if available() else None,
        "Learners above, simple regression on each measure below, with 95 % intervals over topics. "
        "Left is better.",
    )


def pool_figures(pools: PooledResults) -> Iterator[Figure]:
    """Gap, Coverage and the precision of pairs, over thresholds."""
    yield _figure(
        ("gap", "Gap over thresholds of similarity"),
        [
            _trend(each.measure, pools, each.gap, band=number == 0)
            for number, each in enumerate(pools.pools)
        ],
        "Gap",
        "Band: 95 % interval over topics, of the first similarity. At high thresholds few outputs "
        "are left.",
    )
    yield _figure(
        ("coverage", "Coverage over thresholds of similarity"),
        [Series(each.measure, pools.thresholds, each.coverage) for each in pools.pools],
        "Coverage",
        "Share of the outputs for which another of their topic is similar enough.",
    )
    first = pools.pools[0]
    yield _figure(
        ("precision", f"Precision of pairs over thresholds: {first.measure}"),
        [
            _trend("Kazawa's method", pools, first.precision),
            _trend(f"{pools.best}, same pairs", pools, first.best_measure_precision, band=False),
        ],
        "Precision",
        "As figures 1 and 2 of Nanba and Okumura: the straight line is the best single measure on "
        "all pairs. An output's own score is left out: with low thresholds, which make estimates "
        "means of the others' scores, the best outputs get the lowest.",
        [GuideLine(f"{pools.best}, all pairs", float(pools.best_precision.value[0]))],
    )


def _trend(
    label: str, pools: PooledResults, samples: BootstrapSamples, *, band: bool = True
) -> Series:
    estimates = samples.estimates
    known = [at for at, each in enumerate(estimates) if not np.isnan(each.value)]
    ends = np.array([[estimates[at].low, estimates[at].high] for at in known]).T
    has_band = band and not np.isnan(ends).any()
    return Series(
        label,
        pools.thresholds[known],
        samples.value[known],
        (ends[0], ends[1]) if has_band else None,
    )


def _figure(
    name: tuple[str, str],
    lines: list[Series],
    axis: str,
    note: str,
    guides: Sequence[GuideLine] = (),
) -> Figure:
    key, title = name
    shown = [line for line in lines if len(line.x)]
    if not shown or not available():
        return Figure(key, title, None, note)
    picture = plot_trends(shown, title, x="threshold", y=axis, guides=guides)
    return Figure(key, title, picture, note)


_MODELS = 20


def brief_tables(findings: Findings) -> Iterator[Table]:
    """The best learners, and what else was found, for the terminal."""
    found = findings.learned
    order = first_and(_by_error(findings), 8, [found.names.index(VRM)])
    per = [
        each[Coefficient.PEARSON].value
        for each in (found.accuracy.per_system, found.accuracy.per_summary)
    ]
    rows = [
        [
            measure_cell(found.names[each]),
            format_interval(found.accuracy.absolute.estimates[each], 2),
        ]
        + [format_number(column[each], 2) for column in per]
        for each in order
    ]
    yield Table.of_text(
        "learners-brief",
        f"Scores for {findings.judged.criterion} estimated from {len(found.variables)} measures",
        [["learner", "mean error", "r per system", "r per summary"], *rows],
        "Error on the scale of people, with 95 % interval over topics. r: Pearson's coefficient. "
        f"VRM is the mean of {len(found.model.subsets)} regressions.",
    )
    if findings.pools is not None:
        yield _gap_table(findings.pools, [1.0, 0.8, 0.6, 0.4, 0.2], 2)
    if findings.relative is not None:
        yield relative_table(findings.relative, 5)


def learner_tables(findings: Findings) -> Iterator[Table]:
    """Error and correlation of every learner, and what VRM is ahead."""
    found = findings.learned.accuracy
    columns = {
        "absolute error": found.absolute.estimates,
        "squared error": found.squared.estimates,
        **{
            f"{what}, {kind}": drawn[kind].estimates
            for what, drawn in (
                ("per system", found.per_system),
                ("per summary", found.per_summary),
            )
            for kind in drawn
        },
    }
    names = findings.learned.names
    rows = [
        [names[each], *(format_interval(column[each]) for column in columns.values())]
        for each in _by_error(findings)
    ]
    plan = findings.plan
    yield Table.of_text(
        "learners",
        "Learners and measures alone",
        [["learner", *columns], *rows],
        f"Each score is estimated by a model that has not seen its fold: {plan.folds} folds of "
        f"{plan.left_out} at most; parameters are chosen inside the other folds. Alone: simple "
        "regression on one measure. In brackets: 95 % interval, bootstrapped over topics.",
    )
    rows = [
        [name, format_interval(ahead_in_error(findings, name), signed=True)]
        + [
            format_interval(each, signed=True)
            for each in ahead_in_correlation(findings, name).values()
        ]
        for name in (names[each] for each in _by_error(findings))
        if name != VRM
    ]
    yield Table.of_text(
        "ahead",
        "How far VRM is ahead",
        [["of", "smaller error", "higher r per system", "higher r per summary"], *rows],
        "Differences, with 95 % intervals, bootstrapped over topics; the same topics are drawn for "
        "both.",
    )


def vote_tables(findings: Findings) -> Iterator[Table]:
    """VRM of all scores: its variables and its models."""
    found = findings.learned
    order = np.argsort(-found.model.support, kind="stable").tolist()
    yield Table.of_text(
        "variables",
        "Variables of VRM",
        [
            ["measure", "in models", "weight", "effect"],
            *(
                [
                    found.variables[each],
                    format_percentage(float(found.model.support[each])),
                    format_signed(float(found.model.model.weights[each])),
                    format_signed(float(found.effects[each])),
                ]
                for each in order
            ),
        ],
        f"Of all scores, {len(found.model.subsets)} models within ΔAICc {findings.plan.within:g} "
        "of the best. Weight: the mean over these models, 0 where one has not the measure. Effect: "
        "of one standard deviation of the measure, on the scale of people.",
    )
    rows = [
        [
            ", ".join(found.variables[each] for each in _members(int(subset))),
            str(len(_members(int(subset)))),
            format_number(float(above)),
        ]
        for subset, above in zip(
            found.model.subsets[:_MODELS], found.model.difference[:_MODELS], strict=True
        )
    ]
    if rows:
        yield Table.of_text(
            "models",
            "Models that VRM takes the mean of",
            [["measures", "how many", "ΔAICc"], *rows],
            f"{len(rows)} of {len(found.model.subsets)}, the best first.",
        )


def pool_tables(pools: PooledResults) -> Iterator[Table]:
    """As tables 1 and 2 of Nanba and Okumura, and the precision of pairs."""
    yield _gap_table(pools, COVERAGE_LEVELS, 3)
    rows = [
        [
            pool.measure,
            format_number(float(pools.thresholds[at]), 2),
            format_number(float(pool.coverage[at])),
            format_interval(pool.precision.estimates[at]),
            format_interval(pool.best_measure_precision.estimates[at]),
        ]
        for pool in pools.pools
        for at in pool.threshold_rows(COVERAGE_LEVELS)
    ]
    yield Table.of_text(
        "pair-precision",
        "Pairs of a topic's outputs that are ranked as people rank them",
        [["similarity", "threshold", "Coverage", "Precision", "best measure, same pairs"], *rows],
        f"The best single measure is {pools.best}, with "
        f"{format_interval(pools.best_precision.estimates[0])} of all pairs. Pairs that lack an "
        "estimate are left out. In brackets: 95 % interval, bootstrapped over topics.",
    )


def relative_table(found: RelativeQuality, most: int | None = None) -> Table:
    """Yasuda's regression, measure by measure, the smallest Gap first."""
    order = np.argsort(found.gap.value, kind="stable").tolist()[:most]
    decimals = 2 if most else 3
    rows = [
        [
            measure_cell(found.measures[each]) if most else found.measures[each],
            *(
                format_interval(part.estimates[each], decimals)
                for part in (found.gap, found.precision, found.plain)
            ),
        ]
        for each in order
    ]
    return Table.of_text(
        "relative",
        "Scores of systems by Yasuda's regression on how often they beat others",
        [["measure", "Gap", "Precision", "of the measure"], *rows],
        "Gap: mean distance from people's mean scores. Precision: pairs of systems that are ranked "
        "as people rank them. With 95 % intervals over topics.",
    )


def _gap_table(pools: PooledResults, levels: Sequence[float], decimals: int) -> Table:
    rows = [[measure_cell(pool.measure), *_gaps(pool, levels, decimals)] for pool in pools.pools]
    return Table.of_text(
        "gap-coverage",
        "Scores estimated from similar outputs (Kazawa's method): Gap by Coverage",
        [["similarity", *(f"{level:.1f}" for level in levels)], *rows],
        "Gap: mean distance from people's scores, of the outputs that are estimated. Coverage: "
        "how many are, with the highest threshold that leaves so many. A dash: no threshold does.",
    )


def _gaps(pool: PooledEstimates, levels: Sequence[float], decimals: int) -> list[str]:
    found = (pool.at(level) for level in levels)
    gaps = (nan if at is None else float(pool.gap.value[at]) for at in found)
    return [format_number(gap, decimals) for gap in gaps]


def _members(subset: int) -> list[int]:
    return [bit for bit in range(subset.bit_length()) if subset >> bit & 1]


def _by_error(findings: Findings) -> list[int]:
    errors = findings.learned.accuracy.absolute.value
    order: list[int] = np.argsort(errors, kind="stable").tolist()
    return order


_SUMMARY = (
    "Scores of people estimated: from several measures by the voted regression model (VRM; Hirao, "
    "Okumura, Yasuda and Isozaki 2007) and its rivals under one cross-validation; from the scores "
    "of similar outputs (Kazawa's method) and of other systems (Yasuda's), after Nanba and Okumura "
    "(COLING/ACL 2006)."
)


def build_document(study: Result[Findings]) -> Document:
    """Conclusions, then a section for each method."""
    return study.document("Scores of people estimated", [_SUMMARY], _sections(study.findings))


def _sections(findings: Findings) -> Iterator[Section]:
    yield Section(
        "Scores from several measures",
        figures=(learner_figure(findings),),
        tables=tuple(learner_tables(findings)),
    )
    yield Section("The voted regression model", tables=tuple(vote_tables(findings)))
    if findings.pools is not None:
        yield Section(
            "Scores from similar outputs",
            figures=tuple(pool_figures(findings.pools)),
            tables=tuple(pool_tables(findings.pools)),
        )
    if findings.relative is not None:
        yield Section("Scores from other systems", tables=(relative_table(findings.relative),))
