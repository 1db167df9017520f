"""The figures of the study; no pictures without matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from eval.document import Figure
from eval.figures import Interval, Picture, Point, Trend, available, scatter, trends
from eval.figures.grouped import Entry, groups_of_dots
from eval.judging.numerals import signed_between
from eval.meta_study.compared.labels import short
from eval.meta_study.orange.findings import Findings
from eval.meta_study.orange.stability import Floats

__all__ = [
    "acceptance_figures",
    "king_figure",
    "likeness_figures",
    "orange_figure",
    "stability_figure",
]

_MOST = 70
"""Rows of a figure."""
_LABELLED = 4
_SYSTEMS = 20
"""Systems that all have labels."""


def orange_figure(findings: Findings) -> Figure:
    """ORANGE of every measure."""
    names, title = findings.compared.measures, "ORANGE of measures"
    rows = [
        Entry(short(names[each]), Interval(*findings.orange.estimates[each]))
        for each in findings.order[:_MOST]
    ]
    return _figure("orange-dots", title, lambda: groups_of_dots([rows], title, "ORANGE"))


def king_figure(findings: Findings) -> Iterator[Figure]:
    """KING against ORANGE of every measure; none without KING."""
    if findings.qarla is None:
        return
    title = "KING against ORANGE"
    told = f"τ = {signed_between(findings.with_king)}" if findings.with_king else ""
    points = _measures(findings, findings.qarla.kings.value)
    axes = "ORANGE", "KING"
    yield _figure(
        "king",
        title,
        lambda: scatter(points, title, x=axes[0], y=axes[1], correlation=told, alike=False),
        "Each point is a measure.",
    )


def acceptance_figures(findings: Findings) -> Iterator[Figure]:
    """Measures: likeness against acceptability, criterion by criterion."""
    for number, each in enumerate(findings.acceptances, start=1):
        title = f"ORANGE against agreement with people: {each.criterion}"
        points = _measures(findings, each.systems.value)
        if points:
            axes = "ORANGE", "Pearson's r with people, systems"
            note = "Each point is a measure."
            yield _scatter(f"acceptance-{number}", title, points, axes, note)


def likeness_figures(findings: Findings) -> Iterator[Figure]:
    """Systems: likeness against acceptability, criterion by criterion."""
    way, likeness = next(iter(findings.likenesses.items()))
    instances, systems = findings.compared.instances, findings.compared.systems
    for number, criterion in enumerate(findings.compared.criteria, start=1):
        human = instances.human[number - 1]
        held = ~np.isnan(human)
        times = np.bincount(instances.system[held], minlength=len(systems))
        known = np.flatnonzero(times)
        if not len(known):
            continue
        like, accepted = (
            np.bincount(instances.system[held], some[held], minlength=len(systems))[known]
            / times[known]
            for some in (likeness, human)
        )
        points = [
            Point(systems[each], float(x), float(y), marked=len(known) <= _SYSTEMS)
            for each, x, y in zip(known.tolist(), like, accepted, strict=True)
        ]
        title = f"Likeness of systems to people against acceptability: {criterion}"
        note = f"Each point is a system. Likeness: {way}."
        yield _scatter(f"likeness-{number}", title, points, ("likeness", criterion), note)


def stability_figure(findings: Findings) -> Iterator[Figure]:
    """How few references will do."""
    found = findings.stability
    if found is None or len(found.references) < 2:
        return
    title = "Measures ranked by some references, and by all"
    x = np.array(found.references, dtype=np.float64)
    lines = [
        Trend(name, x, values[:, 0], _band(values[:, 1:]))
        for name, values in (("ORANGE", found.orange), ("KING", found.king))
    ]
    yield _figure(
        "stability-curve",
        title,
        lambda: trends(lines, title, x="references of each topic", y="Kendall's τ with all"),
        "Shaded: 95 % intervals over topics.",
    )


def _measures(findings: Findings, values: Floats) -> list[Point]:
    """Measures by ORANGE and something else; the best by either have labels."""
    names, oranges = findings.compared.measures, findings.orange.value
    known = [each for each in range(len(names)) if np.isfinite(values[each])]
    highest = sorted(known, key=lambda each: -float(values[each]))
    marked = {*findings.order[: _LABELLED // 2], *highest[: _LABELLED // 2]}
    return [
        Point(short(names[each]), float(oranges[each]), float(values[each]), each in marked)
        for each in known
    ]


def _scatter(
    key: str, title: str, points: Sequence[Point], axes: tuple[str, str], note: str
) -> Figure:
    x, y = axes
    return _figure(key, title, lambda: scatter(points, title, x=x, y=y, alike=False), note)


def _band(drawn: Floats) -> tuple[Floats, Floats] | None:
    if np.isnan(drawn).any():
        return None
    low, high = np.percentile(drawn, [2.5, 97.5], axis=1)
    return low, high


def _figure(key: str, title: str, draw: Callable[[], Picture], note: str = "") -> Figure:
    return Figure(key, title, draw() if available() else None, note)
