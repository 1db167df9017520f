"""The interface of sources, the names of people, and saved pages on disk.

Pages that were downloaded for a name are in a collected folder, whose manifest ``results.jsonl``
has a line for every event; the last line of a rank counts. A line is on disk before the next page
is asked for, so that a download can be stopped at any moment.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import unicodedata
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from annotated_types import Ge, Le, Predicate

from weps._files import (
    LINK_OUT,
    FolderLock,
    atomic_write,
    first_existing,
    leads_out,
    open_file,
    read_bytes,
)
from weps._formatting import (
    count_of,
    error_reason,
    join_items,
    quote_text,
    short_repr,
    suggest_similar,
)
from weps._text import INVISIBLE
from weps.errors import OutputError, SourceError, told_as
from weps.records import Clustering, Page, Search, SearchResult

MAX_PAGE_BYTES = 32 * 1024 * 1024
"""Bytes read of one page; cleaning uses far fewer."""


@dataclass(frozen=True, slots=True)
class SavedContent:
    """Reads the content of a page from its file, each time that it is called."""

    file: Path
    folder: Path
    """Links that lead out of it are not followed."""

    def __call__(self, most: int = MAX_PAGE_BYTES) -> bytes:
        """The first bytes; raises an OSError if they cannot be read."""
        if leads_out(self.file, self.folder):
            raise OSError(errno.EPERM, LINK_OUT, self.file)
        with open_file(self.file) as opened:
            return opened.read(most)


def load_page(page: Page, places: Iterable[Path], folder: Path) -> Page:
    """Add the file at the first place that exists and what reads it, or why it cannot be read.

    Links that lead out of the folder are not followed. Where no place exists, the page stays as it
    is: the search result is all there is.
    """
    file = first_existing(places)
    if file is None:
        return page
    content = SavedContent(file, folder)
    try:
        content(1)
    except OSError as problem:
        reason = error_reason(problem)
        shown = reason if reason == LINK_OUT else f"cannot be read ({reason})"
        return replace(page, problem=f"{file}: {shown}")
    return replace(page, content=content, file=str(file))


class KnownNames(NamedTuple):
    """Names that are no source, such as those of stored results."""

    root: Path
    names: tuple[str, ...]


def select_names(source: Source | KnownNames, names: Sequence[str]) -> tuple[str, ...]:
    """Turn names as typed (``Thomas Baker``, ``thomas_baker``) into identifiers of a source.

    The order given is kept, a repeated name counts once, and no names at all means every name.

    Raises:
        SourceError: names that the source does not hold, all of them at once.
    """
    if not names:
        return source.names
    if len(names) == 1:
        at = bisect_left(source.names, names[0])
        if source.names[at : at + 1] == (names[0],):  # quick, as names are sorted mostly
            return (names[0],)
    identify = name_finder(source)
    found = {name: identify(name) for name in names}
    if hints := hints_at_names((typed for typed, name in found.items() if name is None), source):
        raise SourceError(
            f"no results for {'; '.join(hints)}",
            where=source.root,
            remedy=f"the names here are {join_items(source.names, most=10)}",
        )
    return tuple(dict.fromkeys(name for name in found.values() if name is not None))


def hints_at_names(unknown: Iterable[str], source: Source | KnownNames) -> list[str]:
    """Unknown names, each with those that were probably meant."""
    return [
        f"{quote_text(name)}{near and f' ({near})'}"
        for name in unknown
        for near in [suggest_similar([as_identifier(as_name(name))], source.names, 0.6)]
    ]


def name_finder(source: Source | KnownNames) -> Callable[[str], str | None]:
    """A function that gives the identifier of a name as typed, None if the source has none.

    It raises a SourceError where identifiers differ in case alone, and none is spelled as typed.
    """
    folded: dict[str, list[str]] = {}
    for name in source.names:
        folded.setdefault(_fold_name(name), []).append(name)

    def identify(typed: str) -> str | None:
        found = folded.get(_fold_name(typed), [])
        spelled = [each for each in (typed, as_identifier(as_name(typed))) if each in found]
        if len(found) > 1 and not spelled:
            raise SourceError(
                f"{quote_text(typed)} may be any of {join_items(found)}",
                where=source.root,
                remedy="give the name as it is written there",
            )
        return next(iter(spelled or found), None)

    return identify


def as_identifier(name: str) -> str:
    """Make a file name of a person's name: ``Thomas Baker`` becomes ``Thomas_Baker``."""
    composed = re.sub(r'[\s_/\\:*?"<>|\x00-\x1f\x7f]+', "_", unicodedata.normalize("NFC", name))
    return "".join(filter(str.isprintable, composed)).strip("_. ")


