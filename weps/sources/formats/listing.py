"""The files of folders and of ZIP archives, each with its format, and what stands there besides.

Of archives nothing is written: members are inflated in memory, as far as they are needed, and their
names serve for messages alone. WACZ is an archive with WARC and a list of pages.
"""

from __future__ import annotations

import json
import os
import re
import zipfile
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path, PurePath, PurePosixPath
from posixpath import commonprefix
from typing import IO, NamedTuple

from weps._files import LINK_OUT, leads_out, list_entries, open_file
from weps._formatting import error_reason
from weps.errors import SourceError
from weps.records import RESULT_SUFFIXES, UnreadInput
from weps.sources.base import is_collected
from weps.sources.formats import (
    DAMAGED,
    HEAD_BYTES,
    IMAGE,
    PLAIN_SUFFIXES,
    Collector,
    Entry,
    Format,
    exchanges,
    pages,
    read_input,
    register_format,
    tables,
)

MAX_MEMBERS = 20_000
"""Members of one archive."""
_MAX_FILES = 100_000
"""Files of one folder and of those in it, more than a name may have pages."""
MAX_INFLATED = 4 << 30
"""Bytes of all members that are read."""
_MAX_DIRECTORY = 16 << 20
"""Bytes of the list of members."""
_MOST_GROWTH = 250
"""Size of a member over its compressed size, beyond which it is not what it seems."""
_UNSUSPICIOUS = 4 << 20
"""Bytes of a member that may grow more."""
_MAX_NESTED = 128 << 20
"""Bytes of an archive within an archive."""
_PACKAGE = "datapackage.json"
_ARCHIVED = re.compile(r"archive/.+\.w?arc(?:\.gz)?")
"""Names of members that make an archive WACZ, together."""
_OTHER_FILES = {
    "Index/Document.iwa": "of Pages, Numbers or Keynote: export it as PDF",
    "[Content_Types].xml": "an Office file",
    "mimetype": "an office file or e-book",
}
"""Member → what an archive with it is."""
_MAX_DEPTH = 20
"""Folders of a member's name that count."""
_TAIL = 66_000
_ANSWER_SUFFIX = ".clust.xml"
_OWN_SUFFIXES = (".corrections.txt", *RESULT_SUFFIXES.values())
"""Files of one answer, some of which look like saved pages."""
_OF_PERSON = re.compile(r"\.person-[0-9]+(?=\.[a-z.]+\Z)")
"""Part of the name of a file about one person of an answer."""
_HIDDEN = re.compile(r"/(?:\.|(?:key\.xml|__MACOSX|Thumbs\.db|desktop\.ini)/)")
"""Part of the path of a member that is neither a page nor in a folder of pages."""
INDEX_NAME = "index.html"
_INDEX_MARK = b'<meta name="generator" content="weps index">'
"""In the page of all results of a folder, which may hold folders of pages, too."""
_RESOURCES = re.compile(
    r"(.+?)[ _.-]?(?:archivos|arquivos|bestanden|dateien|fichiers|file|filer|files|pliki|soubory)",
    re.IGNORECASE,
)
"""Names that browsers give to the folder with the images of a page."""


class Listing(NamedTuple):
    """The files of a folder in natural order of their names."""

    inputs: tuple[tuple[Entry, Format], ...]
    """Files with pages."""
    unread: tuple[UnreadInput, ...]
    """Other files; results of weps and resources of pages are not mentioned."""


def list_folder(folder: Path, *, subfolders: bool = True) -> Listing:
    """List the files of a folder by their formats, and what is no page.

    Args:
        folder: any.
        subfolders: whether the files in folders within it are listed as well.

    Raises:
        SourceError: the folder cannot be listed.
    """
    inputs, unread = list[tuple[Entry, Format]](), list[UnreadInput]()
    found = _forms_below(folder, folder, subfolders=subfolders)
    for path, form in islice(found, _MAX_FILES):
        name = path.name if path.parent == folder else path.relative_to(folder).as_posix()
        if isinstance(form, str):
            is_folder = os.path.isdir(path)  # noqa: PTH112 - false where it may not be asked
            unread.append(UnreadInput(f"{name}/" if is_folder else name, form))
        elif not form.is_own:
            inputs.append((Entry.of_file(path, name), form))
    if next(found, None):
        unread.append(UnreadInput(folder.name, f"only the first {_MAX_FILES:,} files were read"))
    inputs.sort(key=lambda each: natural_key(each[0].name))
    return Listing(tuple(inputs), tuple(sorted(unread, key=lambda each: natural_key(each.name))))


