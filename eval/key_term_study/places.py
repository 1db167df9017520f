"""How many words of key concepts there are at each place of a sentence (COLING 2004, section 4)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import nan
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.key_term_study.concepts import normal
from weps.syntax import Positions

__all__ = ["DISTANCES", "PAIRS", "Places", "Share", "at", "places_of"]

_REACH = 6
DISTANCES = (*range(-_REACH, 0), *range(1, _REACH + 1))
"""Distances from the verb that are told apart; 1 is immediately after."""

PAIRS = {
    "subjects": ("subjects", "other phrases"),
    "heads": ("modifiers", "heads"),
    "noun heads": ("other words", "last nouns"),
}
"""What is compared → its two places. *heads* of subjects as the paper has them, *noun heads* as
English has."""

Flags: TypeAlias = NDArray[np.bool_]


class Share(NamedTuple):
    """Of the content words at a place, how many are words of a key concept."""

    held: int
    total: int

    @property
    def value(self) -> float:
        """The probability; nan if no word stands there."""
        return self.held / self.total if self.total else nan


Places: TypeAlias = Mapping[str, Share]
"""Place → share."""


def at(distance: int) -> str:
    """The place at that signed distance from the verb: ``-1``, ``+1``."""
    return f"{distance:+d}"


def places_of(
    positions: Positions,
    compounds: Positions,
    rows: Sequence[int],
    key_words: Collection[str],
) -> Places:
    """Count the words of some documents.

    Args:
        positions: of all words of the name's or topic's documents.
        compounds: the same with heads as English has them.
        rows: the documents that count.
        key_words: the words of the key concepts, plurals undone.
    """
    counted = positions.content & np.isin(positions.document, list(rows))
    key = np.array([normal(form) in key_words for form in positions.forms], dtype=bool)
    held = key[positions.form] & counted
    return {
        place: Share(int((held & here).sum()), int((counted & here).sum()))
        for place, here in _where(positions, compounds)
    }


def _where(positions: Positions, compounds: Positions) -> Iterator[tuple[str, Flags]]:
    """Place → shape (T,), whether a word stands there."""
    yield "any word", np.ones(len(positions), dtype=bool)
    yield "any distance", positions.distance != 0
    for distance in DISTANCES:
        yield at(distance), positions.distance == distance
    yield "subjects", positions.subject
    yield "other phrases", positions.noun_phrase & ~positions.subject
    yield "heads", positions.head
    yield "modifiers", positions.modifier
    yield "last nouns", compounds.head
    yield "other words", compounds.modifier
