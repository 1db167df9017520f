"""The data behind a report: the answer, groups of pages with queries and cards, and pages."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import unquote, urlsplit

from weps._formatting import short_repr
from weps._text import PersonName
from weps.key_terms.refinement import Refinement
from weps.people.answer import (
    Alternatives,
    Answer,
    ContextEntity,
    PageScore,
    Person,
    PersonDescription,
    RelatedPage,
    SetAsidePage,
)
from weps.people.excerpts import find_mentions
from weps.records import Provenance, UnreadInput
from weps.report.safe_text import (
    CleanText,
    bounded_text,
    domain_of,
    file_link,
    safe_link,
    visible_texts,
)

_TONES = 8
"""Number of colours of people; the style sheet defines them."""
_SINGLETON_TONE = "tone-alone"
"""Colour of single-page people: there may be many, and none should look like a person's."""
_LONGEST_TERM = 60
_LONGEST_WORD = 40
_LONGEST_LINE = 200
_ENTITY_KINDS = {"person": "People", "organisation": "Organisations", "location": "Places"}
_ALL_PAGES = {1: "this page", 2: "both pages"}


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

    def __repr__(self) -> str:
        return short_repr(self, "", repr(self.answer), *self.notes[:1])


@dataclass(frozen=True)
class Group:
    """Pages that are one person in the answer, or would be at another threshold."""

    node: int
    """Node of the dendrogram; where it is not known, the place of the person in the answer."""
    size: int
    """Number of pages."""
    first: PageScore
    """The page of the lowest rank, as the answer judges it."""
    description: PersonDescription
    hue: int
    """Number of its colour, if it has one."""
    person: Person | None = None
    """None where the answer has no such person."""

    @property
    def is_singleton(self) -> bool:
        """Whether it has one page only."""
        return self.size == 1

    @property
    def tone(self) -> str:
        """CSS class of its colour."""
        return _SINGLETON_TONE if self.is_singleton else f"tone-{self.hue % _TONES}"

    @property
    def anchor(self) -> str:
        """Id of its card."""
        return f"person-{self.person.id}" if self.person else f"group-{self.node}"

    @cached_property
    def label(self) -> list[CleanText]:
        """The name that a user gave, then the line, else the terms; never empty."""
        given = visible_texts([self.person.assigned_name if self.person else ""], _LONGEST_TERM)
        line = visible_texts([self.description.line], _LONGEST_LINE)
        terms = given + (line or visible_texts(self.description.terms, _LONGEST_TERM))
        return terms or [bounded_text(self._fallback, _LONGEST_TERM) or CleanText("somebody")]

    @property
    def _fallback(self) -> str:
        """The label of a group without terms."""
        if self.is_singleton:
            return self.first.title or f"page {self.first.rank}"
        return f"Person {self.person.id}" if self.person else f"{self.size} pages"


def pages_by_rank(answer: Answer) -> dict[int, PageScore]:
    """All pages in order of rank."""
    pages = (page for person in answer.people for page in person.pages)
    return {page.rank: page for page in sorted(pages, key=lambda page: page.rank)}


def shared_problem(pages: Collection[PageScore]) -> str:
    """Return the problem that all of several pages have, to be shown once; else empty."""
    notes = {page.note for page in pages}
    return notes.pop() if len(notes) == 1 and len(pages) > 1 else ""


def unread_by_reason(unread: Iterable[UnreadInput]) -> dict[str, list[str]]:
    """The inputs that could not be read, by reason; most frequent reasons first."""
    names: dict[str, list[str]] = {}
    for each in unread:
        names.setdefault(each.reason, []).append(each.name)
    return dict(sorted(names.items(), key=lambda item: (-len(item[1]), item[0])))


def groups_of(answer: Answer) -> tuple[Group, ...]:
    """The people in the answer's order, then those of other thresholds in order of the merges."""
    if answer.alternatives is None:
        return tuple(
            Group(place, len(person.pages), person.pages[0], person.description, place, person)
            for place, person in enumerate(answer.people)
        )
    pages = list(pages_by_rank(answer).values())
    sizes, first_rows = _extents(answer.alternatives)
    owners = answer.alternatives.nodes_of_rows(answer.alternatives.kept_merges)
    node_of = dict(zip(answer.alternatives.ranks, owners, strict=True))
    nodes = [node_of[each.pages[0].rank] for each in answer.people]
    hues = _hues(answer.alternatives, nodes, sizes)

    def group(node: int, description: PersonDescription, person: Person | None = None) -> Group:
        first = pages[first_rows[node]]
        return Group(node, sizes[node], first, description, hues[node], person)

    known, described = set(nodes), answer.alternatives.descriptions.items()
    return (
        *(
            group(node, each.description, each)
            for node, each in zip(nodes, answer.people, strict=True)
        ),
        *(group(node, description) for node, description in described if node not in known),
    )


