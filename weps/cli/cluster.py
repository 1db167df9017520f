"""``weps cluster SOURCE``: cluster the pages found for a name, by person."""

from __future__ import annotations

import argparse
import re
import shutil
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic
from typing import Any, TypeVar

from weps._files import FolderLock, read_bytes
from weps._formatting import (
    count_of,
    cut_columns,
    format_probability,
    join_items,
    suggest_similar,
    text_width,
)
from weps._lazy import import_library
from weps._options import ADDRESS, cli_argument, cli_option, parse_path
from weps._parallel import log_progress, parallel_map
from weps.cli.console import Console, TimedProgress, printable_text
from weps.cli.options import JobsOption, JsonOption, ModelOptions, NamesOption, write_json_text
from weps.errors import (
    CorrectionsError,
    OutputError,
    SourceError,
    WepsError,
    WorkerError,
    describe_error,
    told_as,
)
from weps.language.sentence_encoder import INSTALLED_ENCODER, NO_ENCODER, require_encoder
from weps.language.spacy_pipeline import pipeline_name
from weps.name.typed import require_name
from weps.people.answer import Answer
from weps.records import RESULT_SUFFIXES, UnreadInput
from weps.report.view import Report, people_words, unread_by_reason
from weps.results.files import update_index, write_index
from weps.results.result import ClusterResult, ResultMaker, ResultOptions, Scorer
from weps.results.stored import MOST_UNDIVIDED, as_json, in_shard, result_file
from weps.sources.base import Source, select_names
from weps.sources.opening import open_source

_MAX_JSON_BYTES = 1 << 30
_USUAL_KINDS = ("json", "csv", "html", "xml")
_LABEL = 1
_GAP = 2
"""Blanks between columns."""
_MIN_LABEL_WIDTH = 8
_NARROW_COLUMNS = 60
"""Narrower terminals show confidence in per cent alone."""
_MAX_REASONS = 10
"""Reasons for which inputs could not be read that are listed."""
_MOST_TOLD = 100
"""Most names that are told one by one; of more, the progress is."""
_MAX_NAME_WIDTH = 80
"""Columns of the name of such an input."""


_MINUTE = 60.0


def kinds_option(meaning: str, default: str, known: Collection[str]) -> Any:
    """Declare ``--write``: kinds of files, with commas."""

    def parse(text: str) -> str:
        kinds = ", ".join(dict.fromkeys(known))
        if unknown := set(text.split(",")).difference(known):
            got, near = ", ".join(sorted(map(repr, unknown))), suggest_similar(unknown, [*known])
            raise argparse.ArgumentTypeError(
                f"expected some of {kinds}, with commas, got {got}{near and f'; {near}'}"
            )
        return text

    return cli_option(meaning, default, parse=parse, metavar="FORMATS")


def _parse_place(text: str) -> Path | str:
    """A path; the address of a folder that fsspec knows stays as it is."""
    return text.rstrip("/") if ADDRESS.match(text) else parse_path(text)


def _parse_shard(text: str) -> str:
    numbers = re.fullmatch("([0-9]{1,9})/([0-9]{1,9})", text)
    if numbers and 1 <= int(numbers[1]) <= int(numbers[2]):
        return text
    raise argparse.ArgumentTypeError(f"expected a part and their number, such as 3/8, got {text!r}")


