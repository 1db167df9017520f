"""Facts of a person, with the pages and sentences that state them, and the line that tells them.

The attributes are the eighteen that the WePS-2 and WePS-3 campaigns asked for, and the date of
death. Each page of a fact states it whole: nothing is composed of what two pages state.

The line, *Ann J. Lee (born 1921) – marine biologist, University of York*, has those facts that
enough of the person's pages state: rather too few than a wrong one. A comma joins what one sentence
states, a semicolon what different ones do.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain, takewhile
from math import ceil
from typing import Annotated, NamedTuple, TypeAlias

from annotated_types import MinLen

from weps._formatting import cut_words, round_probability
from weps._text import singular_form, split_words
from weps.features.bags import stop_words
from weps.features.name import NameForm
from weps.key_terms.labels import (
    MIN_TITLE_WORDS,
    Label,
    title_words,
    word_forms,
)
from weps.language.analysis import Analysis, cached_for_name, page_text
from weps.name.mentions import MentionKind
from weps.name.person_name import PersonName, is_usual_given_name
from weps.people.context import ContextEntities, Statement
from weps.people.statements import page_statements
from weps.people.subjects import POSSESSOR, SENTENCE_ENDS
from weps.people.values import (
    CAPITAL,
    HONORIFICS,
    LIVES,
    YEARS,
    is_part,
    listed_occupations,
    occupation_at,
)
from weps.records import Document, NonEmpty, Probability, Rank, in_schema

ATTRIBUTES = {
    "date of birth": "born",
    "date of death": "died",
    "birth place": "born in",
    "nationality": "nationality",
    "other name": "also called",
    "occupation": "occupation",
    "affiliation": "affiliation",
    "location": "place",
    "work": "work",
    "award": "award",
    "school": "school",
    "degree": "degree",
    "major": "field of study",
    "mentor": "mentor",
    "relative": "relative",
    "phone": "telephone",
    "fax": "fax",
    "e-mail": "e-mail",
    "web site": "web site",
}
"""Attribute → its name for readers, in the order in which facts are shown."""


@dataclass(frozen=True, slots=True)
class FactSource:
    """A page that states a fact."""

    page: Rank
    """Rank of the page."""
    sentence: NonEmpty
    """The sentence or the line that states it, cut where it is long; of structured data of the
    page, its property and value."""


@dataclass(frozen=True, slots=True)
class Fact:
    """What pages state of a person."""

    attribute: str = field(metadata=in_schema(enum=[*ATTRIBUTES]))
    value: NonEmpty
    """The value as pages write it. Dates are ISO 8601, as precise as they are stated: 1921,
    1921-05, 1921-05-03."""
    certainty: Probability
    """Estimated probability that this is true of the person."""
    sources: Annotated[tuple[FactSource, ...], MinLen(1)]
    """The pages that state it, those with the fullest statement first; ten at most."""
    pages: Annotated[tuple[Rank, ...], MinLen(1)]
    """Ranks of all pages that state it, ascending."""
    detail: str = ""
    """What the value is to the person, of relatives: *daughter*; absent where it is not stated."""
    contradicted: bool = False
    """Whether other pages of the person state another value that cannot also be true."""


_RELIABILITY = {"sentence": 0.81, "beside": 0.92, "profile": 0.92, "name": 0.98, "data": 0.98}
"""Way in which a page states something → share of such statements that are true, by the pages of
WePS-1 where annotators have the attribute; at most .98."""
_LESS_RELIABLE = {"work": 0.55, "relative": 0.8, "location": 0.8, "affiliation": 0.85}
"""Attribute → the same, where it is lower."""
_MAX_FACTS, _MAX_SOURCES = 40, 10
"""Facts of an attribute, those on most pages, and sources of a fact."""
_SINGLE = ("date of birth", "date of death", "birth place", "other name")
"""Attributes of which a person has one value, or forms of one."""
_FEW_PAGES = 6
"""Up to so many pages of a person, one that states a thing is enough; of more, two are."""
_MIN_NAME_SHARE = 0.25
"""Share of the pages that write the name in a fuller form than was searched for."""
_MIN_YEAR_SHARE = 0.75
"""Share of the pages stating a year that state the same one."""
_MIN_TEXT_SHARE, _MIN_FACT_SHARE = 0.25, 0.4
"""Share of the pages stating a thing that a more specific text for it must have, and of those
stating an occupation for a fact: all of its pages are to state it."""
_MIN_SHARE, _MIN_STATING_SHARE = 0.05, 0.5
"""Share of a person's pages that state a thing, or of those that state any of its attribute."""
_GENERIC = frozenset("author director editor founder manager MD publisher writer".split())
"""Occupations that many pages state of anybody, of the author of what they sell or whoever heads
anything; they are not told beside others."""
_MIN_GENERIC = 2
"""Pages that state one."""
_SECOND_SHARE = 0.5
"""A second occupation is told that has so much of the weight of the first."""
_MAX_TERMS = 5
"""Key terms of a person."""
_FURTHER_ROLES = frozenset(
    "emeritus emerita capt chair col dr gen justice lt prof servant staff".split()
)
"""Words of offices that are no occupation."""
_ITEM_ENDS = re.compile(r"\n|;\s")
_GOES_ON = re.compile(r"\n(?=[a-z(,:](?!\S{0,60}(?:://|@)))|(?<=[\w)]:)\n(?=[\w\"“])")
"""End of a line that the next one goes on with, *by Ann Lee*, or of a label."""
_AUTHOR = (  # atomic, for words may be names and between them
    rf"(?>(?:(?:[A-Z]\.[^\S\n]?){{1,3}}{CAPITAL}|{CAPITAL}[^\S\n](?:[A-Z]\.|[a-z]{{1,3}}|{CAPITAL}))"
    rf"(?:[^\S\n](?:[A-Z]\.|(?!and\b)[a-z]{{1,3}}|{CAPITAL})){{0,3}})"
)
_AND = r"\s?(?:,\s?(?:and\s|&\s)?|;\s?|and\s|&\s)"
_OTHER_AUTHORS = re.compile(
    rf"(?:{_AND}{_AUTHOR}){{2,40}}+(?:(?=\s?(?:\([^()\n]{{1,20}}\)\s?)?:\s)"
    r"|\.(?=\s(?:[\"“]|A\s|[A-Z][\w-]+\s|\(?[12]\d{3}))|,(?=\s(?:[\"“]|\(?[12]\d{3}|[A-Z][\w-]*\s(?!and\b)[a-z]{3})))"
)
"""Names behind an author's, before the title of a work or its year."""
_AUTHORS_BEFORE = re.compile(
    rf"\W{{0,3}}(?:\d{{1,3}}\W{{1,3}})?(?:{_AUTHOR}{_AND}){{0,40}}+(?P<own>(?:[A-Z]\.\s?){{0,3}})"
)
_BYLINE = re.compile(rf"(?:Written b|B)y:?\s(?:{_AUTHOR}{_AND}){{0,10}}+")
_TITLE_OF_WORK = re.compile(r"[A-Z\"“]\S*\s[^\n]*[^.!?,;\s]")
_ROW = re.compile(
    r"\W{0,3}(?:(?P<number>\d{1,4})\S{0,2}\s+)?"
    rf"(?:(?:{'|'.join(map(str.title, sorted(HONORIFICS)))})\.?\s)?"
    rf"(?P<name>(?:[A-Z]\.\s?){{0,2}}(?P<given>{CAPITAL})(?:,|[^\S\n])[^\n]{{1,80}}$)?",
    re.MULTILINE,
)
"""Line of a list of people, with a number or without."""
_OF_LISTS = re.compile(
    r"\b(?:acknowledge?ments?|alumn[aei]\w{0,2}|attendees|awards?|births|board|burials|cast|class|colleagues"
    r"|committees?|contacts|council|credits|crew|deaths|delegat\w+|division|executive|faculty|finalists?|graduates"
    r"|guests|inductees|institute|jury|line-?up|marriages|medals?|members|obituaries|panel\w*|participants|people"
    r"|personnel|prizes?|results|roster|scholarships?|seniors|signatories|speakers|staff|team|trustees"
    r"|winners?)\b",
    re.IGNORECASE,
)
"""Words of what stands above a list of people and tells what they are."""
_NEAR, _FAR, _FAR_ABOVE, _SHORT, _MAX_MENTIONS = 200, 700, 4_000, 40, 40
"""Characters around a mention, in its line, behind it with other authors, above it, and of a
passage that tells little without its title; mentions of a page whose words are near."""
_MAX_PASSAGES, _NEAR_BEFORE, _CUT_BEFORE = 8, 75, 60
"""Passages of a page that may be cited, characters of one before the name, and of a longer one."""
_LONGEST_PASSAGE, _LONGEST_SOURCE, _LONGEST_READ = 95, 45, 300
"""Characters, without the name, of a passage that is cited and of the title of its page, and those
read of a title."""
_NUMBERING = re.compile(r"[^\w“”\"(]*|(?![12]\d{3}\W*$)(?=\w*\d)[\w.:,%/-]*")
"""Numbers and marks in a row of a table, no year."""
_BEHIND_HEAD = re.compile(r"\W{1,3}(?:of|for|at)\b|\s?[-–(:\d]")
_HEADING = re.compile(
    r"(?!.{0,60}(?:\sby\s|\s\(\d|\d:\d))(?:[^\W_a-z][^,;.?!\n]{2,60})(?:,\s\d{4}[-–\d]{0,5})?"
)
_COLUMNS = re.compile(
    r"--|\b(?P<one>age|name|place|pl|rank|sex|time)\b.{1,40}\b(?!(?P=one)\b)(?:age|name|place|rank|sex|time)\b",
    re.IGNORECASE,
)
"""Headings of the columns of a table, above which its own stands."""
_OF_WORK_AND_PLACE = frozenset(("occupation", "affiliation", "location"))
"""Attributes whose words make a passage tell who somebody is."""
_UNSURE_KINDS = frozenset((MentionKind.LONGER, MentionKind.THING))
"""Kinds of mentions that need not be of the person, but are the name."""