def _forms_below(
    folder: Path, root: Path, *, subfolders: bool
) -> Iterator[tuple[Path, Format | str]]:
    """The files of a folder and of those in it, each with its format, or why it is not read.

    Folders are among them if they are not read.

    Raises:
        SourceError: the folder cannot be listed.
    """
    items = list_entries(folder)
    own, stems = _own_files(items), _pages_without_suffix(items)
    for item in (item for item in items if item.name not in own):
        is_folder = os.path.isdir(item)  # noqa: PTH112 - as above
        if not is_folder or item.suffix.lower() in PLAIN_SUFFIXES:
            yield item, _form_or_reason(item, root)
        elif subfolders and not _is_resource_folder(item, stems) and not holds_results(item):
            try:
                if item.is_symlink():
                    yield item, LINK_OUT if leads_out(item, root) else "a symbolic link to a folder"
                elif is_collected(item):
                    yield item, "pages that weps downloaded, which are a source of their own"
                elif len(item.relative_to(root).parts) > _MAX_DEPTH:
                    yield item, "a folder that is nested too deeply"
                else:
                    yield from _forms_below(item, root, subfolders=True)
            except SourceError as problem:
                yield item, problem.what
            except OSError as problem:
                yield item, f"cannot be read ({error_reason(problem)})"


def holds_results(folder: Path) -> bool:
    """Whether weps wrote results to a folder that has no pages itself, as far as it is readable."""
    with suppress(OSError, SourceError):
        items = list_entries(folder)
        is_written = any(item.name.endswith(_ANSWER_SUFFIX) or is_index(item) for item in items)
        return is_written and not holds_plain_pages(folder)
    return False


def _form_or_reason(file: Path, folder: Path) -> Format | str:
    """The format of a file; or why it holds no page, as far as its start tells."""
    try:
        form = LINK_OUT if leads_out(file, folder) else Entry.of_file(file).form()
    except OSError as problem:
        if file.suffix.lower() in PLAIN_SUFFIXES:
            return pages.SAVED_PAGE  # reading it as a page says why it cannot be read
        return f"cannot be read ({error_reason(problem)})"
    if not isinstance(form, str) or form == LINK_OUT:
        return form
    return f"not read ({form})" if form == IMAGE else f"not a page ({form})"


def holds_plain_pages(folder: Path) -> bool:
    """Whether any file of a folder is a page by its name.

    Raises:
        SourceError: the folder cannot be listed.
    """
    items = list_entries(folder)
    own = _own_files(items)
    return any(item.suffix.lower() in PLAIN_SUFFIXES and item.name not in own for item in items)


def _own_files(items: Iterable[Path]) -> frozenset[str]:
    """The names of files that weps wrote among those of a folder, or reads as a key."""
    return _own_results([item.name for item in items]).union(
        item.name for item in items if is_index(item)
    )


def is_index(file: Path) -> bool:
    """Whether a file is the index of results, which weps wrote."""
    if file.name != INDEX_NAME or not file.is_file():
        return False
    with suppress(OSError), open_file(file) as opened:
        return _INDEX_MARK in opened.read(HEAD_BYTES)
    return False


def _own_results(names: Iterable[str]) -> frozenset[str]:
    """The names of files that weps wrote, or reads as a key."""
    every = list(names)
    answers = [name.removesuffix(_ANSWER_SUFFIX) for name in every if name.endswith(_ANSWER_SUFFIX)]
    own = {"key.xml", *(answer + suffix for answer in answers for suffix in _OWN_SUFFIXES)}
    return frozenset(own.union(name for name in every if _OF_PERSON.sub("", name) in own))


def resource_files(files: Iterable[PurePath]) -> set[PurePath]:
    """Files, among several, in a folder with the images and styles of a page beside it."""
    paths = list(files)
    stems = _pages_without_suffix(paths)
    return {
        path for path in paths if any(_is_resource_folder(each, stems) for each in path.parents)
    }


