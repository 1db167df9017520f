"""Uploads: files as a browser sends them, stored name by name, completely or not at all.

What a file is, its content decides when it is read; here, paths become harmless, and files of
several people are told apart by their folders, also by those in a ZIP archive.
"""

from __future__ import annotations

import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from filecmp import cmp
from pathlib import Path, PurePath
from typing import IO

from weps._files import list_entries, make_folder, remove_unfinished, unfinished_prefix
from weps._formatting import error_reason, join_items
from weps.errors import OutputError, SourceError
from weps.sources.base import MAX_PAGE_BYTES, as_identifier, as_name
from weps.sources.formats import DAMAGED, PLAIN_SUFFIXES, Collector, Entry
from weps.sources.formats.listing import (
    ZIP,
    list_folder,
    name_folders,
    open_zip,
    resource_files,
)
from weps.sources.opening import Folder, open_source

MAX_FILES = 2_000
"""Files of one upload."""
MAX_BYTES = 512 << 20
"""Bytes of the files of one upload, and of what an archive of several names inflates to."""
_MAX_NAME_BYTES = 100
_MAX_PART = 80
"""Characters of a part of a path."""
_MAX_DEPTH = 8
"""Folders in each other."""
_SEPARATORS = re.compile(r"[/\\]")
_FOREIGN = frozenset({"__MACOSX", "Thumbs.db", "desktop.ini"})
"""What systems put beside files."""

Upload = tuple[str, Callable[[], IO[bytes]]]
"""The path of a file as the browser sends it, and what opens it."""


def identifier_from_name(name: str) -> str:
    """The file name of a person's name as typed; raises a SourceError if it is not a name."""
    identifier = as_identifier(as_name(name))
    if not any(letter.isalpha() for letter in identifier) or not identifier.isprintable():
        raise SourceError("the person's name is missing", remedy="fill it in, e.g. Robin Averdale")
    if len(identifier.encode("utf-8", "replace")) > _MAX_NAME_BYTES:
        raise SourceError("the name is too long", remedy="shorten it")
    return identifier


@contextmanager
def staged_uploads(
    files: Iterable[Upload], name: str, folder: Path
) -> Iterator[Mapping[str, Path]]:
    """Files in a place from which they can be moved, removed afterwards.

    Args:
        files: their paths only serve for cleaned names.
        name: of the person that all of them are about; empty if their folders say it.
        folder: on the same file system as the final place.

    Yields:
        For each name, as an identifier, the folder of its files.

    Raises:
        SourceError: if no file holds pages, there are too many, or a name is missing.
        OutputError: if they cannot be written.
    """
    if folder.is_symlink():
        what = "is a symbolic link, which is not followed"
        raise OutputError(what, where=folder, remedy="replace it by a folder")
    identifier = identifier_from_name(name) if name.strip() else ""
    try:
        make_folder(folder, private=True)
        remove_unfinished(folder)
        with tempfile.TemporaryDirectory(".tmp", unfinished_prefix(), folder) as place:
            tree = Path(place) / "tree"
            _save({tree: files}, flat=bool(identifier))
            if identifier:
                _require_pages(tree)
            yield {identifier: tree} if identifier else _folders_of_names(tree)
    except OSError as error:
        what = f"the files cannot be saved ({error_reason(error)})"
        remedy = "check the free space and the permissions"
        raise OutputError(what, where=folder, remedy=remedy) from error


def move_files(staged: Path, folder: Path) -> None:
    """Move files into a folder, under other names where other files have these.

    Raises:
        OutputError: if they cannot be moved, or the folder is a symbolic link.
    """
    if folder.is_symlink():
        what = "is a symbolic link, which is not followed"
        raise OutputError(what, where=folder, remedy="replace it by a folder")
    try:
        make_folder(folder.parent, private=True)
        if not folder.exists():
            staged.rename(folder)
            return
        taken = {each.name.casefold() for each in folder.iterdir()}
        for path in list_entries(staged):
            same = folder / path.name
            if not (same.is_file() and path.is_file() and cmp(path, same, shallow=False)):
                path.rename(folder / _free_name(path.name, taken))
    except OSError as error:
        what = f"the files cannot be saved ({error_reason(error)})"
        raise OutputError(what, where=folder, remedy="check the permissions") from error


