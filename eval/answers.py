"""Folders of answers: one system's files, or one folder per system."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from weps.errors import SourceError
from weps.records import Clustering
from weps.sources import read_clustering

__all__ = ["answer_file", "read_answer", "systems_in", "unanswered"]

_SUFFIXES = (".clust.xml", ".xml")


def systems_in(folder: Path) -> dict[str, Path]:
    """The systems whose answers a folder holds, by name: itself, or its subfolders.

    Raises:
        SourceError: if there are no answers.
    """
    try:
        if any(folder.glob("*.xml")):
            return {folder.resolve().name: folder}
        systems = {below.name: below for below in sorted(folder.iterdir()) if below.is_dir()}
    except OSError as error:
        raise SourceError(
            f"the answers cannot be read ({error.strerror})",
            where=folder,
            remedy="give the folder that holds NAME.clust.xml files",
        ) from None
    systems = {name: below for name, below in systems.items() if any(below.glob("*.xml"))}
    if not systems:
        raise SourceError(
            "there are no answers here",
            where=folder,
            remedy="give a folder of NAME.clust.xml files, or a folder of such folders",
        )
    return systems


def answer_file(folder: Path, name: str) -> Path | None:
    """The file that answers for a name, None if there is none."""
    candidates = (folder / f"{name}{suffix}" for suffix in _SUFFIXES)
    return next((path for path in candidates if path.is_file()), None)


def read_answer(folder: Path, name: str) -> Clustering | None:
    """What the system says of a name, None if nothing.

    Raises:
        KeyFileError: if its file is malformed.
    """
    path = answer_file(folder, name)
    return read_clustering(path) if path else None


def unanswered(folder: Path, names: Sequence[str]) -> list[str]:
    """The names that the system does not answer."""
    return [name for name in names if answer_file(folder, name) is None]
