"""Searches of the Web from the app: shown to the user first, sent once they agree."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from weps._schema import JsonModel, validate_data
from weps.app.jobs import Job, JobPage
from weps.errors import SearchError
from weps.records import SearchResult
from weps.sources.base import as_name
from weps.sources.collected import CollectedPage
from weps.sources.formats.lists import parse_results
from weps.web.engines import MAX_PAGES, SearchEngine
from weps.web.limits import DownloadOptions
from weps.web.searching import EngineSearch, ListSearch, WebSearch, make_queries

_LIBRARIES: Final = ("aiohttp", "protego")
_MAX_PLANS: Final = 20
"""Searches that are remembered until somebody agrees."""
_MAX_ALIASES: Final = 10
_Text = Annotated[str, Field(max_length=200)]


def can_download() -> bool:
    """Whether the libraries of the extra ``web`` are installed."""
    return all(map(find_spec, _LIBRARIES))


class SearchRequest(JsonModel, extra="ignore"):
    """What the user wants to search for."""

    name: _Text
    identifier: _Text = ""
    """Of a name that is there; empty for one that may be new."""
    also: Annotated[tuple[_Text, ...], Field(strict=False, max_length=_MAX_ALIASES)] = ()
    """Other names of the person."""
    words: _Text = ""
    """Words to add to every query."""
    engine: _Text = ""
    """Which is to be asked; empty for the first that is set up."""
    pages: Annotated[int, Field(ge=1, le=MAX_PAGES)] = MAX_PAGES
    """Maximum number of result pages per query."""

    def plan(
        self, engines: Mapping[str, SearchEngine], folder: Path, lists: Sequence[tuple[str, bytes]]
    ) -> WebSearch:
        """The search as it would be sent.

        Args:
            engines: those that are set up.
            folder: of the pages; earlier queries for it are asked again.
            lists: names and contents of files with results, which take the place of an engine.

        Raises:
            WepsError: if the engine is not set up, a name is empty, or a file has no results.
        """
        names, contents = zip(*lists, strict=True) if lists else ((), ())
        if names:
            return ListSearch(names, tuple(map(parse_results, contents, names)), folder)
        engine = engines.get(self.engine) if self.engine else next(iter(engines.values()), None)
        if engine is None:
            what = f"the search engine {self.engine} is not set up".replace("  ", " ")
            raise SearchError(what, remedy="restart `weps serve` with it (docs/searching.md)")
        also = [alias for alias in self.also if alias.strip()]
        queries = make_queries(as_name(self.name), also, self.words)
        return EngineSearch(engine, queries, folder, self.pages).with_earlier_queries()


def parse_search_request(text: str) -> SearchRequest:
    """The request in JSON; raises a SearchError if there is none."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise _invalid_request("no JSON") from None
    return validate_data(SearchRequest, data, _invalid_request)


def _invalid_request(what: str) -> SearchError:
    return SearchError(f"this is not a search ({what})", remedy="correct it, or reload the page")


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """A search for a name, as it was shown to the user."""

    identifier: str
    search: WebSearch


class SearchPlans:
    """Searches that wait for the user to agree."""

    def __init__(self) -> None:
        self._plans: dict[str, SearchPlan] = {}
        self._lock = threading.Lock()

    def add(self, plan: SearchPlan) -> tuple[str, SearchPlan]:
        """Remember a search; returns its key, and the search."""
        key = secrets.token_urlsafe(16)
        with self._lock:
            self._plans[key] = plan
            while len(self._plans) > _MAX_PLANS:
                del self._plans[next(iter(self._plans))]
        return key, plan

    def take(self, key: str) -> SearchPlan:
        """The search of a key, which is forgotten; raises a SearchError if there is none."""
        with self._lock:
            plan = self._plans.pop(key, None)
        if plan is None:
            raise SearchError("this confirmation is not valid", remedy="search again")
        return plan


def collect_results(
    search: WebSearch, known: Iterable[str], options: DownloadOptions, job: Job
) -> tuple[str, ...]:
    """Ask the engine and download the pages of what it finds; returns warnings.

    Args:
        search: what the user agreed to.
        known: addresses of pages that are not downloaded again.
        options: how to download.
        job: learns of every page.

    Raises:
        WepsError: the engine does not answer, or the pages cannot be stored.
    """
    from weps.web.downloading import download_pages  # noqa: PLC0415 - only searches need it

    def report(result: SearchResult, page: CollectedPage, done: int, total: int) -> None:
        title = result.title or page.url or result.url
        job.pages.append(JobPage(title, result.url, str(page.status), page.note))
        job.progress("downloading pages", done, total)

    job.progress("looking for results", 0, 0)
    found = search.send(job.progress)
    options = replace(options, keep_results=found.may_be_kept)
    job.progress("downloading pages", 0, 0)
    results = found.without(known).results
    summary = download_pages(results, search.folder, options, report, job.check)
    if not any(page.is_evidence for page in summary.pages):
        raise SearchError(
            "no new pages were found" if found.results else "no pages were found",
            where=search.label,
            remedy="check the spelling, or try other names and words",
        )
    return found.warnings
