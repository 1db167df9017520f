"""The files of a folder, each with its format, and what stands there besides."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath

from weps._files import LINK_OUT, leads_out, list_entries, open_file
from weps._formatting import count_of, error_reason
from weps.errors import SourceError
from weps.records import UnreadInput
from weps.sources.formats import HEAD_BYTES, PLAIN_SUFFIXES, Entry, Format
from weps.sources.formats.pages import SAVED_PAGE

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
"""Names that browsers give to the folder with the images of a page."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a folder in order of their names."""

    inputs: tuple[tuple[Entry, Format], ...]
    """Files with pages."""
    unread: tuple[UnreadInput, ...]
    """Other files; results of weps and resources of pages are not mentioned."""


def list_folder(folder: Path, *, subfolders: bool = True) -> Listing:
    """List the files of a folder by their formats, and what is no page.

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
        if item.name in own:
            continue
        if item.is_dir() and item.suffix.lower() not in PLAIN_SUFFIXES:
            if subfolders and not is_resource_folder(item.name, pages):
                unread.append(UnreadInput(f"{item.name}/", _folder_reason(item)))
            continue
        form = _form_or_reason(item, folder)
        if isinstance(form, str):
            unread.append(UnreadInput(item.name, form))
        elif not form.is_own:
            inputs.append((Entry.of_file(item), form))
    return Listing(tuple(inputs), tuple(unread))


def _form_or_reason(file: Path, folder: Path) -> Format | str:
    """The format of a file; or why it holds no page, as far as its start tells."""
    if leads_out(file, folder):
        return LINK_OUT
    try:
        entry = Entry.of_file(file)
        return entry.form() or f"not a page ({entry.unknown_kind()})"
    except OSError as problem:
        if file.suffix.lower() in PLAIN_SUFFIXES:
            return SAVED_PAGE  # reading it as a page says why it cannot be read
        return f"cannot be read ({error_reason(problem)})"


def _folder_reason(folder: Path) -> str:
    try:
        held = count_of(len(list_entries(folder)), "entry", "entries")
    except SourceError as problem:
        return problem.what
    return f"a folder within the folder ({held}), which is not read"


def holds_plain_pages(folder: Path) -> bool:
    """Whether any file of a folder is a page by its name.

    Raises:
        SourceError: the folder cannot be listed.
    """
    items = list_entries(folder)
    own = _own_files(items)
    return any(item.suffix.lower() in PLAIN_SUFFIXES and item.name not in own for item in items)


def _own_files(items: Iterable[Path]) -> frozenset[str]:
    """The names of files that weps wrote among those of a folder, or reads as a key."""
    return own_results([item.name for item in items]).union(
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
    match = _RESOURCES.fullmatch(name)
    return match is not None and match[1] in pages


def resource_files(files: Iterable[PurePath]) -> set[PurePath]:
    """Files, among several, in a folder with the images and styles of a page beside it."""
    paths = list(files)
    pages: defaultdict[PurePath, set[str]] = defaultdict(set)
    for path in paths:
        if path.suffix.lower() in PLAIN_SUFFIXES:
            pages[path.parent].add(path.stem)
    return {
        path
        for path in paths
        if any(is_resource_folder(each.name, pages.get(each.parent, ())) for each in path.parents)
    }


def natural_key(name: str) -> tuple[list[tuple[int, int | str]], str]:
    """Order by name with numbers compared as numbers, then by the name itself."""
    parts = _DIGITS.split(name.casefold())
    return [(0, int(part[:18])) if part.isdecimal() else (1, part) for part in parts], name
