"""Values of statements about people, as texts have them: occupations, organisations, places, dates.

Organisations and places are told by their heads, by gazetteers, or by a recogniser. An occupation
is one of our lists, with the words before it that specify it (*jazz* pianist) and a field or an
office behind it (professor *of law*, bishop *of Durham*). Words of praise are dropped. All is
English; pages in other languages are read by :mod:`weps.language.person_words`.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import dropwhile, islice, takewhile
from typing import NamedTuple

from weps._files import gazetteer_names, resource_text, word_list
from weps.features.bags import stop_words
from weps.features.entities import entity_form, fine_kind
from weps.name.person_name import PersonName, is_usual_given_name
from weps.name.spelling import plain_letters

CAPITAL = (
    r"(?:(?:Univ|Dept|Inst|U\.S)\."
    r"|(?:(?:St|Ste|Ft|Mt)\.[^\S\n]?)?[^\W\d_a-zß-öø-ÿ][\w'&]*(?:[.-]\w+)*)"
)
"""Pattern of a word with a capital."""
_SMALL = r"(?:of|for|de|du|des|and|&|at|in)[^\S\n](?:the[^\S\n])?"
_HEAD = r"(?:army|assembly|congress|legislature|militia|navy|party|project|senate)\b"
CAPITALISED_RUN = rf"{CAPITAL}(?:[^\S\n](?:{_SMALL})?{CAPITAL}){{0,7}}(?:[^\S\n]{_HEAD})?"
"""Pattern of words with capitals, small words between them, and a small head."""
PLACE = (
    rf"{CAPITAL}(?:[^\S\n]{CAPITAL}){{0,2}}"
    rf"(?:,[^\S\n](?:[A-Z]\.[A-Z]\.|{CAPITAL}(?:[^\S\n]{CAPITAL}){{0,2}})){{0,2}}"
)
"""Pattern of what may be a place, with its state or country."""
_MIN_LETTERS, _MAX_CAPITALS = 3, 3
"""Letters; of names in capitals longer words are spelled as others."""
KINDS_OF_EMPLOYERS = frozenset(
    "school university museum library hospital theatre laboratory newspaper company bank"
    " association party government court military team band".split()
)
"""Fine-grained kinds in which people work."""
_PART = re.compile(
    r"(?:School|College|Institute|Cent(?:re|er)|Division|Faculty|Dep(?:artmen)?t\.?)\sof\b|(?:High|Law|Medical|Business|Graduate|Elementary|Middle)\sSchool$"
    r"|State\s(?i:assembly|legislature|senate)$"
)
"""Names that parts of many organisations bear."""


_BODIES = re.compile(
    r"(?:.* )?(?:Air Force|Army|Coast Guard|Continental Congress|(?:Foreign|Home) Office|Marines"
    r"|House of (?:Commons|Lords|Representatives|Delegates)|Marine Corps|Navy|Senate"
    r"|\S+ (?:All[ -]Stars|Board|Congress|Initiative|Legislature|Militia|Panel|[Pp]roject)"
    r"|(?:Advisory|Editorial|School) Board (?:of|to) .*)"
)
"""Bodies that no word or one word names."""
_ANYWHERE = frozenset(("university", "school", "hospital"))
"""Kinds whose head need not be the last word: *University College London*."""
_UP_TO_PREPOSITION = re.compile(r"(?: (?:of|for|in|at|on|the|de|du|des|der) .*)?$")


def is_headed(text: str) -> bool:
    """Whether the head of a name is an organisation: *Music Library*, but no *Library Binding*."""
    kind, last = fine_kind(text, ""), _UP_TO_PREPOSITION.sub("", text).rpartition(" ")[2]
    return kind in KINDS_OF_EMPLOYERS and (
        kind in _ANYWHERE or fine_kind(last, "") in KINDS_OF_EMPLOYERS
    )


def is_organisation(text: str, recognised: AbstractSet[str] = frozenset()) -> bool:
    """Whether words with capitals name an organisation, by their head or as recognised.

    Args:
        text: as written.
        recognised: the forms of organisations on the page.
    """
    kind = fine_kind(text, "")
    return (
        (" " in text and is_headed(text))
        or bool(_BODIES.fullmatch(text))
        or (
            kind not in {"city", "state", "country", "department"}
            and text.partition(" ")[0] not in GROUNDS
            and entity_form(text, "organisation") in recognised
        )
    )


_NAME_LINE = re.compile(
    rf"(?P<given>{CAPITAL})[^\S\n](?:[A-Z]\.[^\S\n])?{CAPITAL}"
    rf"|{CAPITAL},[^\S\n](?P<listed>{CAPITAL})(?:[^\S\n][A-Z]\.?)?"
)


def is_name_line(line: str) -> bool:
    """Whether a line has somebody's name alone, *Ann M. Lee* or *Lee, Ann*."""
    name = _NAME_LINE.fullmatch(line)
    return name is not None and is_usual_given_name(name["given"] or name["listed"])


