"""Pictures of SIP and SIR, of wrong extremes, and of what choosing by measures is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eval.document import Figure
from eval.figures import Interval, Point, available, scatter
from eval.figures.grouped import Entry, groups_of_dots
from eval.meta.drawn import Drawn
from eval.meta_study.improvements.findings import Findings
from eval.meta_study.improvements.tables import order_of
from eval.meta_study.kinds import Kind, kind_of
from eval.meta_study.several import known

__all__ = ["drawings"]

_MOST = 12
"""Measures of a kind in a figure of rows."""


def drawings(findings: Findings) -> Iterator[Figure]:
    """As figures 3, 4 and 5 and table 4 of the paper."""
    if findings.seen is not None:
        yield _scatter(
            findings,
            ("sip-sir", "Precision of significant improvements against recall"),
            (findings.seen.recall, findings.seen.precision),
            ("SIR", "SIP"),
            order_of(findings)[:2],
            "As figure 3 of the paper. Up and right is better.",
        )
    if findings.counter is not None:
        low, high = findings.counter.low, findings.counter.high
        yield _scatter(
            findings,
            ("low-high", "Wrong low scores against wrong high scores"),
            (high, low),
            ("share of high scores that is wrong", "share of low scores that is wrong"),
            [*known(low)[-1:], *known(high)[-1:]],
            "As figure 4 of the paper. Down and left is better.",
        )
    if findings.decrease is not None:
        yield _dots(
            findings,
            ("decreases", f"Quality that could be lost unseen against {findings.asked.chosen}"),
            findings.decrease,
            known(findings.decrease)[::-1],
            "decrease of quality, on the scale of people",
            "As figure 5 of the paper, with 95 % intervals over topics; the lowest of each kind. "
            "Left is better.",
        )
    if findings.oracles is not None:
        yield _dots(
            findings,
            ("oracle-systems", "Quality of what measures score highest"),
            findings.oracles.chosen,
            known(findings.oracles.chosen),
            "score by people",
            "As table 4 of the paper, with 95 % intervals over topics; the highest of each kind. "
            "Right is better.",
        )


def _dots(  # noqa: PLR0913, PLR0917 - a figure has a name, a title, values, an axis and a note
    findings: Findings,
    name: tuple[str, str],
    drawn: Drawn,
    order: Sequence[int],
    axis: str,
    note: str,
) -> Figure:
    """The first few measures of each kind, best first."""
    names, estimates = findings.judged.measures, drawn.estimates
    groups = [
        [
            Entry(names[each], Interval(*estimates[each]), marked=kind is Kind.COMBINED)
            for each in order
            if kind_of(names[each]) is kind
        ][:_MOST]
        for kind in Kind
    ]
    shown = [group for group in groups if group]
    key, title = name
    picture = groups_of_dots(shown, title, axis) if shown and available() else None
    return Figure(key, title, picture, note)


def _scatter(  # noqa: PLR0913, PLR0917 - a figure has a name, a title, axes, marks and a note
    findings: Findings,
    name: tuple[str, str],
    drawn: tuple[Drawn, Drawn],
    axes: tuple[str, str],
    marked: Sequence[int],
    note: str,
) -> Figure:
    names = findings.judged.measures
    across, up = (set(known(each)) for each in drawn)
    marks = {*marked, findings.combined}
    points = [
        Point(
            names[each],
            float(drawn[0].value[each]),
            float(drawn[1].value[each]),
            each in marks,
            kind_of(names[each]),
        )
        for each in sorted(across & up)
    ]
    key, title = name
    can = bool(points) and available()
    picture = scatter(points, title, x=axes[0], y=axes[1]) if can else None
    return Figure(key, title, picture, note)
