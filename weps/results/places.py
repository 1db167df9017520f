"""A source of pages, and which of its pages a result has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from weps.fingerprints import fingerprint
from weps.provenance import Collection, path_from
from weps.records import Page
from weps.sources import Source

__all__ = ["Place"]


@dataclass(eq=False, slots=True)
class Place:
    """A source; ranks there are its own, ranks here are those of the result."""

    source: Source
    name: str
    pages: Mapping[int, Page]
    """By rank there."""
    fingerprints: Mapping[int, str]
    """By rank there."""
    ranks: dict[int, int] = field(default_factory=dict)
    """Rank there to rank here, of the pages found so far."""
    changed: list[int] = field(default_factory=list)
    """Ranks here of pages that hold something else than before."""

    @classmethod
    def of(cls, source: Source, name: str) -> Place:
        """Read the pages of a name."""
        pages = {page.rank: page for page in source.search(name).pages}
        fingerprints = {rank: fingerprint(page) for rank, page in pages.items()}
        return cls(source, name, pages, fingerprints)

    def find(self, expected: Mapping[int, int], fingerprints: Mapping[int, str]) -> None:
        """Find the pages of the result again: where they were, elsewhere, changed."""
        wanted = {there: here for there, here in expected.items() if here in fingerprints}
        for there, here in wanted.items():
            if there in self.pages and fingerprints[here] in {"", self.fingerprints[there]}:
                self.ranks[there] = here
        for here in self._missing(wanted):
            self._find_elsewhere(here, fingerprints[here])
        missing, known = set(self._missing(wanted)), set(fingerprints.values())
        for there, here in wanted.items():
            if here in missing and self.fingerprints.get(there, "") not in {"", *known}:
                self.ranks[there] = here
                self.changed.append(here)

    def _missing(self, wanted: Mapping[int, int]) -> list[int]:
        return sorted(set(wanted.values()) - set(self.ranks.values()))

    def _find_elsewhere(self, here: int, known_by: str) -> None:
        free = (there for there in self.pages if there not in self.ranks)
        there = next((rank for rank in free if self.fingerprints[rank] == known_by), None)
        if there is not None:
            self.ranks[there] = here

    def add(self, places: Iterable[Place], greatest: int) -> tuple[tuple[int, ...], int]:
        """Give a rank to each page that no place has; also how many others there are."""
        seen = {place.fingerprints[there] for place in places for there in place.ranks}
        new: list[int] = []
        for there in sorted(set(self.pages) - set(self.ranks)):
            if self.fingerprints[there] not in seen:
                seen.add(self.fingerprints[there])
                greatest = max(greatest + 1, there)
                self.ranks[there] = greatest
                new.append(greatest)
        return tuple(new), len(self.pages) - len(new)

    def found(self) -> Iterable[tuple[int, Page]]:
        """The pages by the rank here."""
        return ((here, replace(self.pages[there], rank=here)) for there, here in self.ranks.items())

    def collection(self, folder: Path, *, first: bool) -> Collection:
        """How a result in a folder writes it; the first may leave equal ranks out."""
        same = first and all(there == here for there, here in self.ranks.items())
        ranks = None if same else dict(sorted(self.ranks.items()))
        return Collection(path_from(folder, self.source.root), self.name, ranks)
