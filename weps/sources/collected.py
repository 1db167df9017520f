"""Collected folders: pages that were downloaded for a name, and what became of every result.

The manifest ``results.jsonl`` has a line for every event; the last line of a rank counts. A line is
on disk before the next page is asked for, so that a download can be stopped at any moment.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from weps._files import LINK_OUT, atomic_write, leads_out, list_entries, read_bytes
from weps._formatting import count_of, error_reason
from weps._locking import FolderLock
from weps.errors import OutputError, SourceError
from weps.records import Page, Search, SearchResult, UnreadInput
from weps.sources.base import load_page
from weps.sources.folder import LOOKED_INTO, Folder
from weps.sources.formats.listing import list_folder
from weps.sources.formats.pdf import convert_pdf

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from io import FileIO
    from typing import Self

MANIFEST = "results.jsonl"
QUERIES_FILE = "queries.txt"
"""Beside it, if a search engine gave the results: what it was asked."""
PAGES_FOLDER = Path("weps-pages")
"""Default place of the folders of pages, one for each name."""
_MAX_MANIFEST = 200 * 1024 * 1024
_MAX_RANK = 10**6
_TRACKING = re.compile(r"utm_\w+|gclid|fbclid|msclkid|dclid|yclid|mc_[ce]id|igshid", re.IGNORECASE)
"""Parameters that say where a visitor came from, and nothing about the page."""
_DEFAULT_PORT = re.compile(r":(?:80|443)?$")
_FILE_NAME = re.compile(r"[0-9]{1,9}\.(?:html|pdf|txt)")


class PageStatus(StrEnum):
    """Outcome of a result."""

    OK = "ok"
    """The page is saved."""
    WAITING = "waiting"
    """Not asked for yet."""
    FAILED = "failed"
    """No page came: an error of the connection or of the server."""
    KEPT_OUT = "kept out"
    """The site's ``robots.txt`` asks programs to stay away."""
    SKIPPED = "skipped"
    """Deliberately not asked for, or no page of its own."""
    BLOCKED = "blocked"
    """Something else came than the page: a challenge, a wall of consent, a page of error."""
    NOT_A_PAGE = "not a page"
    """The address leads to an image, a film or the like."""


_SETTLED = frozenset(
    (PageStatus.OK, PageStatus.KEPT_OUT, PageStatus.BLOCKED, PageStatus.NOT_A_PAGE)
)
_PASSING_REFUSALS = frozenset((408, 425, 429))
"""Refusals (4xx; 999 is in use, too) of a request that may succeed later."""


@dataclass(frozen=True, slots=True)
class CollectedPage:
    """State of a result in the manifest; fields that are empty are left out of the file."""

    rank: int
    """Number from 1, in the order in which the results were first seen."""
    id: str
    """Identifier of the address that was asked for, see :func:`address_id`."""
    status: PageStatus
    result: SearchResult | None = None
    """Absent where the terms of the search engine forbid to keep it."""
    http: int = 0
    """The status code of the last answer; 304 if an earlier copy is still valid."""
    note: str = ""
    """Why there is no page, or what is the matter with it."""
    url: str = ""
    """The address that the page came from, after redirects."""
    type: str = ""
    """The media type, without parameters."""
    charset: str = ""
    """The charset that the server declared."""
    fetched: str = ""
    """Time of the copy: ISO 8601, UTC."""
    etag: str = ""
    last_modified: str = ""
    """Header by which, with ``etag``, the server recognises this version."""
    length: int = 0
    """Bytes of the copy."""
    cut: bool = False
    """Whether the page is longer than the copy."""
    sha256: str = ""
    """Digest of the copy."""
    text: str = ""
    """Digest of the visible text, by which one page at several addresses is recognised."""
    file: str = ""
    """The copy, a file in the folder."""

    @property
    def is_settled(self) -> bool:
        """Whether asking again would not help: only ``refresh`` does."""
        refused = self.http // 100 in {4, 9} and self.http not in _PASSING_REFUSALS
        return self.status in _SETTLED or (self.status is PageStatus.FAILED and refused)

    @property
    def is_evidence(self) -> bool:
        """Whether there is a page, or a result to stand for it."""
        return self.status is PageStatus.OK or self.result is not None

    @property
    def problem(self) -> str:
        """Why there is no page; empty if there is one."""
        if self.status is PageStatus.OK:
            return ""
        return f"{self.status}: {self.note}" if self.note else str(self.status)

    def as_line(self) -> bytes:
        """The line of the manifest."""
        shown = {name: value for name, value in asdict(self).items() if value}
        if self.result:
            shown["result"] = {name: value for name, value in shown["result"].items() if value}
        return json.dumps(shown, ensure_ascii=False).encode("utf-8", "replace") + b"\n"

    @classmethod
    def from_line(cls, line: bytes) -> Self:
        """Read a line of the manifest.

        Raises:
            ValueError: the line is none.
        """
        data = json.loads(line)
        if not isinstance(data, dict):
            raise ValueError("not an object")
        known = {each.name: each.default for each in fields(cls)}
        found: dict[str, Any] = {
            name: data[name]
            for name, default in known.items()
            if name in data and type(data[name]) is type(default)
        }
        rank, file = data.get("rank"), found.get("file", "")
        if type(rank) is not int or not 0 <= rank <= _MAX_RANK:
            raise ValueError("no rank")
        if file and not _FILE_NAME.fullmatch(file):
            raise ValueError("the file is not one of this folder")
        result = data.get("result")
        found |= {
            "rank": rank,
            "id": str(data.get("id", "")),
            "status": PageStatus(str(data.get("status"))),
            "result": _read_result(result) if isinstance(result, dict) else None,
        }
        return cls(**found)


