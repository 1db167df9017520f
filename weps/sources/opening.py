"""Sources opened by their path, and searches made of pages that a program has.

Besides corpora there are folders of saved pages, and files and archives of them: of one name, or
with a subfolder for each. Nothing is imported for data frames: whatever has columns by name is one.
"""

from __future__ import annotations

import warnings
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain, compress
from pathlib import Path, PurePath
from typing import Any, Self

from weps._files import (
    LINK_OUT,
    STANDARD,
    as_path,
    first_existing,
    leads_out,
    list_entries,
    real_path,
)
from weps._formatting import count_of, error_reason, join_items, suggest_similar
from weps.errors import InputTypeError, InputValueError, KeyFileError, SourceError, require_type
from weps.name.typed import require_name
from weps.records import Clustering, Page, Search, SearchResult, UnreadInput
from weps.sources.base import (
    MANIFEST,
    QUERIES_FILE,
    Source,
    as_identifier,
    as_name,
    folder_name,
    is_collected,
    listed_key,
    load_page,
    ranks_without_result,
    read_manifest,
    select_names,
)
from weps.sources.corpora import Corpus, parse_rank, read_clustering
from weps.sources.formats import Entry, Format, read_input, tables
from weps.sources.formats.listing import (
    ZIP,
    Listing,
    holds_plain_pages,
    holds_results,
    list_folder,
    list_place,
    name_folders,
    natural_key,
)
from weps.sources.formats.pages import SAVED_PAGE, convert_documents

_LOOKED_INTO = 1_000
"""Subfolders that are looked into when a folder is opened; others when their names are read."""


