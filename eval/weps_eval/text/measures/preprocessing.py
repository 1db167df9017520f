"""The tokens of ROUGE, as rouge-score makes them and as the Perl package ROUGE-1.5.5 does."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from weps._files import word_list
from weps.errors import ValuesError
from weps_eval.text.measures.overlap import Tokens, import_optional

_LATIN, _ANY = re.compile("[A-Za-z0-9]+"), re.compile(r"[^\W_]+")
_SHORTEST = 4
"""Shorter words are not stemmed."""


@dataclass(frozen=True, slots=True)
class Preprocessing:
    """Which tokens of a text count, and in which form.

    Tokens are lower-case runs of the letters a to z and of digits, as in rouge-score; all else
    parts them.
    """

    stop: bool = False
    """Leave out English stop words."""
    stem: bool = False
    """Porter's stems of words longer than three letters, by nltk, as in rouge-score."""
    unicode: bool = False
    """Letters and digits of all scripts. Text that is not spaced is still one token."""
    official: bool = False
    """As in ROUGE-1.5.5: the stop words of SMART, its stems, and the Kelvin sign is no k."""

    def __call__(self, text: str | Sequence[str]) -> Tokens:
        """The tokens of every sentence that has some.

        Args:
            text: sentences, or a text with one sentence a line.

        Raises:
            ValuesError: if all words of the text are of other scripts.
            LanguageError: if nltk's stems are wanted and it is not installed.
        """
        lines = text.split("\n") if isinstance(text, str) else text
        word = _ANY if self.unicode else _LATIN
        sentences = [word.findall(line if self.official else line.lower()) for line in lines]
        if not any(sentences) and any(map(str.isalnum, "".join(lines))):
            remedy = "take letters of all scripts: unicode=true"
            raise ValuesError("a text has no word in Latin letters", remedy=remedy)
        return tuple(filter(None, map(self._kept, sentences)))

    def _kept(self, words: Sequence[str]) -> tuple[str, ...]:
        stop = "rouge/stop_words.txt" if self.official else "stopwords/english.txt"
        dropped = word_list(stop) if self.stop else frozenset()
        kept = (word for word in map(str.lower, words) if word not in dropped)
        if not self.stem:
            return tuple(kept)
        return tuple(map(official_stem if self.official else porter_stem, kept))


@lru_cache(1 << 17)
def porter_stem(word: str) -> str:
    """Porter's stem of a word in lower case that is longer than three letters, by nltk.

    Raises:
        LanguageError: if nltk is not installed.
    """
    return _stemmer()(word) if len(word) >= _SHORTEST else word


@cache
def _stemmer() -> Callable[[str], str]:
    stem: Callable[[str], str] = import_optional("nltk.stem.porter").PorterStemmer().stem
    return stem


@lru_cache(1 << 17)
def official_stem(word: str) -> str:
    """The stem that ROUGE-1.5.5 gives a word in lower case that is longer than three letters.

    The base that WordNet 2.0 lists for an irregular form, otherwise the stem of Porter (1980, An
    algorithm for suffix stripping), in whose step 4 the package takes off one suffix after
    another: *accidental* is *accid*.
    """
    if len(word) < _SHORTEST:
        return word
    if base := _irregular_forms().get(word):
        return base
    word = _without_inflection(re.sub("^y", "Y", word))
    for suffixes, replaced in _REPLACED:
        found = suffixes.search(word)
        if found and _measure(word[: found.start()]):
            word = word[: found.start()] + replaced[found[0]]
    for suffixes in _REMOVED:
        found = suffixes.search(word)
        if found and _measure(word[: found.start()]) > 1:
            word = word[: found.start()]
    if word.endswith("e") and _measure(word[:-1]) > bool(_CLOSED.fullmatch(word[:-1])):
        word = word[:-1]
    if word.endswith("ll") and _measure(word) > 1:
        word = word[:-1]
    return word.lower()


@cache
def _irregular_forms() -> dict[str, str]:
    lines = map(str.split, word_list("rouge/exceptions.txt"))
    return {form: base for base, *forms in lines for form in forms}


def _without_inflection(word: str) -> str:
    """Step 1: plurals, participles and -y."""
    word = re.sub("(?<=ss)es$|(?<=i)es$|(?<=[^s])s$", "", word)
    if word.endswith("eed"):
        word = word[:-1] if _measure(word[:-3]) else word
    elif _has_vowel(rest := re.sub("(ed|ing)$", "", word)) and rest != word:
        restored = re.search("(at|bl|iz)$", rest) or _CLOSED.fullmatch(rest)
        word = f"{rest}e" if restored else re.sub(r"([^aeiouylsz])\1$", r"\1", rest)
    return re.sub("y$", "i", word) if _has_vowel(word[:-1]) else word


_SEQUENCE = re.compile("[aeiouy][aeiou]*[^aeiou][^aeiouy]*")
_CLOSED = re.compile("[^aeiouy]+[aeiouy][^aeiouwxy]")
"""Consonants, a vowel and a consonant, such as *hop*: an e that stood after them is restored."""


def _measure(word: str) -> int:
    """Porter's m: how often consonants follow vowels, y being a vowel after a consonant.

    The y that begins a word is a capital, so that it is none.
    """
    return len(_SEQUENCE.findall(word))


def _has_vowel(word: str) -> bool:
    return re.search("[aeiouy]", word) is not None


def _suffixes(pairs: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """From ``ational ate``: what finds a suffix, the longest first, and what replaces each."""
    words = pairs.split()
    replaced = {one: other.strip("-") for one, other in zip(words[::2], words[1::2], strict=True)}
    return re.compile(f"({'|'.join(replaced)})$"), replaced


_REPLACED = (
    _suffixes(
        "ational ate tional tion enci ence anci ance izer ize bli ble alli al entli ent eli e "
        "ousli ous ization ize ation ate ator ate alism al iveness ive fulness ful ousness ous "
        "aliti al iviti ive biliti ble logi log"
    ),
    _suffixes("icate ic ative - alize al iciti ic ical ic ful - ness -"),
)
"""Steps 2 and 3."""
_REMOVED = tuple(
    re.compile(f"({suffixes})$")
    for suffixes in (
        "al|ance|ence|er|ic|able|ible|ant|ement|ou|ism|ate|iti|ous|ive|ize",
        "ment",
        "ent|(?<=[st])ion",
    )
)
"""Step 4, in the order of the package."""
