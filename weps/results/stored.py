"""Stored results: where they are, what they say, and their pages, collected again with new ones.

Results are in their folder or, if there are very many, in parts of it: subfolders such as
``results-3f``, after the first byte of the SHA-256 of the name. A result is found by any of its
files.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from weps._files import list_entries, open_file, real_path
from weps._formatting import count_of, join_items, short_repr
from weps.corrections.model import CORRECTIONS_SUFFIX
from weps.errors import SourceError
from weps.records import Collection, Provenance, Search, page_fingerprint, portable_path
from weps.results.format import read_file
from weps.sources.base import KnownNames, Source, select_names
from weps.sources.collected import is_collected
from weps.sources.opening import open_source

MOST_UNDIVIDED = 1_000
"""Names of a source whose results are in one folder."""
RESULT_SUFFIX = ".json"
_PART = re.compile(r"results-[0-9a-f]{2}")
_HEAD = '{\n "digest": "'
"""What a result begins with that ``weps cluster`` wrote."""
_OTHER_SUFFIXES = (".clust.xml", CORRECTIONS_SUFFIX, ".csv", ".html")
"""Files beside ``NAME.json``."""


def _stable_hash(identifier: str) -> bytes:
    """The SHA-256 of an identifier: the same on every machine and in every run."""
    return hashlib.sha256(identifier.encode("utf-8", "surrogatepass")).digest()


def in_shard(identifier: str, shard: int, shards: int) -> bool:
    """Whether a name belongs to a shard (from 1) of so many, which depends on nothing else."""
    return int.from_bytes(_stable_hash(identifier)[:8], "big") % shards == shard - 1


def result_folder(folder: Path, identifier: str, *, divided: bool = False) -> Path:
    """The folder of the files of a result: where it is, else where it is to be.

    Args:
        folder: of all results.
        identifier: the name as a file name.
        divided: whether new results go to parts of the folder.
    """
    part = folder / f"results-{_stable_hash(identifier)[:1].hex()}"
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
        if file.with_suffix(".html").is_file() or is_finished(file):
            yield file


def result_names(folder: Path) -> tuple[str, ...]:
    """The identifiers of the results in a folder and its parts, sorted."""
    return tuple(path.stem for path in result_paths(folder))


def is_finished(path: Path, digest: str = "") -> bool:
    """Whether a ``NAME.json`` is there and was made from what has this digest; "" for any.

    The digest stands first in the file, so that nothing else of it is read.
    """
    head = (f'{_HEAD}{digest}",\n' if digest else _HEAD).encode()
    try:
        with open_file(path) as file:
            return file.read(len(head)) == head
    except OSError:
        return False


def find_result(path: Path, name: str | None = None) -> Path:
    """The ``NAME.json`` of a result.

    Args:
        path: the file itself, another file of the result, or a folder of results.
        name: of the person, required if a folder has several results.

    Raises:
        SourceError: if a folder has no result, or several to choose from.
    """
    if not path.is_dir():
        suffix = next((each for each in _OTHER_SUFFIXES if path.name.endswith(each)), "")
        return path.with_name(path.name.removesuffix(suffix) + RESULT_SUFFIX) if suffix else path
    names = result_names(path)
    if not names:
        raise SourceError("has no results", where=path, remedy="make one with `weps cluster`")
    chosen = select_names(KnownNames(path, names), [name] if name else [])
    if len(chosen) > 1:
        what = f"has the results of {len(chosen)} names ({join_items(chosen)})"
        raise SourceError(what, where=path, remedy="choose one with --name")
    return result_path(path, chosen[0])


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
    file = read_file(path)
    return StoredResult(
        path,
        file.name,
        {each.id: frozenset(page.rank for page in each.pages) for each in file.people},
        {each.id: each.label for each in file.people},
        {page.rank: page.fingerprint for page in file.pages},
        file.provenance,
        file.model,
        file.signature,
        frozenset(page.url for page in file.pages if page.url),
        {page.rank: page.file for page in file.pages if page.file},
    )


class _CollectedSource:
    """A source with its own ranks (*there*) and those of the result (*here*)."""

    def __init__(self, source: Source, name: str) -> None:
        self.source, self.name = source, name
        search = source.search(name)
        self.unread = search.unread
        self.pages = {page.rank: page for page in search.pages}
        self.fingerprints = {rank: page_fingerprint(page) for rank, page in self.pages.items()}
        self.ranks: dict[int, int] = {}
        """Rank there → rank here, of the pages found so far."""
        self.changed: list[int] = []
        """Ranks here."""

    def match_pages(self, expected: Mapping[int, int], fingerprints: Mapping[int, str]) -> None:
        """Find the pages of the result again: where they were, elsewhere, changed."""
        wanted = {there: here for there, here in expected.items() if here in fingerprints}
        for there, here in wanted.items():
            if there in self.pages and fingerprints[here] in {"", self.fingerprints[there]}:
                self.ranks[there] = here
        for here in sorted(set(wanted.values()) - set(self.ranks.values())):
            equal = (
                there
                for there, fingerprint in self.fingerprints.items()
                if fingerprint == fingerprints[here] and there not in self.ranks
            )
            if (place := next(equal, None)) is not None:
                self.ranks[place] = here
        missing = set(wanted.values()) - set(self.ranks.values())
        known = {"", *fingerprints.values()}
        for there, here in wanted.items():
            if here in missing and self.fingerprints.get(there, "") not in known:
                self.ranks[there] = here
                self.changed.append(here)

    def add_new_pages(
        self, places: Iterable[_CollectedSource], greatest: int
    ) -> tuple[tuple[int, ...], int]:
        """Assign a rank to each new page; also the number of known ones."""
        seen = {place.fingerprints[there] for place in places for there in place.ranks}
        new: list[int] = []
        for there in sorted(set(self.pages) - set(self.ranks)):
            if self.fingerprints[there] not in seen:
                seen.add(self.fingerprints[there])
                greatest = max(greatest + 1, there)
                self.ranks[there] = greatest
                new.append(greatest)
        return tuple(new), len(self.pages) - len(new)


@dataclass(frozen=True, slots=True)
class CollectedPages:
    """Old and new pages under the ranks that they have in the result."""

    search: Search
    collections: tuple[Collection, ...]
    """The sources of the pages."""
    new: tuple[int, ...]
    """Ranks of the pages that the result does not have yet, ascending."""
    known: int
    """Number of pages of the new source that the result had already."""
    changed: tuple[int, ...]
    """Ranks of pages whose content has changed; they keep their ranks."""
    gone: tuple[int, ...]
    """Ranks of missing pages; they are removed from the result."""
    notes: tuple[str, ...]
    """Faults of the sources, see :meth:`weps.sources.base.Source.warnings`."""


def collect_pages(stored: StoredResult, added: Path, folder: Path) -> CollectedPages:
    """Read the pages of a result again, together with new ones.

    A page is recognised by its fingerprint, at any rank of its source. If another page is
    at its rank, one unknown to the result, it has changed. New pages keep the rank
    of their source if it is above all others, else they are numbered consecutively.

    Args:
        stored: the result.
        added: a source of new pages; it may be a source of the result.
        folder: of the new result.

    Raises:
        SourceError: if a source cannot be read, does not have the name, or has none of the pages
            of the result unchanged.
    """
    collections, places = stored.provenance.collections, list[_CollectedSource]()
    stated = {here for each in collections for _, here in each.ranks or ()}
    rest = {rank: rank for rank in stored.fingerprints if rank not in stated}
    remedy = "put them back, or make the result again with `weps cluster`"
    lost = f"the pages of {stored.path.name} cannot be found again"
    for collection in collections:
        try:
            source = open_source(collection.within(stored.folder), collection.name)
            place = _CollectedSource(source, *select_names(source, [collection.name]))
        except SourceError as error:
            what = f"{lost}: {error.what}"
            raise SourceError(what, where=error.where, remedy=remedy) from None
        expected = rest if collection.ranks is None else dict(collection.ranks)
        place.match_pages(expected, stored.fingerprints)
        if expected and len(place.ranks) == len(place.changed):
            what = f"{lost}: all of them are missing or have changed"
            raise SourceError(what, where=source.root, remedy=remedy)
        places.append(place)
    source = open_source(added, stored.name)
    (name,) = select_names(source, [stored.name])
    root = real_path(source.root)
    known_already = (each for each in places if real_path(each.source.root) == root)
    latest = next(known_already, None) or _CollectedSource(source, name)
    new, known = latest.add_new_pages(places, max(stored.fingerprints, default=0))
    every = dict.fromkeys([*places, latest])
    used = [each for each in every if each.ranks]
    pages = {
        here: replace(each.pages[there], rank=here)
        for each in used
        for there, here in each.ranks.items()
    }
    sources = []
    for each in used:  # only the first may leave equal ranks out
        same = each is used[0] and all(there == here for there, here in each.ranks.items())
        ranks = None if same else tuple(sorted(each.ranks.items()))
        sources.append(Collection(portable_path(folder, each.source.root), each.name, ranks))
    unread = tuple(dict.fromkeys(unread for each in every for unread in each.unread))
    return CollectedPages(
        Search(stored.name, tuple(pages[rank] for rank in sorted(pages)), unread),
        tuple(sources),
        new=new,
        known=known,
        changed=tuple(sorted(rank for each in places for rank in each.changed)),
        gone=tuple(sorted(set(stored.fingerprints) - set(pages))),
        notes=tuple(note for each in used for note in each.source.warnings(each.name)),
    )


def searched_folder(stored: StoredResult) -> Path | None:
    """The folder of a result's pages that a search downloaded; None if it has none."""
    roots = [(each.within(stored.folder), each.name) for each in stored.provenance.collections]
    places = (place for root, name in roots for place in (root, root / name))
    return next(filter(is_collected, places), None)


def pages_of_result(stored: StoredResult) -> Search:
    """The pages of a result, without new ones in the same folder.

    Raises:
        SourceError: if they cannot be read, or some have changed.
    """
    collections = stored.provenance.collections
    if not collections:
        raise SourceError("the result does not state where its pages are", where=stored.path)
    if not all(stored.fingerprints.values()):
        # A result made by others could expose any file in the folder that it names.
        what, remedy = "the result has no fingerprints of its pages", "cluster the pages again"
        raise SourceError(what, where=stored.path, remedy=remedy)
    collected = collect_pages(stored, collections[0].within(stored.folder), stored.folder)
    if collected.gone or collected.changed:
        counts = f"{len(collected.gone)} are gone, {len(collected.changed)} have changed"
        what = f"the pages have changed since this result was made: {counts}"
        remedy = "look at the report as it was saved, or cluster the pages again"
        raise SourceError(what, where=stored.path, remedy=remedy)
    search, new = collected.search, set(collected.new)
    return replace(search, pages=tuple(page for page in search.pages if page.rank not in new))
