"""Commands about one name: its pages searched for, added to a result, exported and forgotten.

``weps search NAME`` finds the pages of a name on the Web, downloads them, and says who is who.
``weps update RESULT NEWPAGES`` assigns new pages to the people of a result, whose identifiers are
kept; with ``--search`` the Web is searched for them. ``weps export RESULT`` writes results for
other programs. ``weps forget NAME`` removes the results, corrections and pages of a name, and
cached pages.
"""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from weps._files import STANDARD, FolderLock, atomic_write, list_entries, read_bytes, real_path
from weps._formatting import count_of, cut_text, format_count, join_items
from weps._lazy import import_library
from weps._options import cli_argument, cli_option, given_flags
from weps.cli.cluster import (
    ClusteringOptions,
    cluster_names,
    kinds_option,
    prepare_clustering,
    results_folder,
    warn_unread,
)
from weps.cli.console import Console, TimedProgress
from weps.cli.options import CacheOptions, JsonOption, NamesOption, ReadingOptions, write_json
from weps.errors import OutputError, SearchError, SourceError, WepsError
from weps.name.typed import require_name
from weps.reading import Reader
from weps.records import RESULT_SUFFIXES, Provenance
from weps.results import files as result_files
from weps.results.changes import Update
from weps.results.result import Result, ResultOptions
from weps.results.stored import (
    StoredResult,
    find_results,
    read_file,
    read_result,
    result_names,
    result_path,
    results_root,
    searched_folder,
)
from weps.sources import base
from weps.sources.formats.tables import MAX_LIST_BYTES
from weps.sources.opening import open_source
from weps.web import engines

_MAX_REASONS = 3
"""Reasons that the summary tells for each status."""
_ENGINE, _SEARCHING, _DOWNLOADING = "search engine", "searching", "downloading"


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """The search engine that is asked."""

    engine: str = cli_option(
        "search engine (default: the first that is set up, searxng before brave)",
        "",
        choices=sorted(engines.WAYS),
        group=_ENGINE,
    )
    url: str = cli_option(
        "your own SearXNG, http://localhost:8888 (default: WEPS_SEARXNG_URL); the key of brave is "
        "BRAVE_API_KEY in the environment",
        "",
        metavar="ADDRESS",
        group=_ENGINE,
    )
    keep_results: bool = cli_option(
        "store addresses, titles and snippets of a search engine whose terms forbid it, because "
        "your plan allows it",
        False,
        group=_ENGINE,
    )


@dataclass(frozen=True, kw_only=True)
class CollectingOptions(EngineOptions):
    """Options of searching for pages and of downloading them."""

    KEPT = "downloaded pages are kept; run the same command again to continue"

    results: tuple[Path, ...] = cli_option(
        "read results from a file instead of asking a search engine: JSON, JSON Lines, CSV, "
        "bookmarks, or one address per line (repeat for several); - is standard input",
        (),
        repeat=True,
        group=_SEARCHING,
    )
    also: tuple[str, ...] = cli_option(
        "another spelling of the name, or another name of the person, to search for and to find on "
        "pages (repeat for several)",
        (),
        repeat=True,
        metavar="NAME",
        group=_SEARCHING,
    )
    words: str = cli_option(
        "words to add to every query", "", flag="--with", metavar="WORDS", group=_SEARCHING
    )
    result_pages: int = cli_option(
        "maximum number of result pages per query",
        engines.MAX_PAGES,
        flag="--pages",
        least=1,
        most=engines.MAX_PAGES,
        metavar="N",
        group=_SEARCHING,
    )
    yes: bool = cli_option("send requests without asking for confirmation", False, group=_SEARCHING)
    folder: Path | None = cli_option(
        f"where the pages of the name are kept (default: {base.PAGES_FOLDER}/NAME)",
        metavar="DIR",
        group=_DOWNLOADING,
    )
    refresh: bool = cli_option(
        "download pages again that were downloaded before", False, group=_DOWNLOADING
    )
    allow_private: bool = cli_option(
        "also download from addresses of this machine and of private networks",
        False,
        group=_DOWNLOADING,
    )


@dataclass(frozen=True, kw_only=True)
class Options(CollectingOptions, ClusteringOptions):
    """The options of the command."""

    name: str = cli_argument("the person's name, such as 'Robin Averdale'")


