"""Whom mentions of a name are about: the person, a relative, a namesake, or nobody.

Where sentences end, in which *she* is whoever was named last, is here, too.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from weps._text import singular_form, split_words
from weps.features.bags import stop_words
from weps.features.entities import fine_kind
from weps.name.mentions import Mention, MentionKind
from weps.name.person_name import PersonName, is_usual_given_name
from weps.people.values import (
    CAPITALISED_RUN,
    GROUNDS,
    HONORIFICS,
    KINDS_OF_EMPLOYERS,
    listed_occupations,
    person_of,
)

if TYPE_CHECKING:
    from weps.language.person_words import PersonWords

SENTENCE_ENDS = re.compile(
    r"(?:[.!?]|;(?!\s(?:and\s)?(?:(?:an?|one|two|three|four|five|six|\d|his|her)\s)?(?:\S+\s)?"
    r"(?:bro|sis|son|daught|child|grand)))"  # a list of relatives goes on
    r"(?<=\w{3}.|..[)\]”].)(?<!Sept.)(?<!Dept.)(?<!Univ.)(?<!Prof.)(?<!Capt.)(?<!Bros.)"
    + "".join(
        rf"(?<!\b{each}.)"
        for each in "Jan Feb Mar Apr Aug Oct Nov Dec Mrs Gov Sen Rep Rev Gen Col Hon".split()
    )
    + r"(?:\s|$)"
)
"""End of a sentence, but of no abbreviation."""
RELATIVE = re.compile(
    r"\b(?:father|mother|parents?|sons?|daughters?|child|children|brother|sister|uncle|aunt|nephew"
    r"|niece|cousin|wife|husband|widow|widower|grand\w+|great-\w+|descendants?) of[^\S\n]"
    r"(?-i:[A-Z]\w+\.?[^\S\n]){0,2}$",
    re.IGNORECASE,
)
"""Words before the name of another person's relative, of whom others may bear the name."""
POSSESSOR = re.compile(
    r"\b(?:office|staff|assistant|aide|adviser|secretary|spokes(?:man|woman|person)) (?:of|to|for) "
    r"(?-i:[A-Z][\w.-]* ){0,3}$",
    re.IGNORECASE,
)
"""Words before the name of whom another works for; what follows it may be about that one."""
LAST_WORD = re.compile(r"(?<!\w)([A-Z](?:[\w'-]{1,40}|\w{1,3}\.))[^\S\n](?:\d{1,3}[^\S\n])?$")
"""A word with a capital before a mention."""
_BEHIND = re.compile(r"[^\S\n]([A-Z]\w+)")
_ARTICLE = re.compile(r"\b(?i:the|an?)[^\S\n][\"“'‘]?$")
_OTHERS = frozenset({MentionKind.LONGER, MentionKind.THING, MentionKind.SCRIPT})
"""Kinds of mentions that may be of somebody else."""
_SUBJECT_PLACE = re.compile(r"(?:^|\n|[.!?:;]\s)(?:[A-Z][\w']*\.?[^\S\n]){0,3}$")
"""Beginning of a line or a sentence, with titles and initials."""
_PLACE_LENGTH, _MAX_RELATIVES, _LONGEST_TITLE = 60, 1_000, 300
_FAMILY_BEHIND = re.compile(r"[^\S\n][A-Z][a-z]")
_NAME_BEHIND = re.compile(r"[^\S\n](?:[A-Z]\.[^\S\n]?){1,3}[A-Z]")
_NICKNAME_BEFORE = re.compile(r"\b[A-Z]\w{0,40}[^\S\n][\"“]\w{1,20}[\"”][^\S\n]$")
"""What makes a family name the given name of others, *Henry S. Lee*, or that of *Ann "Nan" Lee*."""


def is_subject(
    mention: Mention, text: str, name: PersonName, words: PersonWords | None = None
) -> bool:
    """Whether a mention is of the person: no part of a longer name, *Camp David Lodge*.

    Args:
        mention: in the text.
        text: of the page.
        name: the name searched for.
        words: of the language of the page, unless it is English.
    """
    before = mention.before
    if RELATIVE.search(before) or (
        words and (words.relative.search(before) or words.possessor.search(before))
    ):
        return False
    if mention.kind is MentionKind.FAMILY or mention.is_whole:
        word = LAST_WORD.search(mention.before)
        last = word[1].rstrip(".").lower() if word else ""
        title = last in HONORIFICS or (last,) in listed_occupations()
        alone = mention.kind is MentionKind.FAMILY
        behind = _BEHIND.match(text, mention.end) if alone else None
        is_part = behind and (  # Hill College, Thomas Jones
            fine_kind(behind[1], "") in KINDS_OF_EMPLOYERS or is_usual_given_name(name.family)
        )
        if alone and (is_part or _ARTICLE.search(before)):  # the Hill family, the Hills of York
            return False
        return not word or title or not (alone or word[1] in GROUNDS)
    return mention.kind not in _OTHERS


def is_repeated(line: str, text: str) -> bool:
    """Whether a line stands three times in a text, as the values of a column do."""
    return bool(line) and text.count(f"\n{line}\n") > 2


