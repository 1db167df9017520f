"""What a report shows: groups of pages with queries and cards, pages, explained pairs; in words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import groupby, pairwise
from urllib.parse import unquote, urlsplit

from weps._formatting import format_probability
from weps.coreference.classifiers import Effect
from weps.errors import FeatureError
from weps.features.registry import NEARBY, all_features, feature_by_name
from weps.key_terms.labels import Refinement
from weps.name.person_name import PersonName
from weps.people.answer import PROBABLE, Answer, PageScore, Person, PersonDescription, ShownPage
from weps.people.evidence import Evidence, ExplainedPair
from weps.people.facts import Fact
from weps.people.pages import find_mentions
from weps.records import UNWRITTEN, NonEmpty, Provenance, Share, UnreadInput
from weps.report.safe_text import CleanText, bounded_text, file_link, safe_link, visible_texts

_TONES = 8
"""Number of colours of people; the style sheet defines them."""
_LONGEST_TERM, _LONGEST_WORD, _LONGEST_LINE = 60, 40, 200
"""Characters."""
_MOST_PLACES = 2
"""Of a person in the list of all."""
_YEAR = re.compile(r"^[0-9]{4}")
_MOST_YEARS = 2
"""Of birth, or of death, where pages disagree."""


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
    parts: tuple[int, ...] = ()
    """Nodes of the probable people among its pages, see :class:`weps.people.answer.Part`."""
    stated: str = ""
    """What need not be said again of each person, the name and a dash."""

    @property
    def is_singleton(self) -> bool:
        """Whether it has one page only."""
        return self.size == 1

    @property
    def tone(self) -> str:
        """CSS class of its colour; single-page people, of whom there may be many, have the same."""
        return "tone-alone" if self.is_singleton else f"tone-{self.hue % _TONES}"

    @property
    def anchor(self) -> str:
        """Id of its card."""
        return f"person-{self.person.id}" if self.person else f"group-{self.node}"

    @cached_property
    def label(self) -> list[CleanText]:
        """The name that a user gave, then the line, else the terms; never empty."""
        terms = visible_texts([self.person.assigned_name if self.person else ""], _LONGEST_TERM)
        line = visible_texts([self.description.line.removeprefix(self.stated)], _LONGEST_LINE)
        terms += line or visible_texts(self.description.terms, _LONGEST_TERM)
        fallback = f"Person {self.person.id}" if self.person else f"{self.size} pages"
        if self.is_singleton:
            fallback = self.first.title or f"page {self.first.rank}"
        terms = terms or [bounded_text(fallback, _LONGEST_TERM) or CleanText("somebody")]
        # Not in the style sheet, which would take the first letter within quotation marks.
        return [CleanText(f"{terms[0][0].upper()}{terms[0][1:]}"), *terms[1:]]


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
    names = defaultdict[str, list[str]](list)
    for each in unread:
        names[each.reason].append(each.name)
    return dict(sorted(names.items(), key=lambda item: (-len(item[1]), item[0])))


def groups_of(answer: Answer) -> tuple[Group, ...]:
    """The people in the answer's order, then those of other thresholds in order of the merges."""
    alternatives, stated = answer.alternatives, f"{answer.name} – "
    if alternatives is None:
        return tuple(
            Group(
                *(place, len(person.pages), person.pages[0], person.description, place, person),
                stated=stated,
            )
            for place, person in enumerate(answer.people)
        )
    pages = list(pages_by_rank(answer).values())
    sizes, first_rows = [1] * len(pages), list(range(len(pages)))
    for parts in alternatives.nodes:
        sizes.append(sum(sizes[part] for part in parts))
        first_rows.append(min(first_rows[part] for part in parts))
    owners = alternatives.nodes_of_rows(alternatives.kept_merges)
    node_of = dict(zip(alternatives.ranks, owners, strict=True))
    people = {node_of[each.pages[0].rank]: each for each in answer.people}
    # The larger part of a group has the colour of the group.
    leaves, held = len(alternatives.ranks), alternatives.kept_merges
    hues = [0] * len(sizes)
    for number, node in enumerate(people):
        hues[node] = number % _TONES
    by_size = [sorted(parts, key=lambda part: -sizes[part]) for parts in alternatives.nodes]
    for merge in reversed(range(held)):
        larger, smaller = by_size[merge]
        hues[larger] = hues[leaves + merge]
        hues[smaller] = (hues[larger] + 1 + smaller % (_TONES - 1)) % _TONES
    for merge in range(held, leaves - 1):
        hues[leaves + merge] = hues[by_size[merge][0]]

    def parts_of(node: int) -> tuple[int, ...]:
        """Parts of a group, larger ones first; of a person only those that the answer has."""
        person, described = people.get(node), alternatives.descriptions
        found, left = list[int](), [] if person and not person.parts else [node]
        while left:
            part = left.pop()
            if part in described and described[part].one_person >= PROBABLE:
                found.append(part)
            elif part >= leaves:
                left += alternatives.nodes[part - leaves]
        several = [part for part in found if part >= leaves]
        several.sort(key=lambda part: (-sizes[part], first_rows[part]))
        return tuple(several) if len(several) > 1 else ()

    return tuple(
        Group(
            node,
            sizes[node],
            pages[first_rows[node]],
            description,
            hues[node],
            people.get(node),
            parts_of(node),
            stated,
        )
        for node, description in (
            *((node, person.description) for node, person in people.items()),
            *(each for each in alternatives.descriptions.items() if each[0] not in people),
        )
    )


