"""``weps cluster SOURCE``: cluster the pages found for a name, by person."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from weps._files import make_folder, read_bytes
from weps._formatting import count_of, suggest_similar
from weps._locking import FolderLock
from weps._parallel import no_progress, parallel_map
from weps.cli.console import Console
from weps.cli.options import (
    add_jobs,
    add_json,
    add_model,
    add_names,
    check_writable,
    model_choice,
    parse_probability,
    provenance_from_options,
    reader_from_options,
    write_json_text,
)
from weps.cli.pace import Pace, TimedProgress
from weps.cli.people_table import warn_unread, write_people
from weps.corrections.file import CORRECTIONS_SUFFIX
from weps.errors import CorrectionsError, SourceError, WepsError, WorkerError, describe_error
from weps.language.sentence_encoder import INSTALLED_ENCODER, NO_ENCODER, require_encoder
from weps.language.spacy_pipeline import pipeline_name
from weps.model import ModelChoice, ModelSet
from weps.reading import Reader
from weps.results.files import WRITERS
from weps.results.format import as_json
from weps.results.making import ClusterResult, ResultMaker, Scorer
from weps.results.result import ResultOptions
from weps.results.stored import MOST_UNDIVIDED, in_shard, result_folder
from weps.sources.base import Source, select_names
from weps.sources.formats.listing import INDEX_NAME
from weps.sources.opening import open_source

_MAX_JSON_BYTES = 1 << 30
_FORMATS = {"json": ".json", "csv": ".csv", "html": ".html", "xml": ".clust.xml"}


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
    parser.add_argument(
        "--ask",
        action="store_true",
        help="first ask up to five questions, whether two pages are about the same person, whose "
        "answers are expected to improve the result most, and save the answers as corrections",
    )
    group = parser.add_argument_group("many names")
    group.add_argument(
        "--again",
        action="store_true",
        help="also cluster names whose result was made from the same pages, corrections, model and "
        "options (default, for several names: these are skipped)",
    )
    group.add_argument(
        "--shard",
        type=_parse_shard,
        metavar="I/N",
        help="cluster only part I of N of the names (1/N to N/N); parts can run at the same time, "
        "on several machines; without --shard, missing names are clustered and the index written",
    )
    group.add_argument(
        "--dask",
        default="",
        metavar="ADDRESS",
        help="use the workers of a Dask cluster instead of --jobs: the address of its "
        "scheduler, such as tcp://node1:8786 (pip install 'weps[dask]')",
    )
    parser.set_defaults(kept="finished names are kept; run the same command again to continue")


def add_clustering(parser: argparse.ArgumentParser) -> None:
    """The options of clustering and of what it writes; :func:`cluster_names` follows them."""
    add_model(parser)
    parser.add_argument(
        "--threshold",
        type=parse_probability,
        metavar="T",
        help="lowest probability (0 to 1) at which pages are merged; default: that of the "
        "corrections, or else chosen by the model for each name",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("weps-out"),
        metavar="DIR",
        help="folder of the reports (default: weps-out)",
    )
    parser.add_argument(
        "--write",
        type=_parse_formats,
        default=tuple(WRITERS),
        metavar="FORMATS",
        help=f"files to write for each name: {','.join(_FORMATS)} (default: all); json always is",
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
    add_json(parser)
    parser.set_defaults(again=False, shard=None, dask="")


def _parse_formats(text: str) -> tuple[str, ...]:
    chosen = text.split(",")
    if unknown := set(chosen).difference(_FORMATS):
        known, got = ", ".join(_FORMATS), ", ".join(sorted(map(repr, unknown)))
        near = suggest_similar(sorted(unknown), list(_FORMATS))
        what = f"expected some of {known}, with commas, got {got}{near and f'; {near}'}"
        raise argparse.ArgumentTypeError(what)
    wanted = {_FORMATS[each] for each in ("json", *chosen)}
    return tuple(each for each in WRITERS if each in wanted)


def _parse_shard(text: str) -> tuple[int, int]:
    parts = text.split("/")
    if len(parts) == 2 and all(each.isascii() and each.isdigit() for each in parts):
        shard, shards = map(int, parts)
        if 1 <= shard <= shards:
            return shard, shards
    raise argparse.ArgumentTypeError(f"expected a part and their number, such as 3/8, got {text!r}")


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Cluster every chosen name; an error in one does not stop the others."""
    if options.dask:  # workers may have another working directory
        for each in ("out", "cache", "corrections", "model"):
            path: Path | None = getattr(options, each)
            setattr(options, each, path and path.absolute())
    source, names = _open_names(options)
    if options.shard:
        names = tuple(name for name in names if in_shard(name, *options.shard))
    with FolderLock(options.out, "weps cluster", shared=bool(options.shard)):
        work = ClusterWork.prepare(options, console, options.jobs if len(names) == 1 else 1)
        if options.ask:
            work.ask(source, names)
        return work.cluster(source, names)


