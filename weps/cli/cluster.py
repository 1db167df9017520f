"""``weps cluster SOURCE``: cluster the pages found for a name, by person."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from weps._files import read_bytes
from weps._formatting import count_of
from weps._locking import FolderLock
from weps._parallel import Progress, no_progress, parallel_map
from weps.cli.console import Console
from weps.cli.options import (
    add_jobs,
    add_json,
    add_model,
    add_names,
    add_reading,
    check_writable,
    model_from_options,
    parse_probability,
    provenance_from_options,
    reader_from_options,
    write_json,
)
from weps.cli.people_table import warn_unread, write_people
from weps.corrections.file import (
    CORRECTIONS_SUFFIX,
    match_pages,
    page_identities,
    read_corrections,
    write_corrections,
)
from weps.corrections.model import Corrections
from weps.errors import CorrectionsError, SourceError, WepsError, describe_error
from weps.language.sentence_encoder import INSTALLED_ENCODER, NO_ENCODER, require_encoder
from weps.language.spacy_pipeline import pipeline_name
from weps.model import ModelSet
from weps.people.answer import Answer
from weps.pipeline import cluster
from weps.provenance import Provenance, source_collection
from weps.reading import Reader
from weps.records import Clustering, Search
from weps.report.view import Report
from weps.report.writing import write_report
from weps.sources.base import Source, select_names
from weps.sources.formats.listing import INDEX_NAME
from weps.sources.opening import open_source

Scores = Mapping[str, float]
_MAX_JSON_BYTES = 1 << 30


class Scorer(Protocol):
    """Scores answers; implemented by the evaluation layer, which this package does not import."""

    def scores(self, answer: Clustering | None, key: Clustering, ranks: Collection[int]) -> Scores:
        """Measure → value."""

    def signature(self, source: Source, names: Sequence[str]) -> str:
        """How the mean over these names is computed."""


@dataclass(frozen=True, slots=True)
class ClusterResult:
    """The result for one name."""

    name: str
    report: Report | None = None
    files: Mapping[str, Path] = field(default_factory=dict)
    """Suffix → file written."""
    scores: Scores = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ClusterJob:
    """Clusters one name after another, in any process."""

    source: Source
    models: ModelSet
    reader: Reader
    folder: Path
    """Folder of the results."""
    scorer: Scorer
    provenance: Mapping[str, Provenance]
    """By name."""
    threshold: float | None = None
    corrections: Path | None = None
    """File, or folder of ``NAME.corrections.txt``; None for nothing."""
    warnings: tuple[str, ...] = ()
    """What is to be known of the pages, before what the source warns of."""
    progress: Progress = no_progress

    def __call__(self, name: str) -> ClusterResult:
        """Cluster a name; raises any exception where it cannot be done."""
        began = time.perf_counter()
        search = self.source.search(name)
        corrections, lost = self._read_corrections(search, name)
        answer = cluster(
            search,
            self.models,
            self.threshold,
            self.reader,
            corrections=corrections,
            progress=self.progress,
        )
        scores, errors = self._score_answer(name, answer)
        untold = (f"no context entities were extracted: {answer.note}",) if answer.note else ()
        warnings = (*self.warnings, *self.source.warnings(name), *lost, *untold)
        report = Report(
            answer,
            scores,
            self.scorer.signature(self.source, [name]) if scores else "",
            (*warnings, *errors),
            self.provenance[name],
        )
        files = {path.suffix: path for path in write_report(report, name, self.folder)}
        warnings = (*warnings, *self._keep_corrections(corrections, name, search.name))
        seconds = time.perf_counter() - began
        warnings = (*warnings, *answer.cautions)
        return ClusterResult(name, report, files, scores, warnings, errors, seconds)

    def _read_corrections(self, search: Search, name: str) -> tuple[Corrections, tuple[str, ...]]:
        """The corrections of the name in terms of its current pages, and warnings."""
        path = self.corrections
        if path is not None and path.is_dir():
            path = path / f"{name}{CORRECTIONS_SUFFIX}"
            path = path if path.is_file() else None
        if path is None:
            return Corrections(), ()
        found, lost = match_pages(read_corrections(path), page_identities(search.pages), path)
        return found, tuple(f"{path}: {sentence}" for sentence in lost)

    def _keep_corrections(
        self, corrections: Corrections, identifier: str, name: str
    ) -> tuple[str, ...]:
        """Save the corrections beside the result for later runs; never overwrite a file."""
        beside = self.folder / f"{identifier}{CORRECTIONS_SUFFIX}"
        if not corrections:
            return ()
        if not beside.exists():
            write_corrections(corrections, beside, name)
        elif read_corrections(beside).entries != corrections.entries:
            return (f"{beside}: differs from {self.corrections}; later runs use it",)
        return ()

    def _score_answer(self, name: str, answer: Answer) -> tuple[Scores, tuple[str, ...]]:
        """The scores if there is a key; with a malformed key the answer has no score."""
        try:
            key = self.source.key(name)
            ranks = self.source.ranks(name)
            return (self.scorer.scores(answer.clustering, key, ranks) if key else {}), ()
        except WepsError as error:
            return {}, (error.describe(),)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "source",
        metavar="SOURCE",
        type=Path,
        help="folder of saved pages in any form, folder of such folders, archive (WARC, ZIP, HAR) "
        "or other file with pages, or WePS corpus in its official layout",
    )
    add_names(parser, "a name of the corpus (repeat for several), or the name of the saved pages")
    add_clustering(parser)
    add_jobs(parser)
    parser.set_defaults(kept="the names finished so far are kept")


def add_clustering(parser: argparse.ArgumentParser) -> None:
    """The options of clustering and of what it writes; :func:`cluster_names` follows them."""
    add_model(parser)
    parser.add_argument(
        "--threshold",
        type=parse_probability,
        metavar="T",
        help="lowest probability (0 to 1) at which pages are merged; default: chosen by the model "
        "for each name",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("weps-out"),
        metavar="DIR",
        help="folder of the reports (default: weps-out)",
    )
    corrections = parser.add_mutually_exclusive_group()
    corrections.add_argument(
        "--corrections",
        type=Path,
        metavar="FILE",
        help="file of earlier corrections for one name, or a folder of "
        "NAME.corrections.txt; default: those beside the results in --out",
    )
    corrections.add_argument("--no-corrections", action="store_true", help="ignore all corrections")
    add_reading(parser)
    add_json(parser)


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Cluster every chosen name; an error in one does not stop the others."""
    source, names = _open_names(options)
    with FolderLock(options.out, "weps cluster"):
        work = ClusterWork.prepare(options, console, options.jobs if len(names) == 1 else 1)
        return work.cluster(source, names)


