"""Organisations and places in a text beside a name, by their heads, gazetteers, or a recogniser."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from itertools import islice

from weps._files import gazetteer_names, word_list
from weps.features.entity_types import entity_form, fine_kind

_CAPITAL = r"(?:(?:St|Ste|Ft|Mt)\.[^\S\n]?)?[^\W\d_a-zß-öø-ÿ][\w'&]*(?:[.-]\w+)*"
_SMALL = r"(?:of|for|de|du|des|and|&|at|in)[^\S\n](?:the[^\S\n])?"
CAPITALISED_RUN = rf"{_CAPITAL}(?:[^\S\n](?:{_SMALL})?{_CAPITAL}){{0,7}}"
"""Pattern of words with capitals, and small words between them."""
_RUN = re.compile(rf"(?<!\S)(?:the[^\S\n])?(?P<run>{CAPITALISED_RUN})")
_DIRECT = re.compile(
    r"(?:,[^\S\n]|[^\S\n][-–—][^\S\n]|[^\S\n](?:of|at|from)[^\S\n])(?:the[^\S\n])?"
    rf"(?P<run>{CAPITALISED_RUN})"
)
_SENTENCE_ENDS = re.compile(r"(?<=\w{3})[.;!?](?:\s|$)")
_FAR = 120
"""Characters behind an occupation within which the organisation stands."""
_MAX_RUNS = 4
_MAX_WORDS = 7
_MIN_LETTERS, _MAX_CAPITALS = 3, 3
"""Letters; of names in capitals longer words are spelled as others."""
_KINDS = frozenset(
    "school university museum library hospital theatre laboratory newspaper company bank"
    " association party government court military team band".split()
)
"""Fine-grained kinds in which people work; departments say less than what they are part of."""
_PLACES = frozenset(("city", "state", "country", "department"))
_PART = re.compile(
    r"(?:School|College|Institute|Cent(?:re|er)|Division|Faculty)\sof\b|(?:High|Law|Medical|Business|Graduate|Elementary|Middle)\sSchool$"
)
"""Names that parts of many organisations bear."""
_NO_NAMES = frozenset("ii iii iv encyclopedia encyclopaedia".split())
_PLACE = re.compile(
    rf"(?:,[^\S\n](?:\d\d,[^\S\n])?(?:of[^\S\n])?|[^\S\n](?:of|from)[^\S\n])"
    rf"(?P<place>{_CAPITAL}(?:[^\S\n]{_CAPITAL}){{0,2}})(?:,[^\S\n](?P<region>{_CAPITAL}(?:[^\S\n]{_CAPITAL})?))?"
    r"(?![^\S\n]?:|[^\S\n]?[12]\d\d\d)"  # where a book was published
)
_HOME = re.compile(
    rf"(?:lives|lived|resides|resided|based)[^\S\n]in[^\S\n](?P<place>{_CAPITAL}(?:[^\S\n]{_CAPITAL}){{0,2}})"
    rf"(?:,[^\S\n](?P<region>{_CAPITAL}(?:[^\S\n]{_CAPITAL})?))?"
)


def has_organisation_head(text: str) -> bool:
    """Whether a word of a name tells that it is an organisation in which people work."""
    return " " in text and fine_kind(text, "") in _KINDS and not _PART.match(text)


def is_organisation(text: str, recognised: AbstractSet[str] = frozenset()) -> bool:
    """Whether words with capitals name an organisation, by their head or as recognised.

    Args:
        text: as written.
        recognised: the forms of organisations on the page.
    """
    several = " " in text
    return (several and fine_kind(text, "") in _KINDS) or (
        entity_form(text, "organisation") in recognised and fine_kind(text, "") not in _PLACES
    )


def organisation_in(text: str, own: AbstractSet[str], recognised: AbstractSet[str]) -> str:
    """The first organisation of a sentence that begins behind an occupation; empty if none is near.

    Args:
        text: behind the occupation.
        own: the words of the name, in lower case.
        recognised: see :func:`is_organisation`.
    """
    sentence = _SENTENCE_ENDS.split(text[:_FAR], maxsplit=1)[0]
    runs = (each["run"] for each in islice(_RUN.finditer(sentence), _MAX_RUNS))
    return next(filter(None, (_tidy(run, own, recognised) for run in runs)), "")


def organisation_beside(text: str, own: AbstractSet[str], recognised: AbstractSet[str]) -> str:
    """The organisation directly behind the name, *of*, *at* or a comma; empty if there is none."""
    found = _DIRECT.match(text)
    return _tidy(found["run"], own, recognised) if found else ""


def organisation_line(text: str, own: AbstractSet[str], recognised: AbstractSet[str]) -> str:
    """The organisation that a text begins with, in brackets or below a name; empty if none."""
    found = _RUN.match(text)
    return _tidy(found["run"], own, recognised) if found else ""


def _tidy(run: str, own: AbstractSet[str], recognised: AbstractSet[str]) -> str:
    """The organisation that a run names, without boilerplate behind it; empty if it names none."""
    first, joined, second = run.partition(" and ")
    if joined and is_organisation(first, recognised) and is_organisation(second, recognised):
        run = first
    words = run.removesuffix("'s").removesuffix("'").split()
    boilerplate = word_list("stopwords/web.txt", "stopwords/labels.txt")
    while words and fine_kind(words[-1], "") == "" and words[-1].lower() in boilerplate:
        words.pop()
    plain = boilerplate.intersection(map(str.lower, words))
    if plain and all(
        word.lower() in plain or fine_kind(word, "") for word in words
    ):  # Photo Gallery
        return ""
    text, forms = _usual_capitals(" ".join(words).rstrip(".,'&-")), {word.lower() for word in words}
    fit = len(text) >= _MIN_LETTERS and len(words) <= _MAX_WORDS
    if not fit or own & forms or forms & _NO_NAMES or _PART.match(text):
        return ""
    return text if is_organisation(text, recognised) else ""


def _usual_capitals(text: str) -> str:
    """The text, if it has several words and all are in capitals, with those of short ones alone."""
    words = text.split()
    if len(words) < 2 or not text.isupper():
        return text
    return " ".join(word.capitalize() if len(word) > _MAX_CAPITALS else word for word in words)


def place_beside(text: str, own: AbstractSet[str]) -> str:
    """The place behind the name, *of* or a comma, or behind *lives in*; empty if none is known.

    A place is known by the gazetteers, or by the state or country behind it.
    """
    found = _PLACE.match(text) or _HOME.search(text[:_FAR])
    if not found:
        return ""
    known = gazetteer_names("cities", "countries", "states")
    place, region = found["place"], found["region"] or ""
    if own & set(place.lower().split()) or fine_kind(place, "") in _KINDS:
        return ""
    if region and (region in known or f", {region}" in known):
        return f"{place}, {region}"
    return place if place in known else ""
