"""The line that tells a person: *Ann J. Lee (born 1921) – marine biologist, University of York*.

It is composed of what the person's pages state beside the name (:mod:`weps.people.statements`), as
far as enough of the pages state it: rather too little than anything wrong.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps._sets import sums_of_sets
from weps._text import split_words
from weps.features.entity_types import entity_form
from weps.language.analysis import Analysis, cached_for_name
from weps.people.context import ContextEntities
from weps.people.organisations import has_organisation_head
from weps.people.statements import Kind, Statement, page_statements

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
    """What a person's pages state; what they do not is empty."""

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


@dataclass(frozen=True, slots=True, eq=False)
class _StatementTable:
    """The k statements of all pages, and their things: a thing is a statement without a text."""

    statements: tuple[Statement, ...]
    present: sparse.csr_array
    """Shape (documents, k), int32: 1 where the page has it."""
    frequency: NDArray[np.int64]
    """Shape (k,): the number of pages that have it."""


@cached_for_name
def _statement_table(analysis: Analysis, context: ContextEntities | None) -> _StatementTable:
    """Those of the pages of a name."""
    pages = [
        tuple(dict.fromkeys((*page, *(each._replace(text="") for each in page))))
        for page in page_statements(analysis, context)
    ]
    place = {each: at for at, each in enumerate(dict.fromkeys(s for page in pages for s in page))}
    rows = np.repeat(np.arange(len(pages)), list(map(len, pages)))
    columns = np.array([place[each] for page in pages for each in page], dtype=np.int64)
    shape = len(pages), len(place)
    ones = np.ones(len(rows), dtype=np.int32)
    present = sparse.coo_array((ones, (rows, columns)), shape=shape).tocsr()
    return _StatementTable(tuple(place), present, np.bincount(columns, minlength=len(place)))


def person_lines(
    groups: Sequence[Sequence[int]], analysis: Analysis, context: ContextEntities | None
) -> list[PersonLine]:
    """For each group of pages what tells the person.

    Args:
        groups: for each person the rows of their pages.
        analysis: the name and its pages, of any form.
        context: the entities near the name; None if they are not known.
    """
    table = _statement_table(analysis, context)
    counts = sums_of_sets(groups, table.present)
    searched = " ".join(analysis.name.tokens)
    near = _OrganisationsNear.of(groups, analysis, context) if context else None
    found = []
    for number, rows in enumerate(groups):
        stated: defaultdict[Kind, list[_Stated]] = defaultdict(list)
        for column, pages in _entries(counts, number):
            each = _Stated(table.statements[column], pages, int(table.frequency[column]))
            stated[each.statement.kind].append(each)
        line = _choose(stated, len(rows), searched)
        if near and not line.affiliation:
            forms = {each.statement.key for each in stated[Kind.AFFILIATION]}
            line = replace(line, affiliation=near.best(number, len(rows), forms))
        found.append(line)
    return found


def _entries(counts: sparse.csr_array, row: int) -> Iterator[tuple[int, int]]:
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

    def best(self, number: int, pages: int, stated: Set[str]) -> str:
        """The organisation on most of a person's pages, if on enough; else empty.

        Args:
            number: of the person.
            pages: of the person.
            stated: the forms of organisations that a page states beside the name.
        """
        fit = []
        for column, own in _entries(self.counts, number):
            everywhere, headed = self.everywhere[column], self.headed[column]
            if own < max(_MIN_STATED, _MIN_DISTINCT * everywhere):
                continue
            least = max(_MIN_NEAR, (_HEADED_SHARE if headed else _BARE_SHARE) * pages)
            if headed and self.forms[column] in stated:
                least = _MIN_STATED
            if own >= least:
                fit.append((own * own / everywhere, self.texts[column]))
        return max(fit, default=(0.0, ""))[1]


@dataclass(frozen=True, slots=True)
class _Stated:
    statement: Statement
    pages: int
    """Of the person that state it."""
    everywhere: int
    """Of all pages those that state it."""


def _choose(stated: Mapping[Kind, Sequence[_Stated]], pages: int, searched: str) -> PersonLine:
    """What enough of a person's pages state."""
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
    """How many of a person's pages must state a thing."""
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