def as_name(text: str) -> str:
    """Write a name as a person would: without underscores or the quotes of a search string.

    Control characters and marks of direction are left out, too.
    """
    visible = re.sub(f"[{INVISIBLE}]", "", re.sub(r"[\x00-\x1f\x7f-\x9f_]", " ", text))
    return " ".join(visible.strip("\"'“”„«» ").split())


def folder_name(text: str) -> str:
    """The name of a folder or file as words: without escapes of addresses, hyphens for blanks."""
    words = unquote(text)
    if not re.search(r"[\s_]", words):
        words = re.sub(r"\+" if "+" in words else "[-.]", " ", words)
    return as_name(words) or as_name(text)


def _fold_name(name: str) -> str:
    return unicodedata.normalize("NFKC", as_identifier(as_name(name))).casefold()


@dataclass(frozen=True, repr=False)
class Source(ABC):
    """Search results for one or more names, which are read one name at a time.

    Methods accept names as :func:`select_names` does, and raise ``SourceError`` for unknown ones.

    Example:
        >>> source = weps.open_source("resources/demo")
        >>> len(source.search(source.names[0]).pages)
        30
    """

    root: Path
    names: tuple[str, ...]
    """Sorted identifiers, fit for file names: ``Thomas_Baker``."""

    def __repr__(self) -> str:
        return short_repr(self, str(self.root), self.layout, count_of(len(self.names), "name"))

    @property
    @abstractmethod
    def layout(self) -> str:
        """The kind of source: ``weps-1``, ``weps-2`` or ``folder``."""

    @abstractmethod
    def search(self, name: str) -> Search:
        """Read the pages of one name; ``Page.problem`` states why a page cannot be read.

        Raises:
            SourceError: the list of results is missing or malformed.
        """

    @abstractmethod
    def ranks(self, name: str) -> tuple[int, ...]:
        """Ranks of the results of one name, ascending, without reading their pages."""

    @abstractmethod
    def key(self, name: str) -> Clustering | None:
        """Read the gold standard of one name; None where there is none.

        Raises:
            KeyFileError: the key is malformed.
        """

    def only(self, name: str) -> Source:
        """This source with one name alone, small enough to be sent with each task."""
        return replace(self, names=select_names(self, [name]))

    def has_pages(self, name: str) -> bool:
        """Whether there are pages to read; names may be listed without this being checked."""
        return bool(select_names(self, [name]))

    def component_names(self, name: str) -> frozenset[str]:
        """The names whose pages these are: the name itself, unless it is a mixed name."""
        return frozenset(select_names(self, [name]))

    def warnings(self, name: str) -> tuple[str, ...]:
        """Faults of the data that do not prevent clustering, one sentence each."""
        select_names(self, [name])
        return ()

    def digest(self, names: Sequence[str] = ()) -> str:
        """Twelve hexadecimal digits that identify the data of a score.

        They change with the names (default: all), the ranks of their results and their keys, from
        which scores are computed; not with the order of groups in a key or the bytes of the pages.
        """
        facts = []
        for name in sorted(select_names(self, names)):
            key = self.key(name)
            groups = key and [*sorted(map(sorted, key.groups)), sorted(key.discarded)]
            facts.append((name, self.ranks(name), groups))
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:12]


def ranks_without_result(key: Clustering | None, ranks: Iterable[int]) -> tuple[int, ...]:
    """Ranks that a key, if there is one, names though the search did not return them, ascending."""
    return tuple(sorted((key.ranks | key.discarded) - set(ranks))) if key else ()


MANIFEST = "results.jsonl"
QUERIES_FILE = "queries.txt"
"""Beside it, if a search engine gave the results: what it was asked."""
PAGES_FOLDER = Path("weps-pages")
"""Default place of the folders of pages, one for each name."""
_TRACKING = re.compile(r"utm_\w+|gclid|fbclid|msclkid|dclid|yclid|mc_[ce]id|igshid", re.IGNORECASE)
"""Parameters that say where a visitor came from, and nothing about the page."""


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


