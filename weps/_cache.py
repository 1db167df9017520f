"""Digests: of all that a computed value depends on, the code that computes it included.

A cache's folder: it bears a tag and holds ``ab/abcd…``, one file an entry, and no more.

Nothing in a folder without our tag is ever touched, nothing beyond a symbolic link, and no file
with another kind of name.

Where a user's cache is kept.

Entries put and found again, within a limit.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import stat
import sys
import tempfile
import time
import zlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from weps.errors import OutputError

__all__ = [
    "Cache",
    "File",
    "Usage",
    "adopt",
    "default_folder",
    "digest",
    "files",
    "is_key",
    "is_ours",
    "place",
    "remove",
    "source_digest",
    "write",
]


def digest(*parts: bytes | str) -> str:
    """The SHA-256 of a sequence, in hex; sequences that differ anywhere have different digests."""
    whole = hashlib.sha256()
    for part in parts:
        kind, raw = (
            ("s", part.encode("utf-8", "surrogatepass")) if isinstance(part, str) else ("b", part)
        )
        whole.update(f"{kind}{len(raw)}:".encode())
        whole.update(raw)
    return whole.hexdigest()


@cache
def source_digest(*modules: str) -> str:
    """What changes with the source of modules and packages, and with the version of Python.

    Args:
        modules: their full names; only the packages that they are in are imported.

    Returns:
        16 hex digits.

    Raises:
        ModuleNotFoundError: if there is no such module, or it has no source.
    """
    parts: list[bytes | str] = ["{}.{}".format(*sys.version_info)]
    for module in modules:
        for name, file in _sources(module):
            parts += (module, name, file.read_bytes())
    return digest(*parts)[:16]


def _sources(module: str) -> list[tuple[str, Path]]:
    """The source files of a module or package and their names within it, in order of name."""
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.has_location or not str(spec.origin).endswith(".py"):
        raise ModuleNotFoundError(f"there is no source of a module {module!r}")
    origin = Path(str(spec.origin))
    files = origin.parent.rglob("*.py") if spec.submodule_search_locations else [origin]
    return sorted((file.relative_to(origin.parent).as_posix(), file) for file in files)


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


def default_folder() -> Path:
    """The folder that ``WEPS_CACHE`` names, else the one that the platform has for caches."""
    if chosen := os.environ.get("WEPS_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else _home() / "AppData" / "Local") / "weps" / "Cache"
    if sys.platform == "darwin":
        return _home() / "Library" / "Caches" / "weps"
    chosen = os.environ.get("XDG_CACHE_HOME", "")  # which counts, by its standard, if absolute
    return (Path(chosen) if Path(chosen).is_absolute() else _home() / ".cache") / "weps"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # a user without a home: a place where nothing can be kept
        return Path(os.devnull)


_CHECKSUM = hashlib.sha256().digest_size
_HOUR = 3600
_CHECKS = 64
"""How often the size is checked while as much is written as the limit allows."""


@dataclass(frozen=True, slots=True)
class Usage:
    """How much a cache holds."""

    entries: int
    bytes: int
    oldest: float | None
    """When that entry was used that was not used for longest, in seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Cache:
    """A folder of entries, private to its user and bounded in size."""

    folder: Path
    limit: int = 1_000_000_000
    """Bytes that entries may take. When it draws near, those go that were not used for longest."""
    _state: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def problem(self) -> str:
        """Why this process keeps nothing, empty if it does. The first look makes the folder."""
        if "problem" not in self._state:
            try:
                adopt(self.folder)
                self._state["problem"] = ""
            except OSError as error:
                self._give_up(error)
        return self._state["problem"]

    def get(self, key: str) -> bytes | None:
        """What was put under the key, or None.

        Args:
            key: made by :func:`weps._cache.digest`.

        Raises:
            ValueError: if the key is no digest.
        """
        path = self._place(key)
        try:
            found = path.lstat()
            if not stat.S_ISREG(found.st_mode):
                return None
            entry = path.read_bytes()
        except OSError:
            return None
        if entry[:_CHECKSUM] != _checksum(key, entry[_CHECKSUM:]):
            self._discard(path)
            return None
        if abs(time.time() - found.st_mtime) > _HOUR:
            with suppress(OSError):
                os.utime(path)
        return zlib.decompress(entry[_CHECKSUM:])

    def put(self, key: str, value: bytes) -> None:
        """Keep a value for later, if that is possible.

        Args:
            key: made by :func:`weps._cache.digest` from all that the value depends on.
            value: not kept if it takes more than an eighth of the limit.

        Raises:
            ValueError: if the key is no digest.
        """
        path = self._place(key)
        body = zlib.compress(value, 1)
        size = _CHECKSUM + len(body)
        if size > self.limit // 8 or self.problem:
            return
        try:
            write(path, _checksum(key, body) + body)
        except FileNotFoundError:
            return  # somebody is removing the folder
        except OSError as error:
            self._give_up(error)
        # Keys are spread evenly: the chance of a check is in proportion to the size of the entry.
        if int(key[:8], 16) * self.limit < (size * _CHECKS) << 32:
            self._prune()

    def forget(self, keys: Iterable[str]) -> int:
        """Remove entries.

        Args:
            keys: those of entries that may be there.

        Returns:
            How many were there.

        Raises:
            ValueError: if a key is no digest.
        """
        return sum(self._discard(self._place(key)) for key in set(keys))

    def usage(self) -> Usage:
        """How much the cache holds; nothing if the folder is none of ours."""
        return _usage(list(files(self.folder)))

    def clear(self) -> Usage:
        """Remove all entries and nothing else.

        Returns:
            What was removed.

        Raises:
            OutputError: if something else than a cache of weps is in its place.
        """
        if os.path.lexists(self.folder) and not is_ours(self.folder):
            raise OutputError(
                "this is no cache of weps, nothing was removed",
                where=self.folder,
                remedy="check the spelling",
            )
        return _usage([file for file in files(self.folder) if remove(file.path)])

    def _place(self, key: str) -> Path:
        if not is_key(key):
            raise ValueError(f"{key!r} is no key: keys are made by weps._cache.digest")
        return place(self.folder, key)

    def _discard(self, path: Path) -> bool:
        """Remove an entry, unless it is somebody else's file; whether it was there."""
        return is_ours(self.folder) and not path.parent.is_symlink() and remove(path)

    def _prune(self) -> None:
        """From seven eighths of the limit go down to six, least recently used entries first."""
        oldest_first = sorted(files(self.folder))
        size = sum(file.size for file in oldest_first)
        if size <= self.limit * 7 // 8:
            return
        for file in oldest_first:
            if size <= self.limit * 6 // 8:
                break
            remove(file.path)  # if it has gone already, another process prunes, too
            size -= file.size

    def _give_up(self, error: OSError) -> None:
        self._state["problem"] = (
            f"{self.folder}: what is computed from pages cannot be kept for the next time "
            f"({error.strerror}); choose another folder with --cache, or say --no-cache"
        )


def _checksum(key: str, body: bytes) -> bytes:
    return hashlib.sha256(key.encode() + body).digest()


def _usage(held: Collection[File]) -> Usage:
    size = sum(file.size for file in held)
    return Usage(len(held), size, min((file.used for file in held), default=None))
