"""The line that tells a person: *Ann J. Lee (born 1921) – marine biologist, University of York*.

It is composed of what the person's pages state right beside the name, as far as enough of the pages
state it: rather too little than anything wrong. Only what stands in a few fixed patterns next to a
mention with given and last name is read, as in *the poet Ann Lee*, *Ann Lee (1853-1925)*, *Ann Lee
is a professor of law at …*. All else on a page may be about others. The patterns are English.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, pairwise
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps._sets import membership_matrix, sums_of_sets
from weps._text import split_words
from weps.features.entity_types import entity_form
from weps.features.name import Mention, mentions_of, name_forms, page_text
from weps.language.analysis import Analysis, cached_for_name
from weps.people.context import ContextEntities
from weps.people.occupations import (
    has_organisation_head,
    occupation_at,
    occupation_before,
    organisation_beside,
    organisation_in,
    place_beside,
)

_MAX_MENTIONS = 40
"""Mentions of a page that are read, the first ones."""
_BEFORE_LENGTH, _AFTER_LENGTH = 60, 200
"""Characters before and after a mention that are read."""


class Kind(StrEnum):
    """Kinds of statements."""

    NAME = "name"
    """A form of the name with more names or initials than were searched for."""
    OCCUPATION = "occupation"
    AFFILIATION = "affiliation"
    PLACE = "place"
    BORN = "born"
    """The year."""
    DIED = "died"
    """The year."""


class Statement(NamedTuple):
    """One thing that a page states."""

    kind: Kind
    key: str
    """Key that different texts for the same thing have in common."""
    text: str
    """As it is to be shown."""


def page_statements(
    analysis: Analysis, context: ContextEntities | None
) -> list[tuple[Statement, ...]]:
    """For each document what it states about the person, each statement once.

    Years are left out where they contradict each other, as they do in genealogies.

    Args:
        analysis: the name and its pages.
        context: the entities near the name, which tell organisations that no word tells; None for
            those words alone.
    """
    own = frozenset(analysis.name.tokens)
    pages = zip(
        analysis.documents,
        mentions_of(analysis, hyphenated=True),
        name_forms(analysis),
        _recognised_organisations(context, len(analysis.documents)),
        strict=True,
    )
    statements = []
    for document, mentions, form, recognised in pages:
        stated: dict[Statement, None] = {}
        if form and (written := _initials_before(mentions) + form.written(analysis.name)):
            stated[Statement(Kind.NAME, written.lower(), written)] = None
        text, given = page_text(document) if mentions else "", form.before if form else ()
        for mention in mentions[:_MAX_MENTIONS]:
            stated |= dict.fromkeys(_statements_around(text, mention, given, own, recognised))
        years = [{each.key for each in stated if each.kind is kind} for kind in _YEARS]
        doubtful = any(len(keys) > 1 for keys in years)
        statements.append(tuple(each for each in stated if not (doubtful and each.kind in _YEARS)))
    return statements


def _recognised_organisations(
    context: ContextEntities | None, documents: int
) -> list[frozenset[str]]:
    """For each document the forms of the organisations near the name."""
    if context is None:
        return [frozenset()] * documents
    forms = [
        entity_form(text, kind) if kind == "organisation" else ""
        for text, kind in zip(context.texts, context.kinds, strict=True)
    ]
    columns = context.present.indices.tolist()
    bounds = pairwise(context.present.indptr.tolist())
    return [frozenset(forms[at] for at in columns[begin:end]) - {""} for begin, end in bounds]


_INITIALS = re.compile(r"(?<![\w.])((?:[A-Z]\.[^\S\n]?){1,2})$")


def _initials_before(mentions: Sequence[Mention]) -> str:
    """Initials that stand before most mentions, with a blank behind them: *D. Elmo Hardy*."""
    read = mentions[:_MAX_MENTIONS]
    found = Counter(
        each[1].strip() for mention in read if (each := _INITIALS.search(mention.before))
    )
    usual, times = found.most_common(1)[0] if found else ("", 0)
    return f"{usual} " if 2 * times > len(read) else ""


_DEGREE = (
    r"(?:Jr|Sr|II|III|IV|Ph\.?[^\S\n]?D|D\.?Phil|M\.?D|M\.?A|MBA|J\.?D|Esq|MP|QC|CPA|FRS|OBE|CBE)\b"
)
_DEGREES = re.compile(rf"(?:,?[^\S\n]{_DEGREE}\.?){{0,3}}")
_BRACKETS = re.compile(r"[^\S\n]{0,2}\(([^()\n]{1,80})\)")


_RELATIVE = re.compile(
    r"\b(?:father|mother|parents?|sons?|daughters?|child|children|brother|sister|uncle|aunt|nephew"
    r"|niece|cousin|wife|husband|widow|widower|grand\w+|great-\w+|descendants?) of[^\S\n]$",
    re.IGNORECASE,
)
"""Words before the name of another person's relative, of whom others may bear the name."""


