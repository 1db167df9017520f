"""The workspace behind the routes: stored results, a queue of jobs, and a pool of open sessions.

Jobs report their progress and can be stopped. The results used last stay open, so that a correction
is applied at once.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from weps._files import resource_path
from weps._formatting import count_of
from weps._parallel import Progress, no_progress
from weps.app.jobs import Job, Jobs
from weps.app.searching import SearchPlan, SearchPlans, SearchRequest, collect_results
from weps.app.session import (
    AppSettings,
    EditRequest,
    changed_meanwhile,
    corrected,
    version_of,
)
from weps.app.storage import FileState, ResultStore
from weps.app.uploads import Upload, identifier_from_name, move_files, staged_uploads
from weps.errors import SourceError, WepsError
from weps.people.answer import PageScore
from weps.reading import Reader
from weps.records import Page, source_collection
from weps.report.html import AppLinks, as_html
from weps.report.view import pages_by_rank
from weps.results.forgetting import PAGES_FOLDER, Removal, plan_removal
from weps.results.index import update_index
from weps.results.result import Result, ResultOptions, corrections_of
from weps.sources.base import as_name
from weps.sources.collected import is_collected
from weps.sources.formats import Entry

_MAX_SESSIONS = 4
"""Number of results kept open; one of 100 pages takes about 25 MB."""


_QUIET = 2.0
"""Seconds after the last change until the index is written: it takes 12 ms for each name."""
_log = logging.getLogger(__name__)


class IndexUpdates:
    """Updates of the index of a folder of results soon after changes, in a thread of their own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._timer: threading.Timer | None = None
        self._setting, self._writing = threading.Lock(), threading.Lock()

    def request(self) -> None:
        """Update the index once nothing has changed for a while."""
        with self._setting:
            if self._timer:
                self._timer.cancel()
            self._timer = threading.Timer(_QUIET, self.finish)
            self._timer.daemon = True
            self._timer.start()

    def finish(self) -> None:
        """Update the index now if that was requested."""
        with self._writing:
            with self._setting:
                timer, self._timer = self._timer, None
            if timer is None:
                return
            timer.cancel()
            try:
                update_index(self._folder)
            except WepsError as error:  # the results are written all the same
                _log.warning("%s", error.describe())


