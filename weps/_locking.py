"""Folders that one process at a time writes to: locks that end with the process that holds them."""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Self

from weps._files import make_folder, remove_unfinished
from weps._formatting import error_reason, tidy_label
from weps.errors import OutputError

LOCK_NAME = ".weps.lock"
"""It has no content but who writes to the folder; the lock itself is the system's."""
_MAX_BYTES = 4_096
_NO_LOCKS = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL})
"""errno values of file systems without locks, where nobody is kept out."""

if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: int, *, shared: bool = False) -> bool:  # noqa: ARG001 - none are shared
        os.lseek(file, _MAX_BYTES, os.SEEK_SET)  # what is locked cannot be read
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
            return error.errno in _NO_LOCKS
        return True


class FolderLock:
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
        self._about = {
            "process": os.getpid(),
            "since": f"{datetime.now():%Y-%m-%d %H:%M:%S}",
            "activity": activity,
        }
        try:
            self._file = self._open()
            self._write()
        except OSError as error:
            raise OutputError(
                f"the folder cannot be locked ({error_reason(error)})",
                where=folder,
                remedy=f"check who {LOCK_NAME} in it belongs to",
            ) from error
        remove_unfinished(folder)

    def tell(self, address: str) -> None:
        """Tell whoever is kept out at which address the folder can be used."""
        self._about["address"] = address
        self._write()

    def release(self) -> None:
        """Let others in; a second time does nothing."""
        if self._file >= 0:
            with suppress(OSError):  # Windows removes no file that is open
                if not self._shared or _try_lock(self._file):  # else others go on
                    self._path.unlink()
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Self:
        return self

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

    def _write(self) -> None:
        os.ftruncate(self._file, 0)
        os.lseek(self._file, 0, os.SEEK_SET)
        os.write(self._file, json.dumps(self._about).encode()[:_MAX_BYTES])

    def _refusal(self, file: int) -> OutputError:
        """Error that names the holder by what it wrote, which may be nothing yet."""
        about: dict[str, object] = {}
        with suppress(OSError, ValueError, RecursionError):
            os.lseek(file, 0, os.SEEK_SET)
            found = json.loads(os.read(file, _MAX_BYTES))
            about = found if isinstance(found, dict) else {}
        details = {
            key: tidy_label(str(about.get(key, "")), 100) for key in (*self._about, "address")
        }
        who = details["activity"] or "another process"
        known = ", ".join(f"{key} {details[key]}" for key in ("process", "since") if details[key])
        at = f" at {details['address']}" if details["address"] else ""
        return OutputError(
            f"{who} is writing to this folder{at}" + (f" ({known})" if known else ""),
            where=self.folder,
            remedy="use it there, or end it first" if at else "wait until it has ended",
        )
