"""Mentions of a name in a text: the one matcher that all of the program uses.

A mention is found by its family name, and told by what stands before and behind it: given names,
initials and short forms before it or, inverted, behind it. What is no mention of the person is told
by kind (a thing that is named after somebody), or not found at all (another given name).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from heapq import merge
from operator import attrgetter

from weps._files import resource_text, weighted_words
from weps._text import MARKS
from weps.name.person_name import FAMILY_FIRST, UNSPACED, PersonName, name_parts, script_of
from weps.name.spelling import (
    HYPHENS,
    IGNORED,
    inflected_pattern,
    plain_letters,
    sound,
    word_pattern,
)

_REACH = 100
"""Characters before and behind a family name that are read."""
_MIN_MIDDLES, _MAX_MIDDLES = 2, 5
"""Words allowed between given and family name, by their number in the name."""
_GAP = r"[^\S\n]{1,3}"
_GAP_UNSPACED = r"[^\S\n]{0,3}[·・•]?[^\S\n]{0,3}"
_READING = r"(?:[(（][^()（）\n]{1,20}[)）])?"
"""The reading of Chinese characters, in brackets."""
_LETTER = "[^\\W\\d_]"
_LOWER = "a-zß-öø-ÿα-ωа-я"
_INITIAL = rf"{_LETTER}\.?(?![\w'’-])"
_QUOTED = rf"[\"“„«'‘(]{_LETTER}[\w .'’-]{{0,30}}[\"”“»'’)]"
_CAPITALISED = rf"(?:[^\W\d_{_LOWER}](?:\w{{0,3}}\.|[\w'’{MARKS}-]{{0,30}})|{_INITIAL})"
_BEGINS = rf"(?<![\w@.{MARKS}])(?<!\w-)(?<!\w\w[’'])(?<![Oo][’'])"
"""No part of a word, an address or a double name stands before; French *d'* may."""
_FAMILY_BEGINS = rf"(?<![\w@{MARKS}].)(?<!\w\w[’'].)(?<![Oo][’'].)(?<!\w\w\..)"
"""Condition before a family name, seen from behind its first letter, by which the search starts. A
point may belong to an initial, *J.R. Baker*."""
_SLASH_IN_TEXT = re.compile(
    rf"(?:^|[\s\"“„«'‘(\[])(?:[^\W_]{{1,30}}/"
    rf"|(?:(?:{_LETTER}\.){{0,3}}[^\W{_LOWER}][\w'’-]{{0,30}}/){{1,3}})[^{_LOWER}]$"
)
"""Slashes behind words, *Paul Miller/Jude Brown*, not in addresses, and a letter."""
_ENDS = rf"(?![\w@{MARKS}]|[{HYPHENS[:3]}]\w)"
_ENDS_OR_GOES_ON = rf"(?![\w@{MARKS}])"
_WHOLE_LETTER = "(?![\u1161-\u11ff\u3099\u309a])"
"""No part of a Korean syllable or of a Japanese one follows."""
_PREFIXES = f"(?:[وبلفك]{IGNORED})?"
"""Arabic words that are written together with the next one."""
_WORD_BEFORE = re.compile(
    rf"(?<!\w)({_LETTER}[\w'’-]{{0,40}}){_GAP}(?:{_LETTER}\.[^\S\n]{{0,3}}){{0,2}}$"
)
_INITIALS_BEFORE = re.compile(rf"{_BEGINS}(?:{_LETTER}\.[^\S\n]{{0,3}}){{1,3}}$")
_CAPITAL_BEHIND = re.compile(rf"{_GAP}[^\W\d_{_LOWER}]")
_HYPHEN_BEHIND = re.compile(rf"[{HYPHENS[:3]}]{_LETTER}")
_SIGNED_LETTERS = rf"(?:{_LETTER}[{MARKS}'’]*)+"
_SOUNDED = re.compile(rf"[\u3400-\u9fff\uac00-\ud7a3]|{_SIGNED_LETTERS}(?:-{_SIGNED_LETTERS})*")
"""A word of another script, or a character of one that divides none."""
_DIVIDED = re.compile(rf"[^\w {MARKS}\u00a0\u3000·・•'’-]|\s\s")
_MIN_SOUNDS = 4
"""Fewer consonants, or letters of Chinese, agree by chance."""
_POLITE = re.compile(r"[^\S\n]?(?:先生|女士|教授|博士|老师|老師|さん|様|氏|씨|님|교수|박사)")
"""Words behind a family name of one or two characters, which else is part of other words."""


