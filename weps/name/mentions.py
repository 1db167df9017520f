"""Mentions of a name in a text: the one matcher that all of the program uses.

A mention is found by its family name, and told by what stands before and behind it: given names,
initials and short forms before it or, inverted, behind it. What is no mention of the person is told
by kind (a thing that is named after somebody), or not found at all (another given name).
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from heapq import merge
from operator import attrgetter

from weps._files import word_list
from weps._text import MARKS, token_spans
from weps.name.person_name import (
    FAMILY_FIRST,
    UNSPACED,
    PersonName,
    census_share,
    is_usual_given_name,
    name_parts,
    script_of,
)
from weps.name.spelling import (
    HYPHENS,
    IGNORED,
    NamePattern,
    inflected_pattern,
    plain_letters,
    sounds,
    word_pattern,
)

_NEVER = NamePattern("(?!)")
_REACH = 100
"""Characters before and behind a family name that are read."""
_MIN_MIDDLES, _MAX_MIDDLES = 2, 5
"""Words allowed between given and family name, by their number in the name."""
_GAP = r"[^\S\n]{1,3}"
_GAP_UNSPACED = r"[^\S\n]{0,3}[·・•]?[^\S\n]{0,3}"
_LETTER = "[^\\W\\d_]"
_LOWER = "a-zß-öø-ÿα-ωа-я"
_INITIAL = rf"{_LETTER}\.?(?![\w'’-])"
_CAPITALISED = rf"(?:[^\W\d_{_LOWER}](?:\w{{0,3}}\.|[\w'’{MARKS}-]{{0,30}})|{_INITIAL})"
_MIDDLE = (
    rf"[\"“„«'‘(]{_LETTER}[\w .'’-]{{0,30}}[\"”“»'’)]"
    rf"|(?:(?:bin|ibn|ben|bint|bat){_GAP})?{_CAPITALISED}"
)
"""A nickname in quotation marks, a middle name or initial, or a parent, *bin Ahmed*."""
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
_PREFIXES = {"ARABIC": f"(?:[وبلفك]{IGNORED})?", "HEBREW": f"(?:[ושהכלבמ]{IGNORED}){{0,2}}"}
"""Script → words that are written together with the next one."""
_WORD_BEFORE = re.compile(
    rf"(?<!\w)({_LETTER}[\w'’-]{{0,40}}){_GAP}(?:{_LETTER}\.[^\S\n]{{0,3}}){{0,2}}$"
)
_SENTENCE_BEGINS = re.compile(
    r"(?:\A|\n|(?<!Mr)(?<!Mrs)(?<!Ms)(?<!Dr)(?<!Prof)(?<!Rev)[.!?:;•|\"“(])\s{0,3}$"
)
_USUAL_FAMILY_NAME = 0.01
"""Per cent of people: more are called Long, Little, May and Good, fewer So, He and An."""
_INITIALS_BEFORE = re.compile(rf"{_BEGINS}(?:{_LETTER}\.[^\S\n]{{0,3}}){{1,3}}$")
_CAPITAL_BEHIND = re.compile(rf"{_GAP}[^\W\d_{_LOWER}]")
_HYPHEN_BEHIND = re.compile(rf"[{HYPHENS[:3]}]{_LETTER}")
_SOUNDED = [
    re.compile(
        rf"[\u3400-\u9fff\uac00-\ud7a3]"
        rf"|{first}(?<!{_LETTER}.)(?:{_LETTER}|[{MARKS}'’]|-(?={_LETTER}))*+"
    )
    for first in (_LETTER, r"[^\W\d_A-Za-z]")
]
"""A word, or a character of a script that divides none; also if it does not begin as in English."""
_DIVIDED = re.compile(rf"[^\w {MARKS}\u00a0\u3000·・•'’-]|\s\s")
_MIN_SOUNDS = 4
"""Fewer consonants, or letters of Chinese, agree by chance."""
_INITIALS_ALIKE = ("CHKQX", "EIJY", "FP", "STZ", "VW")
_BEHIND_NAMES = "出任为為曾现現"
"""Characters behind names that the dictionary takes for their last one."""
_REACH_OF_WORDS = 4
"""Characters behind a name by which the dictionary divides it from the next word."""
_NOBLE = frozenset(("von", "und", "zu"))
"""Particles of which Germans write some, *von und zu Guttenberg* or *zu Guttenberg*."""
_POLITE = re.compile(r"[^\S\n]?(?:先生|女士|教授|博士|老师|老師|さん|様|氏|씨|님|교수|박사)")
"""Words behind a family name of one or two characters, which else is part of other words."""


class MentionKind(StrEnum):
    """Kinds of mentions, from the surest on."""

    FULL = "full"
    """Given and family name."""
    SPELLING = "spelling"
    """Given and family name in other letters: without accents, *Mueller*, *Ивана Петрова*."""
    ALIKE = "other spelling"
    """With a given name that sounds the same, *Dmitry* for *Dmitri*, which may be the person."""
    SHORT = "short form"
    """With a short form of the given name, *Bob* for *Robert*, which may be the person."""
    INITIALS = "initials"
    """With initials that fit, which may be the person."""
    SCRIPT = "other script"
    """In another script, which may be the person."""
    FAMILY = "family name"
    """The family name alone."""
    LONGER = "longer"
    """Within a double name or a longer one, *Baker-Smith*, which is seldom the person."""
    THING = "thing"
    """Something that is named after a person of this name."""


_WHOLE = frozenset({MentionKind.FULL, MentionKind.SPELLING})
_OF_GIVEN = (MentionKind.FULL, MentionKind.SHORT, MentionKind.INITIALS, MentionKind.ALIKE)
"""Ways to write a given name, the surest first; patterns have a group of each name."""


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


class Matcher:
    """Finder of mentions of a name; its patterns are compiled once each."""

    def __init__(self, name: PersonName) -> None:
        self.name = name
        self._family_first = name.script in FAMILY_FIRST
        self.family_pattern = _family_pattern(name) if name.family else _NEVER
        self._before, self._behind = _given_patterns(name) if name.given else (_NEVER, _NEVER)
        self._thing_before, self._thing_behind = _thing_patterns()
        particles = "".join(f"{word_pattern(each)}{_GAP}" for each in name.particles)
        self._own_particles = NamePattern(rf"{_BEGINS}{particles}$") if particles else _NEVER

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
                found[-1] = min(
                    (found[-1], mention),
                    key=lambda each: ([*MentionKind].index(each.kind), each.start - each.end),
                )
            else:
                found.append(mention)
        return iter(found)

    def _find(self, text: str) -> Iterator[Mention]:
        """The mentions of the name in its first spelling."""
        free, lower = 0, ""
        for found in self.family_pattern(text).finditer(text):
            if found.start() < free:
                continue
            # Most texts have no name: their case is of no interest.
            common = found[0].islower() and text != (lower := lower or text.lower())
            if mention := self._mention(text, found, free, common=common):
                free = mention.end
                yield mention
        if not free and self.name.given and not (self.name.script == "LATIN" and text.isascii()):
            yield from self._in_other_script(text)

    def _in_other_script(self, text: str) -> Iterator[Mention]:
        """Given and family name side by side, in any order, by their sound."""
        pattern, free = _SOUNDED[self.name.script == "LATIN"], 0
        words = [
            word
            for word in pattern.finditer(text)
            if not (word[0].islower() and word[0].title() != word[0])
            and script_of(word[0][0]) != self.name.script
        ]
        for at, single in enumerate(words):
            script = self.name.script if self.name.script != "LATIN" else script_of(single[0])
            first, every = (
                sounds(self.name.given[0], script),
                sounds("".join(self.name.given), script),
            )
            own = (sounds(self.name.family, script), first | every)
            heard = sounds(single[0], script)
            if single.start() < free or heard.isdisjoint(frozenset.union(*own)):
                continue
            behind, before = words[at + 1 : at + 3], words[max(at - 2, 0) : at]
            for others in filter(None, (behind[:1], behind, before[-1:], before)):
                start = min(others[0].start(), single.start())
                end = max(others[-1].end(), single.end())
                written = "".join(word[0] for word in others)
                pair = (heard, sounds(written, script))
                fit = [all(map(frozenset.__and__, pair, each)) for each in (own, own[::-1])]
                is_long = sum(len(max(each, key=len)) for each in pair) >= _MIN_SOUNDS
                if start < free or _DIVIDED.search(text, start, end) or not (any(fit) and is_long):
                    continue
                given, family = (written, single[0]) if fit[0] else (single[0], written)
                yield Mention(
                    MentionKind.SCRIPT,
                    start,
                    end,
                    before=text[max(free, start - _REACH) : start].rpartition("\n")[2],
                    after=text[end : end + _REACH].partition("\n")[0],
                    given=given,
                    family=family,
                    inverted=text.startswith(family, start) and script not in FAMILY_FIRST,
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
        bare = self._own_particles(before).sub("", before)
        inverted = False
        if given := self._given_before(family[0], before) or self._on_line_above(
            family[0], before, after
        ):
            start -= len(before) - given.start()
        elif given := self._given_behind(family[0], bare, after):
            end += given.end()
            inverted = not self._family_first
        elif self.name.given and (
            common
            or self._is_nobody(family[0], bare, after)
            or self._is_own_given_name(text, family)
        ):
            return None
        before, after = text[max(free, start - _REACH) : start], text[end : end + _REACH]
        if before.endswith("/") and not _SLASH_IN_TEXT.search(f"{before}{text[start]}"):
            return None  # an address
        kind = self._kind(given, family[0])
        if not inverted and self.name.script not in UNSPACED and _HYPHEN_BEHIND.match(after):
            if kind is MentionKind.FAMILY:
                return None
            kind = MentionKind.LONGER
        if kind in _WHOLE and self.name.script == "CJK" and _begins_longer(text[start:end], after):
            kind = MentionKind.LONGER
        before, after = before.rpartition("\n")[2], after.partition("\n")[0]
        is_thing = self._thing_behind.match(after) or self._thing_before.search(before)
        if kind in _WHOLE and self.name.given and is_thing:
            kind = MentionKind.THING
        written = given[_way_of(given).name] if given else ""
        between = tuple((given["between"] or "").split()) if given else ()
        return Mention(kind, start, end, before, after, written, between, family[0], inverted)

    def _kind(self, given: re.Match[str] | None, family: str) -> MentionKind:
        if given is None and self.name.given:
            return MentionKind.FAMILY
        written, typed = (given[MentionKind.FULL.name], self.name.given[0]) if given else ("", "")
        if written is None:
            return _way_of(given)
        same = f"{written} {family}".lower() == f"{typed} {self.name.family}".lower()
        return MentionKind.FULL if same else MentionKind.SPELLING

    def _is_own_given_name(self, text: str, family: re.Match[str]) -> bool:
        """Whether the family name is the given name of the next one: in *Owen J. Owen*."""
        if plain_letters(self.name.given[0]) != plain_letters(family[0]):
            return False
        behind = self.family_pattern(text).search(text, family.end(), family.end() + _REACH)
        between = text[family.start() : behind.start()] if behind else ""
        found = behind and self._given_before(behind[0], between)
        return found is not None and found.start() == 0

    def _on_line_above(self, family: str, before: str, after: str) -> re.Match[str] | None:
        """The given names, if they are all of a line, and the family name all of the next one."""
        above, divided, left = before.rpartition("\n")
        if not divided or left or after.partition("\n")[0].strip():
            return None
        found = self._given_before(family, f"{above} ")
        return found if found and found.start() == above.rfind("\n") + 1 else None

    def _given_before(self, family: str, before: str) -> re.Match[str] | None:
        """The given names at the end of what stands before a family name, the surest of them."""
        found = self._before(before).finditer(before)
        fit = (each for each in found if self._is_given(each, family, before))
        return min(fit, key=lambda each: _OF_GIVEN.index(_way_of(each)), default=None)

    def _given_behind(self, family: str, before: str, after: str) -> re.Match[str] | None:
        """The given names at the beginning of what stands behind a family name."""
        found = self._behind(after).match(after)
        if (
            found
            and self._is_given(found, family, "")
            and self._stands_behind(family, before, found)
        ):
            return found
        return None

    def _is_given(self, found: re.Match[str], family: str, before: str) -> bool:
        """Whether what may be the given name is.

        No initial is one behind another given name: *Earnest A. Markham*; what sounds alike is no
        other usual name: *Karl* and *Carl*; and of what has endings both parts have them:
        *Stanisława Wójcik* is not *Stanisław Wójcik*; in Vietnamese, other signs are another name.
        """
        written = found[MentionKind.FULL.name]
        own = self.name.given[0]
        if not name_parts("family-first").isdisjoint(map(plain_letters, (own, self.name.family))):
            pairs = ((written or own, own), (family, self.name.family))
            if any(_has_other_signs(*pair) for pair in pairs):
                return False
        if written and len(written) > len(own) and family == self.name.family:
            plain = [plain_letters(each) for each in (written, own)]
            return plain[0] == plain[1] or not plain[0].startswith(plain[1])
        if found[MentionKind.INITIALS.name]:
            word = _WORD_BEFORE.search(before[: found.start()])
            return not (word and _is_given_name(word[1]))
        if alike := found[MentionKind.ALIKE.name]:
            both = (alike, self.name.given[0])
            heard = frozenset.intersection(*(sounds(each, "LATIN") for each in both))
            is_long = any(re.search("[aeiou][^aeiou]+[aeiou]", each) for each in heard)
            return is_long and not all(map(is_usual_given_name, both))
        return True

    def _stands_behind(self, family: str, before: str, given: re.Match[str]) -> bool:
        """Whether the given name behind a family name goes with it: not in *Lee Baker, Thomas*."""
        if self._family_first:
            return True
        word = _WORD_BEFORE.search(before)
        if given["comma"]:
            return not (word and _is_given_name(word[1]))
        if given[MentionKind.INITIALS.name] and not given[0].endswith("."):
            return False
        written = given[MentionKind.FULL.name]
        if family.isupper() and written and not written.isupper():
            return True
        # Thomas James is not James Thomas.
        return not (is_usual_given_name(self.name.family) or (word and word[1][0].isupper()))

    def _is_nobody(self, family: str, before: str, after: str) -> bool:
        """Whether a family name without a given name is rather another person's, or no name.

        So it is if another given name, an initial or a particle stands before it, if a given name
        follows where family names stand first, *Zhang Weiwei*, or if it is a function word in
        capitals or at the beginning of a sentence and no usual name: *An hour later*.
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
            or (
                family.lower() in word_list("stopwords/english.txt")
                and census_share("last", family) < _USUAL_FAMILY_NAME
                and (family.isupper() or _SENTENCE_BEGINS.search(before) is not None)
            )
        )


