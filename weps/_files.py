"""Files: bounded reading, atomic writing, the location of ``resources/``, and readable errors."""

from __future__ import annotations

import errno
import gzip
import io
import os
import platform
import re
import secrets
import shutil
import stat
import sys
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from datetime import datetime
from functools import cache
from itertools import islice
from pathlib import Path
from typing import IO, Any

from weps._formatting import error_reason, tidy_label
from weps.errors import InputValueError, OutputError, SourceError, WepsError, require_type, told_as

_REMEDY = "choose a writable folder with enough free space"
STANDARD = Path("-")
"""Standard output where a file is written, standard input where one is read."""


def make_folder(folder: Path, *, private: bool = False) -> None:
    """Make sure that there is a folder to write to; a private one is for its owner alone.

    Raises:
        OutputError: if it cannot be made or written.
    """
    if folder == STANDARD:
        raise OutputError(
            "expected a folder, got standard output", where="-", remedy="--json - writes there"
        )
    try:
        folder.mkdir(0o700 if private else 0o777, parents=True, exist_ok=True)
    except FileExistsError as error:
        raise OutputError(
            "expected a folder, got a file", where=folder, remedy="choose another folder"
        ) from error
    except OSError as error:
        raise OutputError(
            f"the folder cannot be made ({error_reason(error)})", where=folder, remedy=_REMEDY
        ) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OutputError("the folder is not writable", where=folder, remedy=_REMEDY)


def atomic_write(contents: Mapping[Path, bytes | bytearray], *, private: bool = False) -> None:
    """Write every file beside its path, then rename them all; leave nothing behind on failure.

    What writers that were killed left in the folders is removed. A file that is replaced keeps its
    mode. All is on disk on return.

    Args:
        contents: path → content.
        private: whether they are of a folder of results: new files are for their owner alone, and
            a link is replaced, as nothing is written outside of the folder. Else it stays, and the
            file that it leads to is replaced.

    Raises:
        OutputError: if a file cannot be written, a device or a pipe stands in its place, or a link
            of another user; those already renamed stay.
    """
    folders: dict[Path, Path] = {}
    with ExitStack() as stack:
        # In reverse, as the last one that is begun takes its place first.
        for path, content in reversed([*contents.items()]):
            file = stack.enter_context(
                _unfinished_file(path, folders, private=private, follow=not private)
            )
            file.write(content)
            _sync(file)
    for folder in {*folders.values()}:
        _sync_folder(folder)


@contextmanager
def atomic_file(path: Path, *, private: bool = False, follow: bool = False) -> Iterator[IO[bytes]]:
    """A file to be written part by part, which takes its place when it is whole.

    See :func:`atomic_write`; an error while it is written leaves nothing behind. A link is followed
    where an option names the file: ``/dev/stdout`` is one, too.

    Raises:
        OutputError: as there.
    """
    with _unfinished_file(path, {}, private=private, follow=follow) as file:
        yield file
        _sync(file)
    _sync_folder(Path(os.path.realpath(path)).parent)


@contextmanager
def _unfinished_file(
    path: Path, folders: dict[Path, Path], *, private: bool, follow: bool
) -> Iterator[IO[bytes]]:
    """A file beside the path, with the mode of the one that it replaces in the end.

    Args:
        path: see there.
        folders: those that were looked at, and links, and where the files are; others are added.
        private: see there.
        follow: whether the file that a link leads to is replaced, or the link.

    Raises:
        OutputError: nothing may be written there, or it cannot be written.
    """
    with told_as(OutputError, "cannot be written", path, _REMEDY), ExitStack() as ended:
        if path == STANDARD:
            yield ended.enter_context(os.fdopen(os.dup(1), "wb"))
            return
        if path.exists() and not path.is_file() and not path.is_dir():
            # Renaming would replace /dev/null, where the user has the permission.
            raise OutputError(
                "expected a regular file, got a device or a pipe",
                where=path,
                remedy="give the name of a file, or - for standard output",
            )
        is_link = follow and path.is_symlink()
        if is_link or path.parent not in folders:
            _refuse_links_of_others(path if follow else path.parent)
            place = real_path(path) if follow else real_path(path.parent) / path.name
            remove_unfinished(place.parent)
            folders[path if is_link else path.parent] = place.parent
        else:
            place = folders[path.parent] / path.name
        unfinished = place.with_name(f"{unfinished_prefix()}{secrets.token_hex(4)}.tmp")
        ended.callback(unfinished.unlink, missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(unfinished, flags, 0o600 if private else 0o666), "wb") as file:
            if not place.is_symlink():
                with suppress(FileNotFoundError):
                    unfinished.chmod(place.stat().st_mode & 0o777)
            yield file
        unfinished.replace(place)


