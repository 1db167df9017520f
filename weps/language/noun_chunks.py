"""Base noun phrases from trees with Universal Dependencies labels.

spaCy's own function for English reads ClearNLP labels (``dobj``, ``pobj``, …) and misses more than
half of the phrases when the parser has learnt Universal Dependencies.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

__all__ = ["noun_chunks"]

_HEADS = frozenset({"NOUN", "PROPN", "PRON"})
_NO_HEADS = frozenset({"case", "cc", "discourse", "fixed", "flat", "goeswith", "mark", "punct"})
"""Words with these labels head no phrase, whatever their part of speech."""
_LEFT_LABELS = frozenset("det amod nummod compound flat nmod:poss nmod:desc".split())
"""What stands before the head and belongs to the phrase."""
_MIDDLE_LABELS = frozenset({"acl", "advmod", "punct"})
"""What may stand between those and the head, but begins no phrase."""
_RIGHT_LABELS = frozenset("compound fixed flat goeswith nmod:desc nummod".split())
"""What continues the head to the right: names, numbers, words written apart."""
_EDGE_LABELS = frozenset({"case", "cc", "mark", "punct"})
"""What no phrase begins with."""


def noun_chunks(doclike: Doc | Span) -> Iterator[tuple[int, int, int]]:
    """Base noun phrases in reading order, as a spaCy syntax iterator.

    A phrase is a noun, proper noun or pronoun with its determiners, adjectives, numbers, compounds
    and possessors before it, and the rest of a name after it. Phrases do not nest: the longer one
    stands. Conjuncts are phrases of their own.

    Yields:
        First token, token after the last, and the label ``NP`` in the vocabulary.

    Raises:
        ValueError: if the document has not been parsed.
    """
    if not doclike.doc.has_annotation("DEP"):
        raise ValueError("noun phrases need a document that has been parsed")
    label = doclike.doc.vocab.strings.add("NP")
    found = sorted(_bounds(word) for word in doclike if _is_head(word))
    end = 0
    for begin, negative_end in found:
        if begin >= end:
            end = -negative_end
            yield begin, end, label


def _is_head(word: Token) -> bool:
    return word.pos_ in _HEADS and not _has_label(word, _NO_HEADS)


def _bounds(head: Token) -> tuple[int, int]:
    """First token, and minus the token after the last: sorts the longer of two phrases first."""
    return _phrase_begin(head), -_phrase_end(head)


def _phrase_begin(head: Token) -> int:
    begin = head.i
    for word in reversed(list(head.lefts)):
        if _has_label(word, _LEFT_LABELS):
            begin = word.left_edge.i
        elif not _has_label(word, _MIDDLE_LABELS):
            break
    while begin < head.i and _has_label(head.doc[begin], _EDGE_LABELS):
        begin += 1
    return begin


def _phrase_end(head: Token) -> int:
    """The token after the phrase; only punctuation may stand between the parts of a name."""
    end = head.i + 1
    for word in head.doc[end:]:
        if _has_label(word, _RIGHT_LABELS) and head.i <= word.head.i < word.i:
            end = word.i + 1
        elif word.dep_ != "punct":
            break
    return end


def _has_label(word: Token, labels: frozenset[str]) -> bool:
    """Whether the word's label is one of these or a subtype of one (``flat:name``)."""
    return word.dep_ in labels or word.dep_.partition(":")[0] in labels
