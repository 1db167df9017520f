"""The pages of a result collected again, together with new ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from weps._files import real_path
from weps.errors import SourceError
from weps.records import Collection, Page, Search, UnreadInput, page_fingerprint, portable_path
from weps.results.stored import StoredResult
from weps.sources.base import Source, select_names
from weps.sources.collected import is_collected
from weps.sources.opening import open_source


@dataclass(eq=False, slots=True)
class CollectedSource:
    """A source with its own ranks (*there*) and those of the result (*here*)."""

    source: Source
    name: str
    pages: Mapping[int, Page]
    """Rank there → page."""
    fingerprints: Mapping[int, str]
    """Rank there → fingerprint."""
    unread: tuple[UnreadInput, ...] = ()
    """Inputs that could not be read."""
    ranks: dict[int, int] = field(default_factory=dict)
    """Rank there → rank here, of the pages found so far."""
    changed: list[int] = field(default_factory=list)
    """Ranks here."""

    @classmethod
    def read(cls, source: Source, name: str) -> CollectedSource:
        """Read the pages of a name."""
        search = source.search(name)
        pages = {page.rank: page for page in search.pages}
        fingerprints = {rank: page_fingerprint(page) for rank, page in pages.items()}
        return cls(source, name, pages, fingerprints, search.unread)

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
        """The source as a result in a folder writes it; the first may leave equal ranks out."""
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
            raise _lost_pages_error(
                stored, "all of them are missing or have changed", place.source.root
            )
    place = _new_pages_source(added, stored, places)
    new, known = place.add_new_pages(places, max(stored.fingerprints, default=0))
    every = dict.fromkeys([*places, place])
    used = [each for each in every if each.ranks]
    unread = tuple(dict.fromkeys(each for source in every for each in source.unread))
    pages = {
        here: replace(each.pages[there], rank=here)
        for each in used
        for there, here in each.ranks.items()
    }
    return CollectedPages(
        Search(stored.name, tuple(pages[rank] for rank in sorted(pages)), unread),
        tuple(each.collection(folder, first=each is used[0]) for each in used),
        new=new,
        known=known,
        changed=tuple(sorted(rank for each in places for rank in each.changed)),
        gone=tuple(sorted(set(stored.fingerprints) - set(pages))),
        notes=tuple(note for each in used for note in each.source.warnings(each.name)),
    )


def _expected_ranks(stored: StoredResult) -> list[Mapping[int, int]]:
    """Ranks there → ranks in the result, for each source; by default the rest."""
    collections = stored.provenance.collections
    stated = {rank for each in collections for rank in (each.ranks or {}).values()}
    same = {rank: rank for rank in stored.fingerprints if rank not in stated}
    return [same if each.ranks is None else each.ranks for each in collections]


def _open_collection(collection: Collection, stored: StoredResult) -> CollectedSource:
    where = collection.within(stored.folder)
    try:
        source = open_source(where, collection.name)
        (name,) = select_names(source, [collection.name])
        return CollectedSource.read(source, name)
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
        if real_path(place.source.root) == real_path(source.root):
            return place
    return CollectedSource.read(source, name)


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
