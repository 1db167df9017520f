"""Entries put and found again, within a limit."""

from __future__ import annotations

import hashlib
import os
import stat
import time
import zlib
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from weps.cache.folder import (
    File,
    adopt,
    files,
    is_key,
    is_ours,
    place,
    remove,
    write,
)
from weps.errors import OutputError

__all__ = ["Cache", "Usage"]

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
            key: made by :func:`weps.cache.digest`.

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
            key: made by :func:`weps.cache.digest` from all that the value depends on.
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
            raise ValueError(f"{key!r} is no key: keys are made by weps.cache.digest")
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
