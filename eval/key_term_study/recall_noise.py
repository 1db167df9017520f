"""Recall and noise of ranked lists of terms (COLING 2004, section 5.1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

from eval.key_term_study.concepts import Concept, normal

__all__ = ["Curve", "curve", "noise", "recall"]


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """What the first 0, 1, … n terms of a list reach."""

    covered: NDArray[np.int64]
    """Shape (n + 1,): |C_l|, the concepts of which at least one term is a word."""
    noise: NDArray[np.int64]
    """Shape (n + 1,): |L_n|, the terms that are a word of no concept."""
    concepts: int
    """|C|."""

    @property
    def length(self) -> int:
        """Terms of the list."""
        return len(self.noise) - 1

    def recall_at(self, length: int) -> float:
        """R of the first terms, of all if the list is shorter; nan without concepts."""
        reached = int(self.covered[min(length, self.length)])
        return reached / self.concepts if self.concepts else nan

    def noise_at(self, length: int) -> int:
        """Noise of the first terms, of all if the list is shorter."""
        return int(self.noise[min(length, self.length)])

    def recalls(self, lengths: int) -> NDArray[np.float64]:
        """Shape (lengths + 1,): R of the first 0, 1, … terms, the last where none are left."""
        held = _held(self.covered, lengths)
        return held / self.concepts if self.concepts else np.full(lengths + 1, nan)

    def noises(self, lengths: int) -> NDArray[np.float64]:
        """Shape (lengths + 1,): noise of the first 0, 1, … terms."""
        return _held(self.noise, lengths)


def curve(terms: Sequence[str], concepts: Collection[Concept]) -> Curve:
    """Follow a list from its first term to its last.

    Args:
        terms: best first, in lower case.
        concepts: see :func:`~eval.key_term_study.concepts.concepts_of`.
    """
    entry: dict[str, int] = {}
    for place, term in enumerate(terms, start=1):
        entry.setdefault(normal(term), place)
    known = frozenset().union(*concepts)
    reached = [
        min(entry[word] for word in concept if word in entry)
        for concept in concepts
        if not concept.isdisjoint(entry)
    ]
    astray = [normal(term) not in known for term in terms]
    covered = np.bincount(reached, minlength=len(terms) + 1).cumsum()
    return Curve(covered, np.cumsum([0, *astray]), len(concepts))


def recall(terms: Sequence[str], concepts: Collection[Concept]) -> float:
    """R = |C_l| / |C|: the share of concepts of which at least one term is a word."""
    return curve(terms, concepts).recall_at(len(terms))


def noise(terms: Sequence[str], concepts: Collection[Concept]) -> int:
    """Noise = |L_n|: how many terms are a word of no concept."""
    return curve(terms, concepts).noise_at(len(terms))


def _held(values: NDArray[np.int64], lengths: int) -> NDArray[np.float64]:
    """Shape (lengths + 1,): cut there, or its last value repeated."""
    held = values[np.arange(lengths + 1).clip(max=len(values) - 1)]
    return np.asarray(held, dtype=np.float64)