def stated_line(parts: Mapping[str, str], searched: str) -> str:
    """The line of a person as far as pages state it; empty where they state nothing.

    Args:
        parts: as of :func:`person_facts`.
        searched: the name searched for.
    """
    born, died = parts["date of birth"], parts["date of death"]
    years = f"{born}–{died}"
    if not (born and died):
        years = f"born {born}" if born else died and f"died {died}"
    stated = "".join(parts[each] for each in ("occupation", "affiliation", "location"))
    if not (stated or parts["other name"] or years):
        return ""
    name = parts["other name"] or (searched.title() if searched.isupper() else searched)
    return " – ".join(filter(None, (f"{name} ({years})" if years else name, stated)))


def cited_page(
    rows: Sequence[int], label: Label, analysis: Analysis, context: ContextEntities, stated: str
) -> str:
    """What a page says around the name, in quotation marks, and where, unless it tells a fact.

    It is the passage with most words of facts and of the label, those of the title among them, of
    a page that states what is told. Two content words at least should not be told already. Empty
    if there is none, or nothing but the name. Where nothing is stated and nobody has the name, it
    is a title.

    Args:
        rows: of the person's pages.
        label: of the person.
        analysis: the name and its pages.
        context: the entities near the name.
        stated: what pages state of the person.
    """
    name = stated.partition(" – ")[0].partition(" (")[0]
    if stated:
        statements = page_statements(analysis, context)
        told = stated.removeprefix(name) or name
        stating = [
            row
            for row in rows
            if any(e.value[: 4 if e.attribute in YEARS else None] in told for e in statements[row])
        ]
        rows = stating or rows
    known = word_forms(f"{analysis.name.text} {stated}")
    wanted = word_forms(" ".join(chain(*label)))
    passages = [*chain.from_iterable(_passages(analysis, context)[row] for row in rows)]
    usual = Counter(chain.from_iterable(each.words | each.in_title for each in passages))
    said = {*analysis.name.tokens, *split_words(stated)} | stop_words()
    form = word_forms(name) - word_forms(analysis.name.text)
    best, most = "", (False, False, False, 0, False, 0)
    for each in passages:
        further = (each.words | each.in_title) - known
        facts = each.facts - known
        order = (
            each.sure,
            len(further) >= MIN_TITLE_WORDS,
            bool(title_words(each.text) - known),
            2 * len(facts) + len(further & wanted),
            form <= word_forms(each.text),
            sum(usual[word] - 1 for word in further),
        )
        if each.text and further and order > most:
            more = {*split_words(each.text)} - said
            best, most = f"“{each.text}”" if more else "named", order
            best += f" under “{each.heading}”" if each.heading else ""
            is_short = len(each.text) < len(name or analysis.name.text) + _SHORT
            if each.in_title - each.words - known and (is_short or not facts):
                best += f" in “{each.title}”"
    if not (best or stated):  # nobody has the name, and words that stand anywhere are of others
        titles = [_source(analysis.documents[row], analysis.name) for row in rows]
        telling = max(titles, key=lambda each: len(title_words(each) & wanted))
        best = f"page “{telling}”" if len(title_words(telling)) >= MIN_TITLE_WORDS else ""
    return best


