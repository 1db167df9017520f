"""Words with what is known about them before they are compared by sense."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, repeat
from typing import NamedTuple

__all__ = ["Text", "Word", "part_of", "words_of"]

CLOSED = "x"


class Word(NamedTuple):
    """A word of a text. Words that are equal in all three, case included, are one type."""

    form: str
    """As it is looked up in WordNet."""
    part: str = ""
    """``n``, ``v``, ``a`` or ``r``; empty if unknown: all four are looked up. Anything else is a
    word of a closed class, which has no sense and is never out of vocabulary."""
    stem: str = ""
    """What is compared by letters; empty for the form in lower case."""

    @property
    def letters(self) -> str:
        """What is compared by letters."""
        return self.stem or self.form.lower()

    @property
    def open(self) -> bool:
        """Whether the word may have a sense."""
        return self.part in ("", "n", "v", "a", "r")


Text = tuple[Word, ...]
"""A text without its division into sentences: n-grams run across their ends, as in ROUGE."""

_PARTS = {"NOUN": "n", "PROPN": "n", "VERB": "v", "ADJ": "a", "ADV": "r", "NUM": "", "X": ""}


def part_of(tag: str) -> str:
    """The part of a :class:`Word` that a universal part of speech stands for.

    Auxiliaries are of a closed class.
    """
    return _PARTS.get(tag, CLOSED)


def words_of(
    sentences: Sequence[Sequence[str]],
    tags: Sequence[Sequence[str]] | None = None,
    stem: Callable[[str], str] = str.lower,
) -> Text:
    """The words of a tokenised text, in lower case.

    Args:
        sentences: of tokens.
        tags: universal parts of speech, one per token; None looks all words up in all four parts.
        stem: makes what is compared by letters.

    Raises:
        ValueError: if there are not as many tags as tokens.
    """
    forms = [token.lower() for token in chain.from_iterable(sentences)]
    if tags is None:
        return tuple(map(Word, forms, repeat(""), map(stem, forms)))
    parts = map(part_of, chain.from_iterable(tags))
    return tuple(Word(form, part, stem(form)) for form, part in zip(forms, parts, strict=True))