def _read_result(data: Mapping[str, Any]) -> SearchResult:
    url, title, snippet = (str(data.get(name, "")) for name in ("url", "title", "snippet"))
    engines = data.get("engines", ())
    return SearchResult(url, title, snippet, tuple(map(str, engines)))


def address_key(url: str) -> str:
    """Key by which results are compared: equal for the addresses of one page.

    Scheme, default port, fragment and parameters that track visitors are left out, and the other
    parameters sorted.
    """
    try:
        parts = urlsplit(url.strip())
        host = _DEFAULT_PORT.sub("", parts.netloc.rpartition("@")[2].lower())
        pairs = parse_qsl(parts.query, keep_blank_values=True)
    except ValueError:  # e.g. an unclosed bracket in the host, or too many parameters
        return url.strip()
    query = urlencode(sorted(pair for pair in pairs if not _TRACKING.fullmatch(pair[0])))
    # A slash that is escaped divides nothing.
    steps = (quote(unquote(step), safe="~:@!$&'()*+,;=") for step in parts.path.split("/"))
    path = "/".join(steps) or "/"
    return f"{host}{path}?{query}" if query else f"{host}{path}"


def address_id(url: str) -> str:
    """16 hexadecimal digits for all addresses with one :func:`address_key`."""
    return hashlib.sha256(address_key(url).encode("utf-8", "replace")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class ManifestContent:
    """A manifest, read."""

    pages: Mapping[int, CollectedPage]
    """Rank → state, ascending; the last line of a rank counts."""
    damaged: int = 0
    """Lines that could not be read; a last line without its end is none of them."""
    whole: int = 0
    """Bytes up to the end of the last whole line."""


def read_manifest(folder: Path) -> ManifestContent:
    """Read the manifest of a folder.

    Raises:
        SourceError: it cannot be read.
    """
    if leads_out(folder / MANIFEST, folder):
        raise SourceError(LINK_OUT, where=folder / MANIFEST, remedy="replace it by the file")
    data = read_bytes(folder / MANIFEST, _MAX_MANIFEST, SourceError)
    *lines, rest = data.split(b"\n")
    pages: dict[int, CollectedPage] = {}
    damaged = 0
    for line in filter(None, lines):
        try:
            page = CollectedPage.from_line(line)
        except (ValueError, TypeError, RecursionError):
            damaged += 1
        else:
            pages[page.rank] = page
    return ManifestContent(dict(sorted(pages.items())), damaged, len(data) - len(rest))


class Manifest:
    """A manifest that is written; a context manager, which keeps other processes out."""

    def __init__(self, folder: Path) -> None:
        """Make the folder if there is none, and drop a last line that was cut.

        Raises:
            OutputError: the folder cannot be written, or another process writes to it.
        """
        self._lock = FolderLock(folder, "a download")
        self.folder = folder
        try:
            if not (folder / MANIFEST).exists():
                atomic_write({folder / MANIFEST: b""}, private=True)
            found = read_manifest(folder)
            with self._reporting(MANIFEST):
                self._file: FileIO = (folder / MANIFEST).open("ab", buffering=0)
                self._file.truncate(found.whole)
        except BaseException:
            self._lock.release()
            raise
        self.pages = dict(found.pages)

    def append(self, *pages: CollectedPage) -> None:
        """Add lines, and return when they are on disk; all of them or, after an error, none.

        Raises:
            OutputError: they cannot be written.
        """
        lines = b"".join(page.as_line() for page in pages)
        begun = self._file.seek(0, os.SEEK_END)
        with self._reporting(MANIFEST):
            try:
                written = 0
                while written < len(lines):
                    written += self._file.write(lines[written:]) or 0
                os.fsync(self._file.fileno())
            except OSError:
                self._file.truncate(begun)
                raise
        self.pages |= {page.rank: page for page in pages}

    def save(self, name: str, content: bytes | bytearray) -> None:
        """Write a file of the folder, whole or not at all, and return when it is on disk.

        Raises:
            OutputError: it cannot be written.
        """
        atomic_write({self.folder / name: content}, private=True)

    @contextmanager
    def _reporting(self, name: str) -> Iterator[None]:
        try:
            yield
        except OSError as problem:
            raise OutputError(
                f"cannot be written ({error_reason(problem)})",
                where=self.folder / name,
                remedy="free some space and run it again: downloaded pages are kept",
            ) from problem

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._lock.release()


@dataclass(frozen=True, repr=False)
class Collected(Folder):
    """Collected folders, one or one subfolder per name; the latter may hold plain pages, too."""

    layout: ClassVar[str] = "collected"

    @classmethod
    def open(cls, root: Path, name: str | None = None) -> Self | None:
        """List the names; None if neither the folder nor a subfolder is a collected one.

        Of very many subfolders, which are read one by one, any may be.
        """
        places = [root, *(item for item in list_entries(root) if item.is_dir())]
        known = len(places) > LOOKED_INTO or any(map(is_collected, places))
        return super().open(root, name) if known else None

    @staticmethod
    def holds_pages(folder: Path, *, plain: bool = False) -> bool:
        """Whether the folder is that of a name."""
        return is_collected(folder) or Folder.holds_pages(folder, plain=plain)

    def search(self, name: str) -> Search:
        """Read the pages of one name.

        A result without a page keeps its title and snippet; without these it is listed among what
        could not be read, as are files that were not downloaded.

        Raises:
            SourceError: there is neither a page nor a result that was kept.
        """
        where = self._index(name)
        folder = self.folders[where]
        if not is_collected(folder):
            return super().search(name)
        manifest = read_manifest(folder)
        states = manifest.pages.values()
        found = [*_with_text([_read_page(each, folder) for each in states if each.is_evidence])]
        if not found:
            raise SourceError("no page was downloaded", where=folder, remedy="see results.jsonl")
        unread = [
            UnreadInput(each.url or f"result {each.rank}", each.problem)
            for each in states
            if not each.is_evidence
        ]
        return Search(
            self.searched[where], tuple(found), (*unread, *_strange_files(folder, states))
        )

    def ranks(self, name: str) -> tuple[int, ...]:
        """Ranks of the results of one name, ascending."""
        folder = self.folders[self._index(name)]
        if not is_collected(folder):
            return super().ranks(name)
        pages = read_manifest(folder).pages
        return tuple(rank for rank, page in pages.items() if page.is_evidence)

    def warnings(self, name: str) -> tuple[str, ...]:
        """Report lines of the manifest that cannot be read."""
        folder = self.folders[self._index(name)]
        if not is_collected(folder):
            return super().warnings(name)
        if not (damaged := read_manifest(folder).damaged):
            return ()
        return (f"{folder / MANIFEST}: {count_of(damaged, 'line')} could not be read",)


def is_collected(folder: Path) -> bool:
    """Whether a folder has a manifest."""
    return (folder / MANIFEST).is_file()


def _read_page(state: CollectedPage, folder: Path) -> Page:
    """The page of a result, or the result alone with the reason why there is no more."""
    result = state.result or SearchResult(state.url)
    alone = Page(state.rank, result.url, result.title, result.snippet, problem=state.problem)
    if state.problem:
        return alone
    path = folder / state.file
    page = load_page(replace(alone, url=state.url, charset=state.charset), [path], folder)
    if page.content is None:
        return replace(alone, problem=page.problem or f"{path}: the saved copy is gone")
    return replace(page, fetched=state.fetched)


def _with_text(pages: list[Page]) -> Iterator[Page]:
    """The pages with PDF files as HTML; of those that cannot be read the result alone."""
    for page, text in zip(pages, convert_pdf(pages), strict=True):
        yield text if isinstance(text, Page) else replace(page, content=None, problem=text)


def _strange_files(folder: Path, states: Iterable[CollectedPage]) -> Iterator[UnreadInput]:
    """Files that somebody put among those that were downloaded."""
    known = {QUERIES_FILE, MANIFEST, *(state.file for state in states)}
    for entry, _ in list_folder(folder).inputs:
        if entry.name not in known:
            reason = "was not downloaded; to include it, put it into a folder of its own"
            yield UnreadInput(entry.name, reason)
