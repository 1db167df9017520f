"""Pictures of HBR beside the measures."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eval.document import Figure
from eval.figures import Interval, Point, available, scatter
from eval.figures.grouped import Entry, groups_of_dots
from eval.judging.numerals import share_between
from eval.meta_study.hbr.people import Against
from eval.meta_study.kinds import kind_of
from eval.meta_study.several import known
from eval.meta_study.study import picked
from eval.ordering import Estimate

__all__ = ["drawings"]

_ROWS = 30
_FEWEST = 2
"""Topics of which a mean is worth a picture."""
_LABELS = 3


def drawings(against: Against, prefix: str, several: str) -> Iterator[Figure]:
    """AUC (workshop, figures 2 and 4), robustness (3), and predicted quality (*SEM, figure 1)."""
    yield _dots(
        against,
        f"{prefix}-auc",
        f"AUC of HBR and measures: {against.criterion}",
        estimates=against.auc.estimates,
        order=known(against.auc),
        note="As figure 2 of the workshop paper.",
    )
    if against.consistent.sum() >= _FEWEST:
        found = against.auc_of(against.consistent)
        yield _dots(
            against,
            f"{prefix}-consistent",
            f"AUC in consistent {several}: {against.criterion}",
            estimates=found.estimates,
            order=known(found),
            note="As figure 4 of the workshop paper.",
        )
    yield _dots(
        against,
        f"{prefix}-worst",
        f"Mean rank in the worst 10 % of {several}: {against.criterion}",
        estimates=against.worst.estimates,
        order=known(against.worst),
        note="As figure 3 of the workshop paper; 1 is the best rank.",
    )
    yield from _predicted(against, prefix)


def _dots(  # noqa: PLR0913 - a figure and what stands in it
    against: Against,
    key: str,
    title: str,
    *,
    estimates: tuple[Estimate, ...],
    order: list[int],
    note: str,
) -> Figure:
    rows = picked(order, _ROWS, [*range(against.hbr, len(against.names)), order[-1]])
    entries = [
        Entry(against.names[row], Interval(*estimates[row]), row >= against.hbr) for row in rows
    ]
    left = len(order) - len(rows)
    told = f" {left} measures between the last two rows are left out." if left else ""
    axis = title.partition(":")[0]
    shown = groups_of_dots([entries], title, axis) if available() else None
    return Figure(key, title, shown, note + told)


def _predicted(against: Against, prefix: str) -> Iterator[Figure]:
    """Agreement with people against agreement with HBR, a point for each measure."""
    predicted, actual = (
        each.value[: against.hbr] for each in (against.predicted, against.with_people)
    )
    rows = np.flatnonzero(~np.isnan(predicted + actual)).tolist()
    if len(rows) < 2:
        return
    best = sorted(rows, key=lambda row: -actual[row])
    marked = {*best[:_LABELS], best[-1]}
    kinds = [kind_of(against.names[row]) for row in rows]
    points = [
        Point(
            against.names[row],
            float(predicted[row]),
            float(actual[row]),
            row in marked,
            kind if len(set(kinds)) > 1 else "",
        )
        for row, kind in zip(rows, kinds, strict=True)
    ]
    title = f"Quality of measures as HBR predicts it: {against.criterion}"
    yield Figure(
        f"{prefix}-predicted",
        title,
        scatter(
            points,
            title,
            x="Pearson with HBR",
            y="Pearson with people",
            correlation=f"r = {against.predictive.value:.2f}",
            alike=False,
        )
        if available()
        else None,
        f"As figure 1 of the *SEM paper (r = .94). Here r = {share_between(against.predictive)}.",
    )