@dataclass(frozen=True, slots=True)
class Query:
    """A query that finds the person better."""

    query: NonEmpty
    """The name and what to add, each in quotation marks if it has several words."""
    precision: Share
    """Share of the collected pages with the added words that are the person's."""
    recall: Share
    """Share of the person's pages that contain the added words."""
    found: int = field(default=0, metadata=UNWRITTEN)
    """The person's pages that it finds; like what follows, 0 if it was read from a file."""
    others: int = field(default=0, metadata=UNWRITTEN)
    """The other collected pages that it finds."""
    pages: int = field(default=0, metadata=UNWRITTEN)
    """All pages of the person."""

    @classmethod
    def of(cls, name: str, added: Refinement | None, pages: int) -> Query | None:
        """The query for so many pages of a person with their refinement; None without one."""
        if added is None:
            return None
        found = round(added.recall * pages)
        others = round(found / added.precision) - found
        text = f"{_quoted(name)} {_quoted(added.text) if ' ' in added.text else added.text}"
        return cls(text, round(added.precision, 4), round(added.recall, 4), found, others, pages)

    @property
    def outcome(self) -> str:
        """The pages that it finds, in plain words."""
        own = {1: "this page", 2: "both pages"}.get(self.pages, f"all {self.pages} pages")
        if self.found < self.pages:
            own = f"{self.found} of {self.pages} pages"
        others = {0: "no other", 1: "1 other"}.get(self.others, f"{self.others} others")
        return f"finds {own} and {others}"


def _quoted(text: str) -> str:
    return '"' + " ".join(text.replace('"', " ").split()) + '"'


@dataclass(frozen=True, slots=True)
class Card:
    """A group of pages as the list of people shows it, and its description."""

    group: Group
    words: list[CleanText]
    """Key terms beyond those of the label."""
    query: Query | None
    """Query that finds the pages again."""
    years: str
    """Years of birth and death as the pages state them, ``1921–2004``, else those that the pages
    of a person are of; empty if neither is known."""
    places: list[CleanText]
    """Where the pages state that the person lived or was born."""