_LEAD = re.compile(
    r"(?P<apart>,(?:[^\S\n]\d\d,)?|:|[^\S\n][-–—|])?[^\S\n]{1,2}(?:who[^\S\n])?"
    r"(?P<verb>(?:(?:is|was|became|remains|has been|had been|serves as|served as|works as|worked as"
    r"|also|currently|now|still|once|then)[^\S\n]){0,3})"
    r"(?:(?:an?|the|our|your|their|his|her|its|this|formerly|ex|one of the)[^\S\n-]){0,2}"
)
"""Between the name and an occupation: a comma or a verb, and an article."""


def _statements_around(
    text: str,
    mention: Mention,
    given: Iterable[str],
    own: AbstractSet[str],
    recognised: AbstractSet[str],
) -> Iterator[Statement]:
    """Statements of a page around a mention.

    Args:
        text: of the page.
        mention: of the name.
        given: further given names that may stand before it.
        own: the words of the name, in lower case.
        recognised: the forms of organisations near the name.
    """
    before = text[max(0, mention.start - _BEFORE_LENGTH) : mention.start].rpartition("\n")[2]
    for name in given:
        if before.rstrip().lower().endswith(name):
            before = before.rstrip()[: -len(name)]
    if _RELATIVE.search(before):
        return
    after, _, below = text[mention.end : mention.end + _AFTER_LENGTH].partition("\n")
    after = _DEGREES.sub("", after, count=1)
    bracketed = _BRACKETS.match(after)
    brackets = bracketed[1] if bracketed else ""
    after = after[bracketed.end() :] if bracketed else after
    on_own_line = not (after.strip(" ,:") or before.strip())
    heading = below.partition("\n")[0] if on_own_line else ""
    yield from _life(brackets, after)
    lead = _LEAD.match(after)
    behind = after[lead.end() :] if lead and (lead["apart"] or lead["verb"]) else ""
    for stretch, is_heading in ((behind, False), (heading, True), (brackets, True)):
        if occupation := occupation_at(stretch, own, heading=is_heading):
            yield Statement(Kind.OCCUPATION, occupation.key, occupation.text)
            organisation = organisation_in(stretch[occupation.end :], own, recognised)
            break
    else:
        organisation = (
            organisation_beside(after, own, recognised)
            or organisation_beside(brackets, own, recognised, apart=False)
            or organisation_beside(heading, own, recognised, apart=False)
        )
    if organisation:
        form = entity_form(organisation, "organisation")
        yield Statement(Kind.AFFILIATION, form, organisation)
    if title := occupation_before(before, own):
        yield Statement(Kind.OCCUPATION, title.key, title.text)
    place = place_beside(after, own)
    if place and not occupation_at(place, own):
        yield Statement(Kind.PLACE, place.partition(",")[0].lower(), place)


_YEAR = r"(1[0-9]\d\d|20[0-2]\d)"
_DATE = (
    r"(?:(?:[A-Za-z]{3,9}\.?|\d{1,2}(?:st|nd|rd|th)?|of|about|ca?\.?|circa)[\s,/.]{1,2}){0,4}"
    rf"{_YEAR}"
)
_BORN_AND_DIED = re.compile(
    rf"\W{{0,3}}(?:b\.|born)?\s?{_DATE}\s?(?:[-–—]|to|;|,)\s?(?:d\.|died)?\s?{_DATE}\b",
    re.IGNORECASE,
)
_WHERE = r"(?:(?:in|at)\s[A-Z][\w.]+,?\s(?:[A-Z][\w.]+,?\s){0,3})?"
_BORN = re.compile(
    rf"[\s,(]{{0,3}}(?:(?:who\s)?was\s)?(?:born|b\.)\s{_WHERE}(?:in\s|on\s)?{_DATE}\b"
)
_DIED = re.compile(rf"[\s,(]{{0,3}}(?:who\s)?(?:died|d\.)\s{_WHERE}(?:in\s|on\s)?{_DATE}\b")
_MIN_LIFE, _MAX_LIFE = 20, 105
"""Years from birth to death; fewer are a term of office."""
_YEARS = {Kind.BORN: _BORN, Kind.DIED: _DIED}


