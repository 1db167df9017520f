"""Pictures of agreement with people."""

from __future__ import annotations

from collections.abc import Iterator

from eval.document import Figure
from eval.figures import Interval, Point, Row, available, pairs_of_bars, scatter
from eval.judging.numerals import share_between
from eval.meta.correlation import Level
from eval.meta_study.correlation.findings import Findings
from eval.meta_study.kinds import kind_of
from eval.meta_study.several import alike, chosen, known, together
from eval.meta_study.study import picked

__all__ = ["drawings"]

_ROWS = 12


def drawings(findings: Findings, prefix: str) -> Iterator[Figure]:
    """Segments against systems, as in figure 1 of the 2009 paper, and the best with intervals.

    Nothing where people judged systems only.
    """
    system, segment = (findings.pearson(level) for level in (Level.SYSTEM, Level.SEGMENT))
    both = set(known(system) if system else ()) & set(known(segment) if segment else ())
    if system is None or segment is None or not both:
        return
    names, criterion = findings.judged.measures, findings.judged.criterion
    best = known(segment)
    marked = {findings.combined, best[0], next(each for each in known(system) if each in both)}
    points = [
        Point(
            names[each],
            float(system.value[each]),
            float(segment.value[each]),
            each in marked,
            kind_of(names[each]),
        )
        for each in sorted(both)
    ]
    singles = [each for each in findings.single if each in both]
    remark = together(alike, *(chosen(each, singles) for each in (system, segment)))
    title = f"Agreement with people by segments against by systems: {criterion}"
    told = f"r = {remark.value:.2f}" if len(singles) > 2 else ""
    yield Figure(
        f"{prefix}-levels",
        title,
        scatter(points, title, x="Pearson by systems", y="Pearson by segments", correlation=told)
        if available()
        else None,
        f"As figure 1 of the paper. Over single measures Pearson's coefficient of the two is "
        f"{share_between(remark)}.",
    )
    rows = [
        Row(names[each], Interval(*segment.estimates[each]), Interval(*system.estimates[each]))
        for each in picked(best, _ROWS, [findings.combined])
        if each in both
    ]
    title = f"The measures that agree best by segments: {criterion}"
    yield Figure(
        f"{prefix}-best",
        title,
        pairs_of_bars(rows, title, ("segments", "systems"), "Pearson's coefficient")
        if available()
        else None,
        "With 95 % intervals, bootstrapped over topics.",
    )
