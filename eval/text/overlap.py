"""What an output and a reference have in common, and the scores drawn from it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

__all__ = ["Overlap", "Text", "or_wholes", "words_of"]

Text: TypeAlias = tuple[tuple[str, ...], ...]
"""A tokenised text: sentences of tokens."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """Units shared by an output and a reference, with the totals of both.

    A unit is whatever is counted or weighed: n-grams, tokens, skip-bigrams. Nothing is divided
    by zero: a text without units scores 0 against one that has some, and 1 against another
    without any, as two empty texts are the same. Measures that look at units longer than a word
    fall back on :func:`or_wholes`, so that two different short texts do not score 1.
    """

    matches: float
    """Numerator of precision and recall."""
    output: float
    """Denominator of precision."""
    reference: float
    """Denominator of recall."""

    @property
    def precision(self) -> float:
        """The share of the output that is in the reference, in [0, 1]."""
        return self._share(self.output)

    @property
    def recall(self) -> float:
        """The share of the reference that is in the output, in [0, 1]."""
        return self._share(self.reference)

    def f(self, beta: float = 1.0) -> float:
        """F_β: recall counts β times as much as precision (van Rijsbergen 1979, chapter 7).

        0 is precision and infinity recall, except that F is 0 wherever nothing is shared. What
        ROUGE-1.5.5 calls α is 1 / (1 + β²).
        """
        precision, recall = self.precision, self.recall
        alpha = 1 / (1 + beta**2)
        weighted = alpha * recall + (1 - alpha) * precision
        return precision * recall / weighted if weighted else 0.0

    def __add__(self, other: Overlap) -> Overlap:
        return Overlap(
            self.matches + other.matches,
            self.output + other.output,
            self.reference + other.reference,
        )

    def _share(self, total: float) -> float:
        if total:
            return self.matches / total
        return float(self.output == self.reference)


def or_wholes(overlap: Overlap, output: Text, reference: Text) -> Overlap:
    """The overlap; where neither text has a unit, each text is one, shared if they are the same.

    Two words have no trigram, whether or not they are the same two.
    """
    if overlap.output or overlap.reference:
        return overlap
    return Overlap(float(words_of(output) == words_of(reference)), 1.0, 1.0)


def words_of(text: Text) -> tuple[str, ...]:
    """The tokens of all sentences, in order."""
    return tuple(chain.from_iterable(text))
