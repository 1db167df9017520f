"""Files and folders of unknown state: whatever is wrong with one becomes a readable error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weps.errors import SourceError, WepsError
from weps.sources.messages import reason

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["entries", "read_bytes", "standing"]


def entries(folder: Path) -> tuple[Path, ...]:
    """Everything in a folder but hidden entries, sorted by name.

    Raises:
        SourceError: the folder cannot be listed.

    """
    try:
        return tuple(sorted(item for item in folder.iterdir() if not item.name.startswith(".")))
    except OSError as problem:
        raise SourceError(
            f"cannot be listed ({reason(problem)})",
            where=folder,
            remedy="check that it is a folder and that you may read it",
        ) from problem


def standing(places: Iterable[Path]) -> Path | None:
    """Return the first place that exists; None if none does.

    A place that one may not look at counts as there: reading it will say what is wrong.
    """
    return next((place for place in places if _stands(place)), None)


def _stands(place: Path) -> bool:
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
        WepsError: of the class ``error``; no regular file, not readable, or longer.

    """
    try:
        if not path.is_file() and _stands(path):
            raise error("is not a file", where=path, remedy="put a file in its place")
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as problem:
        raise error(
            f"cannot be read ({reason(problem)})",
            where=path,
            remedy="check that it is there and that you may read it",
        ) from problem
    if len(data) > most:
        raise error(f"is over {most >> 20} MB", where=path, remedy="no such file needs to be")
    return data
