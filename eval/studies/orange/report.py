"""Tables, figures, sections and JSON of the study (docs/schema/meta-orange.schema.json)."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from typing import Any, NamedTuple

import numpy as np

from eval.report.document import Document, Figure
from eval.report.figures.intervals import IntervalRow, plot_intervals
from eval.report.figures.lines import Series, plot_trends
from eval.report.figures.points import Point
from eval.report.tables import (
    ESTIMATE,
    SHARE,
    SIGNED_ESTIMATE,
    SIGNED_TWO,
    TWO_ESTIMATE,
    Column,
    Kind,
    Table,
    as_json,
    by_name,
    name,
    records,
)
from eval.stats.arrays import Floats
from eval.stats.estimate import Estimate
from eval.studies.base import Result, draw_figure, draw_scatter, interval_band, section_of
from eval.studies.orange.findings import SHARES, AcceptanceCurve, Findings
from eval.studies.pairwise import short_name
from weps._formatting import format_interval

__all__ = ["data", "document", "tables"]

_INTERVAL = "In brackets: 95 % interval, bootstrapped over topics."
_BRIEF, _WIDTH = 12, 48
"""Measures in a table on the terminal, and columns of their names."""
_DRAWN, _LABELLED = 70, 4
"""Rows of a figure, and measures with labels."""
_SYSTEMS = 20
"""Systems that all have labels."""


def tables(findings: Findings) -> Iterator[Table]:
    """What the terminal shows."""
    yield _measures_table(findings).brief(_BRIEF)
    yield from _curve_tables(findings, SHARES[:1])
    yield _stability_table(findings)


def document(result: Result[Findings]) -> Document:
    """The study as a document."""
    findings = result.findings
    return result.document(
        "ORANGE",
        [
            "Lin and Och, ORANGE: a method for evaluating automatic evaluation metrics for machine "
            "translation (COLING 2004), and Amigó, Giménez, Gonzalo and Màrquez, MT evaluation: "
            "human-like vs. human acceptable (COLING/ACL 2006), of which the opening is at hand.",
            "ORANGE asks whether a measure ranks what people wrote (references) above what systems "
            "made (outputs), all judged by the other references; KING asks for a reference ahead "
            "of all outputs. Likeness to people is put beside acceptability: what people say.",
        ],
        [
            section_of(
                "Measures that tell people from systems",
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


def data(result: Result[Findings]) -> dict[str, Any]:
    """Figures of measures, likeness against acceptability, and stability."""
    findings = result.findings
    people: Column[int] = Column("", lambda _: {}, key="people", only="json")
    columns = [*_measure_columns(findings), people, *_agreement_columns(findings)]
    curves = [each for way in findings.acceptance_curves for each in _points(findings, way)]
    return result.data(
        topics=[each.topic for each in findings.compared.topics],
        listing=findings.settings.listing,
        ties=findings.settings.ties,
        measures=by_name(columns, findings.order),
        orange_with_king=as_json(findings.with_king),
        likeness=records(_CURVE_COLUMNS, curves),
        stability=records(_STABILITY_COLUMNS, _stability(findings)),
    )


def _rank(figure: Estimate) -> str:
    ends = "" if isnan(figure.low) else f" ({figure.low:.1f} to {figure.high:.1f})"
    return f"{figure.value:.1f}{ends}"


def _measure_columns(findings: Findings) -> list[Column[int]]:
    """Of the number of a measure."""
    ratio = findings.ratios.estimates.__getitem__
    king = findings.qarla.kings.estimates.__getitem__ if findings.qarla else lambda _: None
    return [
        Column("measure", findings.compared.measures.__getitem__, name(_WIDTH)),
        Column("ORANGE", findings.orange.estimates.__getitem__, ESTIMATE, "orange"),
        Column("average rank", findings.ranks.estimates.__getitem__, Kind(_rank), "average_rank"),
        Column("", ratio, key="rank_of_list", only="json"),
        Column("KING", king, SHARE, "king"),
        Column("rank of list", ratio, SHARE, only="report"),
    ]


def _measures_table(findings: Findings) -> Table:
    """ORANGE in both forms, and KING, the best first."""
    note = (
        "ORANGE (2006): how often a reference is ahead of an output, both judged by the other "
        f"references; higher is better. Average rank (2004, {findings.settings.listing}): 1 "
        "is the first; lower is better. KING: how often a reference is ahead of all outputs. "
    )
    if findings.with_king:
        note += (
            f"Kendall's τ of ORANGE and KING: {format_interval(findings.with_king, signed=True)}. "
        )
    title = "How measures rank references among outputs"
    return Table("orange", title, _measure_columns(findings), findings.order, note + _INTERVAL)


def _agreement_columns(findings: Findings) -> list[Column[int]]:
    """Pearson's r of a measure with people, by criterion and level."""
    return [
        Column(
            f"{each.criterion}, {level}",
            getattr(each, level).estimates.__getitem__,
            SIGNED_TWO,
            ("people", each.criterion, level),
        )
        for each in findings.human_agreements
        for level in ("systems", "outputs")
    ]


