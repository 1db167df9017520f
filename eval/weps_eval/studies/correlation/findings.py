"""How measures agree with people by one criterion.

Would measures be ranked alike if other systems had been judged? Systems split in halves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from weps._parallel import Progress, no_progress, partial_progress
from weps.errors import ValuesError
from weps_eval.meta.correlation import Coefficient, row_coefficients
from weps_eval.meta.correlation_levels import (
    DRAWN,
    Level,
    Sample,
    compare_with_best,
    correlate_with_humans,
)
from weps_eval.meta.judged import as_table
from weps_eval.stats.arrays import Flags, Floats
from weps_eval.stats.estimate import RESAMPLES, BootstrapSamples, Estimate
from weps_eval.studies.measures import JudgedOutputs

_SPLITS = 200
_CELLS = 1 << 17
"""Values that are correlated at a time: 1 MB, which the cache holds."""
_FEWEST_SYSTEMS, _FEWEST_MEASURES = 6, 4


@dataclass(frozen=True, slots=True, eq=False)
class SplitHalves:
    """Spearman's coefficient, over measures, of what two halves of the systems say of measures."""

    found: Mapping[Level, Floats]
    """Shape (splits,)."""

    def range(self, level: Level) -> Estimate:
        """The middle of all splits, and the middle 95 % of them."""
        return _median_estimate(self.found[level])

    @property
    def gain(self) -> Estimate:
        """How much more alike the halves are at the level of segments, split by split."""
        return _median_estimate(self.found[Level.SEGMENT] - self.found[Level.SYSTEM])