@dataclass(frozen=True, slots=True)
class ClusterWork:
    """What the options of :func:`add_clustering` ask for; made before long work, under a lock."""

    options: argparse.Namespace
    console: Console
    models: ModelSet
    reader: Reader

    @classmethod
    def prepare(cls, options: argparse.Namespace, console: Console, jobs: int) -> ClusterWork:
        """Load the model, and check that the pages can be read and results be written.

        Args:
            options: the parsed options.
            console: where to tell the results.
            jobs: processes for the pages of one name.

        Raises:
            WepsError: if the work cannot be done with these options.
        """
        check_writable(options.json)
        models = model_from_options(options)
        reader = reader_from_options(options, models.language, jobs)
        _check_reading(options, reader, models, console)
        return cls(options, console, models, reader)

    def cluster(self, source: Source, names: Sequence[str], warnings: tuple[str, ...] = ()) -> int:
        """Cluster names of a source and tell the results; 0 if all went well.

        Args:
            source: the pages; ``options.scorer_for`` makes the :class:`Scorer` of it.
            names: its identifiers.
            warnings: what is to be known of the pages, for every report.
        """
        options, console = self.options, self.console
        scorer: Scorer = options.scorer_for(source)
        alone = len(names) == 1
        work = ClusterJob(
            source=source,
            models=self.models,
            reader=self.reader,
            folder=options.out,
            scorer=scorer,
            provenance={
                name: _make_provenance(options, source, name, self.reader) for name in names
            },
            threshold=options.threshold,
            corrections=_corrections_path(options, names),
            warnings=warnings,
            progress=console.show_progress if alone else no_progress,
        )
        outcomes: list[ClusterResult] = []
        results = parallel_map(work, names, options.jobs, _failed_result)
        for number, outcome in enumerate(results, start=1):
            outcomes.append(outcome)
            console.show_progress("answering", number, len(names))
            _show_result(outcome, "" if alone else f"[{number}/{len(names)}] ", console)
        if alone and outcomes[0].report and not console.quiet:
            console.write()
            write_people(outcomes[0].report.answer, console)
            console.write()
        _show_scores(outcomes, source, scorer, console)
        self._write_index(several=not alone)
        if options.json:
            written = [each.files[".json"] for each in outcomes if each.report]
            texts = (read_bytes(path, _MAX_JSON_BYTES, SourceError) for path in written)
            answers = list(map(json.loads, texts))
            write_json(options.json, answers[0] if alone and answers else answers, private=True)
        return int(any(outcome.errors for outcome in outcomes))

    def _write_index(self, *, several: bool) -> None:
        """Write the index of all results in the folder; for a single name only if there is one."""
        folder = self.options.out
        if not several and not (folder / INDEX_NAME).exists():
            return
        from weps.results.index import update_index, write_index  # noqa: PLC0415 - reads by pydantic

        if not several:
            update_index(folder)
        elif written := write_index(folder):
            self.console.write(f"index of all names: {written[0]}")
        else:
            self.console.warn(f"{folder}: other files are called like the index, so it is left out")


