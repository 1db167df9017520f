"""Facts of an answer compared with the attributes that annotators found on the same pages.

As in WePS-2, each page is judged by itself: a fact of a person counts on every page that states it,
and is right there if annotators have one of its spellings for that attribute. A value of the
annotators is found if a fact of its page and attribute is right by it. Precision is the share of
facts that are right, recall the share of values that are found, F their harmonic mean, all over
pages and names together. Only pages count of which annotators have an attribute, and only
attributes that the campaigns asked for. Annotators wrote down what they saw: that a fact is not
theirs does not make it false, so precision is a lower bound.

*Strict* are values that are equal: words without case and punctuation; dates as year, month and
day, in either order where figures leave it open; digits of numbers; addresses without ``www``.
*Lenient* are besides dates of which one is less precise, numbers with the same last seven digits,
web sites of one host, and values of which one has all content words of the other or, unless they
are places, that share more than half of them (Dice). States, countries and some titles are there
what they are short for. Words of the name searched for tell no relative or other name apart.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, product
from math import nan
from pathlib import Path
from typing import Any

from weps._files import gazetteer_names
from weps._formatting import format_score
from weps._text import singular_form, split_words
from weps.errors import SourceError
from weps.features.bags import stop_words
from weps.name.person_name import PersonName
from weps.people.facts import ATTRIBUTES, Fact
from weps.results.stored import read_file
from weps_eval.benchmark.corpus import Attributes

_UNJUDGED = "date of death"
_ANNOTATED = {
    **{each.replace(" ", "").replace("-", ""): each for each in ATTRIBUTES if each != _UNJUDGED},
    "relatives": "relative",
    "education": "degree",
}
"""The annotators' attribute → ours."""
MAIN = ("occupation", "affiliation", "location", "date of birth", "relative", "e-mail")
"""Attributes that tell most about a person."""
GROUPS: dict[str, Sequence[str]] = {
    "these six": MAIN,
    "scored in WePS-2": [
        each for each in ATTRIBUTES if each not in {"work", "location", _UNJUDGED}
    ],
    "all": [each for each in ATTRIBUTES if each != _UNJUDGED],
}
"""Title → attributes that are counted together."""
_NUMBERS = frozenset({"phone", "fax"})
_ADDRESSES = frozenset({"e-mail", "web site"})
_PLACES = frozenset({"birth place", "location"})
_SHORT = {"gov": "governor", "mp": "member parliament", "prof": "professor", "sen": "senator"}
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


@dataclass(frozen=True, slots=True)
class JudgedFact:
    """A fact on one page."""

    name: str
    page: int
    attribute: str
    value: str
    sentence: str
    """The sentence of this page, else of another page; empty if there is none."""
    matched: str = ""
    """The annotators' value by which it is right, a strictly equal one if there is any."""
    strict: bool = False
    elsewhere: str = ""
    """Of a fact that is not right: an attribute of which annotators have this value there."""


@dataclass(frozen=True, slots=True)
class JudgedValue:
    """A value of the annotators on one page."""

    name: str
    page: int
    attribute: str
    value: str
    found: bool
    strict: bool


@dataclass(frozen=True, slots=True)
class Judgement:
    """Facts and values of the pages of some names that annotators read."""

    facts: tuple[JudgedFact, ...] = ()
    values: tuple[JudgedValue, ...] = ()
    unread: int = 0
    """Facts on pages of which annotators have nothing."""

    @staticmethod
    def joined(parts: Iterable[Judgement]) -> Judgement:
        """Those of several names as one."""
        every = list(parts)
        return Judgement(
            tuple(fact for each in every for fact in each.facts),
            tuple(value for each in every for value in each.values),
            sum(each.unread for each in every),
        )


def read_facts(path: Path) -> tuple[Fact, ...]:
    """The facts of all people of ``NAME.json``; none if there is no such file.

    Raises:
        SourceError: if it is no result, or its facts are damaged.
    """
    from pydantic import TypeAdapter, ValidationError  # noqa: PLC0415 - no other command needs it

    from weps._schema import describe_faults  # noqa: PLC0415

    found = (person.facts for person in read_file(path).people) if path.is_file() else ()
    try:
        return TypeAdapter(tuple[Fact, ...]).validate_python([*chain.from_iterable(found)])
    except ValidationError as error:
        raise SourceError(
            f"the facts of this result are damaged ({describe_faults(error)})",
            where=path,
            remedy="make it again with `weps cluster`",
        ) from None