def _source(document: Document, name: PersonName) -> str:
    """The title of a page, on one line and cut where it is long without the name."""
    title = " ".join(document.title[:_LONGEST_READ].split())
    named = len(name.text) * title.lower().count(name.text.lower())
    return cut_words(title, _LONGEST_SOURCE + named)


class _Passage(NamedTuple):
    """What a page says around a mention, in its line or item of a list."""

    beside: frozenset[str]
    """Words around the mention."""
    text: str
    """The mention and what fits around it; empty where it need not be of the person."""
    words: frozenset[str]
    """Content words of the text."""
    facts: frozenset[str]
    """Those in which the page states the person's work and place."""
    title: str
    """Title of the page."""
    in_title: frozenset[str]
    """Content words of the title."""
    sure: bool
    """Whether the mention is of the person, or else of a longer name or a thing."""
    heading: str
    """What stands above the list that the mention is in; empty if it is in none."""


@cached_for_name
def _passages(analysis: Analysis, context: ContextEntities) -> tuple[tuple[_Passage, ...], ...]:
    """For each document what it says around its mentions."""
    found = []
    statements = page_statements(analysis, context)
    for document, mentions, stated in zip(
        analysis.documents, analysis.mentions, statements, strict=True
    ):
        text = page_text(document)
        told = word_forms(" ".join(e.value for e in stated if e.attribute in _OF_WORK_AND_PLACE))
        passages, title = (
            dict[tuple[frozenset[str], str], _Passage](),
            _source(document, analysis.name),
        )
        in_title = title_words(title)
        body = len(document.title) + len(document.snippet) + 2
        # The whole name may come behind a hundred bakers.
        for each in sorted(mentions, key=lambda m: m.kind is MentionKind.FAMILY)[:_MAX_MENTIONS]:
            before = _ITEM_ENDS.split(
                _GOES_ON.sub(" ", text[max(0, each.start - _NEAR) : each.start])
            )[-1]
            after = _ITEM_ENDS.split(
                _GOES_ON.sub(" ", text[each.end : each.end + _FAR]), maxsplit=1
            )[0]
            words = word_forms(f"{before} {after[:_NEAR]}")
            passage = heading = ""
            if each.kind is not MentionKind.FAMILY and len(passages) < _MAX_PASSAGES:
                front = SENTENCE_ENDS.split(before)[-1].lstrip()
                by_others = _AUTHORS_BEFORE.fullmatch(
                    (before if len(before) < _NEAR else before.partition(", ")[2]).lstrip()
                )
                if by_others and (
                    others := _OTHER_AUTHORS.match(after) or re.match(r"(?=:\s)", after)
                ):
                    after = "…" * bool(others[0]) + after[others.end() :]
                    front = "…" * bool(re.search(r"[^\W\d_]{2}", front)) + by_others["own"]
                elif len(front) > _NEAR_BEFORE:
                    front = "…" + front[-_CUT_BEFORE:].partition(" ")[2]
                heading = _heading(text[body:], each.start - body)
                # However long the name is, as much is cited.
                rest = cut_words(after, _LONGEST_PASSAGE - len(front))
                rest = f"{text[each.start : each.end]}{rest}"
                parts = f"{front}{rest}".split()
                while parts and _NUMBERING.fullmatch(parts[0]):
                    parts.pop(0)
                while parts and _NUMBERING.fullmatch(parts[-1]):
                    parts.pop()
                passage = " ".join(parts)
            content = title_words(f"{passage} {heading}")
            sure = each.kind not in _UNSURE_KINDS and not POSSESSOR.search(each.before)
            passages.setdefault(
                (words, heading),
                _Passage(words, passage, content, content & told, title, in_title, sure, heading),
            )
        found.append(tuple(passages.values()))
    return tuple(found)