def _sync(file: IO[bytes]) -> None:
    """Return when the file is on disk; a terminal and a pipe have none."""
    file.flush()
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        os.fsync(file.fileno())


def _refuse_links_of_others(path: Path, links: int = 0) -> None:
    """Raise an OutputError if a symbolic link of another user is on the way to a place.

    Args:
        path: the place; links of the user and of the system may lead to it.
        links: how many led to it, of which 40 are followed.
    """
    if sys.platform == "win32" or links > 40:
        return
    path = path.absolute()
    for part in (*reversed(path.parents), path):
        if part.is_symlink():
            if part.lstat().st_uid not in {os.geteuid(), 0}:
                raise OutputError(
                    "is a symbolic link that belongs to another user, which is not followed",
                    where=part,
                    remedy="give the path that it points to",
                )
            _refuse_links_of_others(part.parent / part.readlink(), links + 1)


def _sync_folder(folder: Path) -> None:
    """Make new names last when the power fails, where the system can."""
    with suppress(OSError):
        place = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(place)
        finally:
            os.close(place)


_UNFINISHED = re.compile(r"\.([0-9a-f]{8})([0-9a-f]{8})?[0-9a-z_]{8}\.tmp")
_HOST = f"{zlib.crc32(platform.node().encode()):08x}"
"""This machine among those that share a folder."""


def unfinished_prefix() -> str:
    """The beginning of the name of a file or folder of this process that is not finished.

    Eight random characters and ``.tmp`` follow, by which :func:`unfinished_files` knows it.
    """
    return f".{os.getpid() & 0xFFFFFFFF:08x}{_HOST}"


def unfinished_files(folder: Path) -> tuple[Path, ...]:
    """Files, and folders of files, that writers left in a folder when they were killed.

    None if it cannot be listed.
    """
    found = []
    with suppress(OSError):
        names = sorted(os.listdir(folder))  # noqa: PTH208 - paths take ten times as long
        for name in filter(None, map(_UNFINISHED.fullmatch, names)):
            path = folder / name[0]
            ended = name[2] in {None, _HOST} and not _is_running(int(name[1], 16))
            # After an hour nobody will finish it, even if a process has the writer's number.
            if ended or time.time() - path.lstat().st_mtime > 3_600:
                found.append(path)
    return tuple(found)


def remove_unfinished(folder: Path) -> None:
    """Remove what writers that were killed left in a folder, as far as possible."""
    for path in unfinished_files(folder):
        with suppress(OSError):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)  # which follows no links
            else:
                path.unlink()


def _is_running(process: int) -> bool:
    try:
        if sys.platform != "win32":  # there, 0 is a signal that is sent
            os.kill(process, 0)
    except (OSError, OverflowError) as error:
        return isinstance(error, PermissionError)
    return True


_PACKAGE = Path(__file__).resolve().parent
_PLACES = (_PACKAGE / "resources", _PACKAGE.parent / "resources")


def resource_path(name: str) -> Path:
    """Path of a resource such as ``stopwords/english.txt``."""
    for place in _PLACES:
        if (place / name).exists():
            return place / name
    raise SourceError(
        f"the resource {name!r} is missing", where=_PLACES[0], remedy="reinstall weps"
    )


def resource_text(name: str) -> str:
    """The text of a resource such as ``stopwords/english.txt``."""
    return read_bytes(resource_path(name), 100 << 20, SourceError).decode()


@cache
def word_list(*names: str) -> frozenset[str]:
    """The union of word lists: one lower-case word a line, ``#`` starts a comment."""
    lines = (line.strip() for name in names for line in resource_text(name).splitlines())
    return frozenset(line for line in lines if line and not line.startswith("#"))


@cache
def weighted_words(name: str) -> dict[str, float]:
    """Word → number; a line has a number and the words of it, ``#`` starts a comment."""
    found: dict[str, float] = {}
    for line in resource_text(name).splitlines():
        if not line.startswith("#"):
            number, *words = line.split()
            found |= dict.fromkeys(words, float(number))
    return found


@cache
def gazetteer_names(*lists: str) -> dict[str, str]:
    """Name → canonical name; a line has the names of one thing, the canonical one first."""
    found: dict[str, str] = {}
    for line in sorted(word_list(*(f"gazetteer/{each}.txt" for each in lists))):
        names = line.split(" = ")
        found |= dict.fromkeys(names, names[0])
    return found


