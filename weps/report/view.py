"""What a report is made from.

What a reader can look at: the people, and the groups that other thresholds would make people.

Where the local app takes requests from a report that it shows.

What a person is called in the report, and the link to where the person stands.

The query that finds a person again, and what it finds among the collected pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from weps.people.answer import Alternatives, Answer, PageScore, Person
from weps.people.description import Portrait
from weps.provenance import Provenance
from weps.refinement.suggestion import Refinement
from weps.report.safe_text import shown

__all__ = [
    "AppLinks",
    "Group",
    "Query",
    "Report",
    "app_bar",
    "app_meta",
    "chip",
    "groups_of",
    "label",
    "next_time",
    "rows_of",
]


@dataclass(frozen=True, slots=True)
class Report:
    """An answer, and what else a reader should know about it."""

    answer: Answer
    scores: Mapping[str, float] = field(default_factory=dict)
    """Measure to value, where a key tells how good the answer is."""
    score_signature: str = ""
    """How the scores were computed."""
    notes: tuple[str, ...] = ()
    """Remarks on the source, one sentence each, e.g. ``Source.warnings``."""
    provenance: Provenance = field(default_factory=Provenance)
    """Where the pages are and what was chosen, so that pages can be added later."""


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


_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class AppLinks:
    """Addresses within the app, as paths."""

    corrections_url: str
    """Takes corrections, as JSON by POST."""
    home_url: str
    """All results."""
    exports: Mapping[str, str] = field(default_factory=dict)
    """What can be fetched, e.g. ``CSV``, and where."""
    delete_url: str = ""
    """Asks whether everything about the name is to be deleted; empty where that is not offered."""


def app_meta(app: AppLinks | None) -> str:
    """HTML for the head: where the script sends corrections."""
    if app is None:
        return ""
    return f'<meta name="weps-corrections" content="{_address(app.corrections_url)}">'


def app_bar(app: AppLinks | None) -> str:
    """HTML: the way back, what can be fetched, and the way to delete all of it."""
    if app is None:
        return ""
    exports = " ".join(
        f'<a href="{_address(url)}" download>{shown(kind)}</a>' for kind, url in app.exports.items()
    )
    fetched = f"<span>Save as {exports}</span>" if exports else ""
    delete = f'<a href="{_address(app.delete_url)}">Delete</a>' if app.delete_url else ""
    return (
        '<nav class="app" aria-label="App">'
        f'<a href="{_address(app.home_url)}">All results</a>{fetched}{delete}</nav>'
    )


def _address(url: str) -> str:
    return shown(url, _LONGEST)


_LONGEST_TERM = 60


def label(group: Group) -> str:
    """HTML: what a user calls the person, then the terms, set apart; never empty."""
    terms = group.called, *group.portrait.terms
    told = list(filter(None, (shown(term, _LONGEST_TERM) for term in terms)))
    parts = told or [shown(group.plain, _LONGEST_TERM) or "somebody"]
    return " · ".join(f"<bdi>{part}</bdi>" for part in parts)


def chip(group: Group) -> str:
    """HTML: a link to the card of the person, in the person's colour."""
    return f'<a class="chip {group.tone}" href="#{group.anchor}">{label(group)}</a>'


_LONGEST_QUERIES = 200
_ALL = {1: "this page", 2: "both pages"}


@dataclass(frozen=True, slots=True)
class Query:
    """A person's name with the refinement."""

    text: str
    """As it is typed: ``"Thomas Baker" producer``, ``"Thomas Baker" "Elektra Records"``."""
    precision: float
    """Of the collected pages that it finds, the share that are the person's."""
    recall: float
    """Of the person's pages, the share that it finds."""
    found: int
    """The person's pages that it finds."""
    others: int
    """The other collected pages that it finds."""
    pages: int
    """All pages of the person."""

    @classmethod
    def of(cls, name: str, person: Person) -> Query | None:
        """The query for a person; None where no refinement is known."""
        return cls.with_(name, person.refinement, len(person.pages))

    @classmethod
    def with_(cls, name: str, chosen: Refinement | None, pages: int) -> Query | None:
        """The query for so many pages with their refinement; None without one."""
        if chosen is None:
            return None
        found = round(chosen.recall * pages)
        others = round(found / chosen.precision) - found
        text = f"{_quoted(name)} {_quoted(chosen.text) if ' ' in chosen.text else chosen.text}"
        return cls(text, round(chosen.precision, 4), round(chosen.recall, 4), found, others, pages)

    @property
    def success(self) -> str:
        """What it finds, in plain words."""
        others = (
            f"{self.others} other{'s' if self.others > 1 else ''}" if self.others else "no other"
        )
        return f"finds {self._own} and {others}"

    @property
    def _own(self) -> str:
        """Which of the person's pages it finds."""
        if self.found < self.pages:
            return f"{self.found} of {self.pages} pages"
        return _ALL.get(self.pages, f"all {self.pages} pages")


def next_time(name: str, group: Group) -> str:
    """HTML: the query and what it finds; empty where none is known."""
    query = Query.with_(name, group.portrait.refinement, len(group.pages))
    if query is None:
        return ""
    return (
        f"Search for <kbd><bdi>{shown(query.text, _LONGEST_QUERIES)}</bdi></kbd>"
        f" <small>{query.success}</small>"
    )


def _quoted(text: str) -> str:
    return '"' + " ".join(text.replace('"', " ").split()) + '"'
