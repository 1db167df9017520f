"""The figures of the study; no pictures without matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import nan

import numpy as np

from eval.document import Figure
from eval.figures import Interval, Mark, Picture, Point, Trend, available, scatter, trends
from eval.figures.grouped import Entry, groups_of_dots
from eval.judging.numerals import signed_between
from eval.meta_study.compared.labels import short
from eval.meta_study.qarla.findings import Findings
from eval.meta_study.qarla.people import Agreement
from eval.meta_study.qarla.reliability import FEW_PEERS

__all__ = [
    "clusters_figure",
    "jack_figure",
    "kings_figure",
    "people_figures",
    "systems_figure",
]

_MOST = 70
"""Rows of a figure."""
_SIZES = ("one measure", "two measures", "three or more")
_LABELLED = 3


def kings_figure(findings: Findings) -> Figure:
    """KING of single measures, and of the best set."""
    names, best = findings.compared.measures, findings.search.best
    title = "KING of measures, and of the best set"
    sets = [
        Entry(
            f"best set: {short(findings.named(findings.best))}",
            _interval(findings, best),
            marked=True,
        )
    ]
    singles = [
        Entry(short(names[each]), _interval(findings, each)) for each in findings.order[:_MOST]
    ]
    groups = [sets, singles] if len(findings.best) > 1 else [singles]
    note = "" if len(findings.best) > 1 else "The best set is the first measure alone."
    return _figure("king-dots", title, lambda: groups_of_dots(groups, title, "KING"), note)


def clusters_figure(findings: Findings) -> Figure:
    """Figure 1 of 2005: clusters, the measure with the highest KING of each marked."""
    names, kings = findings.compared.measures, findings.kings.value
    title = "Clusters of measures"
    groups = [
        [
            Entry(short(names[one]), _interval(findings, one), marked=one == each.best)
            for one in sorted(each.measures, key=lambda one: (-kings[one], one))
        ]
        for each in sorted(findings.clusters, key=lambda each: -each.king)
    ]
    note = "In bold the measure with the highest KING of each cluster."
    if len(names) > _MOST:
        groups, note = [each[:1] for each in groups], "The best measure of each cluster."
    return _figure("clusters-dots", title, lambda: groups_of_dots(groups, title, "KING"), note)


def people_figures(findings: Findings) -> Iterator[Figure]:
    """Figures 5 and 7 of 2005: KING of sets against the agreement of QUEEN with people."""
    for number, each in enumerate(findings.agreements, start=1):
        if points := _points(findings, each):
            yield _against(number, each, points)


def _against(number: int, agreement: Agreement, points: list[Point]) -> Figure:
    title = f"KING against agreement with people: {agreement.criterion}"
    told = f"r = {signed_between(agreement.with_king())}"
    axes = "KING", "Pearson's r of QUEEN with people, systems"
    return _figure(
        f"people-{number}",
        title,
        lambda: scatter(points, title, x=axes[0], y=axes[1], correlation=told, alike=False),
        "Each point is a set of measures. Sets by which no output passes for a reference are left "
        "out.",
    )


def _points(findings: Findings, agreement: Agreement) -> list[Point]:
    """The single measures of highest KING, and the best set, have labels."""
    best = findings.search.best
    labelled = {*findings.order[:_LABELLED], best}
    points = [
        Point(
            "best set" if number == best else short(findings.named(members)),
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
        Trend(
            each.form.value,
            np.arange(1.0, len(each.by_peers.value) + 1),
            each.by_peers.value,
            _band(each.by_peers.drawn),
        )
        for each in findings.reliability
    ]
    size = max(len(line.x) for line in lines)
    marks = [Mark(f"{FEW_PEERS} peers", FEW_PEERS, upright=True)] if size > FEW_PEERS else []
    return _figure(
        "jack-curve",
        title,
        lambda: trends(lines, title, x="peers", y="JACK", marks=marks),
        "Peers come in random order, the mean over 100 orders; shaded: 95 % intervals.",
    )


def _band(drawn: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    if np.isnan(drawn).any():
        return None
    low, high = np.percentile(drawn, [2.5, 97.5], axis=1)
    return low, high


def systems_figure(findings: Findings) -> Figure:
    """Figure 4 of 2005: systems and references by QUEEN of the best set."""
    standing = findings.standing
    title = "Systems and references by QUEEN of the best set"
    parts = ((standing.references, standing.of_references), (standing.systems, standing.against))
    groups = [
        sorted(
            (
                Entry(_named(name, number), Interval(*figure), marked=not number)
                for name, figure in zip(names, found.estimates, strict=True)
            ),
            key=lambda entry: -entry.value.value,
        )
        for number, (names, found) in enumerate(parts)
    ]
    groups = [group[: _MOST // 2] for group in groups]
    return _figure(
        "systems-dots",
        title,
        lambda: groups_of_dots(groups, title, "QUEEN"),
        "References in bold. All are judged by the references but one, so that a reference does "
        "not judge itself.",
    )


def _named(name: str, system: int) -> str:
    return name if system else f"reference {name}"


def _interval(findings: Findings, number: int) -> Interval:
    estimate = findings.kings.estimates[number]
    return Interval(*(each if not np.isnan(each) else nan for each in estimate))


def _figure(key: str, title: str, draw: Callable[[], Picture], note: str = "") -> Figure:
    return Figure(key, title, draw() if available() else None, note)
