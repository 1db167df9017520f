"""What the 2009 paper's measures of measures say on the data at hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.instances.wording import among, quoted
from eval.meta.decrease import quality_decreases
from eval.meta.drawn import RESAMPLES, Drawn, over_topics
from eval.meta.extremes import PAPER, CounterSamples, Thresholds, counter_samples
from eval.meta.improvements import LEVEL, Test, improvements, significant
from eval.meta.oracle import oracle
from eval.meta_study.improvements.official import Official
from eval.meta_study.judged import COMBINED, Judged
from eval.ordering import Tally
from eval.ordering.tally import resampled
from weps.errors import ValuesError
from weps.progress import Progress, silent

__all__ = ["Asked", "Findings", "Oracles", "Seen", "examined"]

Floats: TypeAlias = NDArray[np.float64]
Truths: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Asked:
    """How measures are examined."""

    test: Test = Test.SIGNED_RANK
    level: float = LEVEL
    chosen: str = ""
    """The system that others are held against; none if empty."""
    scale: tuple[float, float] | None = None
    """Lowest and highest score that people can give; those that they gave if None."""
    seed: int = 0
    resamples: int = RESAMPLES


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Which significant improvements measures see."""

    systems: tuple[str, ...]
    real: Truths
    """Shape (systems, systems): the row improves the column, by people."""
    found: Truths
    """Shape (measures, systems, systems): by each measure."""
    precision: Drawn
    """SIP; systems are drawn."""
    recall: Drawn
    """SIR; systems are drawn."""


@dataclass(frozen=True, slots=True, eq=False)
class Oracles:
    """The oracle system test; topics are drawn."""

    chosen: Drawn
    """By each measure."""
    bounds: Drawn
    """By chance, the worst, the best."""


@dataclass(frozen=True)
class Findings:
    """Of all measures, ULC the last; None where the data cannot tell."""

    judged: Judged
    asked: Asked
    seen: Seen | None
    is_official: bool
    """Whether people's improvements are as published, not tested here."""
    thresholds: Thresholds
    counter: CounterSamples | None
    decrease: Drawn | None
    oracles: Oracles | None

    @property
    def single(self) -> list[int]:
        """The numbers of the measures but ULC."""
        return [number for number, name in enumerate(self.judged.measures) if name != COMBINED]

    @property
    def combined(self) -> int:
        """The number of ULC."""
        return self.judged.measures.index(COMBINED)


def examined(
    judged: Judged, asked: Asked, official: Official | None = None, progress: Progress = silent
) -> Findings:
    """All that can be told: less where people judged whole systems, or nobody is chosen.

    Args:
        judged: with ULC.
        asked: how.
        official: improvements by people, if they are published.
        progress: hears how many measures are tested.

    Raises:
        ValuesError: if there is no such system.
    """
    thresholds = _thresholds(judged, asked)
    seen = _seen(judged, asked, official, progress)
    if judged.is_by_system:
        return Findings(judged, asked, seen, official is not None, thresholds, None, None, None)
    progress("examining scores", 0, 0)
    counter = counter_samples(
        judged.values,
        judged.human,
        judged.topic,
        thresholds=thresholds,
        resamples=asked.resamples,
        seed=asked.seed,
    )
    decrease = _decrease(judged, asked) if asked.chosen else None
    oracles = _oracles(judged, asked)
    return Findings(
        judged, asked, seen, official is not None, thresholds, counter, decrease, oracles
    )


def _thresholds(judged: Judged, asked: Asked) -> Thresholds:
    lowest, highest = asked.scale or (float(judged.human.min()), float(judged.human.max()))
    return PAPER.on_scale(lowest, highest)


def _seen(
    judged: Judged, asked: Asked, official: Official | None, progress: Progress
) -> Seen | None:
    if len(judged.systems) < 2 or (official is None and judged.is_by_system):
        return None
    names = official.systems if official else judged.systems
    chosen = [judged.systems.index(name) for name in names]
    rows = np.vstack([judged.human, judged.values])
    tested = significant(
        rows, judged.topic, judged.system, level=asked.level, test=asked.test, progress=progress
    )
    real, *found = tested[:, chosen][:, :, chosen]
    if official:
        real = official.improves
    shares = [improvements(each, real) for each in found]
    return Seen(
        names,
        real,
        np.array(found),
        _shares([each.precision for each in shares], asked),
        _shares([each.recall for each in shares], asked),
    )


def _shares(tallies: list[Tally], asked: Asked) -> Drawn:
    drawn = [resampled(each, seed=asked.seed, resamples=asked.resamples) for each in tallies]
    return Drawn(np.array([each.pooled for each in tallies]), np.array(drawn))


def _decrease(judged: Judged, asked: Asked) -> Drawn:
    if asked.chosen not in judged.systems:
        what = f"there is no system {quoted(asked.chosen)}"
        raise ValuesError(what, remedy=among(asked.chosen, judged.systems))
    lost = quality_decreases(
        judged.values,
        judged.human,
        judged.topic,
        judged.system,
        judged.systems.index(asked.chosen),
    )
    return over_topics(lost, resamples=asked.resamples, seed=asked.seed)


def _oracles(judged: Judged, asked: Asked) -> Oracles:
    found = oracle(judged.values, judged.human, judged.topic)
    bounds = np.vstack([found.random, found.least, found.most])
    chosen, others = (
        over_topics(each, resamples=asked.resamples, seed=asked.seed)
        for each in (found.chosen, bounds)
    )
    return Oracles(chosen, others)
