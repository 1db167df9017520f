"""Tables, figures, sections and JSON of the study (docs/schema/meta-orange.schema.json)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan
from typing import Any, NamedTuple

import numpy as np

from weps._formatting import format_interval
from weps_eval.report.document import Document, Figure
from weps_eval.report.figures.intervals import IntervalRow
from weps_eval.report.figures.lines import Series
from weps_eval.report.figures.points import Point
from weps_eval.report.tables import (
    ESTIMATE,
    SHARE,
    SIGNED_ESTIMATE,
    Column,
    Kind,
    Table,
    as_json,
    by_name,
    name_kind,
    row_records,
)
from weps_eval.stats.arrays import Floats
from weps_eval.stats.estimate import Estimate
from weps_eval.studies.base import (
    TOPIC_INTERVALS,
    Result,
    draw_intervals,
    draw_scatter,
    draw_trends,
    interval_band,
    section_of,
)
from weps_eval.studies.orange.findings import SHARES, AcceptanceCurve, Findings
from weps_eval.studies.qarla.report import people_columns
from weps_eval.studies.several import short_name

_BRIEF, _WIDTH = 12, 48
"""Measures in a table on the terminal, and columns of their names."""
_DRAWN, _LABELLED = 70, 4
"""Rows of a figure, and measures with labels."""
_SYSTEMS = 20
"""Systems that all have labels."""


def report_tables(findings: Findings) -> Iterator[Table]:
    """What the terminal shows."""
    yield _measures_table(findings).brief(_BRIEF)
    yield from _curve_tables(findings, SHARES[:1])
    yield _stability_table(findings)


def report_document(result: Result[Findings]) -> Document:
    """The study as a document."""
    findings = result.findings
    return result.document(
        "ORANGE",
        [
            "Lin and Och, ORANGE: a method for evaluating automatic evaluation metrics for machine "
            "translation (COLING 2004), and Amigó, Giménez, Gonzalo and Màrquez, MT evaluation: "
            "human-like vs. human acceptable (COLING/ACL 2006), of which only the opening is "
            "available.",
            "ORANGE asks whether a measure ranks what people wrote (references) above what systems "
            "made (outputs), all judged by the other references; KING asks whether a reference is "
            "ahead of all outputs. Likeness to people's texts is compared with acceptability to "
            "people.",
        ],
        [
            section_of(
                "Measures that distinguish people from systems",
                [_measures_table(findings)],
                _measures_figures(findings),
            ),
            section_of(
                "Likeness and acceptability: measures",
                [_agreement_table(findings)],
                _agreement_figures(findings),
            ),
            section_of(
                "Likeness and acceptability: outputs",
                _curve_tables(findings),
                _likeness_figures(findings),
            ),
            section_of(
                "How many references it takes",
                [_stability_table(findings)],
                _stability_figures(findings),
            ),
        ],
    )


def report_data(result: Result[Findings]) -> dict[str, Any]:
    """Figures of measures, likeness against acceptability, and stability."""
    findings = result.findings
    columns = [*_measures_table(findings).columns, *_agreement_table(findings).columns[2:]]
    curves = [each for way in findings.acceptance_curves for each in _shares(findings, way)]
    return result.data(
        topics=[each.topic for each in findings.compared.topics],
        listing=findings.settings.listing,
        ties=findings.settings.ties,
        measures=by_name(columns, findings.order),
        orange_with_king=as_json(findings.with_king),
        likeness=row_records(_CURVE_COLUMNS, curves),
        stability=_stability_table(findings).as_records,
    )


def _rank(figure: Estimate) -> str:
    ends = "" if isnan(figure.low) else f" ({figure.low:.1f} to {figure.high:.1f})"
    return f"{figure.value:.1f}{ends}"


def _measures_table(findings: Findings) -> Table:
    """ORANGE in both forms, and KING, the best first."""
    ratio = findings.ratios.estimates.__getitem__
    king = findings.qarla.kings.estimates.__getitem__ if findings.qarla else lambda _: None
    columns: list[Column[int]] = [
        Column("measure", findings.compared.measures.__getitem__, name_kind(_WIDTH)),
        Column("ORANGE", findings.orange.estimates.__getitem__, ESTIMATE, "orange"),
        Column("average rank", findings.ranks.estimates.__getitem__, Kind(_rank), "average_rank"),
        Column("", ratio, key="rank_of_list", only="json"),
        Column("KING", king, SHARE, "king"),
        Column("rank of list", ratio, SHARE, only="report"),
    ]
    note = (
        "ORANGE (2006): how often a reference is ahead of an output, both judged by the other "
        f"references; higher is better. Average rank (2004, {findings.settings.listing}): 1 "
        "is the first; lower is better. KING: how often a reference is ahead of all outputs. "
    )
    if findings.with_king:
        tau = format_interval(findings.with_king, signed=True)
        note += f"Kendall's τ of ORANGE and KING: {tau}. "
    title = "How measures rank references among outputs"
    return Table("orange", title, columns, findings.order, note + TOPIC_INTERVALS)


def _agreement_table(findings: Findings) -> Table:
    """Measures by ORANGE, with their agreement with people; no rows without human scores."""
    columns: list[Column[int]] = [
        Column("measure", findings.compared.measures.__getitem__),
        Column("ORANGE", findings.orange.estimates.__getitem__, SHARE),
        *people_columns(findings.human_agreements, systems="systems", outputs="outputs"),
    ]
    return Table(
        "acceptance",
        "Measures that distinguish references from outputs, and measures that agree with people",
        columns,
        findings.order if findings.human_agreements else (),
        "Pearson's r of the mean similarity to the references with people's scores, by systems and "
        "by outputs.",
    )


class _Share(NamedTuple):
    """A share of the outputs by one definition of likeness."""

    likeness: str
    curve: AcceptanceCurve
    at: int


def _curve_column(part: str, header: str = "") -> Column[_Share]:
    """A figure of the curve; without a header for JSON only."""
    return Column(
        header,
        lambda row: getattr(row.curve, part).estimates[row.at],
        ESTIMATE,
        part,
        only="" if header else "json",
    )


_CURVE_COLUMNS: tuple[Column[_Share], ...] = (
    Column("", lambda row: row.likeness, key="likeness", only="json"),
    Column("criterion", lambda row: row.curve.criterion, key="criterion"),
    Column(
        "highest", lambda row: SHARES[row.at], Kind(lambda share: f"{100 * share:.0f} %"), "highest"
    ),
    _curve_column("acceptable"),
    _curve_column("human_like"),
    _curve_column("accepted", "likeness → accepted"),
    _curve_column("likened", "accepted → likeness"),
    Column("gap", lambda row: row.curve.gap(row.at), SIGNED_ESTIMATE, "gap"),
)


def _shares(findings: Findings, way: str, shares: Sequence[float] = SHARES) -> list[_Share]:
    curves = findings.acceptance_curves[way]
    return [_Share(way, each, at) for each in curves for at in range(len(shares))]


def _curve_tables(findings: Findings, shares: Sequence[float] = SHARES) -> Iterator[Table]:
    ways = (way for way, curves in findings.acceptance_curves.items() if curves)
    for number, way in enumerate(ways, start=1):
        yield Table(
            f"standings-{number}",
            "Likeness and acceptability of outputs",
            _CURVE_COLUMNS,
            _shares(findings, way, shares),
            f"Likeness: {way}. The place of the outputs that are highest by one criterion in the "
            "ranking by the other: 0 is the middle, 1 the place of those highest by the other "
            "itself. If likeness implies acceptability and not the reverse, the first is near 1 "
            f"and the gap above 0. {TOPIC_INTERVALS}",
        )


def _stability_table(findings: Findings) -> Table:
    """How many references ORANGE and KING need; no rows where that is unknown."""
    found = findings.stability
    columns: list[Column[int]] = []
    if found:
        columns = [
            Column("references", found.references.__getitem__, key="references"),
            Column("ORANGE", found.orange.estimates.__getitem__, ESTIMATE, "orange"),
            Column("KING", found.king.estimates.__getitem__, ESTIMATE, "king"),
            Column("ORANGE − KING", found.ahead, SIGNED_ESTIMATE),
        ]
    return Table(
        "stability",
        "How few references rank measures as all of them do: Kendall's τ",
        columns,
        range(len(found.references) if found else 0),
        f"References are drawn three times, for each topic separately. {TOPIC_INTERVALS}",
    )


def _measures_figures(findings: Findings) -> Iterator[Figure]:
    names, estimates = findings.compared.measures, findings.orange.estimates
    rows = [
        IntervalRow(short_name(names[each]), estimates[each]) for each in findings.order[:_DRAWN]
    ]
    yield draw_intervals("orange-dots", "ORANGE of measures", [rows], "ORANGE")
    if findings.qarla:
        tau = findings.with_king
        remark = f"τ = {format_interval(tau, signed=True)}" if tau else ""
        points = _points_of_measures(findings, findings.qarla.kings.value)
        axes = ("ORANGE", "KING")
        yield draw_scatter("king", "KING against ORANGE", points, axes, _MEASURE, remark)


_MEASURE = "Each point is a measure."


def _agreement_figures(findings: Findings) -> Iterator[Figure]:
    """Measures: likeness against acceptability, criterion by criterion."""
    axes = "ORANGE", "Pearson's r with people, systems"
    for number, each in enumerate(findings.human_agreements, start=1):
        title = f"ORANGE against agreement with people: {each.criterion}"
        if points := _points_of_measures(findings, each.systems.value):
            yield draw_scatter(f"acceptance-{number}", title, points, axes, _MEASURE)


def _likeness_figures(findings: Findings) -> Iterator[Figure]:
    """Systems: likeness against acceptability, criterion by criterion."""
    way = next(iter(findings.likenesses))
    for number, criterion in enumerate(findings.compared.criteria, start=1):
        means = findings.system_means(way, number - 1)
        points = [
            Point(system, *values, marked=len(means) <= _SYSTEMS)
            for system, values in means.items()
        ]
        if points:
            title = f"Likeness of systems to people against acceptability: {criterion}"
            note = f"Each point is a system. Likeness: {way}."
            yield draw_scatter(f"likeness-{number}", title, points, ("likeness", criterion), note)


def _stability_figures(findings: Findings) -> Iterator[Figure]:
    found = findings.stability
    if found is None or len(found.references) < 2:
        return
    x = np.array(found.references, dtype=np.float64)
    curves = {"ORANGE": found.orange, "KING": found.king}
    unknown = [name for name, each in curves.items() if np.isnan(each.value).all()]
    note = "Shaded: 95 % intervals over topics."
    if unknown:
        names = " and ".join(unknown)
        note = f"{names}: no line, since τ is undefined if all measures have the same value. {note}"
    yield draw_trends(
        "stability-curve",
        "Measures ranked by some references, and by all",
        [Series(name, x, each.value, interval_band(each.samples)) for name, each in curves.items()],
        ("references of each topic", "Kendall's τ with all"),
        note,
    )


def _points_of_measures(findings: Findings, values: Floats) -> list[Point]:
    """Measures by ORANGE and something else; the best by either have labels."""
    names, oranges = findings.compared.measures, findings.orange.value
    known = [each for each in range(len(names)) if np.isfinite(values[each])]
    highest = sorted(known, key=lambda each: -float(values[each]))
    marked = {*findings.order[: _LABELLED // 2], *highest[: _LABELLED // 2]}
    return [
        Point(short_name(names[each]), float(oranges[each]), float(values[each]), each in marked)
        for each in known
    ]
