"""The workspace behind the routes: stored results, a queue of jobs, and a pool of open sessions.

Jobs report their progress and can be stopped. The results used last stay open, so that a correction
is applied at once.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import BinaryIO

from weps._files import resource_path
from weps._parallel import Progress, no_progress
from weps.app.session import AppSettings, EditRequest, Session, models_and_reader, pages_of_result
from weps.app.storage import FileState, ResultStore, identifier_from_name, save_uploads
from weps.corrections.file import CORRECTIONS_SUFFIX, write_corrections
from weps.errors import SourceError, WepsError
from weps.provenance import source_collection
from weps.records import Page
from weps.report.html import AppLinks, as_html
from weps.report.writing import write_report
from weps.results.index import update_index
from weps.results.updating import forget_pages
from weps.sources.base import as_name

JobFunction = Callable[[Progress], None]
_MAX_FINISHED = 20
"""Jobs remembered after their end."""
_PATIENCE = 5.0
"""Seconds to wait for the job that runs at the end."""
_log = logging.getLogger(__name__)


class JobState(StrEnum):
    """The states of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


class _JobStopped(Exception):  # noqa: N818 - not an error: the user asked for it
    """Raised within the work of a job that is to stop."""


@dataclass(slots=True)
class Job:
    """A piece of work; written by its own thread, read by any."""

    subject: str
    """The identifier of the name that the work is about."""
    work: JobFunction = field(repr=False)
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    state: JobState = JobState.WAITING
    what: str = ""
    done: int = 0
    total: int = 0
    error: str = ""
    """What went wrong, where and what to do, in one line; empty unless it failed."""
    _stop: threading.Event = field(default_factory=threading.Event, repr=False)

    @property
    def finished(self) -> bool:
        """Whether it is done, has failed or was stopped."""
        return self.state not in {JobState.WAITING, JobState.RUNNING}

    def stop(self) -> None:
        """Ask it to stop; it does so when it next reports its progress."""
        self._stop.set()

    def progress(self, what: str, done: int, total: int) -> None:
        """Record the progress of the work; raises an exception if the job is to stop."""
        if self._stop.is_set():
            raise _JobStopped
        self.what, self.done, self.total = what, done, total

    def run(self) -> None:
        """Do the work; the outcome is in ``state`` and ``error``."""
        try:
            self.progress("", 0, 0)
            self.state = JobState.RUNNING
            self.work(self.progress)
            self.state = JobState.DONE
        except _JobStopped:
            self.state = JobState.STOPPED
        except Exception as error:  # noqa: BLE001 - the thread must survive for the next job
            self.error, self.state = self._describe_failure(error), JobState.FAILED

    def _describe_failure(self, error: Exception) -> str:
        if isinstance(error, WepsError):
            return error.describe()
        _log.error("%s", self.subject, exc_info=error)
        return (
            f"{self.subject}: internal error ({type(error).__name__}); nothing was changed: "
            "please report the traceback in the terminal"
        )


