"""From a text to its sentences, and to words with their tags and lemmas."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from eval.text.testbed import Text
from weps.language import Layer, Marks, analyse
from weps.language.annotate import annotate
from weps.language.sentences import sentence_texts
from weps.records import Document

__all__ = ["Word", "sentences_of", "tagged_words"]


class Word(NamedTuple):
    """A token of a text that holds a letter or a digit, or a punctuation mark."""

    form: str
    """As it is written."""
    tag: str
    """Its universal part of speech (de Marneffe et al. 2021), ``NOUN``."""
    lemma: str
    """In lower case; empty for punctuation."""


def sentences_of(text: Text) -> tuple[str, ...]:
    """The sentences of a text; those that somebody has split stay as they are.

    Lines of a text in one piece end sentences, and so does what ends them on pages (see
    :mod:`weps.language.table`).
    """
    if not isinstance(text, str):
        return text
    document = Document(0, blocks=tuple(filter(None, map(str.strip, text.splitlines()))))
    numbers = analyse("", [document]).tokens.sentence.tolist()
    return tuple(sentence_texts(document, numbers))


def tagged_words(
    texts: Sequence[Sequence[str]], language: str
) -> list[tuple[tuple[Word, ...], ...] | None]:
    """The words of every sentence of every text.

    Args:
        texts: sentences each.
        language: the pipeline.

    Returns:
        For each text its sentences that have words; None if the pipeline fails on it.

    Raises:
        LanguageError: if the pipeline is missing or lacks tags or lemmas.
    """
    layers = annotate(texts, [Layer.TAGS, Layer.LEMMAS], language)
    return [
        _sentences(marks[Layer.TAGS], marks[Layer.LEMMAS]) if Layer.TAGS in marks else None
        for marks in layers
    ]


def _sentences(tags: Marks, lemmas: Marks) -> tuple[tuple[Word, ...], ...]:
    """Lemmas are those of the tokens that hold a letter or a digit, in their order."""
    found = iter(lemmas)
    words = [
        (sentence, Word(form, tag, next(found)[1] if any(map(str.isalnum, form)) else ""))
        for sentence, form, tag in tags
    ]
    return tuple(tuple(word for _, word in group) for _, group in groupby(words, key=itemgetter(0)))
