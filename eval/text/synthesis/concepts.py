"""NICOS: how much texts dwell on key concepts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from eval.text.synthesis.closeness import closeness, distance, of_empty
from weps.errors import ValuesError

__all__ = ["Concept", "nicos", "occurrences"]

Concept = tuple[str, ...]
"""One or more consecutive words, in the form (lemmas, lower case) that the words of texts have."""


def nicos(output: Sequence[str], reference: Sequence[str], concepts: Iterable[Concept]) -> float:
    """NICOS, nuclear informative concept similarity (ACL 2004, section 3.2.5).

    kc(M)_i = freq(C_i, M) / |words(M)|, and the similarity is the closeness of the vectors kc of
    both texts, see :func:`eval.text.synthesis.closeness.closeness`. A concept that is given twice
    counts once. As the formula has it, texts without any key concept score 1 whatever they are
    about: their vectors are the same, zero.

    Args:
        output: the words of a text.
        reference: the words of another; the measure is symmetric.
        concepts: what the people asked for the topic, or any extraction of key terms, named.

    Returns:
        In (0, 1]; of texts without words see :func:`eval.text.synthesis.closeness.of_empty`.

    Raises:
        ValuesError: if there are no concepts, or one has no words.
    """
    distinct = tuple(set(concepts))
    if not distinct:
        raise ValuesError("no key concepts to compare texts by", remedy="give one or more")
    counts = [occurrences(distinct, words) for words in (output, reference)]
    if not (output and reference):
        return of_empty(output, reference)
    return closeness(distance(counts[0] / len(output), counts[1] / len(reference)))


def occurrences(concepts: Sequence[Concept], words: Sequence[str]) -> NDArray[np.int64]:
    """How often each concept stands in the words, consecutively; shape (concepts,).

    Occurrences may overlap, those of one concept as those of several: ``a a`` is twice in
    ``a a a``, and ``coup`` also counts within ``coup attempt``. On this the paper is silent. Ends
    of sentences are no words and part nothing.

    Raises:
        ValuesError: if a concept has no words.
    """
    tree = _Tree()
    ends = [tree.add(concept) for concept in concepts]
    for start in range(len(words)):
        tree.count(words, start)
    return np.array([end.visits for end in ends], dtype=np.int64)


@dataclass(slots=True, eq=False)
class _Tree:
    """Concepts by their first word, under it by their second, and so on."""

    visits: int = 0
    """How often the words that lead here were met."""
    following: dict[str, _Tree] = field(default_factory=dict)

    def add(self, concept: Concept) -> _Tree:
        """Where a concept ends."""
        if not concept:
            raise ValuesError("a key concept has no words", remedy="leave it out")
        place = self
        for word in concept:
            place = place.following.setdefault(word, _Tree())
        return place

    def count(self, words: Sequence[str], start: int) -> None:
        """Visit all places to which the words from there on lead."""
        place = self
        for number in range(start, len(words)):
            following = place.following.get(words[number])
            if following is None:
                break
            place = following
            place.visits += 1
