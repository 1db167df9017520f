"""The line that tells a person: *Ann J. Lee (born 1921) – marine biologist, University of York*.

It is composed of what the person's pages state right beside the name, as far as enough of the pages
state it: rather too little than anything wrong. Only what stands in a few fixed patterns next to a
mention with given and last name is read, as in *the poet Ann Lee*, *Ann Lee (1853-1925)*, *Ann Lee
is a professor of law at …*. All else on a page may be about others. The patterns are English; pages
in other languages are read by :mod:`weps.language.person_words`, which gives the English words.

Organisations and places are told by their heads, by gazetteers, or by a recogniser. An occupation
is one of our lists, with the words before it that specify it (*jazz* pianist) and a field or an
office behind it (professor *of law*, bishop *of Durham*). Words of praise are dropped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import chain, islice, takewhile
from math import ceil
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from weps._files import gazetteer_names, word_list
from weps._text import split_words
from weps.features.bags import membership_matrix, stop_words, sums_of_sets
from weps.features.entities import entity_form, fine_kind
from weps.features.name import NameForm, mentions_of, name_forms
from weps.key_terms.labels import word_forms
from weps.language.analysis import Analysis, cached_for_name, page_text, person_words_of_pages
from weps.name.mentions import Mention
from weps.people.context import ContextEntities

if TYPE_CHECKING:
    from weps.language.person_words import PersonWords

_CAPITAL = r"(?:(?:St|Ste|Ft|Mt)\.[^\S\n]?)?[^\W\d_a-zß-öø-ÿ][\w'&]*(?:[.-]\w+)*"
_SMALL = r"(?:of|for|de|du|des|and|&|at|in)[^\S\n](?:the[^\S\n])?"
_CAPITALISED_RUN = rf"{_CAPITAL}(?:[^\S\n](?:{_SMALL})?{_CAPITAL}){{0,7}}"
"""Pattern of words with capitals, and small words between them."""
_RUN = re.compile(rf"(?<!\S)(?:the[^\S\n])?(?P<run>{_CAPITALISED_RUN})")
_DIRECT = re.compile(
    r"(?:,[^\S\n]|[^\S\n][-–—][^\S\n]|[^\S\n](?:of|at|from)[^\S\n])(?:the[^\S\n])?"
    rf"(?P<run>{_CAPITALISED_RUN})"
)
_SENTENCE_ENDS = re.compile(r"(?<=\w{3})[.;!?](?:\s|$)")
_FAR = 120
"""Characters behind an occupation within which the organisation stands."""
_MIN_LETTERS, _MAX_CAPITALS = 3, 3
"""Letters; of names in capitals longer words are spelled as others."""
_KINDS = frozenset(
    "school university museum library hospital theatre laboratory newspaper company bank"
    " association party government court military team band".split()
)
"""Fine-grained kinds in which people work; departments say less than what they are part of."""
_PART = re.compile(
    r"(?:School|College|Institute|Cent(?:re|er)|Division|Faculty)\sof\b|(?:High|Law|Medical|Business|Graduate|Elementary|Middle)\sSchool$"
)
"""Names that parts of many organisations bear."""
_PLACE = re.compile(
    rf"(?:,[^\S\n](?:\d\d,[^\S\n])?(?:of[^\S\n])?|[^\S\n](?:of|from)[^\S\n])"
    rf"(?P<place>{_CAPITAL}(?:[^\S\n]{_CAPITAL}){{0,2}})(?:,[^\S\n](?P<region>{_CAPITAL}(?:[^\S\n]{_CAPITAL})?))?"
    r"(?![^\S\n]?:|[^\S\n]?[12]\d\d\d)"  # where a book was published
)
_HOME = re.compile(
    rf"(?:lives|lived|resides|resided|based)[^\S\n]in[^\S\n](?P<place>{_CAPITAL}(?:[^\S\n]{_CAPITAL}){{0,2}})"
    rf"(?:,[^\S\n](?P<region>{_CAPITAL}(?:[^\S\n]{_CAPITAL})?))?"
)


def _is_organisation(text: str, recognised: AbstractSet[str] = frozenset()) -> bool:
    """Whether words with capitals name an organisation, by their head or as recognised.

    Args:
        text: as written.
        recognised: the forms of organisations on the page.
    """
    kind = fine_kind(text, "")
    return (" " in text and kind in _KINDS) or (
        kind not in {"city", "state", "country", "department"}
        and entity_form(text, "organisation") in recognised
    )


def _organisation(run: str, own: AbstractSet[str], recognised: AbstractSet[str]) -> str:
    """The organisation that a run names, without boilerplate behind it; empty if it names none.

    Args:
        run: words with capitals.
        own: the words of the name, in lower case.
        recognised: see :func:`_is_organisation`.
    """
    first, joined, second = run.partition(" and ")
    if joined and _is_organisation(first, recognised) and _is_organisation(second, recognised):
        run = first
    words = run.removesuffix("'s").removesuffix("'").split()
    boilerplate = word_list("stopwords/web.txt", "stopwords/labels.txt")
    while words and fine_kind(words[-1], "") == "" and words[-1].lower() in boilerplate:
        words.pop()
    forms = {word.lower() for word in words}
    is_layout = boilerplate & forms and all(
        word.lower() in boilerplate or fine_kind(word, "") for word in words
    )  # Photo Gallery
    other = {*own, "ii", "iii", "iv", "encyclopedia", "encyclopaedia"}
    if is_layout or len(words) > 7 or forms & other:
        return ""
    text = " ".join(words).rstrip(".,'&-")
    if text.isupper() and len(shown := text.split()) > 1:
        text = " ".join(w.capitalize() if len(w) > _MAX_CAPITALS else w for w in shown)
    known = len(text) >= _MIN_LETTERS and not _PART.match(text)
    return text if known and _is_organisation(text, recognised) else ""


def _place_beside(text: str, own: AbstractSet[str]) -> str:
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
_SPELLINGS = {
    each.lower(): each
    for each in (
        "African American Argentine Asian Australian Austrian Belgian Brazilian British Bulgarian"
        " Canadian Catholic Chilean Chinese Christian Conservative Croatian Cuban Czech Danish"
        " Democrat Democratic Dutch Egyptian English European Filipino Finnish French German Greek"
        " Hungarian Indian Indonesian Iranian Iraqi Irish Israeli Italian Jamaican Japanese Jewish"
        " Korean Labour Latin Lebanese Liberal Mexican Muslim Nigerian Norwegian Pakistani Polish"
        " Portuguese Republican Romanian Russian Scottish Serbian Spanish Swedish Swiss Thai Tory"
        " Turkish Ukrainian Vietnamese Welsh US U.S UK EU CEO CFO CIO COO CTO MP PhD DJ TV IT GP"
    ).split()
}
"""Adjectives and titles in lower case → as written, for they keep their case."""
_TOKEN = re.compile(r"[^\W\d_][\w'&]*(?:-[\w']+)*|[^\w\s]|\d+\w*")
_FIELD = re.compile(
    rf"[^\S\n](?P<of>of|in)[^\S\n](?P<the>the[^\S\n])?"
    rf"(?P<named>{_CAPITALISED_RUN}|[a-z][\w-]+(?:[^\S\n](?:and[^\S\n])?[a-z][\w-]+){{0,2}})"
)


Kind: TypeAlias = Literal["name", "occupation", "affiliation", "place", "born", "died"]
"""Kinds of statements: ``name`` is a form of the name with more names or initials than were
searched for, ``born`` and ``died`` are years."""


class Statement(NamedTuple):
    """One thing that a page states."""

    kind: Kind
    key: str
    """Key that different texts for the same thing have in common."""
    text: str
    """As it is to be shown."""


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


def _translated(occupation: str) -> Statement:
    """The statement of an occupation by the English word for it."""
    key = _occupations().get(tuple(occupation.split()), occupation)
    return Statement("occupation", key, occupation)


def _occupation_at(
    text: str, own: AbstractSet[str], *, heading: bool
) -> tuple[Statement, int] | None:
    """The occupation that a text begins with, and where it ends; None if it begins otherwise.

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
        word = words[begin] if begin < min(len(words), _MAX_SKIPPED) else ""
        if not word[:1].isalpha() or (
            word.lower() in stop_words() and word not in _PRAISE and word != "and"
        ):
            return None
        begin += 1
    while more := _match_length(words, begin + length):
        begin, length = begin + length, more
    end = begin + length
    before = words[:begin]
    if "and" in before:
        before = before[len(before) - before[::-1].index("and") :]
    modifiers = [
        word
        for word in before
        if word.lower() not in _PRAISE and not _ADVERB_OR_PARTICIPLE.fullmatch(word.lower())
    ]
    head = tuple(map(str.lower, words[begin:end]))
    if (
        not _ends_phrase(words[end] if end < len(words) else "", words[end - 1])
        or (heading and not all(word[0].isupper() for word in before))
        or len(modifiers) > _MAX_MODIFIERS
        or own & {*map(str.lower, modifiers), *head}
    ):
        return None
    key = _occupations()[head]
    behind, stop = _field_behind(text, tokens[end - 1].end(), head[-1])
    if key in _AMBIGUOUS and not (modifiers or behind):
        return None
    shown = " ".join(map(_usual_case, (*modifiers, *head)))
    return Statement("occupation", key, f"{shown}{behind}"), stop


