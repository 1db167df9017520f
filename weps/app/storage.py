"""The results of a folder, and pages uploaded to it, which are stored completely or not at all."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from weps._files import list_entries, make_folder
from weps._formatting import error_reason
from weps.corrections.file import CORRECTIONS_SUFFIX, read_corrections
from weps.corrections.model import Corrections
from weps.errors import OutputError, SourceError, WepsError
from weps.report.writing import WRITERS
from weps.results.stored import StoredResult, read_result
from weps.sources.base import MAX_PAGE_BYTES, Source, as_identifier, as_name
from weps.sources.formats.recognition import INPUT_SUFFIXES, PLAIN_SUFFIXES
from weps.sources.opening import open_source

FileState = tuple[tuple[int, int], ...]
"""Time and size of some files."""

PAGES_FOLDER = "pages"
"""The folder of uploaded pages, beside the results."""
_RESULT_SUFFIXES = (*WRITERS, CORRECTIONS_SUFFIX)


@dataclass(frozen=True, slots=True)
class ResultSummary:
    """Summary of a result that is not open."""

    identifier: str
    name: str
    when: datetime
    pages: int = 0
    people: int = 0
    corrections: int = 0
    problem: str = ""
    """Why it cannot be read, empty if it can."""


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

    def pending_names(self) -> tuple[str, ...]:
        """The names with uploaded pages and no result yet."""
        pages = self.folder / PAGES_FOLDER
        entries = () if pages.is_symlink() else _scan_folder(pages)
        names = {each.name for each in entries if each.is_dir(follow_symlinks=False)}
        return tuple(sorted(filter(_is_identifier, names - self._identifiers())))

    def all(self) -> frozenset[str]:
        """Every name with a result or uploaded pages."""
        return self._identifiers() | frozenset(self.pending_names())

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

    def corrections(self, identifier: str) -> Corrections:
        """The corrections of the result; raises a CorrectionsError if they are faulty."""
        path = self.path(identifier, CORRECTIONS_SUFFIX)
        return read_corrections(path) if path in self.files(identifier) else Corrections()

    def path(self, identifier: str, suffix: str) -> Path:
        """Where a file of a result is, or would be."""
        return self.folder / f"{identifier}{suffix}"

    def files(self, identifier: str) -> tuple[Path, ...]:
        """The files of a result."""
        paths = (self.path(identifier, suffix) for suffix in _RESULT_SUFFIXES)
        return tuple(path for path in paths if path.is_file() and not path.is_symlink())

    def pages(self, identifier: str) -> Path:
        """The folder of the uploaded pages, if there are any."""
        return self.folder / PAGES_FOLDER / identifier

    def source(self, identifier: str) -> Source:
        """The uploaded pages of a name; raises a SourceError if any is a symbolic link."""
        folder = self.pages(identifier)
        if any(path.is_symlink() for path in (folder.parent, folder, *list_entries(folder))):
            what, remedy = "has symbolic links, which are not followed", "replace them by the files"
            raise SourceError(what, where=folder, remedy=remedy)
        return open_source(folder, identifier)

    def file_state(self, identifier: str) -> FileState:
        """Changes whenever the result or its corrections are written, by any program."""
        suffixes = (".json", CORRECTIONS_SUFFIX)
        return tuple(_file_state(self.path(identifier, suffix)) for suffix in suffixes)

    def owned_paths(self, identifier: str) -> tuple[Path, ...]:
        """The files of the result of a name, and its uploaded pages."""
        pages = self.pages(identifier)
        is_own = pages.is_dir() and not pages.is_symlink() and not pages.parent.is_symlink()
        return (*self.files(identifier), *([pages] if is_own else []))

    def remove(self, identifier: str) -> tuple[Path, ...]:
        """Remove :meth:`owned_paths`, and nothing elsewhere; returns what was removed.

        Raises:
            OutputError: if something cannot be removed; what comes after it stays.
        """
        self._loaded_results.pop(identifier, None)
        removed = self.owned_paths(identifier)
        for path in removed:
            _remove_path(path)
        with suppress(OSError):  # there are none, or those of other names
            (self.folder / PAGES_FOLDER).rmdir()
        return removed

    def _identifiers(self) -> frozenset[str]:
        """The names of the JSON files in the folder, without those behind a link."""
        names = (
            entry.name.removesuffix(".json")
            for entry in _scan_folder(self.folder)
            if entry.name.endswith(".json") and entry.is_file(follow_symlinks=False)
        )
        return frozenset(filter(_is_identifier, names))

    def _summary(self, identifier: str) -> ResultSummary:
        when = datetime.fromtimestamp(self.path(identifier, ".json").stat().st_mtime)
        try:
            stored = self.read_stored(identifier)
            pages = sum(len(ranks) for ranks in stored.people.values())
            corrections = len(self.corrections(identifier).entries)
        except WepsError as error:
            return ResultSummary(identifier, identifier, when, problem=error.describe())
        return ResultSummary(identifier, stored.name, when, pages, len(stored.people), corrections)


def _file_state(path: Path) -> tuple[int, int]:
    """Time and size of a file; zeros if there is none."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def _remove_path(path: Path) -> None:
    try:
        if path.is_dir():
            shutil.rmtree(path)  # which follows no links
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        what = f"cannot be removed ({error_reason(error)})"
        raise OutputError(what, where=path, remedy="check the permissions") from error


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


