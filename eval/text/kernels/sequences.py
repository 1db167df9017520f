"""Sentences as sequences of nodes with attributes, which is what the kernel compares."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from weps.errors import ValuesError

__all__ = ["Node", "NodeSequence", "with_senses", "words"]

Node: TypeAlias = frozenset[Hashable]
"""The attributes of one position: the word, and its word senses. One without attributes matches
nothing and still widens the gap between its neighbours."""
NodeSequence: TypeAlias = tuple[Node, ...]


def words(tokens: Iterable[str]) -> NodeSequence:
    """Nodes whose one attribute is the word: with them, the kernel is the paper's WSK.

    The paper puts WSK into equations 6 to 8 with the d and λ of ESK and does not define it anew;
    Cancedda et al. (2003), whom it names, weigh the matched words too and take one length only.
    """
    return tuple(_node(token, ()) for token in tokens)


def with_senses(tokens: Sequence[str], senses: Sequence[Iterable[Hashable]]) -> NodeSequence:
    """Nodes whose attributes are the word and its senses, ``cosmonaut:{SPACEMAN}``.

    A sense is never taken for the word of the same spelling; a sense named twice counts once.

    Args:
        tokens: the words of a sentence.
        senses: the senses of each word, none or several; a synset's number, for example.

    Raises:
        ValuesError: if there are not as many groups of senses as words.
    """
    if len(tokens) != len(senses):
        raise ValuesError(f"{len(tokens)} words have {len(senses)} groups of senses")
    return tuple(_node(token, tuple(group)) for token, group in zip(tokens, senses, strict=True))


@lru_cache(1 << 16)  # a word comes again and again, and a set is dear
def _node(word: str, senses: tuple[Hashable, ...]) -> Node:
    return frozenset((word, *((sense,) for sense in senses)))
