"""The results of many names, one after another, in any process: those that are finished are kept.

A result is finished when its JSON carries the digest of all that it depends on: the bytes of the
pages and what is known of them, the key, corrections, options, model, language pipeline, and the
modules of weps that decide a result. To compare digests, the pages are read but not clustered.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from weps._cache import content_digest, source_digest
from weps._parallel import Progress, no_progress
from weps.corrections.file import CORRECTIONS_SUFFIX, read_corrections, write_corrections
from weps.corrections.model import Corrections, threshold_text
from weps.errors import LanguageError, SourceError, WepsError
from weps.features.plugins import plugin_digest
from weps.language.sentence_encoder import encoder_identity
from weps.language.spacy_pipeline import pipeline_version
from weps.reading import Reader
from weps.records import (
    Clustering,
    Search,
    UnreadInput,
    page_fingerprint,
    portable_path,
    source_collection,
)
from weps.report.view import Report
from weps.results.files import WRITERS, with_portable_paths, write_report
from weps.results.result import Result, ResultOptions, corrections_of
from weps.results.stored import is_finished, read_result, result_folder
from weps.sources.base import Source

Scores = Mapping[str, float]
DECIDING = (
    "weps._expressions",
    "weps._formatting",
    "weps._sets",
    "weps._text",
    "weps.clustering",
    "weps.coreference",
    "weps.corrections",
    "weps.features",
    "weps.html",
    "weps.key_terms",
    "weps.language",
    "weps.model",
    "weps.page_forms",
    "weps.people",
    "weps.pipeline",
    "weps.reading",
    "weps.records",
    "weps.report",
    "weps.similarity",
    "weps.sources.corpora",
    "weps.results.files",
    "weps.results.format",
    "weps.results.making",
    "weps.results.result",
)
"""Modules and packages that decide what is in the files of a result, given the pages."""


class Scorer(Protocol):
    """Scores answers; implemented by the evaluation layer, which this package does not import."""

    def scores(self, answer: Clustering | None, key: Clustering, ranks: Collection[int]) -> Scores:
        """Measure → value."""

    def signature(self, source: Source, names: Sequence[str]) -> str:
        """How the mean over these names is computed."""


@dataclass(frozen=True, slots=True)
class ClusterResult:
    """Summary of one name's result; small, as there may be very many."""

    identifier: str
    name: str = ""
    """The name that was searched for."""
    path: Path | None = None
    """``NAME.json``; None if there is no result."""
    sizes: tuple[int, ...] = ()
    """Number of pages of each person."""
    aside: int = 0
    """Number of pages that are set aside."""
    corrections: int = 0
    finished: bool = False
    """Whether it was there already."""
    unread: tuple[UnreadInput, ...] = ()
    scores: Scores = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    seconds: float = 0.0
    report: Report | None = None
    """The result itself, if it is wanted and was not there already."""


