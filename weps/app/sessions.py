"""Results of a folder, as users see and correct them: stored ones, and a pool of open ones."""

from __future__ import annotations

import hashlib
import os
import threading
from collections import defaultdict
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from weps._files import list_entries
from weps._formatting import count_of, join_items, quote_text
from weps._parallel import LOGGER, Progress, in_background, log_progress
from weps._schema import JsonModel, validate_data
from weps.corrections import edits
from weps.corrections.model import CORRECTION_KINDS, CORRECTIONS_SUFFIX, Corrections
from weps.errors import ConflictError, CorrectionsError, SourceError, ValuesError, WepsError
from weps.name.person_name import PersonName
from weps.people.answer import Alternatives, Answer, PageScore
from weps.reading import Reader
from weps.records import Document, Page, Rank, source_collection
from weps.report import html, safe_text, view
from weps.results import files
from weps.results.changes import describe_changes, find_changes, pages_by_person
from weps.results.result import Result, ResultOptions, corrections_of, shown_people
from weps.results.stored import StoredResult, is_part, read_result, result_folder, searched_folder
from weps.sources import base, opening

_MAX_PAGES = 10_000
"""Largest number of pages in one request."""
_MAX_NOTES = 8
"""Largest number of consequences of a correction that the report lists."""
_MAX_SESSIONS = 4
"""Number of results kept open; one of 100 pages takes about 25 MB."""
MAX_REPORT_BYTES = 500 << 20
_QUIET = 2.0
"""Seconds after the last change until the index is written: it takes 12 ms for each name. So are
the HTML files of corrected results, each of which takes as long as a correction."""
_DATA = tuple(suffix for suffix in files.WRITERS if suffix != ".html")
FileState = tuple[tuple[int, int], ...]
"""Time and size of some files."""


@dataclass(frozen=True, slots=True)
class PendingName:
    """A name with pages and no result."""

    identifier: str
    changed: datetime
    """Time of the last change."""
    searched: bool
    """Whether a search has begun to download its pages."""


@dataclass(frozen=True, slots=True)
class ResultStore:
    """A folder of results, as ``weps cluster`` writes them."""

    folder: Path

    def results(self) -> tuple[files.IndexedResult, ...]:
        """All of them, newest first."""
        found = list[files.IndexedResult]()
        for identifier in sorted(self.identifiers()):
            with suppress(FileNotFoundError):  # deleted in the meantime
                found.append(files.read_indexed(self.path(identifier, ".json")))
        return tuple(sorted(found, key=attrgetter("changed"), reverse=True))

    def pending(self) -> tuple[PendingName, ...]:
        """The names with pages and no result yet."""
        roots = (self.folder / root for root in (files.PAGES_FOLDER, files.SEARCHED_FOLDER))
        given, searched = (
            {
                each.name
                for each in (() if root.is_symlink() else _scan_folder(root))
                if each.is_dir(follow_symlinks=False)
            }
            for root in roots
        )
        pending: list[PendingName] = []
        for name in sorted(filter(_is_identifier, (given | searched) - self.identifiers())):
            with suppress(FileNotFoundError, ValueError):  # deleted in the meantime
                latest = max(place.stat().st_mtime for place in self.places(name))
                pending.append(PendingName(name, datetime.fromtimestamp(latest), name in searched))
        return tuple(pending)

    def all(self) -> frozenset[str]:
        """Every name with a result or uploaded pages."""
        return self.identifiers() | {each.identifier for each in self.pending()}

    def read_stored(self, identifier: str) -> StoredResult:
        """The stored result; raises a WepsError if it cannot be read."""
        return read_result(self.path(identifier, ".json"))

    def path(self, identifier: str, suffix: str) -> Path:
        """The path of a file of a result, which may be missing."""
        return result_folder(self.folder, identifier) / f"{identifier}{suffix}"

    def searched(self, identifier: str) -> Path:
        """The folder of the pages that searches download: that of the result, if it has one."""
        with suppress(OSError, WepsError):
            if found := searched_folder(self.read_stored(identifier)):
                return found
        return self.folder / files.SEARCHED_FOLDER / identifier

    def places(self, identifier: str) -> tuple[Path, ...]:
        """The folders with pages of a name beside the results."""
        roots = (self.folder / root for root in (files.PAGES_FOLDER, files.SEARCHED_FOLDER))
        return tuple(root / identifier for root in roots if (root / identifier).is_dir())

    def source(self, folder: Path) -> base.Source:
        """The pages in a folder of a name; raises a SourceError if any is a symbolic link."""
        if any(path.is_symlink() for path in (folder.parent, folder, *list_entries(folder))):
            raise SourceError(
                "has symbolic links, which are not followed",
                where=folder,
                remedy="replace them by the files",
            )
        return opening.open_source(folder)

    def file_state(self, identifier: str) -> FileState:
        """Changes whenever the result or its corrections are written, by any program."""
        paths = [self.path(identifier, suffix) for suffix in (".json", CORRECTIONS_SUFFIX)]
        states = (path.stat() if path.exists() else None for path in paths)
        return tuple((each.st_mtime_ns, each.st_size) if each else (0, 0) for each in states)

    def identifiers(self) -> frozenset[str]:
        """The names of the JSON files in the folder and its parts, without those behind a link."""
        entries = _scan_folder(self.folder)
        for entry in [each for each in entries if is_part(each.name)]:
            if entry.is_dir(follow_symlinks=False):
                entries += _scan_folder(Path(entry.path))
        names = (
            entry.name.removesuffix(".json")
            for entry in entries
            if entry.name.endswith(".json") and entry.is_file(follow_symlinks=False)
        )
        return frozenset(filter(_is_identifier, names))


