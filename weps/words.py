"""The one rule of what a word is."""

from __future__ import annotations

import re

__all__ = ["singular", "token_spans", "tokens", "words"]

_NUMBER = r"\d+(?:[.,]\d+)+(?![^\W_])"
"""12.5 and 1,000 are one word each."""
_WORD = r"[^\W_]+(?:'(?![sS]\b)[^\W_]+)*"
"""Letters and digits; apostrophes inside (O'Brien) but no possessive 's; hyphens divide."""
_POSSESSIVE = r"'[sS]\b"
_PUNCTUATION = r"(?!(?<=\w)-\w)[^\w\s]|_"
"""Any other visible character, but no hyphen inside a word."""

_TOKEN = re.compile(f"{_NUMBER}|{_WORD}|{_POSSESSIVE}|{_PUNCTUATION}")
_find = _TOKEN.findall


def words(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation and possessive 's."""
    return [token.lower() for token in tokens(text) if token[0].isalnum()]


def tokens(text: str) -> list[str]:
    """The words and punctuation marks of a text in order, case kept, apostrophes made straight."""
    return _find(text.replace("’", "'"))


def token_spans(text: str) -> list[tuple[int, int]]:
    """Where each of the tokens of :func:`tokens` begins and ends in the text."""
    return [match.span() for match in _TOKEN.finditer(text.replace("’", "'"))]


def singular(word: str) -> str:
    """An English plural's singular, by ending: ``studies`` → ``study``, ``books`` → ``book``."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word
