"""Forms in which pages of a language state things about a person: sentences and fields of profiles.

A language has a file ``resources/people/forms.CODE.txt``, which resources/README.md describes;
nothing else names it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from configparser import ConfigParser
from functools import cache
from typing import NamedTuple

from weps._files import resource_path, resource_text
from weps.features.entities import fine_kind
from weps.name.person_name import PersonName
from weps.people.values import (
    JOINS,
    PATTERNS,
    email_of,
    iso_date,
    nation_adjectives,
    occupation_at,
    person_of,
    place_of,
    site_of,
    telephone_of,
    without_shouting,
)

DEGREES = re.compile(
    r"(?:,?[^\S\n](?:Jr|Sr|II|III|IV|Ph\.?[^\S\n]?D|D\.?Phil|M\.?D|M\.?A|M\.?Ed|M\.?Sc|MBA|MLS|J\.?D|Esq|MP|QC|CPA|FRS"
    r"|OBE|CBE)\b\.?){0,3}"
)
"""Degrees and the like behind a name."""
_LISTED_NAME = r"[A-Z][\w.'’-]{0,30}(?:\s[A-Z][\w.'’-]{0,30}){0,3}(?:,\sand\s|,\s|\sand\s)"
AMONG = re.compile(
    r"(?P<lead>(?:\b[\w-]{1,30}\s){0,2})(?P<such>\bsuch\s)?\b(?P<plural>[a-z]{3,30}s)"
    r"(?(such)\sas|,?\s(?:including|such as|like|among them|namely))\s"
    rf"(?:{_LISTED_NAME}){{0,15}}$"
)
"""Words before a name in a list of people of one occupation: *climbers like Tom Hill, Ann Lee*."""
LEAD = re.compile(
    r"(?P<apart>(?:,?[^\S\n](?:\d\d|(?:born[^\S\n](?:in[^\S\n])?|b\.[^\S\n]?)?\d{4}(?:[-–](?:\d{4})?)?))?,"
    r"|:|[^\S\n][-–—|])?[^\S\n]{1,2}(?:who[^\S\n])?"
    r"(?P<verb>(?:(?:is|was|became|remains|has been|had been|serves as|served as|works as|worked as"
    r"|elected|appointed|named|holds|has served as|also|currently|now|still|once|then|later"
    r"|both)[^\S\n]){0,3})"
    r"(?:(?:an?|the|our|your|their|his|her|its|this|formerly|ex|one of the)[^\S\n-]){0,2}"
)
"""Between the name and an occupation: a comma or a verb, and an article."""
_TITLE_WORD = r"[A-Z][^\s();<>]{0,30}"
DATED_TITLE = re.compile(
    rf"(?<![^\s(])({_TITLE_WORD}(?:\s(?:{_TITLE_WORD}|[a-z]{{1,4}}|&)){{0,10}})\s\((?:19|20)\d\d\)"
)
"""Title of a work with the year behind it."""
MARK = "\ue000"
"""Character that stands for a mention of the person in a sentence."""
HOSTILE = re.compile(rf"\S{{80}}|(?:{MARK}[^{MARK}]*){{8}}")
"""Words and lists of names that no sentence has, and that patterns read slowly."""
TITLED = re.compile(rf"\b(Mr|Mrs|Ms|Miss)\b\.?[^\S\n]{MARK}")
"""Mention with a title that tells the gender."""


class Forms:
    """The forms of one language."""

    def __init__(self, language: str) -> None:
        file = ConfigParser(delimiters="=", interpolation=None)
        file.read_string(resource_text(f"people/forms.{language}.txt"))
        listed = {
            (section, key): [each.strip() for each in value.split(",")]
            for section in ("words", "labels")
            for key, value in file[section].items()
        }
        self.schools = frozenset(listed.get(("words", "schools"), ()))
        self.labels = {
            label: key
            for (section, key), labels in listed.items()
            for label in labels
            if section == "labels"
        }
        """Label of a field, in lower case → name of its value in ``PATTERNS``."""
        self.label = re.compile(
            rf"\s*(?P<label>{_any_of(self.labels)})(?:\s?\(\w+\))?\s?"
            r"(?P<colon>:)?\s*(?P<value>.*)",
            re.IGNORECASE,
        )
        """Pattern of a line with a label, a colon, and the value or nothing."""
        he, his, kin = (listed["words", key] for key in ("subjects", "possessives", "kin"))
        self.genders = {
            word: gender for gender in ("masculine", "feminine") for word in listed["words", gender]
        }
        self.gendered = re.compile(rf"(?i:\b(?:{_any_of(self.genders)})\b)")
        self.subject = re.compile(rf"{MARK}|^(?:{_any_of(map(str.title, he))})\b")
        either = _any_of([*he, *map(str.title, he)]), _any_of([*his, *map(str.title, his)])
        begins = _any_of(listed.get(("words", "begins"), []))
        self.goes_on = re.compile(
            rf"(?:[A-Z][\w'’()/ ,-]{{1,60}}[,)]?[^\S\n])?(?:{either[0]}|{either[1]}|{begins})\b"
        )
        """Pattern of what a sentence about the person of the one before begins with."""
        self.kin = re.compile(
            rf"(?:\b(?P<whose>{_any_of(his)}|their)\s(?:\w+\s)?)?\b(?P<kin>{_any_of(kin)})\b"
            rf"(?P<joint>\sand\s(?:{_any_of(kin)})\b)?"
        )
        """Pattern of a relative, of whose it is, and of one beside: *son and daughter-in-law*."""
        objects = _any_of(listed["words", "objects"])
        titles = r"(?:both |the )?(?:[A-Z][\w.-]* ){0,3}"
        self.object = re.compile(rf"\b(?:{objects}) {titles}{MARK}[^{MARK}]*$")
        """Pattern of a last mention that is no subject, so that *he* is somebody else."""
        self.before_object = re.compile(rf"\b(?:{objects}|of) {titles}$")
        """Pattern of a text before a mention that is no subject: *he won over President*."""
        others, works, studies = (
            _any_of(listed.get(("words", key), [])) for key in ("others", "works", "studies")
        )
        fixed = {
            "s": rf"(?:{MARK}|(?<!\w)(?:{either[0]})\b)"
            r"(?:\s\([^()]{1,80}\))?(?:,\s[^,;]{1,60},)?",
            "his": rf"(?:{MARK}'s|(?<!\w)(?:{either[1]}))",
            "kin": rf"(?P<kin>{_any_of(kin)})",
            "family": rf"(?P<family>[^{MARK}]{{1,700}})",
            "subject": rf"(?P<subject>{MARK}|(?<!\w)(?:{either[0]})\b)",
            "gap": rf"(?:(?!\b(?:{others})\b)[^.;{MARK}]){{0,120}}?",
            "studies": rf"(?P<studies>(?:(?!\b(?:{others}|{works})\b)[^;{MARK}]){{1,300}})(?!\w)",
            "titles": rf"(?P<titles>[^{MARK}]{{1,400}})",
            "works": rf"(?P<works>(?:(?!\b(?:{others}|{studies})\b)[^;{MARK}]){{1,300}})(?!\w)",
        }

        def filled(found: re.Match[str]) -> str:
            name = found[1]
            return fixed.get(name) or f"(?P<{name.replace(' ', '_')}>{PATTERNS[name]})"

        self.person = re.compile(rf"{MARK}|\b(?:{either[0]}|{either[1]})\b")
        """Pattern of a mention or a pronoun."""
        forms = file["sentences"]["forms"].strip().splitlines()
        self.sentences = [
            (
                re.compile(re.sub(r"\{([a-z][a-z ]*)\}", filled, form.replace("(", "(?:"))),
                [
                    frozenset(each.split()[0] for each in words.split("|"))
                    for words in re.findall(r"(?<=[ ^])\(([\w |'’-]+)\)(?= )", form)
                ],
            )
            for form in forms
        ]
        """Patterns of what states something, from the person, a pronoun or the beginning of a
        sentence on, their groups named after the values, and lists of words: of each a
        sentence has one."""


@cache
def forms_of(language: str) -> Forms:
    """The forms of a language, by its code; those of English if there is no file of it."""
    known = resource_path("people").joinpath(f"forms.{language}.txt").is_file()
    return Forms(language) if known else forms_of("en")


def _any_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or "(?!)"


class PageWords(NamedTuple):
    """What values of a page are compared with."""

    own: AbstractSet[str]
    """The words of the name."""
    name: PersonName
    url: str
    schools: AbstractSet[str]
    """Words that name schools alone."""


class Kind(NamedTuple):
    """A kind of value that forms and fields have."""

    attribute: str
    read: Callable[[str, PageWords], str]
    """The value as it is to be shown; empty for words that are none."""
    detail: str = ""


def _read_person(run: str, page: PageWords) -> str:
    name = person_of(LISTED.split(run)[0])
    return name if not page.own & {name.lower()} else ""


def _read_other_name(run: str, page: PageWords) -> str:
    name = person_of(run.strip('"“”'))
    words = {*name.lower().split()}
    return name if len(words) > 1 and words - page.own else ""


def _read_school(run: str, page: PageWords) -> str:
    for name in (run.removesuffix("'s"), *JOINS.split(run)):
        is_school = fine_kind(name, "") in _SCHOOLS or name in page.schools
        if is_school and page.own.isdisjoint(name.lower().split()):
            return without_shouting(name)
    return ""


_SCHOOLS = frozenset(("school", "university"))
LISTED = re.compile(r",\s(?:and\s)?|\sand\s")
_CONVERSES = {
    "parent": "son daughter child",
    "child": "father mother",
    "spouse": "wife husband spouse widow widower",
    "sibling": "brother sister sibling twin",
    "grandparent": "grandson granddaughter",
    "grandchild": "grandfather grandmother",
    "cousin": "cousin",
}
CONVERSE = {word: each for each, words in _CONVERSES.items() for word in words.split()}
"""What somebody is to a relative → what the relative is to them."""
SEVERAL = frozenset(
    "sons daughters children brothers sisters siblings parent parents grandparents".split()
)
VALUES = {
    "date of birth": Kind("date of birth", lambda run, _: iso_date(run)),
    "date of death": Kind("date of death", lambda run, _: iso_date(run)),
    "birth place": Kind("birth place", lambda run, page: place_of(run, page.own, loosely=True)),
    "nationality": Kind("nationality", lambda run, _: run * (run in nation_adjectives())),
    "other name": Kind("other name", _read_other_name),
    "occupation": Kind(
        "occupation",
        lambda run, page: (
            found.text if (found := occupation_at(run, page.own, heading=True)) else ""
        ),
    ),
    "location": Kind(
        "location",  # of a list no place is told
        lambda run, page: run if place_of(run, page.own) == run else "",
    ),
    "home": Kind("location", lambda run, page: place_of(run, page.own, loosely=True)),
    **{
        each: Kind(
            each,
            lambda run, page: (
                words
                if page.own.isdisjoint((words := run.strip("\"“”‘’' ")).lower().split())
                else ""
            ),
        )
        for each in ("work", "award", "major")  # without quotation marks
    },
    "school": Kind("school", _read_school),
    "degree": Kind("degree", lambda run, _: run),
    "mentor": Kind("mentor", _read_person),
    "relative": Kind("relative", _read_person),
    **{
        each: Kind("relative", _read_person, each)
        for each in "children sons daughters brothers sisters siblings parents".split()
    },
    "spouse": Kind("relative", _read_person, "spouse"),
    "father": Kind("relative", _read_person, "father"),
    "mother": Kind("relative", _read_person, "mother"),
    "phone": Kind("phone", lambda run, _: telephone_of(run)),
    "fax": Kind("fax", lambda run, _: telephone_of(run)),
    "e-mail": Kind("e-mail", lambda run, _: email_of(run)),
    "web site": Kind("web site", lambda run, page: site_of(run, page.url, page.name)),
}
"""Name in forms and fields → what stands there."""
