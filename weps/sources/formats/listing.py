"""The files of a folder, each with its form, and what stands there besides."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import IO, TYPE_CHECKING

from weps._files import LINK_OUT, leads_out, list_entries, open_file
from weps._formatting import count_of, error_reason
from weps.errors import SourceError
from weps.records import UnreadInput
from weps.sources.formats.recognition import (
    HEAD_BYTES,
    PLAIN_SUFFIXES,
    Form,
    recognise,
    unknown_kind,
)

if TYPE_CHECKING:
    from pathlib import Path

_ANSWER_SUFFIX = ".clust.xml"
_OWN_SUFFIXES = (_ANSWER_SUFFIX, ".corrections.txt", ".csv", ".html", ".json")
"""Files of one answer, some of which look like saved pages."""
_KEY = "key.xml"
INDEX_NAME = "index.html"
_INDEX_MARK = b'<meta name="generator" content="weps index">'
"""In the page of all results of a folder, which may hold folders of pages, too."""
_DIGITS = re.compile(r"([0-9]+)")
_RESOURCES = re.compile(
    r"(.+?)[ _.-]?(?:archivos|arquivos|bestanden|dateien|fichiers|file|filer|files|pliki|soubory)",
    re.IGNORECASE,
)
"""What browsers call the folder with the images of a page."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file to read; a member of an archive only while the archive is open."""

    name: str
    """Its path within the source, with slashes."""
    file: str
    """The absolute path of the file, or of the archive."""
    size: int
    """In bytes."""
    open: Callable[[], IO[bytes]]
    lasting: bool = False
    """Whether it can be read later, as a file on disk."""

    def read(self, most: int) -> bytes:
        """Its first bytes."""
        with self.open() as opened:
            return opened.read(most)

    def form(self) -> Form | None:
        """What it is by its content."""
        return recognise(self.read(HEAD_BYTES), self.name)


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a folder in order of their names."""

    inputs: tuple[tuple[Entry, Form], ...]
    """What holds pages."""
    unread: tuple[UnreadInput, ...]
    """What does not; results of weps and resources of pages are not mentioned."""


def file_entry(path: Path) -> Entry:
    """A file on disk; one that is no file, such as a pipe, cannot be opened."""
    size = path.stat().st_size if path.is_file() else 0
    return Entry(path.name, str(path.absolute()), size, partial(open_file, path), lasting=True)


def list_folder(folder: Path, *, subfolders: bool = True) -> Listing:
    """List the files of a folder by their forms, and what is no page.

    Args:
        folder: any.
        subfolders: whether folders within it are listed among what is no page.

    Raises:
        SourceError: the folder cannot be listed.
    """
    inputs, unread = [], []
    items = list_entries(folder)
    own = _own_files(items)
    pages = {item.stem for item in items if item.suffix.lower() in PLAIN_SUFFIXES}
    for item in items:
        plain = item.suffix.lower() in PLAIN_SUFFIXES
        if item.name in own:
            continue
        if item.is_dir() and not plain:
            if subfolders and not is_resource_folder(item.name, pages):
                unread.append(UnreadInput(f"{item.name}/", _folder_reason(item)))
            continue
        if leads_out(item, folder):
            unread.append(UnreadInput(item.name, LINK_OUT))
            continue
        entry = file_entry(item)
        try:
            form = entry.form()
            if form is None:
                kind = unknown_kind(entry.read(HEAD_BYTES), entry.name)
                unread.append(UnreadInput(entry.name, f"not a page ({kind})"))
        except OSError as problem:
            form = Form.PAGE if plain else None  # reading it as a page says why it cannot be read
            if not plain:
                reason = f"cannot be read ({error_reason(problem)})"
                unread.append(UnreadInput(entry.name, reason))
        if form and form is not Form.OWN:
            inputs.append((entry, form))
    return Listing(tuple(inputs), tuple(unread))


def holds_plain_pages(folder: Path) -> bool:
    """Whether any file of a folder is a page by its name.

    Raises:
        SourceError: the folder cannot be listed.
    """
    items = list_entries(folder)
    own = _own_files(items)
    return any(item.suffix.lower() in PLAIN_SUFFIXES and item.name not in own for item in items)


def _own_files(items: Sequence[Path]) -> frozenset[str]:
    """The names of files that weps wrote among those of a folder, or reads as a key."""
    return own_results(item.name for item in items).union(
        item.name for item in items if is_index(item)
    )


def is_index(file: Path) -> bool:
    """Whether a file is the index of results, which weps wrote."""
    if file.name != INDEX_NAME or not file.is_file():
        return False
    with suppress(OSError), open_file(file) as opened:
        return _INDEX_MARK in opened.read(HEAD_BYTES)
    return False


def own_results(names: Iterable[str]) -> frozenset[str]:
    """The names of files that weps wrote, or reads as a key."""
    answers = [name.removesuffix(_ANSWER_SUFFIX) for name in names if name.endswith(_ANSWER_SUFFIX)]
    return frozenset((_KEY, *(answer + suffix for answer in answers for suffix in _OWN_SUFFIXES)))


def is_resource_folder(name: str, pages: Container[str]) -> bool:
    """Whether a folder holds the images and styles of a page beside it.

    Args:
        name: of the folder.
        pages: the names of the pages there, without suffix.
    """
    found = _RESOURCES.fullmatch(name)
    return found is not None and found[1] in pages


def natural_key(name: str) -> tuple[list[tuple[int, int | str]], str]:
    """Order by name with numbers compared as numbers, then by the name itself."""
    parts = _DIGITS.split(name.casefold())
    return [(0, int(part[:18])) if part.isdecimal() else (1, part) for part in parts], name


def _folder_reason(folder: Path) -> str:
    try:
        number = len(list_entries(folder))
    except SourceError as problem:
        return problem.what
    held = count_of(number, "entry", "entries")
    return f"a folder within the folder ({held}), which is not read"
