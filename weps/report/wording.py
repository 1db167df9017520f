"""Figures and names of features in plain words."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from weps._expressions import parse_expression
from weps._formatting import format_probability
from weps.errors import FeatureError
from weps.features.registry import feature_by_name

KINDS = {
    "token": "words",
    "title": "words in the title",
    "snippet": "words in the search snippet",
    "url": "words in the address",
    "ngram": "phrases",
    "content": "key words",
    "result": "key words of the search result",
    "lemma": "words in their dictionary form",
    "phrase": "noun phrases",
    "capitalised": "capitalised names",
    "entity": "people, places and organisations",
    "fine_entity": "people, places and organisations by finer rules",
    "gazetteer": "words in gazetteers",
    "email": "e-mail addresses",
    "link": "links to the same page",
    "linked": "one links to the other",
    "same_domain": "same web site",
    "honorific": "titles before the name",
    "birth_year": "years of birth",
    "name_form": "form of the name",
    "name_frequency": "how common the name is",
    "few_pages": "number of pages of the name",
    "email_domain": "domains of e-mail addresses",
    "home_page": "home pages",
    "phone": "telephone numbers",
    "embedding": "meaning of the text around the name",
    "window": "key words near the name",
    "capitalised_window": "capitalised words near the name",
    "capitalised_result": "capitalised words of the search result",
}
"""Features of one name, whatever their parameters."""
_WITH_PARAMETERS = {
    "ngram": "phrases of {n} words",
    "content(n=1)": "key words",
    "content": "{n} key words in a row",
    "result(n=1)": "key words of the search result",
    "result": "{n} key words in a row of the search result",
    "entity": "{type}",
    "fine_entity": "{type} by finer rules",
    "gazetteer": "{list} in gazetteers",
    "name_form": "further names {part} the name, {relation}",
    "embedding": "text around the name with a similar meaning",
    "window": "key words within {width} words of the name",
}
_FEATURES = KINDS | _WITH_PARAMETERS
_GROUPS = {
    "person": "people",
    "location": "places",
    "organisation": "organisations",
    "event": "events",
    "facility": "buildings and institutions",
    "product": "products, works and prizes",
    "period": "periods",
    "time": "dates and times",
    "number": "figures",
    "place": "places",
    "occupation": "occupations",
    "after": "behind",
    "between": "within",
    "agree": "which agree",
    "differ": "which differ",
    "one_only": "on one page only",
}
_NEARBY = " near the name"

CERTAINTIES = ((0.95, "almost certain"), (0.8, "likely"), (0.5, "plausible"), (0.0, "uncertain"))

_NUMBERS = ((2.25, "two"), (3.5, "two or three"))
"""Below which expected number of people they are called so."""

_MEASURES = {
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


@lru_cache(maxsize=1024)
def feature_words(name: str) -> str:
    """``ngram(n=4, local=true)`` → ``phrases of 4 words near the name``."""
    try:
        expression = parse_expression(name)
        parameters = dict(expression.parameters)
        wording = _FEATURES.get(name) or _FEATURES.get(expression.name)
        if wording is None:
            return feature_by_name(expression).description
        nearby = _NEARBY if parameters.get("local") else ""
        plain = {key: _GROUPS.get(str(value), value) for key, value in parameters.items()}
        return wording.format_map(plain) + nearby
    except (FeatureError, KeyError):  # an answer of another version
        return name


def feature_list(names: Iterable[str]) -> str:
    """Features in plain words; one near the name is left out where the whole page has it too."""
    words = dict.fromkeys(map(feature_words, names))
    return ", ".join(
        each
        for each in words
        if not (each.endswith(_NEARBY) and each.removesuffix(_NEARBY) in words)
    )


def measure_words(name: str) -> str:
    """``bcubed_f05`` → ``B-Cubed F, α 0.5``."""
    return _MEASURES.get(name, name.replace("_", " "))


def people_words(one_person: float, expected: float) -> str:
    """Whether pages are one person: ``one person: likely, 85%``, ``may be two people (one: 35%)``.

    Args:
        one_person: probability that they are.
        expected: expected number of people.
    """
    sure = format_probability(one_person)
    if one_person >= CERTAINTIES[-2][0]:
        return f"one person: {certainty(one_person)}, {sure}"
    number = next((words for most, words in _NUMBERS if expected < most), f"{expected:.0f}")
    return f"may be {number} people (one: {sure})"


def certainty(probability: float) -> str:
    """A probability in words."""
    return next((words for least, words in CERTAINTIES if probability >= least), "uncertain")