def _match_length(words: Sequence[str], at: int) -> int:
    """The number of words of the longest occupation that begins there; 0 if none does."""
    lowered = tuple(map(str.lower, words[at : at + _LONGEST]))
    return next((n for n in range(len(lowered), 0, -1) if lowered[:n] in _occupations()), 0)


def _ends_phrase(following: str, last: str) -> bool:
    """Whether a noun is the last of its phrase, by the word behind it: not in *student union*."""
    if not following[:1].isalpha():
        return following not in {"'", "-", "&"}
    is_no_noun = following.lower() in stop_words() or following.endswith(("ing", "ed"))
    return is_no_noun or (last.islower() and following[0].isupper())


def _field_behind(text: str, end: int, head: str) -> tuple[str, int]:
    """The field or the office behind an occupation, with a blank before it, and where it ends."""
    found = _FIELD.match(text, end)
    if not found or _is_organisation(found["named"]):
        return "", end
    named, shown, article = found["named"], "", ""
    if head in _WITH_FIELD:
        words = list(
            takewhile(lambda word: word == "and" or word not in stop_words(), named.split())
        )
        if words[-1:] != ["and"]:
            shown = " ".join(map(_usual_case, words))
    elif head in _WITH_OFFICE and named[0].isupper():
        shown, article = named.partition(" and ")[0], found["the"] or ""
    if not shown:
        return "", end
    return f" {found['of']} {article}{shown}", found.start("named") + len(shown)


