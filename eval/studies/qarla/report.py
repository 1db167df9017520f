"""The figures of the study; no pictures without matplotlib.

The study as JSON knows it (docs/schema/meta-qarla.schema.json).

The study as a document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from eval.report.claims import brief_claims_table
from eval.report.document import Document, Figure, Section
from eval.report.figures.canvas import Picture, available
from eval.report.figures.intervals import IntervalRow, plot_intervals
from eval.report.figures.lines import GuideLine, Series, plot_trends
from eval.report.figures.points import Point, plot_scatter
from eval.report.tables import Table
from eval.studies.base import Result, by_measure, estimate_data, json_number
from eval.studies.pairwise import short_name
from eval.studies.qarla.findings import Findings, HumanAgreement
from eval.studies.qarla.sets import FEW_PEERS
from eval.studies.qarla.tables import (
    agreement_table,
    clusters_table,
    first_table,
    jack_table,
    kings_table,
    measures_table,
    sets_table,
    systems_table,
)
from weps._formatting import format_interval

__all__ = [
    "agreement_figures",
    "brief_tables",
    "build_document",
    "clusters_figure",
    "jack_figure",
    "kings_figure",
    "study_data",
    "systems_figure",
]


def study_data(study: Result[Findings]) -> dict[str, Any]:
    """Signature, figures of measures, sets, clusters and systems, and verdicts."""
    findings = study.findings
    compared, standing = findings.compared, findings.system_queens
    return study.data(
        topics=[each.topic for each in compared.topics],
        triples=findings.settings.triples,
        measures=_measures(findings),
        sets=_sets(findings),
        clusters=[
            {
                "measures": [compared.measures[one] for one in each.measures],
                "best": compared.measures[each.best],
                "king": each.king,
            }
            for each in findings.clusters
        ],
        systems=by_measure(standing.systems, standing.queens),
        references=by_measure(standing.references, standing.of_references),
        jack=[
            {
                "form": each.form.value,
                "jack": estimate_data(each.jack),
                "by_peers": each.by_peers.value.tolist(),
            }
            for each in findings.reliability
        ],
    )


def _measures(findings: Findings) -> dict[str, Any]:
    """Best first."""
    names, first = findings.compared.measures, findings.first
    return {
        names[each]: {
            "king": estimate_data(findings.king(each)),
            "early": estimate_data(findings.early.estimates[each]),
            "people_first": first and json_number(float(first.value[each])),
            "people_first_by_queen": first and json_number(float(first.value[len(names) + each])),
            "people": {
                one.criterion: {
                    "mean": estimate_data(one.plain.estimates[each]),
                    "queen": estimate_data(one.queens.estimates[each]),
                }
                for one in findings.agreements
            },
        }
        for each in findings.order
    }


def _sets(findings: Findings) -> dict[str, Any]:
    names, search = findings.compared.measures, findings.search
    crossed, first = findings.cross_validated, findings.first
    return {
        "tried": search.tried,
        "candidates": [names[each] for each in search.candidates],
        "best": [names[each] for each in findings.best],
        "king": estimate_data(findings.kings.estimates[search.best]),
        "people_first": first and json_number(float(first.value[-1])),
        "people": {
            one.criterion: {
                "queen": estimate_data(one.queens.estimates[search.best]),
                "king_with_people": estimate_data(one.with_king()),
            }
            for one in findings.agreements
        },
        "greedy": [
            {"measures": [names[one] for one in each.measures], "king": each.king}
            for each in findings.greedy
        ],
        "on_other_topics": crossed
        and {
            "several": estimate_data(crossed.kings.estimates[0]),
            "single": estimate_data(crossed.kings.estimates[1]),
            "gain": estimate_data(crossed.kings.difference(1, 0)),
        },
    }


_MOST_MEASURES = 70
"""Rows of a figure."""
_SIZES = ("one measure", "two measures", "three or more")
_LABELLED = 3


def kings_figure(findings: Findings) -> Figure:
    """KING of single measures, and of the best set."""
    names, best = findings.compared.measures, findings.search.best
    kings = findings.kings.estimates
    title = "KING of measures, and of the best set"
    sets = [
        IntervalRow(
            f"best set: {short_name(findings.describe_set(findings.best))}",
            kings[best],
            marked=True,
        )
    ]
    singles = [
        IntervalRow(short_name(names[each]), kings[each])
        for each in findings.order[:_MOST_MEASURES]
    ]
    groups = [sets, singles] if len(findings.best) > 1 else [singles]
    note = "" if len(findings.best) > 1 else "The best set is the first measure alone."
    return _figure("king-dots", title, lambda: plot_intervals(groups, title, "KING"), note)


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
    if len(names) > _MOST_MEASURES:
        groups, note = [each[:1] for each in groups], "The best measure of each cluster."
    return _figure("clusters-dots", title, lambda: plot_intervals(groups, title, "KING"), note)


def agreement_figures(findings: Findings) -> Iterator[Figure]:
    """Figures 5 and 7 of 2005: KING of sets against the agreement of QUEEN with people."""
    for place, each in enumerate(findings.agreements, start=1):
        if points := _points(findings, each):
            yield _agreement_figure(place, each, points)


def _agreement_figure(number: int, agreement: HumanAgreement, points: list[Point]) -> Figure:
    title = f"KING against agreement with people: {agreement.criterion}"
    told = f"r = {format_interval(agreement.with_king(), signed=True)}"
    axes = "KING", "Pearson's r of QUEEN with people, systems"
    return _figure(
        f"people-{number}",
        title,
        lambda: plot_scatter(points, title, x=axes[0], y=axes[1], correlation=told, alike=False),
        "Each point is a set of measures. Sets by which no output passes for a reference are left "
        "out.",
    )


def _points(findings: Findings, agreement: HumanAgreement) -> list[Point]:
    """The single measures of highest KING, and the best set, have labels."""
    best = findings.search.best
    labelled = {*findings.order[:_LABELLED], best}
    points = [
        Point(
            "best set" if number == best else short_name(findings.describe_set(members)),
            float(agreement.kings.value[number]),
            float(value),
            number in labelled,
            _SIZES[min(len(members), len(_SIZES)) - 1],
        )
        for number, (members, value) in enumerate(
            zip(findings.search.sets, agreement.queens.value, strict=True)
        )
        if not np.isnan(value)
    ]
    return sorted(points, key=lambda point: (_SIZES.index(point.family), point.marked))


def jack_figure(findings: Findings) -> Figure:
    """Figure 3 of 2005: JACK as peers are added."""
    title = "JACK by the number of peers"
    lines = [
        Series(
            each.form.value,
            np.arange(1.0, len(each.by_peers.value) + 1),
            each.by_peers.value,
            _band(each.by_peers.samples),
        )
        for each in findings.reliability
    ]
    size = max(len(line.x) for line in lines)
    guides = [GuideLine(f"{FEW_PEERS} peers", FEW_PEERS, vertical=True)] if size > FEW_PEERS else []
    return _figure(
        "jack-curve",
        title,
        lambda: plot_trends(lines, title, x="peers", y="JACK", guides=guides),
        "Peers come in random order, the mean over 100 orders; shaded: 95 % intervals.",
    )


def _band(samples: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    if np.isnan(samples).any():
        return None
    low, high = np.percentile(samples, [2.5, 97.5], axis=1)
    return low, high


def systems_figure(findings: Findings) -> Figure:
    """Figure 4 of 2005: systems and references by QUEEN of the best set."""
    standing = findings.system_queens
    title = "Systems and references by QUEEN of the best set"
    parts = ((standing.references, standing.of_references), (standing.systems, standing.against))
    groups = [
        sorted(
            (
                IntervalRow(_system_label(name, number), figure, marked=not number)
                for name, figure in zip(names, found.estimates, strict=True)
            ),
            key=lambda entry: -entry.value.value,
        )
        for number, (names, found) in enumerate(parts)
    ]
    groups = [group[: _MOST_MEASURES // 2] for group in groups]
    return _figure(
        "systems-dots",
        title,
        lambda: plot_intervals(groups, title, "QUEEN"),
        "References in bold. All are judged by the references but one, so that a reference does "
        "not judge itself.",
    )


def _system_label(name: str, system: int) -> str:
    return name if system else f"reference {name}"


def _figure(key: str, title: str, draw: Callable[[], Picture], note: str = "") -> Figure:
    return Figure(key, title, draw() if available() else None, note)


_MOST_ROWS = 12
"""Measures in a table on the terminal."""
_WIDTH = 52
"""Columns of the name of a set."""


def build_document(study: Result[Findings]) -> Document:
    """The study as a document."""
    findings = study.findings
    return study.document(
        "QARLA",
        [
            "Amigó, Gonzalo, Peñas and Verdejo, An empirical study of information synthesis tasks "
            "(ACL 2004), QARLA: a framework for the evaluation of text summarization systems (ACL "
            "2005), and Evaluating DUC 2004 tasks with the QARLA framework (ACL workshop 2005).",
            "KING asks of measures whether they tell what people write (references) from what "
            "systems make (outputs); QUEEN asks of an output whether it passes for a reference by "
            "all measures of a set; JACK asks of the outputs whether they are various, and good, "
            "enough to say so. None needs human judgements; where there are any, they are "
            "compared.",
        ],
        [
            Section(
                "Which measures deserve trust",
                figures=(kings_figure(findings),),
                tables=(kings_table(findings), sets_table(findings)),
            ),
            Section(
                "Measures that say the same",
                figures=(clusters_figure(findings),),
                tables=(clusters_table(findings),),
            ),
            Section(
                "Which systems are better",
                figures=(systems_figure(findings),),
                tables=(systems_table(findings),),
            ),
            *_agreement_sections(findings),
            *_jack_sections(findings),
            *_first_sections(findings),
        ],
    )


def brief_tables(study: Result[Findings]) -> Iterator[Table]:
    """What the terminal shows."""
    findings = study.findings
    yield kings_table(findings, _MOST_ROWS)
    yield sets_table(findings, _WIDTH)
    if findings.agreements:
        yield agreement_table(findings)
    if findings.reliability:
        yield jack_table(findings)
    if findings.first:
        yield first_table(findings, findings.first, _MOST_ROWS // 3)
    yield brief_claims_table(study.judged)


def _agreement_sections(findings: Findings) -> Iterator[Section]:
    if findings.agreements:
        yield Section(
            "What people say",
            figures=tuple(agreement_figures(findings)),
            tables=(agreement_table(findings), measures_table(findings)),
        )


def _jack_sections(findings: Findings) -> Iterator[Section]:
    if findings.reliability:
        yield Section(
            "Are the outputs enough to say so",
            figures=(jack_figure(findings),),
            tables=(jack_table(findings),),
        )


def _first_sections(findings: Findings) -> Iterator[Section]:
    if findings.first:
        yield Section("People taken for systems", tables=(first_table(findings, findings.first),))
