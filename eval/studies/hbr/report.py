"""HBR beside the measures, as tables.

The study of HBR as JSON knows it (docs/schema/meta-hbr.schema.json).

Pictures of HBR beside the measures.

The study of HBR as a document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from eval.report.document import Document, Figure, Section
from eval.report.figures.canvas import available
from eval.report.figures.intervals import IntervalRow, plot_intervals
from eval.report.figures.points import Point, plot_scatter
from eval.report.tables import Table, measure_cell
from eval.stats.estimate import Estimate
from eval.studies.base import Result, by_measure, estimate_data, first_and
from eval.studies.hbr.findings import CriterionFindings, Findings
from eval.studies.several import known_measures, measure_kind_of
from weps._formatting import format_interval, format_number

__all__ = [
    "agreement_table",
    "brief_agreement_table",
    "build_document",
    "build_figures",
    "predicted_table",
    "study_data",
    "systems_table",
]


def study_data(study: Result[Findings]) -> dict[str, Any]:
    """Signature, figures by criterion, verdicts, and what needs no people."""
    findings = study.findings
    return study.data(
        predicted=by_measure(findings.source.measures, findings.predicted),
        systems=[
            {"system": name, "hbr": value, "outputs": count}
            for name, value, count in findings.systems
        ],
        people={each.criterion: _criterion_data(each) for each in findings.human_agreement},
    )


def _criterion_data(findings: CriterionFindings) -> dict[str, Any]:
    names = findings.names
    return {
        "auc": by_measure(names, findings.auc),
        "auc_consistent": by_measure(names, findings.auc_of(findings.consistent)),
        "pwa": by_measure(names, findings.pwa) if findings.pwa else None,
        "worst_tenth": by_measure(names[: findings.hbr + 1], findings.worst),
        "with_people": by_measure(names, findings.human_correlation),
        "with_hbr": by_measure(names[: findings.hbr], findings.predicted_single),
        "topics": int(findings.topics.ranked.sum()),
        "consistent": int(findings.consistent.sum()),
        "predictive": estimate_data(findings.predictive),
        "ahead_of_other_topics": estimate_data(findings.elsewhere),
    }


_ROWS = 30
_FEWEST = 2
"""Topics of which a mean is worth a picture."""
_LABELS = 3


def build_figures(findings: CriterionFindings, prefix: str, several: str) -> Iterator[Figure]:
    """AUC (workshop, figures 2 and 4), robustness (3), and predicted quality (*SEM, figure 1)."""
    yield _dots(
        findings,
        f"{prefix}-auc",
        f"AUC of HBR and measures: {findings.criterion}",
        estimates=findings.auc.estimates,
        order=known_measures(findings.auc),
        note="As figure 2 of the workshop paper.",
    )
    if findings.consistent.sum() >= _FEWEST:
        found = findings.auc_of(findings.consistent)
        yield _dots(
            findings,
            f"{prefix}-consistent",
            f"AUC in consistent {several}: {findings.criterion}",
            estimates=found.estimates,
            order=known_measures(found),
            note="As figure 4 of the workshop paper.",
        )
    yield _dots(
        findings,
        f"{prefix}-worst",
        f"Mean rank in the worst 10 % of {several}: {findings.criterion}",
        estimates=findings.worst.estimates,
        order=known_measures(findings.worst),
        note="As figure 3 of the workshop paper; 1 is the best rank.",
    )
    yield from _predicted(findings, prefix)


def _dots(  # noqa: PLR0913 - a figure and what stands in it
    findings: CriterionFindings,
    key: str,
    title: str,
    *,
    estimates: tuple[Estimate, ...],
    order: list[int],
    note: str,
) -> Figure:
    rows = first_and(order, _ROWS, [*range(findings.hbr, len(findings.names)), order[-1]])
    entries = [
        IntervalRow(findings.names[row], estimates[row], row >= findings.hbr) for row in rows
    ]
    left = len(order) - len(rows)
    told = f" {left} measures between the last two rows are left out." if left else ""
    axis = title.partition(":")[0]
    shown = plot_intervals([entries], title, axis) if available() else None
    return Figure(key, title, shown, note + told)


def _predicted(findings: CriterionFindings, prefix: str) -> Iterator[Figure]:
    """Agreement with people against agreement with HBR, a point for each measure."""
    predicted, actual = (
        each.value[: findings.hbr] for each in (findings.predicted, findings.human_correlation)
    )
    rows = np.flatnonzero(~np.isnan(predicted + actual)).tolist()
    if len(rows) < 2:
        return
    best = sorted(rows, key=lambda row: -actual[row])
    marked = {*best[:_LABELS], best[-1]}
    kinds = [measure_kind_of(findings.names[row]) for row in rows]
    points = [
        Point(
            findings.names[row],
            float(predicted[row]),
            float(actual[row]),
            row in marked,
            kind if len(set(kinds)) > 1 else "",
        )
        for row, kind in zip(rows, kinds, strict=True)
    ]
    title = f"Quality of measures as HBR predicts it: {findings.criterion}"
    yield Figure(
        f"{prefix}-predicted",
        title,
        plot_scatter(
            points,
            title,
            x="Pearson with HBR",
            y="Pearson with people",
            correlation=f"r = {findings.predictive.value:.2f}",
            alike=False,
        )
        if available()
        else None,
        "As figure 1 of the *SEM paper (r = .94). Here r = "
        f"{format_interval(findings.predictive)}.",
    )


_FEW = 8
_MOST = 20


def brief_agreement_table(findings: CriterionFindings, called: tuple[str, str]) -> Table:
    """The best measures, HBR and the worst one, for the terminal."""
    order = known_measures(findings.auc)
    beside = range(findings.hbr, len(findings.names))
    rows = first_and(order, _FEW, [*beside, order[-1]])
    cells = [
        [
            measure_cell(findings.names[row]),
            format_interval(findings.auc.estimates[row]),
            _lowest(findings, row),
            format_number(float(findings.human_correlation.value[row]), 2),
            format_number(float(findings.predicted.value[row]), 2),
        ]
        for row in rows
    ]
    heading = ["measure", "AUC", "worst 10 %", "r people", "r HBR"]
    title = f"Agreement with {_label_criterion(findings)}, best first ({len(order)} in all)"
    return Table.of_text(
        f"people-{findings.criterion}", title, [heading, *cells], _meaning(findings, called)
    )


def agreement_table(findings: CriterionFindings, key: str, called: tuple[str, str]) -> Table:
    """All of them, for the document."""
    even, odd = (findings.auc_of(each) for each in _halves(findings))
    heading = [
        "measure",
        "AUC",
        f"consistent {called[1]}",
        f"inconsistent {called[1]}",
        "rank in the worst 10 %",
        "r with people",
        "r with HBR",
    ]
    if findings.pwa:
        heading.insert(2, "PWA")
    rows = []
    for row in known_measures(findings.auc):
        cells = [
            findings.names[row],
            format_interval(findings.auc.estimates[row]),
            format_interval(even.estimates[row]),
            format_interval(odd.estimates[row]),
            _lowest(findings, row),
            format_interval(findings.human_correlation.estimates[row]),
            format_interval(findings.predicted.estimates[row]),
        ]
        if findings.pwa:
            cells.insert(2, format_interval(findings.pwa.estimates[row]))
        rows.append(cells)
    title = f"HBR and all measures: {findings.criterion}"
    return Table.of_text(key, title, [heading, *rows], _meaning(findings, called))


def predicted_table(findings: Findings, most: int | None = _MOST) -> Table:
    """What HBR predicts of measures without people, best first."""
    rows = known_measures(findings.predicted)
    cells = [
        [findings.source.measures[row], format_interval(findings.predicted.estimates[row])]
        for row in rows[:most]
    ]
    for row in cells:
        row[0] = measure_cell(row[0]) if most else row[0]
    title = "Quality of measures as HBR predicts it"
    title += f", the best {len(cells)} of {len(rows)}" if len(cells) < len(rows) else ", best first"
    one, several = findings.source.called
    note = f"Pearson's coefficient with HBR within a {one}, mean over {several}. No human scores."
    return Table.of_text("predicted", title, [["measure", "r with HBR"], *cells], note)


def systems_table(findings: Findings, most: int | None = _MOST) -> Table:
    """Systems by their mean HBR."""
    found = findings.systems
    rows = [[name, format_number(value), f"{count:,}"] for name, value, count in found[:most]]
    title = "Systems by HBR, without people"
    title += f", the best {len(rows)} of {len(found)}" if len(rows) < len(found) else ""
    return Table.of_text("systems", title, [["system", "mean HBR", "outputs"], *rows])


def _label_criterion(findings: CriterionFindings) -> str:
    return f"people: {findings.criterion}" if findings.pwa is None else "the key"


def _meaning(findings: CriterionFindings, called: tuple[str, str]) -> str:
    one, several = called
    consistent, every = int(findings.consistent.sum()), int(findings.topics.ranked.sum())
    above = int((findings.auc.value[: findings.hbr] > 0.5).sum())
    return (
        f"AUC: how often the better of two in one {one} is ranked higher, ties ½; above ½ for "
        f"{above} of {findings.hbr} measures.\nWorst 10 %: mean rank among measures and HBR (1: "
        f"best) over the {several} where it is lowest.\nr: Pearson's coefficient within a {one}, "
        f"mean. Consistent, no measure below ½: {consistent} of {every} {several}."
    )


def _halves(findings: CriterionFindings) -> Sequence[np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    ranked = findings.topics.ranked
    return findings.consistent, ranked & ~findings.consistent


def _lowest(findings: CriterionFindings, row: int) -> str:
    return format_number(float(findings.worst.value[row]), 2) if row <= findings.hbr else "–"


def build_document(study: Result[Findings]) -> Document:
    """All tables and figures."""
    return study.document(
        "Heterogeneity based ranking",
        [
            "Amigó, Gonzalo, Giménez and Verdejo, UNED: evaluating text similarity measures "
            "without human assessments (*SEM 2012), and Amigó, Gonzalo and Verdejo, The "
            "heterogeneity principle in evaluation measures for automatic summarization (workshop "
            "on evaluation metrics, NAACL 2012). HBR ranks an output by how heterogeneous the "
            "measures are that say it is at least as good as another, mean over the others; no "
            "human scores, weights or scales.",
        ],
        _sections(study),
    )


def _sections(study: Result[Findings]) -> Iterator[Section]:
    findings = study.findings
    source = findings.source
    for number, each in enumerate(findings.human_agreement, start=1):
        prefix = f"people-{number}"
        yield Section(
            f"Agreement by {each.criterion}",
            figures=tuple(build_figures(each, prefix, source.called[1])),
            tables=(agreement_table(each, prefix, source.called),),
        )
    tables = [predicted_table(findings, None)]
    if findings.systems:
        tables.append(systems_table(findings, None))
    yield Section("Without people", tables=tables)
