"""Words of running text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import accumulate, pairwise

# Each kind begins with a set of characters, by which the engine passes it over without trying.
_NUMBER = r"\d\d*(?:[.,]\d+)+(?![^\W_])"
"""12.5 and 1,000 are one word each."""
MARKS = (
    "\u0900-\u0963\u0971-\u0dff\u0e30-\u0e3a\u0e45\u0e47-\u0e4e\u0eb0-\u0ece\u0f71-\u0fbc"
    "\u102b-\u103e\u17b4-\u17d3"
)
"""Character ranges of the signs that belong to the letter before them, which ``\\w`` has not, and
of the letters of the scripts of India."""
INVISIBLE = "\xad\u200b\u200e\u200f\ufeff" + "".join(
    map(chr, (*range(0x202A, 0x202F), *range(0x2060, 0x206A)))
)
"""Soft hyphens, marks of direction, and others without width that are no part of a word."""
_LETTERS = rf"(?:[^\W_]++|[{MARKS}]++)*+"
_ELIDED = r")|(?<=\b".join(
    "[cdjlmnstCJL] [qQ]u [uU]n [aA]ll [dD]all [dDnN]ell [sS]ull [qQ]uest [qQ]uell [jJ]usqu"
    " [lL]orsqu [pP]uisqu".split()
)
"""French, Catalan and Italian words that an apostrophe ends before a vowel: *l'université*. With a
capital, those alone with which names do not begin: *D'angelo*, *N'dour*."""
_ELISION = rf"(?=')(?:(?<=\b{_ELIDED}))'(?=[a-zà-ÿ])(?!s\b)"
_WORD = rf"[^\W_]{_LETTERS}(?:{_ELISION}|(?:'(?![sS]\b)[^\W_]{_LETTERS})*+)"
"""Letters and digits; apostrophes inside (O'Brien) but no possessive 's; hyphens divide."""
_PUNCTUATION = r"[^\w\s](?<!\w-(?=\w))|_"
"""Any other visible character, but no hyphen inside a word."""

_ALPHABETIC = re.compile(rf"[^\W\d_](?:[^\W\d_]++|[{MARKS}]++)*+")
_TOKEN = re.compile(f"{_NUMBER}|{_WORD}|'[sS]\\b|{_PUNCTUATION}")
_ASCII_TOKEN = re.compile(
    _TOKEN.pattern.replace(_LETTERS, r"[^\W_]*+")
    .replace(r"[^\W_]", "[A-Za-z0-9]")
    .replace(r"\d", "[0-9]")
    .replace(r"\s]", r"\s\x1c-\x1f]"),  # blanks, as str.isspace says
    re.ASCII,
)
"""Tokens of texts of ASCII alone, found half as long again as fast."""
_KANA = "\u3040-\u30ff"
_IDEOGRAPHS = f"\u3005{_KANA}\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_UNSPACED = f"{_IDEOGRAPHS}\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Ranges of the letters of Chinese and Japanese, and of Thai, Lao, Burmese and Khmer."""
_find_kana = re.compile(f"[{_KANA}]").search
_find_unspaced = re.compile(f"[{_UNSPACED}]").search
_RUN = (
    f"(?P<ideographs>[{_IDEOGRAPHS}]{{3,}})|[{_IDEOGRAPHS}]{{2}}(?![{_UNSPACED}])"
    f"|(?P<others>[{_UNSPACED}]{{2,}})|[^{_UNSPACED}]+|."
)
"""Two ideographs are a word. It is compiled where a text has such letters."""
_PAIR = re.compile(f"[{_IDEOGRAPHS}\uac00-\ud7af]{{2}}")


def split_words(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation and possessive 's."""
    return [token.lower() for token in split_tokens(text) if token[0].isalnum()]


def split_tokens(text: str) -> list[str]:
    """The words and punctuation marks of a text in order, case kept, apostrophes made straight.

    Scripts without blanks between words, such as Chinese and Thai, are divided by dictionaries.
    """
    if text.isascii():
        return _ASCII_TOKEN.findall(text)
    if _find_unspaced(text):
        return [text[begin:end].replace("’", "'") for begin, end in token_spans(text)]
    return _TOKEN.findall(text.replace("’", "'"))


def token_spans(text: str) -> list[tuple[int, int]]:
    """Begin and end in the text of each token of :func:`split_tokens`."""
    if text.isascii():
        return [match.span() for match in _ASCII_TOKEN.finditer(text)]
    spans = [match.span() for match in _TOKEN.finditer(text.replace("’", "'"))]
    if not _find_unspaced(text):
        return spans
    find_runs, is_chinese = re.compile(_RUN).finditer, not _find_kana(text)
    divided: list[tuple[int, int]] = []
    for begin, end in spans:
        for run in find_runs(text, begin, end):
            words: Iterable[str] = [run[0]]
            if run["ideographs"] and is_chinese:
                import rjieba  # noqa: PLC0415 - a dictionary of five megabytes

                words = rjieba.cut(run[0])
            elif run["ideographs"] or run["others"]:
                from icu4py.breakers import WordBreaker  # noqa: PLC0415 - few pages need it

                words = WordBreaker(run[0], "ja")  # the script of a run decides, not the locale
            divided += pairwise(accumulate(map(len, words), initial=run.start()))
    return divided


def is_alphabetic(word: str) -> bool:
    """Whether a word is of letters and their signs alone."""
    return word.isalpha() or _ALPHABETIC.fullmatch(word) is not None


def has_alphanumeric(token: str) -> bool:
    """Whether a token has a letter or a digit: whether it is a word."""
    return token.isalnum() or any(map(str.isalnum, token))


def is_syllable_pair(token: str) -> bool:
    """Whether a token is of two Chinese, Japanese or Korean characters, as most words there are."""
    return _PAIR.fullmatch(token) is not None


def singular_form(word: str) -> str:
    """An English plural's singular, by ending: ``studies`` → ``study``, ``books`` → ``book``."""
    if not word.endswith("s"):  # nearly all
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    return word if word.endswith(("ss", "us", "is")) or len(word) <= 3 else word[:-1]