@dataclass(frozen=True, kw_only=True)
class ClusteringOptions(ModelOptions, JobsOption, JsonOption):
    """The options of clustering and of what it writes; :func:`cluster_names` follows them."""

    KEPT = "finished names are kept; run the same command again to continue"

    threshold: float | None = cli_option(
        "lowest probability (0 to 1) at which pages are merged; default: that of the corrections, "
        "or else chosen by the model for each name",
        least=0,
        most=1,
        metavar="T",
    )
    out: Path | str = cli_option(
        "folder of the reports, or its address such as s3://bucket/folder (docs/scale.md)",
        Path("weps-out"),
        parse=_parse_place,
        metavar="DIR",
    )
    write: str = kinds_option(
        f"files to write for each name (default: {','.join(_USUAL_KINDS)}); json always is; also "
        "facts, xlsx, jsonld, gedcom, graphml, brief, see `weps export`",
        ",".join(_USUAL_KINDS),
        (*_USUAL_KINDS, *RESULT_SUFFIXES),
    )
    corrections: Path | None = cli_option(
        "file of earlier corrections for one name, or a folder of NAME.corrections.txt; default: "
        "those beside the results in --out"
    )
    no_corrections: bool = cli_option("ignore all corrections", False, instead_of="corrections")
    learn: bool = cli_option(
        "let the corrections teach which other pages belong together; by default they change only "
        "the pages that they name",
        False,
    )
    also: tuple[str, ...] = ()
    """Other spellings of the only name."""
    again: bool = False
    """Whether names whose result is finished are clustered, too."""
    shard: str = ""
    """The part of the names to cluster, such as 3/8; empty for all."""
    dask: str = ""
    """The address of the scheduler of a Dask cluster; empty for processes of this machine."""
    scorer_for: Callable[[Source], Scorer] | None = None
    """Makes the scorer of a source with a key."""
    put_back: Callable[[], None] | None = None
    """Puts results to the address of which ``out`` is a copy."""

    @property
    def place(self) -> Path:
        """The folder of the results on this machine, see :func:`results_folder`."""
        return Path(self.out)

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The suffixes of the files to write."""
        wanted = {"json", *self.write.split(",")}
        return tuple(suffix for kind, suffix in RESULT_SUFFIXES.items() if kind in wanted)


@dataclass(frozen=True, kw_only=True)
class Options(NamesOption, ClusteringOptions):
    """The options of the command."""

    source: Path = cli_argument(
        "folder of saved pages in any form, folder of such folders, archive (WARC, ZIP, HAR) or "
        "other file with pages, or WePS corpus in its official layout"
    )
    name: tuple[str, ...] = cli_option(
        "a name of the corpus (repeat for several), or the name of the saved pages",
        (),
        repeat=True,
        metavar="N",
    )
    also: tuple[str, ...] = cli_option(
        "another spelling of the only name, or another name of the person (repeat for several)",
        (),
        repeat=True,
        metavar="NAME",
    )
    again: bool = cli_option(
        "also cluster names whose result was made from the same pages, corrections, model and "
        "options (default, for several names: these are skipped)",
        False,
        group="many names",
    )
    shard: str = cli_option(
        "cluster only part I of N of the names (1/N to N/N); parts can run at the same time, on "
        "several machines; without --shard, missing names are clustered and the index written",
        "",
        parse=_parse_shard,
        metavar="I/N",
        group="many names",
    )
    dask: str = cli_option(
        "use the workers of a Dask cluster instead of --jobs: the address of its scheduler, such "
        "as tcp://node1:8786 (pip install 'weps[dask]')",
        "",
        metavar="ADDRESS",
        group="many names",
    )


AnyOptions = TypeVar("AnyOptions", bound=ClusteringOptions)


def cluster_pages(options: Options, console: Console) -> int:
    """Cluster every chosen name; an error in one does not stop the others."""
    require_name(*options.name, *options.also)
    source = open_source(options.source, options.name[0] if len(options.name) == 1 else None)
    names = select_names(source, options.name)
    if options.also and len(names) > 1:
        raise SourceError(
            f"--also is for one name, got {len(names)} names",
            where=source.root,
            remedy="choose the name with --name",
        )
    if options.shard:
        part, parts = map(int, options.shard.split("/"))
        names = tuple(name for name in names if in_shard(name, part, parts))
    with results_folder(options, console, "weps cluster", shared=bool(options.shard)) as placed:
        chosen = prepare_clustering(placed, console, placed.jobs if len(names) == 1 else 1)
        return cluster_names(source, names, placed, chosen, console)


@contextmanager
def results_folder(
    options: AnyOptions, console: Console, activity: str, *, shared: bool = False
) -> Iterator[AnyOptions]:
    """Lock the folder of the results; one at an address has a copy on this machine meanwhile.

    Args:
        options: of the command.
        console: where the address is told in place of the copy.
        activity: see :class:`weps._files.FolderLock`.
        shared: see there.

    Yields:
        The options, with a folder on this machine.

    Raises:
        OutputError: if it cannot be locked, read or written.
    """
    with ExitStack() as opened:
        if isinstance(address := options.out, str):
            if options.dask:
                raise OutputError(
                    "not every worker of a Dask cluster sees the same copy of an address",
                    where=address,
                    remedy="give a folder that all share, or use --shard in place of --dask",
                )
            folder, put_back = opened.enter_context(_local_copy(address))
            console.renamed = str(folder), address
            options = replace(options, out=folder, put_back=put_back)
        elif options.dask:  # workers may have another working directory
            kinds = ("out", "cache", "corrections", "model")
            paths = {each: getattr(options, each) for each in kinds}
            options = replace(options, **{name: at.absolute() for name, at in paths.items() if at})
        opened.enter_context(FolderLock(options.place, activity, shared=shared))
        yield options


@contextmanager
def _local_copy(address: str) -> Iterator[tuple[Path, Callable[[], None]]]:
    """A copy of the folder at an address, and what puts back files that are new, changed or gone.

    Locks, renamed files and finished names need a file system, which stores of objects are not.
    What cannot be put back at the end stays on this machine.

    Raises:
        OutputError: fsspec is missing, or the folder cannot be read or written.
    """
    library = import_library("fsspec.core", "remote", where=address)
    folder = Path(mkdtemp(prefix="weps-"))

    def states() -> dict[str, tuple[int, int]]:
        files = (path for path in folder.rglob("[!.]*") if path.is_file())
        return {
            path.relative_to(folder).as_posix(): (path.stat().st_mtime_ns, path.stat().st_size)
            for path in files
        }

    def put_back() -> None:
        with told_as(
            OutputError,
            "the results cannot be put back",
            address,
            f"the results are in {folder.name} of {folder.parent}",
            Exception,
        ):
            found = states()
            changed = [name for name, state in found.items() if known.get(name) != state]
            for parent in {f"{root}/{name}".rpartition("/")[0] for name in changed}:
                with suppress(PermissionError):  # to make buckets, which are there
                    store.makedirs(parent, exist_ok=True)
            # Where the JSON is, the name is finished.
            for name in sorted(changed, key=lambda name: name.endswith(".json")):
                store.put_file(str(folder / name), f"{root}/{name}")
                known[name] = found[name]
            for name in known.keys() - found.keys():
                store.rm_file(f"{root}/{name}")
                del known[name]

    with ExitStack() as cleaning:
        cleaning.callback(shutil.rmtree, folder)
        with told_as(
            OutputError,
            "cannot be read",
            address,
            "check the address and your rights, and install the library that the reason names",
            Exception,
        ):
            store, root = library.url_to_fs(address)
            for path in store.find(root, maxdepth=2):
                place = folder / path.removeprefix(root).lstrip("/")
                if ".." not in place.parts and not place.name.startswith("."):
                    place.parent.mkdir(exist_ok=True)
                    store.get_file(path, str(place))
        known = states()
        try:
            yield folder, put_back
        finally:
            kept = cleaning.pop_all()
            put_back()
            kept.close()


def _put_back_often(
    results: Iterable[ClusterResult], put_back: Callable[[], None] | None
) -> Iterator[ClusterResult]:
    """Results as they come, put back about once a minute; what fails is tried again at the end."""
    last = monotonic()
    for each in results:
        yield each
        if put_back and monotonic() - last > _MINUTE:
            with suppress(OutputError):
                put_back()
            last = monotonic()


def prepare_clustering(options: ClusteringOptions, console: Console, jobs: int) -> ResultOptions:
    """Load the model, and check before long work that pages can be read and results be written.

    Args:
        options: of the command.
        console: where to warn.
        jobs: processes for the pages of one name.

    Raises:
        WepsError: if the work cannot be done with these options.
    """
    if (corrections := options.corrections) and not corrections.exists():
        raise CorrectionsError("no such file", where=corrections, remedy="check the spelling")
    if RESULT_SUFFIXES["xlsx"] in options.suffixes:
        import_library("xlsxwriter", "xlsx")
    choice = options.model_choice()
    models = choice.load()
    reader = options.reader(models.language, jobs)
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
    return ResultOptions(
        replace(choice, digest=models.digest),
        reader=reader,
        settings=replace(options.provenance(), threshold=options.threshold),
    )


def cluster_names(  # noqa: PLR0913 - everything that the results depend on
    source: Source,
    names: Sequence[str],
    options: ClusteringOptions,
    chosen: ResultOptions,
    console: Console,
    *,
    warnings: tuple[str, ...] = (),
) -> int:
    """Cluster names of a source and tell the results; 0 if all went well.

    Args:
        source: the pages.
        names: its identifiers.
        options: of the command.
        chosen: how to cluster, see :func:`prepare_clustering`.
        console: where to tell the results.
        warnings: remarks on the pages, for every report.

    Raises:
        CorrectionsError: if one file of corrections is to be for several names.
        OutputError: if the index or the JSON cannot be written.
    """
    alone = len(names) == 1 and not options.shard
    corrections = options.corrections
    if corrections and len(names) > 1 and not corrections.is_dir():
        raise CorrectionsError(
            f"a corrections file is for one name, got {len(names)} names",
            where=corrections,
            remedy="choose the name with --name, or give a folder of NAME.corrections.txt",
        )
    work = ResultMaker(
        chosen,
        options.place,
        options.scorer_for,
        corrections=corrections,
        corrected=not options.no_corrections,
        learn=options.learn,
        warnings=warnings,
        suffixes=options.suffixes,
        also=options.also,
        divided=len(source.names) > MOST_UNDIVIDED,
        again=alone or options.again,
        skip_empty=isinstance(options, NamesOption) and not options.name,
        with_report=alone,
        progress=TimedProgress(console) if alone and not options.dask else log_progress,
    )
    items = list(map(source.only, names)) if alone else map(source.only, names)
    results = parallel_map(work, items, options.jobs, _failed_result, options.dask)
    told = tell_results(_put_back_often(results, options.put_back), len(names), console)
    if told.report and not console.quiet:
        console.write()
        _write_people(told.report.answer, console)
        console.write()
    if told.scored and options.scorer_for:
        console.write_detail(
            "score against the correct answers: B-Cubed precision {bcubed_precision:.2f}, "
            "recall {bcubed_recall:.2f}, F0.5 {bcubed_f05:.2f}".format(
                **{measure: total / len(told.scored) for measure, total in told.sums.items()}
            )
            + (
                ""
                if alone
                else f"\n  to cite it: {options.scorer_for(source).signature(source, told.scored)}"
            )  # that of one is in its report
        )
    if options.shard:
        console.write_status("the index is written by the same command without --shard")
    elif not alone and (written := write_index(options.place)):
        console.write_detail(f"index of all names: {written[0]}")
    elif not alone:
        console.warn(
            f"{options.place}: other files have the names of the index, so it is not written"
        )
    else:
        update_index(options.place)
    if options.json:
        texts = _joined_json(told.written)
        if told.report:
            undigested = replace(told.report.provenance, digest="")
            texts = iter([as_json(result_file(replace(told.report, provenance=undigested)))])
        write_json_text(options.json, texts, private=True)
    return int(told.failed)


def _failed_result(source: Source, error: Exception) -> ClusterResult:
    """The result of a name whose work ended in an error, which costs no other."""
    [name] = source.names
    if isinstance(error, WorkerError):
        error.where = name
    place = "" if isinstance(error, WepsError) else f"{name}: "
    return ClusterResult(name, errors=(f"{place}{describe_error(error)}",))


@dataclass(slots=True)
class ToldResults:
    """Summary of the results that were told; small, however many there are."""

    failed: bool = False
    written: list[Path] = field(default_factory=list)
    scored: list[str] = field(default_factory=list)
    """Identifiers of the names that have a key."""
    phases: Counter[str] = field(default_factory=Counter)
    """Phase of the work → seconds of all processes."""
    sums: Counter[str] = field(default_factory=Counter)
    """Measure → sum of its scores."""
    report: Report | None = None
    """The last result, if it was wanted."""


def tell_results(results: Iterable[ClusterResult], total: int, console: Console) -> ToldResults:
    """Tell the results of so many names one after another; of very many, only what went wrong."""
    told, progress = ToldResults(), TimedProgress(console)
    for number, outcome in enumerate(results, start=1):
        progress("answering", number, total, worked=not outcome.finished)
        about = f"{outcome.name}: " if total > 1 else ""
        for warning in outcome.warnings:
            console.warn(warning if outcome.identifier in warning else about + warning)
        for error in outcome.errors:
            console.error(error)
        warn_unread(outcome.unread, console, about)
        told.failed |= bool(outcome.errors)
        told.report = outcome.report
        told.phases.update(outcome.phases)
        if outcome.scores:
            told.scored.append(outcome.identifier)
            told.sums.update(outcome.scores)
        if outcome.path is None:
            continue
        told.written.append(outcome.path)
        if total > _MOST_TOLD or console.quiet:
            continue
        console.write((f"[{number:,}/{total:,}] " if total > 1 else "") + _result_line(outcome))
        if not outcome.finished:
            report = outcome.path.with_suffix(".html")
            console.write(f"  report: {report if report.exists() else outcome.path}")
    if total > 1 and not console.quiet and (whole := sum(told.phases.values())):
        console.write_table(
            [
                ("phase", "s", "share"),
                *(
                    (phase, f"{spent:,.1f}", f"{spent / whole:.0%}")
                    for phase, spent in told.phases.most_common()
                ),
            ]
        )
    return told


def _result_line(outcome: ClusterResult) -> str:
    """A result in one line, such as ``Robin Averdale: 20 pages, 5 people, 1.2 s``."""
    parts = [
        f"{outcome.name}: {count_of(sum(outcome.sizes) + outcome.aside, 'page')}",
        count_of(len(outcome.sizes), "person", "people"),
    ]
    if single := outcome.sizes.count(1):
        parts[-1] += f" ({single} with a single page)"
    if outcome.aside:
        parts.append(f"{count_of(outcome.aside, 'page')} set aside")
    parts.append("finished before" if outcome.finished else f"{sum(outcome.phases.values()):.1f} s")
    if outcome.corrections:
        teach = outcome.effect and f" (learning from them, --learn, {outcome.effect})"
        parts.append(f"{count_of(outcome.corrections, 'correction')} applied{teach}")
    return ", ".join(parts)


def _joined_json(paths: Sequence[Path]) -> Iterator[str]:
    """The text of a list of results, which are read one at a time."""
    for number, path in enumerate(paths):
        text = read_bytes(path, _MAX_JSON_BYTES, SourceError).decode()
        yield "[\n" if number == 0 else ",\n"
        yield "\n".join(f" {line}" for line in text.rstrip("\n").split("\n"))
    yield "\n]\n" if paths else "[]\n"


def _write_people(answer: Answer, console: Console) -> None:
    """Write the people with several pages, one in a line, and how many have a single one.

    They are in the order of the answer, those all of whose pages are unsure last and dim; the parts
    of a person follow. Labels are cut to the console's width.
    """
    several = [person for person in answer.people if len(person.pages) > 1]
    if several:
        rows: list[tuple[str, ...]] = [("", "who", "pages", "confidence")]
        styles = list[str]()
        for person in several:
            about, parts = person.description, person.parts
            words = people_words(about.one_person, about.expected_people, len(parts))
            lines = [(f"{person.id}", person.label, len(person.pages), about.one_person, words)]
            lines += (
                (
                    *(f"{person.id}.{number}", part.label, len(part.pages), part.one_person),
                    people_words(part.one_person, expected=1),
                )
                for number, part in enumerate(parts, start=1)
            )
            for mark, label, pages, one, words in lines:
                cells = (
                    mark,
                    label.removeprefix(f"{answer.name} – ") or "(no label)",
                    f"{pages:,}",
                    words if console.width >= _NARROW_COLUMNS else format_probability(one),
                )
                rows.append(tuple(printable_text(" ".join(cell.split())) for cell in cells))
            styles += ["dim" if person.unsure else ""] * len(lines)
        others = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
        del others[_LABEL]
        room = max(console.width - sum(others) - _GAP * len(others), _MIN_LABEL_WIDTH)
        rows = [(row[0], cut_columns(row[_LABEL], room), *row[_LABEL + 1 :]) for row in rows]
        console.write_table(rows, (1, 3), styles)
    if alone := len(answer.people) - len(several):
        people = count_of(alone, "person", "people")
        each = " each" if alone > 1 else ""
        console.write(f"{'and ' if several else ''}{people} with one page{each}")


def warn_unread(unread: Collection[UnreadInput], console: Console, about: str = "") -> None:
    """Warn of the inputs that could not be read, grouped by reason; nothing if there are none."""
    if not unread:
        return
    groups = [*unread_by_reason(unread).items()]
    lines = [f"{about}{count_of(len(unread), 'input')} could not be read"]
    for reason, names in groups[:_MAX_REASONS]:
        shown = [cut_columns(" ".join(name.split()), _MAX_NAME_WIDTH) for name in names]
        lines.append(f"  {' '.join(reason.split())}: {join_items(shown, most=3)}")
    if left := sum(len(names) for _, names in groups[_MAX_REASONS:]):
        lines.append(f"  for other reasons, which the report lists: {left:,}")
    console.warn("\n".join(lines))
