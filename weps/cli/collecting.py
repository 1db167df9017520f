"""Pages collected from the Web for a name: the options, the question, the download, the summary."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from weps._files import list_entries, make_folder, read_bytes
from weps._formatting import count_of, format_count, join_items
from weps.cli.console import Console
from weps.cli.options import number_parser
from weps.errors import SearchError, SourceError
from weps.sources.base import as_identifier, as_name
from weps.sources.collected import PAGES_FOLDER, is_collected
from weps.sources.formats.lists import MAX_LIST_BYTES, parse_results
from weps.web.engines import MAX_PAGES, WAYS, EngineSettings, choose_engine
from weps.web.searching import EngineSearch, FoundResults, ListSearch, WebSearch, make_queries

if TYPE_CHECKING:
    from weps.web.downloading import DownloadSummary

_MAX_REASONS = 3
"""Reasons that the summary tells for each status."""


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Which search engine is asked."""
    group = parser.add_argument_group("search engine")
    group.add_argument(
        "--engine",
        choices=sorted(WAYS),
        default="",
        help="search engine (default: the first that is set up, searxng before brave)",
    )
    group.add_argument(
        "--url",
        default="",
        metavar="ADDRESS",
        help="your own SearXNG, http://localhost:8888 (default: WEPS_SEARXNG_URL); the key of "
        "brave is BRAVE_API_KEY in the environment",
    )
    group.add_argument(
        "--keep-results",
        action="store_true",
        help="store addresses, titles and snippets of a search engine whose terms forbid it, "
        "because your plan allows it",
    )


def add_collecting(parser: argparse.ArgumentParser) -> None:
    """Where pages are looked for, and how they are downloaded."""
    add_engine(parser)
    group = parser.add_argument_group("searching")
    group.add_argument(
        "--results",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="read results from a file instead of asking a search engine: JSON, JSON Lines, CSV, "
        "bookmarks, or one address per line (repeat for several)",
    )
    group.add_argument(
        "--also",
        action="append",
        default=[],
        metavar="NAME",
        help="another name of the person to search for (repeat for several)",
    )
    group.add_argument(
        "--with", dest="words", default="", metavar="WORDS", help="words to add to every query"
    )
    group.add_argument(
        "--pages",
        dest="result_pages",
        type=number_parser(
            int, f"a number of pages (1 to {MAX_PAGES})", lambda number: 0 < number <= MAX_PAGES
        ),
        default=MAX_PAGES,
        metavar="N",
        help=f"maximum number of result pages per query (default: {MAX_PAGES})",
    )
    group.add_argument(
        "--yes", action="store_true", help="send requests without asking for confirmation"
    )
    group = parser.add_argument_group("downloading")
    group.add_argument(
        "--folder",
        type=Path,
        metavar="DIR",
        help=f"where the pages of the name are kept (default: {PAGES_FOLDER}/NAME)",
    )
    group.add_argument(
        "--refresh", action="store_true", help="download pages again that were downloaded before"
    )
    group.add_argument(
        "--allow-private",
        action="store_true",
        help="also download from addresses of this machine and of private networks",
    )


def given_options(options: argparse.Namespace) -> list[str]:
    """Those of :func:`add_collecting` that are not at their defaults, as they are written."""
    parser = argparse.ArgumentParser(add_help=False)
    add_collecting(parser)
    known = parser._actions
    return [
        action.option_strings[0]
        for action in known
        if getattr(options, action.dest) != action.default
    ]


@dataclass(frozen=True, slots=True)
class Collecting:
    """Pages of the Web for a name, as the options of :func:`add_collecting` say."""

    options: argparse.Namespace
    name: str
    folder: Path
    """Of the pages of the name."""
    console: Console
    known: Iterable[str] = ()
    """Addresses of pages that are not to be downloaded unless they are in the folder."""

    @classmethod
    def of_name(
        cls,
        options: argparse.Namespace,
        name: str,
        console: Console,
        known: Iterable[str] = (),
    ) -> Collecting:
        """Into the folder of the options, by default one that is called like the name.

        Args:
            options: the parsed options.
            name: of the person.
            console: where to ask and to tell.
            known: addresses of pages that are not to be downloaded unless they are in the folder.

        Raises:
            SearchError: if the name is empty, or the folder holds anything else.
        """
        name = as_name(name)
        identifier = as_identifier(name)
        if not identifier:
            raise SearchError("a name is empty", remedy='write it such as "Robin Averdale"')
        folder: Path = options.folder or PAGES_FOLDER / identifier
        if folder.is_dir() and not is_collected(folder) and list_entries(folder):
            raise SearchError(
                "has files that do not come from a search",
                where=folder,
                remedy="give an empty folder with --folder, or add pages with `weps update`",
            )
        return cls(options, name, folder, console, known)

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
        return ListSearch(names, tuple(map(parse_results, contents, names)), self.folder)

    def _engine_search(self) -> WebSearch:
        """A search by an engine; with the earlier queries if it is made again."""
        options = self.options
        settings = EngineSettings(os.environ, options.url, options.keep_results)
        engine = choose_engine(options.engine, settings)
        queries = make_queries(self.name, options.also, options.words)
        search = EngineSearch(engine, queries, self.folder, options.result_pages)
        return search.with_earlier_queries() if options.search_again else search

    def _agree(self, steps: Sequence[str]) -> None:
        """Say what is going to be asked of whom, and go on only if somebody agrees.

        Raises:
            SearchError: nobody did.
        """
        lines = (
            f"weps looks for {self.name} on the Web. It",
            *(f"  {step}" for step in steps),
        )
        notice = "\n".join(lines)
        if self.options.yes:
            self.console.write_status(notice)
        elif not self.console.can_ask:
            raise SearchError(
                "sending a name to a search engine or downloading pages needs your confirmation",
                remedy="run it in a terminal, or confirm with --yes",
            )
        elif not self.console.confirm(f"{notice}\nContinue?"):
            raise SearchError("not confirmed: nothing was sent", remedy="answer y to continue")

    def _download(self, found: FoundResults) -> DownloadSummary:
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
        """What became of the results: by status, with the most frequent reasons."""
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