def _usual_case(word: str) -> str:
    """In lower case, but for abbreviations, places, peoples and parties."""
    is_place = word.title() in gazetteer_names("cities", "countries", "states")
    return _SPELLINGS.get(word.lower(), word.title() if is_place else word.lower())


def _occupation_before(
    text: str, own: AbstractSet[str], words_of_language: PersonWords | None
) -> Statement | None:
    """The occupation that a text ends with, before the name: *the poet*, *Professor*.

    Of the words before it only nationalities and the like are kept: others may be verbs.
    """
    if words_of_language:
        occupation = words_of_language.occupation_before(text, own)
        return _translated(occupation) if occupation else None
    words = _TOKEN.findall(re.sub(r"\b([A-Z][a-z]{1,4})\.", r"\1", text.rstrip(" \"“'")))
    while words and (words[-1] == "." or (len(words[-1]) == 1 and words[-1].isalpha())):  # D. Hardy
        words.pop()
    while words and words[-1].lower() in _HONORIFICS:
        words.pop()
    if words and words[-1].istitle() and (title := _ABBREVIATIONS.get(words[-1].lower())):
        return Statement("occupation", title, title)
    lowered = tuple(map(str.lower, words[-_LONGEST:]))
    heads = (lowered[at:] for at in range(len(lowered)))
    head = next((each for each in heads if each in _occupations()), ())
    if not head or own & {*head} or _occupations()[head] in _AMBIGUOUS:
        return None
    modifiers = [word for word in words[: -len(head)][-1:] if _SPELLINGS.get(word.lower()) == word]
    shown = " ".join(map(_usual_case, (*modifiers, *head)))
    return Statement("occupation", _occupations()[head], shown)