def search_name(options: Options, console: Console) -> int:
    """Search, download, cluster; whatever is there already is not asked for again."""
    name = base.as_name(options.name)
    folder = _collecting_folder(options, name)
    with results_folder(options, console, "weps search") as placed:
        chosen = prepare_clustering(placed, console, placed.jobs)
        warnings = _collect(options, name, folder, console)
        source = open_source(folder, name)
        if not any(map(source.ranks, source.names)):
            raise SearchError(
                f"no pages were found for {name}",
                where=folder,
                remedy="check the spelling, try other names (--also) or another search engine",
            )
        return cluster_names(source, source.names, placed, chosen, console, warnings=warnings)


def _collecting_folder(options: CollectingOptions, name: str, usual: Path | None = None) -> Path:
    """Folder of the pages of a name: that of the options, the usual one, or one called like it.

    Raises:
        SearchError: if the folder holds anything else.
        SourceError: if the name, or another one, is none.
    """
    require_name(name, *options.also)
    folder = options.folder or usual or base.PAGES_FOLDER / base.as_identifier(name)
    if folder.is_dir() and not base.is_collected(folder) and list_entries(folder):
        raise SearchError(
            "has files that do not come from a search",
            where=folder,
            remedy="give an empty folder with --folder, or add pages with `weps update`",
        )
    return folder


def _collect(
    options: CollectingOptions,
    name: str,
    folder: Path,
    console: Console,
    earlier: StoredResult | None = None,
) -> tuple[str, ...]:
    """Search and download pages of a name, after a question; tells what came, returns warnings.

    Args:
        options: of the search.
        name: of the person.
        folder: of the pages of the name.
        console: where to ask and to tell.
        earlier: result to update: the queries of earlier searches are sent again, and its pages are
            not downloaded unless they are in the folder.

    Raises:
        WepsError: no engine is set up, nobody agreed, or it does not answer and no earlier results
            are there to go on with.
    """
    from weps.web.downloading import download_pages  # noqa: PLC0415 - an extra
    from weps.web.fetching import DownloadOptions  # noqa: PLC0415

    if options.results:
        search = engines.search_in_lists(
            [
                (
                    "standard input" if file == STANDARD else str(file),
                    read_bytes(file, MAX_LIST_BYTES, SourceError),
                )
                for file in options.results
            ],
            folder,
        )
    else:
        search = engines.search_by_engine(
            engines.choose_engine(options.engine, options.url, keep_results=options.keep_results),
            engines.make_queries(name, options.also, options.words),
            folder,
            options.result_pages,
            again=bool(earlier),
        )
    console.require_consent(
        "\n  ".join([f"weps looks for {name} on the Web. It", *search.steps]),
        "Continue?",
        SearchError(
            "sending a name to a search engine or downloading pages needs your confirmation",
            remedy="run it in a terminal, or confirm with --yes",
        ),
        given=options.yes,
    )
    found = search.send(console.show_progress)
    if found.requests:
        results = count_of(len(found.results), "result")
        console.write(f"{search.label}: {results} ({count_of(found.requests, 'request')})")
    summary = download_pages(
        found.without(earlier.addresses if earlier else ()).results,
        folder,
        DownloadOptions(
            refresh=options.refresh,
            keep_results=found.may_be_kept,
            allow_private=options.allow_private,
            names=(name, *options.also),
        ),
        lambda _result, _page, done, total: console.show_progress("downloading", done, total),
    )
    rows = [("pages", "status", "why")]
    for status, number in summary.counts.items():
        notes = Counter(page.note for page in summary.pages if page.status is status)
        reasons = [f"{note} ({count})" for note, count in notes.most_common() if note]
        rows.append((f"{number:,}", str(status), join_items(reasons, most=_MAX_REASONS)))
    if not console.quiet and summary.counts:
        console.write_table(rows, left=(1, 2))
    console.write(
        f"{count_of(len(summary.pages) - summary.known, 'page')} asked for "
        f"({summary.known} known already), {count_of(summary.requests, 'request')}, "
        f"{format_count(summary.wire_bytes / 1e3)} kB, {summary.seconds:.1f} s"
    )
    return found.warnings


_MAX_LINES = 25
"""Changes that the terminal shows."""
_LONGEST_NAME = 100
"""Characters that it shows of a name, which a result by others may have any number of."""


