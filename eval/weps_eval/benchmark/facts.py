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
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, product
from math import nan
from typing import Any

from weps._files import gazetteer_names
from weps._formatting import format_score
from weps._text import singular_form, split_words
from weps.features.bags import stop_words
from weps.name.person_name import PersonName
from weps.people.facts import ATTRIBUTES, Fact
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


Judged = dict[str, Any]
"""A fact, or a value of the annotators, on one page, as JSON has it (docs/schema/scores.py)."""


def judge_facts(
    name: str, stated_facts: Iterable[Fact], annotated: Attributes
) -> tuple[list[Judged], list[Judged], int]:
    """Compare the facts of the people of an answer with the attributes of their pages.

    Args:
        name: as searched for, or its identifier, ``Thomas_Baker``.
        stated_facts: of the people.
        annotated: the annotators' attributes.

    Returns:
        The facts and the values of the pages that annotators read, and the number of facts on
        other pages.
    """
    searched = frozenset(PersonName.parse(name.replace("_", " ")).tokens)
    stated: dict[tuple[int, str, str], str] = {}
    for fact in stated_facts:
        sentences = {source.page: source.sentence for source in fact.sources}
        for page in fact.pages if fact.attribute != _UNJUDGED else ():
            sentence = sentences.get(page, fact.sources[0].sentence)
            stated.setdefault((page, fact.attribute, fact.value), sentence)
    known: dict[int, defaultdict[str, dict[frozenset[str], str]]] = {}
    for page, attributes in annotated.items():
        known[page] = defaultdict(dict)
        for kind, values in attributes.items():
            if attribute := _ANNOTATED.get(kind):
                spellings = {_readings(attribute, each): each for each in reversed(values)}
                known[page][attribute] |= spellings
    facts: list[Judged] = []
    found: dict[tuple[int, str, str], bool] = {}
    for (page, attribute, value), sentence in sorted(stated.items()):
        alike = {
            (kind, other): kind == attribute and _equal(attribute, value, other)
            for kind, values in known.get(page, {}).items()
            for other in values.values()
            if _alike(kind, value, other, searched)
        }
        right = {other: strict for (kind, other), strict in alike.items() if kind == attribute}
        for other, strict in right.items():
            found[page, attribute, other] = strict or found.get((page, attribute, other), False)
        about = {"name": name, "page": page, "attribute": attribute, "value": value}
        judgement = {
            "sentence": sentence,
            "matched": max(right, key=right.__getitem__, default=""),
            "strict": any(right.values()),
            "elsewhere": "" if right else next(iter(alike), ("",))[0],
        }
        facts.extend([about | judgement] if page in known else [])
    annotations = [
        dict(zip(("page", "attribute", "value"), place, strict=True))
        | {"name": name, "found": place in found, "strict": found.get(place, False)}
        for page, attributes in sorted(known.items())
        for attribute, spellings in attributes.items()
        for value in reversed(spellings.values())
        for place in [(page, attribute, value)]
    ]
    return facts, annotations, sum(page not in known for page, *_ in stated)


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


def facts_data(judged: Iterable[tuple[list[Judged], list[Judged], int]]) -> dict[str, Any]:
    """Scores over names, see :func:`judge_facts`, in JSON form (docs/output.md)."""
    facts, values, unread = zip(*judged, strict=True)
    every = [*chain.from_iterable(facts)], [*chain.from_iterable(values)]
    counted = {each["attribute"] for each in chain(*every)}
    attributes = {each: [each] for each in ATTRIBUTES if each in counted}
    return {
        "attributes": {each: _scores(*every, of) for each, of in attributes.items()},
        "groups": {title: _scores(*every, of) for title, of in GROUPS.items()},
        "judged": every[0],
        "missed": [each for each in every[1] if not each["found"]],
        "unread": sum(unread),
    }


def _scores(
    judged: Iterable[Judged], annotated: Iterable[Judged], attributes: Collection[str]
) -> dict[str, Any]:
    """The scores over some attributes."""
    facts = [each for each in judged if each["attribute"] in attributes]
    values = [each for each in annotated if each["attribute"] in attributes]
    pages: dict[tuple[str, ...], bool] = {}
    for each in values:
        place = (each["name"], each["page"], each["attribute"])
        pages[place] = each["found"] or pages.get(place, False)

    def scores(right: str, of_value: str) -> dict[str, Any]:
        matched, found = sum(bool(e[right]) for e in facts), sum(e[of_value] for e in values)
        precision = matched / len(facts) if facts else None
        recall = found / len(values) if values else None
        both = 2 * precision * recall / (precision + recall) if precision and recall else 0.0
        f = None if precision is None or recall is None else both
        return {"right": matched, "found": found, "precision": precision, "recall": recall, "f": f}

    return {
        "facts": len(facts),
        "values": len(values),
        "lenient": scores("matched", "found"),
        "strict": scores("strict", "strict"),
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
