"""The language of a text, by its script and its function words.

Where a script is that of one language, or nearly so, it decides; languages of the Latin and the
Cyrillic script are told apart by how many of the words are function words of each. This needs some
lines of running text: names, lists and menus have no function words, and no language.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache
from math import sqrt

from weps._files import resource_text, word_list
from weps._text import split_tokens

LANGUAGES = {
    "ar": "Arabic",
    "bg": "Bulgarian",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fi": "Finnish",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "hr": "Croatian",
    "hu": "Hungarian",
    "hy": "Armenian",
    "id": "Indonesian",
    "it": "Italian",
    "ja": "Japanese",
    "ka": "Georgian",
    "ko": "Korean",
    "nl": "Dutch",
    "no": "Norwegian",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sr": "Serbian",
    "sv": "Swedish",
    "ta": "Tamil",
    "th": "Thai",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "zh": "Chinese",
}
"""ISO 639-1 code → name."""
_SCRIPTS = {
    "ja": "\u3040-\u30ff",
    "zh": "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff",
    "ko": "\u1100-\u11ff\uac00-\ud7af",
    "ar": "\u0600-\u06ff\u0750-\u077f",
    "he": "\u0590-\u05ff",
    "hi": "\u0900-\u097f",
    "ta": "\u0b80-\u0bff",
    "th": "\u0e00-\u0e7f",
    "hy": "\u0530-\u058f",
    "ka": "\u10a0-\u10ff",
}
"""Language → ranges of the letters that decide for it: kana for Japanese, which has Chinese letters
besides. Urdu and Persian count as Arabic, Marathi as Hindi."""
_LETTERS = {code: re.compile(f"[{ranges}]") for code, ranges in _SCRIPTS.items()}
_find_script = re.compile(f"[{''.join(_SCRIPTS.values())}]").search
_ANY_LETTER = re.compile(r"[^\W\d_]")
_FOREIGN_LETTERS = re.compile(r"[^\W\d_\x00-\x7f]+")
"""Letters that are not ASCII."""
_LATIN_LETTER = re.compile(
    "[A-Za-z\u00c0-\u024f\u1e00-\u1eff\u2c60-\u2c7f\ua720-\ua7ff\uff21-\uff3a\uff41-\uff5a]"
)
_MOST_CHARACTERS = 5_000
"""Number of characters of a text that are read."""
_LEAST_SHARE_OF_LETTERS = 0.3
"""A page in another script has names and addresses in Latin letters besides."""
_LEAST_KANA = 0.1
"""Share of the Chinese and Japanese letters from which on a text is Japanese."""
_LEAST_DISTINCT = 5
"""Function words of a language that a text must have: *de* alone is in many names."""
_LEAST_SHARE_OF_WORDS = 0.12
"""Function words are a third to a half of running text, and menus stand around it."""


def detect_language(texts: Iterable[str], *, guess: bool = False) -> str:
    """The language that most of the running text of a page is in.

    Args:
        texts: the page's, such as its blocks; 5,000 characters of them are read.
        guess: whether a single function word is enough, as in lists and menus.

    Returns:
        A key of :data:`LANGUAGES`; empty if it cannot be told.
    """
    text = "\n".join(texts)[:_MOST_CHARACTERS].lower()
    if not text.isascii() and _find_script(text) and (code := _language_of_script(text)):
        return code
    words = [word for word in split_tokens(text) if word[0].isalnum()]
    return _language_of_words(words, guess=guess)


def is_mostly_latin(text: str) -> bool:
    """Whether half of the letters or more are of the Latin script."""
    foreign = "".join(_FOREIGN_LETTERS.findall(text))
    return _half_latin(foreign) or _half_latin(text)


def _half_latin(text: str) -> bool:
    return 2 * len(_LATIN_LETTER.findall(text)) >= len(_ANY_LETTER.findall(text))


def function_words(language: str) -> frozenset[str]:
    """The function words of a language, in lower case; none where its script tells it."""
    return _words_by_language().get(language, frozenset())


@cache
def interface_words() -> frozenset[str]:
    """Words by which pages talk to their visitors, in all languages, in lower case: *login*."""
    return frozenset().union(*_words_of_lines("stopwords/interface.txt").values())


def _language_of_script(text: str) -> str:
    letters = len(_ANY_LETTER.findall(text))
    found = {code: len(pattern.findall(text)) for code, pattern in _LETTERS.items()}
    if found["ja"] >= _LEAST_KANA * (found["ja"] + found["zh"]):
        found["ja"] += found.pop("zh")
    code, most = max(found.items(), key=lambda item: item[1])
    return code if most > _LEAST_SHARE_OF_LETTERS * letters else ""


def _language_of_words(words: list[str], *, guess: bool) -> str:
    """The language whose function words have the greatest sum of the roots of their counts.

    Of sums of counts a single word would decide that stands in every row of a table.
    """
    found: dict[str, list[int]] = {code: [] for code in _words_by_language()}
    languages = _languages_by_word()
    for word, count in Counter(words).items():
        for code in languages.get(word, ()):
            found[code].append(count)
    code = max(found, key=lambda code: sum(map(sqrt, found[code])))
    if guess:
        return code if found[code] else ""
    enough = sum(found[code]) >= _LEAST_SHARE_OF_WORDS * len(words)
    return code if enough and len(found[code]) >= _LEAST_DISTINCT else ""


@cache
def _languages_by_word() -> dict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for code, words in _words_by_language().items():
        for word in words:
            found[word].append(code)
    return dict(found)


@cache
def _words_by_language() -> dict[str, frozenset[str]]:
    return {"en": word_list("stopwords/english.txt")} | _words_of_lines("stopwords/languages.txt")


def _words_of_lines(name: str) -> dict[str, frozenset[str]]:
    """Code of a language → the words of its line."""
    lines = resource_text(name).splitlines()
    entries = (line.split() for line in lines if not line.startswith("#"))
    return {code: frozenset(words) for code, *words in entries}
