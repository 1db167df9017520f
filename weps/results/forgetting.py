"""A name forgotten: its results, corrections, saved pages, and what the cache has of them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from weps._files import FolderLock, list_entries, real_path, unfinished_files
from weps._formatting import error_reason
from weps._text import split_words
from weps.corrections.model import CORRECTIONS_SUFFIX
from weps.errors import LanguageError, OutputError, WepsError
from weps.features.name import encoded_texts
from weps.language.analysis import Layer
from weps.language.annotation import mark_keys
from weps.language.sentence_encoder import vector_keys
from weps.people.context import sentences_near_name
from weps.reading import Reader, document_key, richest_form
from weps.records import HtmlReader, Search
from weps.results.files import WRITERS, update_index
from weps.results.stored import collect_pages, read_result, result_folder, result_path
from weps.sources.base import as_name
from weps.sources.collected import is_collected
from weps.sources.opening import open_source

PAGES_FOLDER = "pages"
"""The folder, beside the results, of pages that were given to the app."""
SEARCHED_FOLDER = "searched"
"""The folder, beside the results, of pages that searches of the app downloaded."""


@dataclass(frozen=True, slots=True)
class Removal:
    """Files and cache entries of a name that were removed, or would be."""

    files: tuple[Path, ...]
    """Files of the result, and folders of pages that weps made."""
    elsewhere: tuple[Path, ...]
    """Folders and files that the pages were read from, which belong to the user and stay."""
    cached: int = 0
    """Entries of the cache."""


def result_files(folder: Path, identifier: str) -> tuple[Path, ...]:
    """The files of a result, without links."""
    place = result_folder(folder, identifier)
    paths = (place / f"{identifier}{suffix}" for suffix in (*WRITERS, CORRECTIONS_SUFFIX))
    return tuple(path for path in paths if path.is_file() and not path.is_symlink())


def plan_removal(folder: Path, identifier: str, places: Iterable[Path] = ()) -> Removal:
    """The removal that :func:`forget_name` would do, but for the cache.

    Args:
        folder: of the results.
        identifier: the name as a file name.
        places: where further downloaded pages may be, e.g. of an unfinished search.
    """
    read_from: list[Path] = []
    with suppress(OSError, WepsError):
        stored = read_result(result_path(folder, identifier))
        for each in stored.provenance.collections:
            place = each.within(stored.folder)
            read_from.append(place / each.name if (place / each.name).is_dir() else place)
    own = {  # made by a search, but never one that has the results, too
        place: None
        for place in (*read_from, *places)
        if is_collected(place)
        and not place.is_symlink()
        and not real_path(folder).is_relative_to(real_path(place))
    }
    elsewhere = dict.fromkeys(place for place in read_from if place.exists() and place not in own)
    for root in (PAGES_FOLDER, SEARCHED_FOLDER):
        given = folder / root / identifier
        if given.is_dir() and not given.is_symlink() and not given.parent.is_symlink():
            own[given] = None
        elsewhere.pop(given, None)
    written_to = {folder, result_folder(folder, identifier), folder / PAGES_FOLDER}
    unfinished = chain.from_iterable(map(unfinished_files, sorted(written_to)))
    files = (*result_files(folder, identifier), *unfinished, *own)
    return Removal(files, tuple(elsewhere))


def forget_name(
    folder: Path, identifier: str, reader: Reader, places: Iterable[Path] = ()
) -> Removal:
    """Remove a name: results, corrections, pages that weps saved, and entries of the cache.

    Args:
        folder: see :func:`plan_removal`.
        identifier: the same.
        reader: as the pages were read, with the cache.
        places: see :func:`plan_removal`.

    Raises:
        OutputError: if something cannot be removed; what comes after it stays.
    """
    plan = plan_removal(folder, identifier, places)
    cached = sum(
        forget_pages(search, reader) for search in _searches(folder, identifier, plan.files)
    )
    cached += forget_mentions(as_name(identifier), reader)
    for path in plan.files:
        try:
            # No download is under way there; rmtree follows no links.
            with FolderLock(path, "weps forget") if is_collected(path) else nullcontext():
                if path.is_dir():
                    shutil.rmtree(path)
                else:
                    path.unlink(missing_ok=True)
        except OSError as error:
            raise OutputError(
                f"cannot be removed ({error_reason(error)})",
                where=path,
                remedy="check the permissions",
            ) from error
    for root in (PAGES_FOLDER, SEARCHED_FOLDER):
        with suppress(OSError):  # there are none, or those of other names
            (folder / root).rmdir()
    update_index(folder)
    return replace(plan, cached=cached)


def forget_pages(search: Search, reader: Reader) -> int:
    """Remove the pages from the reader's cache, cleaned or analysed; returns the number of entries.

    Entries of another version of weps, language pipeline or sentence encoder are not found.
    """
    if reader.cache is None or not search.pages:
        return 0
    known = [document_key(page, html) for page in search.pages for html in HtmlReader]
    read = reader.read(search, richest_form(search))
    with suppress(LanguageError):  # without its encoder nothing can be found
        known += vector_keys(encoded_texts(read), reader.embeddings)
    with suppress(LanguageError):  # nor without its pipeline
        for analysis in (read, sentences_near_name(read)):
            known += mark_keys(analysis, tuple(Layer), reader.language)
    return reader.cache.forget(known)


def forget_mentions(name: str, reader: Reader) -> int:
    """Remove what the cache has of any version of any page that has all words of a name.

    Pages of others that mention them are removed, too, and read again when they are needed.
    """
    words = [
        re.compile(rf"\b{word}\b" if word.isascii() else re.escape(word))  # others may be joined
        for word in split_words(name.casefold())
        if word.isalnum()
    ]

    def mention(value: bytes) -> bool:
        """Whether JSON in ASCII, as in the cache, has all the words, in any case."""
        text = value.decode("raw_unicode_escape", "replace").casefold()
        return all(word.search(text) for word in words)

    if reader.cache is None or not words:
        return 0
    return reader.cache.forget(reader.cache.keys_of(mention))


def _searches(folder: Path, identifier: str, owned: Iterable[Path]) -> Iterator[Search]:
    """The pages of a name as far as they can still be read: those of its result, and all others."""
    with suppress(OSError, WepsError):
        stored = read_result(result_path(folder, identifier))
        for each in stored.provenance.collections[:1]:  # all are read, with new pages of this one
            yield collect_pages(stored, each.within(stored.folder), stored.folder).search
    for place in owned:
        with suppress(OSError, WepsError):
            if place.is_dir() and not any(each.is_symlink() for each in list_entries(place)):
                source = open_source(place, identifier)
                yield from map(source.search, source.names)
