"""ZIP archives of saved pages, and WACZ, which is one with WARC and a list of pages.

Nothing is written: members are inflated in memory, as far as they are needed, and their names serve
for messages alone.
"""

from __future__ import annotations

import json
import zipfile
from collections import defaultdict
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING

from weps.errors import SourceError
from weps.sources.formats import (
    DAMAGED,
    Collector,
    Entry,
    Format,
    read_input,
    register_format,
)
from weps.sources.formats.listing import Listing, natural_key, own_results, resource_files
from weps.sources.formats.warc import read_warc

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

MAX_MEMBERS = 20_000
"""Members of one archive."""
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
_MAX_PAGE_LIST = 16 << 20
_PACKAGE = "datapackage.json"
"""The member that makes an archive WACZ."""
_OTHER_FILES = {"[Content_Types].xml": "an Office file", "mimetype": "an office file or e-book"}
"""Member → what an archive with it is."""
_MAX_DEPTH = 20
"""Folders of a member's name that count."""
_TAIL = 66_000
_ENCRYPTED = 0x1
_IGNORED = frozenset(("__MACOSX", "Thumbs.db", "desktop.ini"))


def _read_zip(entry: Entry, found: Collector, *, nested: bool = False) -> None:
    """Read the pages of an archive, in the natural order of their names; the rest is counted."""
    with open_zip(entry, found) as members:
        by_name = {member.name: member for member in members}
        if _PACKAGE in by_name:
            _read_wacz(by_name, found)
            return
        if kind := next((_OTHER_FILES[name] for name in by_name if name in _OTHER_FILES), ""):
            found.fail(f"not a page ({kind})")
            return
        room = MAX_INFLATED
        for member in sorted(members, key=lambda each: natural_key(each.name)):
            form = _member_form(member, found)
            if form is None:
                continue
            room -= member.size
            if room < 0:
                found.skip(f"beyond the first {MAX_INFLATED >> 30} GB")
            elif form is not ZIP:
                contents = read_input(replace(member, name=f"{entry.name}/{member.name}"), form)
                for page in contents.pages:
                    found.add(page)
                found.unread += contents.unread
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


def _read_wacz(members: Mapping[str, Entry], found: Collector) -> None:
    found.noun = "record"
    titles: dict[str, str] = {}
    for name in ("pages/pages.jsonl", "pages/extraPages.jsonl"):
        lines = members[name].read(_MAX_PAGE_LIST).splitlines() if name in members else []
        for line in lines:
            with suppress(ValueError, RecursionError):
                page = json.loads(line)
                if isinstance(page, dict) and isinstance(page.get("url"), str):
                    titles[page["url"]] = str(page.get("title") or "")
    for name, member in members.items():
        if name.startswith("archive/") and name.endswith((".warc", ".warc.gz", ".arc", ".arc.gz")):
            read_warc(member, found, titles)


@contextmanager
def list_zip(archive: Path, part: str) -> Iterator[Listing]:
    """List the members of a folder in an archive by their forms, as those of a folder on disk.

    Args:
        archive: the file.
        part: the folder in it, with slashes; empty for all.

    Yields:
        The list, whose members can be read within the context.
    """
    entry = Entry.of_file(archive)
    found = Collector(archive.name, entry.file, "member")
    with open_zip(entry, found, part) as members:
        if any(member.name == _PACKAGE for member in members):
            yield Listing(((entry, ZIP),), ())
            return
        forms = [(member, _member_form(member, found)) for member in members]
        inputs = tuple((member, form) for member, form in forms if form)
        yield Listing(inputs, found.contents().unread)


def name_folders(archive: Path) -> list[str]:
    """The folders in an archive that hold the pages of a name each.

    These are the innermost folder that all pages lie in if it has pages itself, else its
    subfolders, as for folders on disk. A single empty text stands for the archive itself.

    Raises:
        SourceError: the archive holds no pages.
    """
    with list_zip(archive, "") as listing:
        places = [PurePosixPath(member.name).parts[:-1] for member, _ in listing.inputs]
        unread = listing.unread
    if not places:
        raise SourceError(
            "holds no pages",
            where=archive,
            remedy="; ".join(each.reason for each in unread) or "it is empty",
        )
    depth = 0
    while all(
        len(place) > depth and place[: depth + 1] == places[0][: depth + 1] for place in places
    ):
        depth += 1
    inside = any(len(place) == depth for place in places)
    return sorted({"/".join(place[: depth if inside else depth + 1]) for place in places})


@contextmanager
def open_zip(entry: Entry, found: Collector, part: str = "") -> Iterator[Sequence[Entry]]:
    """The members of an archive that may hold pages; those that cannot be read are counted.

    Args:
        entry: the archive.
        found: counts the others.
        part: a folder in it; the names of members are then relative to it.

    Yields:
        The members, which can be read within the context.
    """
    with entry.open() as file:
        try:
            _check_directory(file.seek(0, 2), file)
            archive = zipfile.ZipFile(file)
        except DAMAGED as problem:
            found.fail(f"a ZIP archive that is damaged ({problem})")
            yield ()
            return
        with archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
            if len(infos) > MAX_MEMBERS:
                found.fail(f"only the first {MAX_MEMBERS:,} of {len(infos):,} members were read")
            names = {info: _clean_name(info.filename) for info in infos[:MAX_MEMBERS]}
            hidden = _unwanted(names.values())
            members: list[Entry] = []
            for info, name in names.items():
                if name in hidden or not (name.startswith(f"{part}/") or not part):
                    continue
                if info.flag_bits & _ENCRYPTED:
                    found.skip("encrypted")
                elif info.file_size > max(_UNSUSPICIOUS, _MOST_GROWTH * info.compress_size):
                    found.skip("with a suspicious compression ratio")
                else:
                    short = name.removeprefix(f"{part}/") if part else name
                    opened = partial(archive.open, info)
                    members.append(Entry(short, entry.file, info.file_size, opened))
            yield members


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
    parts = name.replace("\\", "/").split("/")
    return "/".join([part for part in parts if part not in {"", ".", ".."}][-_MAX_DEPTH:]) or "?"


def _unwanted(names: Iterable[str]) -> frozenset[str]:
    """Members that are hidden, results of weps, or resources of pages."""
    paths = [*map(PurePosixPath, names)]
    folders: defaultdict[PurePosixPath, list[str]] = defaultdict(list)
    for path in paths:
        folders[path.parent].append(path.name)
    own = {folder / name for folder, inside in folders.items() for name in own_results(inside)}
    hidden = {
        path
        for path in paths
        if any(part.startswith(".") or part in _IGNORED for part in path.parts)
    }
    return frozenset(map(str, own | hidden | resource_files(paths)))


def _member_form(member: Entry, found: Collector) -> Format | None:
    """The format of a member; None, after counting it, if it holds no page."""
    try:
        form = member.form()
        if form is None:
            found.skip("not pages", member.unknown_kind())
    except (OSError, *DAMAGED):
        found.skip("damaged")
        return None
    return None if form is None or form.is_own else form
