"""GROUGE-1, -2 and -SU4: ROUGE with the likeness of senses beside that of letters.

Equations 3.3 and 3.4 of the paper, recall only, as there. Sums run over the distinct n-grams of a
reference, so that the likeness of senses counts once for an n-gram that is repeated; n-grams
are compared with the whole output. Where the paper is silent: the senses of the output are
those found against the whole reference (section 2), and a set of senses holds each sense once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from eval.text.senses.alignment import Alignment, Readings
from eval.text.senses.signatures import Signature, weighted_overlaps
from eval.text.senses.words import Text, Word
from eval.text.wordnet.ranks import Ranks, mean

__all__ = ["GROUGE_1", "GROUGE_2", "GROUGE_SU4", "Grouge", "Scores", "grouge_scores"]

Gram = tuple[Word, ...]

_BATCH = 500
"""n-grams compared at once; this and the next bound the memory that long texts take."""
_KEPT = 8000
"""Signatures kept at most, 16 KB each for two senses."""


@dataclass(frozen=True, slots=True)
class Grouge:
    """Which n-grams are compared, and how much their letters weigh."""

    n: int = 1
    """Words of an n-gram; 2 with ``skip``."""
    skip: int | None = None
    """Words that may be left out between the two of a skip-bigram; single words count, too."""
    beta: float = 0.5
    """Weight of letters, in [0, 1]; that of senses is the rest. The paper found .5 best."""

    def __post_init__(self) -> None:
        if not 0 <= self.beta <= 1 or self.n < 1 or (self.skip or 0) < 0:
            raise ValueError(f"{self} is no GROUGE")

    def grams(self, text: Text) -> list[Gram]:
        """The n-grams of a text, repeated ones repeatedly."""
        if self.skip is None:
            return list(zip(*(text[start:] for start in range(self.n)), strict=False))
        pairs = (
            (word, later)
            for place, word in enumerate(text)
            for later in text[place + 1 : place + self.skip + 2]
        )
        return [*((word,) for word in text), *pairs]


GROUGE_1 = Grouge(1)
GROUGE_2 = Grouge(2)
GROUGE_SU4 = Grouge(2, skip=4)


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Equation 3.3 for the outputs and references of a topic."""

    matches: NDArray[np.float64]
    """Shape (outputs, references): the inner sums of the numerator."""
    outputs: NDArray[np.float64]
    """Shape (outputs,): numbers of n-grams."""
    references: NDArray[np.float64]
    """Shape (references,): numbers of n-grams, the inner sums of the denominator."""

    def each(self) -> NDArray[np.float64]:
        """Shape (outputs, references), in [0, 1]: every output with every reference alone.

        Two texts without n-grams are the same and score 1.
        """
        scores: NDArray[np.float64] = np.where(self.outputs[:, None] == self.references, 1.0, 0.0)
        np.divide(self.matches, self.references, out=scores, where=self.references > 0)
        return scores

    def over_all(self) -> NDArray[np.float64]:
        """Shape (outputs,), in [0, 1]: equation 3.3, in which long references weigh more.

        If no reference has an n-gram, an output without any scores 1 and the others 0.
        """
        total = self.references.sum()
        scores = np.where(self.outputs == 0, 1.0, 0.0)
        np.divide(self.matches.sum(axis=1), total, out=scores, where=total > 0)
        return scores


def grouge_scores(
    measures: Sequence[Grouge], outputs: Sequence[Text], references: Sequence[Text], ranks: Ranks
) -> list[Scores]:
    """Compare the outputs of a topic with its references.

    An empty output scores 0 against a reference that has n-grams.

    Args:
        measures: what they have in common is computed once.
        outputs: peers, one of each system.
        references: models.
        ranks: the vectors of synsets, best the same for all topics.

    Returns:
        One for each of the measures.

    Raises:
        ValuesError: if the words have too many senses to compare.
    """
    reader = _Reader(Alignment.of(chain(outputs, references), ranks))
    matches = np.zeros((len(measures), len(outputs), len(references)))
    for row, output in enumerate(outputs):
        for column, reference in enumerate(references):
            matches[:, row, column] = reader.compare(measures, output, reference)
    return [
        Scores(each, _lengths(measure, outputs), _lengths(measure, references))
        for measure, each in zip(measures, matches, strict=True)
    ]


def _lengths(measure: Grouge, texts: Sequence[Text]) -> NDArray[np.float64]:
    return np.array([len(measure.grams(text)) for text in texts], dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _Reader:
    """Compares texts; signatures of the same senses are made once."""

    alignment: Alignment
    _known: dict[frozenset[int], Signature] = field(default_factory=dict, init=False)

    def compare(self, measures: Sequence[Grouge], output: Text, reference: Text) -> list[float]:
        """The inner sum of the numerator of equation 3.3 for each of the measures."""
        ours = self.alignment.read(output, reference)
        theirs = self.alignment.read(reference, output)
        whole = self._signature(tuple(ours), ours)
        return [
            measure.beta * _matches(measure, output, reference)
            + (1 - measure.beta) * self._likeness(measure.grams(reference), theirs, whole)
            for measure in measures
        ]

    def _likeness(self, grams: Sequence[Gram], readings: Readings, whole: Signature) -> float:
        distinct = list(dict.fromkeys(grams))
        likeness = 0.0
        for start in range(0, len(distinct), _BATCH):
            batch = [self._signature(gram, readings) for gram in distinct[start : start + _BATCH]]
            likeness += float(weighted_overlaps(whole, batch).sum())
        return likeness

    def _signature(self, words: Gram, readings: Readings) -> Signature:
        known = [word for word in words if word in readings]
        senses = frozenset(sense for word in known if (sense := readings[word]) is not None)
        unknown = frozenset(word.form.lower() for word in known if readings[word] is None)
        if senses not in self._known:
            if len(self._known) >= _KEPT:
                self._known.clear()
            vectors = [self.alignment.vectors[sense] for sense in sorted(senses)]
            self._known[senses] = Signature(mean(vectors)) if vectors else Signature()
        return Signature(self._known[senses].vector, unknown)


def _matches(measure: Grouge, output: Text, reference: Text) -> int:
    """How many n-grams of the reference the output has, too, by letters."""
    ours, theirs = (
        Counter(tuple(word.letters for word in gram) for gram in measure.grams(text))
        for text in (output, reference)
    )
    return (ours & theirs).total()
