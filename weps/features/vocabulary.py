"""Which words carry evidence: not stop words, not the name that everybody shares."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from weps.names import PersonName
from weps.resources import word_list

__all__ = ["content_words", "is_content", "stop_words"]


def stop_words() -> frozenset[str]:
    """English and Web stop words (EMNLP 2009, section 3.2)."""
    return word_list("stopwords/english.txt", "stopwords/web.txt")


def content_words(words: Iterable[str], name: PersonName) -> list[str]:
    """The words that say something about this bearer of the name."""
    dropped = stop_words().union(name.tokens)
    return [word for word in words if is_content(word, dropped)]


def is_content(word: str, dropped: Collection[str]) -> bool:
    """Whether a lower-case token is a word of two letters or more that is not dropped."""
    return len(word) > 1 and word not in dropped and any(map(str.isalnum, word))