def judge_facts(name: str, stated_facts: Iterable[Fact], annotated: Attributes) -> Judgement:
    """Compare the facts of the people of an answer with the attributes of their pages.

    Args:
        name: as searched for, or its identifier, ``Thomas_Baker``.
        stated_facts: of the people.
        annotated: the annotators' attributes.
    """
    searched = frozenset(PersonName.parse(name.replace("_", " ")).tokens)
    stated: dict[tuple[int, str, str], str] = {}
    for fact in stated_facts:
        sentences = {source.page: source.sentence for source in fact.sources}
        for page in fact.pages if fact.attribute != _UNJUDGED else ():
            sentence = sentences.get(page, fact.sources[0].sentence)
            stated.setdefault((page, fact.attribute, fact.value), sentence)
    known: dict[int, dict[str, dict[frozenset[str], str]]] = {}
    for page, attributes in annotated.items():
        of_page = known.setdefault(page, {})
        for kind, values in attributes.items():
            if attribute := _ANNOTATED.get(kind):
                spellings = of_page.setdefault(attribute, {})
                for value in values:
                    spellings.setdefault(_readings(attribute, value), value)
    facts: list[JudgedFact] = []
    found: dict[tuple[int, str, str], bool] = {}
    unread = 0
    for (page, attribute, value), sentence in sorted(stated.items()):
        if page not in known:
            unread += 1
            continue
        right = {
            other: _equal(attribute, value, other)
            for other in known[page].get(attribute, {}).values()
            if _alike(attribute, value, other, searched)
        }
        for other, strict in right.items():
            found[page, attribute, other] = strict or found.get((page, attribute, other), False)
        elsewhere = (
            kind
            for kind, values in known[page].items()
            if not right and any(_alike(kind, value, each, searched) for each in values.values())
        )
        facts.append(
            JudgedFact(
                name,
                page,
                attribute,
                value,
                sentence,
                max(right, key=right.__getitem__, default=""),
                any(right.values()),
                next(elsewhere, ""),
            )
        )
    found_or_not = (
        JudgedValue(name, *place, place in found, found.get(place, False))
        for page, attributes in sorted(known.items())
        for attribute, spellings in attributes.items()
        for value in spellings.values()
        for place in [(page, attribute, value)]
    )
    return Judgement(tuple(facts), tuple(found_or_not), unread)


def _readings(attribute: str, value: str) -> frozenset[str]:
    """What a value may say: equal values share a reading.

    Readings of dates are ``1921-05-03``, with zeros for what is not stated.
    """
    if attribute.startswith("date"):
        text = value[:100].lower()
        numbers = [int(number) for number in re.findall(r"\d{1,4}", text)]
        year = next((n if n > 99 else 1900 + n for n in numbers if n > 31), 0)
        first, second, *_ = *(number for number in numbers if 0 < number <= 31), 0, 0
        words = (word[:3] for word in re.findall(r"[a-z]{3,}", text))
        orders = {(first, second)} if numbers[:1] == [year] else {(first, second), (second, first)}
        if month := next((_MONTHS.index(word) + 1 for word in words if word in _MONTHS), 0):
            orders = {(month, first)}
        return frozenset(f"{year:04}-{month:02}-{day:02}" for month, day in orders)
    if attribute in _NUMBERS and (digits := re.sub(r"\D", "", value)):
        return frozenset({digits})
    if attribute in _ADDRESSES:
        return frozenset({re.sub(r"^(?:https?:/*)?(?:www\.)?|/$", "", value.lower())})
    return frozenset({" ".join(_words(value)) or value})


def _words(value: str) -> list[str]:
    return split_words(re.sub(r"\b(\w{1,2})\.", r"\1", value))  # Ph.D. is PhD


def _equal(attribute: str, one: str, other: str) -> bool:
    return not _readings(attribute, one).isdisjoint(_readings(attribute, other))


