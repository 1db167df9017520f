"""Figures of the feature study: curves, redundancy, bounds beside trees, greedy search."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import isnan
from operator import attrgetter

from weps._formatting import format_interval
from weps_eval.report.document import Figure
from weps_eval.report.figures.canvas import Picture
from weps_eval.report.figures.intervals import (
    IntervalPair,
    IntervalRow,
    ShareBar,
    plot_shares,
    plot_steps,
)
from weps_eval.report.figures.lines import Series, plot_curves
from weps_eval.report.figures.points import Point
from weps_eval.studies.base import draw_figure, draw_pairs, draw_scatter
from weps_eval.studies.features.findings import Findings

SETS = ("all", "non-linguistic", "tokens")
"""Combinations that the paper compares."""


def curves_figure(
    findings: Findings, key: str, title: str, measures: Sequence[str], note: str = ""
) -> tuple[Figure, ...]:
    """Precision/recall curves of some measures; the base is drawn as the reference."""
    base = findings.plan.base
    curves = {name: findings.rankings[name].curve for name in measures}
    lines = [
        Series(name, curve.recall, curve.precision, reference=name == base)
        for name, curve in curves.items()
        if len(curve.recall)
    ]
    return _figure(key, title, lines, lambda: plot_curves(lines, title), note)


def redundancy_figure(
    findings: Findings, key: str, headings: Mapping[str, str], limit: float | None
) -> tuple[Figure, ...]:
    """How each measure ranks the pairs that the base ranks, under its heading.

    The limit is a line at that share of pairs ranked the other way.
    """
    title = f"Redundancy with {findings.plan.base}"
    shares = attrgetter("redundant.value", "non_redundant.value", "non_informative.value")
    bars = [
        ShareBar(name, *shares(findings.rankings[name]), heading)
        for name, heading in headings.items()
        if name != findings.plan.base
    ]
    return _figure(key, title, bars, lambda: plot_shares(bars, title, limit))


def correlation_figure(findings: Findings, key: str, marked: Collection[str]) -> tuple[Figure, ...]:
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
    r = f"Pearson's r = {format_interval(findings.pearson)}"
    axes = "MaxPWA", "PWA of decision trees"
    figure = draw_scatter(key, "MaxPWA and trees", points, axes, "", r, alike=True)
    return (figure,) if points else ()


def sets_figure(findings: Findings) -> tuple[Figure, ...]:
    """MaxPWA and the trees' PWA of the feature sets, side by side."""
    rows = [
        IntervalPair(name, findings.estimate(found.max_pwa), findings.estimate(found.tree_pwa))
        for name in SETS
        if (found := findings.bound_of(name)) and not isnan(found.tree_pwa.pooled)
    ]
    title, compared = "All, non-linguistic, tokens", ("MaxPWA", "decision tree")
    figure = draw_pairs("figure-7", title, rows, compared, "pairwise accuracy")
    return (figure,) if rows else ()


def steps_figure(findings: Findings, key: str) -> tuple[Figure, ...]:
    """Greedy search, step by step."""
    title = "Greedy search by MaxPWA"
    path = [IntervalRow(each.measure, each.max_pwa) for each in findings.search.additions]
    return _figure(key, title, path, lambda: plot_steps(path, title, "MaxPWA"))


def _figure(
    key: str, title: str, shown: Sequence[object], draw: Callable[[], Picture], note: str = ""
) -> tuple[Figure, ...]:
    return (draw_figure(key, title, draw, note),) if shown else ()
