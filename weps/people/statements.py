"""What pages state about the person right beside the name: occupation, affiliation, place, life.

Only what stands in a few fixed patterns next to a mention with given and last name is read, as in
*the poet Ann Lee*, *Ann Lee (1853-1925)*, *Ann Lee is a professor of law at …*. All else on a page
may be about others. The patterns are English.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum
from itertools import islice, pairwise
from typing import NamedTuple

from weps.features.entity_types import entity_form
from weps.features.name.form import name_forms
from weps.features.name.mentions import Mention, mentions_of, page_text
from weps.language.analysis import Analysis
from weps.people.context import ContextEntities
from weps.people.occupations import occupation_at, occupation_before
from weps.people.organisations import (
    organisation_beside,
    organisation_in,
    organisation_line,
    place_beside,
)

_MAX_MENTIONS = 40
"""Mentions of a page that are read, the first ones."""
_BEFORE_LENGTH, _AFTER_LENGTH = 60, 200
"""Characters before and after a mention that are read."""


class Kind(StrEnum):
    """What is stated."""

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
    """What different texts for the same thing have in common."""
    text: str
    """As it is to be shown."""


def page_statements(
    analysis: Analysis, context: ContextEntities | None
) -> tuple[tuple[Statement, ...], ...]:
    """For each document what it states about the person, each statement once.

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
    found = []
    for document, mentions, form, recognised in pages:
        stated: dict[Statement, None] = {}
        if form and (written := _initials_before(mentions) + form.written(analysis.name)):
            stated[Statement(Kind.NAME, written.lower(), written)] = None
        text = page_text(document) if mentions else ""
        for mention in islice(mentions, _MAX_MENTIONS):
            around = _Surroundings.of(text, mention, form.before if form else ())
            if not _RELATIVE.search(around.before):
                stated |= dict.fromkeys(_statements_around(around, own, recognised))
        found.append(tuple(_without_doubtful_years(stated)))
    return tuple(found)


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


def _without_doubtful_years(statements: Iterable[Statement]) -> Iterator[Statement]:
    """The statements; years only if none contradict each other, as they do in genealogies."""
    years: defaultdict[Kind, set[str]] = defaultdict(set)
    for each in statements:
        years[each.kind].add(each.key)
    doubtful = any(len(years[kind]) > 1 for kind in (Kind.BORN, Kind.DIED))
    for each in statements:
        if not (doubtful and each.kind in (Kind.BORN, Kind.DIED)):
            yield each


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
"""What stands before the name of another person's relative, of whom others may bear the name."""


class _Surroundings(NamedTuple):
    """The text on either side of a mention."""

    before: str
    """Up to the mention, or to a given name before it, on its line."""
    after: str
    """From the mention on, on its line, without degrees and brackets."""
    brackets: str
    """What stands in brackets behind the name; empty if nothing does."""
    below: str
    """The next line, if the name has a line to itself."""

    @classmethod
    def of(cls, text: str, mention: Mention, given: Iterable[str]) -> _Surroundings:
        before = text[max(0, mention.start - _BEFORE_LENGTH) : mention.start].rpartition("\n")[2]
        for name in given:
            if before.rstrip().lower().endswith(name):
                before = before.rstrip()[: -len(name)]
        after, _, below = text[mention.end : mention.end + _AFTER_LENGTH].partition("\n")
        degrees = _DEGREES.match(after)
        after = after[degrees.end() if degrees else 0 :]
        brackets = _BRACKETS.match(after)
        after = after[brackets.end() if brackets else 0 :]
        alone = not (after.strip(" ,:") or before.strip())
        return cls(before, after, brackets[1] if brackets else "", below.partition("\n")[0] * alone)


_LEAD = re.compile(
    r"(?P<apart>,(?:[^\S\n]\d\d,)?|:|[^\S\n][-–—|])?[^\S\n]{1,2}(?:who[^\S\n])?"
    r"(?P<verb>(?:(?:is|was|became|remains|has been|had been|serves as|served as|works as|worked as"
    r"|also|currently|now|still|once|then)[^\S\n]){0,3})"
    r"(?:(?:an?|the|our|your|their|his|her|its|this|formerly|ex|one of the)[^\S\n-]){0,2}"
)
"""Between the name and an occupation: a comma or a verb, and an article."""


def _statements_around(
    around: _Surroundings, own: AbstractSet[str], recognised: AbstractSet[str]
) -> Iterator[Statement]:
    """What stands around a mention, see :func:`page_statements`."""
    yield from _life(around)
    lead = _LEAD.match(around.after)
    behind = around.after[lead.end() :] if lead and (lead["apart"] or lead["verb"]) else ""
    texts = (behind, False), (around.below, True), (around.brackets, True)
    for text, heading in texts:
        if occupation := occupation_at(text, own, heading=heading):
            yield Statement(Kind.OCCUPATION, occupation.key, occupation.text)
            organisation = organisation_in(text[occupation.end :], own, recognised)
            break
    else:
        organisation = (
            organisation_beside(around.after, own, recognised)
            or organisation_line(around.brackets, own, recognised)
            or organisation_line(around.below, own, recognised)
        )
    if organisation:
        form = entity_form(organisation, "organisation")
        yield Statement(Kind.AFFILIATION, form, organisation)
    if title := occupation_before(around.before, own):
        yield Statement(Kind.OCCUPATION, title.key, title.text)
    place = place_beside(around.after, own)
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


def _life(around: _Surroundings) -> Iterator[Statement]:
    """The years of birth and death in brackets behind the name or in its sentence."""
    for text in (around.brackets, around.after):
        if years := _BORN_AND_DIED.match(text):
            if _MIN_LIFE <= int(years[2]) - int(years[1]) <= _MAX_LIFE:
                yield Statement(Kind.BORN, years[1], years[1])
                yield Statement(Kind.DIED, years[2], years[2])
            return
        for kind, pattern in ((Kind.BORN, _BORN), (Kind.DIED, _DIED)):
            if year := pattern.match(text):
                yield Statement(kind, year[1], year[1])
