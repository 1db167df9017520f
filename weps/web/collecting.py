"""Pages of the Web for a name: who is going to be asked what, and the results that come."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

from weps._files import make_folder
from weps._formatting import count_of, join_items
from weps._parallel import Progress, no_progress
from weps.errors import SearchError
from weps.sources.collected import address_key, is_collected
from weps.web.engines.asking import MAX_PAGES
from weps.web.engines.searching import (
    keep_queries,
    known_queries,
    merge_results,
    search_queries,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import Self

    from weps.records import SearchResult
    from weps.web.engines.asking import SearchEngine

_MOST_FAILURES: Final = 10


@dataclass(frozen=True, slots=True)
class FoundResults:
    """What was found before anything is downloaded."""

    results: tuple[SearchResult, ...]
    """Best first, no address twice."""
    warnings: tuple[str, ...] = ()
    """What is to be known of them, one sentence each."""
    may_be_kept: bool = True
    """Whether they may be written to disk."""
    requests: int = 0
    """Requests that were sent to the engine; 0 if it did not answer."""

    def without(self, addresses: Iterable[str]) -> Self:
        """The same without the results that lead to these addresses."""
        known = set(map(address_key, addresses))
        wanted = (each for each in self.results if address_key(each.url) not in known)
        return replace(self, results=tuple(wanted))


def describe_collecting(asked: Iterable[str], folder: Path) -> tuple[str, ...]:
    """What will be sent to whom, one clause each, for who has to agree.

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
        """Where the results come from."""

    @property
    def steps(self) -> tuple[str, ...]:
        """What will be sent to whom, see :func:`describe_collecting`."""

    @property
    def folder(self) -> Path:
        """Where the pages will be."""

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
    """Those of :func:`weps.web.engines.searching.make_queries`."""
    folder: Path
    """Of the pages; what was asked for is kept there, too."""
    pages: int = MAX_PAGES
    """Maximum number of result pages per query."""

    def with_earlier_queries(self) -> Self:
        """The same with what was asked for before, too.

        Raises:
            SearchError: that cannot be read.
        """
        queries = dict.fromkeys((*known_queries(self.folder), *self.queries))
        return replace(self, queries=tuple(queries))

    @property
    def label(self) -> str:
        """Who is asked."""
        return self.engine.label

    @property
    def steps(self) -> tuple[str, ...]:
        """What will be sent to whom, see :func:`describe_collecting`."""
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
        keep_queries(self.folder, self.queries)
        failures = join_items(found.failures, most=_MOST_FAILURES)
        warnings = (f"{engine.label}: results may be missing ({failures})",) if failures else ()
        return FoundResults(found.results, warnings, engine.may_be_kept, found.requests)


@dataclass(frozen=True, slots=True)
class ListSearch:
    """Lists of results that people have, from any provider; nothing but the pages is asked for."""

    names: tuple[str, ...]
    """Of the files."""
    lists: tuple[tuple[SearchResult, ...], ...]
    """Best first."""
    folder: Path
    """Of the pages."""

    @property
    def label(self) -> str:
        """The names of the files."""
        return join_items(self.names)

    @property
    def steps(self) -> tuple[str, ...]:
        """What will be sent to whom, see :func:`describe_collecting`."""
        number = count_of(len(self.send().results), "result")
        return describe_collecting([f"takes {number} of {self.label}"], self.folder)

    def send(self, progress: Progress = no_progress) -> FoundResults:  # noqa: ARG002 - at once
        """The results without those that have no address."""
        lost = [each.title for results in self.lists for each in results if not each.url]
        merged = merge_results([[each for each in results if each.url] for results in self.lists])
        warning = f"{count_of(len(lost), 'result')} without an address: {join_items(lost)}"
        return FoundResults(merged, (warning,) if lost else ())
