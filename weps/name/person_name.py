"""A person's name as it is typed: given names, particles, family name, what goes with them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain

from weps._files import weighted_words, word_list
from weps._text import split_words
from weps.name.spelling import address_spellings, plain_letters

UNSPACED = frozenset("CJK HIRAGANA KATAKANA THAI LAO KHMER MYANMAR".split())
"""Scripts that do not divide words by blanks."""
FAMILY_FIRST = frozenset("CJK HIRAGANA HANGUL".split())
"""Scripts in which the family name stands first; foreign names are written in katakana."""
_MAX_LENGTH, _MAX_WORDS = 200, 12
"""Characters and words of a name that are read; nobody has a longer one."""
_HALVES = re.compile(r"[\s\u3000·・•]+")
_EDGES = " \t\n.,;:\"“”„«»‘’'()[]{}/\\|_*#-–—"
_TIGHT_INITIALS = re.compile(r"(?:[^\W\d_]\.)+(?=-?[^\W\d_])")
_USUAL_GIVEN_NAME = 0.01
"""Per cent of the people; fewer have a word as given name that is first of all a family name."""


@dataclass(frozen=True, slots=True)
class PersonName:
    """A name, its parts as typed, and its words."""

    text: str
    """As typed."""
    given: tuple[str, ...] = ()
    """Given names and initials, without points; none of a name of one word."""
    particles: tuple[str, ...] = ()
    """*van der*, *de la*, before the family name."""
    family: str = ""
    """The last word of the family name, or a double name with its hyphen; empty if nothing of the
    name is left."""
    script: str = ""
    """Script of the family name as Unicode calls it, such as ``LATIN`` or ``CJK``."""
    tokens: tuple[str, ...] = ()
    """The words in lower case, given names first."""
    others: tuple[PersonName, ...] = ()
    """Its other spellings, and other names of the person."""

    @classmethod
    def parse(cls, text: str, also: Iterable[str] = ()) -> PersonName:
        """The parts of ``Thomas J. Baker``, ``Baker, Thomas``, ``Dr. Tom Baker, Jr.``, ``王小明``.

        Titles, degrees and *junior* are dropped. A comma divides the family name from the others,
        unless degrees follow it.

        Args:
            text: the name as typed.
            also: its other spellings.
        """
        typed = unicodedata.normalize("NFC", text[:_MAX_LENGTH])
        first, *others = typed.split(",")
        rest = [words for each in others if (words := _without_suffixes(_words(each)))]
        family_first = _words(first)
        words = [*(word for each in rest[:1] for word in each), *family_first]
        if not rest or not family_first:
            words = _without_suffixes(words, least=2)  # Jack Ma has no degree
        while len(words) > 2 and words[0].lower().replace(".", "") in name_parts("title"):
            words = words[1:]
        joined = "|".join(sorted(name_parts("title-joined"), key=len, reverse=True))
        words[:1] = [re.sub(f"^(?:{joined})(?=..)", "", word) for word in words[:1]]
        script = script_of(words[-1]) if words else ""
        if script in FAMILY_FIRST:
            words = _given_first(words, rest=bool(rest))
        at = len(words) - 1
        while at > 1 and words[at - 1].lower() in name_parts("particle"):
            # *Ortega y Gasset*, but *Thomas E. Baker*, however that is typed.
            if len(words[at - 1]) == 1 and (
                (words[at - 1].isupper() and not text.isupper())
                or sum(len(each) > 1 for each in words[: at - 1]) < 2
            ):
                break
            at -= 1
        written = "".join((*words[-1:], *words[:-1])) if script in FAMILY_FIRST else " ".join(words)
        tokens = tuple(split_words(written))
        return cls(
            text,
            tuple(words[: min(at, len(words) - 1)]),
            tuple(words[at:-1]),
            "".join(words[-1:]),
            script,
            tokens,
            tuple(map(cls.parse, also)),
        )

    @property
    def also(self) -> tuple[str, ...]:
        """The other spellings as typed."""
        return tuple(each.text for each in self.others)

    @property
    def latin_words(self) -> frozenset[str]:
        """The words in the letters of addresses: ``jose``, ``nunez``; ``o``, ``brien``, ``obrien``.

        Of a name without blanks also the whole: ``xiaoming``, ``wang``, ``wangxiaoming``.
        """
        parts = (*self.given, *self.particles, self.family)
        if self.script in FAMILY_FIRST:
            parts += ("".join(parts), "".join((*parts[-1:], *parts[:-1])))
        pieces = (piece for part in parts for piece in (part, *re.findall(r"\w+", part)))
        return frozenset(chain.from_iterable(map(address_spellings, pieces)))


def census_share(which: str, name: str) -> float:
    """Per cent of the people who have a ``first`` or ``last`` name; 0 if it is in no table.

    The tables are those of the census of the United States; case, accents and signs within the name
    are ignored.
    """
    return weighted_words(f"names/{which}.txt").get(plain_letters(name), 0.0)


def is_usual_given_name(word: str) -> bool:
    """Whether a word is a usual given name by the census."""
    return census_share("first", word) >= _USUAL_GIVEN_NAME


@lru_cache(maxsize=10_000)
def script_of(text: str) -> str:
    """The script of the first letter, as Unicode calls it; empty if there is no letter."""
    letter = next(filter(str.isalpha, text), "")
    name = unicodedata.name(letter, "").partition(" ")[0] if letter else ""
    return {"FULLWIDTH": "LATIN", "HALFWIDTH": "KATAKANA"}.get(name, name)


@cache
def name_parts(kind: str) -> frozenset[str]:
    """The words of a kind in ``resources/names/parts.txt``."""
    lines = (line.partition(":") for line in word_list("names/parts.txt"))
    return frozenset(" ".join(words for each, _, words in lines if each == kind).split())


def _words(text: str) -> list[str]:
    """The words, initials each for itself: ``J.R. Baker`` and ``J.-R. Baker`` have three."""
    divided = _TIGHT_INITIALS.sub(lambda found: found[0].replace(".", ". "), text)
    words = (word if word[1:] == "t" else word.strip(_EDGES) for word in _HALVES.split(divided))
    return [word for word in words if any(map(str.isalnum, word))][:_MAX_WORDS]


def _without_suffixes(words: Sequence[str], least: int = 0) -> list[str]:
    kept = list(words)
    while len(kept) > least and re.sub(r"[.\s]", "", kept[-1].lower()) in name_parts("suffix"):
        kept.pop()
    return kept


def _given_first(words: list[str], *, rest: bool) -> list[str]:
    """Words of a script whose names begin with the family name, which goes to the end."""
    if len(words) == 1 and 1 < len(words[0]) < 5:
        long = words[0][:2] in name_parts("family-first")
        size = 2 if (long and len(words[0]) > 2) or len(words[0]) == 4 else 1
        return [words[0][size:], words[0][:size]]
    return words if rest else [*words[1:], *words[:1]]