def _alike(attribute: str, one: str, other: str, searched: frozenset[str]) -> bool:
    """Whether two values of one attribute are equal or nearly so."""
    if _equal(attribute, one, other):
        return True
    pairs = product(_readings(attribute, one), _readings(attribute, other))
    if attribute.startswith("date"):
        parts = ([*zip(a.split("-"), b.split("-"), strict=True)] for a, b in pairs)
        return any(
            all(a == b or 0 in {int(a), int(b)} for a, b in each)
            and any(a == b != "0" * len(a) for a, b in each)
            for each in parts
        )
    if attribute in _NUMBERS:
        return any(len(a) > 6 < len(b) and a[-7:] == b[-7:] for a, b in pairs)
    if attribute in _ADDRESSES:
        return any("@" not in a and a.split("/")[0] == b.split("/")[0] for a, b in pairs)
    dropped = searched if attribute in {"relative", "other name"} else frozenset[str]()
    few, many = sorted((_content(attribute, each, dropped) for each in (one, other)), key=len)
    dice = 0.0 if attribute in _PLACES else 2 * len(few & many) / (len(few) + len(many) or 1)
    return bool(few) and (few <= many or dice > 0.5)


def _content(attribute: str, value: str, dropped: frozenset[str]) -> set[str]:
    """The content words of a value; all words if there are no others."""
    if attribute in _PLACES:
        known = gazetteer_names("states", "countries")
        parts = (re.sub(r"[\s\d-]+$", "", each) for each in value.split(", "))  # MA 02115
        value = ", ".join(known.get(each, known.get(f", {each}", each)) for each in parts)
    words = " ".join(_SHORT.get(word, word) for word in _words(value)).split()
    return {singular_form(word) for word in words if word not in dropped | stop_words()} or {*words}


def facts_data(judgement: Judgement) -> dict[str, Any]:
    """Scores, and what they are of, in JSON form (docs/output.md)."""
    counted = {f.attribute for f in judgement.facts} | {v.attribute for v in judgement.values}
    attributes = {each: [each] for each in ATTRIBUTES if each in counted}
    return {
        "attributes": {each: _scores(judgement, of) for each, of in attributes.items()},
        "groups": {title: _scores(judgement, of) for title, of in GROUPS.items()},
        "judged": list(map(asdict, judgement.facts)),
        "missed": [asdict(each) for each in judgement.values if not each.found],
        "unread": judgement.unread,
    }


def _scores(judgement: Judgement, attributes: Collection[str]) -> dict[str, Any]:
    """The scores over some attributes."""
    facts = [each for each in judgement.facts if each.attribute in attributes]
    values = [each for each in judgement.values if each.attribute in attributes]
    pages: dict[tuple[str, int, str], bool] = {}
    for value in values:
        place = (value.name, value.page, value.attribute)
        pages[place] = value.found or pages.get(place, False)

    def scores(right: int, found: int) -> dict[str, Any]:
        precision = right / len(facts) if facts else None
        recall = found / len(values) if values else None
        both = 2 * precision * recall / (precision + recall) if precision and recall else 0.0
        f = None if precision is None or recall is None else both
        return {"right": right, "found": found, "precision": precision, "recall": recall, "f": f}

    return {
        "facts": len(facts),
        "values": len(values),
        "lenient": scores(sum(bool(e.matched) for e in facts), sum(e.found for e in values)),
        "strict": scores(sum(e.strict for e in facts), sum(e.strict for e in values)),
        "pages": sum(pages.values()) / len(pages) if pages else None,
    }


def fact_rows(data: Mapping[str, Any]) -> list[list[str]]:
    """A table with a row for each attribute and for the groups of them; see :func:`facts_data`."""
    measures = ("precision", "recall", "f")
    heading = ["attribute", "facts", "values", "P", "R", "F", "(strict) P", "R", "F", "pages"]
    rows = [heading]
    for title, scores in (*data["attributes"].items(), *data["groups"].items()):
        figures = [scores[way][each] for way in ("lenient", "strict") for each in measures]
        shown = (nan if each is None else each for each in (*figures, scores["pages"]))
        rows.append([title, *(str(scores[k]) for k in heading[1:3]), *map(format_score, shown)])
    return rows