@dataclass(frozen=True, kw_only=True)
class UpdateOptions(CollectingOptions, ReadingOptions, JsonOption):
    """The options of ``weps update``."""

    result: Path = cli_argument(
        "NAME.json that `weps cluster` or `weps update` wrote, or its folder"
    )
    pages: Path | None = cli_argument(
        "folder of saved pages, or corpus, with new pages of the name; it may be the folder that "
        "the result was made from, if there are more pages now",
        None,
        metavar="NEWPAGES",
    )
    name: str = cli_option("name of the result, if the folder has several", "", metavar="N")
    out: Path | None = cli_option(
        "folder of the new result (default: that of the previous one, which is replaced)",
        metavar="DIR",
    )
    search: bool = cli_option(
        "instead of NEWPAGES: search the Web again, with the queries of `weps search` and those "
        "given here",
        False,
    )


def update(options: UpdateOptions, console: Console) -> None:
    """Cluster the pages of a result together with new ones; write only complete results."""
    if options.search == (options.pages is not None):
        raise SourceError(
            "give either NEWPAGES or --search",
            remedy="NEWPAGES is a folder, --search looks on the Web",
        )
    if not options.search and (given := given_flags(options, CollectingOptions)):
        raise SourceError(
            f"{join_items(given)}: only for searches",
            remedy="give --search in place of NEWPAGES, or leave it out",
        )
    path, *others = find_results(options.result, [options.name] if options.name else [])
    if others:
        names = join_items(each.stem for each in (path, *others))
        raise SourceError(
            f"has the results of {len(others) + 1} names ({names})",
            where=options.result,
            remedy="choose one with --name",
        )
    folder = options.out or read_result(path).folder
    root = results_root(folder)
    with FolderLock(root, "weps update"):
        stored = read_result(path)  # as it is while nobody else writes
        result, changes = _updated(stored, folder, options, console)
        moved = real_path(folder) != real_path(stored.folder)
        result_files.write_report(
            result, stored.identifier, folder, corrections=moved and bool(result.corrections)
        )
        result_files.update_index(root)
    write_json(options.json, changes.as_data(), private=True)
    for warning in changes.warnings:
        console.warn(warning)
    warn_unread(result.answer.unread, console)
    console.write(
        f"{cut_text(result.name, _LONGEST_NAME)}: {count_of(len(changes.new), 'new page')} "
        f"({changes.known} known already), now {count_of(len(result.search.pages), 'page')} of "
        f"{count_of(len(result.people), 'person', 'people')}"
    )
    console.write(f"  {changes.summary}")
    for line in changes.describe_changes(_MAX_LINES):
        console.write_detail(f"  {line}")
    console.write(f"  report: {folder / stored.identifier}.html")


def _updated(
    stored: StoredResult, folder: Path, options: UpdateOptions, console: Console
) -> tuple[Result, Update]:
    """The result with new pages, which are given or searched for, and what has changed."""
    every = {"language": options.language, "embeddings": options.embeddings}
    approved = Provenance(language=options.language, embeddings=options.embeddings)
    chosen = ResultOptions.of_result(
        stored,
        ResultOptions(reader=options.reader(), settings=approved),
        **{name: value for name, value in every.items() if value},
    )
    added, warnings = options.pages, tuple[str, ...]()
    if added is None:  # what a search finds goes to the pages of earlier ones
        name = base.as_name(stored.name)
        added = _collecting_folder(options, name, searched_folder(stored))
        warnings = _collect(options, name, added, console, stored)
    return Result.update(
        replace(stored, also=tuple(dict.fromkeys((*stored.also, *options.also)))),
        added,
        chosen,
        folder=folder,
        notes=warnings,
        progress=TimedProgress(console),
    )


@dataclass(frozen=True, kw_only=True)
class ExportOptions(NamesOption):
    """The options of ``weps export``."""

    result: Path = cli_argument("NAME.json that `weps cluster` wrote, or a folder of results")
    write: str = kinds_option(
        "what to write for each name: facts (CSV), xlsx (people, pages and facts), jsonld "
        "(schema.org), gedcom (GEDCOM 7), graphml (network), brief (Markdown); default: brief",
        "brief",
        [kind for kind, suffix in RESULT_SUFFIXES.items() if suffix in result_files.EXPORTED],
    )
    person: int | None = cli_option("only the person with this number", least=1, metavar="ID")
    out: Path | None = cli_option(
        "folder of the files (default: that of each result)", metavar="DIR"
    )


