"""The workspace behind the routes: stored results, open ones, a queue of jobs, and searches.

Jobs report their progress and can be stopped. A search of the Web is shown to the user first, and
sent once they agree.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from weps._files import resource_path
from weps._schema import JsonModel, validate_data
from weps.app.jobs import Job, JobPage, Jobs
from weps.app.sessions import AppSettings, SessionPool
from weps.app.storage import ResultStore
from weps.app.uploads import Upload, identifier_from_name, move_files, staged_uploads
from weps.errors import SearchError, SourceError
from weps.records import SearchResult
from weps.results.forgetting import PAGES_FOLDER
from weps.sources.base import as_name
from weps.sources.collected import CollectedPage, is_collected
from weps.sources.formats import Entry
from weps.sources.formats.lists import parse_results
from weps.web.engines import (
    MAX_PAGES,
    SearchEngine,
    WebSearch,
    make_queries,
    search_by_engine,
    search_in_lists,
)
from weps.web.limits import DownloadOptions

_LIBRARIES: Final = ("aiohttp", "protego")
_MAX_PLANS: Final = 20
"""Searches that are remembered until somebody agrees."""
_MAX_ALIASES: Final = 10
_Text = Annotated[str, Field(max_length=200)]


def can_download() -> bool:
    """Whether the libraries of the extra ``web`` are installed."""
    return all(map(find_spec, _LIBRARIES))


class SearchRequest(JsonModel, extra="ignore"):
    """A search as the user asks for it."""

    name: _Text
    identifier: _Text = ""
    """Identifier of a name that is there; empty for one that may be new."""
    also: Annotated[tuple[_Text, ...], Field(strict=False, max_length=_MAX_ALIASES)] = ()
    """Other names of the person."""
    words: _Text = ""
    """Words to add to every query."""
    engine: _Text = ""
    """Search engine to ask; empty for the first that is set up."""
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
            return search_in_lists(names, [*map(parse_results, contents, names)], folder)
        engine = engines.get(self.engine) if self.engine else next(iter(engines.values()), None)
        if engine is None:
            what = f"the search engine {self.engine} is not set up".replace("  ", " ")
            raise SearchError(what, remedy="restart `weps serve` with it (docs/searching.md)")
        also = [alias for alias in self.also if alias.strip()]
        queries = make_queries(as_name(self.name), also, self.words)
        return search_by_engine(engine, queries, folder, self.pages, again=True)


def parse_search_request(text: str) -> SearchRequest:
    """The request in JSON; raises a SearchError if there is none."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise _invalid_request("no JSON") from None
    return validate_data(SearchRequest, data, _invalid_request)


def _invalid_request(what: str) -> SearchError:
    return SearchError(f"this is not a search ({what})", remedy="correct it, or reload the page")


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


