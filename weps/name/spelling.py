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
from functools import cache
from itertools import chain, islice, product

from anyascii import anyascii

from weps._files import resource_text
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
}
"""Letter → other ways to write it besides the letter without its accent."""
_MAX_SPELLINGS = 16
"""Ways to write a word in addresses; each umlaut doubles them."""
_DIGRAPHS = {"ae": "äæ", "oe": "öøœ", "ue": "ü", "aa": "å", "ss": "ß"}
"""Two letters → the letters that they may stand for."""
_BASES = str.maketrans(dict(zip("øłđðħıəґىةکیٱ", "olddhieгيهكيا", strict=True)))
"""Letters that are another with a stroke or in another form, which Unicode does not decompose."""
_PIECE = re.compile("|".join((*_DIGRAPHS, ".")))
_RANGES = (range(0x41, 0x530), range(0x620, 0x6D6), range(0x1E00, 0x2000), range(0xF900, 0xFADA))
_WIDE = range(0xFF21, 0xFFDD)


def base_letter(character: str) -> str:
    """The letter in lower case, without accents, in its usual form; empty for an accent alone."""
    decomposed = unicodedata.normalize("NFKD", character.lower())
    return _find_ignored.sub("", decomposed).translate(_BASES)


def plain_letters(text: str) -> str:
    """The letters and digits of a text in lower case, without accents and signs."""
    return "".join(filter(str.isalnum, map(base_letter, text)))


@cache
def _characters() -> dict[str, str]:
    """Base letter → the characters that have it; of Han characters, also their other forms."""
    found: defaultdict[str, str] = defaultdict(str)
    for number in chain(*_RANGES, _WIDE):
        found[base_letter(chr(number))] += chr(number)
    for line in resource_text("names/variants.txt").splitlines():
        if not line.startswith("#"):
            found |= {each: line.strip() for each in line.strip()}
    return dict(found)


def _letter(character: str) -> str:
    """The pattern of one character."""
    base = base_letter(character)
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
        ways = [*map(_spelled, (piece, *_WRITTEN_OUT.get(piece, ())))]
        ways += map(_letter, _DIGRAPHS.get(piece, ""))
        pattern += ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"
    return pattern


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
    """Regular expression of :func:`address_spellings`; empty for a word without letters."""
    spellings = address_spellings(word)
    return f"(?:{'|'.join(spellings)})" if spellings else ""


def _spelled(piece: str) -> str:
    if piece in APOSTROPHES:
        return rf"(?:[{APOSTROPHES}]|[^\S\n])?"
    if piece in HYPHENS:
        return rf"(?:[{HYPHENS}]|[^\S\n])?"
    return "".join(map(_letter, piece))


_CYRILLIC = re.compile("[а-яіїєґўё]{3,}")
_LATIN_ADJECTIVE = re.compile(r"\w{2,}[csz]k[iya]")
_CYRILLIC_ENDING = re.compile("(?:ий|ый|ой|ая|яя|[аеиоуыэюяйьіїє])$")
_CYRILLIC_ENDINGS = (
    "ого|его|ому|ему|ым|им|ом|ем|ою|ею|ой|ей|ый|ий|ая|яя|ую|юю|ых|их|ими|ыми|ові|еві"
    "|ия|ию|ием|ии|ие|а|я|у|ю|е|и|ы|ь|й|о|і|ї"
)
_ADJECTIVE_ENDINGS = "iego|ego|iemu|emu|im|ej|ą|i|y|a|ý|á|ého|ému|ým|ou|é"
_NOUN_ENDINGS = "owi|ovi|iem|em|om|ie|a|u|y|e|ę|ą|ou"


def inflected_pattern(word: str, family: str = "") -> str:
    """:func:`word_pattern` of the word with the ending of any case, where its language has such.

    That is for Cyrillic words, *Иван*, *Ивана*, and for Polish, Czech and Slovak family names like
    adjectives, *Jan Nowicki*, *Jana Nowickiego*; for others the word as it is.

    Args:
        word: a given or a family name.
        family: the family name, for a given name.
    """
    lowered = unicodedata.normalize("NFC", word).lower()
    stems = [lowered]
    if _CYRILLIC.fullmatch(lowered):
        stems, endings = [_CYRILLIC_ENDING.sub("", lowered)], _CYRILLIC_ENDINGS
        if fleeting := re.fullmatch(r"(.*[^аеиоуыэюя])[ео](.)", stems[0]):  # Павел, Павла
            stems.append("".join(fleeting.groups()))
    elif _LATIN_ADJECTIVE.fullmatch(lowered):
        stems, endings = [lowered[:-1]], _ADJECTIVE_ENDINGS
    elif _LATIN_ADJECTIVE.fullmatch(family.lower()):
        stems, endings = [lowered.rstrip("aey") or lowered, lowered], _NOUN_ENDINGS
    else:
        return word_pattern(word)
    ending = "|".join(map(word_pattern, endings.split("|")))
    return f"(?:{'|'.join(map(word_pattern, stems))})(?:{ending})?"


_ARTICLE = re.compile("^(?:ال|(?:al|el)[- ]?(?=[^aeiou]{1,2}[aeiou]))")
_SOUNDS = (
    (re.compile("tch"), "ch"),
    (re.compile("kh"), "h"),
    (re.compile("ph"), "f"),
    (re.compile("o[uy]"), "u"),
    (re.compile("x"), "ks"),
    (re.compile("w"), "v"),
    (re.compile("ck|c(?!h)|q"), "k"),
    (re.compile("[yj]"), "i"),
)
_VOWEL, _ASPIRATED = re.compile("[aeiou]"), re.compile("(?<=.)h")
_DOUBLED = re.compile(r"(.)\1+")


def sound(word: str, *, vowels: bool) -> str:
    """A key that a word has in common with what other scripts write for it, *Дмитрий*, *Dmitry*.

    Args:
        word: in any script.
        vowels: whether vowels count, as between Chinese characters; transliterations of Arabic and
            Thai have none, and those of English names others.
    """
    key = re.sub("[^a-z]", "", anyascii(_ARTICLE.sub("", word.lower())).lower())
    for pattern, usual in _SOUNDS:
        key = pattern.sub(usual, key)
    if not vowels:
        key = _ASPIRATED.sub("", _VOWEL.sub("", key))
    return _DOUBLED.sub(r"\1", key)