MAX_FILES = 500
"""Pages of one name."""
MAX_BYTES = 256 << 20
"""Of all pages of one name together."""
_MAX_NAME_BYTES = 100
_MAX_STEM_LENGTH = 80
_MAX_PATH_PARTS = 2
"""Parts of the path of a page: the dropped folder and the file. Deeper files are the parts of
a saved page (``page_files/frame.html``)."""
_SEPARATORS = re.compile(r"[/\\]")


def identifier_from_name(name: str) -> str:
    """The file name of a person's name as typed; raises a SourceError if it is not a name."""
    identifier = as_identifier(as_name(name))
    if not any(letter.isalpha() for letter in identifier) or not identifier.isprintable():
        raise SourceError("the person's name is missing", remedy="fill it in, e.g. Robin Averdale")
    if len(identifier.encode("utf-8", "replace")) > _MAX_NAME_BYTES:
        raise SourceError("the name is too long", remedy="shorten it")
    return identifier


def save_uploads(files: Iterable[tuple[str, BinaryIO]], folder: Path) -> tuple[str, ...]:
    """Save pages as ``folder``, which must not exist, and return the names of their files.

    Args:
        files: the path of each as the browser sends it, and its content.
        folder: the target; only the cleaned file names of the paths become part of it.

    Raises:
        SourceError: if no file is a page, or there are too many.
        OutputError: if they cannot be written, or would be outside the folder.
    """
    if folder.parent.is_symlink():
        what = "is a symbolic link, which is not followed"
        raise OutputError(what, where=folder.parent, remedy="replace it by a folder")
    try:
        make_folder(folder.parent)
        with tempfile.TemporaryDirectory(prefix=".", dir=folder.parent) as place:
            unfinished = Path(place) / "pages"
            unfinished.mkdir()
            names = _save_pages(files, unfinished)
            unfinished.rename(folder)
    except OSError as error:
        what = f"the pages cannot be saved ({error_reason(error)})"
        remedy = "check the free space and the permissions"
        raise OutputError(what, where=folder, remedy=remedy) from error
    return names


def _save_pages(files: Iterable[tuple[str, BinaryIO]], folder: Path) -> tuple[str, ...]:
    names: list[str] = []
    room = MAX_BYTES
    for path, content in files:
        name = _safe_file_name(path, {known.casefold() for known in names})
        if not name:
            continue
        if len(names) == MAX_FILES:
            raise SourceError(f"more than {MAX_FILES} pages", remedy="drop fewer at a time")
        names.append(name)
        plain = Path(name).suffix in PLAIN_SUFFIXES
        room -= _copy_bounded(content, folder / name, MAX_PAGE_BYTES if plain else room + 1)
        if room < 0:
            what = f"more than {MAX_BYTES >> 20} MB of pages"
            raise SourceError(what, remedy="drop fewer at a time")
    if not names:
        what = "there are no saved pages or archives of them directly in what was dropped"
        raise SourceError(what, remedy="drop the folder that contains them")
    return tuple(names)


def _copy_bounded(content: BinaryIO, path: Path, most: int) -> int:
    """Copy a file up to about so many bytes, of which no more are read; returns their number."""
    size = 0
    with path.open("xb") as file:
        while size < most and (part := content.read(1 << 20)):
            size += file.write(part)
    return size


def _safe_file_name(path: str, taken: set[str]) -> str:
    """A safe file name for the page, empty if it is not a page; a number in it is kept."""
    parts = [part for part in _SEPARATORS.split(path) if part not in {"", "."}]
    if not parts or len(parts) > _MAX_PATH_PARTS or parts[-1].startswith("."):
        return ""
    file = Path(parts[-1].replace("\0", "_"))
    suffix = file.suffix.lower()
    if suffix not in INPUT_SUFFIXES:
        return ""
    visible = "".join(letter if letter.isprintable() else "_" for letter in file.stem)
    stem = as_identifier(visible)[:_MAX_STEM_LENGTH] or "page"
    free = (f"{stem}{number}{suffix}" for number in ("", *(f"_{n}" for n in range(2, 10_000))))
    return next(name for name in free if name.casefold() not in taken)
