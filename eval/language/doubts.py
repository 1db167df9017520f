"""Words of which the annotators of a corpus did not say whether they are names of our types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from eval.language.sentences import MISSING, OUTSIDE, Sentence
from weps.resources import resource

__all__ = ["doubtful", "settled", "without_handles", "words_only"]


def doubtful(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Sentences whose annotators knew fewer types: capitalised words in them may be other names."""
    for each in sentences:
        tags = [
            MISSING if tag == OUTSIDE and index and _looks_named(word) else tag
            for index, (word, tag) in enumerate(zip(each.words, each.entities, strict=True))
        ]
        yield replace(each, entities=tuple(tags))


def settled(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """With ``O`` for missing words that are no names: lower-case words, months, languages."""
    for each in sentences:
        tags = [
            OUTSIDE if tag == MISSING and (word.islower() or word.lower() in _common()) else tag
            for word, tag in zip(each.words, each.entities, strict=True)
        ]
        yield replace(each, entities=tuple(tags))


def without_handles(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """With ``@`` and the user name behind it missing, which some annotate as two names."""
    for each in sentences:
        tags = [
            MISSING if "@" in (before, word) else tag
            for before, word, tag in zip(("", *each.words), each.words, each.entities, strict=False)
        ]
        yield replace(each, entities=tuple(tags))


def words_only(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Sentences of a treebank as a source of words that are no names; proper nouns are missing."""
    for each in sentences:
        tags = [MISSING if _near_name(each, index) else OUTSIDE for index in range(len(each.words))]
        yield Sentence(each.words, each.spaces, entities=tuple(tags))


def _looks_named(word: str) -> bool:
    return len(word) > 1 and word[0].isupper() and word.lower() not in _common()


def _near_name(sentence: Sentence, index: int) -> bool:
    """Whether a word is a proper noun or stands between two, as "of" does in many names."""
    if sentence.words[index].lower() in _common():
        return False
    proper = [tag == "PROPN" for tag in sentence.pos]
    before, after = proper[max(0, index - 2) : index], proper[index + 1 : index + 3]
    return proper[index] or (any(before) and any(after))


@cache
def _common() -> frozenset[str]:
    lines = resource("language/recipe/not_names.txt").read_text("utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