_MAX_MENTIONS = 40
"""Mentions of a page that are read, the first ones."""
_BEFORE_LENGTH, _AFTER_LENGTH = 60, 200
"""Characters before and after a mention that are read."""


@cached_for_name
def page_statements(
    analysis: Analysis, context: ContextEntities
) -> tuple[tuple[Statement, ...], ...]:
    """For each document what it states about the person, each statement once.

    Years are left out where they contradict each other, as they do in genealogies.

    Args:
        analysis: the name and its pages.
        context: the entities near the name, which tell organisations that no word tells.
    """
    own = analysis.name_words
    forms = [
        entity_form(text, kind) if kind == "organisation" else ""
        for text, kind in zip(context.texts, context.kinds, strict=True)
    ]
    statements = []
    for document, mentions, form, columns, words in zip(
        analysis.documents,
        mentions_of(analysis, hyphenated=True),
        name_forms(analysis),
        context.present.tolil().rows,
        person_words_of_pages(analysis),
        strict=True,
    ):
        stated: dict[Statement, None] = {}
        read = mentions[:_MAX_MENTIONS]
        if form:
            found = Counter(m[1].strip() for each in read if (m := _INITIALS.search(each.before)))
            initials = (each for each, times in found.items() if 2 * times > len(read))
            written = " ".join([*initials, form.written(analysis.name)])
            stated[Statement("name", written.lower(), written)] = None
        text, given = page_text(document) if mentions else "", form.before if form else ()
        recognised = frozenset(forms[column] for column in columns) - {""}
        for mention in read:
            stated |= dict.fromkeys(
                _statements_around(text, mention, given, own, recognised, words)
            )
        years = [kind for kind, _ in {each[:2] for each in stated if each.kind in _YEARS}]
        if len(years) > len(set(years)):
            stated = dict.fromkeys(each for each in stated if each.kind not in _YEARS)
        statements.append(tuple(stated))
    return tuple(statements)


_INITIALS = re.compile(r"(?<![\w.])((?:[A-Z]\.[^\S\n]?){1,2})$")
"""Initials that stand before a mention: *D. Elmo Hardy*."""
_DEGREES = re.compile(
    r"(?:,?[^\S\n](?:Jr|Sr|II|III|IV|Ph\.?[^\S\n]?D|D\.?Phil|M\.?D|M\.?A|MBA|J\.?D|Esq|MP|QC|CPA|FRS"
    r"|OBE|CBE)\b\.?){0,3}"
)
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


def _occupation_behind(
    text: str, own: AbstractSet[str], words: PersonWords | None, *, heading: bool
) -> tuple[Statement, int] | None:
    """The occupation behind a name, and where it ends in the text; None if there is none.

    Args:
        text: what stands behind the name, or all of what follows it in brackets or on a line.
        own: the words of the name, in lower case.
        words: of the language of the page, unless it is English.
        heading: whether it is the latter, which is no part of a sentence.
    """
    if words:
        found = words.occupation_behind(text, own, heading=heading)
        return (_translated(found[0]), found[1]) if found else None
    lead = None if heading else _LEAD.match(text)
    if not heading and not (lead and (lead["apart"] or lead["verb"])):
        return None
    begin = lead.end() if lead else 0
    occupation = _occupation_at(text[begin:], own, heading=heading)
    return (occupation[0], begin + occupation[1]) if occupation else None