matcher = lru_cache(maxsize=32)(Matcher)
"""The matcher of a name."""


def _has_other_signs(first: str, second: str) -> bool:
    """Whether both words have accents or signs of tones, and not the same."""
    one, other = (unicodedata.normalize("NFC", each.lower()) for each in (first, second))
    return not (one.isascii() or other.isascii()) and one != other


def _begins_longer(name: str, after: str) -> bool:
    """Whether a name of two characters begins a longer one, *陈伟* in *陈伟玲*."""
    if len(name) != 2 or script_of(after[:1]) != "CJK" or after[0] in _BEHIND_NAMES:
        return False
    return token_spans(name + after[:_REACH_OF_WORDS])[0][1] > len(name)


def _way_of(given: re.Match[str] | None) -> MentionKind:
    """The way in which a given name is written; that of a name without one is full."""
    return next((each for each in _OF_GIVEN if given and given[each.name]), MentionKind.FULL)


def _family_pattern(name: PersonName) -> NamePattern:
    """A pattern of the family name."""
    given = "".join(name.given)
    pattern = _in_syllables(name.family, given) or inflected_pattern(name.family, given)
    if name.script in UNSPACED:
        return NamePattern(rf"{pattern}{_WHOLE_LETTER}(?![{MARKS}])")
    ends = _WHOLE_LETTER if name.script == "HANGUL" else _ENDS_OR_GOES_ON
    first = re.match(r"\[[^\]]*\]", pattern)  # nothing is tried where no such letter stands
    if first is None or name.script in _PREFIXES:
        return NamePattern(rf"{_BEGINS}{_PREFIXES.get(name.script, '')}{pattern}{ends}")
    return NamePattern(rf"{first[0]}{_FAMILY_BEGINS}{pattern[first.end() :]}{ends}", re.DOTALL)