def _is_identifier(name: str) -> bool:
    """Whether a result may have this name: not hidden, not a path, printable."""
    return name.isprintable() and name[:1] not in {"", "."}


def _scan_folder(folder: Path) -> list[os.DirEntry[str]]:
    """The entries of the folder; none if it does not exist."""
    with suppress(OSError), os.scandir(folder) as entries:
        return list(entries)
    return []


class EditRequest(JsonModel, extra="ignore"):
    """An action on some pages."""

    action: Literal[
        "same",
        "join",
        "different",
        "move",
        "split",
        "confirm",
        "exclude",
        "unclear",
        "rename",
        "keep",
        "threshold",
        "learn",
        "note",
        "tag",
        "checked",
        "person-note",
        "person-tag",
        "person-checked",
        "undo",
        "remove",
    ]
    pages: Annotated[tuple[Rank, ...], Field(strict=False, max_length=_MAX_PAGES)] = ()
    """Ranks."""
    to: Rank | None = None
    """Rank of a page of the person that the pages go to, for ``move``."""
    name: str = ""
    """New name of the person of the page, for ``rename``; text of a note or tag; for ``remove``,
    the line of the correction in the file; for ``undo``, the line that is taken to be the last
    one."""
    merges: Annotated[int, Field(ge=0)] | None = None
    """Number of merges at the position of the slider whose people are meant; None for the people
    of the answer."""
    seen: str = ""
    """The version of the answer that the user sees; empty where any may be meant."""

    @classmethod
    def parse(cls, data: object) -> EditRequest:
        """The request in JSON data; raises a CorrectionsError if there is none."""
        return validate_data(cls, data, _invalid_request)

    def correct(self, result: Result) -> Result:
        """The result clustered again after the edit, with its consequences as notes.

        Raises:
            CorrectionsError: also if the user sees another version, see :meth:`apply`.
        """
        # Lines and pages that any version may have; marks change no answer.
        kind = CORRECTION_KINDS.get(self.action)
        lasting = self.action in {"undo", "remove"} or bool(kind and kind.marks)
        if self.seen not in {"", _version_of(result)} and not lasting:
            raise _changed_meanwhile("the answer has changed since this page was loaded")
        before = result.answer
        made = result.with_corrections(self.apply(result.corrections, before))
        if made.corrections.obeyed.entries == result.corrections.obeyed.entries:
            return replace(made, notes=())
        labels = {person.id: person.label for person in before.people}
        changes = find_changes(pages_by_person(before), made.answer)
        notes = describe_changes(changes, made.answer, labels, _MAX_NOTES)
        if aside := sorted(made.clustering.discarded - before.clustering.discarded):
            pages = f"page {aside[0]} was" if len(aside) == 1 else f"pages {join_items(aside)} were"
            notes.insert(0, f"{pages} set aside")
        first, *others = notes or ["no page has moved to another person"]
        return replace(made, notes=(f"After your last correction: {first}", *others))

    def apply(self, corrections: Corrections, answer: Answer) -> Corrections:
        """The corrections so far with an edit of the answer that the user sees.

        Raises:
            CorrectionsError: if it is invalid there, or contradicts earlier corrections.
        """
        if self.action in {"undo", "remove"}:
            lines = [safe_text.clean_text(str(each)) for each in corrections.entries]
            line = safe_text.clean_text(self.name)  # as reports have it
            undo = self.action == "undo"
            if line not in (["", *lines[-1:]] if undo else lines):
                raise _changed_meanwhile(f"the correction {quote_text(line)} is no longer there")
            return edits.remove_correction(
                corrections, len(lines) - 1 if undo else lines.index(line)
            )
        if self.action == "threshold":
            threshold = self._alternatives(answer).threshold_of(self.merges or 0)
            if threshold is None:
                raise CorrectionsError(
                    "the merges before and after this position are equally probable",
                    remedy="choose another position",
                )
            return edits.add_correction(corrections, "threshold", threshold=threshold)
        shown = shown_people(answer)
        if self.merges is not None:
            alternatives = self._alternatives(answer)
            people = defaultdict[int, set[int]](set)
            for row, node in enumerate(alternatives.nodes_of_rows(self.merges)):
                people[node].add(alternatives.ranks[row])
            shown = replace(shown, people=list(people.values()))
        kind = "called" if self.action == "rename" else self.action
        return edits.apply_edit(kind, corrections, self.pages, shown, to=self.to, name=self.name)

    def _alternatives(self, answer: Answer) -> Alternatives:
        """The other answers, one of which the user sees."""
        found, merges = answer.alternatives, self.merges
        if found is None or merges is None or not found.min_merges <= merges <= found.max_merges:
            raise _invalid_request("there is no such position of the slider")
        return found


