"""``weps search NAME``: find the pages of a name on the Web, download them, and say who is who.

``weps update RESULT NEWPAGES`` assigns new pages to the people of a result, whose identifiers are
kept; with ``--search`` the Web is searched for them.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from weps._files import list_entries, make_folder, read_bytes, real_path
from weps._formatting import count_of, cut_text, format_count, join_items
from weps._locking import FolderLock
from weps._options import cli_argument, cli_option, given_flags
from weps.cli.cluster import ClusteringOptions, cluster_names, prepare_clustering, warn_unread
from weps.cli.console import Console, TimedProgress
from weps.cli.options import JsonOption, ReadingOptions, check_writable, write_json
from weps.corrections.model import CORRECTIONS_SUFFIX, write_corrections
from weps.errors import SearchError, SourceError
from weps.records import Provenance
from weps.results.files import update_index
from weps.results.result import Result, ResultOptions
from weps.results.stored import (
    StoredResult,
    find_result,
    read_result,
    results_root,
    searched_folder,
)
from weps.sources.base import as_identifier, as_name
from weps.sources.collected import PAGES_FOLDER, is_collected
from weps.sources.formats.lists import MAX_LIST_BYTES, parse_results
from weps.sources.opening import open_source
from weps.web.engines import (
    MAX_PAGES,
    WAYS,
    EngineSettings,
    choose_engine,
    make_queries,
    search_by_engine,
    search_in_lists,
)

if TYPE_CHECKING:
    from weps.web.downloading import DownloadSummary

KEPT = "downloaded pages are kept; run the same command again to continue"
_MAX_REASONS = 3
"""Reasons that the summary tells for each status."""
_ENGINE, _SEARCHING, _DOWNLOADING = "search engine", "searching", "downloading"


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """The search engine that is asked."""

    engine: str = cli_option(
        "search engine (default: the first that is set up, searxng before brave)",
        "",
        choices=sorted(WAYS),
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

    results: tuple[Path, ...] = cli_option(
        "read results from a file instead of asking a search engine: JSON, JSON Lines, CSV, "
        "bookmarks, or one address per line (repeat for several)",
        (),
        repeat=True,
        group=_SEARCHING,
    )
    also: tuple[str, ...] = cli_option(
        "another name of the person to search for (repeat for several)",
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
        MAX_PAGES,
        flag="--pages",
        least=1,
        most=MAX_PAGES,
        metavar="N",
        group=_SEARCHING,
    )
    yes: bool = cli_option("send requests without asking for confirmation", False, group=_SEARCHING)
    folder: Path | None = cli_option(
        f"where the pages of the name are kept (default: {PAGES_FOLDER}/NAME)",
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


def run_command(options: Options, console: Console) -> int:
    """Search, download, cluster; whatever is there already is not asked for again."""
    name = as_name(options.name)
    folder = _collecting_folder(options, name)
    with FolderLock(options.out, "weps search"):
        chosen = prepare_clustering(options, console, options.jobs)
        warnings = _collect(options, name, folder, console)
        source = open_source(folder, name)
        if not any(map(source.ranks, source.names)):
            raise SearchError(
                f"no pages were found for {name}",
                where=folder,
                remedy="check the spelling, try other names (--also) or another search engine",
            )
        return cluster_names(source, source.names, options, chosen, console, warnings=warnings)


def _collecting_folder(options: CollectingOptions, name: str, usual: Path | None = None) -> Path:
    """Folder of the pages of a name: that of the options, the usual one, or one called like it.

    Raises:
        SearchError: if the name is empty, or the folder holds anything else.
    """
    identifier = as_identifier(name)
    if not identifier:
        raise SearchError("a name is empty", remedy='write it such as "Robin Averdale"')
    folder = options.folder or usual or PAGES_FOLDER / identifier
    if folder.is_dir() and not is_collected(folder) and list_entries(folder):
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
    from weps.web.limits import DownloadOptions  # noqa: PLC0415

    if options.results:
        names = tuple(map(str, options.results))
        contents = (read_bytes(Path(name), MAX_LIST_BYTES, SourceError) for name in names)
        search = search_in_lists(names, [*map(parse_results, contents, names)], folder)
    else:
        settings = EngineSettings(os.environ, options.url, options.keep_results)
        engine = choose_engine(options.engine, settings)
        queries, pages = make_queries(name, options.also, options.words), options.result_pages
        search = search_by_engine(engine, queries, folder, pages, again=bool(earlier))
    steps = (f"  {step}" for step in search.steps)
    notice = "\n".join([f"weps looks for {name} on the Web. It", *steps])
    what = "sending a name to a search engine or downloading pages needs your confirmation"
    error = SearchError(what, remedy="run it in a terminal, or confirm with --yes")
    console.require_consent(notice, "Continue?", error, given=options.yes)
    found = search.send(console.show_progress)
    if found.requests:
        results, requests = len(found.results), count_of(found.requests, "request")
        console.write(f"{search.label}: {count_of(results, 'result')} ({requests})")
    make_folder(folder, private=True)
    summary = download_pages(
        found.without(earlier.addresses if earlier else ()).results,
        folder,
        DownloadOptions(
            refresh=options.refresh,
            keep_results=found.may_be_kept,
            allow_private=options.allow_private,
        ),
        lambda _result, _page, done, total: console.show_progress("downloading", done, total),
    )
    _tell(summary, console)
    return found.warnings


def _tell(summary: DownloadSummary, console: Console) -> None:
    """Tell the outcome of the download by status, with the most frequent reasons."""
    rows = [("pages", "status", "why")]
    for status, number in summary.counts.items():
        notes = Counter(page.note for page in summary.pages if page.status is status)
        reasons = [f"{note} ({count})" for note, count in notes.most_common() if note]
        rows.append((f"{number:,}", str(status), join_items(reasons, most=_MAX_REASONS)))
    if not console.quiet and len(rows) > 1:
        console.write_table(rows, left=(1, 2))
    asked = len(summary.pages) - summary.known
    console.write(
        f"{count_of(asked, 'page')} asked for ({summary.known} known already), "
        f"{count_of(summary.requests, 'request')}, "
        f"{format_count(summary.wire_bytes / 1e3)} kB, {summary.seconds:.1f} s"
    )


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


def update(options: UpdateOptions, console: Console) -> int:
    """Cluster the pages of a result together with new ones; write only complete results."""
    if options.search == (options.pages is not None):
        what = "give either NEWPAGES or --search"
        raise SourceError(what, remedy="NEWPAGES is a folder, --search looks on the Web")
    if not options.search and (given := given_flags(options, CollectingOptions)):
        what = f"{join_items(given)}: only for searches"
        raise SourceError(what, remedy="give --search in place of NEWPAGES, or leave it out")
    check_writable(options.json)
    path = find_result(options.result, options.name)
    folder = options.out or read_result(path).folder
    with FolderLock(results_root(folder), "weps update"):
        _update(read_result(path), folder, options, console)  # as it is while nobody else writes
    return 0


def _update(stored: StoredResult, folder: Path, options: UpdateOptions, console: Console) -> None:
    settings = ("language", "embeddings", "html")
    given = {name: value for name in settings if (value := getattr(options, name))}
    approved = Provenance(language=options.language, embeddings=options.embeddings)
    usual = ResultOptions(reader=options.reader(), settings=approved)
    chosen = ResultOptions.of_result(stored, usual, **given)
    warnings: tuple[str, ...] = ()
    added = options.pages
    if added is None:  # what a search finds goes to the pages of earlier ones
        name = as_name(stored.name)
        added = _collecting_folder(options, name, searched_folder(stored))
        warnings = _collect(options, name, added, console, stored)
    result, changes = Result.update(
        stored, added, chosen, folder=folder, notes=warnings, progress=TimedProgress(console)
    )
    identifier = stored.identifier
    if result.corrections and real_path(folder) != real_path(stored.folder):
        beside = folder / f"{identifier}{CORRECTIONS_SUFFIX}"
        write_corrections(result.corrections, beside, stored.name)
    result.write(folder, identifier)
    update_index(results_root(folder))
    write_json(options.json, changes.as_data(), private=True)
    for warning in changes.warnings:
        console.warn(warning)
    warn_unread(result.answer.unread, console)
    new, known = len(changes.new), changes.known
    name = cut_text(result.name, _LONGEST_NAME)
    console.write(
        f"{name}: {count_of(new, 'new page')} ({known} known already), now "
        f"{count_of(len(result.search.pages), 'page')} of "
        f"{count_of(len(result.people), 'person', 'people')}",
        "bold",
    )
    console.write(f"  {changes.summary}")
    for line in changes.describe_changes(_MAX_LINES):
        console.write_detail(f"  {line}")
    console.write(f"  report: {folder / identifier}.html")