def _pages_without_suffix(files: Iterable[PurePath]) -> set[PurePath]:
    return {each.with_suffix("") for each in files if each.suffix.lower() in PLAIN_SUFFIXES}


def _is_resource_folder(folder: PurePath, stems: Container[PurePath]) -> bool:
    """Whether a folder holds the images and styles of a page beside it, without its suffix."""
    match = _RESOURCES.fullmatch(folder.name)
    return match is not None and folder.parent / match[1] in stems


def natural_key(name: str) -> tuple[list[tuple[int, int | str]], str]:
    """Order by name with numbers compared as numbers, then by the name itself."""
    return [
        (0, int(part[:18])) if part.isdecimal() else (1, part)
        for part in re.split(r"([0-9]+)", name.casefold())
    ], name


def _read_zip(entry: Entry, found: Collector, *, nested: bool = False) -> None:
    """Read the pages of an archive, in the natural order of their names; the rest is counted."""
    with open_zip(entry, found) as members:
        by_name = {member.name: member for member in members}
        if _is_wacz(by_name):
            _read_wacz(by_name, found)
            return
        if kind := next((_OTHER_FILES[name] for name in by_name if name in _OTHER_FILES), ""):
            found.fail(f"not a page ({kind})")
            return
        room = MAX_INFLATED
        attached: set[str] = set()
        # A HAR file tells which other members belong to it.
        order = sorted(members, key=lambda each: (".har" not in each.name, natural_key(each.name)))
        for member in order:
            form = None if member.name in attached else _member_form(member, found)
            if form is None:
                continue
            room -= member.size
            if room < 0:
                found.skip(f"beyond the first {MAX_INFLATED >> 30} GB")
            elif form is not ZIP:
                inner = read_input(replace(member, name=f"{entry.name}/{member.name}"), form)
                attached |= inner.attached
                for page in inner.pages:
                    found.add(page)
                found.unread += inner.unread
            elif nested or member.size > _MAX_NESTED:
                found.skip("archives that are nested too deeply, or too large, within an archive")
            else:
                _read_zip(member, found, nested=True)


ZIP = register_format(
    Format(
        "ZIP",
        lambda head, _: head.startswith((b"PK\x03\x04", b"PK\x05\x06")),
        _read_zip,
        noun="member",
    )
)
"""A ZIP archive with pages, or WACZ, which is one with a WARC."""


def _is_wacz(names: Collection[str]) -> bool:
    return _PACKAGE in names and any(map(_ARCHIVED.fullmatch, names))


def _read_wacz(members: Mapping[str, Entry], found: Collector) -> None:
    """Read the pages that an archive has a list of."""
    found.noun = "record"
    titles: dict[str, str] = {}
    for name in ("pages/pages.jsonl", "pages/extraPages.jsonl"):
        for line in members[name].read(16 << 20).splitlines() if name in members else ():
            with suppress(ValueError, RecursionError):
                page = json.loads(line)
                if isinstance(page, dict) and isinstance(page.get("url"), str):
                    titles[page["url"]] = str(page.get("title") or "")
    exchanges.read_warc(
        (each for name, each in members.items() if _ARCHIVED.fullmatch(name)), found, titles
    )


@contextmanager
def list_place(place: Path) -> Iterator[Listing]:
    """List a folder, a file, or a part of one, written ``pages.zip/Ann_Lee``.

    Parts are folders of ZIP archives and names of tables.

    Yields:
        The list, whose members of an archive can be read within the context.

    Raises:
        SourceError: the folder cannot be listed.
    """
    archive = next((each for each in (place, *place.parents) if each.is_file()), None)
    if archive is None:
        yield list_folder(place)
        return
    entry = Entry.of_file(archive)
    form = entry.form()
    if form is tables.TABLE and place != archive:
        form = tables.only_name(place.name)
    if form is not ZIP:
        yield Listing(() if isinstance(form, str) else ((entry, form),), ())
        return
    found = Collector(archive.name, entry.file, "member")
    start = "" if place == archive else f"{place.relative_to(archive).as_posix()}/"
    with open_zip(entry, found, start) as members:
        if _is_wacz([member.name for member in members]):
            yield Listing(((entry, ZIP),), ())
            return
        inputs = [(each, known) for each in members if (known := _member_form(each, found))]
        found.tell_counts()
        yield Listing(tuple(inputs), tuple(found.unread))


