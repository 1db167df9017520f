"""What a reader can look at: the people, and the groups that other thresholds would make people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weps.people import Alternatives, Answer, PageScore, Person
from weps.portraits import Portrait

__all__ = ["Group", "groups_of", "rows_of"]

_TONES = 8
"""Colours that tell neighbouring people apart; the style sheet defines them."""
_ALONE = "tone-alone"
"""Of pages that stand alone: there may be many, and none should look like one of a person's."""


@dataclass(frozen=True, slots=True)
class Group:
    """Pages that are one person in the answer, or would be at another threshold."""

    node: int
    """Of the dendrogram; where it is not known, the place of the person in the answer."""
    pages: tuple[PageScore, ...]
    """In order of rank, as the answer judges them."""
    portrait: Portrait
    hue: int
    """Which of the colours it has, if it has one."""
    person: Person | None = None
    """None where the answer has no such person."""

    @property
    def tone(self) -> str:
        """Class that gives it its colour."""
        return f"tone-{self.hue % _TONES}" if len(self.pages) > 1 else _ALONE

    @property
    def anchor(self) -> str:
        """Where its card stands."""
        return f"person-{self.person.id}" if self.person else f"group-{self.node}"

    @property
    def called(self) -> str:
        """What a user calls the person; empty where nobody has said."""
        return self.person.called if self.person else ""

    @property
    def plain(self) -> str:
        """What it is called where no terms tell."""
        if len(self.pages) == 1:
            return self.pages[0].title or f"page {self.pages[0].rank}"
        return f"Person {self.person.id}" if self.person else f"{len(self.pages)} pages"


def rows_of(answer: Answer) -> tuple[PageScore, ...]:
    """All pages in order of rank."""
    pages = (page for person in answer.people for page in person.pages)
    return tuple(sorted(pages, key=lambda page: page.rank))


def groups_of(answer: Answer) -> tuple[Group, ...]:
    """The people in the answer's order, then all other groups in the order of the merges."""
    if answer.alternatives is None:
        return tuple(
            Group(place, person.pages, person.portrait, place, person)
            for place, person in enumerate(answer.people)
        )
    members = _members(answer.alternatives)
    node_of = {frozenset(ranks): node for node, ranks in enumerate(members)}
    nodes = [node_of[frozenset(page.rank for page in each.pages)] for each in answer.people]
    hues = _hues(answer.alternatives, nodes, members)
    pages = {page.rank: page for page in rows_of(answer)}
    told = zip(nodes, answer.people, strict=True)
    people = [
        Group(node, person.pages, person.portrait, hues[node], person) for node, person in told
    ]
    others = (
        Group(
            node,
            tuple(pages[rank] for rank in ranks),
            answer.alternatives.portraits[node],
            hues[node],
        )
        for node, ranks in enumerate(members)
        if node not in set(nodes)
    )
    return (*people, *others)


def _members(alternatives: Alternatives) -> list[list[int]]:
    """The ranks of every node's pages, ascending."""
    members = [[rank] for rank in alternatives.ranks]
    for first, second in alternatives.nodes:
        members.append(sorted(members[first] + members[second]))
    return members


def _hues(
    alternatives: Alternatives, people: Sequence[int], members: Sequence[Sequence[int]]
) -> list[int]:
    """A colour for every node, such that the larger part of a group has the colour of the group."""
    leaves, held = len(alternatives.ranks), alternatives.held
    hues = [0] * len(members)
    for number, node in enumerate(people):
        hues[node] = number % _TONES
    for merge in reversed(range(held)):
        larger, smaller = _by_size(alternatives.nodes[merge], members)
        hues[larger] = hues[leaves + merge]
        hues[smaller] = (hues[larger] + 1 + smaller % (_TONES - 1)) % _TONES
    for merge in range(held, leaves - 1):
        hues[leaves + merge] = hues[_by_size(alternatives.nodes[merge], members)[0]]
    return hues


def _by_size(nodes: tuple[int, int], members: Sequence[Sequence[int]]) -> tuple[int, int]:
    first, second = nodes
    return (first, second) if len(members[first]) >= len(members[second]) else (second, first)