def cards_of(answer: Answer, groups: Sequence[Group]) -> dict[str, list[Card]]:
    """The cards of all groups, by the part of the report that they are in.

    ``sure`` and ``unsure`` are people, the latter those all of whose pages are unsure; ``others``
    are groups that only other thresholds make people.

    Args:
        answer: the answer.
        groups: of the answer, see :func:`groups_of`.
    """
    cards: dict[str, list[Card]] = {"sure": [], "unsure": [], "others": []}
    for group in groups:
        description, owner = group.description, group.person
        line = description.line
        left = [term for term in description.terms if line and term not in line]
        stated = [each.value for each in description.facts if each.attribute in _PLACES]
        dates = sorted(each.dated[:4] for each in owner.pages if each.dated) if owner else []
        card = Card(
            group,
            visible_texts(dict.fromkeys((*left, *description.words)), _LONGEST_WORD),
            Query.of(answer.name, description.refinement, group.size),
            _life_of(description.facts)
            or (f"pages of {'–'.join(dict.fromkeys((dates[0], dates[-1])))}" if dates else ""),
            visible_texts(dict.fromkeys(stated), _LONGEST_WORD)[:_MOST_PLACES],
        )
        part = "unsure" if owner and owner.unsure else "sure"
        cards[part if owner else "others"].append(card)
    return cards


_PLACES = frozenset({"location", "birth place"})


def _life_of(facts: Iterable[Fact]) -> str:
    """``1921–2004``, ``born 1921 or 1923``, ``died 2004``; of facts that are probably true."""
    years = {
        (fact.attribute, found[0]): None
        for fact in facts
        if fact.certainty >= PROBABLE and (found := _YEAR.match(fact.value))
    }
    born, died = (
        " or ".join([year for stated, year in years if stated == attribute][:_MOST_YEARS])
        for attribute in ("date of birth", "date of death")
    )
    if born and died:
        return f"{born}–{died}"
    return f"born {born}" if born else died and f"died {died}"


_LONGEST_EXCERPT = 260

_DAY = re.compile(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True)
class PageLinks:
    """Where a page can be opened."""

    saved: CleanText
    """The saved copy; empty where there is none that browsers show."""
    live: CleanText
    """The page on the web; empty where it has no safe address."""
    domain: str
    """The host without ``www.``; empty where the page has no safe address."""
    path: str
    """The path and the query within the domain, decoded."""
    day: str
    """When the copy was made, as YYYY-MM-DD; empty if unknown."""

    @classmethod
    def of(cls, page: ShownPage, copies_url: str = "") -> PageLinks:
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
        domain = unquote(parts.hostname or "").removeprefix("www.")
        return cls(saved, live, domain, path, "".join(_DAY.findall(page.fetched)))


def shown_title(page: ShownPage) -> CleanText:
    """The title, else the address; never empty."""
    return bounded_text(page.title) or bounded_text(page.url) or CleanText("(no title)")


@dataclass(frozen=True, slots=True)
class PageRow:
    """A page as the list of pages shows it."""

    page: PageScore
    group: Group
    """The person that the page belongs to."""
    alternative: Group | None
    """The person that an unsure page resembles most of all others."""
    links: PageLinks
    excerpt: list[CleanText]
    """Parts of the excerpt, every second one of them the name searched for."""
    problem: str
    """Problem of this page, unless all pages have it."""
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
    name = PersonName.parse(answer.name, answer.also)
    all_have_problem = bool(shared_problem(pages.values()))
    rows = {
        rank: PageRow(
            page,
            group_of[rank],
            None if page.nearest is None else people.get(page.nearest),
            PageLinks.of(page, copies_url),
            _excerpt_parts(page.excerpt, name),
            "" if all_have_problem else page.note,
        )
        for rank, page in pages.items()
    }
    for row in rows.values():
        if row.page.copy_of is not None:
            rows[row.page.copy_of].copies.append(row)
    return list(rows.values())