def name_folders(archive: Path) -> list[str]:
    """The folders in an archive that hold the pages of a name each.

    These are the innermost folder that all pages lie in if it has pages itself, else its
    subfolders, as for folders on disk. A single empty text stands for the archive itself.

    Raises:
        SourceError: the archive holds no pages.
    """
    with list_place(archive) as listing:
        places = [PurePosixPath(member.name).parent.parts for member, _ in listing.inputs]
    if not places:
        raise SourceError(
            "holds no pages",
            where=archive,
            remedy="; ".join(each.reason for each in listing.unread) or "it is empty",
        )
    depth = len(commonprefix(places))
    has_pages = any(len(place) == depth for place in places)
    return sorted({"/".join(place[: depth + (not has_pages)]) for place in places})


@contextmanager
def open_zip(entry: Entry, found: Collector, start: str = "") -> Iterator[Sequence[Entry]]:
    """The members of an archive that may hold pages; those that cannot be read are counted.

    Args:
        entry: the archive.
        found: counts the others.
        start: a folder in it, with a slash at the end; names of members are relative to it.

    Yields:
        The members, which can be read within the context.
    """
    with entry.open() as file:
        try:
            _check_directory(file.seek(0, 2), file)
            archive = zipfile.ZipFile(file)
            if min((info.header_offset for info in archive.filelist), default=0):
                raise ValueError("the list is that of an archive in it")
        except DAMAGED as problem:
            found.fail(f"a ZIP archive that is damaged ({problem})")
            yield ()
            return
        with archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
            if len(infos) > MAX_MEMBERS:
                found.fail(f"only the first {MAX_MEMBERS:,} of {len(infos):,} members were read")
            names = {info: _clean_name(info.filename) for info in infos[:MAX_MEMBERS]}
            unwanted = {
                *_own_results(names.values()),
                *map(str, resource_files(map(PurePosixPath, names.values()))),
                *(name for name in names.values() if _HIDDEN.search(f"/{name}/")),
            }
            members: dict[str, Entry] = {}

            def beside(folder: PurePosixPath, other: str) -> Entry | None:
                return members.get(str(folder / other)) if other else None

            for info, name in names.items():
                if name in unwanted or not name.startswith(start):
                    continue
                if info.flag_bits & 0x1:
                    found.skip("encrypted")
                elif info.file_size > max(_UNSUSPICIOUS, _MOST_GROWTH * info.compress_size):
                    found.skip("with a suspicious compression ratio")
                else:
                    short, opened = name.removeprefix(start), partial(archive.open, info)
                    members[short] = Entry(
                        *(short, entry.file, info.file_size, opened, entry.changed),
                        beside=partial(beside, PurePosixPath(short).parent),
                    )
            yield tuple(members.values())


def _check_directory(size: int, file: IO[bytes]) -> None:
    """Refuse an archive whose list of members is too long to be read.

    Raises:
        ValueError: it is.
    """
    file.seek(max(0, size - _TAIL))
    tail = file.read(_TAIL)
    at = tail.rfind(b"PK\x05\x06")
    length = int.from_bytes(tail[at + 12 : at + 16], "little") if at >= 0 else 0
    if length == 0xFFFFFFFF and (at := tail.rfind(b"PK\x06\x06")) >= 0:
        length = int.from_bytes(tail[at + 40 : at + 48], "little")
    file.seek(0)
    if length > _MAX_DIRECTORY:
        raise ValueError("too many members")


def _clean_name(name: str) -> str:
    """A path below the archive, whatever the name says."""
    parts = [part for part in re.split(r"[/\\]", name) if part not in {"", ".", ".."}]
    return "/".join(parts[-_MAX_DEPTH:]) or "?"


def _member_form(member: Entry, found: Collector) -> Format | None:
    """The format of a member; None, after counting it, if it holds no page."""
    try:
        form = member.form()
    except (OSError, *DAMAGED):
        found.skip("damaged")
        return None
    if isinstance(form, str):
        found.skip("not read" if form == IMAGE else "not pages", form)
        return None
    return None if form.is_own else form
