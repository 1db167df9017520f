"""The results of a folder, and pages uploaded to it, which are stored completely or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from weps._files import list_entries
from weps.corrections.model import CORRECTIONS_SUFFIX, Corrections, read_corrections
from weps.errors import SourceError, WepsError
from weps.results.files import IndexedResult, read_indexed
from weps.results.forgetting import (
    PAGES_FOLDER,
    SEARCHED_FOLDER,
    result_files,
)
from weps.results.stored import StoredResult, is_part, read_result, result_folder, searched_folder
from weps.sources.base import Source, as_name
from weps.sources.opening import open_source

FileState = tuple[tuple[int, int], ...]
"""Time and size of some files."""


@dataclass(frozen=True, slots=True)
class ResultSummary:
    """A result that is not open."""

    identifier: str
    when: datetime
    """Time of the last change."""
    content: IndexedResult
    corrections: int = 0
    problem: str = ""
    """Why it cannot be read, empty if it can."""

    @property
    def name(self) -> str:
        """The name, as people write it."""
        return as_name(self.identifier) if self.problem else self.content.name


@dataclass(frozen=True, slots=True)
class PendingName:
    """A name with pages and no result."""

    identifier: str
    when: datetime
    """Time of the last change."""
    searched: bool
    """Whether a search has begun to download its pages."""


@dataclass(frozen=True, slots=True)
class ResultStore:
    """A folder of results, as ``weps cluster`` writes them."""

    folder: Path
    _loaded_results: dict[str, tuple[tuple[int, int], StoredResult]] = field(
        default_factory=dict, repr=False
    )
    """Identifier → state of the file when it was read, and the result."""

    def results(self) -> tuple[ResultSummary, ...]:
        """All of them, newest first."""
        found: list[ResultSummary] = []
        for identifier in self._identifiers():
            with suppress(FileNotFoundError):  # deleted in the meantime
                found.append(self._summary(identifier))
        return tuple(sorted(found, key=lambda each: (-each.when.timestamp(), each.identifier)))

    def pending(self) -> tuple[PendingName, ...]:
        """The names with pages and no result yet."""
        found = [self._subfolders(root) for root in (PAGES_FOLDER, SEARCHED_FOLDER)]
        pending: list[PendingName] = []
        for name in sorted(found[0].union(found[1]) - self._identifiers()):
            with suppress(FileNotFoundError, ValueError):  # deleted in the meantime
                latest = max(place.stat().st_mtime for place in self.places(name))
                when = datetime.fromtimestamp(latest)
                pending.append(PendingName(name, when, name in found[1]))
        return tuple(pending)

    def all(self) -> frozenset[str]:
        """Every name with a result or uploaded pages."""
        return self._identifiers() | {each.identifier for each in self.pending()}

    def has_result(self, identifier: str) -> bool:
        """Whether there is a result of that name. The identifier is never used as a path."""
        return identifier in self._identifiers()

    def read_stored(self, identifier: str) -> StoredResult:
        """The stored result; raises a WepsError if it cannot be read."""
        path = self.path(identifier, ".json")
        now = _file_state(path)
        state, result = self._loaded_results.get(identifier, (None, None))
        if result is None or state != now:
            result = read_result(path)
            self._loaded_results[identifier] = now, result
        return result

    def corrections_file(self, identifier: str) -> Path:
        """The corrections of the result, which may be missing."""
        return self.path(identifier, CORRECTIONS_SUFFIX)

    def corrections(self, identifier: str) -> Corrections:
        """The corrections of the result; raises a CorrectionsError if they are faulty."""
        path = self.corrections_file(identifier)
        return read_corrections(path) if path in self.files(identifier) else Corrections()

    def path(self, identifier: str, suffix: str) -> Path:
        """The path of a file of a result, which may be missing."""
        return result_folder(self.folder, identifier) / f"{identifier}{suffix}"

    def files(self, identifier: str) -> tuple[Path, ...]:
        """The files of a result."""
        return result_files(self.folder, identifier)

    def pages(self, identifier: str) -> Path:
        """The folder of the uploaded pages, if there are any."""
        return self.folder / PAGES_FOLDER / identifier

    def searched(self, identifier: str) -> Path:
        """The folder of the pages that searches download: that of the result, if it has one."""
        with suppress(OSError, WepsError):
            if found := searched_folder(self.read_stored(identifier)):
                return found
        return self.folder / SEARCHED_FOLDER / identifier

    def places(self, identifier: str) -> tuple[Path, ...]:
        """The folders with pages of a name beside the results."""
        roots = (self.folder / root for root in (PAGES_FOLDER, SEARCHED_FOLDER))
        return tuple(root / identifier for root in roots if (root / identifier).is_dir())

    def source(self, folder: Path, identifier: str) -> Source:
        """The pages in a folder of a name; raises a SourceError if any is a symbolic link."""
        if any(path.is_symlink() for path in (folder.parent, folder, *list_entries(folder))):
            what, remedy = "has symbolic links, which are not followed", "replace them by the files"
            raise SourceError(what, where=folder, remedy=remedy)
        return open_source(folder, identifier)

    def file_state(self, identifier: str) -> FileState:
        """Changes whenever the result or its corrections are written, by any program."""
        suffixes = (".json", CORRECTIONS_SUFFIX)
        return tuple(_file_state(self.path(identifier, suffix)) for suffix in suffixes)

    def _subfolders(self, root: str) -> frozenset[str]:
        """The names that a folder beside the results has subfolders of, without links."""
        folder = self.folder / root
        entries = () if folder.is_symlink() else _scan_folder(folder)
        names = (each.name for each in entries if each.is_dir(follow_symlinks=False))
        return frozenset(filter(_is_identifier, names))

    def _identifiers(self) -> frozenset[str]:
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

    def _summary(self, identifier: str) -> ResultSummary:
        path = self.path(identifier, ".json")
        when = datetime.fromtimestamp(path.stat().st_mtime)
        content = read_indexed(path)
        summary = ResultSummary(identifier, when, content, problem=content.problem)
        try:
            return replace(summary, corrections=len(self.corrections(identifier).entries))
        except WepsError as error:
            return replace(summary, problem=content.problem or error.describe())


def _file_state(path: Path) -> tuple[int, int]:
    """Time and size of a file; zeros if there is none."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def _is_identifier(name: str) -> bool:
    """Whether a result may have this name: not hidden, not a path, printable."""
    return name.isprintable() and name[:1] not in {"", "."}


def _scan_folder(folder: Path) -> list[os.DirEntry[str]]:
    """The entries of the folder; none if it does not exist."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