def list_entries(folder: Path) -> tuple[Path, ...]:
    """The entries of a folder except hidden ones, sorted by name.

    Raises:
        SourceError: the folder cannot be listed.
    """
    with told_as(SourceError, "cannot be listed", folder, "check that it is a readable folder"):
        shown = (item for item in folder.iterdir() if not item.name.startswith("."))
        return tuple(sorted(shown, key=lambda item: os.path.normcase(item.name)))


LINK_OUT = "a symbolic link that leads out of the folder, which is not followed"
"""Why a file is not read, see :func:`leads_out`."""


def leads_out(path: Path, folder: Path) -> bool:
    """Whether symbolic links lead from a folder, which may be one itself, to somewhere else."""
    if path.parent == folder and path.name != os.pardir and not path.is_symlink():
        return False
    if path.is_relative_to(folder):  # without links and steps up, which is quick to see
        inner = path.relative_to(folder).parts
        inside = (path, *path.parents)[: len(inner)]
        if os.pardir not in inner and not any(map(Path.is_symlink, inside)):
            return False
    return not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def as_path(given: Any, expected: str = "a path") -> Path:
    """A path that a function was given, or an error that says what was expected instead."""
    require_type(given, str | os.PathLike, expected)
    if given == "":
        remedy = "'.' is the current folder"
        raise InputValueError(f"the path is empty, expected {expected}", remedy=remedy)
    return Path(given)


def first_existing(places: Iterable[Path]) -> Path | None:
    """Return the first path that exists, else None.

    A path without permission counts as existing: reading it raises the specific error.
    """
    for place in places:
        try:
            place.stat()
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:
            return place
        return place
    return None


def real_path(path: Path) -> Path:
    """The path without symbolic links; that of a loop of links stays, as nothing is there."""
    return Path(os.path.realpath(path))


def open_file(path: Path) -> io.BufferedReader:
    """Open a regular file to read its bytes; a pipe, a device or a socket is never waited for.

    Every file that weps reads is opened here: paths come from users, folders of pages and stored
    results. Standard input is waited for: somebody asked for it. It can be opened again.

    Raises:
        OSError: it is not there, not readable, or not a regular file; with the reason in words.
    """
    if path == STANDARD:
        _rewind_input()
        return open(0, "rb", closefd=False)
    try:
        return open(path, "rb", opener=_open_regular)
    except ValueError as error:  # a NUL, or half a character
        raise OSError(errno.EINVAL, "not the path of a file", path) from error


_MOST_INPUT = 2_049
"""MB of standard input that are kept: more than any reader takes."""


def _rewind_input() -> None:
    """Go to the beginning of standard input; a file without a name takes the place of a pipe."""
    try:
        os.lseek(0, 0, os.SEEK_SET)
    except OSError:  # it has no beginning
        import tempfile  # noqa: PLC0415 - for pipes alone

        with open(0, "rb", closefd=False) as pipe, tempfile.TemporaryFile() as kept:
            kept.writelines(islice(iter(lambda: pipe.read(1 << 20), b""), _MOST_INPUT))
            kept.seek(0)
            os.dup2(kept.fileno(), 0)


def _open_regular(path: str, flags: int) -> int:
    """A descriptor of a regular file. Regular files ignore that they are opened non-blocking."""
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "a folder, not a file", path)
    raise OSError(errno.EINVAL, "a pipe or a device, not a file", path)


def read_bytes(path: Path, most: int, error: type[WepsError], remedy: str = "") -> bytes:
    """Read a whole file of at most ``most`` bytes.

    Args:
        path: the file.
        most: bytes.
        error: the class of the error.
        remedy: in place of advice for any file.

    Raises:
        WepsError: of the class ``error``, if it is not a regular file, not readable, or longer.
    """
    advice = remedy or "check that it exists and is a readable file"
    with told_as(error, "cannot be read", path, advice), open_file(path) as file:
        too_large = os.fstat(file.fileno()).st_size > most  # nothing of it is read then
        data = b"" if too_large else file.read(most + 1)
    if too_large or len(data) > most:
        raise error(f"is over {_size(most)}", where=path, remedy=remedy or "give a smaller file")
    return data


