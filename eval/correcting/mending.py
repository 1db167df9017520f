"""The simulated user: sees an answer, knows the key, and mends the largest thing that is wrong.

The pages of one person in one group of the answer are a piece. Going from the largest piece to the
smallest, the piece is at home in its group unless another piece is so already, or its person has a
home. What is not at home is in the wrong place. The user takes the largest such piece and moves it
to the home of its person, or makes it a group of its own if the person has no home yet: one
correction, in terms of pages that the key knows, and nothing in it is wrong.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from weps.corrections import Correction

__all__ = ["Groups", "Mending", "next_mending"]

Pages = frozenset[int]
Groups = Sequence[Pages]
"""The groups of an answer: sets of ranks, none in two."""
Persons = Mapping[int, int]
"""Rank → number of the person that the page is about, of the pages that the key knows."""


class _Piece(NamedTuple):
    pages: Pages
    person: int
    group: int
    """Place of its group in the answer."""


@dataclass(frozen=True, slots=True)
class Mending:
    """A piece in the wrong place, and where it belongs."""

    pages: Pages
    others: Pages
    """What stands with the piece and is known to be about others."""
    home: Pages
    """The pages of its person that are at home; empty if the person has no home yet."""

    @property
    def said(self) -> Correction:
        """What the user says."""
        if not self.home:
            return _correction("split", self.pages, self.others)
        if not self.others:
            return _correction("same", self.pages | self.home)
        return _correction("move", self.pages, self.others, self.home)

    def on(self, groups: Groups) -> list[Pages]:
        """The answer with this mended and nothing else changed."""
        moved = [
            (group | self.pages) if group & self.home else group - self.pages for group in groups
        ]
        return [group for group in (*moved, *([] if self.home else [self.pages])) if group]


def next_mending(groups: Groups, persons: Persons) -> Mending | None:
    """What the user mends first; None if nothing is wrong.

    Of equally large pieces the one with the first page comes first.
    """
    home: dict[int, Pages] = {}
    taken: set[int] = set()
    wrong: list[_Piece] = []
    for piece in _pieces(groups, persons):
        if piece.person in home or piece.group in taken:
            wrong.append(piece)
        else:
            home[piece.person] = piece.pages
            taken.add(piece.group)
    if not wrong:
        return None
    first = wrong[0]
    others = (groups[first.group] & persons.keys()) - first.pages
    return Mending(first.pages, others, home.get(first.person, frozenset()))


def _pieces(groups: Groups, persons: Persons) -> list[_Piece]:
    """All pieces, the largest first."""
    found = defaultdict(set)
    for number, group in enumerate(groups):
        for rank in group & persons.keys():
            found[persons[rank], number].add(rank)
    pieces = [_Piece(frozenset(pages), *where) for where, pages in found.items()]
    return sorted(pieces, key=lambda piece: (-len(piece.pages), min(piece.pages)))


def _correction(kind: str, *groups: Pages) -> Correction:
    return Correction(kind, tuple(tuple(sorted(group)) for group in groups))
