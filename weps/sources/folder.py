"""Folders of saved pages: one name, or one subfolder per name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from weps._files import first_existing, list_entries
from weps._formatting import join_items
from weps.errors import KeyFileError, SourceError
from weps.records import Page, Search
from weps.sources.base import (
    Source,
    as_identifier,
    as_name,
    load_page,
    ranks_without_result,
    select_names,
)
from weps.sources.xml import parse_rank, read_clustering

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import Self

    from weps.records import Clustering

PAGE_SUFFIXES = frozenset({".html", ".htm", ".txt"})
_ANSWER_SUFFIX = ".clust.xml"
_RESULT_SUFFIXES = (".html", ".corrections.txt")
"""Files beside an answer that look like saved pages."""
_DIGITS = re.compile(r"([0-9]+)")


@dataclass(frozen=True)
class Folder(Source):
    """Saved pages (``*.html``, ``*.htm``, ``*.txt``) and, if there is one, their ``key.xml``.

    Where every file has a number for a name (``001.html``), the number is the page's rank.
    Otherwise the files are numbered from 1 in natural order (``page2`` before ``page10``).
    """

    layout: ClassVar[str] = "folder"

    folders: tuple[Path, ...]
    """One folder per name, in the order of ``names``."""
    searched: tuple[str, ...]
    """The names as people write them, in the order of ``names``."""

    @classmethod
    def open(cls, root: Path, name: str | None = None) -> Self | None:
        """List the names: that of the folder itself if it holds pages, else its subfolders'.

        None if there are no pages.

        Raises:
            SourceError: no usable name, or two subfolders for one name.
        """
        subfolders = (item for item in list_entries(root) if item.is_dir())
        folders = [root] if cls.holds_pages(root) else [*filter(cls.holds_pages, subfolders)]
        if not folders:
            return None
        persons = [name if name and folder == root else folder.name for folder in folders]
        rows = sorted(
            (as_identifier(as_name(person)), folder, as_name(person))
            for person, folder in zip(persons, folders, strict=True)
        )
        _check_names(rows)
        names, places, searched = zip(*rows, strict=True)
        return cls(root, names, places, searched)

    @staticmethod
    def holds_pages(folder: Path) -> bool:
        """Whether the folder is that of a name."""
        return bool(page_files(folder))

    def search(self, name: str) -> Search:
        """Read the pages of one name."""
        where = self._index(name)
        files = ranked_files(self.folders[where])
        pages = (load_page(Page(rank), [file]) for rank, file in files.items())
        return Search(self.searched[where], tuple(pages))

    def ranks(self, name: str) -> tuple[int, ...]:
        """Ranks of the saved pages of one name, ascending."""
        return tuple(ranked_files(self.folders[self._index(name)]))

    def key(self, name: str) -> Clustering | None:
        """Read ``key.xml``, whose ranks must all be those of pages; None where there is none."""
        path = first_existing([self.folders[self._index(name)] / "key.xml"])
        if path is None:
            return None
        key = read_clustering(path)
        ranks = self.ranks(name)
        if strange := ranks_without_result(key, ranks):
            raise KeyFileError(
                f"no page has the rank {join_items(strange)}",
                where=path,
                remedy=f"the pages here have the ranks {ranks[0]} to {ranks[-1]}: correct the key "
                "or add the page",
            )
        return key

    def warnings(self, name: str) -> tuple[str, ...]:
        """Report that pages were numbered by order although some have a number for a name."""
        stems = [file.stem for file in page_files(self.folders[self._index(name)])]
        plain = [stem for stem in stems if parse_rank(stem) is None]
        if not plain or len(plain) == len(stems):
            return ()
        return (
            f"{name}: pages are numbered from 1 in order of their names, since "
            f"{join_items(plain)} has no number for a name",
        )

    def _index(self, name: str) -> int:
        (known,) = select_names(self, [name])
        return self.names.index(known)


def page_files(folder: Path) -> tuple[Path, ...]:
    """Saved pages of a folder, sorted by name; results of weps that stand among them are none."""
    files = list_entries(folder)
    results = {
        f"{file.name.removesuffix(_ANSWER_SUFFIX)}{suffix}"
        for file in files
        if file.name.endswith(_ANSWER_SUFFIX)
        for suffix in _RESULT_SUFFIXES
    }
    return tuple(
        file for file in files if file.suffix.lower() in PAGE_SUFFIXES and file.name not in results
    )


def ranked_files(folder: Path) -> dict[int, Path]:
    """Saved pages by rank, ascending.

    Raises:
        SourceError: two files have the same number for a name.
    """
    files = page_files(folder)
    numbers = [rank for file in files if (rank := parse_rank(file.stem)) is not None]
    if len(numbers) < len(files):
        return dict(enumerate(sorted(files, key=_natural_key), start=1))
    ranked: dict[int, Path] = {}
    for rank, file in sorted(zip(numbers, files, strict=True)):
        if rank in ranked:
            raise SourceError(
                f"two files for rank {rank}: {ranked[rank].name} and {file.name}",
                where=folder,
                remedy="remove or rename one of them",
            )
        ranked[rank] = file
    return ranked


def _natural_key(file: Path) -> tuple[list[tuple[int, int | str]], str]:
    """Order by name with numbers compared as numbers, then by the name itself."""
    parts = _DIGITS.split(file.name.casefold())
    return [(0, int(part[:18])) if part.isdecimal() else (1, part) for part in parts], file.name


def _check_names(rows: Iterable[tuple[str, Path, str]]) -> None:
    seen: dict[str, Path] = {}
    for identifier, folder, _ in rows:
        if not identifier:
            raise SourceError(
                "the person's name is unknown", where=folder, remedy="state it with --name"
            )
        if identifier in seen:
            raise SourceError(
                f"two folders for one name: {seen[identifier].name} and {folder.name}",
                where=folder.parent,
                remedy="rename or join them",
            )
        seen[identifier] = folder
