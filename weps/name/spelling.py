"""Spellings of a word of a name: patterns that find it in any case, accents and letters.

Pages write *Núñez* without accents, *Müller* with *ue*, *Groß* with *ss*, *O'Brien* with any of
seven apostrophes; in Arabic with or without vowel signs, in Russian with the ending of its case.
A pattern has a class of characters for each letter, so that it is matched against texts as they
are, and the places that it finds are places in the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from functools import cache, cached_property, lru_cache
from itertools import chain, islice, product

from anyascii import anyascii

from weps._files import gazetteer_names, word_list
from weps._text import INVISIBLE

IGNORED = (
    "[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u093c"
    f"{INVISIBLE}\u200c\u200d]*"
)
"""Pattern of what may stand behind any letter: accents that stand alone, vowel signs of Arabic and
Hebrew, soft hyphens, marks of direction and other characters without width."""
_find_ignored = re.compile(IGNORED.replace("*", "+"))
APOSTROPHES = "'’‘ʼʻ`´′＇"
HYPHENS = "-‐‑‒–−－"

_WRITTEN_OUT = {
    "ä": ("ae", "æ"),
    "æ": ("ae", "ä", "a"),
    "ö": ("oe", "ø"),
    "ø": ("oe", "ö"),
    "œ": ("oe",),
    "ü": ("ue",),
    "å": ("aa",),
    "ß": ("ss",),
    "þ": ("th",),
    "ð": ("d", "dh"),
    "đ": ("d", "dj"),
    "ə": ("a",),
}
"""Letter → other ways to write it besides the letter without its accent."""
_MAX_SPELLINGS = 16
"""Ways to write a word in addresses; each umlaut doubles them."""
_DIGRAPHS = {"ae": "äæ", "oe": "öøœ", "ue": "ü", "aa": "å", "ss": "ß", "ij": "ĳ"}
"""Two letters → the letters that they may stand for."""
_BASES = str.maketrans(dict(zip("øłđðħıəґىةکیٱ", "olddhieгيهكيا", strict=True)))
"""Letters that are another with a stroke or in another form, which Unicode does not decompose."""
_PREFIXES = {
    "mac": ("mc", "mac ", "mc "),
    "mc": ("mac", "mac ", "mc "),
    "al-": ("al", "el", "el ", ""),
}
"""Beginning of Gaelic and of Arabic names → other ways to write it, *MacDonald*, *Al-Hassan*."""
_PIECE = re.compile(f"^(?:{'|'.join(_PREFIXES)})(?=...)|{'|'.join(_DIGRAPHS)}|.")
_RANGES = (
    *(range(0x41, 0x530), range(0x620, 0x6D6), range(0x1E00, 0x2000)),
    *(range(0xF900, 0xFADA), range(0xFF21, 0xFFDD)),
)


@lru_cache(maxsize=10_000)
def _base_letter(character: str) -> str:
    """The letter in lower case, without accents, in its usual form; empty for an accent alone."""
    decomposed = unicodedata.normalize("NFKD", character.lower())
    return _find_ignored.sub("", decomposed).translate(_BASES)


def plain_letters(text: str) -> str:
    """The letters and digits of a text in lower case, without accents and signs."""
    return "".join(filter(str.isalnum, text.lower() if text.isascii() else map(_base_letter, text)))


@cache
def _characters() -> dict[str, str]:
    """Base letter → the characters that have it; of Han characters, also their other forms."""
    found: defaultdict[str, str] = defaultdict(str)
    for number in chain(*_RANGES):
        found[_base_letter(chr(number))] += chr(number)
    for line in word_list("names/variants.txt"):
        found |= dict.fromkeys(line, line)
    return dict(found)


@lru_cache(maxsize=10_000)
def _letter(character: str) -> str:
    """The pattern of one character."""
    base = _base_letter(character)
    if not base:
        return ""
    known = {character, character.upper(), *base[:1], *_characters().get(base, "")}
    pattern = f"[{''.join(sorted(re.escape(each) for each in known if len(each) == 1))}]"
    decomposed = unicodedata.normalize("NFD", character)
    if len(_find_ignored.sub("", decomposed)) > 1:  # Korean syllables, voiced kana
        pattern = f"(?:{pattern}|{decomposed})"
    return f"{pattern}{IGNORED}"


def word_pattern(word: str) -> str:
    """Regular expression, without groups, of a word of a name in all its spellings.

    Args:
        word: as typed; it may have apostrophes and hyphens, which pages may leave out.
    """
    lowered = unicodedata.normalize("NFC", word).lower()
    pattern = ""
    for piece in _PIECE.findall(lowered):
        ways = [
            *map(_spelled, (piece, *(_WRITTEN_OUT | _PREFIXES).get(piece, ()))),
            *map(_letter, _DIGRAPHS.get(piece, "")),
        ]
        pattern += ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"
    return pattern


class NamePattern:
    """A regular expression made of the words of a name, compiled when it is needed.

    Most of it is letters beyond ASCII, which texts within ASCII have not: what is left for these is
    compiled in a tenth of the time, and finds the same.
    """

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._pattern, self._flags = pattern, flags

    def __call__(self, text: str) -> re.Pattern[str]:
        """The expression, compiled for such a text."""
        return self._of_ascii if text.isascii() else self._of_all

    @cached_property
    def _of_all(self) -> re.Pattern[str]:
        return re.compile(self._pattern, self._flags)

    @cached_property
    def _of_ascii(self) -> re.Pattern[str]:
        part = _CLASS.sub(_ascii_class, self._pattern.replace(IGNORED, ""))
        return re.compile(part, self._flags)


_CLASS = re.compile(r"\\.|\[(\^?)((?:\\.|[^\[\]\\])+)\]", re.DOTALL)
"""A class of characters, or a character that is none, such as an escaped bracket."""
_MEMBER = re.compile(r"(?:\\.|[^\\])(?:-(?:\\.|[^\\]))?", re.DOTALL)
"""A character of a class, or a range."""


def _ascii_class(found: re.Match[str]) -> str:
    """A class of characters without those beyond ASCII."""
    if not found[2]:
        return found[0]
    members = "".join(filter(str.isascii, _MEMBER.findall(found[2])))
    return f"[{found[1]}{members}]" if members else (found[1] and r"[\s\S]") or "(?!)"


def address_spellings(word: str) -> tuple[str, ...]:
    """The ways to write a word of a name in lower-case addresses, which are in Latin letters.

    *Müller* is *muller* or *mueller* there, *王* is *wang*; none of a word without letters.
    """
    spellings: tuple[str, ...] = ("",)
    for letter in unicodedata.normalize("NFC", word).lower():
        ways = (plain_letters(anyascii(letter)), *_WRITTEN_OUT.get(letter, ()))
        latin = dict.fromkeys(filter(str.isascii, ways))
        spellings = tuple(islice(map("".join, product(spellings, latin)), _MAX_SPELLINGS))
    return tuple(filter(None, spellings))


def address_pattern(word: str) -> str:
    """Regular expression of :func:`address_spellings`, O'Brien also as *o-brien*.

    Empty for a word without letters.
    """
    parts = map(address_spellings, re.split(f"[{APOSTROPHES}]|[{HYPHENS}]", word))
    return "[-_.']?".join(f"(?:{'|'.join(spellings)})" for spellings in parts if spellings)


def _spelled(piece: str) -> str:
    if piece in APOSTROPHES:
        return rf"(?:[{APOSTROPHES}]|[^\S\n])?"
    if piece in HYPHENS:
        return rf"(?:[{HYPHENS}]|[^\S\n])?"
    return "".join(map(_letter, piece))


_INFLECTED = [
    (re.compile(words), re.compile(own), endings.split("|"))
    for words, own, endings in (
        (
            "[а-яіїєґўё]{3,} ",
            "(?:ий|ый|ой|ая|яя|[аеиоуыэюяйьіїє])$",
            "ого|его|ому|ему|ым|им|ом|ем|ою|ею|ой|ей|ый|ий|ая|яя|ую|юю|ых|их|ими|ыми|ові|еві"
            "|ия|ию|ием|ии|ие|а|я|у|ю|е|и|ы|ь|й|о|і|ї",
        ),
        (r"\w{2,}[οό]ς ", "..$", "ος|ου|ο|ε"),
        ("[ἀ-ῼά-ώ]{2,}ς ", "ς$", "ς|"),
        ("[ა-ჰ]{3,} ", "[იეა]$", "ი|ე|ა|მა|ემ|ამ|ის|ეს|ას|ს|ით|ად|ო"),
        ("[ա-և]{3,} ", "(?!)", "ի|ը|ն|ին|ից|ով|ում"),
        (
            r"\w{2,}(?:[csz]k[iya]|ová) ",
            ".$",
            "iego|ego|iemu|emu|im|ej|ą|i|y|a|ý|á|ého|ému|ým|ou|é",
        ),
        (
            r".*(?:skas|čius|[aiuy]tis|ėnas|ienė|[aiuūy]tė)(?!\w)",
            "(?:as|t?is|us|ys|ė|a)$",
            "as|is|tis|ys|us|o|io|čio|aus|ui|iui|čiui|ą|į|tį|ų|u|iu|čiu|e|i|ti|au|ė|ės|ei|ę|a|os|ai",
        ),
        (
            r"(?=.*[ðþáéíóúýæö]).*(?:dóttir|sson|[ðþ].*son)(?!\w)",
            "(?:ir|ur|i|a)$",
            "ir|ur|ar|s|i|u|a|",
        ),
        (
            r".*(?:[ąćčďęěłľńňřśšťůźżž]|(?:[áí]k|[csz]k[iya]|ová)(?!\w))",
            "[aey]$",
            "owi|ovi|iem|em|om|ie|a|u|y|e|ě|ę|ą|ou|i",
        ),
    )
]
"""Beginning of a word and the rest of the name; the word's own ending; those of all its cases."""