def _life(*stretches: str) -> Iterator[Statement]:
    """The years of birth and death in brackets behind the name or in its sentence."""
    for text in stretches:
        if years := _BORN_AND_DIED.match(text):
            if _MIN_LIFE <= int(years[2]) - int(years[1]) <= _MAX_LIFE:
                yield Statement(Kind.BORN, years[1], years[1])
                yield Statement(Kind.DIED, years[2], years[2])
            return
        for kind, pattern in _YEARS.items():
            if year := pattern.match(text):
                yield Statement(kind, year[1], year[1])


_FEW_PAGES, _FEW_PAGES_OF_OCCUPATION = 6, 12
"""Up to so many pages of a person, one that states a thing, or an occupation, is enough; of more,
two are."""
_MIN_NAME_SHARE = 0.25
"""Share of the pages that write the name in a fuller form than was searched for."""
_MIN_YEAR_SHARE = 0.75
"""Share of the pages stating a year that state the same one."""
_MIN_TEXT_SHARE = 0.25
"""Share of the pages stating a thing that a more specific text for it must have."""
_MIN_SHARE = 0.05
"""Share of a person's pages that state a thing."""
_GENERIC = frozenset("author director editor founder manager publisher writer".split())
"""Occupations that many pages state of anybody, of the author of what they sell or whoever heads
anything; they are not told beside others."""
_MIN_GENERIC = 2
"""Pages that state one."""
_SECOND_SHARE = 0.5
"""A second occupation is told that has so much of the weight of the first."""
_HEADED_SHARE, _BARE_SHARE = 0.5, 0.75
"""Share of a person's pages with an organisation near the name that is taken for the affiliation
if none is stated beside it: one that a word tells, *University of York*, and any other."""
_MIN_NEAR, _MIN_STATED = 3, 2
"""Number of these pages; enough of them if a page states beside the name what a word tells."""
_MIN_DISTINCT = 0.8
"""Share of all pages with it that are the person's."""
_TERMS_BEHIND, _TERMS_ALONE = 2, 3
"""Key terms behind what is stated, and behind a mere name."""


@dataclass(frozen=True, slots=True)
class PersonLine:
    """Facts that a person's pages state; empty where they state none."""

    name: str = ""
    """In a fuller form than was searched for."""
    born: str = ""
    died: str = ""
    occupation: str = ""
    affiliation: str = ""
    place: str = ""

    def written(self, searched: str, terms: Iterable[str]) -> str:
        """The line, with the first of some key terms that it does not have yet.

        Empty if nothing is known but terms.

        Args:
            searched: the name searched for.
            terms: the key terms, best first.
        """
        life = f" ({self.born}–{self.died})" if self.born and self.died else ""
        if bool(self.born) != bool(self.died):
            life = f" (born {self.born})" if self.born else f" (died {self.died})"
        name = f"{self.name or (searched.title() if searched.isupper() else searched)}{life}"
        stated = ", ".join(filter(None, (self.occupation, self.affiliation, self.place)))
        if not (stated or self.name or life):
            return ""
        known = frozenset(_forms(f"{name} {stated}"))
        further = [term for term in terms if known.isdisjoint(_forms(term))]
        if stated:
            return "; ".join(
                filter(None, (f"{name} – {stated}", ", ".join(further[:_TERMS_BEHIND])))
            )
        return " – ".join(filter(None, (name, ", ".join(further[:_TERMS_ALONE]))))


def _forms(text: str) -> Iterator[str]:
    return (word.removesuffix("s") for word in split_words(text))