@dataclass(frozen=True, repr=False)
class Folder(Source):
    """Files with pages in any form of :mod:`weps.sources.formats`, and, if there is one, a key.

    Where every saved page has a number for a name (``001.html``), the number is its rank, and the
    pages of archives, of files without a number and of folders in the folder follow. Otherwise all
    are numbered from 1 in natural order (``page2`` before ``page10``). Of pages that weps
    downloaded, see :mod:`weps.sources.base`, the manifest has the ranks.
    """

    places: tuple[tuple[tuple[Path, str], ...], ...]
    """For each of ``names`` its folders, of which there should be one, each with the name as people
    write it."""
    beside: tuple[str, ...] = ()
    """Files with pages beside the folders of names."""
    is_named: bool = False
    """Whether the name was given; else names are those of folders and files."""

    @property
    def layout(self) -> str:
        """``collected`` if a manifest is among the first folders, else ``folder``."""
        is_any_collected = any(
            is_collected(place) for ((place, _), *_) in self.places[:_LOOKED_INTO]
        )
        return "collected" if is_any_collected else "folder"

    @classmethod
    def open(cls, root: Path, name: str | None = None) -> Self | None:
        """List the names: that of the folder itself if it holds pages, else its subfolders'.

        Of very many subfolders, most are not looked into: :meth:`has_pages` tells which are names.
        None if there are no pages.

        Raises:
            SourceError: no usable name, or no other than one that two subfolders have.
        """
        list_entries(root)  # raises an error where the folder may not be read
        folders, beside = [root], tuple[str, ...]()
        if not _holds_pages(root, plain=True):  # else a table beside folders of names would be one
            subfolders = [
                item for item in list_entries(root) if item.is_dir() and not holds_results(item)
            ]
            beside = tuple(each.name for each, _ in list_folder(root, subfolders=False).inputs)
            first, others = subfolders[:_LOOKED_INTO], subfolders[_LOOKED_INTO:]
            if any(map(partial(_holds_pages, plain=True), first)) or not beside:
                # A folder without a usable name, or one of several for a name, may hold no pages.
                uses = Counter(["", *(as_identifier(as_name(each.name)) for each in subfolders)])
                folders = [
                    *filter(_holds_pages, first),
                    *(
                        each
                        for each in others
                        if uses[as_identifier(as_name(each.name))] == 1 or _holds_pages(each)
                    ),
                ]
                if len(folders) == 1 and not (
                    holds_plain_pages(folders[0])
                    or list_folder(folders[0], subfolders=False).inputs
                ):
                    inner = cls.open(folders[0])
                    if inner and len(inner.names) > 1:
                        return inner
        if not folders:
            return None
        if folders == [root]:
            return replace(cls._of(root, [(root, name or root.name)]), is_named=bool(name))
        return cls._of(root, [(folder, folder.name) for folder in folders], beside)

    @classmethod
    def open_file(cls, file: Path, name: str | None = None) -> Self:
        """A file with the pages of one name, or an archive or a table with those of several.

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
        parts = {"": ""}
        if form is ZIP:
            parts = {part: PurePath(part).name for part in name_folders(file)}
        elif form is tables.TABLE:
            parts = {part: stated for part, (stated, _) in tables.names_of_table(file).items()}
        stem = file.name.split(".")[0] if file.name.endswith(".gz") else file.stem
        only = name if len(parts) == 1 else None
        stem *= len(parts) == 1  # of several, rows without a name are not those of the file's
        if name and len(parts) > 1 and "" in parts.values():
            warnings.warn(f"{file}: rows without a name are not read", stacklevel=2)
        places = [(file / part, only or stated or stem) for part, stated in parts.items()]
        return replace(cls._of(file, places), is_named=bool(only))

    @classmethod
    def _of(
        cls, root: Path, places: Sequence[tuple[Path, str]], beside: tuple[str, ...] = ()
    ) -> Self:
        named = defaultdict[str, list[tuple[Path, str]]](list)
        for place, name in places:
            named[as_identifier(as_name(name)) or place.name].append((place, name))
        names = tuple(sorted(named))
        source = cls(root, names, tuple(tuple(named[name]) for name in names), beside)
        if len(names) == 1:
            source.place_of(names[0])  # where there is no other, its fault is told at once
        return source

    def place_of(self, name: str) -> tuple[Path, str]:
        """The folder of a name, and the name as people write it.

        Raises:
            SourceError: it is no usable name, or there are two folders for it.
        """
        (place, searched), *others = self.places[self._index(name)]
        if others:
            raise SourceError(
                f"two folders for one name: {place.name} and {others[0][0].name}",
                where=place.parent,
                remedy="rename or join them",
            )
        if not as_identifier(as_name(searched)):
            raise SourceError(
                "the person's name is unknown",
                where=place,
                remedy="state it with --name, or name its folder or row",
            )
        return place, searched

    def only(self, name: str) -> Self:
        """This source with one name alone."""
        at = self._index(name)
        return replace(self, names=self.names[at : at + 1], places=self.places[at : at + 1])

    def has_pages(self, name: str) -> bool:
        """Whether the folder of a name holds pages."""
        place, _ = self.place_of(name)
        return not place.is_dir() or _holds_pages(place)

    def search(self, name: str) -> Search:
        """Read the pages of one name.

        A downloaded result without a page keeps its title and snippet; without these it is listed
        among what could not be read, as are files that were not downloaded.

        Raises:
            SourceError: none of its files could be read, or no result was kept.
        """
        place, searched = self.place_of(name)
        pages, unread = _read_collected(place) if is_collected(place) else _read_place(place)
        if not pages:
            raise SourceError(
                "no page could be read",
                where=place,
                remedy=join_items(f"{each.name}: {each.reason}" for each in unread),
            )
        others = (
            UnreadInput(f"../{each}", "is beside the folders of names: move it into one of them")
            for each in self.beside
        )
        searched = as_name(searched) if self.is_named else folder_name(searched)
        return Search(searched, pages, (*unread, *others), of_folder=not self.is_named)

    def ranks(self, name: str) -> tuple[int, ...]:
        """Ranks of the pages of one name, ascending."""
        place, _ = self.place_of(name)
        if is_collected(place):
            pages = read_manifest(place).pages.values()
            return tuple(page.rank for page in pages if page.is_evidence)
        return tuple(page.rank for page in _read_place(place)[0])

    def key(self, name: str) -> Clustering | None:
        """Read ``key.xml``, whose ranks must all be those of pages; None where there is none."""
        folder, _ = self.place_of(name)
        path = first_existing([folder / "key.xml"])
        if path is None:
            return None
        if leads_out(path, folder):
            raise KeyFileError(LINK_OUT, where=path, remedy="replace it by the file")
        key = read_clustering(path, name)
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
        place, _ = self.place_of(name)
        if is_collected(place):
            damaged = read_manifest(place).damaged
            told = f"{place / MANIFEST}: {count_of(damaged, 'line')} could not be read"
            return (told,) if damaged else ()
        entries = list_entries(place) if place.is_dir() else ()
        if len({parse_rank(each.stem) is None for each in entries}) == 1:
            return ()
        with list_place(place) as listing:
            stems = _page_stems(listing.inputs)
        plain = [stem for stem in stems if parse_rank(stem) is None]
        if not plain or len(plain) == len(stems):
            return ()
        return (
            f"{name}: pages are numbered from 1 in order of their names, because not all of these "
            f"are numbers ({join_items(plain)})",
        )

    def _index(self, name: str) -> int:
        return bisect_left(self.names, select_names(self, [name])[0])


def _holds_pages(folder: Path, *, plain: bool = False) -> bool:
    """Whether the folder is that of a name; ``plain`` if files in it that are pages tell so."""
    with suppress(OSError, SourceError):
        return (
            is_collected(folder)
            or holds_plain_pages(folder)
            or (not plain and bool(list_folder(folder).inputs))
        )
    return True  # reading it says why it cannot be read


_Inputs = Sequence[tuple[Entry, Format]]
_Read = tuple[tuple[Page, ...], tuple[UnreadInput, ...]]
"""Pages by rank, and what could not be read."""


def _read_collected(folder: Path) -> _Read:
    """Read the results of a manifest."""
    states = read_manifest(folder).pages.values()
    pages: list[Page] = []
    for state in (state for state in states if state.is_evidence):
        result = state.result or SearchResult(state.url)
        page = Page(state.rank, result.url, result.title, result.snippet, problem=state.problem)
        if not state.problem:  # else the result stands alone
            path = folder / state.file
            saved = load_page(replace(page, url=state.url, charset=state.charset), [path], folder)
            if saved.content is None:
                page = replace(page, problem=saved.problem or f"{path}: the saved copy is gone")
            else:
                page = replace(saved, fetched=state.fetched)
        pages.append(page)
    known = {QUERIES_FILE, MANIFEST, *(state.file for state in states)}
    return tuple(
        text if isinstance(text, Page) else replace(page, content=None, problem=text)
        for page, text in zip(pages, convert_documents(pages), strict=True)
    ), (
        *(
            UnreadInput(each.url or f"result {each.rank}", each.problem)
            for each in states
            if not each.is_evidence
        ),
        *(
            UnreadInput(
                entry.name, "was not downloaded; to include it, put it into a folder of its own"
            )
            for entry, _ in list_folder(folder).inputs
            if entry.name not in known
        ),
    )


def _read_place(place: Path) -> _Read:
    """Read a folder, a file, or a folder in a ZIP archive, written ``pages.zip/Ann_Lee``.

    Raises:
        SourceError: the folder cannot be listed, or two pages have one rank.
    """
    with list_place(place) as listing:
        return _read_listing(place, listing)


def _page_stems(inputs: _Inputs) -> tuple[str, ...]:
    """The names, without suffix, of the files of the folder itself that are pages as they are."""
    return tuple(
        PurePath(entry.name).stem
        for entry, form in inputs
        if form is SAVED_PAGE and "/" not in entry.name
    )


@lru_cache(maxsize=1)
def _read_listing(place: Path, listing: Listing) -> _Read:
    """Read a place once for both its ranks and its pages, which may be those of archives."""
    contents = [read_input(entry, form) for entry, form in listing.inputs]
    attached = set[str]().union(*(found.attached for found in contents))
    kept = [entry.name not in attached for entry, _ in listing.inputs]
    listing = Listing(
        tuple(compress(listing.inputs, kept)),
        tuple(each for each in listing.unread if each.name not in attached),
    )
    contents = [*compress(contents, kept)]
    for found, (entry, form) in zip(contents, listing.inputs, strict=True):
        if form is SAVED_PAGE and not found.pages:  # it keeps its rank
            problem = f"{entry.file}: {found.unread.pop().reason}"
            found.pages.append(Page(0, problem=problem, file=entry.file))
    texts = iter(convert_documents([page for found in contents for page in found.pages]))
    inputs: list[list[Page]] = []
    unread: list[UnreadInput] = []
    for found in contents:
        converted = [(page.url or found.name, next(texts)) for page in found.pages]
        unread += found.unread
        unread += (UnreadInput(name, text) for name, text in converted if isinstance(text, str))
        inputs.append([page for _, page in converted if isinstance(page, Page)])
    # Results whose pages are there, as their addresses tell, are given to these pages.
    every = [*chain(*inputs)]
    saved = {listed_key(page.url) for page in every if page.url and page.content is not None}
    results = {listed_key(page.url): page for page in every if page.content is None}
    inputs = [
        [
            replace(page, title=result.title or page.title, snippet=result.snippet)
            for page in each
            for key in [listed_key(page.url)]
            if page.content is not None or key not in saved
            for result in [results.get(key, page)]
        ]
        for each in inputs
    ]
    ranks = chain(*_rank_pages(place, listing.inputs, [*map(len, inputs)]))
    pages = [replace(page, rank=rank) for rank, page in zip(ranks, chain(*inputs), strict=True)]
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
    is_numbered = all(parse_rank(stem) is not None for stem in _page_stems(inputs))
    order = sorted(range(len(inputs)), key=lambda at: inputs[at][1] is not SAVED_PAGE)
    for at in order if is_numbered else ():
        entry, form = inputs[at]
        rank = parse_rank(PurePath(entry.name).stem)
        if rank is None or sizes[at] != 1 or "/" in entry.name:
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


_RESULT_FOLDERS = ("description_files", "metadata")
"""Folders of the files of results of WePS-1 and WePS-2, tried in this order."""
_CORPUS_FOLDERS = frozenset(
    (*_RESULT_FOLDERS, "attributes", "gold_standard", "tokens", "truth_files", "web_pages")
)
_KNOWN_KINDS = (
    "a source is a WePS-1 corpus: description_files, truth_files, web_pages, "
    "or a WePS-2 corpus: metadata, gold_standard, web_pages or tokens, "
    "or saved pages (HTML, text, PDF, Word, e-mail, MHTML, WARC, HAR, ZIP), directly or in one "
    "subfolder per name"
)


def open_source(path: Path | str, name: str | None = None) -> Source:
    """Open a folder of any kind: its names are listed, and pages are read later.

    Args:
        path: a WePS corpus, a folder of saved pages, a folder of such folders, or an archive.
        name: the person's name for saved pages; by default made from the name of the folder or
            file. Ignored for corpora and folders of folders, which define their names.

    Raises:
        SourceError: if the folder does not exist, is a file, or has no known content, or the name
            is none.

    Example:
        >>> source = weps.open_source("resources/demo")
        >>> source.names
        ('Robin_Averdale',)
    """
    root = as_path(path, "the path of pages")
    if name is not None:
        require_name(name)
    try:
        if not (root.is_dir() or first_existing([root])):
            remedy = "check the spelling of the path"
            if root == STANDARD:  # a result tells where its pages are, to be corrected and updated
                remedy = "save the pages in a file such as pages.jsonl, and give that"
            raise SourceError("no such file or folder", where=root, remedy=remedy)
        root = root.absolute() if root.name.strip(".") else real_path(root)
        if not root.is_dir():
            return Folder.open_file(root, name)
        if root.name in _CORPUS_FOLDERS and _result_folder(root.parent):
            raise SourceError(
                "is a part of a WePS corpus", where=root, remedy=f"take {root.parent}"
            )
        if results := _result_folder(root):
            return Corpus.open(root, results)
        if source := Folder.open(root, name):
            return source
        corpora = [item for item in list_entries(root) if item.is_dir() and _result_folder(item)]
        found = [f"{each.name}: {each.reason}" for each in list_folder(root).unread]
    except OSError as problem:
        raise SourceError(
            f"cannot be read ({error_reason(problem)})",
            where=problem.filename or root,
            remedy="check that you may read it",
        ) from problem
    raise SourceError(
        "contains neither saved pages nor a WePS corpus"
        + (f" ({join_items(found, most=3)})" if found else ""),
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


_REMEDY = f"give dictionaries, or a data frame, with some of {', '.join(tables.CONTENT)} (and rank)"


def read_pages(
    pages: Any, name: str = "", columns: Iterable[str] = ()
) -> tuple[Search, Source | None]:
    """Open a folder, or read what a program has.

    Args:
        pages: a path or a :class:`~weps.sources.base.Source` of one name or with the name; a
            :class:`~weps.records.Search`; or one item per page: a dictionary or a row of a data
            frame with any of ``url``, ``title``, ``snippet``, ``html`` (text or bytes), ``text``
            and ``rank``, a :class:`~weps.records.Page`, or the text itself. Without ranks, pages
            are numbered from 1.
        name: the person's name; of pages in memory it may also stand in ``name`` of each.
        columns: others that rows may have. Of columns that nobody reads, a warning tells.

    Returns:
        The search, and the source with this name alone; None for pages that are in memory.

    Raises:
        SourceError: if there are no pages, no name or several, or a value of another type.
    """
    require_type(name, str, "a person's name", "name")
    if isinstance(pages, Search):
        return pages, None
    if isinstance(pages, str | Path):
        pages = open_source(pages, name or None)
    if isinstance(pages, Source):
        names = select_names(pages, [name] if name else [])
        if len(names) != 1:
            raise SourceError(
                f"has {len(names):,} names ({join_items(names)})",
                where=pages.root,
                remedy="choose one: name=",
            )
        only = pages.only(names[0])
        return only.search(names[0]), only
    rows = list(page_rows(pages))
    keys = dict.fromkeys(str(key) for row in rows if not isinstance(row, Page) for key in row)
    unread = [key for key in keys if key not in {*tables.COLUMNS, *columns}]
    near = suggest_similar(unread, sorted(tables.COLUMNS))
    if not any(
        isinstance(row, Page) or not all(tables.is_missing(row.get(key)) for key in tables.CONTENT)
        for row in rows
    ):
        raise InputValueError(
            "there are no pages"
            + (f" with content among the columns {join_items(keys)}" * bool(keys)),
            remedy=near or _REMEDY,
        )
    if gone := [column for column in columns if column not in keys]:
        raise InputValueError(
            f"no page has {join_items(gone)}", remedy=suggest_similar(gone, [*keys])
        )
    if unread:
        told = f"columns that are not read: {join_items(unread)}"
        warnings.warn(f"{told}; {near}" if near else told, stacklevel=3)
    found = [
        row if isinstance(row, Page) else tables.page_of_row(row, number)
        for number, row in enumerate(rows, start=1)
    ]
    return Search(as_name(name or _name_of(rows)), tuple(found)), None


def page_rows(pages: Any) -> Iterator[Mapping[str, Any] | Page]:
    """The pages one by one; texts as dictionaries."""
    columns = getattr(pages, "column_names", None)  # those of Arrow
    columns = getattr(pages, "columns", None) if columns is None else columns
    if columns is not None:
        if len(set(columns)) < len(columns):
            raise InputValueError("two columns have one name", remedy="rename one")
        cells = (pages[each] for each in columns)
        lists = (getattr(each, "to_pylist", each.__iter__)() for each in cells)  # those of Arrow
        yield from (dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True))
        return
    if not isinstance(pages, Iterable) or isinstance(pages, Mapping | str):
        raise InputTypeError(f"expected pages, got {type(pages).__name__}", remedy=_REMEDY)
    for row in pages:
        if not isinstance(row, Page | Mapping | str):
            raise InputTypeError(
                f"expected a dictionary for each page, got {type(row).__name__}", remedy=_REMEDY
            )
        yield {"text": row} if isinstance(row, str) else row


def _name_of(rows: Iterable[Mapping[str, Any] | Page]) -> str:
    """The name that all rows state."""
    stated = (row.get("name") for row in rows if not isinstance(row, Page))
    names = sorted({each for each in stated if isinstance(each, str) and each.strip()})
    if len(names) != 1:
        raise InputValueError(
            (f"the pages state {len(names)} names ({join_items(names)})" if names else "")
            or "the name of the pages is unknown",
            remedy="give the name that was searched for: name='Ann Lee'",
        )
    return names[0]
