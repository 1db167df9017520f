"""Stored results: where they are, their people, their pages and their provenance.

Results are in their folder or, if there are very many, in parts of it: subfolders such as
``results-3f``, after the first byte of the SHA-256 of the name. A result is found by any of its
files.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from weps._files import list_entries, open_file
from weps._formatting import count_of, join_items, short_repr
from weps.corrections.file import CORRECTIONS_SUFFIX
from weps.errors import SourceError
from weps.records import Collection, Provenance
from weps.results import format as stored_format
from weps.sources.base import KnownNames, select_names

MOST_UNDIVIDED = 1_000
"""Names of a source whose results are in one folder."""
RESULT_SUFFIX = ".json"
_PART = re.compile(r"results-[0-9a-f]{2}")
_DIGEST = '{{\n "digest": "{}",\n'
_MARK = _DIGEST.partition("{}")[0].format().encode()
"""What a result begins with that ``weps cluster`` wrote."""


def stable_hash(identifier: str) -> bytes:
    """The SHA-256 of an identifier: the same on every machine and in every run."""
    return hashlib.sha256(identifier.encode("utf-8", "surrogatepass")).digest()


def in_shard(identifier: str, shard: int, shards: int) -> bool:
    """Whether a name belongs to a shard (from 1) of so many, which depends on nothing else."""
    return int.from_bytes(stable_hash(identifier)[:8], "big") % shards == shard - 1


def result_folder(folder: Path, identifier: str, *, divided: bool = False) -> Path:
    """The folder of the files of a result: where it is, else where it is to be.

    Args:
        folder: of all results.
        identifier: the name as a file name.
        divided: whether new results go to parts of the folder.
    """
    part = folder / f"results-{stable_hash(identifier)[:1].hex()}"
    places = (part, folder) if divided else (folder, part)
    known = (place for place in places if (place / f"{identifier}{RESULT_SUFFIX}").is_file())
    return next(known, places[0])


def result_path(folder: Path, identifier: str) -> Path:
    """The path of the ``NAME.json`` of a result, which may be missing."""
    return result_folder(folder, identifier) / f"{identifier}{RESULT_SUFFIX}"


def is_part(name: str) -> bool:
    """Whether a folder of this name is a part of a folder of results."""
    return _PART.fullmatch(name) is not None


def results_root(folder: Path) -> Path:
    """The folder of all results, given that of one of them."""
    return folder.parent if is_part(folder.name) else folder


def result_paths(folder: Path) -> Iterator[Path]:
    """The ``NAME.json`` of the results in a folder and its parts, in order of the identifiers.

    Each has a report beside it, or says that it is a result.
    """
    entries = list_entries(folder)
    parts = (each for each in entries if is_part(each.name) and each.is_dir())
    files = [*entries, *(file for part in parts for file in list_entries(part))]
    files = [each for each in files if each.suffix == RESULT_SUFFIX]
    for file in sorted(files, key=lambda each: each.stem):
        if file.with_suffix(".html").is_file() or _says_result(file):
            yield file


def result_names(folder: Path) -> tuple[str, ...]:
    """The identifiers of the results in a folder and its parts, sorted."""
    return tuple(path.stem for path in result_paths(folder))


def _says_result(path: Path) -> bool:
    try:
        with open_file(path) as file:
            return file.read(len(_MARK)) == _MARK
    except OSError:
        return False


def is_finished(path: Path, digest: str) -> bool:
    """Whether a ``NAME.json`` is there and was made from what has this digest.

    The digest stands first in the file, so that nothing else of it is read.
    """
    head = _DIGEST.format(digest).encode()
    try:
        with open_file(path) as file:
            return file.read(len(head)) == head
    except OSError:
        return False


_OTHER_SUFFIXES = (".clust.xml", CORRECTIONS_SUFFIX, ".csv", ".html")
"""Files beside ``NAME.json``."""


def find_result(path: Path, name: str | None = None) -> Path:
    """The ``NAME.json`` of a result.

    Args:
        path: the file itself, another file of the result, or a folder of results.
        name: of the person, required if a folder has several results.

    Raises:
        SourceError: if a folder has no result, or several to choose from.
    """
    if path.is_dir():
        return _result_in_folder(path, name)
    suffix = next((each for each in _OTHER_SUFFIXES if path.name.endswith(each)), "")
    return path.with_name(path.name.removesuffix(suffix) + RESULT_SUFFIX) if suffix else path


def _result_in_folder(folder: Path, name: str | None) -> Path:
    names = result_names(folder)
    if not names:
        raise SourceError("has no results", where=folder, remedy="make one with `weps cluster`")
    chosen = select_names(KnownNames(folder, names), [name] if name else [])
    if len(chosen) > 1:
        what = f"has the results of {len(chosen)} names ({join_items(chosen)})"
        raise SourceError(what, where=folder, remedy="choose one with --name")
    return result_path(folder, chosen[0])


@dataclass(frozen=True, slots=True)
class StoredResult:
    """The parts of ``NAME.json`` that later commands need."""

    path: Path
    """The file."""
    name: str
    """The name that was searched for."""
    people: Mapping[int, frozenset[int]]
    """Ids, and the ranks of the pages of each; no page twice."""
    labels: Mapping[int, str]
    """The name or label of each person."""
    fingerprints: Mapping[int, str]
    """Rank → fingerprint of the page, empty where none was written."""
    provenance: Provenance
    model: str
    """Signature of the model."""
    signature: str
    """Provenance of the result."""
    addresses: frozenset[str] = frozenset()
    """Addresses of its pages, as found."""
    files: Mapping[int, str] = field(default_factory=dict)
    """Rank → saved copy, as the report links to it."""

    def __repr__(self) -> str:
        return short_repr(
            self, self.name, str(self.path), count_of(len(self.people), "person", "people")
        )

    @property
    def identifier(self) -> str:
        """The name as a file name."""
        return self.path.stem

    @property
    def folder(self) -> Path:
        """The folder of the result."""
        return self.path.parent

    @property
    def corrections_file(self) -> Path:
        """The file of the corrections, which may be missing."""
        return self.folder / f"{self.identifier}{CORRECTIONS_SUFFIX}"


def read_result(path: Path) -> StoredResult:
    """Read ``NAME.json``.

    Raises:
        SourceError: if it cannot be read, is not a result, or is of a version that did not record
            the sources of its pages.
    """
    file = stored_format.read_file(path)
    collections = tuple(
        Collection(each.path, each.name, None if each.ranks is None else dict(each.ranks))
        for each in file.collected
    )
    settings = {each.name: getattr(file.settings, each.name) for each in fields(file.settings)}
    return StoredResult(
        path,
        file.name,
        {each.id: frozenset(page.rank for page in each.pages) for each in file.people},
        {each.id: each.label for each in file.people},
        {page.rank: page.fingerprint for page in file.pages},
        Provenance(collections, **settings),
        file.model,
        file.signature,
        frozenset(page.url for page in file.pages if page.url),
        {page.rank: page.file for page in file.pages if page.file},
    )
