"""From a path to a source: the registry of kinds of input."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from weps._files import first_existing, list_entries
from weps._formatting import error_reason, join_items
from weps.errors import SourceError
from weps.sources.corpora import Weps1, Weps2
from weps.sources.folder import Folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from weps.sources.base import Source

__all__ = ["SOURCE_READERS", "SourceReader", "open_source"]


@dataclass(frozen=True)
class SourceReader:
    """A kind of input: how to recognise it and how to open it."""

    layout: str
    description: str
    """What such a folder holds, for help texts and messages."""
    is_layout_of: Callable[[Path], bool]
    open: Callable[[Path, str | None], Source]


SOURCE_READERS = (
    SourceReader(
        Weps1.layout,
        "a WePS-1 corpus: description_files, truth_files, web_pages",
        Weps1.is_layout_of,
        Weps1.open,
    ),
    SourceReader(
        Weps2.layout,
        "a WePS-2 corpus: metadata, gold_standard, web_pages or tokens",
        Weps2.is_layout_of,
        Weps2.open,
    ),
    SourceReader(
        Folder.layout,
        "saved pages: *.html, *.htm, *.txt, directly or in one subfolder per name",
        Folder.is_layout_of,
        Folder.open,
    ),
)
"""Tried in this order."""
_CORPORA = (Weps1, Weps2)
_CORPUS_FOLDERS = frozenset(
    {
        "attributes",
        "description_files",
        "gold_standard",
        "metadata",
        "tokens",
        "truth_files",
        "web_pages",
    }
)


def open_source(path: Path | str, name: str | None = None) -> Source:
    """Open a folder of whatever kind: its names are listed, pages are read later.

    Args:
        path: a WePS corpus, a folder of saved pages, or a folder of such folders.
        name: the person's name for a folder of saved pages, else made from the folder's name.
            Ignored elsewhere: corpora and folders of folders define their names.

    Raises:
        SourceError: no such folder, a file, or a folder that holds nothing known.

    """
    root = Path(path)
    try:
        return _open_root(_existing_folder(root), name)
    except OSError as problem:
        raise SourceError(
            f"cannot be read ({error_reason(problem)})",
            where=problem.filename or root,
            remedy="check that you may read it",
        ) from problem


def _existing_folder(path: Path) -> Path:
    if path.is_dir():
        return path.absolute() if path.name.strip(".") else path.resolve()
    if first_existing([path]):
        raise SourceError(
            "expected a folder, got a file", where=path, remedy="give the folder that contains it"
        )
    raise SourceError("no such folder", where=path, remedy="check the spelling of the path")


def _open_root(root: Path, name: str | None) -> Source:
    if root.name in _CORPUS_FOLDERS and _is_corpus(root.parent):
        raise SourceError("is a part of a WePS corpus", where=root, remedy=f"take {root.parent}")
    for reader in SOURCE_READERS:
        if reader.is_layout_of(root):
            return reader.open(root, name)
    raise SourceError(
        "contains neither saved pages nor a WePS corpus", where=root, remedy=_source_hint(root)
    )


def _source_hint(root: Path) -> str:
    below = [item for item in list_entries(root) if item.is_dir() and _is_corpus(item)]
    if below:
        return f"take the corpus in {join_items(below, most=10)}"
    return "a source is " + ", or ".join(reader.description for reader in SOURCE_READERS)


def _is_corpus(folder: Path) -> bool:
    return any(corpus.is_layout_of(folder) for corpus in _CORPORA)