def _statements_around(  # noqa: PLR0913, PLR0917 - what is known of a mention
    text: str,
    mention: Mention,
    given: Iterable[str],
    own: AbstractSet[str],
    recognised: AbstractSet[str],
    words: PersonWords | None,
) -> Iterator[Statement]:
    """Statements of a page around a mention.

    Args:
        text: of the page.
        mention: of the name.
        given: further given names that may stand before it.
        own: the words of the name, in lower case.
        recognised: the forms of organisations near the name.
        words: of the language of the page, unless it is English.
    """
    before = text[max(0, mention.start - _BEFORE_LENGTH) : mention.start].rpartition("\n")[2]
    for name in given:
        if before.rstrip().lower().endswith(name):
            before = before.rstrip()[: -len(name)]
    if _RELATIVE.search(before) or (words and words.relative.search(before)):
        return
    after, _, below = text[mention.end : mention.end + _AFTER_LENGTH].partition("\n")
    after = _DEGREES.sub("", after, count=1)
    bracketed = _BRACKETS.match(after)
    brackets = bracketed[1] if bracketed else ""
    after = after[bracketed.end() :] if bracketed else after
    heading = "" if after.strip(" ,:") or before.strip() else below.partition("\n")[0]
    # What follows *the assistant of Ann Lee* may be about the assistant.
    after = "" if words and words.possessor.search(before) else after
    behind = f"{bracketed[0] if bracketed else ''}{after}"
    years = words.years(before, behind) if words else ("", "")
    if any(years):
        yield from (Statement(kind, y, y) for kind, y in zip(_YEARS, years, strict=True) if y)
    else:
        yield from _life(brackets, after)
    runs: Iterable[re.Match[str]]
    for stretch, is_heading in ((after, False), (heading, True), (brackets, True)):
        if occupation := _occupation_behind(stretch, own, words, heading=is_heading):
            yield occupation[0]
            sentence = _SENTENCE_ENDS.split(stretch[occupation[1] :][:_FAR], maxsplit=1)[0]
            runs = islice(_RUN.finditer(sentence), 4)
            break
    else:
        runs = filter(None, (_DIRECT.match(after), _RUN.match(brackets), _RUN.match(heading)))
    named = filter(None, (_organisation(found["run"], own, recognised) for found in runs))
    if organisation := next(named, ""):
        yield Statement("affiliation", entity_form(organisation, "organisation"), organisation)
    if title := _occupation_before(before, own, words):
        yield title
    place = _place_beside(after, own)
    if place and not _occupation_at(place, own, heading=False):
        yield Statement("place", place.partition(",")[0].lower(), place)


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
_YEARS: dict[Kind, re.Pattern[str]] = {
    "born": re.compile(
        rf"[\s,(]{{0,3}}(?:(?:who\s)?was\s)?(?:born|b\.)\s{_WHERE}(?:in\s|on\s)?{_DATE}\b"
    ),
    "died": re.compile(rf"[\s,(]{{0,3}}(?:who\s)?(?:died|d\.)\s{_WHERE}(?:in\s|on\s)?{_DATE}\b"),
}
_MIN_LIFE, _MAX_LIFE = 20, 105
"""Years from birth to death; fewer are a term of office."""


def _life(*stretches: str) -> Iterator[Statement]:
    """The years of birth and death in brackets behind the name or in its sentence."""
    for text in stretches:
        if years := _BORN_AND_DIED.match(text):
            if _MIN_LIFE <= int(years[2]) - int(years[1]) <= _MAX_LIFE:
                yield Statement("born", years[1], years[1])
                yield Statement("died", years[2], years[2])
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


