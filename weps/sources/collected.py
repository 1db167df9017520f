"""Collected folders: pages that were downloaded for a name, and what became of every result.

The manifest ``results.jsonl`` has a line for every event; the last line of a rank counts. A line is
on disk before the next page is asked for, so that a download can be stopped at any moment.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from io import FileIO
from pathlib import Path
from typing import Any, NamedTuple, Self
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from weps._files import LINK_OUT, FolderLock, atomic_write, leads_out, read_bytes
from weps._formatting import error_reason
from weps.errors import OutputError, SourceError
from weps.records import SearchResult

MANIFEST = "results.jsonl"
QUERIES_FILE = "queries.txt"
"""Beside it, if a search engine gave the results: what it was asked."""
PAGES_FOLDER = Path("weps-pages")
"""Default place of the folders of pages, one for each name."""
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


_SETTLED = {PageStatus.OK, PageStatus.KEPT_OUT, PageStatus.BLOCKED, PageStatus.NOT_A_PAGE}
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
        shown = asdict(self, dict_factory=lambda pairs: {key: each for key, each in pairs if each})
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
        found: dict[str, Any] = {
            each.name: data[each.name]
            for each in fields(cls)
            if each.name in data and type(data[each.name]) is type(each.default)
        }
        rank, file, result = data.get("rank"), found.get("file", ""), data.get("result")
        if type(rank) is not int or not 0 <= rank <= 10**6:
            raise ValueError("no rank")
        if file and not _FILE_NAME.fullmatch(file):
            raise ValueError("the file is not one of this folder")
        if isinstance(result, dict):
            texts = {name: str(result.get(name, "")) for name in ("url", "title", "snippet")}
            engines = tuple(map(str, result.get("engines", ())))
            found["result"] = SearchResult(**texts, engines=engines)
        status = PageStatus(str(data.get("status")))
        return cls(**found | {"rank": rank, "id": str(data.get("id", "")), "status": status})


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
    return f"{host}{'/'.join(steps) or '/'}{query and f'?{query}'}"


def address_id(url: str) -> str:
    """16 hexadecimal digits for all addresses with one :func:`address_key`."""
    return hashlib.sha256(address_key(url).encode("utf-8", "replace")).hexdigest()[:16]


class ManifestContent(NamedTuple):
    """A manifest, read."""

    pages: Mapping[int, CollectedPage]
    """Rank → state, ascending; the last line of a rank counts."""
    damaged: int
    """Lines that could not be read; a last line without its end is none of them."""
    whole: int
    """Bytes up to the end of the last whole line."""


def read_manifest(folder: Path) -> ManifestContent:
    """Read the manifest of a folder.

    Raises:
        SourceError: it cannot be read.
    """
    if leads_out(folder / MANIFEST, folder):
        raise SourceError(LINK_OUT, where=folder / MANIFEST, remedy="replace it by the file")
    data = read_bytes(folder / MANIFEST, 200 * 1024 * 1024, SourceError)
    *lines, rest = data.split(b"\n")
    pages, damaged = dict[int, CollectedPage](), 0
    for line in filter(None, lines):
        try:
            page = CollectedPage.from_line(line)
        except (ValueError, TypeError, RecursionError):
            damaged += 1
        else:
            pages[page.rank] = page
    return ManifestContent(dict(sorted(pages.items())), damaged, len(data) - len(rest))


class Manifest(AbstractContextManager["Manifest"]):
    """A manifest that is written; a context manager, which keeps other processes out."""

    def __init__(self, folder: Path) -> None:
        """Make the folder if there is none, and drop a last line that was cut.

        Raises:
            OutputError: the folder cannot be written, or another process writes to it.
        """
        self.folder = folder
        with ExitStack() as opened, _reporting(folder):
            opened.enter_context(FolderLock(folder, "a download"))
            if not is_collected(folder):
                atomic_write({folder / MANIFEST: b""}, private=True)
            found = read_manifest(folder)
            self._file: FileIO = opened.enter_context((folder / MANIFEST).open("ab", buffering=0))
            self._file.truncate(found.whole)
            self._opened = opened.pop_all()
        self.pages = dict(found.pages)

    def append(self, *pages: CollectedPage) -> None:
        """Add lines, and return when they are on disk; all of them or, after an error, none.

        Raises:
            OutputError: they cannot be written.
        """
        lines = b"".join(page.as_line() for page in pages)
        begun = self._file.seek(0, os.SEEK_END)
        with _reporting(self.folder):
            try:
                while lines:
                    lines = lines[self._file.write(lines) or 0 :]
                os.fsync(self._file.fileno())
            except OSError:
                self._file.truncate(begun)
                raise
        self.pages |= {page.rank: page for page in pages}

    def __exit__(self, *_: object) -> None:
        self._opened.close()


@contextmanager
def _reporting(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        raise OutputError(
            f"cannot be written ({error_reason(problem)})",
            where=folder / MANIFEST,
            remedy="free some space and run it again: downloaded pages are kept",
        ) from problem


def is_collected(folder: Path) -> bool:
    """Whether a folder has a manifest."""
    return (folder / MANIFEST).is_file()