def _given_patterns(name: PersonName) -> tuple[NamePattern, NamePattern]:
    """Patterns of the given names before a family name, up to it, and of those behind one."""
    spaced, given = name.script not in UNSPACED, _given_pattern(name)
    if name.script in FAMILY_FIRST:
        behind = rf"(?P<comma>){_CHARACTER_GAP}{given}(?P<between>){_WHOLE_LETTER}"
        return _NEVER, NamePattern(behind)
    gap = _GAP if spaced else _GAP_UNSPACED
    begins = (_BEGINS if spaced else "") + _PREFIXES.get(name.script, "")
    typed = [rf"(?:{word_pattern(w)}|{word_pattern(w[0])}\.?)(?!\w)" for w in name.given[1:]]
    middle = "|".join([*typed, _MIDDLE])
    most = min(max(_MIN_MIDDLES, len(name.given) - 1), _MAX_MIDDLES)
    step = rf"(?:{gap}|(?<=\.)|[{HYPHENS}])"
    between = rf"(?P<between>(?:{step}(?:{middle})){{0,{most}}}?){step}"
    noble = () if _NOBLE.isdisjoint(name.particles) else _NOBLE
    known = "|".join(map(word_pattern, sorted({*name.particles, *noble}))) or "(?!)"
    most_particles = max(len(name.particles), len(noble))
    before = rf"{begins}{given}(?={between}(?:(?:{known}){gap}){{0,{most_particles}}}$)"
    particles = rf"(?:{gap}(?:{known})){{0,{most_particles}}}"
    comma, ends = rf"(?:(?P<comma>,)[^\S\n]{{0,3}}|{gap})", _ENDS if spaced else ""
    own_middles = "|".join(typed) or "(?!)"
    between = rf"(?P<between>(?:{_GAP}(?:{own_middles}|{_INITIAL})){{0,{most}}})"
    behind = rf"{comma}(?:(?:{own_middles}){gap}){{0,{most}}}{given}{ends}{between}{particles}"
    return NamePattern(before), NamePattern(behind)