def is_part(text: str) -> bool:
    """Whether this is the name of a part that many organisations have, *School of Law*."""
    return _PART.match(text) is not None


def organisations_of(
    run: str, own: AbstractSet[str], recognised: AbstractSet[str], *, introduced: bool = False
) -> list[str]:
    """The organisations that a run names, without boilerplate behind them; none if it names none.

    *The Webster Institute at York University* names two unless the whole is known.

    Args:
        run: words with capitals.
        own: the words of the name, in lower case.
        recognised: see :func:`is_organisation`.
        introduced: whether *at* stands before, so that what is not known to be a place is one.
    """
    whole, _, place = run.rpartition(" in ")
    run = whole if place_of(place, own) else run
    first, joined, second = run.replace(" and the ", " and ").partition(" and ")
    if joined and not _SCIENCES.match(second) and is_organisation(first, recognised):
        if occupation_at(second, own) or second.partition(" ")[0].lower().rstrip(".") in _TITLES:
            run = first
        elif is_organisation(second, recognised):
            told = (_organisation(each, own, recognised) for each in (first, second))
            return [*filter(None, told)]
    owner, owns, _ = run.partition("'s ")
    if owns and is_organisation(owner, recognised):
        run = owner  # the University of York's Chair
    parts = JOINS.split(run)
    whole = _organisation(run, own, recognised, introduced=introduced)
    if whole and not (is_part(run) and len(parts) > 1):
        return [whole]
    named = (
        _organisation(part, own, recognised, introduced=introduced and not at)
        for at, part in enumerate(parts)
    )
    return [*filter(None, named)] if len(parts) > 1 else []


def is_acronym(run: str) -> bool:
    """Whether a word is likely to be short for an organisation: *UCLA*, but no *FRCS*."""
    return bool(_SHORT_FOR.fullmatch(run)) and not _LETTERS_BEHIND.fullmatch(run)


_SCIENCES = re.compile(
    r"(?:Engineering|Mechanical|Science|Technology|Technical) (?:College|Institute|University)\b"
)
"""Second half of the name of a university: *Health and Science*."""
_SHORT_FOR = re.compile(r"[A-Z][A-Z&]{3,5}")
_LETTERS_BEHIND = re.compile(r"[FM]R?[A-Z]?[CSI][A-Z]{1,3}|FA[A-Z]{2,3}|MBBS|USNR|[A-Z]*CEO")
JOINS = re.compile(r"\s(?:at|in)\s(?:the\s)?")
"""Text between an organisation and what it is part of."""
_ACRONYM = re.compile(r"[A-Z][A-Z&]{2,}")
_NO_EMPLOYERS = frozenset("law large home last least first sea risk bay".split())
"""Words behind *at* that name nobody: *attorney at law*."""


def without_shouting(name: str) -> str:
    """A name in usual case if all of it, several words, is in capitals."""
    words = name.split()
    if len(words) < 2 or not name.isupper():
        return name
    return " ".join(word.capitalize() if len(word) > _MAX_CAPITALS else word for word in words)


