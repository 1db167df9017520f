"""A cache's folder: it bears a tag and holds ``ab/abcd…``, one file an entry, and no more.

Nothing in a folder without our tag is ever touched, nothing beyond a symbolic link, and no file
with another kind of name.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

__all__ = ["File", "adopt", "files", "is_key", "is_ours", "place", "remove", "write"]

_TAG = "CACHEDIR.TAG"
_MARK = b"Signature: 8a477f597d28d172789f06886806bc55\n# A cache of weps: "
"""How the tag begins: the sign of any cache folder (bford.info/cachedir), then ours."""
_ADVICE = b"it may be emptied at any time, best by `weps cache --clear`.\n"
_SHARD = re.compile("[0-9a-f]{2}")
_KEY = re.compile("[0-9a-f]{64}")
_FILE = re.compile(_KEY.pattern + "([.][a-z0-9_]{8})?")
"""Entries, and temporary files that were to become one."""


@dataclass(frozen=True, slots=True, order=True)
class File:
    """A file of the cache."""

    used: float
    """Seconds since the epoch."""
    path: Path
    size: int
    """Bytes."""


def is_key(text: str) -> bool:
    """Whether this is a digest, and so the name of an entry."""
    return _KEY.fullmatch(text) is not None


def place(folder: Path, key: str) -> Path:
    """The file of an entry."""
    return folder / key[:2] / key


def is_ours(folder: Path) -> bool:
    """Whether the folder bears our tag."""
    try:
        with (folder / _TAG).open("rb") as file:
            return file.read(len(_MARK)) == _MARK
    except OSError:
        return False


def adopt(folder: Path) -> None:
    """Make sure that the folder is a cache of ours, made now if need be.

    Raises:
        OSError: if it cannot be made or written, or is used for something else.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not is_ours(folder):
        if any(not path.name.startswith(_TAG) for path in folder.iterdir()):
            raise FileExistsError(0, "it holds other files")
        _write(folder / _TAG, _MARK + _ADVICE)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(0, "Permission denied")


def write(path: Path, entry: bytes) -> None:
    """Write an entry so that nobody ever reads a part of it.

    Raises:
        OSError: if it cannot be written; FileNotFoundError if the folder is just being removed.
    """
    path.parent.mkdir(mode=0o700, exist_ok=True)
    if path.parent.is_symlink():
        raise NotADirectoryError(0, f"{path.parent.name} in it is a symbolic link")
    _write(path, entry)


def _write(path: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)  # for its user only
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        with suppress(OSError):  # cleared by another process, or (Windows) read by one: no loss
            Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


def _shards(folder: Path) -> Iterator[Path]:
    """The folders of entries; none if the folder is no cache of ours. They stay for good."""
    for entry in _listed(folder) if is_ours(folder) else ():
        if _SHARD.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False):
            yield Path(entry.path)


def files(folder: Path) -> Iterator[File]:
    """The entries (and what is left of unfinished ones), in no particular order."""
    for shard in _shards(folder):
        for entry in _listed(shard):
            is_named_so = _FILE.fullmatch(entry.name) and entry.name.startswith(shard.name)
            if is_named_so and entry.is_file(follow_symlinks=False):
                with suppress(OSError):  # gone meanwhile
                    found = entry.stat(follow_symlinks=False)
                    yield File(found.st_mtime, Path(entry.path), found.st_size)


def _listed(folder: Path) -> list[os.DirEntry[str]]:
    """What the folder holds; nothing if it cannot be read or is gone."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def remove(path: Path) -> bool:
    """Remove a file; whether it was there and could be removed."""
    try:
        path.unlink()
    except OSError:
        return False
    return True