def _extents(alternatives: Alternatives) -> tuple[list[int], list[int]]:
    """The number of pages of every node, and its first row."""
    first_rows = list(range(len(alternatives.ranks)))
    sizes = [1] * len(first_rows)
    for first, second in alternatives.nodes:
        sizes.append(sizes[first] + sizes[second])
        first_rows.append(min(first_rows[first], first_rows[second]))
    return sizes, first_rows


def _hues(alternatives: Alternatives, people: Sequence[int], sizes: Sequence[int]) -> list[int]:
    """A colour for every node, such that the larger part of a group has the colour of the group."""
    leaves, held = len(alternatives.ranks), alternatives.kept_merges
    hues = [0] * len(sizes)
    for number, node in enumerate(people):
        hues[node] = number % _TONES
    for merge in reversed(range(held)):
        larger, smaller = _by_size(alternatives.nodes[merge], sizes)
        hues[larger] = hues[leaves + merge]
        hues[smaller] = (hues[larger] + 1 + smaller % (_TONES - 1)) % _TONES
    for merge in range(held, leaves - 1):
        hues[leaves + merge] = hues[_by_size(alternatives.nodes[merge], sizes)[0]]
    return hues


def _by_size(nodes: tuple[int, int], sizes: Sequence[int]) -> tuple[int, int]:
    first, second = nodes
    return (first, second) if sizes[first] >= sizes[second] else (second, first)


@dataclass(frozen=True, slots=True)
class Query:
    """A person's name with the refinement."""

    text: str
    """As it is typed: ``"Thomas Baker" producer``, ``"Thomas Baker" "Elektra Records"``."""
    precision: float
    """Share of the collected pages that it finds that are the person's."""
    recall: float
    """Share of the person's pages that it finds."""
    found: int
    """The person's pages that it finds."""
    others: int
    """The other collected pages that it finds."""
    pages: int
    """All pages of the person."""

    @classmethod
    def of(cls, name: str, person: Person) -> Query | None:
        """The query for a person; None where no refinement is known."""
        return cls.from_refinement(name, person.refinement, len(person.pages))

    @classmethod
    def from_refinement(cls, name: str, added: Refinement | None, pages: int) -> Query | None:
        """The query for so many pages with their refinement; None without one."""
        if added is None:
            return None
        found = round(added.recall * pages)
        others = round(found / added.precision) - found
        text = f"{_quoted(name)} {_quoted(added.text) if ' ' in added.text else added.text}"
        return cls(text, round(added.precision, 4), round(added.recall, 4), found, others, pages)

    @property
    def outcome(self) -> str:
        """The pages that it finds, in plain words."""
        own = _ALL_PAGES.get(self.pages, f"all {self.pages} pages")
        if self.found < self.pages:
            own = f"{self.found} of {self.pages} pages"
        others = {0: "no other", 1: "1 other"}.get(self.others, f"{self.others} others")
        return f"finds {own} and {others}"


def _quoted(text: str) -> str:
    return '"' + " ".join(text.replace('"', " ").split()) + '"'


ShownMerge = tuple[tuple[int, int], float, bool]
"""Ranks of two pages, ascending; probability; and whether the answer explains the pair."""


@dataclass(frozen=True, slots=True)
class Card:
    """A group of pages: its description, the context entities, and why the pages are together."""

    group: Group
    words: list[CleanText]
    """Key terms beyond those of the label."""
    context_entities: list[tuple[str, list[ContextEntity]]]
    """Heading and names of each kind; kinds without names are left out."""
    query: Query | None
    """Query that finds the pages again."""
    merges: list[ShownMerge]
    """Merges that made the person. Empty for a group that is no person of the answer: the script
    fills in those."""


@dataclass(frozen=True, slots=True)
class Cards:
    """All cards, by the part of the report that they are in."""

    sure: list[Card]
    unsure: list[Card]
    """People all of whose pages are unsure."""
    others: list[Card]
    """Groups that only other thresholds make people."""


def cards_of(answer: Answer, groups: Sequence[Group]) -> Cards:
    """The cards of all groups.

    Args:
        answer: the answer.
        groups: of the answer, see :func:`groups_of`.
    """
    merges = _merges_by_person(answer)
    cards = [
        _card(answer.name, each, merges[each.person.id] if each.person else []) for each in groups
    ]
    people = [(card, card.group.person) for card in cards]
    return Cards(
        sure=[card for card, person in people if person and not person.unsure],
        unsure=[card for card, person in people if person and person.unsure],
        others=[card for card, person in people if not person],
    )


def _card(name: str, group: Group, merges: list[ShownMerge]) -> Card:
    description = group.description
    by_kind = (
        (heading, [each for each in description.names if each.kind == kind])
        for kind, heading in _ENTITY_KINDS.items()
    )
    left = [term for term in description.terms if description.line and term not in description.line]
    return Card(
        group,
        visible_texts((*left, *description.words), _LONGEST_WORD),
        [(heading, names) for heading, names in by_kind if names],
        Query.from_refinement(name, description.refinement, group.size),
        merges,
    )


