"""Pages that come in from the browser: put into the folder of their name, whole or not at all."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from weps.errors import OutputError, SourceError
from weps.placing import make_folder
from weps.sources.folder import SUFFIXES
from weps.sources.messages import reason
from weps.sources.pages import MAX_PAGE_BYTES
from weps.sources.selecting import as_identifier, as_name

__all__ = ["MOST_BYTES", "MOST_FILES", "identifier_of", "receive"]

MOST_FILES = 500
"""Pages of one name."""
MOST_BYTES = 256 << 20
"""Of all pages of one name together."""
_LONGEST_NAME = 100
_LONGEST_STEM = 80
_DEEPEST = 2
"""Parts of the path of a page: the dropped folder and the file. What lies deeper are the parts of
a saved page (``page_files/frame.html``)."""
_SEPARATORS = re.compile(r"[/\\]")


def identifier_of(name: str) -> str:
    """The file name of a person's name as typed.

    Raises:
        SourceError: if it is none, or no name.
    """
    identifier = as_identifier(as_name(name))
    if not any(letter.isalpha() for letter in identifier) or not identifier.isprintable():
        raise SourceError("the person's name is missing", remedy="fill it in, e.g. Robin Averdale")
    if len(identifier.encode("utf-8", "replace")) > _LONGEST_NAME:
        raise SourceError("the name is too long", remedy="shorten it")
    return identifier


def receive(files: Iterable[tuple[str, BinaryIO]], folder: Path) -> tuple[str, ...]:
    """Save pages as ``folder``, which is not there yet.

    Args:
        files: the path of each as the browser tells it, and its content.
        folder: where to; nothing of the paths but the cleaned name of a file becomes part of it.

    Returns:
        The names under which the pages are saved.

    Raises:
        SourceError: no pages among the files, or more than is taken.
        OutputError: if they cannot be written, or would be written elsewhere.
    """
    if folder.parent.is_symlink():
        raise OutputError(
            "is a symbolic link, beyond which nothing is saved",
            where=folder.parent,
            remedy="put a folder in its place",
        )
    try:
        make_folder(folder.parent)
        with tempfile.TemporaryDirectory(prefix=".", dir=folder.parent) as place:
            unfinished = Path(place) / "pages"
            unfinished.mkdir()
            names = _save(files, unfinished)
            unfinished.rename(folder)
    except OSError as error:
        raise OutputError(
            f"the pages cannot be saved ({reason(error)})",
            where=folder,
            remedy="see that there is room and that you may write there",
        ) from error
    return names


def _save(files: Iterable[tuple[str, BinaryIO]], folder: Path) -> tuple[str, ...]:
    names: list[str] = []
    room = MOST_BYTES
    for path, content in files:
        name = _file_name(path, {known.casefold() for known in names})
        if not name:
            continue
        if len(names) == MOST_FILES:
            raise SourceError(f"more than {MOST_FILES} pages", remedy="drop fewer at a time")
        names.append(name)
        room -= _copy(content, folder / name)
        if room < 0:
            raise SourceError(
                f"more than {MOST_BYTES >> 20} MB of pages", remedy="drop fewer at a time"
            )
    if not names:
        raise SourceError(
            "there are no saved pages (*.html, *.htm, *.txt) directly in what was dropped",
            remedy="drop the folder that holds them",
        )
    return tuple(names)


def _copy(content: BinaryIO, path: Path) -> int:
    """Copy as much as is ever read of a page, and how much that was."""
    size = 0
    with path.open("xb") as file:
        while size < MAX_PAGE_BYTES and (part := content.read(1 << 20)):
            size += file.write(part)
    return size


def _file_name(path: str, taken: set[str]) -> str:
    """A harmless file name for the page, empty if this is no page. It keeps the page's number."""
    parts = [part for part in _SEPARATORS.split(path) if part not in {"", "."}]
    if not parts or len(parts) > _DEEPEST or parts[-1].startswith("."):
        return ""
    file = Path(parts[-1].replace("\0", "_"))
    suffix = file.suffix.lower()
    if suffix not in SUFFIXES:
        return ""
    visible = "".join(letter if letter.isprintable() else "_" for letter in file.stem)
    stem = as_identifier(visible)[:_LONGEST_STEM] or "page"
    free = (f"{stem}{number}{suffix}" for number in ("", *(f"_{n}" for n in range(2, 10_000))))
    return next(name for name in free if name.casefold() not in taken)