def export_results(options: ExportOptions, console: Console) -> int:
    """Write the exports of stored results; an error in one name does not stop the others."""
    from weps.results.exports import export_files  # noqa: PLC0415 - only this command needs it

    paths = find_results(options.result, options.name)
    if options.person and len(paths) > 1:
        raise SourceError(
            f"--person is for one name, got {len(paths)} names",
            where=options.result,
            remedy="choose the name with --name",
        )
    suffixes, failed = [RESULT_SUFFIXES[kind] for kind in options.write.split(",")], False
    if RESULT_SUFFIXES["xlsx"] in suffixes:
        import_library("xlsxwriter", "xlsx")
    with FolderLock(options.out or results_root(paths[0].parent), "weps export"):
        for path in paths:
            folder = options.out or path.parent
            try:
                file = read_file(path)
                contents = export_files(file, folder, path.stem, suffixes, options.person)
                atomic_write(contents, private=True)
            except WepsError as error:
                console.error(error.describe())
                failed = True
                continue
            console.write(f"{cut_text(file.name, _LONGEST_NAME)}: {', '.join(map(str, contents))}")
    return int(failed)


@dataclass(frozen=True, kw_only=True)
class ForgetOptions(CacheOptions, JsonOption):
    """The options of ``weps forget``."""

    name: str = cli_argument("a name with results or downloaded pages")
    out: Path = cli_option("folder of the results", Path("weps-out"), metavar="DIR")
    folder: Path | None = cli_option(
        "folder that `weps search` downloaded to, if there is no result that states it (default: "
        f"{base.PAGES_FOLDER}/NAME)",
        metavar="DIR",
    )
    yes: bool = cli_option("do not ask", False)


def delete_name(options: ForgetOptions, console: Console) -> None:
    """Say what will be removed, ask, and remove it."""
    if options.folder and not base.is_collected(options.folder):
        raise SourceError(
            "has no downloaded pages",
            where=options.folder,
            remedy="give the folder that `weps search` wrote to",
        )
    results = options.out.absolute()
    (identifier,) = base.select_names(_known_names(options, results), [options.name])
    places = [path.absolute() for path in (options.folder, base.PAGES_FOLDER / identifier) if path]
    with FolderLock(results, "weps forget") if results.is_dir() else nullcontext():
        plan = result_files.plan_removal(results, identifier, places)
        lines = [f"weps will delete everything that it stores about {options.name}:"]
        lines += map(_line, plan.files)
        if not options.no_cache:
            lines.append("  the cache entries of pages with this name")
        if plan.elsewhere:
            lines.append("Your own files, from which pages were read, are not deleted:")
            lines += map(_line, plan.elsewhere)
        console.require_consent(
            "\n".join(lines),
            "Delete?",
            OutputError(
                "deleting needs your confirmation",
                remedy="run it in a terminal, or confirm with --yes",
            ),
            given=options.yes,
        )
        reader = Reader(cache=options.selected_cache())
        with suppress(OSError, WepsError):  # as far as it is known, the one that made the result
            stored = read_result(result_path(results, identifier))
            reader = ResultOptions.of_result(stored, ResultOptions(reader=reader)).reader or reader
        done = result_files.forget_name(results, identifier, reader, places)
    console.write(f"removed: {count_of(len(done.files), 'file or folder', 'files and folders')}")
    console.write(f"removed from the cache: {count_of(done.cached, 'entry', 'entries')}")
    if reader.cache and reader.cache.problem:
        console.warn(reader.cache.problem)
    write_json(
        options.json,
        {
            "name": identifier,
            "removed": list(map(str, done.files)),
            "kept": list(map(str, done.elsewhere)),
            "cache_entries": done.cached,
        },
    )


def _known_names(options: ForgetOptions, results: Path) -> base.KnownNames:
    """The names with results, with pages that were given to the app, or with downloaded pages.

    Raises:
        SourceError: there are none.
    """
    names = set(result_names(results)) if results.is_dir() else set()
    roots = (result_files.PAGES_FOLDER, result_files.SEARCHED_FOLDER)
    names |= {path.name for root in roots for path in (results / root).glob("*/")}
    names |= {path.name for path in base.PAGES_FOLDER.glob("*/") if base.is_collected(path)}
    if options.folder:
        names.add(base.as_identifier(base.as_name(options.name)))
    if not names:
        raise SourceError(
            "nothing is stored here about any name",
            where=results,
            remedy="choose another folder with --out",
        )
    return base.KnownNames(results, tuple(sorted(names)))


def _line(path: Path) -> str:
    number = sum(1 for each in path.rglob("*") if each.is_file()) if path.is_dir() else 0
    return f"  {path}" + (f" ({count_of(number, 'file')})" if number else "")
