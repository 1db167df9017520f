"""From a path to a source; a reader is imported when a folder of its kind is opened."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from weps._files import first_existing, list_entries, real_path
from weps._formatting import error_reason, join_items
from weps.errors import SourceError

if TYPE_CHECKING:
    from weps.sources.base import Source

_RESULT_FOLDERS = ("description_files", "metadata")
"""Where a corpus has its files of results, WePS-1 and WePS-2; tried in this order."""
_CORPUS_FOLDERS = frozenset(
    (*_RESULT_FOLDERS, "attributes", "gold_standard", "tokens", "truth_files", "web_pages")
)
_KNOWN_KINDS = (
    "a source is a WePS-1 corpus: description_files, truth_files, web_pages, "
    "or a WePS-2 corpus: metadata, gold_standard, web_pages or tokens, "
    "or saved pages (HTML, text, PDF, MHTML, WARC, HAR, ZIP), directly or in one subfolder per name"
)


def open_source(path: Path | str, name: str | None = None) -> Source:
    """Open a folder of any kind: its names are listed, and pages are read later.

    Args:
        path: a WePS corpus, a folder of saved pages, a folder of such folders, or an archive.
        name: the person's name for saved pages; by default made from the name of the folder or
            file. Ignored for corpora and folders of folders, which define their names.

    Raises:
        SourceError: if the folder does not exist, is a file, or has no known content.
    """
    root = Path(path)
    try:
        place = _existing_place(root)
        return _open_folder(place, name) if place.is_dir() else _open_file(place, name)
    except OSError as problem:
        raise SourceError(
            f"cannot be read ({error_reason(problem)})",
            where=problem.filename or root,
            remedy="check that you may read it",
        ) from problem


def _existing_place(path: Path) -> Path:
    if path.is_dir() or first_existing([path]):
        return path.absolute() if path.name.strip(".") else real_path(path)
    raise SourceError("no such file or folder", where=path, remedy="check the spelling of the path")


def _open_file(file: Path, name: str | None) -> Source:
    from weps.sources.folder import Folder  # noqa: PLC0415 - only files with pages need it

    return Folder.open_file(file, name)


def _open_folder(root: Path, name: str | None) -> Source:
    if root.name in _CORPUS_FOLDERS and _result_folder(root.parent):
        raise SourceError("is a part of a WePS corpus", where=root, remedy=f"take {root.parent}")
    if results := _result_folder(root):
        from weps.sources.corpora import Weps1, Weps2  # noqa: PLC0415 - only corpora need it

        return (Weps1 if results == Weps1.results_folder else Weps2).open(root)
    from weps.sources.collected import Collected  # noqa: PLC0415 - only saved pages need them
    from weps.sources.folder import Folder  # noqa: PLC0415

    if source := Collected.open(root, name) or Folder.open(root, name):
        return source
    corpora = [item for item in list_entries(root) if item.is_dir() and _result_folder(item)]
    raise SourceError(
        "contains neither saved pages nor a WePS corpus",
        where=root,
        remedy=f"take the corpus in {join_items(corpora, most=10)}" if corpora else _KNOWN_KINDS,
    )


def _result_folder(root: Path) -> str:
    """The subfolder with a corpus's files of results; empty if the folder is no corpus."""
    for name in _RESULT_FOLDERS:
        folder = root / name
        if folder.is_dir() and any(file.suffix == ".xml" for file in list_entries(folder)):
            return name
    return ""