def _heading(text: str, start: int) -> str:
    """What stands above the list of people that a mention is a row of, or above *by Ann Lee*.

    Above a list in which everybody has several lines is somebody's; empty there, and where no word
    tells a list of people.

    Args:
        text: of the page, without its title.
        start: of the mention.
    """
    begin = text.rfind("\n", 0, max(start, 0)) + 1
    above = text[max(0, begin - _FAR_ABOVE) : begin].split("\n")[-2::-1]
    own = _ROW.match(text, begin)
    if not own or own.start("name") != start or own.end() - start > _NEAR_BEFORE:
        is_work = above and _BYLINE.fullmatch(text, begin, start) and len(above[0]) < _NEAR_BEFORE
        return above[0] if is_work and _TITLE_OF_WORK.fullmatch(above[0]) else ""
    below = text[own.end() :].partition("\n")[2].partition("\n")[0]

    def is_row(line: str) -> bool:
        row = _ROW.match(line)
        told = row and (row["number"] if own["number"] else is_usual_given_name(row["given"] or ""))
        return bool(told) and len(line) < _NEAR

    rows = [
        *takewhile(
            lambda each: is_row(each) or not title_words(each) or _COLUMNS.search(each), above
        )
    ]
    found = "".join(above[len(rows) : len(rows) + 1]).strip(" :")
    head = _BEHIND_HEAD.split(found)[0].lower().rpartition(" ")[2]
    is_office = (singular_form(head),) in _roles() and any(map(is_row, (*rows[:1], below)))
    is_told = _OF_LISTS.search(found) or own["number"] or is_office
    return found if is_told and _HEADING.fullmatch(found) and not is_row(found) else ""


