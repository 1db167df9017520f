"""The one rule of what a word is."""

from __future__ import annotations

import re

__all__ = ["tokens", "words"]

_WORD = r"[^\W_]+(?:['’](?![sS]\b)[^\W_]+)*"
"""Letters and digits; apostrophes inside (O'Brien) but no possessive 's; hyphens divide."""
_POSSESSIVE = r"['’][sS]\b"
_PUNCTUATION = r"(?!(?<=\w)-\w)[^\w\s]|_"
"""Any other visible character, but no hyphen inside a word."""

_words = re.compile(_WORD).findall
_tokens = re.compile(f"{_WORD}|{_POSSESSIVE}|{_PUNCTUATION}").findall


def words(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation."""
    return _words(text.lower())


def tokens(text: str) -> list[str]:
    """The words and punctuation marks of a text in order, case kept."""
    return _tokens(text)
