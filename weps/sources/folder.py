"""Folders of saved pages and of files with pages: one name, or one subfolder per name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, ClassVar

from weps._files import first_existing, list_entries
from weps._formatting import join_items
from weps.errors import KeyFileError, SourceError
from weps.records import Search
from weps.sources.base import (
    Source,
    as_identifier,
    as_name,
    ranks_without_result,
    select_names,
)
from weps.sources.formats.base import Contents
from weps.sources.formats.listing import (
    holds_plain_pages,
    list_folder,
    natural_key,
)
from weps.sources.formats.reading import read_inputs
from weps.sources.formats.recognition import Form
from weps.sources.xml import parse_rank, read_clustering

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Self

    from weps.records import Clustering
    from weps.sources.formats.listing import Entry, Listing


@dataclass(frozen=True)
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

    @classmethod
    def open(cls, root: Path, name: str | None = None) -> Self | None:
        """List the names: that of the folder itself if it holds pages, else its subfolders'.

        None if there are no pages.

        Raises:
            SourceError: no usable name, or two subfolders for one name.
        """
        plain, mixed = partial(cls.holds_pages, plain=True), cls.holds_pages
        folders = [root]
        if not plain(root):  # else a table beside the folders of names would be taken for one
            subfolders = [item for item in list_entries(root) if item.is_dir()]
            if any(map(plain, subfolders)) or not mixed(root):
                folders = [*filter(mixed, subfolders)]
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
    def holds_pages(folder: Path, *, plain: bool = False) -> bool:
        """Whether the folder is that of a name; ``plain`` if files that are pages tell so."""
        return holds_plain_pages(folder) or (not plain and bool(list_folder(folder).inputs))

    def search(self, name: str) -> Search:
        """Read the pages of one name.

        Raises:
            SourceError: none of its files could be read.
        """
        where = self._index(name)
        found = _read_place(self.folders[where])
        if not found.pages:
            raise SourceError(
                "no page could be read",
                where=self.folders[where],
                remedy=join_items(f"{each.name}: {each.reason}" for each in found.unread),
            )
        return Search(self.searched[where], found.pages, found.unread)

    def ranks(self, name: str) -> tuple[int, ...]:
        """Ranks of the pages of one name, ascending; only archives are read for them."""
        place = self.folders[self._index(name)]
        inputs = list_folder(place).inputs
        if all(form is Form.PAGE for _, form in inputs):
            return tuple(sorted(rank for ranks in place_ranks(place, inputs) for rank in ranks))
        return tuple(page.rank for page in _read_place(place).pages)

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
        stems = _loose_stems(list_folder(self.folders[self._index(name)]).inputs)
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


def _read_place(place: Path) -> Contents:
    """The pages of a folder by rank."""
    listing = list_folder(place)
    if all(form is Form.PAGE for _, form in listing.inputs):
        return _read_listing(place, listing)
    state = tuple((item.name, item.stat().st_mtime_ns) for item in list_entries(place))
    return _read_archives(place, state)


@lru_cache(maxsize=1)
def _read_archives(place: Path, _state: object) -> Contents:
    """The same of a folder with archives, whose ranks are known once they are read."""
    return _read_listing(place, list_folder(place))


def _read_listing(place: Path, listing: Listing) -> Contents:
    contents = read_inputs(listing.inputs)
    ranks = place_ranks(place, listing.inputs, [len(each.pages) for each in contents])
    pages = [
        replace(page, rank=rank)
        for each, numbers in zip(contents, ranks, strict=True)
        for page, rank in zip(each.pages, numbers, strict=True)
    ]
    unread = [each for one in contents for each in one.unread]
    pages.sort(key=lambda page: page.rank)
    return Contents(tuple(pages), (*unread, *listing.unread))


def place_ranks(
    place: Path, inputs: Sequence[tuple[Entry, Form]], numbers: Sequence[int] | None = None
) -> list[range]:
    """The ranks of the pages of each file.

    Args:
        place: of the files, for messages.
        inputs: the files.
        numbers: of pages of each file, by default one.

    Raises:
        SourceError: two saved pages have the same number for a name.
    """
    sizes = list(numbers or [1] * len(inputs))
    keys = [natural_key(entry.name) for entry, _ in inputs]
    order = sorted(range(len(inputs)), key=keys.__getitem__)
    found = [range(0)] * len(inputs)
    taken: dict[int, str] = {}
    if all(parse_rank(stem) is not None for stem in _loose_stems(inputs)):
        for at, (entry, form) in enumerate(inputs):
            rank = parse_rank(PurePath(entry.name).stem)
            if rank is None or sizes[at] != 1 or (rank in taken and form is not Form.PAGE):
                continue
            if rank in taken:
                raise SourceError(
                    f"two files for rank {rank}: {taken[rank]} and {entry.name}",
                    where=place,
                    remedy="remove or rename one of them",
                )
            taken[rank] = entry.name
            found[at] = range(rank, rank + 1)
    following = max(taken, default=0) + 1
    for at in order:
        if not found[at]:
            found[at] = range(following, following + sizes[at])
            following += sizes[at]
    return found


def _loose_stems(inputs: Iterable[tuple[Entry, Form]]) -> list[str]:
    """The names of saved pages without their suffixes."""
    return [PurePath(entry.name).stem for entry, form in inputs if form is Form.PAGE]


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