def terms_beside(
    rows: Sequence[int], label: Label, analysis: Analysis, context: ContextEntities, stated: str
) -> tuple[str, ...]:
    """The terms of a label that stand beside the name, best first; of a mere label, else all.

    What stands elsewhere may be of neighbours in a list. No occupation or office is among them:
    behind the name it would read as the person's.

    Args:
        rows: of the person's pages.
        label: of the person.
        analysis: the name and its pages.
        context: the entities near the name.
        stated: what pages state of the person.
    """
    passages = _passages(analysis, context)
    beside = [each.beside for row in rows for each in passages[row]]
    fit = [
        term
        for term in (*label.terms, *label.words)
        if not occupation_at(f"{term},", frozenset())
        and not is_usual_given_name(term)
        and _roles().isdisjoint(
            {(last := term.lower().rpartition(" ")[2],), (last.removesuffix("s"),)}
        )
    ]
    near = [term for term in fit if any(word_forms(term) <= words for words in beside)]
    return tuple((near or ([] if stated else fit))[:_MAX_TERMS])


@cache
def _roles() -> AbstractSet[tuple[str, ...]]:
    """Words of occupations and offices."""
    return listed_occupations().keys() | {(word,) for word in _FURTHER_ROLES}


def person_facts(
    groups: Sequence[Sequence[int]], analysis: Analysis, context: ContextEntities
) -> list[tuple[dict[str, str], tuple[Fact, ...]]]:
    """For each group of pages the parts of the person's line, and the facts that the pages state.

    The parts are by attribute, with the mark before them, empty where nothing is to be told.

    Args:
        groups: for each person the rows of their pages.
        analysis: the name and its pages, of any form.
        context: the entities near the name.
    """
    pages = page_statements(analysis, context)
    everywhere = Counter(
        thing for page in pages for thing in {(each.attribute, each.key) for each in page}
    )
    searched = NameForm().written(analysis.name).lower()
    ranks = [document.rank for document in analysis.documents]
    return [
        (
            _line_parts(stated, everywhere, len(rows), searched),
            tuple(_facts(stated, ranks, searched)),
        )
        for rows, stated in ((rows, _stated(rows, pages)) for rows in groups)
    ]


