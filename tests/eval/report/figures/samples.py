"""One picture of every kind, with any labels."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from weps_eval.calibration.scores import Bin, Reliability
from weps_eval.report.figures.canvas import Picture
from weps_eval.report.figures.intervals import (
    IntervalPair,
    IntervalRow,
    ShareBar,
    plot_intervals,
    plot_paired_intervals,
    plot_shares,
    plot_steps,
)
from weps_eval.report.figures.lines import GuideLine, Series, plot_curves, plot_trends
from weps_eval.report.figures.points import Point, plot_scatter
from weps_eval.report.figures.reliability import plot_reliability
from weps_eval.stats.estimate import Estimate

X = np.linspace(0.002, 1, 60)


def curves(labels: Sequence[str]) -> Picture:
    return plot_curves(
        [Series(label, X, 1 - X / (2 + n), reference=n == 0) for n, label in enumerate(labels)],
        "Title",
    )


def trends(labels: Sequence[str]) -> Picture:
    lines = [Series(label or "-", X, n * X) for n, label in enumerate(labels)]
    return plot_trends(lines, "Title", x="noise", y="recall", guides=[GuideLine("half", 0.5)])


def scatter(labels: Sequence[str]) -> Picture:
    points = [
        Point(label, 0.6 + 0.04 * n, 0.6 + 0.02 * n, n % 2 == 0, label)
        for n, label in enumerate(labels)
    ]
    return plot_scatter(points, "Title", x="MaxPWA", y="PWA", correlation="r = 1.00")


def intervals(labels: Sequence[str]) -> Picture:
    rows = [IntervalRow(label, Estimate(0.9, 0.8, 1), n == 0) for n, label in enumerate(labels)]
    return plot_intervals([rows[:1], rows[1:]] if rows else [], "Title", "KING")


def steps(labels: Sequence[str]) -> Picture:
    values = [0.9 - 0.2 / (n + 1) for n in range(len(labels))]
    path = [
        IntervalRow(label, Estimate(value, value - 0.02, 0.93))
        for label, value in zip(labels, values, strict=True)
    ]
    return plot_steps(path, "Title", "MaxPWA")


def pairs(labels: Sequence[str]) -> Picture:
    rows = [
        IntervalPair(label, Estimate(0.9, 0.8, 1), Estimate(0.7, math.nan, math.nan))
        for label in labels
    ]
    return plot_paired_intervals(rows, "Title", ("bound", "tree"), "accuracy")


def reliability(labels: Sequence[str]) -> Picture:
    return plot_reliability(dict.fromkeys(labels[:3], forecasts()), "Title")


def shares(labels: Sequence[str]) -> Picture:
    bars = [ShareBar(label, 0.5, 0.02 * n, 0.5 - 0.02 * n, label) for n, label in enumerate(labels)]
    return plot_shares(bars, "Title", 0.2)


def forecasts(spread: float = 0.05) -> Reliability:
    """Three bins, the last of which is farthest off."""
    happened = [Estimate(0.1, 0, 0.2), Estimate(0.6, 0.5, 0.7), Estimate(0.8, 0.7, 0.9)]
    bins = [
        Bin(0, 1, 9, 3, forecast, share)
        for forecast, share in zip((0.05, 0.5, 0.95), happened, strict=True)
    ]
    return Reliability(tuple(bins), np.full(20, spread))


KINDS = [curves, trends, scatter, intervals, steps, pairs, reliability, shares]