def _failed_result(name: str, error: Exception) -> ClusterResult:
    """What any error in the work on a name costs: its result, and no other."""
    place = "" if isinstance(error, WepsError) else f"{name}: "
    return ClusterResult(name, errors=(f"{place}{describe_error(error)}",))


def _open_names(options: argparse.Namespace) -> tuple[Source, tuple[str, ...]]:
    """The source and the chosen names; ``--name`` is the name of a folder of saved pages."""
    wanted = options.name or []
    source = open_source(options.source, wanted[0] if len(wanted) == 1 else None)
    return source, select_names(source, wanted)


def _check_reading(
    options: argparse.Namespace, reader: Reader, models: ModelSet, console: Console
) -> None:
    """Check before long work that the pages can be read as the model requires.

    Raises:
        LanguageError: if the language pipeline or the sentence encoder is missing.
    """
    if reader.cache and reader.cache.problem:
        console.warn(reader.cache.problem)
    known = pipeline_name(reader.language) if models.language or options.language else ""
    if models.language and known != models.language:
        console.warn(
            f"the model was trained on pages read by {models.language}, these are read by "
            f"{known}: expect lower accuracy"
        )
    if not models.encoder and reader.embeddings not in {INSTALLED_ENCODER, NO_ENCODER}:
        console.warn(
            f"the model compares no meanings, so the sentence encoder {reader.embeddings} is not "
            "used (`weps train` makes models that do, with the feature set embeddings)"
        )
    encoder = require_encoder(reader.embeddings) if models.encoder else ""
    if encoder != models.encoder:
        console.warn(
            f"the model was trained with the sentence encoder {models.encoder}, this is {encoder}: "
            "expect lower accuracy, or train a model with it (weps train --embeddings)"
        )


def _make_provenance(
    options: argparse.Namespace, source: Source, name: str, reader: Reader
) -> Provenance:
    return replace(
        provenance_from_options(options, reader),
        collections=(source_collection(source.root, name, options.out),),
        threshold=options.threshold,
    )


def _corrections_path(options: argparse.Namespace, names: Sequence[str]) -> Path | None:
    """The path of the corrections: the given one, else beside the results.

    Raises:
        CorrectionsError: if one file is to be for several names, or there is none.
    """
    if options.no_corrections:
        return None
    path: Path | None = options.corrections
    if path is None:
        return Path(options.out)
    if not path.exists():
        raise CorrectionsError("no such file", where=path, remedy="check the spelling")
    if len(names) > 1 and not path.is_dir():
        raise CorrectionsError(
            f"a corrections file is for one name, got {len(names)} names",
            where=path,
            remedy="choose the name with --name, or give a folder of NAME.corrections.txt",
        )
    return path


def _show_result(outcome: ClusterResult, counter: str, console: Console) -> None:
    for warning in outcome.warnings:
        console.warn(warning)
    for error in outcome.errors:
        console.error(error)
    if outcome.report is None:
        return
    answer = outcome.report.answer
    warn_unread(answer.unread, console)
    people = answer.people
    aside = len(answer.set_aside)
    pages = aside + sum(len(person.pages) for person in people)
    alone = sum(len(person.pages) == 1 for person in people)
    said = len(answer.corrections.entries)
    console.write(
        f"{counter}{answer.name}: {count_of(pages, 'page')}, "
        f"{count_of(len(people), 'person', 'people')}"
        + (f" ({alone} with a single page)" if alone else "")
        + (f", {count_of(aside, 'page')} set aside" if aside else "")
        + f", {outcome.seconds:.1f} s"
        + (f", {count_of(said, 'correction')} applied" if said else "")
    )
    console.write(f"  report: {outcome.files['.html']}")


def _show_scores(
    outcomes: list[ClusterResult], source: Source, scorer: Scorer, console: Console
) -> None:
    """Print the mean scores of the names that have a key."""
    scored = [outcome for outcome in outcomes if outcome.scores]
    if not scored:
        return
    means = {
        measure: sum(outcome.scores[measure] for outcome in scored) / len(scored)
        for measure in ("bcubed_precision", "bcubed_recall", "bcubed_f05")
    }
    console.write(
        "score against the key: B-Cubed precision {bcubed_precision:.2f}, "
        "recall {bcubed_recall:.2f}, F0.5 {bcubed_f05:.2f}".format(**means)
    )
    console.write(f"  {scorer.signature(source, [outcome.name for outcome in scored])}")
