"""Kinds of files, told apart by how their names end."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from weps.errors import WepsError

__all__ = ["ending_of"]


def ending_of(path: Path, known: Collection[str], error: type[WepsError]) -> str:
    """The known ending of the file's name; upper case is as good.

    Raises:
        WepsError: of the class ``error``, if it has none of them.
    """
    for ending in known:
        if path.name.lower().endswith(ending):
            return ending
    raise error(
        "a file of this ending holds no table of instances",
        where=path,
        remedy=f"known endings are {', '.join(known)}",
    )
