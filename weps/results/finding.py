"""Where a result is, from whatever a user points at."""

from __future__ import annotations

from pathlib import Path

from weps.errors import SourceError
from weps.sources import select
from weps.sources.files import entries
from weps.sources.messages import listed

__all__ = ["find_result"]

_SUFFIX = ".json"
_BESIDE = (".clust.xml", ".corrections.txt", ".csv", ".html")
"""Files that stand beside ``NAME.json``."""


def find_result(path: Path, name: str | None = None) -> Path:
    """The ``NAME.json`` of a result.

    Args:
        path: the file itself, another file of the result, or a folder of results.
        name: whose result it is to be, needed if a folder holds several.

    Raises:
        SourceError: if there is none, or several to choose from.
    """
    if path.is_dir():
        return _within(path, name)
    suffix = next((each for each in _BESIDE if path.name.endswith(each)), "")
    return path.with_name(path.name.removesuffix(suffix) + _SUFFIX) if suffix else path


def _within(folder: Path, name: str | None) -> Path:
    results = _Results(folder)
    if not results.names:
        raise SourceError("holds no results", where=folder, remedy="make one with `weps cluster`")
    chosen = select(results, [name] if name else [])
    if len(chosen) > 1:
        raise SourceError(
            f"holds the results of {len(chosen)} names ({listed(chosen)})",
            where=folder,
            remedy="say with --name which is meant",
        )
    return folder / f"{chosen[0]}{_SUFFIX}"


class _Results:
    """The results in a folder, by name."""

    def __init__(self, folder: Path) -> None:
        self.root = folder
        self.names = tuple(
            file.stem
            for file in entries(folder)
            if file.suffix == _SUFFIX and file.with_suffix(".html").is_file()
        )
