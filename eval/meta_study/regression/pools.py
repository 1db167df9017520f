"""Kazawa's estimator over thresholds: Gap, Coverage and the precision of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.drawn import RESAMPLES, Drawn, drawn_shares
from eval.meta.regression import gaps, pair_precision, pooled_scores
from eval.meta_study.judged import Judged
from eval.meta_study.regression.outputs import Alike

__all__ = ["LEVELS", "Pool", "Pools", "pools"]

Floats: TypeAlias = NDArray[np.float64]

LEVELS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2)
"""Coverages of the paper's tables 1 and 2."""
_STEPS = 51


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Estimates by one measure of similarity; figures have a row for each threshold."""

    measure: str
    estimates: Floats
    """Shape (thresholds, instances); NaN where no output is similar enough."""
    gap: Drawn
    coverage: Floats
    """Shape (thresholds,)."""
    precision: Drawn
    """Share of the pairs that are ranked as people rank them."""
    rival: Drawn
    """Of the same pairs, by the best single measure."""

    def at(self, coverage: float) -> int | None:
        """The last threshold that still covers so much."""
        enough = np.flatnonzero(self.coverage >= coverage - 1e-12)
        return int(enough[-1]) if len(enough) else None

    def places(self, coverages: Sequence[float]) -> list[int]:
        """The different thresholds of several coverages, rising."""
        found = {self.at(coverage) for coverage in coverages}
        return sorted(each for each in found if each is not None)


@dataclass(frozen=True, slots=True, eq=False)
class Pools:
    """Kazawa's estimator by several measures of similarity."""

    thresholds: Floats
    pools: tuple[Pool, ...]
    best: str
    """The single measure that ranks most pairs as people do."""
    best_precision: Drawn
    """Over all pairs, one row."""


def pools(
    judged: Judged,
    alike: Alike,
    measures: Sequence[str],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Pools:
    """Estimate every score from those of the other outputs of its topic.

    Args:
        judged: outputs with people's scores, and single measures.
        alike: similarities between outputs.
        measures: by which they are alike.
        resamples: how many, of topics.
        seed: for the resamples.

    Raises:
        ValuesError: if a similarity is below 0.
    """
    highest = max(float(table.max()) for table in alike.values())
    thresholds = np.linspace(0, max(1.0, highest), _STEPS)
    ranked = _precision(judged, judged.values, resamples, seed)
    best = int(np.nanargmax(ranked.value))
    found = []
    for number, measure in enumerate(measures):
        estimates = np.full((_STEPS, len(judged.human)), np.nan)
        for topic, tables in alike.items():
            rows = np.flatnonzero(judged.topic == topic)
            estimates[:, rows] = pooled_scores(tables[number], judged.human[rows], thresholds)
        same = np.where(np.isnan(estimates), np.nan, judged.values[best])
        found.append(
            Pool(
                measure,
                estimates,
                _gap(judged, estimates, resamples, seed),
                gaps(estimates, judged.human).coverage,
                _precision(judged, estimates, resamples, seed),
                _precision(judged, same, resamples, seed),
            )
        )
    own = Drawn(ranked.value[[best]], ranked.drawn[[best]])
    return Pools(thresholds, tuple(found), judged.measures[best], own)


def _gap(judged: Judged, estimates: Floats, resamples: int, seed: int) -> Drawn:
    known = ~np.isnan(estimates)
    apart = np.where(known, np.abs(estimates - judged.human), 0.0)
    held, total = (_by_topic(judged, each) for each in (apart, known.astype(np.float64)))
    return drawn_shares(held, total, resamples=resamples, seed=seed)


def _by_topic(judged: Judged, rows: Floats) -> Floats:
    sums = [np.bincount(judged.topic, each, minlength=len(judged.topics)) for each in rows]
    return np.array(sums, dtype=np.float64)


def _precision(judged: Judged, rows: Floats, resamples: int, seed: int) -> Drawn:
    tallies = [pair_precision(each, judged.human, judged.topic) for each in rows]
    held, total = (
        np.array([np.diagonal(getattr(each, part)) for each in tallies])
        for part in ("held", "total")
    )
    return drawn_shares(held, total, resamples=resamples, seed=seed)
