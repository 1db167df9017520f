"""How measures agree with people by one criterion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.correlation import Coefficient, Level, Sample, correlations, williams_against
from eval.meta.drawn import RESAMPLES, Drawn
from eval.meta.judged import as_table
from eval.meta_study.correlation.halves import Halves, halves
from eval.meta_study.judged import COMBINED, Judged
from weps.errors import ValuesError
from weps.progress import Progress, part_of, silent

__all__ = ["Findings", "Rivals", "correlated"]

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Rivals:
    """Williams' test between the best measure and every other."""

    best: int
    chance: Floats
    """Shape (measures,): p that the best one correlates higher by chance; NaN of itself."""


@dataclass(frozen=True)
class Findings:
    """Coefficients of all measures, ULC the last."""

    judged: Judged
    found: Mapping[tuple[Level, Coefficient], Drawn]
    """Of the levels at which anything can be said; topics are drawn."""
    over_systems: Drawn | None
    """Pearson's coefficient at the level of systems again; systems are drawn."""
    rivals: Mapping[Level, Rivals]
    """At the levels of systems and of segments."""
    halves: Halves | None
    """None if there are too few systems or measures."""

    @property
    def levels(self) -> list[Level]:
        """Those at which anything can be said."""
        return [level for level in Level if (level, Coefficient.PEARSON) in self.found]

    @property
    def combined(self) -> int:
        """The number of ULC."""
        return self.judged.measures.index(COMBINED)

    @property
    def single(self) -> list[int]:
        """The numbers of the other measures."""
        return [each for each in range(len(self.judged.measures)) if each != self.combined]

    def pearson(self, level: Level) -> Drawn | None:
        """Pearson's coefficient."""
        return self.found.get((level, Coefficient.PEARSON))


def correlated(
    judged: Judged, *, seed: int = 0, resamples: int = RESAMPLES, progress: Progress = silent
) -> Findings:
    """All coefficients at all levels; where people judged whole systems, at that of systems only.

    Args:
        judged: with ULC.
        seed: of all resampling.
        resamples: how many.
        progress: hears how far it has come.

    Raises:
        ValuesError: if no measure has any coefficient.
    """
    levels = [Level.SYSTEM] if judged.is_by_system else list(Level)
    wanted = [(level, kind) for level in levels for kind in Coefficient]
    found: dict[tuple[Level, Coefficient], Drawn] = {}
    for done, (level, kind) in enumerate(wanted):
        told = part_of(progress, f"correlating {judged.criterion}", done, len(wanted))
        if drawn := _drawn(judged, level, kind, Sample.TOPICS, resamples, seed, told):
            found[level, kind] = drawn
    if not found:
        what = f"no measure can be correlated with {judged.criterion}"
        raise ValuesError(what, remedy="give measures whose values differ, or more systems")
    other = _drawn(judged, Level.SYSTEM, Coefficient.PEARSON, Sample.SYSTEMS, resamples, seed)
    means = _system_means(judged)
    progress("comparing measures", 0, 0)
    rivals = {
        level: _rivals(values, found[level, Coefficient.PEARSON].value)
        for level, values in (
            (Level.SYSTEM, means),
            (Level.SEGMENT, np.vstack([judged.human, judged.values])),
        )
        if (level, Coefficient.PEARSON) in found
    }
    halved = None if judged.is_by_system else halves(judged, means, seed, progress)
    return Findings(judged, found, other, rivals, halved)


def _drawn(  # noqa: PLR0913, PLR0917 - what is judged, what is asked, and how it is drawn
    judged: Judged,
    level: Level,
    kind: Coefficient,
    sample: Sample,
    resamples: int,
    seed: int,
    progress: Progress = silent,
) -> Drawn | None:
    """The coefficients; None where none is known."""
    try:
        drawn = correlations(
            judged.values,
            judged.human,
            judged.topic,
            judged.system,
            level=level,
            kind=kind,
            sample=sample,
            resamples=resamples,
            seed=seed,
            progress=progress,
        )
    except ValuesError:  # there is no topic that all systems have answered
        if level is not Level.SYSTEM:
            raise
        return None
    return None if np.isnan(drawn.value).all() else drawn


def _system_means(judged: Judged) -> Floats:
    """Shape (1 + measures, systems): people, then measures, over topics that all have answered."""
    rows = np.vstack([judged.human, judged.values])
    table = as_table(rows, judged.topic, judged.system)
    shared = ~np.isnan(table[0]).any(axis=1)
    return np.asarray(table[:, shared].mean(axis=1)) if shared.any() else table[:, 0]


def _rivals(rows: Floats, value: Floats) -> Rivals:
    best = int(np.nanargmax(value))
    chance = williams_against(rows[1:], rows[0], best)
    chance[best] = np.nan
    return Rivals(best, chance)
