"""Folders of saved pages, and files and archives of them: one name, or one subfolder per name."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path, PurePath
from typing import Self

from weps._files import LINK_OUT, first_existing, leads_out, list_entries
from weps._formatting import count_of, join_items
from weps.errors import KeyFileError, SourceError
from weps.records import Clustering, Page, Search, SearchResult, UnreadInput
from weps.sources.base import (
    Source,
    as_identifier,
    as_name,
    load_page,
    ranks_without_result,
    select_names,
)
from weps.sources.collected import (
    MANIFEST,
    QUERIES_FILE,
    is_collected,
    read_manifest,
)
from weps.sources.corpora import parse_rank, read_clustering
from weps.sources.formats import Entry, Format, read_input
from weps.sources.formats.listing import (
    ZIP,
    Listing,
    archive_of,
    holds_plain_pages,
    list_folder,
    list_place,
    name_folders,
    natural_key,
)
from weps.sources.formats.pages import SAVED_PAGE, convert_pdf

LOOKED_INTO = 1_000
"""Subfolders that are looked into when a folder is opened; others when their names are read."""
_BESIDE = "is beside the folders of names: move it into one of them"


@dataclass(frozen=True, repr=False)
class Folder(Source):
    """Files with pages in any form of :mod:`weps.sources.formats`, and, if there is one, a key.

    Where every saved page has a number for a name (``001.html``), the number is its rank, and the
    pages of archives and of files without a number follow. Otherwise all are numbered from 1 in
    natural order (``page2`` before ``page10``). Of pages that weps downloaded, see
    :mod:`weps.sources.collected`, the manifest has the ranks.
    """

    places: tuple[tuple[Path, str], ...]
    """For each of ``names`` the folder, and the name as people write it."""
    beside: tuple[str, ...] = ()
    """Files with pages beside the folders of names."""

    @property
    def layout(self) -> str:
        """``collected`` if a manifest is among the first folders, else ``folder``."""
        collected = any(is_collected(folder) for folder, _ in self.places[:LOOKED_INTO])
        return "collected" if collected else "folder"

    @classmethod
    def open(cls, root: Path, name: str | None = None) -> Self | None:
        """List the names: that of the folder itself if it holds pages, else its subfolders'.

        Of very many subfolders, most are not looked into: :meth:`has_pages` tells which are names.
        None if there are no pages.

        Raises:
            SourceError: no usable name, or two subfolders for one name.
        """
        folders, beside = [root], tuple[str, ...]()
        if not _holds_pages(root, plain=True):  # else a table beside folders of names would be one
            subfolders = [item for item in list_entries(root) if item.is_dir()]
            beside = tuple(each.name for each, _ in list_folder(root, subfolders=False).inputs)
            first, others = subfolders[:LOOKED_INTO], subfolders[LOOKED_INTO:]
            if any(map(partial(_holds_pages, plain=True), first)) or not _holds_pages(root):
                uses = Counter(as_identifier(as_name(each.name)) for each in subfolders)
                unclear = {identifier for identifier, number in uses.items() if number > 1} | {""}
                folders = [
                    *filter(_holds_pages, first),
                    *(
                        each
                        for each in others
                        if as_identifier(as_name(each.name)) not in unclear or _holds_pages(each)
                    ),
                ]
        if not folders:
            return None
        if folders == [root]:
            return cls._of(root, [(root, name or root.name)])
        return cls._of(root, [(folder, folder.name) for folder in folders], beside)

    @classmethod
    def open_file(cls, file: Path, name: str | None = None) -> Self:
        """A file that holds the pages of one name, or a ZIP archive with a folder for each.

        Raises:
            SourceError: it holds no pages, or no usable name.
        """
        form = Entry.of_file(file).form()
        if isinstance(form, str) or form is SAVED_PAGE or form.is_own:
            raise SourceError(
                "expected a folder or an archive of pages, got another file",
                where=file,
                remedy="give the folder that contains it",
            )
        parts = name_folders(file) if form is ZIP else [""]
        stem = file.name.split(".")[0] if file.name.endswith(".gz") else file.stem
        if len(parts) == 1:
            return cls._of(file, [(file / parts[0], name or PurePath(parts[0]).name or stem)])
        return cls._of(file, [(file / part, PurePath(part).name or stem) for part in parts])

    @classmethod
    def _of(
        cls, root: Path, places: Sequence[tuple[Path, str]], beside: tuple[str, ...] = ()
    ) -> Self:
        rows = sorted(
            (as_identifier(as_name(name)), place, as_name(name)) for place, name in places
        )
        seen: dict[str, Path] = {}
        for identifier, place, _ in rows:
            if not identifier:
                raise SourceError(
                    "the person's name is unknown", where=place, remedy="state it with --name"
                )
            if identifier in seen:
                raise SourceError(
                    f"two folders for one name: {seen[identifier].name} and {place.name}",
                    where=place.parent,
                    remedy="rename or join them",
                )
            seen[identifier] = place
        return cls(root, tuple(seen), tuple((place, name) for _, place, name in rows), beside)

    def only(self, name: str) -> Self:
        """This source with one name alone."""
        at = self._index(name)
        return replace(self, names=self.names[at : at + 1], places=self.places[at : at + 1])

    def has_pages(self, name: str) -> bool:
        """Whether the folder of a name holds pages."""
        place, _ = self.places[self._index(name)]
        return not place.is_dir() or _holds_pages(place)

    def search(self, name: str) -> Search:
        """Read the pages of one name.

        A downloaded result without a page keeps its title and snippet; without these it is listed
        among what could not be read, as are files that were not downloaded.

        Raises:
            SourceError: none of its files could be read, or no result was kept.
        """
        place, searched = self.places[self._index(name)]
        pages, unread = _read_collected(place) if is_collected(place) else _read_place(place)
        if not pages:
            raise SourceError(
                "no page could be read",
                where=place,
                remedy=join_items(f"{each.name}: {each.reason}" for each in unread),
            )
        others = (UnreadInput(f"../{each}", _BESIDE) for each in self.beside)
        return Search(searched, pages, (*unread, *others))

    def ranks(self, name: str) -> tuple[int, ...]:
        """Ranks of the pages of one name, ascending; only archives are read for them."""
        place, _ = self.places[self._index(name)]
        if is_collected(place):
            pages = read_manifest(place).pages
            return tuple(rank for rank, page in pages.items() if page.is_evidence)
        with list_place(place) as listing:
            if _has_pages_alone(listing):
                ranks = _rank_pages(place, listing.inputs, [1] * len(listing.inputs))
                return tuple(sorted(rank for each in ranks for rank in each))
        return tuple(page.rank for page in _read_place(place)[0])

    def key(self, name: str) -> Clustering | None:
        """Read ``key.xml``, whose ranks must all be those of pages; None where there is none."""
        folder, _ = self.places[self._index(name)]
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
        """Report lines of a manifest that cannot be read, and pages that were numbered by order.

        The latter only where some have a number for a name.
        """
        place, _ = self.places[self._index(name)]
        if is_collected(place):
            damaged = read_manifest(place).damaged
            told = f"{place / MANIFEST}: {count_of(damaged, 'line')} could not be read"
            return (told,) if damaged else ()
        with list_place(place) as listing:
            stems = _page_stems(listing.inputs)
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


def _holds_pages(folder: Path, *, plain: bool = False) -> bool:
    """Whether the folder is that of a name; ``plain`` if files that are pages tell so."""
    return (
        is_collected(folder)
        or holds_plain_pages(folder)
        or (not plain and bool(list_folder(folder, subfolders=False).inputs))
    )


_Inputs = Sequence[tuple[Entry, Format]]
_Read = tuple[tuple[Page, ...], tuple[UnreadInput, ...]]
"""Pages by rank, and what could not be read."""


def _read_collected(folder: Path) -> _Read:
    """Read the results of a manifest.

    Raises:
        SourceError: there is neither a page nor a result that was kept.
    """
    states = read_manifest(folder).pages.values()
    pages: list[Page] = []
    for state in states:
        if not state.is_evidence:
            continue
        result = state.result or SearchResult(state.url)
        page = Page(state.rank, result.url, result.title, result.snippet, problem=state.problem)
        if not state.problem:  # else the result stands alone
            path = folder / state.file
            saved = replace(page, url=state.url, charset=state.charset)
            saved = load_page(saved, [path], folder)
            if saved.content is None:
                page = replace(page, problem=saved.problem or f"{path}: the saved copy is gone")
            else:
                page = replace(saved, fetched=state.fetched)
        pages.append(page)
    if not pages:
        raise SourceError("no page was downloaded", where=folder, remedy="see results.jsonl")
    texts = [
        text if isinstance(text, Page) else replace(page, content=None, problem=text)
        for page, text in zip(pages, convert_pdf(pages), strict=True)
    ]
    known = {QUERIES_FILE, MANIFEST, *(state.file for state in states)}
    foreign = "was not downloaded; to include it, put it into a folder of its own"
    files = [entry.name for entry, _ in list_folder(folder).inputs]
    return tuple(texts), (
        *(
            UnreadInput(each.url or f"result {each.rank}", each.problem)
            for each in states
            if not each.is_evidence
        ),
        *(UnreadInput(file, foreign) for file in files if file not in known),
    )


def _read_place(place: Path) -> _Read:
    """Read a folder, a file, or a folder in a ZIP archive, written ``pages.zip/Ann_Lee``.

    Raises:
        SourceError: the folder cannot be listed, or two pages have one rank.
    """
    with list_place(place) as listing:
        if _has_pages_alone(listing):
            return _read_listing(place, listing)
    archive = archive_of(place)
    files = [archive] if archive else [each for each in list_entries(place) if each.is_file()]
    states = [(file, file.stat()) for file in files]
    return _read_archives(place, tuple((file, it.st_mtime_ns, it.st_size) for file, it in states))


@lru_cache(maxsize=1)
def _read_archives(place: Path, _state: object) -> _Read:
    """Read a place with archives, once for both its ranks and its pages."""
    with list_place(place) as listing:
        return _read_listing(place, listing)


def _has_pages_alone(listing: Listing) -> bool:
    return all(form is SAVED_PAGE for _, form in listing.inputs)


def _page_stems(inputs: _Inputs) -> tuple[str, ...]:
    """The names, without suffix, of the files that are pages as they are."""
    return tuple(PurePath(entry.name).stem for entry, form in inputs if form is SAVED_PAGE)


def _read_listing(place: Path, listing: Listing) -> _Read:
    contents = [read_input(entry, form) for entry, form in listing.inputs]
    for found, (entry, form) in zip(contents, listing.inputs, strict=True):
        if form is SAVED_PAGE and not found.pages:  # it keeps its rank
            problem = f"{entry.file}: {found.unread.pop().reason}"
            found.pages.append(Page(0, problem=problem, file=entry.file))
    texts = iter(convert_pdf([page for found in contents for page in found.pages]))
    inputs: list[list[Page]] = []
    unread: list[UnreadInput] = []
    for found in contents:
        converted = [(page.url or Path(page.file).name, next(texts)) for page in found.pages]
        unread += found.unread
        unread += (UnreadInput(name, text) for name, text in converted if isinstance(text, str))
        inputs.append([page for _, page in converted if isinstance(page, Page)])
    # Results whose pages are there, as their addresses tell, are given to these pages.
    every = [page for each in inputs for page in each]
    saved = {page.url for page in every if page.url and page.content is not None}
    results = {page.url: page for page in every if page.url in saved and page.content is None}
    for number, each in enumerate(inputs):
        kept = [page for page in each if page.content is not None or page.url not in saved]
        known = [results.get(page.url, page) for page in kept]
        inputs[number] = [
            replace(page, title=result.title or page.title, snippet=result.snippet)
            for page, result in zip(kept, known, strict=True)
        ]
    ranks = _rank_pages(place, listing.inputs, [*map(len, inputs)])
    pages = [
        replace(page, rank=rank)
        for numbers, each in zip(ranks, inputs, strict=True)
        for rank, page in zip(numbers, each, strict=True)
    ]
    return tuple(sorted(pages, key=lambda page: page.rank)), (*unread, *listing.unread)


def _rank_pages(place: Path, inputs: _Inputs, sizes: Sequence[int]) -> list[range]:
    """The ranks of the pages of each file, see :class:`Folder`.

    Args:
        place: of the files, for messages.
        inputs: the files.
        sizes: number of pages of each file.

    Raises:
        SourceError: two files that are pages as they are have the same number for a name.
    """
    ranks = [range(0)] * len(inputs)
    taken: dict[int, str] = {}
    numbered = all(parse_rank(stem) is not None for stem in _page_stems(inputs))
    order = sorted(range(len(inputs)), key=lambda at: inputs[at][1] is not SAVED_PAGE)
    for at in order if numbered else ():
        entry, form = inputs[at]
        rank = parse_rank(PurePath(entry.name).stem)
        if rank is None or sizes[at] != 1:
            continue
        if rank not in taken:
            taken[rank] = entry.name
            ranks[at] = range(rank, rank + 1)
        elif form is SAVED_PAGE:
            raise SourceError(
                f"two files for rank {rank}: {taken[rank]} and {entry.name}",
                where=place,
                remedy="remove or rename one of them",
            )
    following = max(taken, default=0) + 1
    for at in sorted(range(len(inputs)), key=lambda at: natural_key(inputs[at][0].name)):
        if not ranks[at]:
            ranks[at] = range(following, following + sizes[at])
            following += sizes[at]
    return ranks
