"""The cache of read pages: one SQLite database on disk.

A cache is a convenience: no error in it stops a run or changes a result. Damaged entries count as
absent, a damaged database is replaced, and what cannot be read or written is reported by
:attr:`Cache.problem`. Any number of processes and threads may use one folder at once.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import sqlite3
import stat
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from weps._files import open_file, resource_path
from weps.errors import OutputError

Result = TypeVar("Result")

_TAG = "CACHEDIR.TAG"
_SIGNATURE = b"Signature: 8a477f597d28d172789f06886806bc55\n# A cache of weps: "
"""Start of the tag: the signature of any cache folder (bford.info/cachedir), then that of weps."""
_DATABASE = "entries.sqlite3"
_FORMAT = 1
_SCHEMA = f"""
    BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS entries (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE,
        used INTEGER NOT NULL, size INTEGER NOT NULL, value BLOB NOT NULL);
    CREATE INDEX IF NOT EXISTS entries_by_use ON entries (used, size);
    PRAGMA user_version = {_FORMAT};
    COMMIT;
"""
_OCCUPIED = """SELECT (page_count - freelist_count) * page_size
    FROM pragma_page_count, pragma_freelist_count, pragma_page_size"""
"""Bytes of the database that are in use."""
_PRUNE = f"""DELETE FROM entries WHERE id IN (
    SELECT id FROM (SELECT id, SUM(size) OVER (ORDER BY used, id) - size AS older FROM entries)
    WHERE older < ({_OCCUPIED}) - ?)"""  # noqa: S608 - made of constants
"""Remove the least recently used entries until so many bytes are in use."""
_USAGE = "SELECT COUNT(*), CAST(TOTAL(size) AS INTEGER), CAST(MIN(used) AS INTEGER) FROM entries"
_LARGEST = 100_000_000
"""Bytes of a value."""
_CHECKSUM = hashlib.sha256().digest_size
_BUSY_SECONDS = 5.0
"""Wait for other processes before the database counts as locked."""

_LOCK = threading.RLock()
"""Locked while a connection is used, opened or closed."""
_CONNECTIONS: dict[tuple[int, int], sqlite3.Connection] = {}
"""Device and inode of a database → connection of this process; one at a time."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The size of a cache."""

    entries: int = 0
    bytes: int = 0
    oldest: float | None = None
    """Last use of the least recently used entry, in seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Cache:
    """A folder with a database of entries, private to its user and bounded in size.

    Keys are made by :func:`content_digest`.
    """

    folder: Path
    limit: int = 1_000_000_000
    """Bytes that the database may take. Near it, the least recently used entries are removed."""
    _state: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def problem(self) -> str:
        """Why the cache is unusable, empty if it is usable. The first access creates the folder."""
        if "problem" not in self._state:
            self._state["problem"] = ""
            try:
                with _LOCK:
                    _prepare(self.folder)
                self._row("SELECT 1")
            except OSError as error:
                self._give_up(error)
        return self._state.get("problem", "")  # a damaged database was removed: try again

    def get(self, key: str) -> bytes | None:
        """The value stored under the key, or None."""
        name = bytes.fromhex(key)
        if "unusable" in self._state:  # waiting for other processes once is enough
            return None
        row = self._row("SELECT CAST(used AS INTEGER), value FROM entries WHERE key = ?", name)
        if row is None:
            return None
        value = _value(name, row[1])
        if value is None:
            self._row("DELETE FROM entries WHERE key = ?", name)
        elif abs(time.time() - row[0]) > 86_400 and not self.problem:
            self._row("UPDATE entries SET used = ? WHERE key = ?", int(time.time()), name)
        return value

    def put(self, key: str, value: bytes) -> None:
        """Store a value, if possible.

        Args:
            key: the digest of all that the value depends on.
            value: not stored if it takes more than an eighth of the limit, or over 100 MB.
        """
        name = bytes.fromhex(key)
        body = zlib.compress(value, 1)
        entry = _checksum(name, body) + body

        def store(database: sqlite3.Connection) -> None:
            database.execute(
                "INSERT OR REPLACE INTO entries (key, used, size, value) VALUES (?, ?, ?, ?)",
                (name, int(time.time()), len(entry), entry),
            )
            if database.execute(_OCCUPIED).fetchone()[0] > self.limit * 7 // 8:
                database.execute(_PRUNE, (self.limit * 6 // 8,))

        if len(value) <= _LARGEST and len(entry) <= self.limit // 8 and not self.problem:
            self._query(store, None)

    def forget(self, keys: Iterable[str]) -> int:
        """Remove the entries of the keys from the files; returns how many there were.

        The database is written anew: where SQLite has moved an entry, a copy of it stays behind,
        which ``secure_delete`` does not overwrite.
        """
        names = [(bytes.fromhex(key),) for key in set(keys)]

        def remove(database: sqlite3.Connection) -> int:
            with database:
                database.execute("BEGIN IMMEDIATE")
                removed = database.executemany("DELETE FROM entries WHERE key = ?", names)
            if removed.rowcount > 0:
                database.execute("VACUUM")
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return max(removed.rowcount, 0)

        return self._query(remove, 0)

    def keys_of(self, wanted: Callable[[bytes], bool]) -> list[str]:
        """The keys of the entries whose values a function wants; every entry is read."""

        def find(database: sqlite3.Connection) -> list[str]:
            rows = database.execute("SELECT key, value FROM entries")
            return [key.hex() for key, entry in rows if wanted(_value(key, entry) or b"")]

        return self._query(find, [])

    def usage(self) -> Usage:
        """The size of the cache; zero if the folder is not a cache of weps."""
        return Usage(*(self._row(_USAGE) or ()))

    def clear(self) -> Usage:
        """Remove all entries and nothing else; returns what was removed.

        Raises:
            OutputError: if the folder is not a cache of weps.
        """
        if os.path.lexists(self.folder) and not _is_ours(self.folder):
            raise OutputError(
                "this is not a cache of weps, nothing was removed",
                where=self.folder,
                remedy="check the spelling",
            )

        def remove(database: sqlite3.Connection) -> Usage:
            # Its file may be in use: another that took its place would share its journal.
            database.execute("PRAGMA secure_delete = OFF")  # the file is truncated instead
            database.execute("DELETE FROM entries")
            with suppress(sqlite3.OperationalError):  # the database is being read
                database.execute("VACUUM")
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            database.execute("PRAGMA secure_delete = ON")
            return usage

        usage = self.usage()
        return self._query(remove, Usage())

    def _row(self, statement: str, *values: object) -> Any:
        """The first row that a statement gives; None if there is none."""
        return self._query(lambda database: database.execute(statement, values).fetchone(), None)

    def _query(self, work: Callable[[sqlite3.Connection], Result], default: Result) -> Result:
        """The result of the work, or the default if the database cannot be used."""
        try:
            with _LOCK:
                database = _connection(self.folder)
                return default if database is None else work(database)
        except sqlite3.OperationalError as error:  # full, locked, read-only
            self._give_up(error)
            if error.sqlite_errorcode != sqlite3.SQLITE_FULL:
                self._state["unusable"] = ""
        except sqlite3.DatabaseError:  # damaged, or of another format
            with _LOCK:
                _close_connection()
                for suffix in ("", "-wal", "-shm", "-journal"):
                    with suppress(OSError):
                        Path(self.folder, _DATABASE + suffix).unlink()
            self._state.pop("problem", None)
        return default

    def _give_up(self, error: OSError | sqlite3.Error) -> None:
        self._state["problem"] = (
            f"{self.folder}: read pages cannot be cached "
            f"({getattr(error, 'strerror', None) or error}); choose another folder with --cache, "
            "or use --no-cache"
        )


def default_folder() -> Path:
    """The folder that ``WEPS_CACHE`` names, else the one that the platform has for caches."""
    if chosen := os.environ.get("WEPS_CACHE"):
        return Path(chosen)
    try:
        home = Path.home()
    except RuntimeError:  # a user without a home: a folder that cannot be made
        home = Path(os.devnull)
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else home / "AppData" / "Local") / "weps" / "Cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "weps"
    chosen = os.environ.get("XDG_CACHE_HOME", "")  # ignored, by its standard, unless absolute
    return (Path(chosen) if Path(chosen).is_absolute() else home / ".cache") / "weps"


def content_digest(*parts: bytes | str) -> str:
    """The SHA-256 of a sequence, in hex; sequences that differ anywhere have different digests."""
    whole = hashlib.sha256()
    for part in parts:
        raw = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        whole.update(f"{'b' if raw is part else 's'}{len(raw)}:".encode() + raw)
    return whole.hexdigest()


@cache
def source_digest(*modules: str) -> str:
    """16 hex digits of the source of modules and packages, and of the version of Python.

    Args:
        modules: dotted names of those that decide what is stored, which need not be imported; of a
            package all modules count.

    Raises:
        ModuleNotFoundError: if a module has no source.
    """
    parts: list[bytes | str] = ["{}.{}".format(*sys.version_info)]
    for module in modules:
        package, *inner = module.split(".")
        spec = find_spec(package)  # of a module inside it would import the package
        origin = Path((spec and spec.origin) or "")
        place = origin.parent if origin.name == "__init__.py" else origin.with_suffix("")
        place = place.joinpath(*inner)
        files = sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
        if not (spec and files and files[0].is_file()):
            raise ModuleNotFoundError(f"the module {module!r} has no source")
        for file in files:
            name = file.relative_to(place if place.is_dir() else place.parent).as_posix()
            parts += (module, name, file.read_bytes())
    return content_digest(*parts)[:16]


@cache
def resource_digest(*folders: str) -> str:
    """The digest of all files of some folders of resources, such as ``gazetteer``."""
    files = (
        file
        for folder in map(resource_path, folders)
        for file in sorted(folder.iterdir())
        if file.is_file()
    )
    return content_digest(*(part for file in files for part in (file.name, file.read_bytes())))


def _checksum(name: bytes, body: bytes) -> bytes:
    return hashlib.sha256(name + body).digest()


def _value(name: bytes, entry: object) -> bytes | None:
    """The value of an entry; None if it is damaged, or larger than any that was put."""
    if not isinstance(entry, bytes) or entry[:_CHECKSUM] != _checksum(name, entry[_CHECKSUM:]):
        return None
    with suppress(zlib.error):
        inflating = zlib.decompressobj()
        value = inflating.decompress(entry[_CHECKSUM:], _LARGEST)
        return value if inflating.eof else None
    return None


def _is_ours(folder: Path) -> bool:
    """Whether the folder has the tag of weps; no other folder is ever modified."""
    with suppress(OSError), open_file(folder / _TAG) as file:
        return file.read(len(_SIGNATURE)) == _SIGNATURE
    return False


def _prepare(folder: Path) -> None:
    """Make sure that the folder is a cache of weps with a database; create it if needed."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _is_ours(folder):
        is_empty = all(path.name.startswith(_TAG) for path in folder.iterdir())
        if not (is_empty or _is_ours(folder)):  # another process may just have tagged it
            raise FileExistsError(0, "it holds other files")
        unfinished = folder / f"{_TAG}.{os.getpid()}"
        unfinished.write_bytes(
            _SIGNATURE + b"it may be emptied at any time, best by `weps cache --clear`.\n"
        )
        unfinished.replace(folder / _TAG)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(0, "Permission denied")
    database = folder / _DATABASE
    if not os.path.lexists(database):
        with suppress(FileExistsError):
            os.close(os.open(database, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    if database.is_symlink() or not database.is_file():
        raise FileExistsError(0, f"{_DATABASE} in it is not a regular file")


def _connection(folder: Path) -> sqlite3.Connection | None:
    """This process's connection to a folder's database; None without a database.

    In write-ahead mode readers and writers do not block each other.
    """
    path = folder / _DATABASE
    try:
        state = path.lstat()
    except OSError:
        return None
    identity = state.st_dev, state.st_ino
    if identity in _CONNECTIONS:
        return _CONNECTIONS[identity]
    if not stat.S_ISREG(state.st_mode) or not _is_ours(folder):
        return None
    _close_connection()
    writable = os.access(folder, os.W_OK | os.X_OK)
    database = sqlite3.connect(
        path.absolute().as_uri() + ("" if writable else "?immutable=1"),
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        uri=True,
    )
    try:
        if writable:
            with suppress(sqlite3.OperationalError):  # another process is setting the mode
                database.execute("PRAGMA journal_mode = WAL")
            database.executescript(
                "PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;"
                "PRAGMA journal_size_limit = 16000000;"
            )
            if database.execute("PRAGMA user_version").fetchone() == (0,):
                database.executescript(_SCHEMA)
        if database.execute("PRAGMA user_version").fetchone() != (_FORMAT,):
            raise sqlite3.DatabaseError("the database has another format")
    except BaseException:
        database.close()
        raise
    _CONNECTIONS[identity] = database
    return database


def _close_connection() -> None:
    while _CONNECTIONS:
        _CONNECTIONS.popitem()[1].close()


def _before_fork() -> None:
    """Close all connections, which must not be inherited by another process."""
    _LOCK.acquire()
    _close_connection()


atexit.register(_close_connection)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork, after_in_parent=_LOCK.release, after_in_child=_LOCK.release
    )