@dataclass(frozen=True, slots=True)
class CollectedPage:
    """State of a result in the manifest; fields that are empty are left out of the file."""

    rank: Annotated[int, Ge(0), Le(10**6)]
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
    file: Annotated[str, Predicate(re.compile(r"[0-9]{1,9}\.(?:html|pdf|txt)").fullmatch)] = ""
    """The copy, a file in the folder."""

    @property
    def is_settled(self) -> bool:
        """Whether asking again would not help: only ``refresh`` does."""
        if self.status is PageStatus.FAILED:  # refused (4xx; 999 is in use, too), and for good
            return self.http // 100 in {4, 9} and self.http not in {408, 425, 429}
        return self.status not in {PageStatus.WAITING, PageStatus.SKIPPED}

    @property
    def is_evidence(self) -> bool:
        """Whether there is a page, or a result with words to stand for it."""
        told = self.result is not None and bool(self.result.title or self.result.snippet)
        return self.status is PageStatus.OK or told

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


def address_key(url: str) -> str:
    """Key by which results are compared: equal for the addresses of one page.

    Scheme, default port, fragment and parameters that track visitors are left out, and the other
    parameters sorted.
    """
    try:
        parts = urlsplit(url.strip())
        host = re.sub(r":(?:80|443)?$", "", parts.netloc.rpartition("@")[2].lower())
        pairs = parse_qsl(parts.query, keep_blank_values=True)
    except ValueError:  # e.g. an unclosed bracket in the host, or too many parameters
        return url.strip()
    query = urlencode(sorted(pair for pair in pairs if not _TRACKING.fullmatch(pair[0])))
    # A slash that is escaped divides nothing.
    steps = (quote(unquote(step), safe="~:@!$&'()*+,;=") for step in parts.path.split("/"))
    return f"{host}{'/'.join(steps) or '/'}{query and f'?{query}'}"


def listed_key(url: str) -> str:
    """Key by which a list and the pages that it is about are compared.

    As :func:`address_key`, without ``www.`` and the slash at the end.
    """
    return re.sub(r"/(?=\?|$)", "", address_key(url)).removeprefix("www.")


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
    """Read the manifest of a folder; fields of later versions are ignored.

    Raises:
        SourceError: it cannot be read.
    """
    from weps._schema import json_reader  # noqa: PLC0415 - only collected folders need pydantic

    if leads_out(folder / MANIFEST, folder):
        raise SourceError(LINK_OUT, where=folder / MANIFEST, remedy="replace it by the file")
    data = read_bytes(folder / MANIFEST, 200 * 1024 * 1024, SourceError)
    *lines, rest = data.split(b"\n")
    pages, damaged = dict[int, CollectedPage](), 0
    for line in filter(None, lines):
        try:
            page: CollectedPage = json_reader(CollectedPage).validate_json(line, strict=True)
        except (ValueError, TypeError, RecursionError):
            damaged += 1
        else:
            pages[page.rank] = page
    return ManifestContent(dict(sorted(pages.items())), damaged, len(data) - len(rest))


_KEPT = "free some space and run it again: downloaded pages are kept"


class Manifest(AbstractContextManager["Manifest"]):
    """A manifest that is written; a context manager, which keeps other processes out."""

    def __init__(self, folder: Path) -> None:
        """Make the folder if there is none, and drop a last line that was cut.

        Raises:
            OutputError: the folder cannot be written, or another process writes to it.
        """
        self.folder = folder
        with (
            ExitStack() as opened,
            told_as(OutputError, "cannot be written", folder / MANIFEST, _KEPT),
        ):
            opened.enter_context(FolderLock(folder, "a download"))
            if not is_collected(folder):
                atomic_write({folder / MANIFEST: b""}, private=True)
            found = read_manifest(folder)
            self._file = opened.enter_context((folder / MANIFEST).open("ab", buffering=0))
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
        with told_as(OutputError, "cannot be written", self.folder / MANIFEST, _KEPT):
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


def is_collected(folder: Path) -> bool:
    """Whether a folder has a manifest."""
    return (folder / MANIFEST).is_file()