class Jobs:
    """A queue of jobs and the one thread that runs them."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="weps-jobs", daemon=True)
        self._thread.start()

    def submit(self, subject: str, work: JobFunction) -> Job:
        """Append work to the queue."""
        job = Job(subject, work)
        with self._lock:
            ended = [each.id for each in self._jobs.values() if each.finished]
            for old in ended[: max(0, len(ended) - _MAX_FINISHED)]:
                del self._jobs[old]
            self._jobs[job.id] = job
        self._queue.put(job)
        return job

    def find(self, number: str) -> Job | None:
        """The job of that id, None if there is none or it ended long ago."""
        return self._jobs.get(number)

    def all(self) -> tuple[Job, ...]:
        """All remembered jobs, oldest first."""
        with self._lock:
            return tuple(self._jobs.values())

    def unfinished_for(self, subject: str) -> Job | None:
        """The job about the name that has not ended, if there is one."""
        unfinished = (job for job in self.all() if job.subject == subject and not job.finished)
        return next(unfinished, None)

    def close(self) -> tuple[str, ...]:
        """Stop everything, and return the subjects of the jobs that had not ended."""
        unfinished = [job for job in self.all() if not job.finished]
        for job in unfinished:
            job.stop()
        self._queue.put(None)
        self._thread.join(_PATIENCE)
        return tuple(job.subject for job in unfinished)

    def _run(self) -> None:
        while job := self._queue.get():
            job.run()


_MAX_SESSIONS = 4
"""Number of results kept open; one of 100 pages takes about 25 MB."""


@dataclass(frozen=True, slots=True)
class Removal:
    """What was removed, or would be."""

    files: tuple[Path, ...]
    elsewhere: tuple[Path, ...]
    """Folders that the pages were read from, which are not removed."""
    cached: int = 0
    """Entries of the cache."""


class SessionPool:
    """Work on the stored results, from any thread; raises a WepsError where it fails."""

    def __init__(self, store: ResultStore, settings: AppSettings) -> None:
        self._store = store
        self._settings = settings
        self._sessions: dict[str, tuple[FileState, Session]] = {}
        """Least recently used first, with the state of the files that they were read from."""
        self._lock = threading.RLock()

    def cluster(self, identifier: str, threshold: float | None, progress: Progress) -> None:
        """Cluster the uploaded pages of a name, and write the result."""
        store, settings = self._store, self._settings
        source = store.source(identifier)
        (name,) = source.names
        place = source_collection(source.root, name, store.folder)
        provenance = replace(settings.options, collections=(place,), threshold=threshold)
        saved = store.corrections(identifier)
        made = Session.create(source, saved, settings, provenance, progress)
        progress("writing the report", 0, 0)
        with self._lock:
            self._write(identifier, made)

    def open(self, identifier: str, progress: Progress) -> None:
        """Read the pages of a result again, so that it can be corrected."""
        store = self._store
        state = store.file_state(identifier)
        stored, saved = store.read_stored(identifier), store.corrections(identifier)
        if store.pages(identifier).exists():
            store.source(identifier)  # without symbolic links
        opened = Session.reopen(stored, saved, self._settings, progress)
        with self._lock:
            self._keep_session(identifier, state, opened)

    def report(self, identifier: str, links: AppLinks) -> str | None:
        """The report for the browser; None if the result is not open."""
        with self._lock:
            opened = self._current_session(identifier)
        return as_html(opened.report, links) if opened else None

    def page(self, identifier: str, rank: int) -> Page | None:
        """The page of a result as it was read, None if there is none of that rank."""
        with self._lock:
            pages = self._open_session(identifier).search.pages
        return next((page for page in pages if page.rank == rank), None)

    def correct(self, identifier: str, request: EditRequest) -> None:
        """Apply an edit: save it in the corrections file and cluster again."""
        with self._lock:
            made = self._open_session(identifier).apply_edit(request)
            path = self._store.path(identifier, CORRECTIONS_SUFFIX)
            write_corrections(made.corrections, path, made.search.name)
            self._write(identifier, made)

    def close(self) -> None:
        """Close all results."""
        with self._lock:
            self._sessions.clear()

    def removal_preview(self, identifier: str) -> Removal:
        """What :meth:`remove` would remove, but for the cache."""
        return Removal(self._store.owned_paths(identifier), self._external_folders(identifier))

    def remove(self, identifier: str) -> Removal:
        """Remove a name: its result, its corrections, its pages here, and what the cache has."""
        with self._lock:
            elsewhere, cached = self._external_folders(identifier), self._clear_cache(identifier)
            self._sessions.pop(identifier, None)
            return Removal(self._store.remove(identifier), elsewhere, cached)

    def _external_folders(self, identifier: str) -> tuple[Path, ...]:
        """The folders of pages outside the results folder."""
        try:
            stored = self._store.read_stored(identifier)
        except (OSError, WepsError):
            return ()
        own = self._store.pages(identifier)
        places = [each.within(stored.folder) for each in stored.provenance.collections]
        return tuple(place for place in places if place != own)

    def _clear_cache(self, identifier: str) -> int:
        """Remove the pages from the cache, as far as they can still be read."""
        with suppress(OSError, WepsError):
            return self._clear_result_cache(identifier)
        with suppress(OSError, WepsError):  # pages without a result that identifies them
            search = self._store.source(identifier).search(identifier)
            return forget_pages(search, self._settings.reader)
        return 0

    def _clear_result_cache(self, identifier: str) -> int:
        stored, reader = self._store.read_stored(identifier), self._settings.reader
        with suppress(WepsError):  # cleaned pages can be removed without the language pipeline
            _, reader = models_and_reader(stored, self._settings)
        return forget_pages(pages_of_result(stored, as_they_were=False), reader)

    def _current_session(self, identifier: str) -> Session | None:
        """The open result, unless its files have changed, e.g. by ``weps update``."""
        state, opened = self._sessions.pop(identifier, (None, None))
        if opened is None or state is None or state != self._store.file_state(identifier):
            return None
        self._keep_session(identifier, state, opened)
        return opened

    def _open_session(self, identifier: str) -> Session:
        """The open result, which is opened if it is not."""
        if self._current_session(identifier) is None:
            self.open(identifier, no_progress)
        return self._sessions[identifier][1]

    def _write(self, identifier: str, session: Session) -> None:
        write_report(session.report, identifier, self._store.folder)
        update_index(self._store.folder)
        self._keep_session(identifier, self._store.file_state(identifier), session)

    def _keep_session(self, identifier: str, state: FileState, session: Session) -> None:
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

    def add_pages(
        self, name: str, files: Iterable[tuple[str, BinaryIO]], threshold: float | None
    ) -> Job:
        """Save the pages of a new name, and queue their clustering."""
        identifier = identifier_from_name(name)
        taken = {known.casefold() for known in self.store.all()}
        if identifier.casefold() in taken:
            what = f"there are pages of {as_name(identifier)} already"
            remedy = "delete them first, choose another name, or use `weps update`"
            raise SourceError(what, remedy=remedy)
        save_uploads(files, self.store.pages(identifier))
        return self.cluster(identifier, threshold)

    def cluster_demo(self) -> Job:
        """Queue the clustering of the demo pages."""
        paths = sorted(resource_path(f"demo/{DEMO_NAME}").iterdir())
        with ExitStack() as opened:
            pages = [(path.name, opened.enter_context(path.open("rb"))) for path in paths]
            return self.add_pages(DEMO_NAME, pages, None)

    def cluster(self, identifier: str, threshold: float | None = None) -> Job:
        """Queue the clustering of uploaded pages."""
        work = partial(self.sessions.cluster, identifier, threshold)
        return self.jobs.unfinished_for(identifier) or self.jobs.submit(identifier, work)

    def open(self, identifier: str) -> Job:
        """Queue the opening of a result, so that it can be corrected."""
        work = partial(self.sessions.open, identifier)
        return self.jobs.unfinished_for(identifier) or self.jobs.submit(identifier, work)