Stated: TypeAlias = Mapping[str, Mapping[int, Sequence[Statement]]]
"""Key of a thing that a person's pages state → row of the page → its statements, fullest first."""


_Thing: TypeAlias = tuple[float, str, Mapping[int, Sequence[Statement]]]
"""Weight of a thing, its text, and what states it by the rows of the pages."""


def _stated(rows: Iterable[int], pages: Sequence[Sequence[Statement]]) -> Mapping[str, Stated]:
    """What some of the pages state, by attribute."""
    stated = defaultdict[str, defaultdict[str, defaultdict[int, list[Statement]]]](
        lambda: defaultdict(lambda: defaultdict(list))
    )
    for row in rows:
        for each in sorted(pages[row], key=lambda each: -len(each.value)):
            stated[each.attribute][each.key][row].append(each)
    return stated


def _facts(stated: Mapping[str, Stated], ranks: Sequence[int], searched: str) -> Iterator[Fact]:
    """The facts that the pages of a person state.

    Args:
        stated: by the person's pages.
        ranks: of all pages, by row.
        searched: the name that was searched for, in lower case.
    """
    for attribute in ATTRIBUTES:
        found = list[Fact]()
        pending = [
            {row: statements[0] for row, statements in each.items()}
            for key, each in stated.get(attribute, {}).items()
            if (attribute, key) != ("other name", searched)
        ]
        while pending:
            of_pages = pending.pop(0)
            share = _MIN_FACT_SHARE if attribute == "occupation" else _MIN_TEXT_SHARE
            value = _usual_text([each.value for each in of_pages.values()], share)
            # *Emeritus professor* is no honorary professor.
            others = {
                row: each
                for row, each in of_pages.items()
                if attribute == "occupation" and not _agree(each.value, value)
            }
            of_pages = {row: each for row, each in of_pages.items() if row not in others}
            pending += filter(None, [others])
            best = sorted(of_pages.items(), key=lambda item: (item[1].value != value, item[0]))
            usual = _LESS_RELIABLE.get(attribute, 1.0)
            doubt = 1 - max(min(_RELIABILITY[each.way], usual) for each in of_pages.values())
            found.append(
                Fact(
                    attribute,
                    value,
                    1 - 2 * doubt / (1 + len(best)),  # pages that agree are seldom independent
                    tuple(FactSource(ranks[row], e.sentence) for row, e in best[:_MAX_SOURCES]),
                    tuple(sorted(ranks[row] for row in of_pages)),
                    best[0][1].detail,
                )
            )
        pages = len(set().union(*(each.pages for each in found)))
        found.sort(key=lambda each: (-len(each.pages), -each.certainty, each.value))
        for fact in found[:_MAX_FACTS]:
            against = attribute in _SINGLE and any(_contradict(fact, other) for other in found)
            certainty = fact.certainty * (len(fact.pages) / pages if against else 1)
            yield replace(fact, certainty=round_probability(certainty), contradicted=against)


def _agree(text: str, value: str) -> bool:
    """Whether one of two texts says what the other does, and perhaps more."""
    fewer, more = sorted(({*text.lower().split()}, {*value.lower().split()}), key=len)
    return fewer <= more


