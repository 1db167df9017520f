"""The pages of a result, collected again together with new ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from weps.errors import SourceError
from weps.provenance import Collection
from weps.records import Search
from weps.results.places import Place
from weps.results.stored import StoredResult
from weps.sources import open_source, select

__all__ = ["Collected", "collect"]


@dataclass(frozen=True, slots=True)
class Collected:
    """Old and new pages under the ranks that they have in the result."""

    search: Search
    collections: tuple[Collection, ...]
    """Where they are."""
    new: tuple[int, ...]
    """Ranks of the pages that the result does not have yet, ascending."""
    known: int
    """How many pages of the new source were there already."""
    changed: tuple[int, ...]
    """Ranks of pages that hold something else than before; they stay in their places."""
    gone: tuple[int, ...]
    """Ranks of pages that are no longer there; they leave the result."""
    notes: tuple[str, ...]
    """Faults of the sources, see :meth:`weps.sources.Source.warnings`."""


def collect(stored: StoredResult, added: Path, folder: Path) -> Collected:
    """Read the pages of a result where they were, and those to be added.

    A page is known by its fingerprint, at whatever rank its source has it now. Where another page
    stands at its rank, one that the result does not know, it has changed. New pages keep the rank
    that their source gives them if it is beyond all others, else they are counted on.

    Args:
        stored: the result.
        added: a source of new pages; it may be one that the result has pages of.
        folder: where the next result is written to.

    Raises:
        SourceError: if a source cannot be read, has nothing for the name, or of the pages that the
            result has from it none that is as it was.
    """
    places = [_place(collection, stored) for collection in stored.provenance.collections]
    for place, expected in zip(places, _expected(stored), strict=True):
        place.find(expected, stored.fingerprints)
        if expected and len(place.ranks) == len(place.changed):
            raise _lost(stored, "none of them is as it was", place.source.root)
    place = _added(added, stored, places)
    new, known = place.add(places, max(stored.fingerprints, default=0))
    used = [each for each in dict.fromkeys([*places, place]) if each.ranks]
    pages = {rank: page for each in used for rank, page in each.found()}
    return Collected(
        Search(stored.name, tuple(pages[rank] for rank in sorted(pages))),
        tuple(each.collection(folder, first=each is used[0]) for each in used),
        new=new,
        known=known,
        changed=tuple(sorted(rank for each in places for rank in each.changed)),
        gone=tuple(sorted(set(stored.fingerprints) - set(pages))),
        notes=tuple(note for each in used for note in each.source.warnings(each.name)),
    )


def _expected(stored: StoredResult) -> list[Mapping[int, int]]:
    """For each collection rank there to rank in the result; without a say, those of no other."""
    collections = stored.provenance.collections
    said = {rank for each in collections for rank in (each.ranks or {}).values()}
    same = {rank: rank for rank in stored.fingerprints if rank not in said}
    return [same if each.ranks is None else each.ranks for each in collections]


def _place(collection: Collection, stored: StoredResult) -> Place:
    where = collection.within(stored.folder)
    try:
        source = open_source(where, collection.name)
        (name,) = select(source, [collection.name])
        return Place.of(source, name)
    except SourceError as error:
        raise _lost(stored, error.what, error.where) from None


def _lost(stored: StoredResult, why: str, where: object) -> SourceError:
    what = f"the pages of {stored.path.name} cannot be found again: {why}"
    remedy = "put them back, or make the result anew with `weps cluster`"
    return SourceError(what, where=where, remedy=remedy)


def _added(path: Path, stored: StoredResult, places: Iterable[Place]) -> Place:
    """The source of new pages: one that is read already, or another."""
    source = open_source(path, stored.name)
    (name,) = select(source, [stored.name])
    for place in places:
        if place.source.root.resolve() == source.root.resolve():
            return place
    return Place.of(source, name)
