"""Files put in place whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from weps.errors import OutputError
from weps.sources.messages import reason

__all__ = ["make_folder", "put_in_place"]

_REMEDY = "choose a folder in which you may write, with enough room"


def make_folder(folder: Path) -> None:
    """Make sure that there is a folder to write to.

    Raises:
        OutputError: if it cannot be made or written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        what = "is a file where a folder should be"
        raise OutputError(what, where=folder, remedy="choose another folder") from error
    except OSError as error:
        what = f"the folder cannot be made ({reason(error)})"
        raise OutputError(what, where=folder, remedy=_REMEDY) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OutputError("you may not write here", where=folder, remedy=_REMEDY)


def put_in_place(contents: Mapping[Path, bytes]) -> None:
    """Write every file beside its path, then rename them all; leave nothing behind on failure.

    A link stays one, and the file that it leads to is replaced: ``/dev/stdout`` is a link too.

    Raises:
        OutputError: if a file cannot be written, or a device or a pipe stands in its place; those
            already renamed stay.
    """
    unfinished: dict[Path, Path] = {}
    path = Path()
    try:
        for path, content in contents.items():
            _refuse_device(path)
            place = Path(os.path.realpath(path))
            unfinished[path] = place.with_name(f".{secrets.token_hex(8)}.tmp")
            unfinished[path].write_bytes(content)
        for path, written in unfinished.items():
            written.replace(os.path.realpath(path))
    except OSError as error:
        what = f"cannot be written ({reason(error)})"
        raise OutputError(what, where=path, remedy=_REMEDY) from error
    finally:
        for left in unfinished.values():
            with suppress(OSError):
                left.unlink()


def _refuse_device(path: Path) -> None:
    """Renaming would replace ``/dev/null`` for everybody, where the user may do so."""
    if path.exists() and not path.is_file() and not path.is_dir():
        what = "is a device or a pipe, which a file would replace"
        raise OutputError(what, where=path, remedy="give the name of a file")
