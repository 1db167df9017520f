"""Figures of the study: KING, clusters, systems, agreement with people, and JACK."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eval.report.document import Figure
from eval.report.figures.intervals import IntervalRow, plot_intervals
from eval.report.figures.lines import GuideLine, Series, plot_trends
from eval.report.figures.points import Point
from eval.studies.base import draw_figure, draw_scatter, interval_band
from eval.studies.pairwise import short_name
from eval.studies.qarla.findings import Findings, HumanAgreement
from eval.studies.qarla.sets import FEW_PEERS
from weps._formatting import format_interval

__all__ = [
    "agreement_figures",
    "clusters_figure",
    "jack_figures",
    "kings_figure",
    "systems_figure",
]

_DRAWN, _LABELLED = 70, 3
"""Rows of a figure, and measures with labels."""
_SIZES = ("one measure", "two measures", "three or more")


def kings_figure(findings: Findings) -> Figure:
    """KING of single measures, and of the best set."""
    names, kings = findings.compared.measures, findings.kings.estimates
    title, note = "KING of measures, and of the best set", ""
    best = f"best set: {short_name(findings.describe_set(findings.best))}"
    groups = [
        [IntervalRow(best, kings[findings.search.best], marked=True)],
        [IntervalRow(short_name(names[each]), kings[each]) for each in findings.order[:_DRAWN]],
    ]
    if len(findings.best) == 1:
        groups, note = groups[1:], "The best set is the first measure alone."
    return draw_figure("king-dots", title, lambda: plot_intervals(groups, title, "KING"), note)


def clusters_figure(findings: Findings) -> Figure:
    """Figure 1 of 2005: clusters, the measure with the highest KING of each marked."""
    names, kings = findings.compared.measures, findings.kings.estimates
    title = "Clusters of measures"
    groups = [
        [
            IntervalRow(short_name(names[one]), kings[one], marked=one == each.best)
            for one in sorted(each.measures, key=lambda one: (-kings[one].value, one))
        ]
        for each in sorted(findings.clusters, key=lambda each: -each.king)
    ]
    note = "In bold the measure with the highest KING of each cluster."
    if len(names) > _DRAWN:
        groups, note = [each[:1] for each in groups], "The best measure of each cluster."
    return draw_figure("clusters-dots", title, lambda: plot_intervals(groups, title, "KING"), note)


def systems_figure(findings: Findings) -> Figure:
    """Figure 4 of 2005: systems and references by QUEEN of the best set."""
    standing = findings.system_queens
    title = "Systems and references by QUEEN of the best set"
    references = [f"reference {each}" for each in standing.references]
    groups = [
        sorted(
            (
                IntervalRow(label, queen, marked=names is references)
                for label, queen in zip(names, samples.estimates, strict=True)
            ),
            key=lambda row: -row.value.value,
        )[: _DRAWN // 2]
        for names, samples in (
            (references, standing.of_references),
            (standing.systems, standing.against),
        )
    ]
    return draw_figure(
        "systems-dots",
        title,
        lambda: plot_intervals(groups, title, "QUEEN"),
        "References in bold. All are judged by the references but one, so that a reference does "
        "not judge itself.",
    )


def agreement_figures(findings: Findings) -> Iterator[Figure]:
    """Figures 5 and 7 of 2005: KING of sets against the agreement of QUEEN with people."""
    axes = "KING", "Pearson's r of QUEEN with people, systems"
    note = (
        "Each point is a set of measures. Sets by which no output passes for a reference are left "
        "out."
    )
    for number, each in enumerate(findings.agreements, start=1):
        title = f"KING against agreement with people: {each.criterion}"
        remark = f"r = {format_interval(each.with_king(), signed=True)}"
        if points := _points(findings, each):
            yield draw_scatter(f"people-{number}", title, points, axes, note, remark)


def _points(findings: Findings, agreement: HumanAgreement) -> list[Point]:
    """The single measures of highest KING, and the best set, have labels."""
    best, queens = findings.search.best, agreement.queens.value
    labelled = {*findings.order[:_LABELLED], best}
    points = [
        Point(
            "best set" if number == best else short_name(findings.describe_set(members)),
            float(agreement.kings.value[number]),
            float(queens[number]),
            number in labelled,
            _SIZES[min(len(members), len(_SIZES)) - 1],
        )
        for number, members in enumerate(findings.search.sets)
        if not np.isnan(queens[number])
    ]
    return sorted(points, key=lambda point: (_SIZES.index(point.family), point.marked))


def jack_figures(findings: Findings) -> Iterator[Figure]:
    """Figure 3 of 2005: JACK as peers are added."""
    title = "JACK by the number of peers"
    lines = [
        Series(
            each.form.value,
            np.arange(1.0, len(each.by_peers.value) + 1),
            each.by_peers.value,
            interval_band(each.by_peers.samples),
        )
        for each in findings.reliability
    ]
    size = max(len(line.x) for line in lines)
    guides = [GuideLine(f"{FEW_PEERS} peers", FEW_PEERS, vertical=True)] if size > FEW_PEERS else []
    yield draw_figure(
        "jack-curve",
        title,
        lambda: plot_trends(lines, title, x="peers", y="JACK", guides=guides),
        "Peers come in random order, the mean over 100 orders; shaded: 95 % intervals.",
    )
