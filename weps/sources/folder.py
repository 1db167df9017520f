"""Folders of saved pages and of files with pages: one name, or one subfolder per name."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from weps._files import LINK_OUT, first_existing, leads_out, list_entries
from weps._formatting import join_items
from weps.errors import KeyFileError, SourceError
from weps.records import Search, UnreadInput
from weps.sources.base import (
    Source,
    as_identifier,
    as_name,
    ranks_without_result,
    select_names,
)
from weps.sources.formats.listing import file_entry, holds_plain_pages, list_folder
from weps.sources.formats.recognition import Form
from weps.sources.places import page_stems, place_ranks, read_place
from weps.sources.xml import parse_rank, read_clustering

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Self

    from weps.records import Clustering


LOOKED_INTO = 1_000
"""Subfolders that are looked into when a folder is opened; others when their names are read."""
_BESIDE = "is beside the folders of names: move it into one of them"


@dataclass(frozen=True, repr=False)
class Folder(Source):
    """Files with pages in any form of :mod:`weps.sources.formats`, and, if there is one, a key.

    Where every saved page has a number for a name (``001.html``), the number is its rank, and the
    pages of archives and of files without a number follow. Otherwise all are numbered from 1 in
    natural order (``page2`` before ``page10``).
    """

    layout: ClassVar[str] = "folder"

    folders: tuple[Path, ...]
    """One folder per name, in the order of ``names``."""
    searched: tuple[str, ...]
    """The names as people write them, in the order of ``names``."""
    beside: tuple[str, ...] = ()
    """Files with pages beside the folders of names."""

    @classmethod
    def open(cls, root: Path, name: str | None = None) -> Self | None:
        """List the names: that of the folder itself if it holds pages, else its subfolders'.

        Of very many subfolders, most are not looked into: :meth:`has_pages` tells which are names.
        None if there are no pages.

        Raises:
            SourceError: no usable name, or two subfolders for one name.
        """
        plain, mixed = partial(cls.holds_pages, plain=True), cls.holds_pages
        folders, beside = [root], tuple[str, ...]()
        if not plain(root):  # else a table beside the folders of names would be taken for one
            subfolders = [item for item in list_entries(root) if item.is_dir()]
            beside = tuple(each.name for each, _ in list_folder(root, subfolders=False).inputs)
            first, others = subfolders[:LOOKED_INTO], subfolders[LOOKED_INTO:]
            if any(map(plain, first)) or not mixed(root):
                uses = Counter(as_identifier(as_name(each.name)) for each in subfolders)
                unclear = {identifier for identifier, number in uses.items() if number > 1} | {""}
                folders = [
                    *filter(mixed, first),
                    *(
                        each
                        for each in others
                        if as_identifier(as_name(each.name)) not in unclear or mixed(each)
                    ),
                ]
        if not folders:
            return None
        persons = [name if name and folder == root else folder.name for folder in folders]
        return replace(cls._of(root, folders, persons), beside=() if folders == [root] else beside)

    @classmethod
    def open_file(cls, file: Path, name: str | None = None) -> Self:
        """A file that holds the pages of one name, or a ZIP archive with a folder for each.

        Raises:
            SourceError: it holds no pages, or no usable name.
        """
        entry = file_entry(file)
        form = entry.form()
        if form is None or form in {Form.PAGE, Form.OWN}:
            raise SourceError(
                "expected a folder or an archive of pages, got another file",
                where=file,
                remedy="give the folder that contains it",
            )
        from weps.sources.formats.zip import name_folders  # noqa: PLC0415 - seldom needed

        parts = name_folders(file) if form is Form.ZIP else [""]
        places = [file / part for part in parts]
        alone = name if len(places) == 1 else None
        stem = file.name.split(".")[0] if file.name.endswith(".gz") else file.stem
        persons = [
            alone or (place.name if part else stem)
            for place, part in zip(places, parts, strict=True)
        ]
        return cls._of(file, places, persons)

    @classmethod
    def _of(cls, root: Path, places: Sequence[Path], persons: Sequence[str]) -> Self:
        rows = sorted(
            (as_identifier(as_name(person)), place, as_name(person))
            for person, place in zip(persons, places, strict=True)
        )
        _check_names(rows)
        names, folders, searched = zip(*rows, strict=True)
        return cls(root, names, folders, searched)

    @staticmethod
    def holds_pages(folder: Path, *, plain: bool = False) -> bool:
        """Whether the folder is that of a name; ``plain`` if files that are pages tell so."""
        return holds_plain_pages(folder) or (
            not plain and bool(list_folder(folder, subfolders=False).inputs)
        )

    def only(self, name: str) -> Self:
        """The same source with one name."""
        at = self._index(name)
        kept = {each: getattr(self, each)[at : at + 1] for each in ("names", "folders", "searched")}
        return replace(self, **kept)

    def has_pages(self, name: str) -> bool:
        """Whether the folder of a name holds pages."""
        place = self.folders[self._index(name)]
        return not place.is_dir() or self.holds_pages(place)

    def search(self, name: str) -> Search:
        """Read the pages of one name.

        Raises:
            SourceError: none of its files could be read.
        """
        where = self._index(name)
        place = self.folders[where]
        found = read_place(place)
        if not found.pages:
            raise SourceError(
                "no page could be read",
                where=place,
                remedy=join_items(f"{each.name}: {each.reason}" for each in found.unread),
            )
        others = (UnreadInput(f"../{each}", _BESIDE) for each in self.beside)
        return Search(self.searched[where], found.pages, (*found.unread, *others))

    def ranks(self, name: str) -> tuple[int, ...]:
        """Ranks of the pages of one name, ascending; only archives are read for them."""
        return place_ranks(self.folders[self._index(name)])

    def key(self, name: str) -> Clustering | None:
        """Read ``key.xml``, whose ranks must all be those of pages; None where there is none."""
        folder = self.folders[self._index(name)]
        path = first_existing([folder / "key.xml"])
        if path is None:
            return None
        if leads_out(path, folder):
            raise KeyFileError(LINK_OUT, where=path, remedy="replace it by the file")
        key = read_clustering(path)
        ranks = self.ranks(name)
        if strange := ranks_without_result(key, ranks):
            raise KeyFileError(
                f"there is no page with the rank {join_items(strange)}",
                where=path,
                remedy=f"the pages here have the ranks {ranks[0]} to {ranks[-1]}: correct the key "
                "or add the page",
            )
        return key

    def warnings(self, name: str) -> tuple[str, ...]:
        """Report that pages were numbered by order although some have a number for a name."""
        stems = page_stems(self.folders[self._index(name)])
        plain = [stem for stem in stems if parse_rank(stem) is None]
        if not plain or len(plain) == len(stems):
            return ()
        return (
            f"{name}: pages are numbered from 1 in order of their names, since "
            f"{join_items(plain)} has no number for a name",
        )

    def _index(self, name: str) -> int:
        (known,) = select_names(self, [name])
        return bisect_left(self.names, known)


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