@dataclass(frozen=True, slots=True)
class ClusterWork:
    """What the options of :func:`add_clustering` ask for; made before long work, under a lock."""

    options: argparse.Namespace
    console: Console
    model: ModelChoice
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
        choice = model_choice(options)
        models = choice.load()
        reader = reader_from_options(options, models.language, jobs)
        _check_reading(options, reader, models, console)
        return cls(options, console, replace(choice, digest=models.digest), reader)

    @property
    def _options(self) -> ResultOptions:
        settings = provenance_from_options(self.options, self.reader)
        settings = replace(settings, threshold=self.options.threshold)
        return ResultOptions(self.model, reader=self.reader, settings=settings)

    def ask(self, source: Source, names: Sequence[str]) -> None:
        """Ask about the only name; the answers are corrections beside its result.

        Raises:
            SourceError: if there are several names.
            CorrectionsError: if other corrections are asked for, or nobody can be asked.
        """
        from weps.cli.asking import ask_user  # noqa: PLC0415 - what only few need

        options = self.options
        if len(names) != 1 or options.shard:
            what = f"--ask is for one name, got {len(names)} names"
            raise SourceError(what, where=source.root, remedy="choose the name with --name")
        if options.corrections or options.no_corrections:
            what = "the answers to --ask go to the corrections beside the result"
            raise CorrectionsError(what, remedy="leave out --corrections and --no-corrections")
        divided = len(source.names) > MOST_UNDIVIDED
        folder = result_folder(options.out, names[0], divided=divided)
        make_folder(folder)
        ask_user(
            source.only(names[0]),
            self._options,
            folder / f"{names[0]}{CORRECTIONS_SUFFIX}",
            self.console,
        )

    def cluster(self, source: Source, names: Sequence[str], warnings: tuple[str, ...] = ()) -> int:
        """Cluster names of a source and tell the results; 0 if all went well.

        Args:
            source: the pages; ``options.scorer_for`` makes the :class:`Scorer` of it.
            names: its identifiers.
            warnings: what is to be known of the pages, for every report.
        """
        options, console = self.options, self.console
        alone = len(names) == 1 and not options.shard
        settings = replace(
            provenance_from_options(options, self.reader), threshold=options.threshold
        )
        work = ResultMaker(
            ResultOptions(self.model, reader=self.reader, settings=settings),
            options.out,
            options.scorer_for,
            corrections=_corrections_path(options, names),
            corrected=not options.no_corrections,
            warnings=warnings,
            suffixes=options.write,
            divided=len(source.names) > MOST_UNDIVIDED,
            again=alone or options.again,
            skip_empty=not options.name,
            with_report=alone,
            progress=TimedProgress(console) if alone and not options.dask else no_progress,
        )
        items = list(map(source.only, names)) if alone else map(source.only, names)
        results = parallel_map(work, items, options.jobs, _failed_result, options.dask)
        printer = _ResultPrinter(console, len(names))
        for outcome in results:
            printer.add(outcome)
        if alone and (report := outcome.report) and not console.quiet:
            console.write()
            write_people(report.answer, console)
            console.write()
        printer.show_scores(source, options.scorer_for)
        if options.shard:
            console.write_status("the index is written by the same command without --shard")
        else:
            self._write_index(several=not alone)
        if options.json:
            texts = _joined_json(printer.written)
            if alone and outcome.report:
                undigested = replace(outcome.report.provenance, digest="")
                texts = iter([as_json(replace(outcome.report, provenance=undigested))])
            write_json_text(options.json, texts, private=True)
        return int(printer.failed)

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
            self.console.warn(
                f"{folder}: other files have the names of the index, so it is not written"
            )