def _organisation(
    run: str, own: AbstractSet[str], recognised: AbstractSet[str], *, introduced: bool = False
) -> str:
    """The organisation that a whole run names; empty if it names none."""
    words = run.removesuffix("'s").removesuffix("'").split()
    boilerplate = word_list("stopwords/web.txt", "stopwords/labels.txt")
    while words and fine_kind(words[-1], "") == "" and words[-1].lower() in boilerplate:
        words.pop()
    if words == ["GOP"]:
        return "Republican Party"
    if words and words[-1].lower() in _MONTHS:  # the Labour Party in May
        words = words[:-2]
    forms = {word.lower() for word in words}
    is_layout = words[-2:] == ["Digital", "Libraries"] or (
        boilerplate & forms
        and all(
            word.lower() in boilerplate
            or fine_kind(word, "") not in {"", "city", "state", "country"}
            for word in words
        )
    )  # Photo Gallery
    other = {*own, "ii", "iii", "iv", "encyclopedia", "encyclopaedia"}
    if is_layout or len(words) > 7 or forms & other:
        return ""
    text = " ".join(words).rstrip(".,'&-")
    text = without_shouting(text)
    spelled = text.replace("Univ.", "University").replace("Dept.", "Department")
    spelled = spelled.replace("Inst.", "Institute")
    known = len(text) >= _MIN_LETTERS and not (is_part(text) and " of " not in text)
    _, hyphen, last = text.lower().rpartition("-")
    known &= not (hyphen and (last,) in listed_occupations())  # Program Co-Director
    told = (
        is_organisation(spelled, recognised)
        or (fine_kind(spelled, "") == "department" and len(words) > 2)
        or (
            introduced
            and (_ACRONYM.fullmatch(text) or text.istitle() or " " in text)
            and not (
                place_of(text, own)
                or is_usual_given_name(words[0])
                or text.lower() in _NO_EMPLOYERS
                or occupation_at(text, own)
            )
        )
    )
    return text if known and told else ""


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
GROUNDS = frozenset("Camp Fort Lake Mount Port Saint St".split())
"""Words before a whole name that make it that of a place."""
HONORIFICS = frozenset("dr mr mrs ms miss sir rev hon dame fr".split())
"""Words before names that say no occupation."""
_TITLES = HONORIFICS | _ABBREVIATIONS.keys()
_AMBIGUOUS = frozenset(
    "assistant associate bass player candidate chair collector coordinator defender delegate deputy"
    " expert fellow guard keeper major model moderator operator partner pioneer premier publisher"
    " receiver representative specialist striker student supervisor volunteer".split()
)
"""Occupations that are first of all other words, unless something specifies them."""
_AMATEURS = frozenset("amateur avid devoted favorite favourite keen".split())
"""Words before what somebody does besides, or is to somebody."""
_FIGURATIVE = frozenset("advocate architect champion critic pioneer spokesman".split())
"""Last words of what is none behind which *of* and *for* name a cause."""
_WITH_FIELD = frozenset(
    "professor lecturer reader fellow chair student researcher teacher doctor instructor expert"
    " specialist scholar historian".split()
)
"""Last words of occupations behind which *of* and *in* name a field."""
_WITH_OFFICE = frozenset(
    "bishop archbishop mayor governor senator rector vicar sheriff consul ambassador judge"
    " president minister dean headmaster leader commissioner secretary state earl treasurer"
    " mp".split()
)
"""Last words of occupations behind which *of* names a place or a body, and *for* what for."""
_LONGEST_ABBREVIATION = 5
_PRAISE = frozenset(
    "well-known known famous famed noted renowned world-renowned acclaimed award-winning leading"
    " great young old popular good best top big real true new last only prominent distinguished"
    " talented gifted local legendary respected experienced professional prolific full-time"
    " part-time freelance original previous long-time longtime fellow such dedicated bestselling"
    " best-selling brilliant influential key main creative self-taught lifelong fine"
    " accomplished virtuoso esteemed sitting outgoing incoming former current late retired first"
    " second third amazing skilled masterful colorful fledgling dead-on unsuccessful".split()
)
_ADVERB_OR_PARTICIPLE = re.compile(
    r"(?!united)\w{3,}(?:ly|ed)|[\w-]*\d(?:st|nd|rd|th)|\w+-\w+(?:th|st|ed)"
)
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
        " States Turkish Ukrainian United Vietnamese Welsh US U.S UK EU CEO CFO CIO COO CTO MP PhD"
        " DJ TV IT GP QC"
    ).split()
}
"""Adjectives and titles in lower case → as written, for they keep their case."""
_TOKEN = re.compile(r"[^\W\d_][\w'&]*(?:-[\w']+)*|[^\w\s]|\d+\w*")
_FIELD = re.compile(
    rf"[^\S\n](?P<of>of|in|for)[^\S\n](?P<the>the[^\S\n])?"
    rf"(?P<named>{CAPITALISED_RUN}|(?:modern|ancient|medieval|contemporary)[^\S\n][A-Z][a-z]+(?:[^\S\n][a-z]{{4,}})?"
    rf"|[a-z][\w-]+(?:[^\S\n](?:and[^\S\n])?[a-z][\w-]+){{0,2}})"
)


_ADJECTIVE_AND = re.compile(r"\w+(?:al|ic|ive) and ")
"""Beginning of a field of two adjectives: *dean of Financial and Administrative Services*."""


class Occupation(NamedTuple):
    """An occupation in a text."""

    key: str
    """Key that different words for the same occupation have in common."""
    text: str
    """The occupation with what specifies it, in lower case but for names."""
    end: int = 0
    """Place behind its last character in the text that it begins."""


@cache
def listed_occupations() -> dict[tuple[str, ...], str]:
    """The words of an occupation → its key; those of the second list have that of their end."""
    listed = gazetteer_names("occupations")
    found = dict(listed)
    for name, first in gazetteer_names("further_occupations").items():
        words = first.lower().split()
        ends = (" ".join(words[at:]) for at in range(len(words)))
        found.setdefault(name.lower(), next((listed[e] for e in ends if e in listed), words[-1]))
    # A co-director is a director, as a vice-president is a president.
    joint = {f"{each}-{name}": first for name, first in found.items() for each in ("co", "vice")}
    joint |= {name.replace("brigadier ", "brigadier-"): first for name, first in found.items()}
    return {tuple(name.split()): first for name, first in (joint | found).items()}


