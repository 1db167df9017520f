"""Searches for a name: queries of it and its aliases, or lists of results that people have.

Nothing is sent before somebody has agreed: a search says what it will send to whom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from pathlib import Path
from typing import Final, Self

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


@dataclass(frozen=True, slots=True)
class WebSearch:
    """A search for a name, ready to be shown to the user who has to agree, and sent."""

    label: str
    """Origin of the results."""
    asked: tuple[str, ...]
    """Requests for results, one clause each."""
    folder: Path
    """Folder of the pages, and of the queries that were asked."""
    send: Callable[[Progress], FoundResults]
    """Gets the results; raises a SearchError if there is no answer."""

    @property
    def steps(self) -> tuple[str, ...]:
        """All that will be sent and to whom, one clause each."""
        return (
            *self.asked,
            "downloads the pages found from their sites, which see the address of your network",
            f"keeps them in {self.folder}",
        )


def search_by_engine(
    engine: SearchEngine,
    queries: Iterable[str],
    folder: Path,
    pages: int = MAX_PAGES,
    *,
    again: bool = False,
) -> WebSearch:
    """A search by an engine; where it does not answer, but did earlier, there are no new results.

    Args:
        engine: the engine.
        queries: made by :func:`make_queries`.
        folder: of the pages.
        pages: maximum number of result pages per query.
        again: whether the queries that were asked before are asked, too.

    Raises:
        SearchError: the earlier queries cannot be read.
    """
    asked = tuple(dict.fromkeys((*known_queries(folder), *queries) if again else queries))

    def send(progress: Progress) -> FoundResults:
        try:
            found = search_queries(engine, asked, pages, progress)
        except SearchError as problem:
            if not is_collected(folder):
                raise
            warning = f"{problem.describe()}; the results of earlier searches are used"
            return FoundResults((), (warning,), engine.may_be_kept)
        make_folder(folder, private=True)
        text = "".join(f"{each}\n" for each in dict.fromkeys((*known_queries(folder), *asked)))
        atomic_write({folder / QUERIES_FILE: text.encode()}, private=True)
        failures = join_items(found.failures, most=_MOST_FAILURES)
        warnings = (f"{engine.label}: results may be missing ({failures})",) if failures else ()
        return FoundResults(found.results, warnings, engine.may_be_kept, found.requests)

    *others, last = (f"asks {engine.label} for {query}" for query in asked)
    return WebSearch(engine.label, (*others, f"{last}; {engine.notice}"), folder, send)


def search_in_lists(
    names: Iterable[str], lists: Sequence[Sequence[SearchResult]], folder: Path
) -> WebSearch:
    """Lists of results that people have, from any provider; nothing but the pages is asked for.

    Args:
        names: of the files.
        lists: results, best first; those without an address are left out with a warning.
        folder: of the pages.
    """
    lost = [each.title for results in lists for each in results if not each.url]
    merged = merge_results([[each for each in results if each.url] for results in lists])
    warning = f"{count_of(len(lost), 'result')} without an address: {join_items(lost)}"
    found = FoundResults(merged, (warning,) if lost else ())
    label = join_items(names)
    asked = f"takes {count_of(len(merged), 'result')} of {label}"
    return WebSearch(label, (asked,), folder, lambda _: found)