def _merges_by_person(answer: Answer) -> dict[int, list[ShownMerge]]:
    """Id of a person → the merges that made it."""
    person_of = {page.rank: person.id for person in answer.people for page in person.pages}
    merges: dict[int, list[ShownMerge]] = {person.id: [] for person in answer.people}
    for merge in answer.merges:
        first, second = sorted(merge.pages)
        person = person_of.get(first, 0)
        if merge.kept and person and person == person_of.get(second):
            explained = (first, second) in answer.pairs
            merges[person].append(((first, second), merge.probability, explained))
    return merges


_LONGEST_EXCERPT = 260

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True)
class PageLinks:
    """Where a page can be opened."""

    saved: CleanText
    """The saved copy; empty where there is none that browsers show."""
    live: CleanText
    """The page on the web; empty where it has no safe address."""
    domain: str
    path: str
    """The path and the query within the domain, decoded."""
    day: str
    """When the copy was made, as YYYY-MM-DD; empty if unknown."""

    @classmethod
    def of(cls, page: PageScore | SetAsidePage, copies_url: str = "") -> PageLinks:
        """The links to a page.

        Args:
            page: with the path of its file as the report is to link to it.
            copies_url: where the local app shows the copy of a page, up to its rank; empty for a
                report that is opened from disk.
        """
        saved, live = file_link(page.file), safe_link(page.url)
        if copies_url:
            saved = CleanText(f"{copies_url}{page.rank}" if page.file else "")
        parts = urlsplit(live)
        path = unquote(parts.path + (f"?{parts.query}" if parts.query else "")).rstrip("/")
        day = _DAY.match(page.fetched)
        return cls(saved, live, domain_of(page.url), path, day[0] if day else "")


def shown_title(page: PageScore | SetAsidePage) -> CleanText:
    """The title, else the address; never empty."""
    return bounded_text(page.title) or bounded_text(page.url) or CleanText("(no title)")


@dataclass(frozen=True, slots=True)
class NearPage:
    """Another page that a page is probably, or probably not, together with."""

    page: PageScore
    probability: float
    """That both pages are about one person."""
    explained_pair: tuple[int, int] | None
    """Ranks of the two, ascending, if the answer explains the pair."""


@dataclass(frozen=True, slots=True)
class PageRow:
    """A page as the list of pages shows it."""

    page: PageScore
    title: CleanText
    group: Group
    """The person that the page belongs to."""
    alternative: Group | None
    """The person that an unsure page resembles most of all others."""
    links: PageLinks
    excerpt: list[tuple[CleanText, bool]]
    """Parts of the excerpt, and which of them are the name searched for."""
    problem: str
    """Problem of this page, unless all pages have it."""
    closest: NearPage | None
    """The most probable page of the same person."""
    rival: NearPage | None
    """The most probable page of another person."""
    copies: list[PageRow] = field(default_factory=list)
    """The person's later pages that are near-duplicates of this one."""


def page_rows(answer: Answer, groups: Sequence[Group], copies_url: str = "") -> list[PageRow]:
    """The pages in order of rank.

    Args:
        answer: the answer.
        groups: of the answer, see :func:`groups_of`.
        copies_url: see :meth:`PageLinks.of`.
    """
    pages = pages_by_rank(answer)
    people = {each.person.id: each for each in groups if each.person}
    group_of = {page.rank: people[each.id] for each in answer.people for page in each.pages}
    name = PersonName.parse(answer.name)
    all_have_problem = bool(shared_problem(pages.values()))
    rows: dict[int, PageRow] = {}
    for rank, page in pages.items():
        rows[rank] = PageRow(
            page,
            shown_title(page),
            group_of[rank],
            None if page.nearest is None else people.get(page.nearest),
            PageLinks.of(page, copies_url),
            highlighted(page.excerpt, name),
            "" if all_have_problem else page.note,
            _near_page(page, page.closest, pages, answer.pairs),
            _near_page(page, page.rival, pages, answer.pairs),
        )
        if page.copy_of is not None:
            rows[page.copy_of].copies.append(rows[rank])
    return list(rows.values())


def _near_page(
    page: PageScore,
    near: RelatedPage | None,
    pages: Mapping[int, PageScore],
    explained: Collection[tuple[int, int]],
) -> NearPage | None:
    if near is None:
        return None
    pair = (min(page.rank, near.rank), max(page.rank, near.rank))
    return NearPage(pages[near.rank], near.probability, pair if pair in explained else None)


def highlighted(
    text: str, name: PersonName, longest: int = _LONGEST_EXCERPT
) -> list[tuple[CleanText, bool]]:
    """Split bounded text into parts, each with whether it is a mention of the name."""
    line = bounded_text(text, longest)
    parts, done = [], 0
    for begin, end in find_mentions(line, name):
        parts += [(CleanText(line[done:begin]), False), (CleanText(line[begin:end]), True)]
        done = end
    return [part for part in (*parts, (CleanText(line[done:]), False)) if part[0]]