def highlighted(text: str, name: PersonName, longest: int = _LONGEST_EXCERPT) -> list[CleanText]:
    """The parts of a bounded text, every second one of them a mention of the name."""
    line = bounded_text(text, longest)
    cuts = (at for mention in find_mentions(line, name) for at in mention)
    return [CleanText(line[begin:end]) for begin, end in pairwise((0, *cuts, len(line)))]


_excerpt_parts = lru_cache(maxsize=1 << 12)(highlighted)  # for every correction the same
CERTAINTIES = ((0.95, "almost certain"), (0.8, "likely"), (0.5, "plausible"), (0.0, "uncertain"))
"""Least probabilities, and what they are called."""
_MAX_TWO = 2.25
"""Expected number of people up to which they are called two; greater ones are seldom right."""
_SMALL = {2: "two", 3: "three", 4: "four", 5: "five"}

MEASURES = {
    "bcubed_precision": "B-Cubed precision",
    "bcubed_recall": "B-Cubed recall",
    "bcubed_f05": "B-Cubed F, α 0.5",
    "bcubed_f02": "B-Cubed F, α 0.2",
    "purity": "Purity",
    "inverse_purity": "Inverse purity",
    "purity_f05": "Purity F, α 0.5",
    "purity_f02": "Purity F, α 0.2",
    "rand": "Rand",
    "jaccard": "Jaccard",
    "fowlkes_mallows": "Fowlkes–Mallows",
}
"""Measures of clusterings in words."""


@lru_cache(maxsize=1024)
def feature_words(name: str) -> str:
    """``ngram(n=4, local=true)`` → ``phrases of 4 words near the name``."""
    try:
        return feature_by_name(name).wording
    except FeatureError:  # an answer of another version
        return name


def feature_list(names: Iterable[str]) -> str:
    """Features in plain words; one near the name is left out where the whole page has it too."""
    words = dict.fromkeys(map(feature_words, names))
    return ", ".join(
        each for each in words if not (each.endswith(NEARBY) and each.removesuffix(NEARBY) in words)
    )


def people_words(one_person: float, expected: float, parts: int = 0) -> str:
    """Whether pages are one person: ``one person: likely, 85%``, ``may be two people (one: 35%)``.

    Args:
        one_person: probability that they are.
        expected: expected number of people.
        parts: number of their parts, see :class:`weps.people.answer.Part`.
    """
    sure = format_probability(one_person)
    if parts:
        return f"probably {_SMALL.get(parts, parts)} people (one: {sure})"
    if one_person >= CERTAINTIES[-2][0]:
        return f"one person: {certainty(one_person)}, {sure}"
    return f"may be {'two' if expected < _MAX_TWO else 'several'} people (one: {sure})"


def certainty(probability: float) -> str:
    """A probability in words."""
    return next((words for least, words in CERTAINTIES if probability >= least), "uncertain")


_LONGEST_STRING = 60
_EFFECT_KINDS = {"profile": "resembling the same other pages", "other": "further evidence"}
"""Kinds of effects besides those of features."""
_DEGREES = ((2.0, " (much)"), (0.5, ""), (0.0, " (a little)"))
"""On the log odds: what is even becomes 88 % probable by the first, 62 % by the second."""


@dataclass(frozen=True, slots=True)
class EvidenceLine:
    """A feature and the strings of it that two pages share."""

    feature: CleanText
    """In plain words."""
    groups: list[tuple[str, list[CleanText]]]
    """Strings that are equally rare, after how rare they are, which is empty if unknown; a string
    that an earlier line has is left out."""
    repeats: bool
    """Whether earlier lines have all the strings."""


@dataclass(frozen=True, slots=True)
class PairView:
    """A pair of pages as the report explains it."""

    explained: ExplainedPair
    evidence: list[EvidenceLine]
    effects: str
    """Sentences on what speaks for one person, then on what speaks against."""