def _changed_meanwhile(what: str) -> ConflictError:
    """The error of a correction to an answer that others have changed."""
    return ConflictError(
        what,
        remedy="another window or program changed the result; nothing was done: reload the page",
    )


def _invalid_request(what: str) -> CorrectionsError:
    return CorrectionsError(f"this is not a correction ({what})", remedy="reload the page")


def _version_of(result: Result) -> str:
    """16 hex digits that differ where the people or the corrections do."""
    people = [[page.rank for page in person.pages] for person in result.people]
    shown = repr((people, [*map(str, result.corrections.entries)]))
    return hashlib.sha256(shown.encode("utf-8", "replace")).hexdigest()[:16]


class SessionPool:
    """Work on the stored results, from any thread; raises a WepsError where it fails."""

    def __init__(self, store: ResultStore, options: ResultOptions) -> None:
        self._store = store
        self._options = options
        self._sessions: dict[str, tuple[FileState, Result]] = {}
        """Least recently used first, with the state of the files that they were read from."""
        self._lock, self._indexing = threading.RLock(), threading.Lock()
        self._timer: threading.Timer | None = None
        """Finishes soon, once nothing has changed for a while."""
        self._late: dict[str, tuple[FileState, Result]] = {}
        """Corrected results without their HTML file, as long as their other files are the same."""

    def cluster(
        self,
        identifier: str,
        progress: Progress,
        warnings: Sequence[str] = (),
        also: Sequence[str] = (),
    ) -> None:
        """Cluster the pages of a name that are beside the results, and write the result."""
        store, options = self._store, self._options
        place, *others = store.places(identifier)
        source = store.source(place)
        (name,) = source.names
        file = store.path(identifier, CORRECTIONS_SUFFIX)
        settings = replace(
            options.settings,
            collections=(source_collection(source.root, name, file.parent),),
        )
        search = replace(source.search(name), also=tuple(also))
        corrections, lost = corrections_of(file, search.pages)
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
        self,
        identifier: str,
        added: Path,
        progress: Progress,
        warnings: Sequence[str] = (),
        also: Sequence[str] = (),
    ) -> str:
        """Add the pages of a folder to a result, and return what changed."""
        store = self._store
        for place in {added, *store.places(identifier)}:
            store.source(place)  # without symbolic links
        while True:
            state, stored = store.file_state(identifier), store.read_stored(identifier)
            result, changes = Result.update(
                replace(stored, also=tuple(dict.fromkeys((*stored.also, *also)))),
                added,
                ResultOptions.of_result(stored, self._options),
                notes=warnings,
                progress=progress,
            )
            with self._lock:
                if state == store.file_state(identifier):  # else it was corrected meanwhile
                    self._write(identifier, result)
                    break
        new = count_of(len(changes.new), "new page")
        return f"{new} ({changes.known} known already): {changes.summary}"

    def open(self, identifier: str, progress: Progress) -> None:
        """Read the pages of a result again, so that it can be corrected."""
        store = self._store
        state, stored = store.file_state(identifier), store.read_stored(identifier)
        for place in store.places(identifier):
            store.source(place)  # without symbolic links
        opened = Result.open(stored, ResultOptions.of_result(stored, self._options), progress)
        with self._lock:
            self._keep_session(identifier, state, opened)
        if not opened.prepared.compared.candidates:  # of so many pages it would take much memory
            # What the first correction explains; comparing was kept without it.
            in_background(lambda: opened.prepared.table)

    def report(self, identifier: str, links: html.AppLinks) -> str | None:
        """The report for the browser; None if the result is not open."""
        with self._lock:
            opened = self._current_session(identifier)
            if opened is None:
                return None
            effect = opened.learning_effect()
        return html.as_html(opened, replace(links, version=_version_of(opened), effect=effect))

    def page(self, identifier: str, rank: int) -> tuple[Page, Document, PersonName] | None:
        """A page of a result, its text, and the name; None if there is none of that rank."""
        with self._lock:
            opened = self._current_session(identifier)
        if opened is None:
            self.open(identifier, log_progress)  # takes long, and keeps nobody else waiting
        with self._lock:
            opened = self._open_session(identifier)
        pages, analysis = opened.search.pages, opened.prepared.analysis
        texts = {each.rank: each for each in analysis.documents}
        found = ((page, texts[rank], analysis.name) for page in pages if page.rank == rank)
        return next(found, None)

    def next_question(
        self, identifier: str, asked: Collection[tuple[int, int]]
    ) -> tuple[PersonName, tuple[PageScore, ...], tuple[str, ...]]:
        """The name, two pages about which to ask next whether they are one person, and evidence.

        There may be no such pages, and no evidence of pages that were not compared.

        Args:
            identifier: of the name.
            asked: ranks of the pairs that were asked about, ascending.
        """
        with self._lock:
            opened = self._open_session(identifier)
            pages = view.pages_by_rank(opened.answer)
            lines: list[str] = []
            pair = [pages[rank] for each in opened.questions(1, asked) for rank in each]
            with suppress(ValuesError):
                lines = (
                    str(opened.explain(*(page.rank for page in pair))).splitlines() if pair else []
                )
            return opened.prepared.analysis.name, tuple(pair), tuple(lines[3:])

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
            made = request.correct(opened)
            if state != self._store.file_state(identifier):
                raise _changed_meanwhile("the files of the result are no longer the same")
            self._write(identifier, made, corrections=True)
            return _version_of(made)

    def close(self) -> None:
        """Close all results, once the index is up to date."""
        with self._lock:
            timer, self._timer = self._timer, None
            self._sessions.clear()
        if timer:
            timer.cancel()
            self._finish()

    def remove(self, identifier: str) -> files.Removal:
        """Remove a name: its result, its corrections, its pages here, and what the cache has."""
        with self._lock:
            options = self._options
            with suppress(OSError, WepsError):  # pages can be removed as if read in the usual way
                options = ResultOptions.of_result(self._store.read_stored(identifier), options)
            self._sessions.pop(identifier, None)
            return files.forget_name(self._store.folder, identifier, options.reader or Reader())

    def _current_session(self, identifier: str) -> Result | None:
        """The open result, unless its files have changed, e.g. by ``weps update``."""
        state, opened = self._sessions.pop(identifier, ((), None))
        if opened is None or state != self._store.file_state(identifier):
            return None
        self._keep_session(identifier, state, opened)
        return opened

    def _open_session(self, identifier: str) -> Result:
        """The open result, which is opened if it is not."""
        if self._current_session(identifier) is None:
            self.open(identifier, log_progress)
        return self._sessions[identifier][1]

    def _write(self, identifier: str, result: Result, *, corrections: bool = False) -> None:
        folder = self._store.path(identifier, "").parent
        suffixes = _DATA if corrections else tuple(files.WRITERS)
        files.write_report(
            result, identifier, folder, suffixes, corrections=corrections, later={".html"}
        )
        state = self._store.file_state(identifier)
        self._keep_session(identifier, state, result)
        if corrections:
            self._late[identifier] = state, result
        if self._timer:
            self._timer.cancel()
        self._timer = threading.Timer(_QUIET, self._finish)
        self._timer.daemon = True
        self._timer.start()

    def write_late(self) -> None:
        """Write the HTML files that corrections have left to be written."""
        with self._lock:
            for identifier, (state, result) in self._late.items():
                if state == self._store.file_state(identifier):
                    folder = self._store.path(identifier, "").parent
                    files.write_report(result, identifier, folder, {".html"}, later=_DATA)
            self._late.clear()

    def _finish(self) -> None:
        try:
            self.write_late()
            with self._indexing:
                files.update_index(self._store.folder)
        except WepsError as error:  # the results are written all the same
            LOGGER.warning("%s", error.describe())

    def _keep_session(self, identifier: str, state: FileState, session: Result) -> None:
        """Keep a session open as the one used last; close the least recently used one."""
        self._sessions.pop(identifier, None)
        self._sessions[identifier] = (state, session)
        for oldest in list(self._sessions)[:-_MAX_SESSIONS]:
            del self._sessions[oldest]
