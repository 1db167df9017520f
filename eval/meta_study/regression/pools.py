"""Kazawa's estimator over thresholds: Gap, Coverage and the precision of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.drawn import RESAMPLES, Drawn, drawn_shares
from eval.meta.regression import gaps, pair_precision, pooled_pairs, pooled_scores
from eval.meta_study.judged import Judged
from eval.meta_study.regression.outputs import Alike

__all__ = ["LEVELS", "Pool", "Pools", "pools"]

Floats: TypeAlias = NDArray[np.float64]

LEVELS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2)
"""Coverages of the paper's tables 1 and 2."""
_STEPS = 51
_DECIMALS = 12
"""Of differences that count, so that equal scores are equal however they are added up."""


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
    """Share of the pairs that are ranked as people rank them; neither is in the other's pool."""
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
    most = max(1.0, *(float(table.max()) for table in alike.values()))
    thresholds = np.linspace(0, most, _STEPS)
    ranked = _precision(judged, judged.values, resamples, seed)
    best = int(np.nanargmax(ranked.value))
    found = []
    for number, measure in enumerate(measures):
        estimates = np.full((_STEPS, len(judged.human)), np.nan)
        for topic, tables in alike.items():
            rows = np.flatnonzero(judged.topic == topic)
            estimates[:, rows] = pooled_scores(tables[number], judged.human[rows], thresholds)
        own, rival = _ranked(judged, alike, number, thresholds, judged.values[best])
        found.append(
            Pool(
                measure,
                estimates,
                _gap(judged, estimates, resamples, seed),
                gaps(estimates, judged.human).coverage,
                drawn_shares(*own, resamples=resamples, seed=seed),
                drawn_shares(*rival, resamples=resamples, seed=seed),
            )
        )
    highest = Drawn(ranked.value[[best]], ranked.drawn[[best]])
    return Pools(thresholds, tuple(found), judged.measures[best], highest)


def _ranked(
    judged: Judged, alike: Alike, number: int, thresholds: Floats, values: Floats
) -> tuple[Floats, Floats]:
    """Pairs ranked as people rank them and all pairs: by the estimates, by a measure's values.

    Shape (2, thresholds, topics) each.
    """
    own, rival = np.zeros((2, 2, len(thresholds), len(judged.topics)))
    for topic, tables in alike.items():
        rows = np.flatnonzero(judged.topic == topic)
        human, measure = judged.human[rows], values[rows]
        plain = measure[:, None] - measure
        for at, limit in enumerate(thresholds.tolist()):
            scores = pooled_pairs(tables[number], human, limit)
            ahead = (scores - scores.T).round(_DECIMALS)
            own[:, at, topic] = _alike(ahead, human)
            rival[:, at, topic] = _alike(np.where(np.isnan(ahead), np.nan, plain), human)
    return own, rival


def _alike(ahead: Floats, human: Floats) -> tuple[int, int]:
    """How many pairs are ranked as people rank them, and how many there are."""
    pairs = (human[:, None] > human) & ~np.isnan(ahead)
    return int((pairs & (ahead > 0)).sum()), int(pairs.sum())


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