@dataclass(frozen=True, slots=True)
class ResultMaker:
    """Makes the results of one name after another, in any process."""

    options: ResultOptions
    """Options of clustering, but for the collections of the pages; models are not loaded."""
    folder: Path
    """Folder of all results."""
    scorer_for: Callable[[Source], Scorer] | None
    """Makes the scorer of a source, which is needed only where there is a key."""
    corrections: Path | None = None
    """File, or folder of ``NAME.corrections.txt``; None for those beside the results."""
    corrected: bool = True
    """Whether corrections are obeyed."""
    warnings: tuple[str, ...] = ()
    """Remarks on the pages, which come before those of the source."""
    suffixes: tuple[str, ...] = tuple(WRITERS)
    """Suffixes of the files to write."""
    divided: bool = False
    """Whether results go to parts of the folder."""
    again: bool = True
    """Whether finished results are made again."""
    skip_empty: bool = False
    """Whether a name without pages is no error."""
    with_report: bool = False
    """Whether the result itself is wanted, too."""
    progress: Progress = no_progress

    def __call__(self, source: Source) -> ClusterResult:
        """Make the result of the only name of a source; raises any exception where it cannot."""
        began = time.perf_counter()
        [identifier] = source.names
        if self.skip_empty and not source.has_pages(identifier):
            return ClusterResult(identifier)
        folder = result_folder(self.folder, identifier, divided=self.divided)
        search, beside = source.search(identifier), folder / f"{identifier}{CORRECTIONS_SUFFIX}"
        corrections, lost = self._read_corrections(search, beside)
        collections = (source_collection(source.root, identifier, folder),)
        settings = replace(self.options.settings, collections=collections)
        applied, ignored = _without_threshold(corrections, settings.threshold)
        remarks = (*self.warnings, *source.warnings(identifier), *lost, *ignored)
        about = repr((settings, remarks, _describe_key(source, identifier)))
        digest = self._digest(search, folder, corrections, about)
        path = folder / f"{identifier}.json"
        files = [folder / f"{identifier}{suffix}" for suffix in self.suffixes]
        outcome = None
        if not self.again and is_finished(path, digest) and all(map(Path.is_file, files)):
            outcome = self._read_finished(source, path)
        if outcome is None:
            options = replace(self.options, settings=replace(settings, digest=digest))
            result = Result.of(search, options, applied, notes=remarks, progress=self.progress)
            outcome = self._write(source, result, folder)
        kept: tuple[str, ...] = ()
        if corrections and not beside.exists():  # for later runs
            write_corrections(corrections, beside, search.name)
        elif corrections and read_corrections(beside).entries != corrections.entries:
            given = self.corrections or folder
            kept = (f"{beside}: differs from {given}; later runs use it",)
        cautions = outcome.report.answer.cautions if outcome.report else ()
        return replace(
            outcome,
            warnings=(*outcome.warnings, *kept, *cautions),
            seconds=time.perf_counter() - began,
            report=outcome.report if self.with_report else None,
        )

    def _write(self, source: Source, result: Result, folder: Path) -> ClusterResult:
        """Score and write a result."""
        [identifier] = source.names
        answer = result.answer
        scores, errors = self._score(source, answer.clustering)
        untold = (f"no context entities were extracted: {answer.note}",) if answer.note else ()
        warnings = (*result.notes, *untold)
        signature = ""
        if scores and self.scorer_for:
            signature = self.scorer_for(source).signature(source, [identifier])
        report = Report(answer, scores, signature, (*warnings, *errors), result.provenance)
        report = with_portable_paths(report, folder)
        write_report(report, identifier, folder, suffixes=self.suffixes)
        return ClusterResult(
            identifier,
            answer.name,
            folder / f"{identifier}.json",
            tuple(len(person.pages) for person in answer.people),
            aside=len(answer.set_aside),
            corrections=len(answer.corrections.entries),
            unread=answer.unread,
            scores=scores,
            warnings=warnings,
            errors=errors,
            report=report,
        )

    def _read_finished(self, source: Source, path: Path) -> ClusterResult | None:
        """The summary of a result that is there; None if it is damaged.

        Its warnings were told when it was made.
        """
        try:
            stored = read_result(path)
        except SourceError:
            return None
        groups = tuple(stored.people.values())
        aside = frozenset(stored.fingerprints).difference(*groups)
        scores, errors = self._score(source, Clustering(groups, aside))
        return ClusterResult(
            path.stem,
            stored.name,
            path,
            tuple(map(len, groups)),
            aside=len(aside),
            finished=True,
            scores=scores,
            errors=errors,
        )

    def _digest(self, search: Search, folder: Path, corrections: Corrections, about: str) -> str:
        """32 hex digits of all that the files of a result depend on."""
        pages = (
            repr((page.rank, page_fingerprint(page), page.charset, page.problem, page.fetched))
            + (portable_path(folder, Path(page.file)) if page.file else "")
            for page in sorted(search.pages, key=lambda page: page.rank)
        )
        return content_digest(
            source_digest(*DECIDING),
            self.options.choice.digest,
            *map(plugin_digest, self.options.choice.plugins),
            *self.suffixes,
            _reading(self.options.reader or Reader()),
            search.name,
            repr(search.unread),
            about,
            "pages",
            *pages,
            "corrections",
            *map(str, corrections.entries),
        )[:32]

    def _read_corrections(
        self, search: Search, beside: Path
    ) -> tuple[Corrections, tuple[str, ...]]:
        """The corrections of the name in terms of its current pages, and warnings."""
        if not self.corrected:
            return Corrections(), ()
        file = self.corrections or beside
        if file.is_dir():
            file = file / beside.name
        corrections, lost = corrections_of(file, search.pages)
        return corrections, tuple(f"{file}: {sentence}" for sentence in lost)

    def _score(self, source: Source, answer: Clustering) -> tuple[Scores, tuple[str, ...]]:
        """The scores if there is a key; with a malformed key the answer has no score."""
        [name] = source.names
        try:
            key = source.key(name)
            if key is None or self.scorer_for is None:
                return {}, ()
            return self.scorer_for(source).scores(answer, key, source.ranks(name)), ()
        except WepsError as error:
            return {}, (error.describe(),)


def _without_threshold(
    corrections: Corrections, threshold: float | None
) -> tuple[Corrections, tuple[str, ...]]:
    """The corrections without a threshold where another one is asked for, and a warning."""
    chosen = corrections.threshold
    if threshold is None or chosen is None or chosen == threshold:
        return corrections, ()
    others = tuple(each for each in corrections.entries if each.kind != "threshold")
    warning = (
        f"--threshold {threshold_text(threshold)} is used, not the merge threshold "
        f"{threshold_text(chosen)} of the corrections, which the app and weps update keep using: "
        "remove its line, or leave out --threshold"
    )
    return replace(corrections, entries=others), (warning,)


def _describe_key(source: Source, name: str) -> object:
    """The groups of a name's key, or the fault of a malformed one."""
    try:
        key = source.key(name)
    except WepsError as error:
        return error.describe()
    return key and [*map(sorted, key.groups), sorted(key.discarded)]


def _reading(reader: Reader) -> str:
    """The settings of the reader, with the digests of the pipeline and the encoder."""
    parts = [reader.html, reader.second_language]
    for identity, chosen in (
        (pipeline_version, reader.language),
        (encoder_identity, reader.embeddings),
    ):
        try:
            parts.append(identity(chosen))
        except LanguageError as error:  # it is told where it is needed
            parts.append(error.describe())
    return repr(parts)
