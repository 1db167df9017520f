"""Files: atomic writing, the location of ``resources/``, and readable errors."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from weps._formatting import error_reason
from weps.errors import OutputError, SourceError, WepsError

if TYPE_CHECKING:
    from collections.abc import Iterable

_REMEDY = "choose a writable folder with enough free space"


def make_folder(folder: Path, *, private: bool = False) -> None:
    """Make sure that there is a folder to write to; a private one is for its owner alone.

    Raises:
        OutputError: if it cannot be made or written.
    """
    try:
        folder.mkdir(0o700 if private else 0o777, parents=True, exist_ok=True)
    except FileExistsError as error:
        what = "expected a folder, got a file"
        raise OutputError(what, where=folder, remedy="choose another folder") from error
    except OSError as error:
        what = f"the folder cannot be made ({error_reason(error)})"
        raise OutputError(what, where=folder, remedy=_REMEDY) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OutputError("the folder is not writable", where=folder, remedy=_REMEDY)


def atomic_write(contents: Mapping[Path, bytes]) -> None:
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
            if path.exists() and not path.is_file() and not path.is_dir():
                # Renaming would replace /dev/null, where the user has the permission.
                what = "expected a regular file, got a device or a pipe"
                raise OutputError(what, where=path, remedy="give the name of a file")
            place = Path(os.path.realpath(path))
            unfinished[path] = place.with_name(f".{secrets.token_hex(8)}.tmp")
            unfinished[path].write_bytes(content)
        for path, written in unfinished.items():
            written.replace(os.path.realpath(path))
    except OSError as error:
        what = f"cannot be written ({error_reason(error)})"
        raise OutputError(what, where=path, remedy=_REMEDY) from error
    finally:
        for left in unfinished.values():
            with suppress(OSError):
                left.unlink()


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


@cache
def word_list(*names: str) -> frozenset[str]:
    """The union of word lists: one lower-case word a line, ``#`` starts a comment."""
    texts = (resource_path(name).read_text("utf-8") for name in names)
    lines = (line.strip() for text in texts for line in text.splitlines())
    return frozenset(line for line in lines if line and not line.startswith("#"))


@cache
def weighted_words(name: str) -> dict[str, float]:
    """Word → number; a line has a number and the words of it, ``#`` starts a comment."""
    found: dict[str, float] = {}
    for line in resource_path(name).read_text("utf-8").splitlines():
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
    try:
        return tuple(sorted(item for item in folder.iterdir() if not item.name.startswith(".")))
    except OSError as problem:
        raise SourceError(
            f"cannot be listed ({error_reason(problem)})",
            where=folder,
            remedy="check that it is a readable folder",
        ) from problem


def first_existing(places: Iterable[Path]) -> Path | None:
    """Return the first path that exists, else None.

    A path without permission counts as existing: reading it raises the specific error.
    """
    return next((place for place in places if _path_exists(place)), None)


def _path_exists(place: Path) -> bool:
    try:
        place.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def read_bytes(path: Path, most: int, error: type[WepsError]) -> bytes:
    """Read a whole file of at most ``most`` bytes.

    Raises:
        WepsError: of the class ``error``, if it is not a regular file, not readable, or longer.
    """
    try:
        if not path.is_file() and _path_exists(path):
            raise error("is not a file", where=path, remedy="replace it by a file")
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as problem:
        raise error(
            f"cannot be read ({error_reason(problem)})",
            where=path,
            remedy="check that it exists and is readable",
        ) from problem
    if len(data) > most:
        raise error(f"is over {most >> 20} MB", where=path, remedy="give a smaller file")
    return data