def _save(files_of: Mapping[Path, Iterable[Upload]], *, flat: bool = False) -> None:
    """Write files below folders, without those that are hidden or belong to a page.

    Args:
        files_of: folder, which is made → its files.
        flat: whether all go into the folder itself.

    Raises:
        SourceError: there are too many.
    """
    number = size = 0
    for root, files in files_of.items():
        root.mkdir(parents=True)
        paths = [
            (PurePath(*parts), opened) for path, opened in files if (parts := _clean_parts(path))
        ]
        resources = resource_files(path for path, _ in paths)
        taken = defaultdict[Path, set[str]](set)
        for path, opened in ((path, opened) for path, opened in paths if path not in resources):
            number += 1
            if number > MAX_FILES:
                raise SourceError(f"more than {MAX_FILES:,} files", remedy="drop fewer at a time")
            folder = root if flat else root / path.parent
            folder.mkdir(parents=True, exist_ok=True)
            place = folder / _free_name(path.name, taken[folder])
            most = MAX_PAGE_BYTES if place.suffix in PLAIN_SUFFIXES else MAX_BYTES + 1
            with opened() as content, place.open("xb") as file:
                while most > 0 and (part := content.read(1 << 20)):
                    most -= file.write(part)
                    size += len(part)
                    if size > MAX_BYTES:
                        what = f"more than {MAX_BYTES >> 20} MB"
                        raise SourceError(what, remedy="drop fewer files at a time")


def _clean_parts(path: str) -> tuple[str, ...]:
    """The parts of a path, harmless as names of files; none if the file is hidden.

    Suffixes are kept, in lower case.
    """
    parts = [part for part in _SEPARATORS.split(path) if part not in {"", ".", ".."}]
    hidden = any(part.startswith(".") or part in _FOREIGN for part in parts)
    cleaned: list[str] = []
    for part in [] if hidden or len(parts) > _MAX_DEPTH else parts:
        visible = "".join(letter if letter.isprintable() else "_" for letter in part)
        suffix = PurePath(visible).suffix.lower()
        if len(suffix) >= _MAX_PART or as_identifier(suffix[1:]) != suffix[1:]:
            suffix = ""
        stem = as_identifier(PurePath(visible).stem if suffix else visible)[:_MAX_PART] or "page"
        cleaned.append(f"{stem}{suffix}")
    return tuple(cleaned)


def _free_name(name: str, taken: set[str]) -> str:
    """The name, or one like it if it is taken; it is taken afterwards. Numbers stay numbers."""
    path = Path(name)
    stem, suffix, number = path.stem, path.suffix, 1
    if stem.isdecimal() and name.casefold() in taken:
        numbers = (each.partition(".")[0] for each in taken)
        number = max(int(each) for each in numbers if each.isdecimal())
    while name.casefold() in taken:
        number += 1
        name = f"{number:0{len(stem)}}{suffix}" if stem.isdecimal() else f"{stem}_{number}{suffix}"
    taken.add(name.casefold())
    return name


def _require_pages(folder: Path) -> None:
    """Raise a SourceError, with the reasons, if no file of a folder holds pages."""
    listing = list_folder(folder)
    if not listing.inputs:
        raise _nothing_to_read(f"{each.name}: {each.reason}" for each in listing.unread)


def _nothing_to_read(reasons: Iterable[str]) -> SourceError:
    found = join_items(reasons, most=5)
    return SourceError(
        "there are no saved pages or archives of them in what was dropped",
        remedy=found or "drop the folder that contains them",
    )


def _folders_of_names(tree: Path) -> dict[str, Path]:
    """The folders of files that were stored without a name."""
    root, found = tree, dict[str, Path]()
    while len(entries := list_entries(root)) == 1 and entries[0].is_dir():
        root = entries[0]
    files = [each for each in entries if each.is_file()]
    if files == [*entries] and len(files) == 1 and Entry.of_file(files[0]).form() is ZIP:
        found = _unpack(files[0], tree.with_name("unpacked"))
    if found:
        return found
    if files and root == tree:
        _require_pages(root)
        identifier_from_name("")  # raises an error: it is missing
    try:
        source = open_source(root)
    except SourceError as error:
        raise _nothing_to_read([error.what]) from None
    if not isinstance(source, Folder):
        what, remedy = "this is a WePS corpus", "cluster it with `weps cluster`"
        raise SourceError(what, remedy=remedy)
    return {identifier_from_name(name): place for place, name in source.places}


def _unpack(file: Path, folder: Path) -> dict[str, Path]:
    """Write the members of an archive with a folder for each name, as if they were uploaded."""
    try:
        parts = [part for part in name_folders(file) if part]
    except SourceError as error:  # which names the temporary file
        raise _nothing_to_read([f"{file.name}: {error.remedy}"]) from None
    entry, skipped = Entry.of_file(file), Collector(file.name, str(file), "member")
    found: dict[str, Path] = {}
    files_of: dict[Path, list[Upload]] = {}
    with open_zip(entry, skipped) as members:
        for number, part in enumerate(parts):
            place, start = folder / str(number), f"{part}/"
            inside = (each for each in members if each.name.startswith(start))
            files_of[place] = [(each.name.removeprefix(start), each.open) for each in inside]
            found[identifier_from_name(PurePath(part).name)] = place
        try:
            _save(files_of)
        except DAMAGED as error:
            raise SourceError(f"damaged ({error})", where=file.name) from None
    skipped.tell_counts()
    if parts and skipped.unread:
        what = f"cannot be unpacked: {join_items(each.reason for each in skipped.unread)}"
        raise SourceError(what, where=file.name, remedy="unpack it, and drop the folder")
    return found
