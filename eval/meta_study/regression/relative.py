"""Yasuda's regression on relative quality: scores of systems, with topics drawn anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.drawn import RESAMPLES, Drawn, times_drawn
from eval.meta.judged import as_table
from eval.meta.regression import relative_scores
from eval.meta.shares import share
from eval.meta_study.judged import Judged
from weps.progress import Progress, silent

__all__ = ["Relative", "relative", "system_gap"]

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Relative:
    """Of each measure; topics are drawn."""

    measures: tuple[str, ...]
    gap: Drawn
    """Mean over systems of |estimate - mean score by people|."""
    precision: Drawn
    """Share of the pairs of systems that the estimates rank as people do."""
    plain: Drawn
    """The same of the measure's means."""


def relative(
    judged: Judged,
    rows: Sequence[int],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    progress: Progress = silent,
) -> Relative:
    """Estimate every system's score from those of the others, measure by measure.

    Args:
        judged: outputs with people's scores.
        rows: numbers of measures.
        resamples: how many.
        seed: for the resamples.
        progress: hears how many measures are done.
    """
    table = as_table(
        np.vstack([judged.human, judged.values[list(rows)]]), judged.topic, judged.system
    )
    times = times_drawn(table.shape[1], resamples, seed)
    people, *ours = (_means(each, times) for each in table)
    limits = (float(judged.human.min()), float(judged.human.max()))
    found = []
    for done, each in enumerate(table[1:]):
        progress("estimating systems", done, len(rows))
        found.append(_estimates(each, people, times, limits))
    progress("estimating systems", len(rows), len(rows))
    names = tuple(judged.measures[each] for each in rows)
    gap = np.array([_apart(each, people) for each in found])
    precision = np.array([_ranked(each, people) for each in found])
    plain = np.array([_ranked(each, people) for each in ours])
    return Relative(names, *(Drawn(each[:, 0], each[:, 1:]) for each in (gap, precision, plain)))


def system_gap(
    judged: Judged, estimates: Floats, *, resamples: int = RESAMPLES, seed: int = 0
) -> Drawn:
    """The gap between the means of systems, of estimates of single outputs.

    Args:
        judged: outputs with people's scores.
        estimates: shape (rows, instances); NaN where there is none.
        resamples: how many.
        seed: for the resamples.
    """
    size = (len(judged.topics), len(judged.systems))
    times = times_drawn(size[0], resamples, seed)
    people = _means(as_table(judged.human, judged.topic, judged.system)[0], times)
    found = []
    for row in estimates:
        table = np.full(size, np.nan)
        table[judged.topic, judged.system] = row
        found.append(_apart(_means(table, times), people))
    gap = np.array(found)
    return Drawn(gap[:, 0], gap[:, 1:])


def _means(table: Floats, times: Floats) -> Floats:
    """Shape (1 + resamples, systems), of values of shape (topics, systems)."""
    known = ~np.isnan(table)
    return share(times @ np.where(known, table, 0.0), times @ known.astype(np.float64))


def _estimates(table: Floats, people: Floats, times: Floats, limits: tuple[float, float]) -> Floats:
    """Shape (1 + resamples, systems): Yasuda's scores with the topics as drawn."""
    first, second = table[:, :, None], table[:, None, :]
    won = np.where(first == second, 0.5, first > second)
    both = ~(np.isnan(first) | np.isnan(second))
    shape = (len(times), *both.shape[1:])
    wins, total = (
        (times @ (each * both).reshape(len(table), -1)).reshape(shape) for each in (won, 1.0)
    )
    return np.array(
        [
            relative_scores(rate, score, limits)
            if np.isfinite(score).all()
            else np.full(len(score), np.nan)
            for rate, score in zip(share(wins, total), people, strict=True)
        ]
    )


def _apart(estimates: Floats, people: Floats) -> Floats:
    """Shape (columns,): the mean gap over the systems that have an estimate."""
    known = ~np.isnan(estimates) & ~np.isnan(people)
    apart = np.where(known, np.abs(estimates - people), 0.0)
    return share(apart.sum(axis=1), known.sum(axis=1))


def _ranked(estimates: Floats, people: Floats) -> Floats:
    """Shape (columns,): of the pairs that people rank, the share ranked alike."""
    ours, theirs = (each[:, :, None] - each[:, None, :] for each in (estimates, people))
    pairs = (theirs > 0) & ~np.isnan(ours)
    return share((pairs & (ours > 0)).sum(axis=(1, 2)), pairs.sum(axis=(1, 2)))