def _agreement_table(findings: Findings) -> Table:
    """Measures by ORANGE, with their agreement with people; no rows without human scores."""
    columns: list[Column[int]] = [
        Column("measure", findings.compared.measures.__getitem__),
        Column("ORANGE", findings.orange.estimates.__getitem__, SHARE),
        *_agreement_columns(findings),
    ]
    return Table(
        "acceptance",
        "Measures that tell references from outputs, and measures that agree with people",
        columns,
        findings.order if findings.human_agreements else (),
        "Pearson's r of the mean similarity to the references with what people say, by systems and "
        "by outputs.",
    )


class _Point(NamedTuple):
    """One share of the outputs by one way to say likeness."""

    likeness: str
    curve: AcceptanceCurve
    at: int


_CURVE_COLUMNS: tuple[Column[_Point], ...] = (
    Column("", lambda each: each.likeness, key="likeness", only="json"),
    Column("criterion", lambda each: each.curve.criterion, key="criterion"),
    Column(
        "highest",
        lambda each: SHARES[each.at],
        Kind(lambda share: f"{100 * share:.0f} %"),
        "highest",
    ),
    Column(
        "", lambda each: each.curve.acceptable.estimates[each.at], key="acceptable", only="json"
    ),
    Column(
        "", lambda each: each.curve.human_like.estimates[each.at], key="human_like", only="json"
    ),
    Column(
        "likeness → accepted",
        lambda each: each.curve.accepted.estimates[each.at],
        TWO_ESTIMATE,
        "accepted",
    ),
    Column(
        "accepted → likeness",
        lambda each: each.curve.likened.estimates[each.at],
        TWO_ESTIMATE,
        "likened",
    ),
    Column("gap", lambda each: each.curve.gap(each.at), SIGNED_ESTIMATE, "gap"),
)


def _points(findings: Findings, way: str, shares: tuple[float, ...] = SHARES) -> list[_Point]:
    curves = findings.acceptance_curves[way]
    return [_Point(way, each, at) for each in curves for at in range(len(shares))]


def _curve_tables(findings: Findings, shares: tuple[float, ...] = SHARES) -> Iterator[Table]:
    """Likeness against acceptability, one table for each way to say likeness."""
    ways = (way for way, curves in findings.acceptance_curves.items() if curves)
    for number, way in enumerate(ways, start=1):
        yield Table(
            f"standings-{number}",
            "Likeness and acceptability of outputs",
            _CURVE_COLUMNS,
            _points(findings, way, shares),
            f"Likeness: {way}. Where the outputs that are highest by the one stand by the other: 0 "
            "is in the middle, 1 where those stand that are highest by the other itself. If "
            "likeness implies acceptability and not the reverse, the first is near 1 and the gap "
            f"above 0. {_INTERVAL}",
        )


class _Size(NamedTuple):
    """How stable measures are with so many references."""

    references: int
    orange: Estimate
    king: Estimate
    ahead: Estimate


_STABILITY_COLUMNS: tuple[Column[_Size], ...] = (
    Column("references", lambda each: each.references, key="references"),
    Column("ORANGE", lambda each: each.orange, ESTIMATE, "orange"),
    Column("KING", lambda each: each.king, ESTIMATE, "king"),
    Column("ORANGE − KING", lambda each: each.ahead, SIGNED_ESTIMATE),
)


def _stability(findings: Findings) -> list[_Size]:
    found = findings.stability
    if found is None:
        return []
    pairs = zip(found.estimates(found.orange), found.estimates(found.king), strict=True)
    return [
        _Size(size, *pair, found.ahead(size))
        for size, pair in zip(found.references, pairs, strict=True)
    ]


def _stability_table(findings: Findings) -> Table:
    """How many references ORANGE and KING need; no rows where nothing can be said."""
    return Table(
        "stability",
        "How few references rank measures as all of them do: Kendall's τ",
        _STABILITY_COLUMNS,
        _stability(findings),
        f"References are drawn for each topic anew, three times. {_INTERVAL}",
    )


def _measures_figures(findings: Findings) -> Iterator[Figure]:
    """ORANGE of every measure, and KING against it."""
    names, title = findings.compared.measures, "ORANGE of measures"
    rows = [
        IntervalRow(short_name(names[each]), findings.orange.estimates[each])
        for each in findings.order[:_DRAWN]
    ]
    yield draw_figure("orange-dots", title, lambda: plot_intervals([rows], title, "ORANGE"))
    if findings.qarla:
        remark = (
            f"τ = {format_interval(findings.with_king, signed=True)}" if findings.with_king else ""
        )
        points = _points_of_measures(findings, findings.qarla.kings.value)
        yield draw_scatter(
            "king", "KING against ORANGE", points, ("ORANGE", "KING"), _MEASURE, remark
        )


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
    """How few references will do."""
    found = findings.stability
    if found is None or len(found.references) < 2:
        return
    title = "Measures ranked by some references, and by all"
    x = np.array(found.references, dtype=np.float64)
    lines = [
        Series(name, x, values[:, 0], interval_band(values[:, 1:]))
        for name, values in (("ORANGE", found.orange), ("KING", found.king))
    ]
    yield draw_figure(
        "stability-curve",
        title,
        lambda: plot_trends(lines, title, x="references of each topic", y="Kendall's τ with all"),
        "Shaded: 95 % intervals over topics.",
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
