"""Forms in which pages of a language state things about a person: sentences and fields of profiles.

A language has a file ``resources/people/forms.CODE.txt``, which resources/README.md describes;
nothing else names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from configparser import ConfigParser
from functools import cache

from weps._files import resource_path, resource_text
from weps.people.values import PATTERNS

MARK = "\ue000"
"""Character that stands for a mention of the person in a sentence."""


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
        self.object = re.compile(rf"\b(?:{_any_of(listed['words', 'objects'])}) {MARK}[^{MARK}]*$")
        """Pattern of a last mention that is no subject, so that *he* is somebody else."""
        others, works, studies = (
            _any_of(listed.get(("words", key), [])) for key in ("others", "works", "studies")
        )
        fixed = {
            "s": rf"(?:{MARK}|(?<!\w)(?:{either[0]})\b)"
            r"(?:\s\([^()]{1,80}\))?(?:,\s[^,;]{1,60},)?",
            "his": rf"(?:{MARK}'s|(?<!\w)(?:{either[1]}))",
            "kin": rf"(?P<kin>{_any_of(kin)})",
            "subject": r"(?<!with )(?<!by )(?<!of )(?<!to )(?<!for )"
            rf"(?:{MARK}|(?<!\w)(?:{either[0]})\b)",
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
                frozenset(
                    each.split()[0]
                    for words in re.findall(r"\{gap\} \((.*?)\) ", form)
                    for each in words.split("|")
                ),
            )
            for form in forms
        ]
        """Patterns of what states something, from the person, a pronoun or the beginning of a
        sentence on, their groups named after the values, and words of which a sentence has one."""


@cache
def forms_of(language: str) -> Forms:
    """The forms of a language, by its code; those of English if there is no file of it."""
    known = resource_path("people").joinpath(f"forms.{language}.txt").is_file()
    return Forms(language) if known else forms_of("en")


def _any_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or "(?!)"