def pair_views(answer: Answer, pairs: Iterable[tuple[int, int]]) -> list[PairView]:
    """Explained pairs, by their ranks."""
    total = sum(len(person.pages) for person in answer.people)
    return [
        PairView(
            pair,
            _evidence_lines(pair.evidence, total),
            _effect_sentences(pair.effects, pair.names),
        )
        for ranks in pairs
        for pair in [answer.pairs[ranks]]
    ]


@lru_cache(maxsize=1 << 13)  # most pairs of a report are in that after the next correction, too
def _evidence_lines(shared: tuple[Evidence, ...], total: int) -> list[EvidenceLine]:
    """The evidence of a pair of so many pages; nobody changes the list."""
    lines, known = [], set[str]()
    for evidence in shared:
        document_counts = evidence.pages or (0,) * len(evidence.shared)
        strings = [bounded_text(each.strip("· "), _LONGEST_STRING) for each in evidence.shared]
        new = {
            string: pages
            for string, pages in zip(strings, document_counts, strict=True)
            if string and string not in known
        }
        known.update(new)
        groups: list[tuple[str, list[CleanText]]] = []
        for pages, group in groupby(new, key=new.__getitem__):
            where = f"on {pages} of {total} pages" if pages > 2 else "on no other page"
            if groups:
                where = f"on {pages}"
            groups.append((where if pages else "", list(group)))
        repeats = bool(strings) and not new
        lines.append(EvidenceLine(bounded_text(feature_words(evidence.feature)), groups, repeats))
    return lines


@dataclass(frozen=True)
class PairExplanation:
    """Why two pages are, or are not, together; printed, it is text."""

    pair: ExplainedPair
    text: str

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


def explain_pair(pair: ExplainedPair, answer: Answer) -> PairExplanation:
    """An explained pair as lines of plain text."""
    (view,) = pair_views(replace(answer, pairs={pair.pages: pair}), [pair.pages])
    pages = pages_by_rank(answer)
    lines = [
        f"Pages {pair.pages[0]} and {pair.pages[1]} are one person: "
        f"{format_probability(pair.probability)}"
    ]
    if pair.said:
        lines[0] += f" (a correction says: {pair.said})"
    lines += [f"  {rank}: {shown_title(pages[rank])}" for rank in pair.pages]
    for line in view.evidence:
        joined = ((", ".join(strings), where) for where, strings in line.groups)
        shared = "; ".join(f"{each} ({where})" if where else each for each, where in joined)
        if not line.repeats:
            lines.append(f"- {line.feature}" + (f": {shared}" if shared else ""))
    lines += [view.effects] if view.effects else []
    return PairExplanation(pair, "\n".join(lines))


@lru_cache(maxsize=1 << 13)  # as above
def _effect_sentences(effects: Iterable[Effect], names: Iterable[str]) -> str:
    """``For one person: key words (much). Against it: home pages.``, and the names as written."""
    sides: dict[str, list[str]] = {"For one person": [], "Against it": []}
    for each in effects:
        kind = _kind_words(each.kind)
        if each.kind == "profile" and each.effect < 0:
            kind = "resembling different other pages"
        degree = next(words for least, words in _DEGREES if abs(each.effect) >= least)
        sides["For one person" if each.effect >= 0 else "Against it"].append(kind + degree)
    sentences = [f"{heading}: {', '.join(told)}." for heading, told in sides.items() if told]
    match [bounded_text(each, _LONGEST_STRING) for each in dict.fromkeys(names)]:
        case [both]:
            sentences.append(f"Both pages have ‘{both}’.")
        case [one, other]:
            sentences.append(f"One page has ‘{one}’, the other ‘{other}’.")
    return " ".join(sentences)


@lru_cache(maxsize=256)
def _kind_words(kind: str) -> str:
    """``content`` → ``key words``."""
    words = (each.function_wording for each in all_features() if each.function == kind)
    return _EFFECT_KINDS.get(kind) or next(words, kind.replace("_", " "))
