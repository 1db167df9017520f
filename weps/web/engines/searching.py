"""From a name to results: queries of a name and its aliases, their results merged by address."""

from __future__ import annotations

from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Final

from weps._files import LINK_OUT, atomic_write, leads_out, read_bytes
from weps._formatting import join_items
from weps._parallel import Progress, no_progress
from weps.errors import SearchError
from weps.records import SearchResult
from weps.sources.base import as_name
from weps.sources.collected import QUERIES_FILE, address_key
from weps.web.engines.asking import Found

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from weps.web.engines.asking import SearchEngine


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


def keep_queries(folder: Path, queries: Iterable[str]) -> None:
    """Add queries to those of a folder.

    Raises:
        OutputError: they cannot be written.
    """
    known = dict.fromkeys((*known_queries(folder), *queries))
    text = "".join(f"{each}\n" for each in known)
    atomic_write({folder / QUERIES_FILE: text.encode()}, private=True)


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
            key = address_key(result.url)
            merged[key] = _united(merged[key], result) if key in merged else result
    return tuple(merged.values())


def _united(first: SearchResult, second: SearchResult) -> SearchResult:
    return SearchResult(
        first.url,
        first.title or second.title,
        first.snippet or second.snippet,
        tuple(dict.fromkeys((*first.engines, *second.engines))),
    )