@cached_for_name
def _statement_table(
    analysis: Analysis, context: ContextEntities | None
) -> tuple[tuple[Statement, ...], sparse.csr_array]:
    """The k statements of all pages, and which page has which: shape (documents, k), int32.

    Among them are the things that are stated: a thing is a statement without its text.
    """
    pages = [
        tuple(dict.fromkeys((*page, *(each._replace(text="") for each in page))))
        for page in page_statements(analysis, context)
    ]
    place = {each: at for at, each in enumerate(dict.fromkeys(chain.from_iterable(pages)))}
    columns = [[place[each] for each in page] for page in pages]
    return tuple(place), membership_matrix(columns, len(place))


class _Stated(NamedTuple):
    """A statement of a person's pages."""

    statement: Statement
    pages: int
    """Number of the person's pages that state it."""
    everywhere: int
    """Number of all pages that state it."""


def person_lines(
    groups: Sequence[Sequence[int]], analysis: Analysis, context: ContextEntities | None
) -> list[PersonLine]:
    """For each group of pages what tells the person.

    Args:
        groups: for each person the rows of their pages.
        analysis: the name and its pages, of any form.
        context: the entities near the name; None if they are not known.
    """
    statements, present = _statement_table(analysis, context)
    frequency = np.bincount(present.indices, minlength=len(statements)).tolist()
    counts = sums_of_sets(groups, present)
    near = _OrganisationsNear.of(groups, analysis, context) if context else None
    lines = []
    for number, rows in enumerate(groups):
        stated: defaultdict[Kind, list[_Stated]] = defaultdict(list)
        for column, pages in _row_entries(counts, number):
            statement = statements[column]
            stated[statement.kind].append(_Stated(statement, pages, frequency[column]))
        line = _choose(stated, len(rows), " ".join(analysis.name.tokens))
        if near and not line.affiliation:
            forms = {each.statement.key for each in stated[Kind.AFFILIATION]}
            line = replace(line, affiliation=near.best(number, len(rows), forms))
        lines.append(line)
    return lines


def _row_entries(counts: sparse.csr_array, row: int) -> Iterator[tuple[int, int]]:
    """The columns of a row that are not 0, with their values."""
    part = slice(counts.indptr[row], counts.indptr[row + 1])
    return zip(counts.indices[part].tolist(), counts.data[part].tolist(), strict=True)


@dataclass(frozen=True, slots=True, eq=False)
class _OrganisationsNear:
    """The k organisations near the name, without those named after the person."""

    texts: Sequence[str]
    forms: Sequence[str]
    """Normalised as statements are."""
    headed: Sequence[bool]
    """Whether a word tells that each is an organisation."""
    counts: sparse.csr_array
    """Shape (people, k): on how many pages of each person each is."""
    everywhere: NDArray[np.intp]
    """Shape (k,): on how many pages each is."""

    @classmethod
    def of(
        cls, groups: Sequence[Sequence[int]], analysis: Analysis, context: ContextEntities
    ) -> _OrganisationsNear:
        own = frozenset(analysis.name.tokens)
        chosen = [
            at
            for at, (text, kind) in enumerate(zip(context.texts, context.kinds, strict=True))
            if kind == "organisation" and own.isdisjoint(split_words(text))
        ]
        texts, present = [context.texts[at] for at in chosen], context.present[:, chosen]
        return cls(
            texts,
            [entity_form(text, "organisation") for text in texts],
            list(map(has_organisation_head, texts)),
            sums_of_sets(groups, present),
            np.bincount(present.indices, minlength=len(texts)),
        )

    def best(self, number: int, pages: int, stated: AbstractSet[str]) -> str:
        """The organisation on most of a person's pages, if on enough; else empty.

        Args:
            number: of the person.
            pages: of the person.
            stated: the forms of organisations that a page states beside the name.
        """
        fit = [(0.0, "")]
        for column, own in _row_entries(self.counts, number):
            everywhere, headed = self.everywhere[column], self.headed[column]
            if own < max(_MIN_STATED, _MIN_DISTINCT * everywhere):
                continue
            least = max(_MIN_NEAR, (_HEADED_SHARE if headed else _BARE_SHARE) * pages)
            if headed and self.forms[column] in stated:
                least = _MIN_STATED
            if own >= least:
                fit.append((own * own / everywhere, self.texts[column]))
        return max(fit)[1]


