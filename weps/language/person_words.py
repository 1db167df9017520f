"""Statements beside a name on pages in other languages than English, by words of their language.

A language has a file ``resources/people/CODE.txt``; nothing else names it. The file lists words of
birth, death and dates, of kinship, those between a name and an occupation, and the occupations,
each behind the English one that is shown for it: so a German and an English page agree that
somebody is an *architect*. Only a few fixed patterns right beside the name are read, rather too
little than anything wrong.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from configparser import ConfigParser
from functools import cache
from itertools import islice

from weps._files import resource_path, resource_text

_TOKEN = re.compile(r"[^\W\d_][\w']*(?:-[\w']+)*|\d+|[^\w\s]")
_MAX_TOKENS, _LONGEST, _MAX_SKIPPED = 12, 4, 3
"""Tokens of a text that are read, those of an occupation, and words that may stand before it."""
_MIN_BEGINNING = 2
"""Letters before the occupation that a compound ends with."""
_NOTHING = "-"
"""In place of an English occupation: what is written like one and is none."""
_MIN_LIFE, _MAX_LIFE = 20, 105
"""Years from birth to death."""
_CAPITALISED = r"[^\W\d_a-zß-öø-ÿ]"
_YEAR = r"(1[0-9]\d\d|20[0-2]\d)(?!\w)"
_YEAR_ALONE = rf"(?<!,\s){_YEAR}"
"""A year that does not begin a further item of a list: not in *born in York, 1990 married*."""


@cache
def person_words(language: str, function_words: frozenset[str]) -> PersonWords | None:
    """The words of a language, by its code; None if there is no file of it."""
    is_known = resource_path("people").joinpath(f"{language}.txt").is_file()
    return PersonWords(language, function_words) if is_known else None


class PersonWords:
    """Reader of what stands beside a name in one language."""

    def __init__(self, language: str, function_words: frozenset[str]) -> None:
        words, self._titles, occupations = _read(language)
        self._relatives = {each.lower() for each in words["relatives"]}
        self._occupations = {each.strip("-?"): english for each, english in occupations.items()}
        self._compounds = {
            each[1:].lower(): english for each, english in occupations.items() if each[0] == "-"
        }
        self._ambiguous = {each[:-1] for each in occupations if each[-1] == "?"}
        self._endings = ("", *words["endings"])
        self._articles, self._honorifics = {*words["articles"]}, {*words["honorifics"]}
        self._and, self._adjectives = {*words["and"]}, {*words["adjectives"]}
        self._others = self._relatives | function_words
        verbs = _any_of(words["verbs"])
        article = rf"(?:{_any_of(words['articles'])})(?:[^\S\n]{{1,2}}|(?<='))"
        self._elision = re.compile(rf"(?i:{_any_of(words['articles'])})(?<=')")
        self._lead = re.compile(
            r"(?P<apart>,|:|[^\S\n][-–—|])?[^\S\n]{1,2}"
            rf"(?P<verb>(?:{verbs})[^\S\n](?:(?:{_any_of(words['since'])})[^\S\n]?\d{{4}}\s)?)?"
            rf"(?P<article>(?:{article}){{0,2}})"
        )
        of = rf"(?:{_any_of(words['of'])})(?:[^\S\n]|(?<='))(?:[\w'-]{{1,40}}\.?[^\S\n]){{0,3}}$"
        self.possessor = re.compile(rf"(?<!\w){of}", re.IGNORECASE)
        """Pattern of what stands before the name of whom something else is, *l'assistant de*."""
        self.relative = re.compile(
            rf"(?<!\w)(?:{_any_of(words['relatives'])})[^\S\n]{of}", re.IGNORECASE
        )
        """Pattern of what stands before the name of a relative of the person, *hija de*."""
        months, dates = _any_of(words["months"]), _any_of(words["dates"])
        fill = (
            rf"(?:(?>\d{{1,2}}(?!\d)(?:\.|er|º|ª|°)?[\s/.-]{{0,2}}"
            rf"|(?:(?i:{months})\.?|(?:{dates}))(?:,?\s{{1,2}}|(?<='))"
            rf"|{_CAPITALISED}[\w'-]*(?:,?\s{{1,2}}|(?=[;)–—]))|{_CAPITALISED}\w?\.\s?"
            rf"|\({_CAPITALISED}[\w' -]{{1,20}}\),?\s)){{0,9}}?"
        )
        """Pattern of a day, a month, a place, and small words of dates between these."""
        born, died = map(_any_form_of, (words["born"], words["died"]))
        opening = rf"(?:(?<!\w)(?:{born[0]})\s|(?:^\s?|(?<=[(,;])|(?<=[(,;]\s))(?:{born[1]})\s?)"
        stated = rf"{opening}{fill}(?:{_YEAR_ALONE}|(?<=,\s){_YEAR}(?=\)))"
        passive = rf"(?:{verbs})\s{fill}{_YEAR_ALONE}\s{fill}(?:{born[0]})(?!\w)"
        span = rf"\((?:(?:{born[0]})\s|(?:{born[1]})\s?)?{fill}{_YEAR}\s?{fill}[-–—]"
        dead = rf"(?:(?:{died[0]})\s|(?:{died[1]})\s?)"
        self.birth = re.compile(rf"{stated}|(?<!\w){passive}|{span}")
        """Pattern of a statement of birth; the year is the only group that has anything."""
        self._life = re.compile(rf"\s{{0,2}}{span}\s?{dead}?{fill}{_YEAR}")
        self._birth_behind = re.compile(
            rf"[\s,(]{{0,3}}(?:(?:{verbs})\s)?{stated}|\s{{1,2}}{passive}"
            rf"|\s?\({fill}(?i:{months})\.?\s(?:(?:{dates})\s)?{_YEAR}\)\s(?:{verbs})\s"
        )
        self._birth_before = re.compile(
            rf"(?<!\w)(?:{born[0]})\s{fill}{_YEAR_ALONE}\s?{fill}[\s,]{{1,3}}$"
        )
        self._death = re.compile(
            rf"[\s,(]{{0,3}}{fill}[\s,;)–—-]{{0,4}}(?:(?:{verbs})\s)?{dead}{fill}{_YEAR_ALONE}"
        )

    def years(self, before: str, behind: str) -> tuple[str, str]:
        """The years of birth and death that are stated beside a name; empty where none is.

        Args:
            before: the text before the name, of its line.
            behind: the text behind it, of its line.
        """
        if life := self._life.match(behind):
            born, died = life.groups()
        else:
            birth = self._birth_behind.match(behind)
            death = self._death.match(behind, birth.end() if birth else 0)
            birth = birth or self._birth_before.search(before)
            born, died = (each[each.lastindex or 0] if each else "" for each in (birth, death))
        likely = not (born and died) or _MIN_LIFE <= int(died) - int(born) <= _MAX_LIFE
        return (born, died) if likely else ("", "")

    def occupation_behind(
        self, text: str, own: AbstractSet[str], *, heading: bool
    ) -> tuple[str, int] | None:
        """The English word for an occupation, and where the occupation ends; None without one.

        Args:
            text: what stands behind a name, or all of what follows it in brackets or on a line.
            own: the words of the name, in lower case.
            heading: whether it is the latter, which is no part of a sentence.
        """
        lead = None if heading else self._lead.match(text)
        if not heading and not (lead and (lead["apart"] or lead["verb"])):
            return None
        matches = list(islice(_TOKEN.finditer(text, lead.end() if lead else 0), _MAX_TOKENS))
        tokens = [each[0] for each in matches]
        in_phrase = lead is None or lead["verb"] or lead["article"]
        begin = 0
        while not (found := self._occupation_at(tokens, begin)):
            word = tokens[begin] if begin < min(len(tokens), _MAX_SKIPPED) else ""
            may_specify = word[:1].isalpha() and (word.islower() or in_phrase)
            if not may_specify or word.lower() in self._others:
                return None
            begin += 1
        english, length = found
        end = begin + length
        phrase = " ".join(tokens[begin:end])
        doubtful = phrase.lower() in self._ambiguous and (begin or heading or not phrase.islower())
        if english == _NOTHING or doubtful or own & {*phrase.lower().split()}:
            return None
        return None if self._goes_on(tokens, end) else (english, matches[end - 1].end())

    def occupation_before(self, text: str, own: AbstractSet[str]) -> str:
        """The English word for the occupation or title right before a name; empty without one.

        Args:
            text: the text before the name, of its line.
            own: the words of the name, in lower case.
        """
        words = self._elision.sub(r"\g<0> ", text.rstrip(" \"“„«'")).split()
        while words:
            title = words[-1].replace(".", "").lower()
            if title in self._titles and words[-1][0].isupper():
                return self._titles[title]
            if title not in self._honorifics:
                break
            words.pop()
        if words and words[-1] in self._adjectives:
            words.pop()
        for at in range(max(len(words) - _LONGEST, 0), len(words)):
            phrase = " ".join(words[at:])
            if english := self._english(phrase):
                named = at > 0 and words[at - 1].lower() in self._articles
                fit = (named or phrase.lower() not in self._ambiguous) and english != _NOTHING
                return "" if not fit or own & {*phrase.lower().split()} else english
        return ""

    def _occupation_at(self, tokens: Sequence[str], at: int) -> tuple[str, int] | None:
        """The English word for the longest occupation that begins there, and its tokens."""
        for length in range(min(_LONGEST, len(tokens) - at), 0, -1):
            if english := self._english(" ".join(tokens[at : at + length])):
                return english, length
        return None

    def _english(self, phrase: str) -> str:
        """The English word for an occupation; empty if it is none."""
        written = (phrase, phrase.lower(), phrase.capitalize() if phrase.isupper() else phrase)
        stems = [
            each.removesuffix(ending)
            for each in written
            for ending in self._endings
            if each.endswith(ending)
        ]
        listed = (self._occupations[each] for each in stems if each in self._occupations)
        ends = (
            self._compounds[word[at:]]
            for word in stems
            if " " not in word
            for at in range(_MIN_BEGINNING, len(word))
            if word[at:] in self._compounds
        )
        return next(listed, "") or next(ends, "")

    def _goes_on(self, tokens: Sequence[str], end: int) -> bool:
        """Whether an occupation is part of more words, or another name follows that it is of."""
        while end < len(tokens) and (
            (more := self._occupation_at(tokens, end))
            or tokens[end].lower() in self._and | self._adjectives
        ):
            end += more[1] if more else 1
        following, second = (*tokens[end : end + 2], "", "")[:2]
        if not following[:1].isalpha():
            return following in {"'", "-", "&", ":"}
        of_relative = following in self._articles and second in self._relatives
        joined = tokens[end - 1] in self._and
        return of_relative or (following[0].isupper() and (second[:1].isupper() or not joined))


def _read(language: str) -> tuple[dict[str, list[str]], dict[str, str], dict[str, str]]:
    """Kind → words; title → English occupation; occupation, with its marks → English one."""
    file = ConfigParser(delimiters="=", interpolation=None)
    file.read_string(resource_text(f"people/{language}.txt"))
    sections = {
        section: {
            key: [each.strip() for each in value.split(",")] for key, value in file[section].items()
        }
        for section in file.sections()
    }
    titles, occupations = (
        {each: english for english, listed in sections[section].items() for each in listed}
        for section in ("titles", "occupations")
    )
    return defaultdict(list, sections["words"]), titles, occupations


def _any_of(words: Iterable[str]) -> str:
    """A pattern of any of the words, the longest first; of nothing if there are none."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or "(?!)"


def _any_form_of(words: Iterable[str]) -> tuple[str, str]:
    """Patterns of the words, with a capital or not, and of the signs and abbreviations of some."""
    whole = [each for each in words if each[-1].isalpha()]
    capital = [each.capitalize() for each in whole]
    return _any_of([*whole, *capital]), _any_of(each for each in words if each not in whole)