def _contradict(fact: Fact, other: Fact) -> bool:
    """Whether two values of one attribute cannot both be true.

    They are of other years, in other regions, or have other middle initials.
    """
    if fact.attribute.startswith("date"):
        return fact.value[:4] != other.value[:4]
    if fact.attribute == "other name":
        ours, theirs = (each.value.split() for each in (fact, other))
        middles = [[word[0] for word in words[1:-1]] for words in (ours, theirs)]
        same_ends = (ours[0], ours[-1]) == (theirs[0], theirs[-1])
        return same_ends and all(middles) and middles[0][0] != middles[1][0]
    regions = [set(each.value.split(", ")[1:]) for each in (fact, other)]
    return all(regions) and regions[0].isdisjoint(regions[1])


def _line_parts(
    stated: Mapping[str, Stated],
    everywhere: Mapping[tuple[str, str], int],
    size: int,
    searched: str,
) -> dict[str, str]:
    """The values that the line of a person tells, by attribute, empty where none is told.

    What two pages state is not composed: each part is stated by several pages, or by one that
    states an earlier part. Work and place come with the mark before them, see :func:`_joined`.

    Args:
        stated: by the person's pages.
        everywhere: the number of all pages that state a thing, by attribute and key.
        size: number of the person's pages.
        searched: the name that was searched for, in lower case.
    """
    least = 1 if size <= _FEW_PAGES else max(2, ceil(_MIN_SHARE * size))
    told = frozenset[int]()

    def tell(of_pages: AbstractSet[int]) -> frozenset[int]:
        """The pages that state all that is told, once this is told, too, if there are any."""
        return told & of_pages or told or frozenset(of_pages)

    def enough(attribute: str) -> int:
        """Pages that must state a thing: of many, half of those that state any are enough.

        Not of places, where people just were.
        """
        stating = set[int]().union(*stated.get(attribute, {}).values())
        half = max(2, ceil(_MIN_STATING_SHARE * len(stating)))
        return least if attribute == "location" else min(least, half)

    def ranked(attribute: str) -> list[_Thing]:
        """Weight, text and pages of the things that enough pages state, best first.

        The weight is the number of the pages times their share of all pages that state it.
        """
        things = (
            (
                len(of_pages) ** 2 / everywhere[attribute, key],
                _usual_text([each[0].value for each in of_pages.values()]),
                of_pages,
            )
            for key, of_pages in stated.get(attribute, {}).items()
            if len(of_pages) >= enough(attribute)
            and (len(of_pages) > 1 or not told or told & of_pages.keys())
        )
        return sorted(things, key=lambda thing: (-thing[0], min(thing[2]), thing[1]))

    parts = {}
    for attribute, other in (YEARS, YEARS[::-1]):
        parts[attribute] = ""
        for _, date, of_pages in ranked(attribute)[:1]:
            # Years of another life speak against it, too.
            against = (
                rows
                for kind in YEARS
                for key, rows in stated.get(kind, {}).items()
                if (kind == attribute and key != date[:4])
                or (kind == other and abs(int(key) - int(date[:4])) not in LIVES)
                or (kind == other and (key < date) == (kind == "date of death"))
            )
            if len(of_pages) >= _MIN_YEAR_SHARE * len(set(of_pages).union(*against)):
                parts[attribute] = date[:4]
                told = tell(of_pages.keys())
    chosen = _told_occupations(ranked("occupation"))
    parts["occupation"] = occupation = " and ".join(text for _, text, _ in chosen)
    for *_, of_pages in chosen:
        told = tell(of_pages.keys())
    beside = set[tuple[int, str]]().union(*map(_sentences, chosen))
    for attribute in ("affiliation", "location"):
        parts[attribute] = ""
        for mark, thing in _joined(ranked(attribute), attribute, occupation, beside)[:1]:
            parts[attribute] = mark + thing[1]
            told = tell(thing[2].keys())
            beside |= _sentences(thing)
    forms = stated.get("other name", {})
    fullest = _fullest_name(forms, least, searched)
    with_it = forms.get(fullest.lower(), {}).keys()
    linked = len(with_it) > 1 or not told or bool(told & with_it)
    linked &= not any(_names_other(sentence, fullest) for _, sentence in beside)
    return parts | {"other name": fullest if linked else ""}