DEMO_NAME = "Robin_Averdale"
"""The fictitious person of the demo pages."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """The results of a folder, and the work on them."""

    store: ResultStore
    sessions: SessionPool
    jobs: Jobs
    settings: AppSettings
    plans: dict[str, tuple[str, WebSearch]] = field(default_factory=dict)
    """Key → identifier of the name and search, while it waits for the user to agree."""

    def add_pages(
        self, name: str, files: Iterable[Upload], threshold: float | None
    ) -> tuple[Job, ...]:
        """Save pages of new names or of those that are there, and queue what is to be done.

        Args:
            name: of the person; empty if the folders of the files are called like people.
            files: see :class:`weps.app.uploads.Upload`.
            threshold: for names that have no result yet.

        Raises:
            WepsError: if nothing can be read, or a job for a name is under way.
        """
        root = self.store.folder / PAGES_FOLDER
        with staged_uploads(files, name, root) as staged:
            targets = {self._known_identifier(each): place for each, place in staged.items()}
            for identifier in targets:
                self._require_idle(identifier)
            folders = {each: self._folder_for(each, place) for each, place in targets.items()}
            for identifier, place in targets.items():
                move_files(place, folders[identifier])
        with suppress(OSError):  # nothing came into it
            root.rmdir()
        return tuple(self._add(each, folder, threshold) for each, folder in folders.items())

    def _folder_for(self, identifier: str, staged: Path) -> Path:
        """The folder that new pages go to: pages of a search are continued as such."""
        searched = self.store.searched(identifier)
        takes_it = is_collected(staged) and not searched.exists()
        return searched if takes_it else self.store.pages(identifier)

    def _add(self, identifier: str, folder: Path, threshold: float | None) -> Job:
        """Queue the clustering of new pages in a folder of a name."""
        if not self.store.has_result(identifier):
            return self.cluster(identifier, threshold)

        def work(job: Job) -> None:
            job.message = self.sessions.update(identifier, folder, job.progress)

        return self.jobs.submit(identifier, work)

    def _known_identifier(self, identifier: str) -> str:
        """The identifier, as it is written where only capital letters differ."""
        known = {each.casefold(): each for each in self.store.all()}
        return known.get(identifier.casefold(), identifier)

    def _require_idle(self, identifier: str) -> None:
        if self.jobs.unfinished_for(identifier):
            what = f"a job for {as_name(identifier)} is in progress"
            raise SourceError(what, remedy="wait until it has finished, or stop it")

    def cluster_demo(self) -> Job:
        """Queue the clustering of the demo pages."""
        if DEMO_NAME in self.store.all():
            raise SourceError(
                "the demo has already been clustered", remedy="open it, or delete it and try again"
            )
        paths = sorted(resource_path(f"demo/{DEMO_NAME}").glob("[0-9]*"))  # not the key
        pages = [(path.name, Entry.of_file(path).open) for path in paths]
        (job,) = self.add_pages(DEMO_NAME, pages, None)
        return job

    def cluster(self, identifier: str, threshold: float | None = None) -> Job:
        """Queue the clustering of the pages beside the results."""

        def work(job: Job) -> None:
            self.sessions.cluster(identifier, threshold, job.progress)

        return self.jobs.unfinished_for(identifier) or self.jobs.submit(identifier, work)

    def open(self, identifier: str) -> Job:
        """Queue the opening of a result, so that it can be corrected."""

        def work(job: Job) -> None:
            self.sessions.open(identifier, job.progress)

        return self.jobs.unfinished_for(identifier) or self.jobs.submit(identifier, work)

    def plan_search(
        self, request: SearchRequest, lists: Sequence[tuple[str, bytes]] = ()
    ) -> tuple[str, str, WebSearch]:
        """Plan a search; nothing is sent.

        Returns:
            Its key for :meth:`search`, the identifier of the name, and the search.

        Raises:
            WepsError: see :meth:`weps.app.workspace.SearchRequest.plan`.
        """
        identifier = self._known_identifier(
            request.identifier or identifier_from_name(request.name)
        )
        if request.identifier and identifier not in self.store.all():
            raise SourceError("there is no such name any more", remedy="reload the page")
        folder = self.store.searched(identifier)
        search = request.plan(self.settings.engines, folder, lists)
        key = secrets.token_urlsafe(16)
        self.plans[key] = identifier, search
        for old in list(self.plans)[:-_MAX_PLANS]:
            self.plans.pop(old, None)
        return key, identifier, search

    def search(self, key: str) -> Job:
        """Queue a search that the user has agreed to.

        Raises:
            WepsError: if it is not known, or a job for the name is under way.
        """
        identifier, search = self.plans.pop(key, ("", None))
        if search is None:
            raise SearchError("this confirmation is not valid", remedy="search again")
        self._require_idle(identifier)
        warnings: list[str] = []

        def download(job: Job) -> None:
            known: Iterable[str] = ()
            if self.store.has_result(identifier):
                known = self.store.read_stored(identifier).addresses
            warnings.extend(collect_results(search, known, self.settings.download, job))

        def work(job: Job) -> None:
            if self.store.has_result(identifier):
                job.message = self.sessions.update(
                    identifier, search.folder, job.progress, warnings
                )
            else:
                self.sessions.cluster(identifier, None, job.progress, warnings)

        return self.jobs.submit(identifier, work, download)
