"""Collecting the pages of a result again with new ones, and removing them from the cache."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from weps.errors import LanguageError, SourceError
from weps.language.analysis import Layer
from weps.language.marking import mark_keys
from weps.page_forms import richest_form
from weps.people.context import sentences_near_name
from weps.provenance import Collection, page_fingerprint, portable_path
from weps.reading import Reader, document_key
from weps.records import Page, Search
from weps.results.stored import StoredResult
from weps.sources.base import Source, select_names
from weps.sources.opening import open_source

__all__ = ["CollectedPages", "CollectedSource", "collect_pages", "forget_pages"]


def forget_pages(search: Search, reader: Reader) -> int:
    """Remove the pages from the reader's cache, cleaned or analysed.

    Entries of another version of weps or another language pipeline are not found; they
    are removed with the whole cache (``weps cache --clear``).

    Args:
        search: the name and its pages.
        reader: that read them.

    Returns:
        Number of removed entries.
    """
    if reader.cache is None or not search.pages:
        return 0
    known = [document_key(page) for page in search.pages]
    read = reader.read(search, richest_form(search))
    with suppress(LanguageError):  # without its pipeline nothing can be found
        for analysis in (read, sentences_near_name(read)):
            known += mark_keys(analysis, tuple(Layer), reader.language)
    return reader.cache.forget(known)


@dataclass(eq=False, slots=True)
class CollectedSource:
    """A source with its own ranks (*there*) and those of the result (*here*)."""

    source: Source
    name: str
    pages: Mapping[int, Page]
    """By rank there."""
    fingerprints: Mapping[int, str]
    """By rank there."""
    ranks: dict[int, int] = field(default_factory=dict)
    """Rank there → rank here, of the pages found so far."""
    changed: list[int] = field(default_factory=list)
    """Ranks here."""

    @classmethod
    def of(cls, source: Source, name: str) -> CollectedSource:
        """Read the pages of a name."""
        pages = {page.rank: page for page in source.search(name).pages}
        fingerprints = {rank: page_fingerprint(page) for rank, page in pages.items()}
        return cls(source, name, pages, fingerprints)

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
        self, places: Iterable[CollectedSource], greatest: int
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

    def collection(self, folder: Path, *, first: bool) -> Collection:
        """How a result in a folder writes it; the first may leave equal ranks out."""
        same = first and all(there == here for there, here in self.ranks.items())
        ranks = None if same else dict(sorted(self.ranks.items()))
        return Collection(portable_path(folder, self.source.root), self.name, ranks)


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
    places = [_open_collection(collection, stored) for collection in stored.provenance.collections]
    for place, expected in zip(places, _expected_ranks(stored), strict=True):
        place.match_pages(expected, stored.fingerprints)
        if expected and len(place.ranks) == len(place.changed):
            raise _lost_pages_error(stored, "none of them is unchanged", place.source.root)
    place = _new_pages_source(added, stored, places)
    new, known = place.add_new_pages(places, max(stored.fingerprints, default=0))
    used = [each for each in dict.fromkeys([*places, place]) if each.ranks]
    pages = {
        here: replace(each.pages[there], rank=here)
        for each in used
        for there, here in each.ranks.items()
    }
    return CollectedPages(
        Search(stored.name, tuple(pages[rank] for rank in sorted(pages))),
        tuple(each.collection(folder, first=each is used[0]) for each in used),
        new=new,
        known=known,
        changed=tuple(sorted(rank for each in places for rank in each.changed)),
        gone=tuple(sorted(set(stored.fingerprints) - set(pages))),
        notes=tuple(note for each in used for note in each.source.warnings(each.name)),
    )


def _expected_ranks(stored: StoredResult) -> list[Mapping[int, int]]:
    """For each source the mapping of ranks there to ranks in the result; by default the rest."""
    collections = stored.provenance.collections
    said = {rank for each in collections for rank in (each.ranks or {}).values()}
    same = {rank: rank for rank in stored.fingerprints if rank not in said}
    return [same if each.ranks is None else each.ranks for each in collections]


def _open_collection(collection: Collection, stored: StoredResult) -> CollectedSource:
    where = collection.within(stored.folder)
    try:
        source = open_source(where, collection.name)
        (name,) = select_names(source, [collection.name])
        return CollectedSource.of(source, name)
    except SourceError as error:
        raise _lost_pages_error(stored, error.what, error.where) from None


def _lost_pages_error(stored: StoredResult, why: str, where: object) -> SourceError:
    what = f"the pages of {stored.path.name} cannot be found again: {why}"
    remedy = "put them back, or make the result again with `weps cluster`"
    return SourceError(what, where=where, remedy=remedy)


def _new_pages_source(
    path: Path, stored: StoredResult, places: Iterable[CollectedSource]
) -> CollectedSource:
    """The source of new pages: one that was read already, or another."""
    source = open_source(path, stored.name)
    (name,) = select_names(source, [stored.name])
    for place in places:
        if place.source.root.resolve() == source.root.resolve():
            return place
    return CollectedSource.of(source, name)
