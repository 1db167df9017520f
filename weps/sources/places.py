"""The files of one name, in a folder, in a ZIP archive or as a single file, and their ranks."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from weps._files import list_entries
from weps.errors import SourceError
from weps.sources.formats.base import Contents
from weps.sources.formats.listing import Listing, file_entry, list_folder, natural_key
from weps.sources.formats.reading import read_inputs
from weps.sources.formats.recognition import Form
from weps.sources.xml import parse_rank

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from weps.records import Page
    from weps.sources.formats.listing import Entry


def read_place(place: Path) -> Contents:
    """The pages of a folder, a file, or a folder in a ZIP archive, by rank; and what is none.

    Args:
        place: a folder in an archive is written like one on disk: ``pages.zip/Ann_Lee``.

    Raises:
        SourceError: the folder cannot be listed, or two pages have one rank.
    """
    with _list_place(place) as listing:
        if _has_pages_alone(listing):
            return _read_listing(place, listing)
    return _read_archives(place, _state(place))


def place_ranks(place: Path) -> tuple[int, ...]:
    """The ranks of the pages of a place, ascending; archives must be read for them.

    Raises:
        SourceError: as :func:`read_place`.
    """
    with _list_place(place) as listing:
        if _has_pages_alone(listing):
            ranks = rank_pages(place, listing.inputs, [1] * len(listing.inputs))
            return tuple(sorted(rank for each in ranks for rank in each))
    return tuple(page.rank for page in _read_archives(place, _state(place)).pages)


def page_stems(place: Path) -> tuple[str, ...]:
    """The names, without suffix, of the files of a place that are pages as they are."""
    with _list_place(place) as listing:
        return _stems(listing.inputs)


@contextmanager
def _list_place(place: Path) -> Iterator[Listing]:
    archive = _archive_of(place)
    if archive is None:
        yield list_folder(place)
        return
    entry = file_entry(archive)
    form = entry.form()
    if form is Form.ZIP:
        from weps.sources.formats.zip import list_zip  # noqa: PLC0415 - seldom needed

        part = "" if place == archive else place.relative_to(archive).as_posix()
        with list_zip(archive, part) as listing:
            yield listing
    else:
        yield Listing(((entry, form),) if form else (), ())


def _archive_of(place: Path) -> Path | None:
    return next((each for each in (place, *place.parents) if each.is_file()), None)


def _has_pages_alone(listing: Listing) -> bool:
    return all(form is Form.PAGE for _, form in listing.inputs)


def _stems(inputs: Iterable[tuple[Entry, Form]]) -> tuple[str, ...]:
    return tuple(PurePath(entry.name).stem for entry, form in inputs if form is Form.PAGE)


def _state(place: Path) -> object:
    """Changes with the files of a place."""
    archive = _archive_of(place)
    files = [archive] if archive else [each for each in list_entries(place) if each.is_file()]
    states = ((file, file.stat()) for file in files)
    return tuple((file, state.st_mtime_ns, state.st_size) for file, state in states)


@lru_cache(maxsize=1)
def _read_archives(place: Path, _state: object) -> Contents:
    """The pages of a place with archives, which both its ranks and its pages need."""
    with _list_place(place) as listing:
        return _read_listing(place, listing)


def _read_listing(place: Path, listing: Listing) -> Contents:
    contents = _merge_results(read_inputs(listing.inputs))
    ranks = rank_pages(place, listing.inputs, [len(each.pages) for each in contents])
    pages = [
        replace(page, rank=rank)
        for each, numbers in zip(contents, ranks, strict=True)
        for page, rank in zip(each.pages, numbers, strict=True)
    ]
    unread = [each for one in contents for each in one.unread]
    return Contents(tuple(sorted(pages, key=lambda page: page.rank)), (*unread, *listing.unread))


def _merge_results(contents: Sequence[Contents]) -> list[Contents]:
    """Give results whose pages are there, as their addresses tell, to these pages."""
    pages = [page for each in contents for page in each.pages]
    saved = {page.url for page in pages if page.url and page.content is not None}
    results = {page.url: page for page in pages if page.url in saved and page.content is None}
    if not results:
        return list(contents)

    def merged(page: Page) -> Page:
        result = results.get(page.url, page)
        return replace(page, title=result.title or page.title, snippet=result.snippet)

    return [
        replace(
            each,
            pages=tuple(
                merged(page)
                for page in each.pages
                if page.content is not None or page.url not in saved
            ),
        )
        for each in contents
    ]


def rank_pages(
    place: Path, inputs: Sequence[tuple[Entry, Form]], sizes: Sequence[int]
) -> list[range]:
    """The ranks of the pages of each file, see :class:`weps.sources.folder.Folder`.

    Args:
        place: of the files, for messages.
        inputs: the files.
        sizes: number of pages of each file.

    Raises:
        SourceError: two files that are pages as they are have the same number for a name.
    """
    found = [range(0)] * len(inputs)
    taken: dict[int, str] = {}
    if all(parse_rank(stem) is not None for stem in _stems(inputs)):
        for at in sorted(range(len(inputs)), key=lambda at: inputs[at][1] is not Form.PAGE):
            entry, form = inputs[at]
            rank = parse_rank(PurePath(entry.name).stem)
            if rank is None or sizes[at] != 1:
                continue
            if rank not in taken:
                taken[rank] = entry.name
                found[at] = range(rank, rank + 1)
            elif form is Form.PAGE:
                raise SourceError(
                    f"two files for rank {rank}: {taken[rank]} and {entry.name}",
                    where=place,
                    remedy="remove or rename one of them",
                )
    following = max(taken, default=0) + 1
    for at in sorted(range(len(inputs)), key=lambda at: natural_key(inputs[at][0].name)):
        if not found[at]:
            found[at] = range(following, following + sizes[at])
            following += sizes[at]
    return found