def written_line(facts: Mapping[Kind, str], searched: str, terms: Iterable[str]) -> str:
    """The line of a person, with the first of some key terms that it does not have yet.

    Empty if nothing is known but terms.

    Args:
        facts: as of :func:`person_lines`.
        searched: the name searched for.
        terms: the key terms, best first.
    """
    born, died = (facts[kind] for kind in _YEARS)
    years = f"{born}–{died}"
    if not (born and died):
        years = f"born {born}" if born else died and f"died {died}"
    stated = ", ".join(filter(None, (facts["occupation"], facts["affiliation"], facts["place"])))
    if not (stated or facts["name"] or years):
        return ""
    name = facts["name"] or (searched.title() if searched.isupper() else searched)
    line = " – ".join(filter(None, (f"{name} ({years})" if years else name, stated)))
    known = word_forms(line)
    further = [term for term in terms if known.isdisjoint(word_forms(term))]
    best = ", ".join(further[: _TERMS_BEHIND if stated else _TERMS_ALONE])
    return ("; " if stated else " – ").join(filter(None, (line, best)))


Stated: TypeAlias = Mapping[str, Mapping[str, int]]
"""Key of a thing that a person's pages state → its texts → number of these pages; with the empty
text all that state the thing."""


def person_lines(
    groups: Sequence[Sequence[int]], analysis: Analysis, context: ContextEntities
) -> list[dict[Kind, str]]:
    """For each group of pages the facts that they state of the person, empty where they state none.

    Args:
        groups: for each person the rows of their pages.
        analysis: the name and its pages, of any form.
        context: the entities near the name.
    """
    pages = [
        dict.fromkeys((*page, *(each._replace(text="") for each in page)))
        for page in page_statements(analysis, context)
    ]
    everywhere = Counter(chain.from_iterable(pages))
    statements, place = list(everywhere), {each: at for at, each in enumerate(everywhere)}
    present = membership_matrix([[place[each] for each in page] for page in pages], len(place))
    counts = sums_of_sets(groups, present).tolil()
    searched = NameForm().written(analysis.name).lower()
    lines, stated_forms = [], []
    for rows, columns, numbers in zip(groups, counts.rows, counts.data, strict=True):
        stated: dict[Kind, dict[str, dict[str, int]]] = {kind: {} for kind in get_args(Kind)}
        for column, number in zip(columns, numbers, strict=True):
            kind, key, text = statements[column]
            stated[kind].setdefault(key, {})[text] = number
        lines.append(_choose(stated, everywhere, len(rows), searched))
        stated_forms.append(stated["affiliation"].keys())
    near = _organisations_near(groups, analysis, context, stated_forms)
    return [
        {**facts, "affiliation": facts["affiliation"] or organisation}
        for facts, organisation in zip(lines, near, strict=True)
    ]


def _organisations_near(
    groups: Sequence[Sequence[int]],
    analysis: Analysis,
    context: ContextEntities,
    stated: Sequence[AbstractSet[str]],
) -> Iterator[str]:
    """For each group the organisation near the name on most of its pages, if on enough; else empty.

    Args:
        groups: for each person the rows of their pages.
        analysis: the name and its pages; what is named after the person does not count.
        context: the entities near the name.
        stated: for each group the forms of organisations that pages state beside the name.
    """
    chosen = [
        at
        for at, (text, kind) in enumerate(zip(context.texts, context.kinds, strict=True))
        if kind == "organisation" and analysis.name_words.isdisjoint(split_words(text))
    ]
    texts, present = [context.texts[at] for at in chosen], context.present[:, chosen]
    everywhere = np.bincount(present.indices, minlength=len(texts)).tolist()
    headed = [
        " " in text and fine_kind(text, "") in _KINDS and not _PART.match(text) for text in texts
    ]
    counts = sums_of_sets(groups, present).tolil()
    for rows, forms, columns, numbers in zip(groups, stated, counts.rows, counts.data, strict=True):
        fit = [(0.0, "")]
        for at, pages in zip(columns, numbers, strict=True):
            least = max(_MIN_NEAR, (_HEADED_SHARE if headed[at] else _BARE_SHARE) * len(rows))
            if headed[at] and entity_form(texts[at], "organisation") in forms:
                least = _MIN_STATED
            if pages >= max(least, _MIN_STATED, _MIN_DISTINCT * everywhere[at]):
                fit.append((pages * pages / everywhere[at], texts[at]))
        yield max(fit)[1]


