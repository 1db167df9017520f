"""The figures of a study: none of what is not there, and no pictures without matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import isnan

from eval.document import Figure
from eval.feature_study.findings import Findings
from eval.feature_study.shares import Bar, shares
from eval.figures import (
    Interval,
    Line,
    Picture,
    Point,
    Row,
    Step,
    available,
    curves,
    pairs_of_bars,
    scatter,
    steps,
)
from eval.judging.numerals import share_between
from eval.ordering import Estimate, estimate

__all__ = [
    "additions_figure",
    "correlation_figure",
    "curves_figure",
    "pairs_figure",
    "redundancy_figure",
]


def curves_figure(
    findings: Findings, key: str, title: str, measures: Sequence[str], note: str = ""
) -> tuple[Figure, ...]:
    """Precision/recall curves of some measures; the base is drawn as the reference."""
    base = findings.plan.base
    found = {name: findings.rankings[name].curve for name in measures}
    lines = [
        Line(name, curve.recall, curve.precision, reference=name == base)
        for name, curve in found.items()
        if len(curve.recall)
    ]
    return _figure(key, title, lines, lambda: curves(lines, title), note)


def redundancy_figure(
    findings: Findings, key: str, title: str, headings: Mapping[str, str], limit: float | None
) -> tuple[Figure, ...]:
    """What each measure says of the pairs that the base ranks, under its heading.

    Args:
        findings: of the study.
        key: of the figure.
        title: of the figure.
        headings: measure → the heading that it stands under, in the order of the bars.
        limit: drawn as a line at that share of pairs ranked the other way.
    """
    rankings = findings.rankings
    bars = [
        Bar(
            name,
            rankings[name].redundant.value,
            rankings[name].non_redundant.value,
            rankings[name].non_informative.value,
            heading,
        )
        for name, heading in headings.items()
        if name != findings.plan.base
    ]
    return _figure(key, title, bars, lambda: shares(bars, title, limit))


def correlation_figure(
    findings: Findings, key: str, title: str, marked: Collection[str], note: str = ""
) -> tuple[Figure, ...]:
    """MaxPWA of every combination against the trees' PWA."""
    points = [
        Point(
            each.combination.name,
            each.max_pwa.pooled,
            each.tree_pwa.pooled,
            each.combination.name in marked,
            each.combination.kind,
        )
        for each in findings.bounds
        if not isnan(each.max_pwa.pooled + each.tree_pwa.pooled)
    ]
    told = f"Pearson's r = {share_between(findings.pearson)}"
    return _figure(
        key,
        title,
        points,
        lambda: scatter(points, title, x="MaxPWA", y="PWA of decision trees", correlation=told),
        note,
    )


def pairs_figure(
    findings: Findings, key: str, title: str, names: Sequence[str]
) -> tuple[Figure, ...]:
    """MaxPWA and the trees' PWA of a few combinations, side by side."""
    seed = findings.plan.seed
    rows = [
        Row(
            name,
            _interval(estimate(found.max_pwa, seed=seed)),
            _interval(estimate(found.tree_pwa, seed=seed)),
        )
        for name in names
        if (found := findings.bound_of(name)) and not isnan(found.tree_pwa.pooled)
    ]
    compared = ("MaxPWA", "decision tree")
    return _figure(
        key, title, rows, lambda: pairs_of_bars(rows, title, compared, "pairwise accuracy")
    )


def additions_figure(findings: Findings, key: str, title: str) -> tuple[Figure, ...]:
    """Greedy search, step by step."""
    path = [Step(each.measure, _interval(each.max_pwa)) for each in findings.search.additions]
    return _figure(key, title, path, lambda: steps(path, title, "MaxPWA"))


def _figure(
    key: str, title: str, shown: Sequence[object], draw: Callable[[], Picture], note: str = ""
) -> tuple[Figure, ...]:
    """The figure; none if there is nothing to be shown in it."""
    return (Figure(key, title, draw() if available() else None, note),) if shown else ()


def _interval(figure: Estimate) -> Interval:
    return Interval(*figure)
