"""What the 2009 paper's measures of measures say on the data at hand.

Improvements that the organisers of an evaluation have published: WMT's table of tests.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.extremes import PAPER_THRESHOLDS, CounterSamples, Thresholds, counter_samples
from eval.meta.improvements import (
    SIGNIFICANCE_LEVEL,
    Test,
    oracle_scores,
    quality_decreases,
    significant_improvements,
    sip_and_sir,
)
from eval.stats.estimate import (
    RESAMPLES,
    BootstrapSamples,
    PairCounts,
    bootstrap_means,
    resampled_shares,
)
from eval.studies.measures import COMBINED_MEASURE, JudgedOutputs
from eval.text.convert.files import lines_of
from weps._formatting import quote_text, suggest_names
from weps._parallel import Progress, no_progress
from weps.errors import ValuesError

__all__ = [
    "DetectedImprovements",
    "Findings",
    "ImprovementOptions",
    "OfficialImprovements",
    "Oracles",
    "examined",
    "read_official",
]

Truths: TypeAlias = NDArray[np.bool_]

_CELL = re.compile(r"[-+]?\d*\.?\d*(\**)")
_RUN = re.compile(r"\.\d+$")
"""The number that tables append to a system's name."""
_REMEDY = "give the table as WMT publishes it, ad-DA-diff-wilcoxon-rs-….csv"


@dataclass(frozen=True, slots=True, eq=False)
class OfficialImprovements:
    """Which systems significantly improve which others, by people."""

    systems: tuple[str, ...]
    improves: Truths
    """Shape (systems, systems): the row improves the column."""
    unknown: tuple[str, ...]
    """Systems of the table that are not at hand."""


def read_official(path: Path, systems: Sequence[str], stars: int = 1) -> OfficialImprovements:
    """Read a table of differences, one row and one column for each system, with stars.

    WMT's stars: * for p < .05, ** for p < .01, *** for p < .001 of Wilcoxon's rank-sum test that
    the row is better than the column (Akhbardeh et al. 2021). Tables append numbers to names
    (``UF.15``); where that is not enough, a file ``….names.csv`` or ``…-names.csv`` in the same
    folder tells names in its last two columns.

    Args:
        path: cells between blanks; the head has the systems, each row its own before its cells.
        systems: those at hand, whose order is kept.
        stars: how many a significant improvement has at least.

    Raises:
        SourceError: if it cannot be read.
        ValuesError: if it is no such table, or knows less than two of the systems.
    """
    head, *rows = [line.split() for line in lines_of(path) if line]
    names = _names(path, systems)
    known = {names.get(each, _RUN.sub("", each)): at for at, each in enumerate(head)}
    improves = np.zeros((len(head), len(head)), dtype=np.bool_)
    for at, row in enumerate(rows):
        if at >= len(head) or row[0] != head[at] or len(row) != len(head) + 1:
            what = f"{quote_text(' '.join(row))} is not the row of a system"
            raise ValuesError(what, where=f"{path}, line {at + 2}", remedy=_REMEDY)
        improves[at] = [_stars(cell, path, at + 2) >= stars for cell in row[1:]]
    if len(rows) != len(head):
        what = f"there are {len(rows)} rows for {len(head)} systems"
        raise ValuesError(what, where=path, remedy=_REMEDY)
    shared = [each for each in systems if each in known]
    if len(shared) < 2:
        what = f"it knows {len(shared)} of the {len(systems)} systems"
        raise ValuesError(what, where=path, remedy="give the table of the same systems")
    chosen = [known[each] for each in shared]
    unknown = tuple(name for name in known if name not in systems)
    return OfficialImprovements(tuple(shared), improves[np.ix_(chosen, chosen)], unknown)


def _names(path: Path, systems: Sequence[str]) -> dict[str, str]:
    """A system as tables call it → as its outputs are called."""
    rows = [
        line.split()
        for file in sorted(path.parent.glob("*names.csv"))
        if file.name != path.name
        for line in lines_of(file)
    ]
    return {row[-2]: row[-1] for row in rows if len(row) > 1 and row[-1] in systems}


def _stars(cell: str, path: Path, line: int) -> int:
    if cell == "-":
        return 0
    found = _CELL.fullmatch(cell)
    if not found or not cell:
        what = f"{quote_text(cell)} is no difference with stars"
        raise ValuesError(what, where=f"{path}, line {line}", remedy=_REMEDY)
    return len(found[1])


Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ImprovementOptions:
    """How measures are examined."""

    test: Test = Test.SIGNED_RANK
    level: float = SIGNIFICANCE_LEVEL
    chosen: str = ""
    """The system that others are held against; none if empty."""
    scale: tuple[float, float] | None = None
    """Lowest and highest score that people can give; those that they gave if None."""
    seed: int = 0
    resamples: int = RESAMPLES