def _choose(
    stated: Mapping[Kind, Stated], everywhere: Mapping[Statement, int], pages: int, searched: str
) -> dict[Kind, str]:
    """The facts that enough of a person's pages state.

    Args:
        stated: by the person's pages.
        everywhere: the number of all pages with each statement.
        pages: of the person.
        searched: the name that was searched for, in lower case.
    """
    enough = max(2, ceil(_MIN_SHARE * pages))
    least = 1 if pages <= _FEW_PAGES else enough

    def ranked(kind: Kind, least: int) -> list[tuple[float, str, int]]:
        """Weight, text and pages of the things that so many pages state, best first.

        The weight is the number of the pages times their share of all pages that state it.
        """
        return sorted(
            (
                (
                    texts[""] * texts[""] / everywhere[Statement(kind, key, "")],
                    _specific_text(texts, least),
                    texts[""],
                )
                for key, texts in stated[kind].items()
                if texts[""] >= least
            ),
            key=lambda thing: (-thing[0], thing[1]),
        )

    occupations = ranked("occupation", 1 if pages <= _FEW_PAGES_OF_OCCUPATION else enough)
    special = [(weight, text) for weight, text, _ in occupations if text not in _GENERIC]
    told = [text for weight, text in special[:2] if weight >= _SECOND_SHARE * special[0][0]]
    generic = [text for _, text, number in occupations[:1] if number >= _MIN_GENERIC]
    born, died = (_year(stated[kind], least) for kind in _YEARS)
    if born and died and int(born) >= int(died):
        born = died = ""
    return {
        "name": _fullest_name(stated["name"], least, searched),
        "born": born,
        "died": died,
        "occupation": " and ".join(told or generic),
        "affiliation": next(
            (text for _, text, n in ranked("affiliation", least) if " " in text or n > 1), ""
        ),
        "place": next((text for _, text, _ in ranked("place", least)), ""),
    }


def _fullest_name(forms: Stated, least: int, searched: str) -> str:
    """The most frequent form that is not the one searched for, if so many pages have it.

    Forms of the same initials are one; none is chosen if another is half as frequent.
    """
    initials = {form: "".join(word[0] for word in form.split()) for form in (*forms, searched)}
    pages: Counter[str] = Counter()
    for form, texts in forms.items():
        pages[initials[form]] += texts[""]
    total = pages.total()
    del pages[initials[searched]]
    (usual, most), (_, second) = (*pages.most_common(2), ("", 0), ("", 0))[:2]
    if not most or most < max(least, _MIN_NAME_SHARE * total) or most <= 2 * second:
        return ""
    best = max(
        (form for form in forms if initials[form] == usual),
        key=lambda form: (forms[form][""], form),
    )
    return max(forms[best])


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
    return max(
        (text for text, pages in shown.items() if pages >= enough),
        key=lambda text: (text.count(" "), shown[text], text),
    )


def _year(stated: Stated, least: int) -> str:
    """The year that nearly all pages agree on which state any."""
    pages = {year: texts[""] for year, texts in stated.items()}
    best = max(pages, key=lambda year: (pages[year], year), default="")
    return best if pages.get(best, 0) >= max(least, _MIN_YEAR_SHARE * sum(pages.values())) else ""
