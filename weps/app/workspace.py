"""What the routes ask: results, long work, and the workshop that does it.

Where results are made, corrected and removed; those in use stay open, so that it goes fast.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

from weps._files import resource
from weps._parallel import Progress, silent
from weps.app.jobs import Job, Jobs
from weps.app.session import Opened, Settings, Wish, pages_of, tools_for
from weps.app.storage import Library, State, identifier_of, receive
from weps.corrections.file import ENDING, write_corrections
from weps.errors import SourceError, WepsError
from weps.report.html import AppLinks, as_html
from weps.report.writing import write
from weps.results.collecting import forget
from weps.sources.base import as_name

__all__ = ["DEMO", "Office", "Removed", "Workshop"]

_OPEN = 4
"""Results kept open: of 100 pages each takes about 25 MB."""


@dataclass(frozen=True, slots=True)
class Removed:
    """What was, or would be, removed."""

    files: tuple[Path, ...]
    elsewhere: tuple[Path, ...]
    """Folders that the pages were read from and that stay as they are."""
    cached: int = 0
    """Entries of the cache."""


class Workshop:
    """Work on the results of a library, from any thread."""

    def __init__(self, library: Library, settings: Settings) -> None:
        self._library = library
        self._settings = settings
        self._opened: dict[str, tuple[State, Opened]] = {}
        """Least recently used first, with the state of the files that they were read from."""
        self._lock = threading.RLock()

    def cluster(self, identifier: str, threshold: float | None, progress: Progress) -> None:
        """Cluster the pages that came in for a name, and write the result.

        Raises:
            WepsError: if the pages cannot be read or the result cannot be written.
        """
        library = self._library
        said = library.corrections(identifier)
        made = Opened.new(
            library.source(identifier),
            threshold,
            said,
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
        library = self._library
        state = library.state(identifier)
        stored, said = library.stored(identifier), library.corrections(identifier)
        if library.pages(identifier).exists():
            library.source(identifier)  # without links to what did not come in
        opened = Opened.again(stored, said, self._settings, progress)
        with self._lock:
            self._keep(identifier, state, opened)

    def report(self, identifier: str, links: AppLinks) -> str | None:
        """The report for the browser; None if the result is not open."""
        with self._lock:
            opened = self._current(identifier)
        return as_html(opened.report, links) if opened else None

    def correct(self, identifier: str, wish: Wish) -> None:
        """Do what a user wishes: keep it in the file, and cluster anew.

        Raises:
            CorrectionsError: if it contradicts what was said before.
            WepsError: if the result cannot be opened or written.
        """
        with self._lock:
            if self._current(identifier) is None:
                self.open(identifier, silent)
            _, opened = self._opened[identifier]
            made = opened.corrected(wish)
            path = self._library.path(identifier, ENDING)
            write_corrections(made.corrections, path, made.search.name)
            self._write(identifier, made)

    def close(self) -> None:
        """Close all results, as if the app were started anew."""
        with self._lock:
            self._opened.clear()

    def doomed(self, identifier: str) -> Removed:
        """What :meth:`remove` would remove, but for the cache."""
        return Removed(self._library.holdings(identifier), self._elsewhere(identifier))

    def remove(self, identifier: str) -> Removed:
        """Remove a name: its result, its corrections, its pages here, and what the cache has.

        Raises:
            OutputError: if something cannot be removed.
        """
        with self._lock:
            elsewhere, cached = self._elsewhere(identifier), self._forget(identifier)
            self._opened.pop(identifier, None)
            return Removed(self._library.remove(identifier), elsewhere, cached)

    def _elsewhere(self, identifier: str) -> tuple[Path, ...]:
        """The folders of pages that do not belong to the library."""
        try:
            stored = self._library.stored(identifier)
        except (OSError, WepsError):
            return ()
        own = self._library.pages(identifier)
        places = [each.within(stored.folder) for each in stored.provenance.collections]
        return tuple(place for place in places if place != own)

    def _forget(self, identifier: str) -> int:
        """Let the cache forget the pages, as far as they can still be read."""
        for forgotten in (self._forget_result, self._forget_pages):
            with suppress(OSError, WepsError):
                return forgotten(identifier)
        return 0

    def _forget_result(self, identifier: str) -> int:
        stored, reader = self._library.stored(identifier), self._settings.reader
        with suppress(WepsError):  # what is cleaned can be forgotten without the tools
            _, reader = tools_for(stored, self._settings)
        return forget(pages_of(stored, as_they_were=False), reader)

    def _forget_pages(self, identifier: str) -> int:
        """Of pages that have no result, or none that says which they are."""
        source = self._library.source(identifier)
        return forget(source.search(identifier), self._settings.reader)

    def _current(self, identifier: str) -> Opened | None:
        """The open result, unless its files have changed, e.g. by ``weps update``."""
        state, opened = self._opened.pop(identifier, (None, None))
        if opened is None or state is None or state != self._library.state(identifier):
            return None
        self._keep(identifier, state, opened)
        return opened

    def _write(self, identifier: str, made: Opened) -> None:
        write(made.report, identifier, self._library.folder)
        self._keep(identifier, self._library.state(identifier), made)

    def _keep(self, identifier: str, state: State, opened: Opened) -> None:
        """Keep it open as the one used last; the one not used for longest is closed."""
        self._opened.pop(identifier, None)
        self._opened[identifier] = (state, opened)
        while len(self._opened) > _OPEN:
            del self._opened[next(iter(self._opened))]


DEMO = "Robin_Averdale"
"""The made-up person of the pages that come with weps."""


@dataclass(frozen=True, slots=True)
class Office:
    """The results of a folder, and the work on them."""

    library: Library
    workshop: Workshop
    jobs: Jobs

    def take_in(
        self, name: str, files: Iterable[tuple[str, BinaryIO]], threshold: float | None
    ) -> Job:
        """Save the pages of a name that is not there yet, and have them clustered.

        Raises:
            WepsError: if there is no name, one that is there, or no pages.
        """
        identifier = identifier_of(name)
        taken = {known.casefold() for known in self.library.all()}
        if identifier.casefold() in taken:
            raise SourceError(
                f"there are pages of {as_name(identifier)} already",
                remedy="delete them first, give these another name, or add them by `weps update`",
            )
        receive(files, self.library.pages(identifier))
        return self.cluster(identifier, threshold)

    def demo(self) -> Job:
        """Have the pages clustered that come with weps."""
        pages = [
            (path.name, path.open("rb")) for path in sorted(resource(f"demo/{DEMO}").iterdir())
        ]
        try:
            return self.take_in(DEMO, pages, None)
        finally:
            for _, file in pages:
                file.close()

    def cluster(self, identifier: str, threshold: float | None = None) -> Job:
        """Have the pages of a name clustered that came in from the browser."""
        work = partial(self.workshop.cluster, identifier, threshold)
        return self.jobs.busy_with(identifier) or self.jobs.submit(identifier, work)

    def open(self, identifier: str) -> Job:
        """Have a result opened, so that it can be corrected."""
        work = partial(self.workshop.open, identifier)
        return self.jobs.busy_with(identifier) or self.jobs.submit(identifier, work)
