"""Pictures of learners, and of Kazawa's method over thresholds."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eval.document import Figure
from eval.figures import Interval, Mark, Trend, available, trends
from eval.figures.grouped import Entry, groups_of_dots
from eval.meta.drawn import Drawn
from eval.meta_study.regression.findings import Findings
from eval.meta_study.regression.learned import VRM
from eval.meta_study.regression.pools import Pools

__all__ = ["learner_figure", "pool_figures"]


def learner_figure(findings: Findings) -> Figure:
    """The error of learners and of measures alone."""
    found = findings.learned
    errors = found.accuracy.absolute
    together = {VRM, *found.rivals}
    order = np.argsort(errors.value, kind="stable").tolist()
    groups = [
        [
            Entry(found.names[each], Interval(*errors.estimates[each]), found.names[each] == VRM)
            for each in order
            if (found.names[each] in together) is several
        ]
        for several in (True, False)
    ]
    title = f"Error of estimated scores: {findings.judged.criterion}"
    return Figure(
        "errors",
        title,
        groups_of_dots(groups, title, "mean absolute error") if available() else None,
        "Learners above, simple regression on each measure below, with 95 % intervals over topics. "
        "Left is better.",
    )


def pool_figures(pools: Pools) -> Iterator[Figure]:
    """Gap, Coverage and the precision of pairs, over thresholds."""
    yield _figure(
        ("gap", "Gap over thresholds of similarity"),
        [
            _trend(each.measure, pools, each.gap, band=number == 0)
            for number, each in enumerate(pools.pools)
        ],
        "Gap",
        "Band: 95 % interval over topics, of the first similarity. At high thresholds few outputs "
        "are left.",
    )
    yield _figure(
        ("coverage", "Coverage over thresholds of similarity"),
        [Trend(each.measure, pools.thresholds, each.coverage) for each in pools.pools],
        "Coverage",
        "Share of the outputs for which another of their topic is similar enough.",
    )
    first = pools.pools[0]
    yield _figure(
        ("precision", f"Precision of pairs over thresholds: {first.measure}"),
        [
            _trend("Kazawa's method", pools, first.precision),
            _trend(f"{pools.best}, same pairs", pools, first.rival, band=False),
        ],
        "Precision",
        "As figures 1 and 2 of Nanba and Okumura: the straight line is the best single measure on "
        "all pairs. An output's own score is left out: with low thresholds, which make estimates "
        "means of the others' scores, the best outputs get the lowest.",
        [Mark(f"{pools.best}, all pairs", float(pools.best_precision.value[0]))],
    )


def _trend(label: str, pools: Pools, drawn: Drawn, *, band: bool = True) -> Trend:
    estimates = drawn.estimates
    known = [at for at, each in enumerate(estimates) if not np.isnan(each.value)]
    ends = np.array([[estimates[at].low, estimates[at].high] for at in known]).T
    has_band = band and not np.isnan(ends).any()
    return Trend(
        label,
        pools.thresholds[known],
        drawn.value[known],
        (ends[0], ends[1]) if has_band else None,
    )


def _figure(
    name: tuple[str, str], lines: list[Trend], axis: str, note: str, marks: list[Mark] | None = None
) -> Figure:
    key, title = name
    shown = [line for line in lines if len(line.x)]
    if not shown or not available():
        return Figure(key, title, None, note)
    picture = trends(shown, title, x="threshold", y=axis, marks=marks or ())
    return Figure(key, title, picture, note)
