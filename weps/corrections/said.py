"""What can be said about who is who."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = ["KINDS", "Correction", "Kind", "Ranks"]

Ranks = tuple[int, ...]


class Kind(NamedTuple):
    """How a kind of correction is written, and what its groups of pages say."""

    form: str
    fewest: int
    """Groups of pages that it has at least."""
    most: int
    one: tuple[int, ...] = ()
    """Which of its groups together are one person."""
    apart: bool = False
    """Whether nobody of its first group is anybody of its second."""


KINDS = {
    "same": Kind("same PAGES", 1, 1, one=(0,)),
    "different": Kind("different PAGES / OTHERS", 2, 2, apart=True),
    "split": Kind("split PAGES / OTHERS", 2, 2, one=(0,), apart=True),
    "move": Kind("move PAGES / OTHERS / TARGET", 3, 3, one=(0, 2), apart=True),
    "confirm": Kind("confirm PAGES or confirm PAGES / OTHERS", 1, 2, one=(0, 1)),
    "called": Kind("called PAGE NAME", 1, 1),
}
"""What can be said.

``same``: all these pages are about one person. ``different``: nobody of the pages is anybody of
the others. ``split``: the pages are one person, who is nobody of the others. ``move``: the pages
and the target are one person, and the pages are nobody of the others. ``confirm``: the pages stand
in the right place, with one another and the others. ``called``: what to call a page's person.
"""


@dataclass(frozen=True, slots=True)
class Correction:
    """One thing that a user said: a line of a corrections file."""

    kind: str
    """Key of :data:`KINDS`."""
    groups: tuple[Ranks, ...]
    """Ranks, ascending and without repeats in each group."""
    name: str = ""
    """Of kind ``called``: what the person is called."""
    notes: tuple[str, ...] = ()
    """Comments that stand before it in its file, without ``#``."""
    line: int = field(default=0, compare=False)
    """Its line in the file it was read from, from 1; 0 if it was read from none."""

    @property
    def same(self) -> Ranks:
        """The ranks that it says are one person; empty if it says so of none."""
        ours = (self.groups[place] for place in KINDS[self.kind].one if place < len(self.groups))
        return tuple(sorted(frozenset().union(*ours)))

    @property
    def different(self) -> tuple[Ranks, Ranks] | None:
        """Two sides, nobody on the one being anybody on the other; None if it says no such."""
        return (self.groups[0], self.groups[1]) if KINDS[self.kind].apart else None

    @property
    def ranks(self) -> frozenset[int]:
        """All ranks that it mentions."""
        return frozenset().union(*self.groups)

    def __str__(self) -> str:
        """Its line in a file."""
        parts = " / ".join(" ".join(map(str, group)) for group in self.groups)
        return " ".join(filter(None, (self.kind, parts, self.name)))
