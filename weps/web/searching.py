"""Searches for a name: queries of it and its aliases, or lists of results that people have.

Nothing is sent before somebody has agreed: a search says what it will send to whom.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from pathlib import Path
from typing import Final, Protocol, Self

from weps._files import LINK_OUT, atomic_write, leads_out, make_folder, read_bytes
from weps._formatting import count_of, join_items
from weps._parallel import Progress, no_progress
from weps.errors import SearchError
from weps.records import SearchResult
from weps.sources.base import as_name
from weps.sources.collected import QUERIES_FILE, address_key, is_collected
from weps.web.engines import MAX_PAGES, Found, SearchEngine


def make_queries(name: str, aliases: Iterable[str] = (), words: str = "") -> tuple[str, ...]:
    """The queries for a person: every name as a phrase, with further words.

    Args:
        name: as people write it.
        aliases: other names of the person, a query for each.
        words: added to every query as they are.

    Raises:
        SearchError: a name is empty.
    """
    names = [as_name(each).replace('"', "") for each in (name, *aliases)]
    if not all(names):
        raise SearchError("a name is empty", remedy='write it such as "Robin Averdale"')
    return tuple(dict.fromkeys(f'"{each}" {words}'.strip() for each in names))


_MAX_QUERIES_BYTES: Final = 100_000


def known_queries(folder: Path) -> tuple[str, ...]:
    """The queries that were asked for the pages of a folder.

    Raises:
        SearchError: they cannot be read.
    """
    file = folder / QUERIES_FILE
    if not file.exists():
        return ()
    if leads_out(file, folder):  # nothing of another place is sent to anybody
        raise SearchError(LINK_OUT, where=file, remedy="remove it")
    text = read_bytes(file, _MAX_QUERIES_BYTES, SearchError).decode("utf-8", "replace")
    return tuple(filter(None, text.split("\n")))


def search_queries(
    engine: SearchEngine, queries: Sequence[str], pages: int, progress: Progress = no_progress
) -> Found:
    """Ask an engine all queries; results of one address are one.

    Args:
        engine: the engine.
        queries: those of :func:`make_queries`.
        pages: of results of each query, at most.
        progress: called with the pages of each query that were asked for.

    Raises:
        SearchError: the first query failed, or there are no results because of failures.
    """
    found: list[Found] = []
    for number, query in enumerate(queries):
        try:
            found.append(engine.search(query, pages, progress))
        except SearchError as problem:
            if not number:
                raise
            found.append(Found((), (f"{query}: {problem.what}",), 1))
    merged = merge_results([each.results for each in found])
    failures = tuple(dict.fromkeys(chain.from_iterable(each.failures for each in found)))
    if failures and not merged:
        raise SearchError(
            f"no answer: {join_items(failures, most=10)}",
            where=engine.label,
            remedy="ask again in some minutes (engines that refused are not asked at once again); "
            "whether there are pages is not known",
        )
    return Found(merged, failures, sum(each.requests for each in found))


def merge_results(lists: Sequence[Sequence[SearchResult]]) -> tuple[SearchResult, ...]:
    """The results of several lists in turn, the best of each first, each address once."""
    merged: dict[str, SearchResult] = {}
    for result in chain.from_iterable(zip_longest(*lists)):
        if result is not None:
            first = merged.setdefault(address_key(result.url), result)
            merged[address_key(first.url)] = SearchResult(
                first.url,
                first.title or result.title,
                first.snippet or result.snippet,
                tuple(dict.fromkeys((*first.engines, *result.engines))),
            )
    return tuple(merged.values())


_MOST_FAILURES: Final = 10


@dataclass(frozen=True, slots=True)
class FoundResults:
    """Results, before anything is downloaded."""

    results: tuple[SearchResult, ...]
    """Best first, no address twice."""
    warnings: tuple[str, ...] = ()
    """Warnings about them, one sentence each."""
    may_be_kept: bool = True
    """Whether they may be written to disk."""
    requests: int = 0
    """Requests that were sent to the engine; 0 if it did not answer."""

    def without(self, addresses: Iterable[str]) -> Self:
        """These results without those that lead to some addresses."""
        known = set(map(address_key, addresses))
        wanted = (each for each in self.results if address_key(each.url) not in known)
        return replace(self, results=tuple(wanted))


def describe_collecting(asked: Iterable[str], folder: Path) -> tuple[str, ...]:
    """Steps of a search, one clause each, for the user who has to agree.

    Args:
        asked: the clauses about search engines or lists.
        folder: where the pages will be.
    """
    return (
        *asked,
        "downloads the pages found from their sites, which see the address of your network",
        f"keeps them in {folder}",
    )


class WebSearch(Protocol):
    """A search for a name, ready to be shown to who has to agree, and sent."""

    @property
    def label(self) -> str:
        """Origin of the results."""

    @property
    def steps(self) -> tuple[str, ...]:
        """Steps of the search, see :func:`describe_collecting`."""

    @property
    def folder(self) -> Path:
        """Folder of the pages."""

    def send(self, progress: Progress = no_progress) -> FoundResults:
        """Get the results.

        Raises:
            SearchError: there is no answer.
        """


@dataclass(frozen=True, slots=True)
class EngineSearch:
    """A search for a name by an engine, ready to be sent."""

    engine: SearchEngine
    queries: tuple[str, ...]
    """Queries made by :func:`make_queries`."""
    folder: Path
    """Folder of the pages and of the queries that were asked."""
    pages: int = MAX_PAGES
    """Maximum number of result pages per query."""

    def with_earlier_queries(self) -> Self:
        """This search with the queries that were asked before, too.

        Raises:
            SearchError: that cannot be read.
        """
        queries = dict.fromkeys((*known_queries(self.folder), *self.queries))
        return replace(self, queries=tuple(queries))

    @property
    def label(self) -> str:
        """Label of the engine."""
        return self.engine.label

    @property
    def steps(self) -> tuple[str, ...]:
        """Steps of the search, see :func:`describe_collecting`."""
        *others, last = (f"asks {self.engine.label} for {query}" for query in self.queries)
        return describe_collecting((*others, f"{last}; {self.engine.notice}"), self.folder)

    def send(self, progress: Progress = no_progress) -> FoundResults:
        """Ask the engine; no results if it does not answer, but did earlier.

        Raises:
            SearchError: it does not answer, and the folder has no earlier results.
        """
        engine = self.engine
        try:
            found = search_queries(engine, self.queries, self.pages, progress)
        except SearchError as problem:
            if not is_collected(self.folder):
                raise
            warning = f"{problem.describe()}; the results of earlier searches are used"
            return FoundResults((), (warning,), engine.may_be_kept)
        make_folder(self.folder, private=True)
        known = dict.fromkeys((*known_queries(self.folder), *self.queries))
        text = "".join(f"{each}\n" for each in known)
        atomic_write({self.folder / QUERIES_FILE: text.encode()}, private=True)
        failures = join_items(found.failures, most=_MOST_FAILURES)
        warnings = (f"{engine.label}: results may be missing ({failures})",) if failures else ()
        return FoundResults(found.results, warnings, engine.may_be_kept, found.requests)


@dataclass(frozen=True, slots=True)
class ListSearch:
    """Lists of results that people have, from any provider; nothing but the pages is asked for."""

    names: tuple[str, ...]
    """Names of the files."""
    lists: tuple[tuple[SearchResult, ...], ...]
    """Best first."""
    folder: Path
    """Folder of the pages."""

    @property
    def label(self) -> str:
        """The names of the files."""
        return join_items(self.names)

    @property
    def steps(self) -> tuple[str, ...]:
        """Steps of the search, see :func:`describe_collecting`."""
        number = count_of(len(self.send().results), "result")
        return describe_collecting([f"takes {number} of {self.label}"], self.folder)

    def send(self, progress: Progress = no_progress) -> FoundResults:  # noqa: ARG002 - at once
        """The results without those that have no address."""
        lost = [each.title for results in self.lists for each in results if not each.url]
        merged = merge_results([[each for each in results if each.url] for results in self.lists])
        warning = f"{count_of(len(lost), 'result')} without an address: {join_items(lost)}"
        return FoundResults(merged, (warning,) if lost else ())
