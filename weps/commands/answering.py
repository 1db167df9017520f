"""What ``weps cluster`` does for one name: answer, judge, write."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from weps.corrections import (
    ENDING,
    Corrections,
    find,
    marks_of,
    read_corrections,
    write_corrections,
)
from weps.errors import WepsError
from weps.model import ModelSet
from weps.people import Answer
from weps.pipeline import cluster
from weps.progress import Progress, silent
from weps.provenance import Provenance
from weps.reading import Reader
from weps.records import Clustering, Search
from weps.report import Report, write
from weps.sources import Source

__all__ = ["Judge", "Outcome", "Scores", "Work"]

Scores = Mapping[str, float]


class Judge(Protocol):
    """Scores answers; the evaluation layer provides one, which this package does not know."""

    def scores(self, answer: Clustering | None, key: Clustering, ranks: Collection[int]) -> Scores:
        """Measure → value."""

    def signature(self, source: Source, names: Sequence[str]) -> str:
        """How the mean over these names is made."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one name."""

    name: str
    answer: Answer | None = None
    files: Mapping[str, Path] = field(default_factory=dict)
    """Suffix → file written."""
    scores: Scores = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Work:
    """Answers one name after another, in any process."""

    source: Source
    models: ModelSet
    reader: Reader
    folder: Path
    """Where results go."""
    judge: Judge
    provenance: Mapping[str, Provenance]
    """By name."""
    threshold: float | None = None
    corrections: Path | None = None
    """File, or folder of ``NAME.corrections.txt``; None for nothing."""
    progress: Progress = silent

    def __call__(self, name: str) -> Outcome:
        """Answer a name; what goes wrong with it stops no other."""
        began = time.perf_counter()
        try:
            search = self.source.search(name)
            corrections, lost = self._corrections(search, name)
            answer = cluster(
                search,
                self.models,
                self.threshold,
                self.reader,
                corrections=corrections,
                progress=self.progress,
            )
            scores, errors = self._judged(name, answer)
            untold = (f"nobody is told around the name: {answer.note}",) if answer.note else ()
            warnings = (*self.source.warnings(name), *lost, *untold)
            report = Report(
                answer,
                scores,
                self.judge.signature(self.source, [name]) if scores else "",
                (*warnings, *errors),
                self.provenance[name],
            )
            files = {path.suffix: path for path in write(report, name, self.folder)}
            warnings = (*warnings, *self._kept(corrections, name, search.name))
        except WepsError as error:
            return Outcome(name, errors=(error.describe(),))
        seconds = time.perf_counter() - began
        return Outcome(name, answer, files, scores, warnings, errors, seconds)

    def _corrections(self, search: Search, name: str) -> tuple[Corrections, tuple[str, ...]]:
        """What was said of the name before, in terms of its pages now, and what is amiss."""
        path = self.corrections
        if path is not None and path.is_dir():
            path = path / f"{name}{ENDING}"
            path = path if path.is_file() else None
        if path is None:
            return Corrections(), ()
        found, lost = find(read_corrections(path), marks_of(search.pages), path)
        return found, tuple(f"{path}: {sentence}" for sentence in lost)

    def _kept(self, said: Corrections, identifier: str, name: str) -> tuple[str, ...]:
        """Keep what was said beside the result, where later runs look; never over other things."""
        beside = self.folder / f"{identifier}{ENDING}"
        if not said:
            return ()
        if not beside.exists():
            write_corrections(said, beside, name)
        elif read_corrections(beside).said != said.said:
            return (f"{beside}: says other things than {self.corrections}; later runs obey it",)
        return ()

    def _judged(self, name: str, answer: Answer) -> tuple[Scores, tuple[str, ...]]:
        """The scores if there is a key; a faulty key costs the score, never the answer."""
        try:
            key = self.source.key(name)
            ranks = self.source.ranks(name)
            return (self.judge.scores(answer.clustering, key, ranks) if key else {}), ()
        except WepsError as error:
            return {}, (error.describe(),)