def _told_occupations(things: Sequence[_Thing]) -> list[_Thing]:
    """The first occupation, and a second one that the same sentence states."""
    special = [each for each in things if each[1] not in _GENERIC]
    chosen = special[:1]
    chosen += [
        each
        for each in special[1:2]
        if each[0] >= _SECOND_SHARE * chosen[0][0]
        and not _sentences(each).isdisjoint(_sentences(chosen[0]))
    ]
    return chosen or [each for each in things[:1] if len(each[2]) >= _MIN_GENERIC]


def _joined(
    things: Sequence[_Thing], attribute: str, occupation: str, beside: AbstractSet[tuple[int, str]]
) -> list[tuple[str, _Thing]]:
    """What may be told behind an occupation, best first, with the mark before it.

    It is a comma if one sentence states both, for somebody who leads a project may have taught
    elsewhere. Otherwise it is a semicolon, and an employer is on several pages.

    Args:
        things: of the attribute, employers or places.
        attribute: of them.
        occupation: as it is told.
        beside: the sentences that state what is told already.
    """
    new = [
        each
        for each in things
        if not is_part(each[1]) and each[1].lower() not in occupation.lower()
    ]
    joined = [(", ", each) for each in new if not beside.isdisjoint(_sentences(each))]
    return joined or [
        ("; " * bool(beside), each)
        for each in new
        if len(each[2]) > 1 or attribute == "location" or (" " in each[1] and not beside)
    ]


def _sentences(thing: _Thing) -> set[tuple[int, str]]:
    """The sentences that state a thing as it is told, with their pages; a profile is one."""
    return {
        (row, each.way if each.way in {"profile", "data"} else each.sentence)
        for row, statements in thing[2].items()
        for each in statements
        if thing[1] in each.value
    }


def _names_other(sentence: str, name: str) -> bool:
    """Whether a sentence has a name with other initials: of John *R.* Smith, not John A. Smith."""
    first, *middle, last = name.split() or [""] * 2
    found = re.findall(rf"\b{re.escape(first)}\s((?:[A-Z][\w.]*\s)+){re.escape(last)}\b", sentence)
    return any(each[0] != (middle or " ")[0][0] for each in found)


def _fullest_name(forms: Stated, least: int, searched: str) -> str:
    """The most frequent form that is not the one searched for, if so many pages have it.

    Forms of the same initials are one; none is chosen if another is half as frequent.
    """
    forms = {
        form: of_pages
        for form, of_pages in forms.items()
        if any(each.way == "name" for each in chain.from_iterable(of_pages.values()))
    }
    initials = {form: "".join(word[0] for word in form.split()) for form in (*forms, searched)}
    pages: Counter[str] = Counter()
    for form, of_pages in forms.items():
        pages[initials[form]] += len(of_pages)
    total = pages.total()
    del pages[initials[searched]]
    (usual, most), (_, second) = (*pages.most_common(2), ("", 0), ("", 0))[:2]
    if not most or most < max(least, _MIN_NAME_SHARE * total) or most <= 2 * second:
        return ""
    best = max(
        (form for form in forms if initials[form] == usual),
        key=lambda form: (len(forms[form]), form),
    )
    return max(each[0].value for each in forms[best].values())


def _usual_text(texts: Sequence[str], share: float = _MIN_TEXT_SHARE) -> str:
    """The longest text for a thing that enough pages have, if only within a longer one.

    Args:
        texts: the text of each page.
        share: of the pages that are enough.
    """
    shown = {
        text: sum(f" {text} " in f" {other} " or other.startswith(f"{text}-") for other in texts)
        for text in dict.fromkeys(texts)
    }
    enough = min(max(shown.values()), share * len(texts))
    return max(
        (text for text, pages in shown.items() if pages >= enough),
        key=lambda text: (text.count(" "), len(text) * text[:4].isdigit(), shown[text], text),
    )