def _choose(stated: Mapping[Kind, Sequence[_Stated]], pages: int, searched: str) -> PersonLine:
    """The line of what enough of a person's pages state."""
    least = _least_pages(pages, _FEW_PAGES)
    name = _fullest_name(stated.get(Kind.NAME, ()), least, searched)
    sufficient = _least_pages(pages, _FEW_PAGES_OF_OCCUPATION)
    occupation = " and ".join(_occupations(stated.get(Kind.OCCUPATION, ()), sufficient))
    affiliations = _rank_texts(stated.get(Kind.AFFILIATION, ()), least)
    affiliation = next((e.text for e in affiliations if " " in e.text or e.pages > 1), "")
    place = next((each.text for each in _rank_texts(stated.get(Kind.PLACE, ()), least)), "")
    born, died = (_year(stated.get(kind, ()), least) for kind in (Kind.BORN, Kind.DIED))
    if born and died and int(born) >= int(died):
        born = died = ""
    return PersonLine(name, born, died, occupation, affiliation, place)


def _least_pages(pages: int, few: int) -> int:
    """Number of a person's pages that must state a thing."""
    return 1 if pages <= few else max(2, ceil(_MIN_SHARE * pages))


def _occupations(stated: Sequence[_Stated], least: int) -> list[str]:
    """The best occupation, and the second best if it is not far behind."""
    ranked = _rank_texts(stated, least)
    special = [each for each in ranked if each.text not in _GENERIC]
    if not special:
        return [each.text for each in ranked[:1] if each.pages >= _MIN_GENERIC]
    enough = _SECOND_SHARE * special[0].weight
    return [each.text for each in special[:2] if each.weight >= enough]


def _fullest_name(forms: Sequence[_Stated], least: int, searched: str) -> str:
    """The most frequent form that is not the one searched for, if so many pages have it.

    Forms of the same initials are one; none is chosen if another is half as frequent.
    """
    pages: Counter[str] = Counter()
    for each in forms:
        if each.statement.text:
            pages[_initials(each.statement.key)] += each.pages
    total = pages.total()
    del pages[_initials(searched)]
    (usual, most), (_, second) = (*pages.most_common(2), ("", 0), ("", 0))[:2]
    if not most or most < max(least, _MIN_NAME_SHARE * total) or most <= 2 * second:
        return ""
    fuller = [each for each in forms if _initials(each.statement.key) == usual]
    best = max(fuller, key=lambda each: (each.pages, each.statement.key, each.statement.text))
    return best.statement.text


def _initials(name: str) -> str:
    return "".join(word[0] for word in name.split())


class _Ranked(NamedTuple):
    """A thing that a person's pages state."""

    weight: float
    """The number of the pages times their share of all pages that state it."""
    text: str
    pages: int


def _rank_texts(stated: Sequence[_Stated], least: int) -> list[_Ranked]:
    """The things of a kind that so many pages state, best first."""
    texts: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for each in stated:
        texts[each.statement.key][each.statement.text] = each.pages
    things = (each for each in stated if not each.statement.text and each.pages >= least)
    ranked = (
        _Ranked(
            each.pages * each.pages / each.everywhere,
            _specific_text(texts[each.statement.key], least),
            each.pages,
        )
        for each in things
    )
    return sorted(ranked, key=lambda each: (-each.weight, each.text))


def _specific_text(texts: Mapping[str, int], least: int) -> str:
    """The longest text for a thing that enough of its pages have, if only within a longer one.

    Args:
        texts: text → number of pages; the empty one has that of all.
        least: pages that must have it, if any text is on so many.
    """
    shown = {
        text: min(sum(n for other, n in texts.items() if f" {text} " in f" {other} "), texts[""])
        for text in texts
        if text
    }
    enough = min(max(shown.values()), max(least, _MIN_TEXT_SHARE * texts[""]))
    usual = [text for text, pages in shown.items() if pages >= enough]
    return max(usual, key=lambda text: (text.count(" "), shown[text], text))


def _year(stated: Sequence[_Stated], least: int) -> str:
    """The year that nearly all pages agree on which state any."""
    pages = {each.statement.text: each.pages for each in stated if each.statement.text}
    best = max(pages, key=lambda year: (pages[year], year), default="")
    enough = max(least, _MIN_YEAR_SHARE * sum(pages.values()))
    return best if best and pages[best] >= enough else ""