class SessionPool:
    """Work on the stored results, from any thread; raises a WepsError where it fails."""

    def __init__(self, store: ResultStore, settings: AppSettings) -> None:
        self._store = store
        self._settings = settings
        self._sessions: dict[str, tuple[FileState, Result]] = {}
        """Least recently used first, with the state of the files that they were read from."""
        self._lock = threading.RLock()
        self._index = IndexUpdates(store.folder)

    def cluster(
        self,
        identifier: str,
        threshold: float | None,
        progress: Progress,
        warnings: Sequence[str] = (),
    ) -> None:
        """Cluster the pages of a name that are beside the results, and write the result."""
        store, options = self._store, self._settings.clustering
        place, *others = store.places(identifier)
        source = store.source(place, identifier)
        (name,) = source.names
        folder = store.path(identifier, "").parent
        collections = (source_collection(source.root, name, folder),)
        settings = replace(options.settings, collections=collections, threshold=threshold)
        search = source.search(name)
        corrections, lost = corrections_of(store.corrections_file(identifier), search.pages)
        made = Result.of(
            search,
            replace(options, settings=settings),
            corrections,
            notes=(*warnings, *source.warnings(name), *lost),
            progress=progress,
        )
        progress("writing the report", 0, 0)
        with self._lock:
            self._write(identifier, made)
        for other in others:
            self.update(identifier, other, progress)

    def update(
        self, identifier: str, added: Path, progress: Progress, warnings: Sequence[str] = ()
    ) -> str:
        """Add the pages of a folder to a result, and return what changed."""
        store = self._store
        for place in {added, *store.places(identifier)}:
            store.source(place, identifier)  # without symbolic links
        while True:
            state, stored = store.file_state(identifier), store.read_stored(identifier)
            options = ResultOptions.of_result(stored, self._settings.clustering)
            result, changes = Result.update(
                stored, added, options, notes=warnings, progress=progress
            )
            with self._lock:
                if state == store.file_state(identifier):  # else it was corrected meanwhile
                    self._write(identifier, result)
                    break
        collected = changes.collected
        new = count_of(len(collected.new), "new page")
        return f"{new} ({collected.known} known already): {changes.summary}"

    def open(self, identifier: str, progress: Progress, notes: Sequence[str] = ()) -> None:
        """Read the pages of a result again, so that it can be corrected."""
        store = self._store
        state = store.file_state(identifier)
        stored = store.read_stored(identifier)
        for place in store.places(identifier):
            store.source(place, identifier)  # without symbolic links
        options = ResultOptions.of_result(stored, self._settings.clustering)
        opened = Result.open(stored, options, notes=notes, progress=progress)
        with self._lock:
            self._keep_session(identifier, state, opened)

    def report(self, identifier: str, links: AppLinks) -> str | None:
        """The report for the browser; None if the result is not open."""
        with self._lock:
            opened = self._current_session(identifier)
        return as_html(opened, replace(links, version=version_of(opened))) if opened else None

    def page(self, identifier: str, rank: int) -> Page | None:
        """The page of a result as it was read, None if there is none of that rank."""
        with self._lock:
            opened = self._current_session(identifier)
        if opened is None:
            self.open(identifier, no_progress)  # takes long, and keeps nobody else waiting
        with self._lock:
            pages = self._open_session(identifier).search.pages
        return next((page for page in pages if page.rank == rank), None)

    def next_question(
        self, identifier: str, asked: Collection[tuple[int, int]]
    ) -> tuple[PageScore, ...]:
        """Two pages about which to ask next whether they are one person; empty if there are none.

        Args:
            identifier: of the name.
            asked: ranks of the pairs that were asked about, ascending.
        """
        with self._lock:
            opened = self._open_session(identifier)
            pages = pages_by_rank(opened.answer)
            return tuple(pages[rank] for pair in opened.questions(1, asked) for rank in pair)

    def correct(self, identifier: str, request: EditRequest) -> str:
        """Apply an edit: cluster again, and write the corrections and the result, or nothing.

        Returns:
            The version of the new answer.

        Raises:
            ConflictError: if the user sees an earlier version, or another program writes one.
            CorrectionsError: if the edit is invalid, or contradicts earlier corrections.
        """
        with self._lock:
            opened = self._open_session(identifier)
            state, _ = self._sessions[identifier]
            made = corrected(opened, request)
            if state != self._store.file_state(identifier):
                raise changed_meanwhile("the files of the result are no longer the same")
            self._write(identifier, made, corrections=True)
            return version_of(made)

    def close(self) -> None:
        """Close all results, once the index is up to date."""
        self._index.finish()
        with self._lock:
            self._sessions.clear()

    def removal_preview(self, identifier: str) -> Removal:
        """What :meth:`remove` would remove, but for the cache."""
        return plan_removal(self._store.folder, identifier)

    def remove(self, identifier: str) -> Removal:
        """Remove a name: its result, its corrections, its pages here, and what the cache has."""
        with self._lock:
            options = self._settings.clustering
            with suppress(OSError, WepsError):  # pages can be removed as if read in the usual way
                options = ResultOptions.of_result(self._store.read_stored(identifier), options)
            self._sessions.pop(identifier, None)
            return self._store.remove(identifier, options.reader or Reader())

    def _current_session(self, identifier: str) -> Result | None:
        """The open result, unless its files have changed, e.g. by ``weps update``."""
        state, opened = self._sessions.pop(identifier, (None, None))
        if opened is None or state is None or state != self._store.file_state(identifier):
            return None
        self._keep_session(identifier, state, opened)
        return opened

    def _open_session(self, identifier: str) -> Result:
        """The open result, which is opened if it is not."""
        if self._current_session(identifier) is None:
            self.open(identifier, no_progress)
        return self._sessions[identifier][1]

    def _write(self, identifier: str, result: Result, *, corrections: bool = False) -> None:
        folder = self._store.path(identifier, "").parent
        result.write(folder, identifier, corrections=corrections)
        self._index.request()
        self._keep_session(identifier, self._store.file_state(identifier), result)

    def _keep_session(self, identifier: str, state: FileState, session: Result) -> None:
        """Keep a session open as the one used last; close the least recently used one."""
        self._sessions.pop(identifier, None)
        self._sessions[identifier] = (state, session)
        while len(self._sessions) > _MAX_SESSIONS:
            del self._sessions[next(iter(self._sessions))]


DEMO_NAME = "Robin_Averdale"
"""The fictitious person of the demo pages."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """The results of a folder, and the work on them."""

    store: ResultStore
    sessions: SessionPool
    jobs: Jobs
    settings: AppSettings
    plans: SearchPlans = field(default_factory=SearchPlans)

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
        """Where pages go: those that a search downloaded are continued as such."""
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
    ) -> tuple[str, SearchPlan]:
        """A search as it would be sent, and its key for :meth:`search`; nothing is sent.

        Raises:
            WepsError: see :meth:`weps.app.searching.SearchRequest.plan`.
        """
        identifier = self._known_identifier(
            request.identifier or identifier_from_name(request.name)
        )
        if request.identifier and identifier not in self.store.all():
            raise SourceError("there is no such name any more", remedy="reload the page")
        folder = self.store.searched(identifier)
        search = request.plan(self.settings.engines, folder, lists)
        return self.plans.add(SearchPlan(identifier, search))

    def search(self, key: str) -> Job:
        """Queue a search that the user has agreed to.

        Raises:
            WepsError: if it is not known, or a job for the name is under way.
        """
        plan = self.plans.take(key)
        identifier, folder = plan.identifier, plan.search.folder
        self._require_idle(identifier)
        warnings: list[str] = []

        def download(job: Job) -> None:
            known: Iterable[str] = ()
            if self.store.has_result(identifier):
                known = self.store.read_stored(identifier).addresses
            warnings.extend(collect_results(plan.search, known, self.settings.download, job))

        def work(job: Job) -> None:
            if self.store.has_result(identifier):
                job.message = self.sessions.update(identifier, folder, job.progress, warnings)
            else:
                self.sessions.cluster(identifier, None, job.progress, warnings)

        return self.jobs.submit(identifier, work, download)
