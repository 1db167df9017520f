"""``weps search NAME``: find the pages of a name on the Web, download them, and say who is who."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from weps._files import list_entries, make_folder, read_bytes
from weps._formatting import count_of, format_count, join_items
from weps._locking import FolderLock
from weps._options import cli_argument, cli_option
from weps.cli.cluster import ClusteringOptions, cluster_names, prepare_clustering
from weps.cli.console import Console
from weps.errors import SearchError, SourceError
from weps.sources.base import as_identifier, as_name
from weps.sources.collected import PAGES_FOLDER, is_collected
from weps.sources.formats.lists import MAX_LIST_BYTES, parse_results
from weps.sources.opening import open_source
from weps.web.engines import (
    MAX_PAGES,
    WAYS,
    EngineSettings,
    Found,
    WebSearch,
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
    collecting = Collecting.of_name(options, options.name, console)
    with FolderLock(options.out, "weps search"):
        chosen = prepare_clustering(options, console, options.jobs)
        warnings = collecting.collect()
        source = open_source(collecting.folder, collecting.name)
        if not any(map(source.ranks, source.names)):
            raise SearchError(
                f"no pages were found for {collecting.name}",
                where=collecting.folder,
                remedy="check the spelling, try other names (--also) or another search engine",
            )
        return cluster_names(source, source.names, options, chosen, console, warnings=warnings)


@dataclass(frozen=True, slots=True)
class Collecting:
    """Pages of the Web for a name, collected as options say."""

    options: CollectingOptions
    name: str
    folder: Path
    """Folder of the pages of the name."""
    console: Console
    known: Iterable[str] = ()
    """Addresses of pages that are not to be downloaded unless they are in the folder."""
    again: bool = False
    """Whether the queries of earlier searches are sent again."""

    @classmethod
    def of_name(
        cls, options: CollectingOptions, name: str, console: Console, folder: Path | None = None
    ) -> Collecting:
        """Collect into the folder of the options, by default one that is called like the name.

        Args:
            options: of the search.
            name: of the person.
            console: where to ask and to tell.
            folder: instead of the default.

        Raises:
            SearchError: if the name is empty, or the folder holds anything else.
        """
        name = as_name(name)
        identifier = as_identifier(name)
        if not identifier:
            raise SearchError("a name is empty", remedy='write it such as "Robin Averdale"')
        folder = options.folder or folder or PAGES_FOLDER / identifier
        if folder.is_dir() and not is_collected(folder) and list_entries(folder):
            raise SearchError(
                "has files that do not come from a search",
                where=folder,
                remedy="give an empty folder with --folder, or add pages with `weps update`",
            )
        return cls(options, name, folder, console)

    def collect(self) -> tuple[str, ...]:
        """Search and download, after a question; tells what came, and returns warnings.

        Raises:
            WepsError: no engine is set up, nobody agreed, or it does not answer and no earlier
                results are there to go on with.
        """
        search = self._list_search() if self.options.results else self._engine_search()
        self._agree(search.steps)
        found = search.send(self.console.show_progress)
        if found.requests:
            results, requests = len(found.results), count_of(found.requests, "request")
            self.console.write(f"{search.label}: {count_of(results, 'result')} ({requests})")
        self._tell(self._download(found))
        return found.warnings

    def _list_search(self) -> WebSearch:
        """The results of files."""
        names = tuple(map(str, self.options.results))
        contents = (read_bytes(Path(name), MAX_LIST_BYTES, SourceError) for name in names)
        return search_in_lists(names, [*map(parse_results, contents, names)], self.folder)

    def _engine_search(self) -> WebSearch:
        """A search by an engine; with the earlier queries if it is made again."""
        options = self.options
        settings = EngineSettings(os.environ, options.url, options.keep_results)
        engine = choose_engine(options.engine, settings)
        queries = make_queries(self.name, options.also, options.words)
        pages = options.result_pages
        return search_by_engine(engine, queries, self.folder, pages, again=self.again)

    def _agree(self, steps: Sequence[str]) -> None:
        """Say what is going to be asked of whom, and go on only if somebody agrees."""
        head = f"weps looks for {self.name} on the Web. It"
        notice = "\n".join([head, *(f"  {step}" for step in steps)])
        what = "sending a name to a search engine or downloading pages needs your confirmation"
        error = SearchError(what, remedy="run it in a terminal, or confirm with --yes")
        self.console.require_consent(notice, "Continue?", error, given=self.options.yes)

    def _download(self, found: Found) -> DownloadSummary:
        from weps.web.downloading import download_pages  # noqa: PLC0415 - an extra
        from weps.web.limits import DownloadOptions  # noqa: PLC0415

        make_folder(self.folder, private=True)
        return download_pages(
            found.without(self.known).results,
            self.folder,
            DownloadOptions(
                refresh=self.options.refresh,
                keep_results=found.may_be_kept,
                allow_private=self.options.allow_private,
            ),
            lambda _result, _page, done, total: self.console.show_progress(
                "downloading", done, total
            ),
        )

    def _tell(self, summary: DownloadSummary) -> None:
        """Tell the outcome of the download by status, with the most frequent reasons."""
        rows = [("pages", "status", "why")]
        for status, number in summary.counts.items():
            notes = Counter(page.note for page in summary.pages if page.status is status)
            reasons = [f"{note} ({count})" for note, count in notes.most_common() if note]
            rows.append((f"{number:,}", str(status), join_items(reasons, most=_MAX_REASONS)))
        if not self.console.quiet and len(rows) > 1:
            self.console.write_table(rows, left=(1, 2))
        asked = len(summary.pages) - summary.known
        self.console.write(
            f"{count_of(asked, 'page')} asked for ({summary.known} known already), "
            f"{count_of(summary.requests, 'request')}, "
            f"{format_count(summary.wire_bytes / 1e3)} kB, {summary.seconds:.1f} s"
        )