_CHARACTER_GAP = rf"{_GAP_UNSPACED}(?:[(（][^()（）\n]{{1,20}}[)）])?{_GAP_UNSPACED}"
"""Between two characters of a name in Chinese, Japanese or Korean, also their reading."""


def _given_pattern(name: PersonName) -> str:
    """The first given name in all ways, each in a group that is named after its kind."""
    first, letter = name.given[0], name.given[0][0].upper()
    own = _in_syllables(first, name.family) or inflected_pattern(first, name.family)
    if name.script in FAMILY_FIRST:
        ways = {"FULL": _CHARACTER_GAP.join(map(word_pattern, first))}
    elif name.script in UNSPACED:
        ways = {"FULL": own}
    elif len(first) == 1:
        ways = {"FULL": rf"{own}(?:\.|(?!\w))", "INITIALS": rf"{own}{_LETTER}{{1,30}}(?!\w)"}
    else:
        short = map(word_pattern, sorted(_short_forms().get(plain_letters(first), ())))
        alike = next((each for each in _INITIALS_ALIKE if letter in each), letter)
        ways = {
            "FULL": rf"{own}(?!\w)",
            "SHORT": rf"(?:{'|'.join(short) or '(?!)'})(?!\w)",
            "INITIALS": rf"{word_pattern(letter)}(?:\.|(?<={re.escape(letter)})(?=[^\S\n]))",
            "ALIKE": rf"[{re.escape(alike)}]\w{{2,30}}(?!\w)",
        }
    groups = (f"(?P<{each.name}>{ways.get(each.name, '(?!)')})" for each in _OF_GIVEN)
    return f"(?:{'|'.join(groups)})"


def _in_syllables(word: str, other: str) -> str:
    """The pattern of a Chinese, Korean or Vietnamese given name, whose syllables may be divided.

    Empty if ``other``, the rest of the name, is no family name of these.
    """
    is_given = plain_letters(other) in name_parts("family-first")
    return word_pattern("-".join(word)) if is_given and script_of(word) == "LATIN" else ""


@cache
def _short_forms() -> Mapping[str, AbstractSet[str]]:
    """Given name in plain letters → its well-known short forms, and names it is a short form of."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for full, *short in map(str.split, word_list("names/short_forms.txt")):
        found[full].update(short)
        for each in short:
            found[each].add(full)
    return found


def _is_given_name(word: str) -> bool:
    """Whether a word with a capital is a given name of the census."""
    return word[0].isupper() and census_share("first", word) > 0


@cache
def _thing_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns of the words before and behind a whole name that make it that of a thing."""
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