def _failed_result(source: Source, error: Exception) -> ClusterResult:
    """What any error in the work on a name costs: its result, and no other."""
    [name] = source.names
    if isinstance(error, WorkerError):
        error.where = name
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
            f"the model was trained on pages analysed by {models.language}, these are analysed "
            f"by {known}: accuracy may be lower"
        )
    if not models.encoder and reader.embeddings not in {INSTALLED_ENCODER, NO_ENCODER}:
        console.warn(
            f"the model has no embedding features: the sentence encoder {reader.embeddings} is "
            "not used (`weps train` with the feature set embeddings trains models that have them)"
        )
    encoder = require_encoder(reader.embeddings) if models.encoder else ""
    if encoder != models.encoder:
        console.warn(
            f"the model was trained with the sentence encoder {models.encoder}, this is {encoder}: "
            "accuracy may be lower; `weps train --embeddings` trains a model with it"
        )


def _corrections_path(options: argparse.Namespace, names: Sequence[str]) -> Path | None:
    """The path of the corrections that are given.

    Raises:
        CorrectionsError: if one file is to be for several names, or there is none.
    """
    path: Path | None = options.corrections
    if path is None:
        return None
    if not path.exists():
        raise CorrectionsError("no such file", where=path, remedy="check the spelling")
    if len(names) > 1 and not path.is_dir():
        raise CorrectionsError(
            f"a corrections file is for one name, got {len(names)} names",
            where=path,
            remedy="choose the name with --name, or give a folder of NAME.corrections.txt",
        )
    return path


class _ResultPrinter:
    """Prints results one after another, of which it keeps little."""

    def __init__(self, console: Console, total: int) -> None:
        self.console, self.total = console, total
        self.failed = False
        self.written: list[Path] = []
        self._done = 0
        self._pace = Pace()
        self._scored: list[str] = []
        self._sums = Counter[str]()

    def add(self, outcome: ClusterResult) -> None:
        """Print the result of the next name."""
        self._done += 1
        pace = self._pace.after(self._done, self.total, worked=not outcome.finished)
        self.console.show_progress(f"answering{pace and f' ({pace})'}", self._done, self.total)
        counter = f"[{self._done:,}/{self.total:,}] " if self.total > 1 else ""
        _show_result(outcome, counter, self.console)
        if pace and self._pace.is_due:
            self.console.write_status(f"{self._done:,} of {self.total:,} names, {pace}")
        self.failed |= bool(outcome.errors)
        if outcome.path:
            self.written.append(outcome.path)
        if outcome.scores:
            self._scored.append(outcome.identifier)
            self._sums.update(outcome.scores)

    def show_scores(self, source: Source, scorer_for: Callable[[Source], Scorer]) -> None:
        """Print the mean scores of the names that have a key."""
        if not self._scored:
            return
        means = {measure: total / len(self._scored) for measure, total in self._sums.items()}
        self.console.write(
            "score against the correct answers: B-Cubed precision {bcubed_precision:.2f}, "
            "recall {bcubed_recall:.2f}, F0.5 {bcubed_f05:.2f}".format(**means)
        )
        self.console.write(f"  {scorer_for(source).signature(source, self._scored)}")


def _show_result(outcome: ClusterResult, counter: str, console: Console) -> None:
    for warning in outcome.warnings:
        console.warn(warning)
    for error in outcome.errors:
        console.error(error)
    warn_unread(outcome.unread, console)
    if outcome.path is None:
        return
    people, single = count_of(len(outcome.sizes), "person", "people"), outcome.sizes.count(1)
    pages = count_of(sum(outcome.sizes) + outcome.aside, "page")
    parts = [f"{counter}{outcome.name}: {pages}, {people}"]
    parts[0] += f" ({single} with a single page)" if single else ""
    if outcome.aside:
        parts.append(f"{count_of(outcome.aside, 'page')} set aside")
    parts.append("finished before" if outcome.finished else f"{outcome.seconds:.1f} s")
    if outcome.corrections:
        parts.append(f"{count_of(outcome.corrections, 'correction')} applied")
    console.write(", ".join(parts))
    if not outcome.finished:
        report = outcome.path.with_suffix(".html")
        console.write(f"  report: {report if report.exists() else outcome.path}")


def _joined_json(paths: Sequence[Path]) -> Iterator[str]:
    """The text of a list of results, which are read one at a time."""
    for number, path in enumerate(paths):
        text = read_bytes(path, _MAX_JSON_BYTES, SourceError).decode()
        yield "[\n" if number == 0 else ",\n"
        yield "\n".join(f" {line}" for line in text.rstrip("\n").split("\n"))
    yield "\n]\n" if paths else "[]\n"