def split_half_agreement(
    judged: JudgedOutputs, means: Floats, seed: int = 0, progress: Progress = no_progress
) -> SplitHalves | None:
    """Split the systems at random, many times; None for under six systems or four measures.

    Stands in for the comparison of two test beds in Amigó et al. (ACL 2009, section 4.2). The means
    of people and of measures, ULC left aside, have shape (1 + measures, systems).
    """
    rows, size = judged.single, len(judged.systems)
    if size < _FEWEST_SYSTEMS or len(rows) < _FEWEST_MEASURES:
        return None
    generator, values = np.random.default_rng(seed), judged.values[rows]
    found: dict[Level, list[float]] = {Level.SYSTEM: [], Level.SEGMENT: []}
    for done in range(_SPLITS):
        progress("splitting systems", done, _SPLITS)
        first = np.isin(np.arange(size), generator.permutation(size)[: size // 2])
        inside = first[judged.system]
        systems = [_pearson(means[1:][rows], means[0], part) for part in (first, ~first)]
        segments = [_pearson(values, judged.human, part) for part in (inside, ~inside)]
        found[Level.SYSTEM].append(_rank_agreement(*systems))
        found[Level.SEGMENT].append(_rank_agreement(*segments))
    progress("splitting systems", _SPLITS, _SPLITS)
    return SplitHalves({level: np.array(values) for level, values in found.items()})


def _pearson(values: Floats, human: Floats, part: Flags) -> Floats:
    people, places = human[None, part], np.flatnonzero(part)
    step = max(1, _CELLS // len(places))
    blocks = (values[start : start + step, places] for start in range(0, len(values), step))
    found = [row_coefficients(each, people, Coefficient.PEARSON) for each in blocks]
    return np.concatenate(found)


def _rank_agreement(first: Floats, second: Floats) -> float:
    both = ~np.isnan(first) & ~np.isnan(second)
    if not both.any():
        return float("nan")
    return float(row_coefficients(first[None, both], second[None, both], Coefficient.SPEARMAN)[0])


def _median_estimate(values: Floats) -> Estimate:
    known = values[~np.isnan(values)]
    return Estimate.from_samples(float(np.median(known)) if len(known) else float("nan"), known)


@dataclass(frozen=True, slots=True, eq=False)
class LeadOfBest:
    """The permutation test between the best measure and every other."""

    best: int
    p: Floats
    """Shape (measures,): that the best one correlates higher by chance; NaN of itself."""


@dataclass(frozen=True)
class Findings:
    """Coefficients of all measures, ULC after them."""

    judged: JudgedOutputs
    found: Mapping[tuple[Level, Coefficient], BootstrapSamples]
    """Of the levels with a known coefficient; resampled is what DRAWN has for each."""
    jointly: Mapping[Level, BootstrapSamples]
    """Pearson's coefficient, topics and systems resampled alike at all levels."""
    leads: Mapping[Level, LeadOfBest]
    halves: SplitHalves | None
    """None if there are too few systems or measures."""

    @property
    def levels(self) -> list[Level]:
        """Those with a known coefficient."""
        return [level for level in Level if (level, Coefficient.PEARSON) in self.found]

    def pearson(self, level: Level) -> BootstrapSamples | None:
        """Pearson's coefficient, topics and systems resampled: conclusions are judged by it."""
        return self.jointly.get(level)


def compute_findings(
    judged: JudgedOutputs,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    progress: Progress = no_progress,
) -> Findings:
    """All coefficients at all levels, ULC among the measures; of whole systems, at theirs only.

    Raises:
        ValuesError: if no measure has any coefficient.
    """
    levels = [Level.SYSTEM] if judged.is_by_system else list(Level)
    wanted = [(level, kind) for level in levels for kind in Coefficient]
    correlate = partial(_bootstrap_level, judged, resamples=resamples, seed=seed)
    found: dict[tuple[Level, Coefficient], BootstrapSamples] = {}
    for done, (level, kind) in enumerate(wanted):
        part = partial_progress(progress, f"correlating {judged.criterion}", done, len(wanted))
        if samples := correlate(level=level, kind=kind, progress=part):
            found[level, kind] = samples
    if not found:
        what = f"no measure can be correlated with {judged.criterion}"
        raise ValuesError(what, remedy="give measures whose values differ, or more systems")
    pearson = {level: each for (level, kind), each in found.items() if kind is Coefficient.PEARSON}
    jointly = {level: each for level, each in pearson.items() if DRAWN[level] is Sample.BOTH}
    if segments := correlate(level=Level.SEGMENT, sample=Sample.BOTH) if len(levels) > 1 else None:
        jointly[Level.SEGMENT] = segments
    leads = {}
    for done, (level, samples) in enumerate(pearson.items()):
        progress("comparing measures", done, len(pearson))
        leads[level] = _lead_of_best(judged, level, int(np.nanargmax(samples.value)), seed)
    halves = None
    if not judged.is_by_system:
        halves = split_half_agreement(judged, _system_means(judged), seed, progress)
    return Findings(judged, found, jointly, leads, halves)


def _lead_of_best(judged: JudgedOutputs, level: Level, best: int, seed: int) -> LeadOfBest:
    scored = judged.values, judged.human, judged.topic, judged.system
    return LeadOfBest(best, compare_with_best(*scored, best, level=level, seed=seed))


def _bootstrap_level(
    judged: JudgedOutputs, *, level: Level, **settings: Any
) -> BootstrapSamples | None:
    """The coefficients; None where none is known."""
    try:
        samples = correlate_with_humans(
            judged.values, judged.human, judged.topic, judged.system, level=level, **settings
        )
    except ValuesError:  # there is no topic that all systems have answered
        if level is not Level.SYSTEM:
            raise
        return None
    return None if np.isnan(samples.value).all() else samples


def _system_means(judged: JudgedOutputs) -> Floats:
    """Shape (1 + measures, systems): people, then measures, over topics that all have answered."""
    rows = np.vstack([judged.human, judged.values])
    table = as_table(rows, judged.topic, judged.system)
    shared = ~np.isnan(table[0]).any(axis=1)
    return np.asarray(table[:, shared].mean(axis=1)) if shared.any() else table[:, 0]
