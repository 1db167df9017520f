"""All that a user said about the pages of one name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from weps.clustering import Ruling
from weps.corrections.ruling import ruling
from weps.corrections.said import Correction, Ranks

__all__ = ["Corrections", "PageMark"]


@dataclass(frozen=True, slots=True)
class PageMark:
    """What tells a page from the others of its name, whatever its rank."""

    fingerprint: str
    """See :mod:`weps.fingerprints`."""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Corrections:
    """What a user said about the pages of one name, oldest first."""

    said: tuple[Correction, ...] = ()
    pages: Mapping[int, PageMark] = field(default_factory=dict)
    """Rank → what tells the page from others: of the pages mentioned, as far as it is known."""
    notes: tuple[str, ...] = ()
    """Comments at the end of the file."""

    @property
    def same(self) -> tuple[Ranks, ...]:
        """Sets of ranks, each of pages that are one person."""
        return tuple(each.same for each in self.said if each.same)

    @property
    def different(self) -> tuple[tuple[Ranks, Ranks], ...]:
        """Pairs of sets of ranks: nobody on the one side is anybody on the other."""
        return tuple(each.different for each in self.said if each.different)

    @property
    def called(self) -> tuple[tuple[int, str], ...]:
        """Rank and name: the person of the page of that rank is called so; the last one holds."""
        return tuple((each.groups[0][0], each.name) for each in self.said if each.kind == "called")

    @property
    def confirmed(self) -> frozenset[int]:
        """Ranks of pages that were said to stand in the right place."""
        told = (each.groups[0] for each in self.said if each.kind == "confirm")
        return frozenset().union(*told)

    @property
    def ranks(self) -> frozenset[int]:
        """All ranks that are mentioned."""
        return frozenset().union(*(each.ranks for each in self.said))

    def ruling(self, ranks: Sequence[int]) -> Ruling:
        """What is settled about pages of these ranks, see :func:`weps.corrections.ruling`."""
        return ruling(self.said, ranks)

    def __len__(self) -> int:
        return len(self.said)
