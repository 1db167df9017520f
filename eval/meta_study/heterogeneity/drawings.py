"""The papers' plots of sets of measures."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from eval.document import Figure
from eval.figures import Mark, Picture, Point, Trend, available, scatter, trends
from eval.judging.numerals import percent_between, share_between
from eval.meta_study.heterogeneity.findings import Findings, Reliable, sizes_of
from eval.meta_study.heterogeneity.levels import SIZES, mean_heterogeneity
from eval.meta_study.several import known

__all__ = ["drawings", "levels_drawing"]

Floats = NDArray[np.float64]
_LINES = 3
_FAINT = 20
_SHOWN = 0.02
"""Sensitivity below which reliability leaps about."""


def drawings(found: Reliable, findings: Findings, prefix: str) -> Iterator[Figure]:
    """Figures 1 to 3 and 5 to 6 of 2011, and figure 1 of the workshop of 2012."""
    yield _added(found, prefix)
    sizes = findings.sets.sum(axis=1)
    heterogeneity = found.random.heterogeneity.value
    yield _sets(
        f"{prefix}-reliability",
        f"Reliability against heterogeneity of random sets: {found.criterion}",
        values=(heterogeneity, found.random.reliability.value),
        sizes=sizes,
        axis="reliability",
        note=f"As figures 2 and 3 of the paper. r = {share_between(found.reliability_rises)}.",
    )
    yield _sets(
        f"{prefix}-gain",
        f"Reliability gain against heterogeneity: {found.criterion}",
        values=(heterogeneity, found.gains.value),
        sizes=sizes,
        axis="reliability gain",
        note="As figures 5 and 6 of the paper: reliability of a set less the highest of its "
        "members at the threshold of equal sensitivity; not negative for "
        f"{percent_between(found.gaining)} of the sets.",
    )
    yield _thresholds(found, findings, f"{prefix}-thresholds")
    yield _increase(found, f"{prefix}-increase")


def levels_drawing(findings: Findings) -> Iterator[Figure]:
    """Figure 4 of 2011, if the names of measures tell what they know."""
    means = mean_heterogeneity(findings.source, findings.plan.seed)
    if means is None:
        return
    names = ("words alone", "words and language")
    title = "Heterogeneity of measures of words, and with linguistic ones"
    lines = [
        Trend(
            name,
            np.array(SIZES[: len(each.value)], dtype=np.float64),
            each.value,
            _band(each.drawn),
        )
        for name, each in zip(names, means, strict=True)
    ]
    yield _figure(
        "levels",
        title,
        lambda: trends(lines, title, x="measures in a set", y="heterogeneity"),
        "As figure 4 of the paper: means over random sets. Measures that need parts of speech or "
        "WordNet stand in for linguistic ones.",
    )


def _added(found: Reliable, prefix: str) -> Figure:
    """All pairs of measures by what they gain over the better one."""
    gains = np.sort(found.added.value[~np.isnan(found.added.value)])
    title = f"Additive reliability of all pairs of measures: {found.criterion}"
    shares = np.linspace(0, 1, len(gains)) if len(gains) > 1 else np.zeros(len(gains))
    line = Trend("pairs of measures", shares, gains, reference=True)
    return _figure(
        f"{prefix}-additive",
        title,
        lambda: trends(
            [line],
            title,
            x="share of pairs",
            y="R of both − R of the better one",
            marks=[Mark("no gain", 0.0)],
        ),
        f"As figure 1 of the paper. Not negative for {percent_between(found.additive)} of the "
        "pairs.",
    )


def _sets(  # noqa: PLR0913 - a figure and what stands in it
    key: str,
    title: str,
    *,
    values: tuple[Floats, Floats],
    sizes: NDArray[np.int64],
    axis: str,
    note: str,
) -> Figure:
    points = [
        Point(f"set {number + 1}", x, y, family=f"{size} measures")
        for number, (x, y, size) in enumerate(
            zip(*(each.tolist() for each in (*values, sizes)), strict=True)
        )
        if not np.isnan(x + y)
    ]
    return _figure(
        key, title, lambda: scatter(points, title, x="heterogeneity", y=axis, alike=False), note
    )


def _thresholds(found: Reliable, findings: Findings, key: str) -> Figure:
    """Reliability by sensitivity: measures at rising thresholds, and sets of rising size."""
    title = f"Sets of measures and score thresholds: {found.criterion}"
    order = known(found.single.reliability)
    lines = [
        _of_measure(found, findings, row, at < _LINES) for at, row in enumerate(order[:_FAINT])
    ]
    size_of = findings.sets.sum(axis=1)
    means = [
        (float(np.nanmean(sensitivity[rows])), float(np.nanmean(reliability[rows])))
        for sensitivity, reliability in [
            (
                found.random.sensitivity.value,
                found.random.reliability.value,
            )
        ]
        for rows in (size_of == size for size in sizes_of(findings.sets))
        if not np.isnan(reliability[rows]).all()
    ]
    x, y = np.array(sorted(means)).T
    lines.append(Trend("random sets", x, y, reference=True))
    return _figure(
        key,
        title,
        lambda: trends(lines, title, x="sensitivity", y="reliability"),
        "Random sets: means by size, the largest sets at the left. Thin: the measures that are "
        f"most reliable alone, by threshold; up to {_FAINT}, the first {_LINES} with names.",
    )


def _of_measure(found: Reliable, findings: Findings, row: int, named: bool) -> Trend:
    curve = found.curve(row)
    kept = curve.recall >= min(_SHOWN, float(curve.recall[-1]))
    label = findings.source.measures[row] if named else ""
    return Trend(label, curve.recall[kept], curve.precision[kept])


def _increase(found: Reliable, key: str) -> Figure:
    title = f"Real increases against heterogeneity: {found.criterion}"
    points = [
        Point(f"part {number + 1}", x, y)
        for number, (x, y) in enumerate(
            zip(*(each.tolist() for each in found.increase), strict=True)
        )
    ]
    return _figure(
        key,
        title,
        lambda: scatter(
            points,
            title,
            x="heterogeneity of what confirms",
            y="share that people confirm",
            correlation=f"r = {found.increase_rises.value:.2f}",
            alike=False,
        ),
        "As figure 1 of the workshop paper of 2012: a hundred equal parts of all comparisons. "
        f"r = {share_between(found.increase_rises)}; with topics drawn anew comparisons repeat, "
        "which lowers it.",
    )


def _figure(key: str, title: str, draw: Callable[[], Picture], note: str) -> Figure:
    return Figure(key, title, draw() if available() else None, note)


def _band(drawn: Floats) -> tuple[Floats, Floats] | None:
    if np.isnan(drawn).any():
        return None
    low, high = np.percentile(drawn, [2.5, 97.5], axis=1)
    return low, high
