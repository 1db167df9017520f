"""Tables, figures, sections and JSON of the study (docs/schema/meta-hbr.schema.json)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from operator import itemgetter
from typing import Any

import numpy as np

from weps._formatting import format_interval
from weps_eval.report.document import Document, Figure, Section
from weps_eval.report.figures.intervals import IntervalRow
from weps_eval.report.tables import (
    COUNT,
    ESTIMATE,
    SHARE,
    TEXT,
    TWO,
    Column,
    Table,
    as_json,
    name_kind,
)
from weps_eval.stats.estimate import BootstrapSamples
from weps_eval.studies.base import (
    Result,
    by_measure,
    draw_intervals,
    draw_scatter,
    first_and,
    interval_note,
    section_of,
)
from weps_eval.studies.hbr.findings import CriterionFindings, Findings
from weps_eval.studies.several import known_measures, measure_points

_BRIEF, _MOST = 8, 20
"""Measures in a table on the terminal, with people and without."""
_DRAWN, _LABELLED = 30, 3
"""Rows of a figure, and the best measures with labels."""
_FEWEST = 2
"""Topics of which a mean is worth a picture."""


def report_tables(findings: Findings) -> Iterator[Table]:
    """What the terminal shows."""
    for each in findings.human_agreement:
        yield _brief_agreement_table(each, findings.source.called)
    if not findings.human_agreement:
        yield _predicted_table(findings, _MOST).brief()
        yield _systems_table(findings, _MOST)


def report_document(result: Result[Findings]) -> Document:
    """The study as a document."""
    findings = result.findings
    called = findings.source.called
    return result.document(
        "Heterogeneity based ranking",
        [
            "Amigó, Gonzalo, Giménez and Verdejo, UNED: evaluating text similarity measures "
            "without human assessments (*SEM 2012), and Amigó, Gonzalo and Verdejo, The "
            "heterogeneity principle in evaluation measures for automatic summarization (workshop "
            "on evaluation metrics, NAACL 2012). HBR ranks an output by the heterogeneity of the "
            "measures by which it is at least as good as another output, as a mean over the other "
            "outputs; it needs no human scores, weights or scales.",
        ],
        [
            *(
                Section(
                    f"Agreement by {each.criterion}",
                    figures=tuple(_figures(each, f"people-{number}", called[1])),
                    tables=(_agreement_table(each, f"people-{number}", called),),
                )
                for number, each in enumerate(findings.human_agreement, start=1)
            ),
            section_of(
                "Without people", [_predicted_table(findings), _systems_table(findings)], []
            ),
        ],
    )


def report_data(result: Result[Findings]) -> dict[str, Any]:
    """Figures by criterion, and what needs no people."""
    findings = result.findings
    return result.data(
        equal=findings.source.equal,
        equal_pairs=findings.source.equal_pairs,
        predicted=by_measure(findings.source.measures, findings.predicted),
        systems=_systems_table(findings).as_records,
        people={
            each.criterion: as_json(_criterion_data(each)) for each in findings.human_agreement
        },
    )


def _criterion_data(findings: CriterionFindings) -> dict[str, Any]:
    names = findings.names
    return {
        "auc": by_measure(names, findings.auc),
        "auc_consistent": by_measure(names, findings.auc_of(findings.consistent)),
        "pwa": findings.pwa and by_measure(names, findings.pwa),
        "worst_tenth": by_measure(names[: findings.hbr + 1], findings.worst),
        "with_people": by_measure(names, findings.human_correlation),
        "with_hbr": by_measure(findings.single, findings.predicted_single),
        "topics": int(findings.topics.ranked.sum()),
        "consistent": int(findings.consistent.sum()),
        "predictive": findings.predictive,
        "ahead_of_other_topics": findings.elsewhere,
    }


def _agreement_table(findings: CriterionFindings, key: str, called: tuple[str, str]) -> Table:
    one, several = called
    consistent, ranked = findings.consistent, findings.topics.ranked
    auc, people, predicted, worst = (
        each.estimates
        for each in (findings.auc, findings.human_correlation, findings.predicted, findings.worst)
    )
    in_consistent, in_others = (
        findings.auc_of(topics).estimates for topics in (consistent, ranked & ~consistent)
    )
    columns: list[Column[int]] = [
        Column("measure", findings.names.__getitem__, name_kind()),
        Column("AUC", auc.__getitem__, ESTIMATE),
        Column(f"consistent {several}", in_consistent.__getitem__, ESTIMATE, only="report"),
        Column(f"inconsistent {several}", in_others.__getitem__, ESTIMATE, only="report"),
    ]
    if findings.pwa:
        pwa = findings.pwa.estimates
        columns.insert(2, Column("PWA", pwa.__getitem__, ESTIMATE, only="report"))
    lowest = dict(enumerate(worst)).get
    for short, long, value, kind in (
        ("worst 10 %", "rank in the worst 10 %", lowest, TWO),
        ("r people", "r with people", people.__getitem__, ESTIMATE),
        ("r HBR", "r with HBR", predicted.__getitem__, ESTIMATE),
    ):
        columns += [
            Column(short, value, TWO, only="terminal"),
            Column(long, value, kind, only="report"),
        ]
    above = int((findings.auc.value[: findings.hbr] > 0.5).sum())
    note = (
        f"AUC: how often the better of two in one {one} is ranked higher, ties ½; above ½ for "
        f"{above} of {findings.hbr} measures.\nWorst 10 %: mean rank among measures and HBR (1: "
        f"best) over the {several} where it is lowest.\nr: Pearson's coefficient within a {one}, "
        f"mean. Consistent, no measure below ½: {consistent.sum()} of {ranked.sum()} {several}. "
        f"{interval_note(several)}"
    )
    title = f"HBR and all measures: {findings.criterion}"
    return Table(key, title, columns, known_measures(findings.auc), note)


def _brief_agreement_table(findings: CriterionFindings, called: tuple[str, str]) -> Table:
    table = _agreement_table(findings, "people", called)
    order = list(table.records)
    beside = range(findings.hbr, len(findings.names))
    judges = f"people: {findings.criterion}" if findings.pwa is None else "the key"
    title = f"Agreement with {judges}, best first ({len(order)} in all)"
    rows = first_and(order, _BRIEF, [*beside, order[-1]])
    return replace(table, title=title, records=rows).brief()


def _predicted_table(findings: Findings, most: int | None = None) -> Table:
    order = known_measures(findings.predicted)
    columns: list[Column[int]] = [
        Column("measure", findings.source.measures.__getitem__, name_kind()),
        Column("r with HBR", findings.predicted.estimates.__getitem__, ESTIMATE),
    ]
    rows, title = order[:most], "Quality of measures as HBR predicts it"
    title += f", the best {len(rows)} of {len(order)}" if len(rows) < len(order) else ", best first"
    one, several = findings.source.called
    note = f"Pearson's coefficient with HBR within a {one}, mean over {several}. No human scores."
    note += f" {interval_note(several)}"
    return Table("predicted", title, columns, rows, note)


def _systems_table(findings: Findings, most: int | None = None) -> Table:
    """Systems by their mean HBR; no rows where the source names none."""
    columns: list[Column[tuple[str, float, int]]] = [
        Column("system", itemgetter(0), TEXT, "system"),
        Column("mean HBR", itemgetter(1), SHARE, "hbr"),
        Column("outputs", itemgetter(2), COUNT, "outputs"),
    ]
    rows, title = findings.systems[:most], "Systems by HBR, without people"
    more = len(rows) < len(findings.systems)
    title += f", the best {len(rows)} of {len(findings.systems)}" if more else ""
    return Table("systems", title, columns, rows)


def _figures(findings: CriterionFindings, prefix: str, several: str) -> Iterator[Figure]:
    """AUC (workshop, figures 2 and 4), robustness (3), and predicted quality (*SEM, figure 1)."""
    shown = [("auc", "AUC of HBR and measures", findings.auc, "2 of the workshop paper.")]
    if findings.consistent.sum() >= _FEWEST:
        auc = findings.auc_of(findings.consistent)
        shown.append(
            ("consistent", f"AUC in consistent {several}", auc, "4 of the workshop paper.")
        )
    axis = f"Mean rank in the worst 10 % of {several}"
    shown.append(("worst", axis, findings.worst, "3 of the workshop paper; 1 is the best rank."))
    for key, axis, samples, source in shown:
        yield _ranks_figure(findings, f"{prefix}-{key}", axis, samples, f"As figure {source}")
    yield from _predicted_figures(findings, f"{prefix}-predicted")


def _ranks_figure(
    findings: CriterionFindings, key: str, axis: str, samples: BootstrapSamples, note: str
) -> Figure:
    order, estimates = known_measures(samples), samples.estimates
    rows = first_and(order, _DRAWN, [*range(findings.hbr, len(findings.names)), order[-1]])
    shown = [IntervalRow(findings.names[row], estimates[row], row >= findings.hbr) for row in rows]
    if left := len(order) - len(rows):
        note += f" {left} measures between the last two rows are left out."
    return draw_intervals(key, f"{axis}: {findings.criterion}", [shown], axis, note)


def _predicted_figures(findings: CriterionFindings, key: str) -> Iterator[Figure]:
    predicted, actual = findings.predicted_single, findings.actual_single
    best = [row for row in known_measures(actual) if not np.isnan(predicted.value[row])]
    if len(best) < 2:
        return
    points = measure_points(findings.single, predicted, actual, {*best[:_LABELLED], best[-1]})
    if len({each.family for each in points}) == 1:
        points = [replace(each, family="") for each in points]
    found = findings.predictive
    yield draw_scatter(
        key,
        f"Quality of measures as HBR predicts it: {findings.criterion}",
        points,
        ("Pearson with HBR", "Pearson with people"),
        f"As figure 1 of the *SEM paper (r = .94). Here r = {format_interval(found)}.",
        f"r = {found.value:.2f}",
    )
