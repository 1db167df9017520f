"""From characters to the tokens that ROUGE compares."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType

from eval.text.optional import optional
from eval.text.overlap import Text
from weps.errors import ValuesError
from weps.resources import word_list

__all__ = ["OPTIONS", "Preprocessing", "stemmed"]

_LATIN, _ANY = re.compile("[a-z0-9]+"), re.compile(r"[^\W_]+")
_SHORTEST = 4
"""Shorter words are not stemmed."""
_STEMS = 1 << 17


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

    def __call__(self, text: str | Sequence[str]) -> Text:
        """The tokens of every sentence that has some.

        Args:
            text: sentences, or a text with one sentence a line.

        Raises:
            ValuesError: if all words of the text are of other scripts.
            LanguageError: if stems are wanted and nltk is not installed.
        """
        lines = text.split("\n") if isinstance(text, str) else text
        sentences = [self._found(line) for line in lines]
        if not any(sentences):
            _refuse_other_scripts(lines)
        return tuple(filter(None, map(self._kept, sentences)))

    def _found(self, line: str) -> list[str]:
        return (_ANY if self.unicode else _LATIN).findall(line.lower())

    def _kept(self, words: Sequence[str]) -> tuple[str, ...]:
        dropped = word_list("stopwords/english.txt") if self.stop else frozenset()
        kept = (word for word in words if word not in dropped)
        return tuple(map(stemmed, kept) if self.stem else kept)


OPTIONS: Mapping[str, Preprocessing] = MappingProxyType(
    {
        "a": Preprocessing(),
        "b": Preprocessing(stop=True),
        "c": Preprocessing(stop=True, stem=True),
    }
)
"""The options of Evaluating DUC 2004 tasks with the QARLA framework (2005), section 3.1."""


def _refuse_other_scripts(lines: Sequence[str]) -> None:
    if any(map(str.isalnum, "".join(lines))):
        raise ValuesError(
            "a text has no word in Latin letters",
            remedy="take letters of all scripts: unicode=true",
        )


@lru_cache(_STEMS)
def stemmed(word: str) -> str:
    """Porter's stem of a word in lower case that is longer than three letters, by nltk.

    Raises:
        LanguageError: if nltk is not installed.
    """
    return _stemmer()(word) if len(word) >= _SHORTEST else word


@cache
def _stemmer() -> Callable[[str], str]:
    stem: Callable[[str], str] = optional("nltk.stem.porter").PorterStemmer().stem
    return stem