@contextmanager
def open_unpacked(path: Path, most: int, error: type[WepsError]) -> Iterator[io.BufferedReader]:
    """Open a file, unpacked if its name ends in ``.gz``, of at most ``most`` bytes either way.

    Raises:
        WepsError: of the class ``error``, as :func:`read_bytes`, or if it is damaged; also raised
            while it is read.
    """
    advice = "check that it exists, is complete and can be read"
    kinds = OSError, EOFError, zlib.error
    with told_as(error, "cannot be read", path, advice, kinds), open_file(path) as file:
        bounded = _Bounded(file, most)
        if path.suffix.lower() == ".gz":
            bounded = _Bounded(gzip.GzipFile(fileobj=bounded, mode="rb"), most)
        yield io.BufferedReader(bounded, 1 << 16)


class _Bounded(io.RawIOBase):
    """The bytes of a file as long as they are not too many; else an OSError."""

    def __init__(self, file: IO[bytes] | gzip.GzipFile, most: int) -> None:
        self._file, self._most, self._read = file, most, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        found = self._file.read(len(buffer))
        self._read += len(found)
        if self._read > self._most:
            raise OSError(errno.EFBIG, f"over {_size(self._most)}")
        buffer[: len(found)] = found
        return len(found)


def _size(number: int) -> str:
    """A limit in words: ``50 MB``, ``500,000 bytes``."""
    return f"{number >> 20:,} MB" if number >= 1 << 20 else f"{number:,} bytes"


LOCK_NAME = ".weps.lock"
"""It has no content but who writes to the folder; the lock itself is the system's."""
_MAX_LOCK_BYTES = 4_096

if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: int, *, shared: bool = False) -> bool:  # noqa: ARG001 - none are shared
        os.lseek(file, _MAX_LOCK_BYTES, os.SEEK_SET)  # what is locked cannot be read
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(file: int, *, shared: bool = False) -> bool:
        try:
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError as error:
            # A file system without locks keeps nobody out.
            return error.errno in {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL}
        return True


class FolderLock(AbstractContextManager["FolderLock"]):
    """A folder that no other process may write to meanwhile; a context manager.

    What runs that were killed left unfinished there is removed. The system releases the lock of a
    process that ends in any way, so that no lock outlives its holder.
    """

    def __init__(self, folder: Path, activity: str, *, shared: bool = False) -> None:
        """Lock a folder.

        Args:
            folder: made, for its owner alone, if there is none.
            activity: what it is used for, in plain words, for whoever is kept out.
            shared: whether processes that lock it in this way may write to it at the same time,
                and others not; on Windows they may not.

        Raises:
            OutputError: another process uses the folder, or it cannot be written.
        """
        make_folder(folder, private=True)
        self.folder, self._shared = folder, shared
        self._path = folder.absolute() / LOCK_NAME
        self._holder = f"(process {os.getpid()}, since {datetime.now():%Y-%m-%d %H:%M:%S})"
        advice = f"check who {LOCK_NAME} in it belongs to"
        with told_as(OutputError, "the folder cannot be locked", folder, advice):
            self._file = self._open()
            self.tell(activity)
        remove_unfinished(folder)

    def tell(self, activity: str) -> None:
        """Tell whoever is kept out what the folder is used for, in other words than before."""
        os.ftruncate(self._file, 0)
        os.lseek(self._file, 0, os.SEEK_SET)
        os.write(self._file, f"{activity} {self._holder}".encode())

    def release(self) -> None:
        """Let others in; a second time does nothing."""
        if self._file >= 0:
            with suppress(OSError):  # Windows removes no file that is open
                if not self._shared or _try_lock(self._file):  # else others go on
                    self._path.unlink()
            os.close(self._file)
            self._file = -1

    def __exit__(self, *_: object) -> None:
        self.release()

    def _open(self) -> int:
        """The locked file; its holder may have removed the one that was opened."""
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        for _ in range(100):
            file = os.open(self._path, flags, 0o600)
            try:
                if not stat.S_ISREG(os.fstat(file).st_mode):
                    raise OSError(errno.EINVAL, "not a regular file")
                if not _try_lock(file, shared=self._shared):
                    raise self._refusal(file)
                with suppress(FileNotFoundError):
                    if os.path.samestat(os.fstat(file), self._path.lstat()):
                        return file
            except BaseException:
                os.close(file)
                raise
            os.close(file)
        raise OSError(errno.EBUSY, "others lock it all the time")

    def _refusal(self, file: int) -> OutputError:
        """Error that names the holder by what it wrote, which may be nothing yet."""
        told = ""
        with suppress(OSError):
            os.lseek(file, 0, os.SEEK_SET)
            told = tidy_label(os.read(file, _MAX_LOCK_BYTES).decode(errors="replace"), 200)
        return OutputError(
            f"{told or 'another process'} is writing to this folder",
            where=self.folder,
            remedy="use it there" if " at " in told else "wait until it has ended",
        )