_ELSEWHERE = re.compile(
    r"\s{1,20}\d{1,3}(?:\.\d{1,3})?(?:\s{1,20}\d{1,3}(?:\.\d{1,3})?){0,5}[^\S\n]*(?:\n|$)"
    r"|[^\S\n][\"“]\w{1,20}[\"”][^\S\n][A-Z]"
)
"""Text behind a mention beside which others stand: the numbers of a row, *James "Jimi" Hendrix*."""
_CITED = re.compile(
    r"(?:(?:^|[\s(])e\.g\.,?|\bfor example,|(?:^|[.]\s)In"
    r"|\bnot(?:\s\w{1,20}){0,4}\s(?:the|with|for))[^\S\n]$"
)
"""Words before the name of an example, of the editor of what a book is cited for, or of another."""


_INVERTED = re.compile(r"\W{0,3}(?:\d{1,4}\W{1,3})?([A-Z][\w'-]{1,40}),[^\S\n]")
"""A family name before given names that are the name: *Baker, Richard Thomas*."""


def is_cited(mention: Mention, text: str) -> bool:
    """Whether what stands beside a mention is about others: in a row, a citation, an example."""
    return bool(
        _ELSEWHERE.match(text, mention.end)
        or _CITED.search(mention.before)
        or (
            (inverted := _INVERTED.fullmatch(mention.before))
            and (singular_form(inverted[1].lower()),) not in listed_occupations()
        )
    )


def is_plain_first(mentions: Iterable[Mention], text: str, title: str) -> bool:
    """Whether the first mention within a line has no middle name.

    Behind *John Adams* in a list *John Quincy Adams* is somebody else.

    Args:
        mentions: in order, in the text.
        text: of the page, which begins with its title.
        title: of the page.
    """
    for each in mentions:
        around = text[each.start - 1 : each.start], text[each.end : each.end + 1]
        if each.start > len(title) and "\n" not in around:
            return not any(word[0].isalpha() for word in each.between)
    return False


def names_another(title: str, name: PersonName) -> bool:
    """Whether the title of a page has the name of a person, but not the family name."""
    runs = (each[0] for each in re.finditer(CAPITALISED_RUN, title[:_LONGEST_TITLE]))
    return name.tokens[-1] not in split_words(title) and any(
        is_usual_given_name(run.split()[0]) and person_of(run, whole=True) for run in runs
    )


def names_with(family: str, relative: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The names with a family name, looked for in the lines that have it, which are few.

    Args:
        family: the family name; empty for none.
        relative: pattern of such names, which have no line feed.
        text: of a page.
    """
    end = -1
    for found in re.finditer(rf"(?i:{re.escape(family) or '(?!)'})\b", text):
        if found.start() > end:
            begin = text.rfind("\n", 0, found.start()) + 1
            end = text.find("\n", found.end()) % (len(text) + 1)  # of the last line, -1
            yield from relative.finditer(text, begin, end)


def without_namesakes(
    text: str, mentions: Iterable[Mention], namings: Iterable[re.Match[str]]
) -> list[Mention]:
    """The mentions without those by the family name that are of another person of the family.

    *Mr Jones* is whoever was last named in full, at the beginning of a line or a sentence, *Senator
    Jones* whoever is so in full, and *J. Glancy Jones* is no John where no
    John Glancy is named.

    Args:
        text: of the page.
        mentions: in order, in the text.
        namings: names with the family name there, in order.
    """
    every = [
        each
        for each in mentions
        if each.kind is not MentionKind.FAMILY
        or not (_NAME_BEHIND.match(each.after) or _NICKNAME_BEFORE.search(each.before))
    ]
    middle = {word for each in every if each.is_whole for word in each.between}
    every = [
        each
        for each in every
        if each.kind is not MentionKind.INITIALS
        or all(word in middle or len(word) < 3 or not word.isalpha() for word in each.between)
    ]
    full = [each for each in every if each.kind is not MentionKind.FAMILY]
    own_offices = {_office_before(each.before) for each in full} | {""}
    offices_of_others = set[str]()
    given = (  # John Ross, not Anthony John
        each
        for each in every
        if each.kind is MentionKind.FAMILY
        and _FAMILY_BEHIND.match(each.after)
        and is_usual_given_name(text[each.start : each.end])
    )
    is_own_from = {each.start: False for each in given} | {each.start: True for each in full}
    for found in islice(namings, _MAX_RELATIVES):
        word = found[0].split()[0].rstrip(".").lower()
        if (
            not any(each.start < found.end() and found.start() < each.end for each in full)
            and word not in HONORIFICS
            and word not in stop_words()
            and (word,) not in listed_occupations()
        ):
            before = text[max(0, found.start() - _PLACE_LENGTH) : found.start()]
            offices_of_others.add(_office_before(before))
            if _SUBJECT_PLACE.search(before):
                is_own_from[found.start()] = False
    starts = sorted(is_own_from)

    def is_own(mention: Mention) -> bool:
        at = bisect_right(starts, mention.start)
        return mention.kind is not MentionKind.FAMILY or (
            (not at or is_own_from[starts[at - 1]])
            and _office_before(mention.before) not in offices_of_others - own_offices
        )

    return list(filter(is_own, every))


def _office_before(before: str) -> str:
    """The key of the one-word office or occupation that a text ends with; empty without one."""
    return listed_occupations().get((before.rstrip(". ").rpartition(" ")[2].lower(),), "")