class MentionKind(StrEnum):
    """Kinds of mentions, from the surest on."""

    FULL = "full"
    """Given and family name."""
    SPELLING = "spelling"
    """Given and family name in other letters: without accents, *Mueller*, *Ивана Петрова*."""
    SHORT = "short form"
    """With a short form of the given name, *Bob* for *Robert*, which may be the person."""
    INITIALS = "initials"
    """With initials that fit, which may be the person."""
    SCRIPT = "other script"
    """In another script, which may be the person."""
    FAMILY = "family name"
    """The family name alone."""
    LONGER = "longer"
    """Within a double name, *Baker-Smith*, which is seldom the person."""
    THING = "thing"
    """Something that is named after a person of this name."""


_WHOLE = frozenset({MentionKind.FULL, MentionKind.SPELLING})


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention of the name, ``Prof. Thomas J. Baker``."""

    kind: MentionKind
    start: int
    """Position of the first character in the text."""
    end: int
    """Position behind the last character in the text."""
    before: str
    """Characters before it on its line."""
    after: str
    """Characters behind it on its line."""
    given: str = ""
    """The given name, its short form or its initial, as written."""
    between: tuple[str, ...] = ()
    """Words between given and family name, with quotation marks and brackets; the initials behind
    ``Baker, Thomas J.``"""
    family: str = ""
    """The family name as written."""
    inverted: bool = False
    """Whether the family name stands first though it usually does not."""

    @property
    def is_whole(self) -> bool:
        """Whether it has given and family name in full."""
        return self.kind in _WHOLE


@lru_cache(maxsize=32)
def matcher(name: PersonName) -> Matcher:
    """The matcher of a name."""
    return Matcher(name)


class Matcher:
    """Finder of mentions of a name; its patterns are compiled once."""

    def __init__(self, name: PersonName) -> None:
        self.name = name
        self._spaced = name.script not in UNSPACED
        self._family_first = name.script in FAMILY_FIRST
        self.family_pattern = _family_pattern(name)
        self._before, self._behind = _given_patterns(name)
        self._sounds = {
            vowels: [
                sound(part, vowels=vowels)
                for part in (name.family, "".join(name.given[:1]), "".join(name.given))
            ]
            for vowels in (False, True)
        }
        """With vowels or without → the family name, the first given name, and all given names."""
        particles = "".join(f"{word_pattern(each)}{_GAP}" for each in name.particles)
        self._own_particles = re.compile(rf"{_BEGINS}{particles}$" if particles else "(?!)")

    def find(self, text: str) -> Iterator[Mention]:
        """The mentions in a text, in order; none overlap. Takes linear time.

        Where those of several spellings overlap, the surest is one, and of equally sure ones the
        longest. Another script is read only where the name is not found in its own.

        Args:
            text: any, its lines divided by line feeds.
        """
        if not self.name.others:
            return self._find(text)
        every = (self._find(text), *(matcher(each).find(text) for each in self.name.others))
        found: list[Mention] = []
        for mention in merge(*every, key=attrgetter("start")):
            if found and mention.start < found[-1].end:
                found[-1] = min(found[-1], mention, key=_surer_first)
            else:
                found.append(mention)
        return iter(found)

    def _find(self, text: str) -> Iterator[Mention]:
        """The mentions of the name in its first spelling."""
        if not self.name.family:
            return
        free, in_capitals = 0, text != text.lower()
        for found in self.family_pattern.finditer(text):
            if found.start() < free:
                continue
            if mention := self._mention(
                text, found, free, common=in_capitals and found[0].islower()
            ):
                free = mention.end
                yield mention
        if not free and self.name.given and not (self.name.script == "LATIN" and text.isascii()):
            yield from self._in_other_script(text)

    def _in_other_script(self, text: str) -> Iterator[Mention]:
        """Given and family name side by side, in any order, by their sound."""
        words = [w for w in _SOUNDED.finditer(text) if script_of(w[0]) != self.name.script]
        free = 0
        for at, family in enumerate(words):
            vowels = bool({script_of(family[0]), self.name.script} & FAMILY_FIRST)
            key, keys = sound(family[0], vowels=vowels), self._sounds[vowels]
            if key != keys[0] or family.start() < free:
                continue
            behind, before = words[at + 1 : at + 3], words[max(at - 2, 0) : at]
            for given in filter(None, (behind[:1], behind, before[-1:], before)):
                start = min(given[0].start(), family.start())
                end = max(given[-1].end(), family.end())
                written = "".join(word[0] for word in given)
                if (
                    start < free
                    or _DIVIDED.search(text, start, end)
                    or (given_key := sound(written, vowels=vowels)) not in keys[1:]
                    or len(key + given_key) < _MIN_SOUNDS
                ):
                    continue
                yield Mention(
                    MentionKind.SCRIPT,
                    start,
                    end,
                    before=text[max(free, start - _REACH) : start].rpartition("\n")[2],
                    after=text[end : end + _REACH].partition("\n")[0],
                    given=written,
                    family=family[0],
                    inverted=start == family.start() and self.name.script not in FAMILY_FIRST,
                )
                free = end
                break

    def _mention(
        self, text: str, family: re.Match[str], free: int, *, common: bool
    ) -> Mention | None:
        """The mention of which this is the family name; None if it is somebody else's.

        Args:
            text: which is free of other mentions from ``free`` on.
            family: the family name.
            free: see there.
            common: whether it is written as common words are on this page.
        """
        start, end = family.span()
        before, after = text[max(free, start - _REACH) : start], text[end : end + _REACH]
        bare = self._own_particles.sub("", before)
        given, inverted = None, False
        if self.name.given:
            if not self._family_first:
                given = self._given_before(before) or self._on_line_above(before, after)
            if given:
                start -= len(before) - given.start()
            elif given := self._given_behind(family[0], bare, after):
                end += given.end()
                inverted = not self._family_first
            elif common or self._is_nobody(family[0], bare, after):
                return None
        before, after = text[max(free, start - _REACH) : start], text[end : end + _REACH]
        if before.endswith("/") and not _SLASH_IN_TEXT.search(f"{before}{text[start]}"):
            return None  # an address
        kind = self._kind(given, family[0])
        if not inverted and self._spaced and _HYPHEN_BEHIND.match(after):
            if kind is MentionKind.FAMILY:
                return None
            kind = MentionKind.LONGER
        before, after = before.rpartition("\n")[2], after.partition("\n")[0]
        if kind in _WHOLE and self.name.given and _is_thing(before, after):
            kind = MentionKind.THING
        between = tuple((given["between"] or "").split()) if given else ()
        written = next(filter(None, given.group("given", "short", "initial"))) if given else ""
        return Mention(kind, start, end, before, after, written, between, family[0], inverted)

    def _kind(self, given: re.Match[str] | None, family: str) -> MentionKind:
        if given is None and self.name.given:
            return MentionKind.FAMILY
        if given and not given["given"]:
            return MentionKind.SHORT if given["short"] else MentionKind.INITIALS
        written = [*([given["given"]] if given else []), family]
        typed = [*self.name.given[:1], self.name.family]
        is_same = " ".join(written).lower() == " ".join(typed).lower()
        return MentionKind.FULL if is_same else MentionKind.SPELLING

    def _on_line_above(self, before: str, after: str) -> re.Match[str] | None:
        """The given names, if they are all of a line, and the family name all of the next one."""
        above, divided, left = before.rpartition("\n")
        if not divided or left or after.partition("\n")[0].strip():
            return None
        found = self._given_before(f"{above} ")
        return found if found and found.start() == above.rfind("\n") + 1 else None

    def _given_before(self, before: str) -> re.Match[str] | None:
        """The given names at the end of what stands before a family name.

        No initial is one behind another given name: *Earnest A. Markham*.
        """
        given = next(filter(None, (each.search(before) for each in self._before)), None)
        word = given and _WORD_BEFORE.search(before[: given.start()])
        return None if given and given["initial"] and word and _is_given_name(word[1]) else given

    def _given_behind(self, family: str, before: str, after: str) -> re.Match[str] | None:
        """The given names at the beginning of what stands behind a family name."""
        given = next(filter(None, (each.match(after) for each in self._behind)), None)
        return given if given and self._stands_behind(family, before, given) else None

    def _stands_behind(self, family: str, before: str, given: re.Match[str]) -> bool:
        """Whether the given name behind a family name goes with it: not in *Lee Baker, Thomas*."""
        if self._family_first:
            return True
        word = _WORD_BEFORE.search(before)
        if given["comma"]:
            return not (word and _is_given_name(word[1]))
        if given["initial"] and not given[0].endswith("."):
            return False
        if family.isupper() and given["given"] and not given["given"].isupper():
            return True
        return self.name.may_be_inverted and not (word and word[1][0].isupper())

    def _is_nobody(self, family: str, before: str, after: str) -> bool:
        """Whether a family name without a given name is rather another person's, or no name.

        So it is if another given name, an initial or a particle stands before it, or if a given
        name follows where family names stand first, *Zhang Weiwei*.
        """
        if self._family_first:
            return not _POLITE.match(after)
        word = _WORD_BEFORE.search(before)
        return (
            before.endswith("-")
            or _INITIALS_BEFORE.search(before) is not None
            or (word is not None and (_is_given_name(word[1]) or word[1] in name_parts("particle")))
            or (
                _CAPITAL_BEHIND.match(after) is not None
                and plain_letters(family) in name_parts("family-first")
            )
        )


def _surer_first(mention: Mention) -> tuple[bool, int, int]:
    """A key that is lower for mentions that are surer, or longer."""
    return not mention.is_whole, [*MentionKind].index(mention.kind), mention.start - mention.end


def _family_pattern(name: PersonName) -> re.Pattern[str]:
    """A pattern of the family name."""
    pattern = inflected_pattern(name.family)
    if name.script in UNSPACED:
        return re.compile(rf"{pattern}{_WHOLE_LETTER}(?![{MARKS}])")
    if name.script == "HANGUL":
        return re.compile(rf"{_BEGINS}{pattern}{_WHOLE_LETTER}")
    if name.script == "ARABIC":
        return re.compile(rf"{_BEGINS}{_PREFIXES}{pattern}{_ENDS_OR_GOES_ON}")
    first = re.match(r"\[[^\]]*\]", pattern)  # nothing is tried where no such letter stands
    if first is None:
        return re.compile(rf"{_BEGINS}{pattern}{_ENDS_OR_GOES_ON}")
    rest = pattern[first.end() :]
    return re.compile(rf"{first[0]}{_FAMILY_BEGINS}{rest}{_ENDS_OR_GOES_ON}", re.DOTALL)


def _given_patterns(
    name: PersonName,
) -> tuple[tuple[re.Pattern[str], ...], tuple[re.Pattern[str], ...]]:
    """Patterns of the given names that end before a family name, and that begin behind it.

    Those with the given name come before those with a short form or an initial.
    """
    if not name.given:
        return (), ()
    spaced, patterns = name.script not in UNSPACED, _given_patterns_alone(name)
    if name.script in FAMILY_FIRST:
        behind = rf"(?P<comma>){_CHARACTER_GAP}{patterns[0]}(?P<between>){_WHOLE_LETTER}"
        return (), (re.compile(behind),)
    gap = _GAP if spaced else _GAP_UNSPACED
    begins = (_BEGINS if spaced else "") + (_PREFIXES if name.script == "ARABIC" else "")
    typed = [rf"(?:{word_pattern(w)}|{word_pattern(w[0])}\.?)(?!\w)" for w in name.given[1:]]
    middle = "|".join([*typed, _QUOTED, _CAPITALISED])
    most = min(max(_MIN_MIDDLES, len(name.given) - 1), _MAX_MIDDLES)
    step = rf"(?:{gap}|(?<=\.)|[{HYPHENS}])"
    between = rf"(?P<between>(?:{step}(?:{middle})){{0,{most}}}?){step}"
    particles = "".join(rf"{word_pattern(each)}{gap}" for each in name.particles)
    before = [rf"{begins}{given}{between}(?:{particles})?$" for given in patterns]
    particles = "".join(rf"{gap}{word_pattern(each)}" for each in name.particles)
    comma, ends = rf"(?:(?P<comma>,)[^\S\n]{{0,3}}|{gap})", _ENDS if spaced else ""
    initials = rf"(?P<between>(?:{_GAP}{_INITIAL}){{0,2}})"
    after = [rf"{comma}{given}{ends}{initials}(?:{particles})?" for given in patterns]
    return tuple(map(re.compile, before)), tuple(map(re.compile, after))


_CHARACTER_GAP = rf"{_GAP_UNSPACED}{_READING}{_GAP_UNSPACED}"
"""Between two characters of a name in Chinese, Japanese or Korean."""


def _given_patterns_alone(name: PersonName) -> tuple[str, ...]:
    """The first given name; a short form of it, or its initial; each in a group of its own."""
    first, never = name.given[0], "(?!)"
    given, short, initial = inflected_pattern(first, name.family), never, never
    if name.script in FAMILY_FIRST:
        given = _CHARACTER_GAP.join(map(word_pattern, first))
    elif len(first) == 1 and name.script not in UNSPACED:
        given, initial = rf"{given}(?:\.|(?!\w))", rf"{given}{_LETTER}{{1,30}}(?!\w)"
    elif name.script not in UNSPACED:
        given = rf"{given}(?!\w)"
        if forms := short_forms(plain_letters(first)):
            short = rf"(?:{'|'.join(map(word_pattern, sorted(forms)))})(?!\w)"
        letter = first[0].upper()
        initial = rf"{word_pattern(letter)}(?:\.|(?<={re.escape(letter)})(?=[^\S\n]))"
    groups = rf"(?P<given>{given})", rf"(?P<short>{short})", rf"(?P<initial>{initial})"
    none = "(?P<short>(?!))(?P<initial>(?!))"
    return (
        rf"(?:{groups[0]}|{none})",
        rf"(?:(?P<given>(?!))|{groups[1]}|{groups[2]})",
    )


def short_forms(given: str) -> frozenset[str]:
    """Well-known short forms of a given name in plain letters, and names it is a short form of."""
    lines = map(str.split, resource_text("names/short_forms.txt").splitlines())
    known = {full: frozenset(short) for full, *short in lines if full != "#"}
    return known.get(given, frozenset()) | {full for full, short in known.items() if given in short}


def _is_given_name(word: str) -> bool:
    """Whether a word with a capital is a given name of the census."""
    known = weighted_words("names/first.txt")
    return word[0].isupper() and known.get(plain_letters(word), 0.0) > 0


@cache
def _thing_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    adjectives, before, behind = (
        "|".join(sorted(map(re.escape, name_parts(f"thing-{kind}")), key=len, reverse=True))
        for kind in ("adjective", "before", "behind")
    )
    noun = rf"(?i:(?:(?:{adjectives})[^\S\n]{{1,2}}){{0,2}}(?:{behind})(?!\w|[^\S\n]of\b))"
    own = r"(?:['’]s[^\S\n]{1,2}(?=[A-Z])|(?:,?[^\S\n][JS]r\.?)?[^\S\n]{0,2})"
    return (
        re.compile(rf"(?<!\w)(?:{before})[^\S\n]{{1,2}}[\"“'«]?$", re.IGNORECASE),
        re.compile(f"{own}{noun}"),
    )


def _is_thing(before: str, after: str) -> bool:
    """Whether the words around a whole name make it that of a thing."""
    find_before, match_behind = _thing_patterns()
    return bool(match_behind.match(after) or find_before.search(before))