def occupation_at(text: str, own: AbstractSet[str], *, heading: bool = False) -> Occupation | None:
    """The occupation that a text begins with; None if it begins otherwise.

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
        if word.lower() not in _PRAISE
        and not _ADVERB_OR_PARTICIPLE.fullmatch(word.lower())
        and not word.endswith("'s")
    ]
    head = tuple(map(str.lower, words[begin:end]))
    if (
        not _ends_phrase(words[end] if end < len(words) else "", words[end - 1])
        or (heading and not all(word[0].isupper() for word in before))
        or len(modifiers) > _MAX_MODIFIERS
        or (words[end - 1][0].isupper() and any(map(_is_given, before)))  # Bronwyn Bishop
        or own & {*map(str.lower, modifiers), *head}
        or _AMATEURS & {*before}
        or any(word.endswith("s'") for word in before)  # Brutus' vet is somebody else
        or (head[-1] in _FIGURATIVE and re.match(r"\s(?:of|for)\s", text[tokens[end - 1].end() :]))
    ):
        return None
    key = listed_occupations()[head]
    behind, stop = _field_behind(text, tokens[end - 1].end(), head[-1])
    if " ".join(head) in _AMBIGUOUS and not (modifiers or behind):
        return None
    told = (*modifiers, *words[begin:end])
    shouting = " ".join(told).isupper()
    written = {*modifiers} if words[end - 1].islower() and not heading else ()  # a Tufts professor
    shown = " ".join(
        word if word in written else _usual_case(word, shouting=shouting) for word in told
    )
    return Occupation(key, f"{shown}{behind}", stop)


def _is_given(word: str) -> bool:
    """Whether a word with a capital is a usual given name and no adjective."""
    return word[0].isupper() and word.lower() not in _SPELLINGS and is_usual_given_name(word)


def _match_length(words: Sequence[str], at: int) -> int:
    """The number of words of the longest occupation that begins there; 0 if none does."""
    lowered = tuple(map(str.lower, words[at : at + _LONGEST]))
    return next((n for n in range(len(lowered), 0, -1) if lowered[:n] in listed_occupations()), 0)


def _ends_phrase(following: str, last: str) -> bool:
    """Whether a noun is the last of its phrase, by the word behind it: not in *student union*."""
    if not following[:1].isalpha():
        return following not in {"'", "-", "&"}
    is_no_noun = following.lower() in stop_words() or following.endswith(("ing", "ed"))
    return is_no_noun or (last.islower() and following[0].isupper())


def _field_behind(text: str, end: int, head: str) -> tuple[str, int]:
    """The field or the office behind an occupation, with a blank before it, and where it ends."""
    found = _FIELD.match(text, end)
    if not found or is_organisation(found["named"]):
        return "", end
    named, shown, article = found["named"], "", ""
    if head in _WITH_FIELD and found["of"] != "for":
        words = [
            *takewhile(
                lambda word: word in {"and", "of"} or word not in stop_words(), named.split()
            )
        ]
        if words[-1:] != ["and"] and not fine_kind(words[0].title(), ""):  # *in department*
            field, _, whole = " ".join(words).removesuffix(" of").partition(" of ")
            is_body = not whole or is_organisation(whole)  # professor of law of York University
            shown = " ".join(
                map(_usual_case, (field if is_body else f"{field} of {whole}").split())
            )
    elif (
        head in _WITH_OFFICE
        and named[0].isupper()
        and not (found["of"] == "in" and ("'s" in named or named.lower() in _MONTHS))
    ):
        is_ministry = found["of"] == "for"
        is_whole = is_ministry or _ADJECTIVE_AND.match(named)
        shown = JOINS.split(named if is_whole else named.partition(" and ")[0])[0]
        article = found["the"] or ""
    if not shown:
        return "", end
    return f" {found['of']} {article}{shown}", found.start("named") + len(shown)


def _usual_case(word: str, *, shouting: bool = False) -> str:
    """In lower case, but for abbreviations, places, peoples and parties.

    Args:
        word: as written.
        shouting: whether all of the phrase is in capitals.
    """
    mixed = word[1:] != word[1:].lower() and not word.isupper()
    if (
        "&" in word
        or mixed
        or (word.isupper() and not shouting and len(word) <= _LONGEST_ABBREVIATION)
    ):
        return word
    is_place = word.title() in gazetteer_names("cities", "countries", "states")
    return _SPELLINGS.get(word.lower(), word.title() if is_place else word.lower())


def occupation_before(text: str, own: AbstractSet[str]) -> Occupation | None:
    """The occupation that a text ends with, before the name: *the poet*, *Professor*.

    Of the words before it only nation_adjectives and the like are kept: others may be verbs.
    """
    words = _TOKEN.findall(re.sub(r"\b([A-Z][a-z]{1,4})\.", r"\1", text.rstrip(" \"“'")))
    if words[-1:] == ["."] and words[-2:-1] and words[-2].islower():  # the end of a sentence
        return None
    while words and (words[-1] == "." or (len(words[-1]) == 1 and words[-1].isalpha())):  # D. Hardy
        words.pop()
    while words and words[-1].lower() in HONORIFICS:
        words.pop()
    if words and words[-1].istitle() and (title := _ABBREVIATIONS.get(words[-1].lower())):
        return Occupation(title, title)
    lowered = tuple(map(str.lower, words[-_LONGEST:]))
    heads = (lowered[at:] for at in range(len(lowered)))
    head = next((each for each in heads if each in listed_occupations()), ())
    is_other = words[-1:] == ["general"] and len(head) == 1  # the general category
    if not head or own & {*head} or " ".join(head) in _AMBIGUOUS or is_other:
        return None
    article = "".join(words[: -len(head)][-1:]).lower()
    if words[-1].istitle() and article in {"the", "a", "an"}:
        return None  # the end of a title
    modifiers = [
        word
        for word in words[: -len(head)][-1:]
        if _SPELLINGS.get(word.lower()) == word or word in {"Assistant", "Associate", "Deputy"}
    ]
    shown = " ".join(map(_usual_case, (*modifiers, *head)))
    return Occupation(listed_occupations()[head], shown)


_MEMBERS = frozenset(
    "candidate congressman councillor governor leader mayor minister politician president"
    " representative senator spokesman".split()
) | {"member of parliament"}
_PARTIES = frozenset("Conservative Democratic Green Labour Labor Liberal Republican Tory".split())
"""Keys of the occupations that members of parties have, and words for the parties."""
_OF_TITLES = re.compile(
    r"(?:(?:[A-Z]|vice|deputy|former|chief|co-|senior|top|lead|principal)\S*\s)*\S+$"
)
"""Text from an organisation to the end of an occupation, without verbs."""
PRINTERS = frozenset(("newspaper", "journal", "programme"))
"""Kinds that print the texts of others beside their names."""


def employers_before(text: str, own: AbstractSet[str], recognised: AbstractSet[str]) -> list[str]:
    """The organisations before an occupation that a text ends with: *the Webster College dean*.

    Of a politician it is the party: *the Labour leader*.

    Args:
        text: a few words.
        own: the words of the name, in lower case.
        recognised: see :func:`is_organisation`.
    """
    words = [*islice(re.finditer(r"\S+", text), _MAX_TOKENS)]
    for at, last in reversed([*enumerate(words)]):
        rest = text[last.end() :].strip()
        title = occupation_at(rest, own)
        if last[0].islower() or not title or title.end != len(rest) or not _OF_TITLES.match(rest):
            continue
        for first in words[max(0, at - _MAX_CAPITALS) : at + 1]:
            run = text[first.start() : last.end()].removesuffix("'s")
            if run in _PARTIES and title.key in _MEMBERS:
                return [f"{run} Party"]
            known = is_acronym(run) and not rest.isupper()
            capitals = re.fullmatch(CAPITALISED_RUN, run) and fine_kind(run, "") not in PRINTERS
            found = capitals and organisations_of(run, own, recognised, introduced=known)
            if found:
                return found
    return []


def place_of(run: str, own: AbstractSet[str], *, loosely: bool = False) -> str:
    """The place that a text as :data:`PLACE` names; empty if it is not known to be one.

    A place is known by the gazetteers, or by the state or country behind it.

    Args:
        run: words with capitals and what follows commas.
        own: the words of the name, in lower case.
        loosely: whether words before say that this is a place, as *born in* does.
    """
    known = gazetteer_names("cities", "countries", "states")
    place, *regions = run.split(", ")
    while regions and not (regions[-1] in known or f", {regions[-1]}" in known):
        regions.pop()
    is_other = own & set(place.lower().split()) or fine_kind(place, "") in KINDS_OF_EMPLOYERS
    if is_other or place.lower() in _MONTHS or place in _SPELLINGS.values():
        return ""
    told = regions or loosely or place in known
    return ", ".join((place, *regions)) if told and not occupation_at(place, own) else ""


_PARTY_AND_STATE = re.compile(
    r"(?P<party>[RD]|R[Ee][Pp]|D[Ee][Mm]|GOP|Republican|Democrat)\.?"
    r"(?:(?:\s?[-–—/]\s?|,\s)(?P<state>[A-Z][\w.]*(?:\s[A-Z]\w+)?)(?:-\d+)?)?"
)


def party_and_state(brackets: str) -> tuple[str, str]:
    """The party and the state in brackets behind a name: *(R-TX)*, *(D, Ohio)*, *(GOP)*.

    A letter without a state may stand for anything; both are empty if there is no party.
    """
    found = _PARTY_AND_STATE.fullmatch(brackets)
    known, state = gazetteer_names("states"), (found and found["state"]) or ""
    state = known.get(f", {state}", known.get(state, ""))
    if not found or (len(found["party"]) == 1 and not state):
        return "", ""
    return f"{'Democratic' if found['party'][0] == 'D' else 'Republican'} Party", state


TEACHES = re.compile(
    r"\b(?:teacher|scholar|professor|lecturer|instructor|tutor|translator|department)\b"
)
"""Words of occupations in which *English* is what is taught."""


@cache
def nation_adjectives() -> frozenset[str]:
    """Adjectives of nations."""
    parties = (
        "Catholic Christian Conservative Democrat Democratic Jewish Labour Latin Liberal Muslim"
    )
    others = (
        f"{parties} Republican Tory US U.S UK EU CEO CFO CIO COO CTO MP PhD DJ TV IT GP QC European"
        " States United"
    )
    return frozenset(_SPELLINGS.values()).difference(others.split())


def occupation_key(occupation: str) -> str:
    """The key of an English occupation."""
    return listed_occupations().get(tuple(occupation.split()), occupation)


_MONTHS = {
    name.strip().lower(): number
    for number, line in enumerate(resource_text("people/months.txt").splitlines())
    for name in line.split(",")
    if number  # the first line says what the file is
}
_MONTH = r"[^\W\d_]{3,10}\.?"
_YEAR = r"(?:1[0-9]|20[0-2])\d\d"
_DAY = r"[0-3]?\d(?:st|nd|rd|th|er|º|°|\.)?"
DATE = (
    rf"(?:(?:the[^\S\n])?{_DAY}[^\S\n](?:(?:of|de)[^\S\n])?{_MONTH},?[^\S\n](?:de[^\S\n])?{_YEAR}"
    rf"|{_MONTH}[^\S\n](?:{_DAY},?[^\S\n])?{_YEAR}"
    rf"|\d{{4}}-\d\d-\d\d|[0-3]?\d[/.][0-3]?\d[/.]{_YEAR}|{_YEAR})(?!\d|[-–][12]\d\d\d)"
)
"""Pattern of a date, with month and day or without; what stands for a month may be none."""


def iso_date(text: str) -> str:
    """A date as :data:`DATE` in ISO 8601, as precise as it is stated; empty if it is none.

    Of days and months as numbers only the year is kept, unless one of them can be no month; a day
    or a month that no calendar has is left out. *After 1444* and *between 1840* are no dates.
    """
    found = re.search(_YEAR, text)
    if not found:
        return ""
    year, rest = found[0], f"{text[: found.start()]} {text[found.end() :]}"
    words = re.findall(r"[^\W\d_]{3,}", rest)
    month = next(filter(None, (_MONTHS.get(word.lower()) for word in words)), 0)
    if words and not month:
        return ""
    day = re.search(r"\d+", rest)
    at = int(day[0]) if day else 0
    if numbers := re.match(r"\s*(\d\d?)[/.](\d\d?)[/.]", rest):
        month, at = sorted(map(int, numbers.groups()))
        month *= at > 12
    elif numbers := re.match(r"\s*-(\d\d)-(\d\d)\s*$", rest):
        month, at = map(int, numbers.groups())
    if not 0 < month <= 12:
        return year
    exists = 0 < at <= monthrange(int(year), month)[1]
    return f"{year}-{month:02}-{at:02}" if exists else f"{year}-{month:02}"


YEARS = ("date of birth", "date of death")
"""Attributes of which lines tell the year."""
_MIN_LIFE, _MAX_LIFE, LIVES = 20, 105, range(111)
"""Years from birth to death, in brackets, where fewer are a term of office, and anywhere."""
_LIFE = re.compile(
    rf"\W{{0,3}}(?:b\.|born)?\s?(?:about|circa|c\.|ca\.)?\s?(?P<born>{DATE}|(?:1[0-9]|20[0-2])\d\d)"
    rf"(?:,?[^\S\n](?:in[^\S\n])?{PLACE}\.?)?\s?(?:[-–—]|to|[;,](?=\s?d(?:\.|ied)))\s?"
    rf"(?:d\.|died)?\s?(?:about|circa|c\.|ca\.)?\s?(?P<died>{DATE})"
)
_BORN_OR_DIED = {
    "date of birth": re.compile(
        rf"[\s,(]{{0,3}}(?:(?:who\s)?was\s)?(?:born|b\.)\s?(?:(?:in|at)\s{PLACE},?\s)?"
        rf"(?:in\s|on\s|about\s|circa\s|c\.\s?)?(?P<date>{DATE})"
    ),
    "date of death": re.compile(
        rf"[\s,(]{{0,3}}(?:who\s)?(?:died|d\.)\s?(?:(?:in|at)\s{PLACE},?\s)?(?:in\s|on\s)?(?P<date>{DATE})"
    ),
}


def stated_life(*stretches: str) -> Iterator[tuple[str, str]]:
    """Attribute and date of birth and death in brackets behind the name, or in its sentence."""
    for text in stretches:
        if life := _LIFE.match(text):
            born, died = map(iso_date, life.group("born", "died"))
            if born and died and _MIN_LIFE <= int(died[:4]) - int(born[:4]) <= _MAX_LIFE:
                yield from zip(YEARS, (born, died), strict=True)
            return
        for kind, pattern in _BORN_OR_DIED.items():
            if (found := pattern.match(text)) and (date := iso_date(found["date"])):
                yield kind, date


PERSON = (
    rf"(?:[A-Z]\.|{CAPITAL})(?:[^\S\n](?:[A-Z]\.|{CAPITAL}|\([A-Z][\w' -]{{1,30}}\)"
    r"|de|la|von|van|der|den|du|del|della|di)){0,4}"
)
"""Pattern of what may be the name of a person."""


def person_of(run: str, *, whole: bool = False) -> str:
    """The name of a person; empty if the words are none.

    Args:
        run: words with capitals.
        whole: whether given and family name are required.
    """
    words = [
        *dropwhile(lambda word: word.lower().rstrip(".") in _TITLES, run.removesuffix("'s").split())
    ]
    while words and (
        words[-1].islower()
        or words[-1].lower() in stop_words()
        or len(words[-1].rstrip(".")) == 1  # a name that is cut
    ):
        words.pop()
    first = words[0].lower() if words else ""
    text = " ".join(words)
    is_other = (
        not words
        or first in stop_words()
        or first.rstrip(".") in _SPELLINGS
        or any(word.lower() in _MONTHS for word in words)
        or fine_kind(text, "person") != "person"
        or (len(max(words, key=len)) < 3)
        or (len(words) == 1 and (whole or not is_usual_given_name(first)))
    )
    return "" if is_other else text


_BEFORE_LENGTH = 40
"""Characters before a name that are read."""
_CAPITAL_BEFORE = re.compile(r"(?<!\w)[A-Z](?:[\w'-]{1,40}\.?)?[^\S\n]$")
_TELLING = 4
"""Letters besides the family name that may be initials, and those of a telling family name."""


def is_attested(name: str, text: str) -> bool:
    """Whether a text has a name twice, or once without words with capitals beside it.

    One that always stands before is the rest of a title: *The Long Song Cynthia Hill*.
    """
    found = [*re.finditer(rf"(\bthe )?{re.escape(name)}", text.replace("-", " "), re.IGNORECASE)]
    is_work = any(each[1] for each in found)  # The Johnny Cash Reader
    beside = (
        _CAPITAL_BEFORE.search(text[max(0, each.start() - _BEFORE_LENGTH) : each.start()])
        for each in found
    )
    before = {each and each[0].strip(" .").lower() for each in beside}
    return (
        not is_work
        and (len(before) > 1 or any(not word or (word,) in listed_occupations() for word in before))
        and (len(found) > 1 or not re.match(r"[^\S\n][A-Z]", text[found[0].end() :][:2]))
    )


def is_named_after(address: str, name: PersonName) -> bool:
    """Whether an e-mail address has the family name, and nothing that speaks against the given one.

    Before or behind it stand the given name or initials that begin with that of the given name.
    """
    local, family = re.sub(r"[^a-z]", "", address.partition("@")[0]), plain_letters(name.family)
    given = plain_letters(name.given[0]) if name.given else ""
    before, found, behind = local.partition(family)
    rest = before + behind
    fits = given in rest or (len(rest) < _TELLING and rest[:1] == given[:1])
    return bool(found and given and len(family) > 1) and (
        fits or (not rest and len(family) > _TELLING)
    )


_FEWEST_DIGITS, _MOST_DIGITS = 7, 15
"""Digits of a telephone number."""
_OFFICES = frozenset(
    "admin books contact customerservice enquiries feedback help info inquiries library mail"
    " marketing office order orders postmaster press sales service support webmaster".split()
)
"""Names before the sign in e-mail addresses of nobody in person."""


def telephone_of(run: str) -> str:
    """A telephone number as written; empty for too few digits, and for years from and to."""
    is_span = re.fullmatch(rf"{_YEAR}\s?[-–]\s?{_YEAR}", run)
    fits = _FEWEST_DIGITS <= sum(map(str.isdigit, run)) <= _MOST_DIGITS
    return run if fits and not is_span else ""


def email_of(run: str) -> str:
    """An e-mail address; empty for that of an office."""
    address = run.lower()
    return "" if re.split(r"[^a-z]", address, maxsplit=1)[0] in _OFFICES else address


def site_of(run: str, url: str, name: PersonName) -> str:
    """A web address; empty for the front page of the site that states it.

    Args:
        run: as written.
        url: of the page.
        name: of the person, whose own site has the family name.
    """
    address = run.rstrip("/.")
    host, front = (each.partition("//")[2] or each for each in (url.lower(), address.lower()))
    host = host.partition("/")[0].removeprefix("www.")
    is_own = plain_letters(name.family) in plain_letters(host)
    return "" if front.removeprefix("www.") == host and not is_own else address


_WORDS = r"[^\W\d_][^\n;]{1,79}"
_DEGREE = (
    r"(?:Ph\.?\s?D|D\.?\s?Phil|[BM]\.?\s?(?:A|Sc?|Ed|Phil|Mus|Eng|Div|Th|M|F\.?A|B\.?A|L\.?S|S\.?W|P\.?[AH])|J\.?D|LL\.?[BM]|M\.?D"
    r"|(?i:bachelor|master|doctor|associate)(?:'?s)?\s(?:of|in)\s[A-Z][a-z]+(?:\s[A-Z][a-z]+)?"
    r"|doctorate|bachelor's|bachelors|master's|masters|diploma)(?![A-Za-z])\.?"
)
_NO_FIELD = r"(?!(?:from|at|in|with|to|while|for|on|the|he|she|his|her|was|is|has)\b)"
_FIELD_OF_STUDY = rf"{_NO_FIELD}[A-Za-z][\w-]+(?:\s(?:and\s)?{_NO_FIELD}[A-Za-z][\w-]+){{0,2}}"
_JUNIOR = r"(?:,?\s[JS]r\b\.?)?"
_PEOPLE = rf"{PERSON}{_JUNIOR}(?:(?:,\s(?:and\s)?|\sand\s){PERSON}{_JUNIOR}){{0,8}}"
_NUMBER_PATTERN = (
    r"(?:\+\d{1,3}[\s.-]?(?:\(0\)[\s.-]?)?)?(?:\(\d{1,5}\)[\s./-]{0,2})?"
    r"\d{2,5}(?:[\s./-]{1,2}\d{2,8}){1,5}"
)
PATTERNS = {
    "date of birth": DATE,
    "date of death": DATE,
    "birth place": PLACE,
    "nationality": CAPITAL,
    "other name": rf"[\"“]?{PERSON}",
    "occupation": _WORDS,
    "affiliation": CAPITALISED_RUN,
    "employer": CAPITALISED_RUN,
    "location": PLACE,
    "home": PLACE,
    "work": r"[\"“‘][^\"“”\n]{2,80}[\"”’]",
    "award": (
        rf"(?:{CAPITAL}\s(?:(?:of|for|in|and)\s)?(?:the\s)?){{0,6}}(?:Award|Prize|Medal|Trophy"
        r"|Oscar|Fellowship|Scholarship|Grammy|Emmy)s?(?![\w-])"
    ),
    "school": CAPITALISED_RUN,
    "degree": _DEGREE,
    "major": _FIELD_OF_STUDY,
    "mentor": PERSON,
    "relative": _PEOPLE,
    **dict.fromkeys("children sons daughters brothers sisters siblings parents".split(), _PEOPLE),
    "spouse": PERSON,
    "father": PERSON,
    "mother": PERSON,
    "phone": _NUMBER_PATTERN,
    "fax": _NUMBER_PATTERN,
    "e-mail": r"[\w.+-]+@[\w.-]+\.\w+",
    "web site": r"(?:https?://|www\.)\S{3,100}",
}
"""Name of a value in forms of sentences and labels of profiles → pattern of what may be one."""
NUMBER = re.compile(
    r"(?<![\w/-])(?:(?P<fax>(?i:fax|facsimile|telefax|f))|(?P<phone>(?i:telephone|tel|phone|ph|voice"
    rf"|office|mobile|cell|t|p)))?(?:\W{{0,3}}no)?[\s:.-]{{0,4}}(?P<number>{PATTERNS['phone']})(?![\d/-])"
)
AMERICAN_NUMBER = re.compile(r"(?:\+?1[\s.-])?\(?[2-9]\d\d\)?[\s./-]{1,2}\d{3}[\s.-]\d{4}")
"""Telephone and fax numbers with their labels, and those of American form."""


def value_key(attribute: str, value: str) -> str:
    """The key of a value, see :class:`weps.people.context.Statement`."""
    if attribute.startswith("date"):
        return value[:4]
    if attribute in {"phone", "fax"}:
        return re.sub(r"\D", "", value)[-7:]  # with or without the area
    if attribute in {"affiliation", "school"}:
        return entity_form(value, "organisation")
    return value.lower().partition(",")[0]