@dataclass(frozen=True, slots=True, eq=False)
class DetectedImprovements:
    """Which significant improvements measures see."""

    systems: tuple[str, ...]
    real: Truths
    """Shape (systems, systems): the row improves the column, by people."""
    found: Truths
    """Shape (measures, systems, systems): by each measure."""
    precision: BootstrapSamples
    """SIP; systems are drawn."""
    recall: BootstrapSamples
    """SIR; systems are drawn."""


@dataclass(frozen=True, slots=True, eq=False)
class Oracles:
    """The oracle system test; topics are drawn."""

    chosen: BootstrapSamples
    """By each measure."""
    bounds: BootstrapSamples
    """By chance, the worst, the best."""


@dataclass(frozen=True)
class Findings:
    """Of all measures, ULC the last; None where the data cannot tell."""

    judged: JudgedOutputs
    options: ImprovementOptions
    detected: DetectedImprovements | None
    is_official: bool
    """Whether people's improvements are as published, not tested here."""
    thresholds: Thresholds
    counter: CounterSamples | None
    decrease: BootstrapSamples | None
    oracles: Oracles | None

    @property
    def single(self) -> list[int]:
        """The numbers of the measures but ULC."""
        return [
            number for number, name in enumerate(self.judged.measures) if name != COMBINED_MEASURE
        ]

    @property
    def combined(self) -> int:
        """The number of ULC."""
        return self.judged.measures.index(COMBINED_MEASURE)


def examined(
    judged: JudgedOutputs,
    options: ImprovementOptions,
    official: OfficialImprovements | None = None,
    progress: Progress = no_progress,
) -> Findings:
    """All that can be told: less where people judged whole systems, or nobody is chosen.

    Args:
        judged: with ULC.
        options: how.
        official: improvements by people, if they are published.
        progress: hears how many measures are tested.

    Raises:
        ValuesError: if there is no such system.
    """
    thresholds = _thresholds(judged, options)
    seen = _detect_improvements(judged, options, official, progress)
    if judged.is_by_system:
        return Findings(judged, options, seen, official is not None, thresholds, None, None, None)
    progress("examining scores", 0, 0)
    counter = counter_samples(
        judged.values,
        judged.human,
        judged.topic,
        thresholds=thresholds,
        resamples=options.resamples,
        seed=options.seed,
    )
    decrease = _decrease(judged, options) if options.chosen else None
    oracles = _oracles(judged, options)
    return Findings(
        judged, options, seen, official is not None, thresholds, counter, decrease, oracles
    )


def _thresholds(judged: JudgedOutputs, options: ImprovementOptions) -> Thresholds:
    lowest, highest = options.scale or (float(judged.human.min()), float(judged.human.max()))
    return PAPER_THRESHOLDS.on_scale(lowest, highest)


def _detect_improvements(
    judged: JudgedOutputs,
    options: ImprovementOptions,
    official: OfficialImprovements | None,
    progress: Progress,
) -> DetectedImprovements | None:
    if len(judged.systems) < 2 or (official is None and judged.is_by_system):
        return None
    names = official.systems if official else judged.systems
    chosen = [judged.systems.index(name) for name in names]
    rows = np.vstack([judged.human, judged.values])
    tested = significant_improvements(
        rows, judged.topic, judged.system, level=options.level, test=options.test, progress=progress
    )
    real, *found = tested[:, chosen][:, :, chosen]
    if official:
        real = official.improves
    shares = [sip_and_sir(each, real) for each in found]
    return DetectedImprovements(
        names,
        real,
        np.array(found),
        _shares([each.precision for each in shares], options),
        _shares([each.recall for each in shares], options),
    )


def _shares(counts: list[PairCounts], options: ImprovementOptions) -> BootstrapSamples:
    drawn = [
        resampled_shares(each, seed=options.seed, resamples=options.resamples) for each in counts
    ]
    return BootstrapSamples(np.array([each.pooled for each in counts]), np.array(drawn))


def _decrease(judged: JudgedOutputs, options: ImprovementOptions) -> BootstrapSamples:
    if options.chosen not in judged.systems:
        what = f"there is no system {quote_text(options.chosen)}"
        raise ValuesError(what, remedy=suggest_names(options.chosen, judged.systems))
    lost = quality_decreases(
        judged.values,
        judged.human,
        judged.topic,
        judged.system,
        judged.systems.index(options.chosen),
    )
    return bootstrap_means(lost, resamples=options.resamples, seed=options.seed)


def _oracles(judged: JudgedOutputs, options: ImprovementOptions) -> Oracles:
    found = oracle_scores(judged.values, judged.human, judged.topic)
    bounds = np.vstack([found.random, found.least, found.most])
    chosen, others = (
        bootstrap_means(each, resamples=options.resamples, seed=options.seed)
        for each in (found.chosen, bounds)
    )
    return Oracles(chosen, others)