def inflected_pattern(word: str, rest: str = "") -> str:
    """:func:`word_pattern` of the word with the ending of any case, where its language has such.

    That is for Cyrillic, Greek, Georgian and Armenian words, *Иван*, *Ивана*, for Polish, Czech and
    Slovak family names like adjectives, *Jan Nowicki*, *Jana Nowickiego*, and for Slavic nouns that
    a letter tells, *Petr Novák*, *Petra Nováka*; for others the word as it is.

    Args:
        word: a given or a family name.
        rest: of the name.
    """
    name = unicodedata.normalize("NFC", f"{word} {rest}").lower()
    known = (each for each in _INFLECTED if each[0].match(name))
    if not (found := next(known, None)):
        return word_pattern(word)
    (_, own_ending, endings), lowered = found, name.partition(" ")[0]
    stems = [own_ending.sub("", lowered)]
    is_optional = "?" if stems == [lowered] else ""
    if fleeting := re.fullmatch(r"(.*[^аеиоуыэюя])[ео](.)", stems[0]):  # Павел, Павла
        stems.append("".join(fleeting.groups()))
    stem, ending = ("|".join(map(word_pattern, each)) for each in (stems, endings))
    return f"(?:{stem})(?:{ending}){is_optional}"


_ARTICLE = re.compile("^(?:ال|(?:al|el)[- ]?(?=[^aeiou]{1,2}[aeiou]))")
_SOUNDS = (
    "tch>ch kh>h ph>f o[uy]>u x>ks w>v ck|c(?!h)|q>k ^ye>e y|j(?![aeiou])|(?<=[lt])j>i"
    " (?<=[^aeiou])er$>r"
)
"""Letters that sound alike and those that stand for them, in turn."""
_SOUNDS_OF_SCRIPT = {
    "HANGUL": "sh>s ch>j g|c|q>k d>t b|f|v>p ui|ee>i e[ou]|o[ou]|u>o ae|o[ei]>e w(?=o)> r(?!h)>l"
    " (?<=[aeiou])[hl](?![aeiouy])> ^[lr]?h?y?i$>i ^l(?=[iy])>",
    "HEBREW": "^[kc]h(?=[aeiouy])>h (?<=.)[kc]h>h ^kh+>k t[sz]>z p>f b>v",
    "THAI": "ch|j>z",
}
"""Script → those alike only between it and Latin letters, which come first."""
_VOWELLED = frozenset("CJK HIRAGANA HANGUL LATIN".split())
"""Scripts that write vowels as Latin letters do; transliterations of Arabic and Thai have none, and
those of English names others."""
_VOWEL, _ASPIRATED, _DOUBLED = map(re.compile, ("[aeiouj]", "(?<=.)h", r"(.)\1+"))


@lru_cache(maxsize=50_000)
def sounds(word: str, script: str) -> frozenset[str]:
    """Keys that a word has in common with other spellings of it, *Дмитрий*, *Dmitry*, *Dmitri*.

    Args:
        word: in any script.
        script: of the two that are compared the one that is not Latin, else ``LATIN``.
    """
    usual = gazetteer_names("given_names").get(plain_letters(word), word.lower())
    whole = usual if script in _VOWELLED else _ARTICLE.sub("", usual)
    key = re.sub("[^a-z]", "", anyascii(whole).lower())
    for rule in f"{_SOUNDS_OF_SCRIPT.get(script, '')} {_SOUNDS}".split():
        written, heard = rule.split(">")
        key = re.sub(written, heard, key)
    if script not in _VOWELLED:
        key = _ASPIRATED.sub("", _VOWEL.sub("", key))
    key = _DOUBLED.sub(r"\1", key)
    may_be_vowel = re.search("[\u0590-\u06ff]", word)  # the letter for V of Hebrew and Arabic
    return frozenset({key, key.replace("v", "") if may_be_vowel else key})
