"""The workspace behind the routes: stored results, jobs, and a pool of open sessions.

The results used last stay open, so that a correction is applied at once.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

from weps._files import resource_path
from weps._parallel import Progress, no_progress
from weps.app.jobs import Job, Jobs
from weps.app.session import AppSettings, EditRequest, Session, models_and_reader, pages_of_result
from weps.app.storage import FileState, ResultStore, identifier_from_name, save_uploads
from weps.corrections.file import CORRECTIONS_SUFFIX, write_corrections
from weps.errors import SourceError, WepsError
from weps.report.html import AppLinks, as_html
from weps.report.writing import write_report
from weps.results.collecting import forget_pages
from weps.sources.base import as_name

__all__ = ["DEMO_NAME", "Removal", "SessionPool", "Workspace"]

_MAX_SESSIONS = 4
"""Number of results kept open; one of 100 pages takes about 25 MB."""


@dataclass(frozen=True, slots=True)
class Removal:
    """What was, or would be, removed."""

    files: tuple[Path, ...]
    elsewhere: tuple[Path, ...]
    """Folders that the pages were read from, which are not removed."""
    cached: int = 0
    """Entries of the cache."""


class SessionPool:
    """Work on the stored results, from any thread."""

    def __init__(self, store: ResultStore, settings: AppSettings) -> None:
        self._store = store
        self._settings = settings
        self._sessions: dict[str, tuple[FileState, Session]] = {}
        """Least recently used first, with the state of the files that they were read from."""
        self._lock = threading.RLock()

    def cluster(self, identifier: str, threshold: float | None, progress: Progress) -> None:
        """Cluster the uploaded pages of a name, and write the result.

        Raises:
            WepsError: if the pages cannot be read or the result cannot be written.
        """
        library = self._store
        saved = library.corrections(identifier)
        made = Session.create(
            library.source(identifier),
            threshold,
            saved,
            self._settings,
            folder=library.folder,
            progress=progress,
        )
        progress("writing the report", 0, 0)
        with self._lock:
            self._write(identifier, made)

    def open(self, identifier: str, progress: Progress) -> None:
        """Read the pages of a result again, so that it can be corrected.

        Raises:
            WepsError: if the result or its pages cannot be read.
        """
        library = self._store
        state = library.file_state(identifier)
        stored, saved = library.read_stored(identifier), library.corrections(identifier)
        if library.pages(identifier).exists():
            library.source(identifier)  # without symbolic links
        opened = Session.reopen(stored, saved, self._settings, progress)
        with self._lock:
            self._keep_session(identifier, state, opened)

    def report(self, identifier: str, links: AppLinks) -> str | None:
        """The report for the browser; None if the result is not open."""
        with self._lock:
            opened = self._current_session(identifier)
        return as_html(opened.report, links) if opened else None

    def correct(self, identifier: str, request: EditRequest) -> None:
        """Apply an edit: save it in the corrections file and cluster again.

        Raises:
            CorrectionsError: if it contradicts earlier corrections.
            WepsError: if the result cannot be opened or written.
        """
        with self._lock:
            if self._current_session(identifier) is None:
                self.open(identifier, no_progress)
            _, opened = self._sessions[identifier]
            made = opened.apply_edit(request)
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
        """Remove a name: its result, its corrections, its pages here, and what the cache has.

        Raises:
            OutputError: if something cannot be removed.
        """
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
        for forgotten in (self._clear_result_cache, self._clear_pages_cache):
            with suppress(OSError, WepsError):
                return forgotten(identifier)
        return 0

    def _clear_result_cache(self, identifier: str) -> int:
        stored, reader = self._store.read_stored(identifier), self._settings.reader
        with suppress(WepsError):  # cleaned pages can be removed without the language pipeline
            _, reader = models_and_reader(stored, self._settings)
        return forget_pages(pages_of_result(stored, as_they_were=False), reader)

    def _clear_pages_cache(self, identifier: str) -> int:
        """For pages without a result that identifies them."""
        source = self._store.source(identifier)
        return forget_pages(source.search(identifier), self._settings.reader)

    def _current_session(self, identifier: str) -> Session | None:
        """The open result, unless its files have changed, e.g. by ``weps update``."""
        state, opened = self._sessions.pop(identifier, (None, None))
        if opened is None or state is None or state != self._store.file_state(identifier):
            return None
        self._keep_session(identifier, state, opened)
        return opened

    def _write(self, identifier: str, session: Session) -> None:
        write_report(session.report, identifier, self._store.folder)
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
        """Save the pages of a new name, and queue their clustering.

        Raises:
            WepsError: if the name is missing or exists already, or there are no pages.
        """
        identifier = identifier_from_name(name)
        taken = {known.casefold() for known in self.store.all()}
        if identifier.casefold() in taken:
            raise SourceError(
                f"there are pages of {as_name(identifier)} already",
                remedy="delete them first, choose another name, or use `weps update`",
            )
        save_uploads(files, self.store.pages(identifier))
        return self.cluster(identifier, threshold)

    def cluster_demo(self) -> Job:
        """Queue the clustering of the demo pages."""
        pages = [
            (path.name, path.open("rb"))
            for path in sorted(resource_path(f"demo/{DEMO_NAME}").iterdir())
        ]
        try:
            return self.add_pages(DEMO_NAME, pages, None)
        finally:
            for _, file in pages:
                file.close()

    def cluster(self, identifier: str, threshold: float | None = None) -> Job:
        """Queue the clustering of uploaded pages."""
        work = partial(self.sessions.cluster, identifier, threshold)
        return self.jobs.unfinished_for(identifier) or self.jobs.submit(identifier, work)

    def open(self, identifier: str) -> Job:
        """Queue the opening of a result, so that it can be corrected."""
        work = partial(self.sessions.open, identifier)
        return self.jobs.unfinished_for(identifier) or self.jobs.submit(identifier, work)
