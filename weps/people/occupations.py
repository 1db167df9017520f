"""Occupations, organisations and places in a text beside a name.

Organisations and places are told by their heads, by gazetteers, or by a recogniser. An occupation
is one of our lists, with the words before it that specify it (*jazz* pianist) and a field or an
office behind it (professor *of law*, bishop *of Durham*). Words of praise are dropped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import islice
from typing import NamedTuple

from weps._files import gazetteer_names, word_list
from weps.features.bags import stop_words
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


def organisation_beside(
    text: str, own: AbstractSet[str], recognised: AbstractSet[str], *, apart: bool = True
) -> str:
    """The organisation that a text begins with; empty if it begins with none.

    Args:
        text: behind the name, or in brackets behind it, or the line below.
        own: the words of the name, in lower case.
        recognised: see :func:`is_organisation`.
        apart: whether *of*, *at*, *from*, a comma or a dash stands before it.
    """
    found = (_DIRECT if apart else _RUN).match(text)
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


_MAX_TOKENS = 14
"""Words and marks of a text that are read."""
_MAX_SKIPPED, _MAX_MODIFIERS = 4, 3
"""Words that may stand before an occupation, and those of them that are shown."""
_LONGEST = 4
"""Words of an occupation."""
_ABBREVIATIONS = {
    "capt": "captain",
    "col": "colonel",
    "gen": "general",
    "gov": "governor",
    "lt": "lieutenant",
    "pres": "president",
    "prof": "professor",
    "rep": "representative",
    "sen": "senator",
    "sgt": "sergeant",
}
"""Titles before names; *Dr* and *Rev* say too little."""
_HONORIFICS = frozenset("dr mr mrs ms miss sir rev hon dame fr".split())
_AMBIGUOUS = frozenset(
    "bass player candidate chair collector defender delegate expert fellow guard keeper major model"
    " partner receiver representative specialist striker student supervisor volunteer".split()
)
"""Occupations that are first of all other words, unless something specifies them."""
_WITH_FIELD = frozenset(
    "professor lecturer reader fellow chair student researcher teacher doctor instructor expert"
    " specialist scholar historian".split()
)
"""Last words of occupations behind which *of* and *in* name a field."""
_WITH_OFFICE = frozenset(
    "bishop archbishop mayor governor senator rector vicar sheriff consul ambassador judge"
    " president minister dean headmaster leader commissioner secretary earl treasurer".split()
)
"""Last words of occupations behind which *of* names a place or a body."""
_PRAISE = frozenset(
    "well-known known famous famed noted renowned world-renowned acclaimed award-winning leading"
    " great young old popular good best top big real true new last only prominent distinguished"
    " talented gifted local legendary respected experienced professional prolific full-time"
    " part-time freelance original previous long-time longtime fellow such dedicated bestselling"
    " best-selling brilliant influential key main creative self-taught lifelong avid fine"
    " accomplished virtuoso esteemed sitting outgoing incoming former current late retired first"
    " second third".split()
)
_ADVERB_OR_PARTICIPLE = re.compile(r"\w{3,}(?:ly|ed)|[\w-]*\d(?:st|nd|rd|th)|\w+-\w+(?:th|st|ed)")
"""*newly*, *appointed*, *35th*, *thirty-fifth*."""
_KEEP_CASE = frozenset(
    "African American Argentine Asian Australian Austrian Belgian Brazilian British Bulgarian"
    " Canadian Catholic Chilean Chinese Christian Conservative Croatian Cuban Czech Danish Democrat"
    " Democratic Dutch Egyptian English European Filipino Finnish French German Greek Hungarian"
    " Indian Indonesian Iranian Iraqi Irish Israeli Italian Jamaican Japanese Jewish Korean Labour"
    " Latin Lebanese Liberal Mexican Muslim Nigerian Norwegian Pakistani Polish Portuguese"
    " Republican Romanian Russian Scottish Serbian Spanish Swedish Swiss Thai Tory Turkish"
    " Ukrainian Vietnamese Welsh US U.S UK EU CEO CFO CIO COO CTO MP PhD DJ TV IT GP".split()
)
_SPELLINGS = {each.lower(): each for each in _KEEP_CASE}
_TOKEN = re.compile(r"[^\W\d_][\w'&]*(?:-[\w']+)*|[^\w\s]|\d+\w*")
_ABBREVIATION_POINT = re.compile(r"\b([A-Z][a-z]{1,4})\.")
_FIELD = re.compile(
    rf"[^\S\n](?P<of>of|in)[^\S\n](?P<the>the[^\S\n])?"
    rf"(?P<named>{CAPITALISED_RUN}|[a-z][\w-]+(?:[^\S\n](?:and[^\S\n])?[a-z][\w-]+){{0,2}})"
)


class Occupation(NamedTuple):
    """An occupation as a text states it."""

    key: str
    """Its first name in the gazetteer, by which synonyms are one."""
    text: str
    """As it is to be shown, in lower case but for names and abbreviations."""
    end: int = 0
    """Where it ends in the text."""


@cache
def _occupations() -> dict[tuple[str, ...], str]:
    """The words of an occupation → its key; those of the second list have that of their end."""
    listed = gazetteer_names("occupations")
    found = dict(listed)
    for name, first in gazetteer_names("further_occupations").items():
        words = first.lower().split()
        ends = (" ".join(words[at:]) for at in range(len(words)))
        found.setdefault(name.lower(), next((listed[e] for e in ends if e in listed), words[-1]))
    return {tuple(name.split()): first for name, first in found.items()}


def occupation_at(text: str, own: AbstractSet[str], *, heading: bool = False) -> Occupation | None:
    """The occupation that a text begins with; None if it begins with anything else.

    Args:
        text: what stands behind a name and an article.
        own: the words of the name, in lower case.
        heading: whether the text is no part of a sentence: words that specify the occupation have
            capitals there.
    """
    tokens = list(islice(_TOKEN.finditer(text), _MAX_TOKENS))
    words = [token[0] for token in tokens]
    begin = 0
    while not (length := _match_length(words, begin)):
        word = words[begin] if begin < len(words) else ""
        passed = word[:1].isalpha() and (
            word.lower() not in stop_words() or word in _PRAISE or word == "and"
        )
        if not passed or begin == _MAX_SKIPPED:
            return None
        begin += 1
    while more := _match_length(words, begin + length):
        begin, length = begin + length, more
    end = begin + length
    if not _ends_phrase(words[end] if end < len(words) else "", words[end - 1]):
        return None
    before = words[:begin]
    if "and" in before:
        before = before[len(before) - before[::-1].index("and") :]
    if heading and not all(word[0].isupper() for word in before):
        return None
    modifiers = [
        word
        for word in before
        if word.lower() not in _PRAISE and not _ADVERB_OR_PARTICIPLE.fullmatch(word.lower())
    ]
    head = tuple(map(str.lower, words[begin:end]))
    if len(modifiers) > _MAX_MODIFIERS or own & {*map(str.lower, modifiers), *head}:
        return None
    key = _occupations()[head]
    behind, stop = _field_behind(text, tokens[end - 1].end(), head[-1])
    if key in _AMBIGUOUS and not (modifiers or behind):
        return None
    shown = " ".join(map(_usual_case, (*modifiers, *head)))
    return Occupation(key, f"{shown}{behind}", stop)


def _match_length(words: Sequence[str], at: int) -> int:
    """The number of words of the longest occupation that begins there; 0 if none does."""
    lowered = tuple(map(str.lower, words[at : at + _LONGEST]))
    return next((n for n in range(len(lowered), 0, -1) if lowered[:n] in _occupations()), 0)


def _ends_phrase(following: str, last: str) -> bool:
    """Whether a noun is the last of its phrase, by the word behind it: not in *student union*."""
    if not following or not following[0].isalpha():
        return following not in {"'", "-", "&"}
    if following.lower() in stop_words() or following.endswith(("ing", "ed")):
        return True
    return last.islower() and following[0].isupper()


def _field_behind(text: str, end: int, head: str) -> tuple[str, int]:
    """The field or the office behind an occupation, with a blank before it, and where it ends."""
    found = _FIELD.match(text, end)
    if not found or is_organisation(found["named"]):
        return "", end
    named = found["named"]
    if head in _WITH_FIELD:
        words = named.split()
        least = [at for at, word in enumerate(words) if word in stop_words() and word != "and"]
        words = words[: least[0]] if least else words
        if words and words[-1] != "and":
            shown = " ".join(map(_usual_case, words))
            return f" {found['of']} {shown}", found.start("named") + len(shown)
    elif head in _WITH_OFFICE and named[0].isupper():
        named = named.partition(" and ")[0]
        return f" {found['of']} {found['the'] or ''}{named}", found.start("named") + len(named)
    return "", end


def _usual_case(word: str) -> str:
    """In lower case, but for abbreviations, places, peoples and parties."""
    place = word.title()
    known = place in gazetteer_names("cities", "countries", "states")
    return _SPELLINGS.get(word.lower(), place if known else word.lower())


def occupation_before(text: str, own: AbstractSet[str]) -> Occupation | None:
    """The occupation that a text ends with, before the name: *the poet*, *Professor*.

    Of the words before it only nationalities and the like are kept: others may be verbs.
    """
    plain = _ABBREVIATION_POINT.sub(r"\1", text.rstrip(" \"“'"))
    words = _TOKEN.findall(plain)
    while words and (words[-1] == "." or (len(words[-1]) == 1 and words[-1].isalpha())):  # D. Hardy
        words.pop()
    while words and words[-1].lower() in _HONORIFICS:
        words.pop()
    if not words:
        return None
    if words[-1].istitle() and (title := _ABBREVIATIONS.get(words[-1].lower())):
        return Occupation(title, title)
    lengths = range(min(_LONGEST, len(words)), 0, -1)
    heads = (tuple(map(str.lower, words[-length:])) for length in lengths)
    head = next((each for each in heads if each in _occupations()), ())
    if not head or own & {*head} or _occupations()[head] in _AMBIGUOUS:
        return None
    rest = words[: -len(head)]
    modifiers = [rest[-1]] if rest and rest[-1] in _KEEP_CASE else []
    return Occupation(_occupations()[head], " ".join(map(_usual_case, (*modifiers, *head))))
