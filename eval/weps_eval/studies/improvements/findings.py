"""The measures of measures of the paper of 2009 on the available data.

Improvements by people are tested, or read from WMT's published table of tests.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from weps._formatting import quote_text, suggest_names
from weps._parallel import Progress, no_progress
from weps.errors import ValuesError
from weps_eval.meta.improvements import (
    PAPER_THRESHOLDS,
    SIGNIFICANCE_LEVEL,
    CounterSamples,
    Test,
    Thresholds,
    counter_samples,
    oracle_scores,
    quality_decreases,
    significant_improvements,
    sip_and_sir,
)
from weps_eval.stats.arrays import Flags
from weps_eval.stats.estimate import (
    RESAMPLES,
    BootstrapSamples,
    PairCounts,
    bootstrap_means,
    resampled_shares,
)
from weps_eval.studies.measures import JudgedOutputs
from weps_eval.text.convert import lines_of

_CELL = re.compile(r"[-+]?\d*\.?\d*(\**)")
_RUN = re.compile(r"\.\d+$")
"""The number that tables append to a system's name."""
_REMEDY = "give the table as WMT publishes it, ad-DA-diff-wilcoxon-rs-….csv"


@dataclass(frozen=True, slots=True, eq=False)
class OfficialImprovements:
    """Which systems significantly improve which others, by people."""

    systems: tuple[str, ...]
    improves: Flags
    """Shape (systems, systems): the row improves the column."""
    unknown: tuple[str, ...]
    """Systems of the table that are not available."""


def read_official(path: Path, systems: Sequence[str], stars: int = 1) -> OfficialImprovements:
    """Read a table of differences, one row and one column for each system, with stars.

    WMT's stars: * for p < .05, ** for p < .01, *** for p < .001 of Wilcoxon's rank-sum test that
    the row is better than the column (Akhbardeh et al. 2021). Tables append numbers to names
    (``UF.15``); where that is not enough, the last two columns of a file ``….names.csv`` or
    ``…-names.csv`` in the same folder give the names.

    Args:
        path: cells between blanks; the head has the systems, each row its own before its cells.
        systems: the available ones, whose order is kept.
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


@dataclass(frozen=True, slots=True)
class Settings:
    """How measures are examined."""

    test: Test = Test.SIGNED_RANK
    level: float = SIGNIFICANCE_LEVEL
    chosen: str = ""
    """The system that others are compared with; none if empty."""
    scale: tuple[float, float] | None = None
    """Lowest and highest score that people can give; those that they gave if None."""
    seed: int = 0
    resamples: int = RESAMPLES


@dataclass(frozen=True, slots=True, eq=False)
class DetectedImprovements:
    """Which significant improvements measures see."""

    systems: tuple[str, ...]
    real: Flags
    """Shape (systems, systems): the row improves the column, by people."""
    found: Flags
    """Shape (measures, systems, systems): by each measure."""
    precision: BootstrapSamples
    """SIP; systems are resampled."""
    recall: BootstrapSamples
    """SIR; systems are resampled."""


@dataclass(frozen=True, slots=True, eq=False)
class Oracles:
    """The oracle system test; topics are resampled."""

    chosen: BootstrapSamples
    """By each measure."""
    bounds: BootstrapSamples
    """By chance, the worst, the best."""


@dataclass(frozen=True)
class Findings:
    """Of all measures, ULC after them; None where the data lack what is needed."""

    judged: JudgedOutputs
    settings: Settings
    detected: DetectedImprovements | None
    is_official: bool
    """Whether people's improvements are as published, not tested here."""
    thresholds: Thresholds
    counter: CounterSamples | None = None
    decrease: BootstrapSamples | None = None
    oracles: Oracles | None = None


def compute_findings(
    judged: JudgedOutputs,
    settings: Settings,
    official: OfficialImprovements | None = None,
    progress: Progress = no_progress,
) -> Findings:
    """All figures of outputs with ULC: fewer where people judged whole systems, or none is chosen.

    Progress is called with the number of measures tested.

    Raises:
        ValuesError: if the chosen system is not available.
    """
    scale = settings.scale or (float(judged.human.min()), float(judged.human.max()))
    thresholds = PAPER_THRESHOLDS.on_scale(*scale)
    detected = _detect_improvements(judged, settings, official, progress)
    findings = Findings(judged, settings, detected, official is not None, thresholds)
    if judged.is_by_system:
        return findings
    progress("examining scores", 0, 0)
    return replace(
        findings,
        counter=counter_samples(
            judged.values,
            judged.human,
            judged.topic,
            thresholds=thresholds,
            resamples=settings.resamples,
            seed=settings.seed,
        ),
        decrease=_decrease(judged, settings) if settings.chosen else None,
        oracles=_oracles(judged, settings),
    )


def _detect_improvements(
    judged: JudgedOutputs,
    settings: Settings,
    official: OfficialImprovements | None,
    progress: Progress,
) -> DetectedImprovements | None:
    if len(judged.systems) < 2 or (official is None and judged.is_by_system):
        return None
    names = official.systems if official else judged.systems
    chosen = [judged.systems.index(name) for name in names]
    tested = significant_improvements(
        np.vstack([judged.human, judged.values]),
        judged.topic,
        judged.system,
        level=settings.level,
        test=settings.test,
        progress=progress,
    )
    real, *found = tested[:, chosen][:, :, chosen]
    if official:
        real = official.improves
    shares = [sip_and_sir(each, real) for each in found]

    def resample(counts: list[PairCounts]) -> BootstrapSamples:
        samples = [
            resampled_shares(each, seed=settings.seed, resamples=settings.resamples)
            for each in counts
        ]
        return BootstrapSamples(np.array([each.pooled for each in counts]), np.array(samples))

    return DetectedImprovements(
        names,
        real,
        np.array(found),
        resample([each.precision for each in shares]),
        resample([each.recall for each in shares]),
    )


def _decrease(judged: JudgedOutputs, settings: Settings) -> BootstrapSamples:
    if settings.chosen not in judged.systems:
        what = f"there is no system {quote_text(settings.chosen)}"
        raise ValuesError(what, remedy=suggest_names(settings.chosen, judged.systems))
    chosen = judged.systems.index(settings.chosen)
    lost = quality_decreases(judged.values, judged.human, judged.topic, judged.system, chosen)
    return bootstrap_means(lost, resamples=settings.resamples, seed=settings.seed)


def _oracles(judged: JudgedOutputs, settings: Settings) -> Oracles:
    found = oracle_scores(judged.values, judged.human, judged.topic)
    bounds = np.vstack([found.random, found.least, found.most])
    chosen, others = (
        bootstrap_means(each, resamples=settings.resamples, seed=settings.seed)
        for each in (found.chosen, bounds)
    )
    return Oracles(chosen, others)
