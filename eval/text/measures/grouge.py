"""GROUGE-1, -2 and -SU4: ROUGE with the similarity of senses beside that of words.

Equations 3.3 and 3.4 of the paper, recall only, as there. Sums run over the distinct n-grams of a
reference, so that the similarity of senses counts once for a repeated n-gram; n-grams are compared
with the whole output. Where the paper is silent: the senses of the output are those found against
the whole reference (section 2), and a set of senses has each sense once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from eval.stats.estimate import safe_divide
from eval.text.measures.senses import Alignment, Readings, Signature, Word, Words, weighted_overlaps
from eval.text.wordnet.pagerank import PageRanks, mean_vector
from weps.errors import ValuesError

__all__ = ["GROUGE_1", "GROUGE_2", "GROUGE_SU4", "Grouge", "GrougeScores", "SenseReader"]

Gram = tuple[Word, ...]

_PAIR = 2
"""Words of a skip-bigram."""
_BATCH = 500
"""n-grams compared at once; this and the next bound the memory that long texts take."""
_CACHE_SIZE = 8000
"""Signatures kept at most, 16 KB each for two senses."""


@dataclass(frozen=True, slots=True)
class Grouge:
    """Which n-grams are compared, and how much their letters weigh.

    Raises:
        ValuesError: if there are none such.
    """

    n: int = 1
    """Words of an n-gram, from 1; 2 with ``skip``."""
    skip: int | None = None
    """Words that may be left out between the two of a skip-bigram; single words count, too."""
    beta: float = 0.5
    """Weight of letters, in [0, 1]; that of senses is the rest. The paper found .5 best."""

    def __post_init__(self) -> None:
        if not 0 <= self.beta <= 1:
            raise ValuesError(f"letters weigh {self.beta}", remedy="choose a beta from 0 to 1")
        if self.n < 1:
            raise ValuesError(f"GROUGE of {self.n}-grams", remedy="n is at least 1")
        if self.skip is not None and (self.skip < 0 or self.n != _PAIR):
            what = f"{self.n}-grams that skip {self.skip} words"
            raise ValuesError(what, remedy="skip 0 words or more between the two of n=2")

    def grams(self, text: Words) -> list[Gram]:
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
class GrougeScores:
    """Equation 3.3 for some outputs and references."""

    matches: NDArray[np.float64]
    """Shape (outputs, references): the inner sums of the numerator."""
    totals: NDArray[np.float64]
    """Shape (outputs, references): the inner sums of the denominator, n-grams of the reference.

    Where neither text has an n-gram, each is one, matched if they are the same by letters.
    """

    def each(self) -> NDArray[np.float64]:
        """Shape (outputs, references), in [0, 1]: every output with every reference alone."""
        return safe_divide(self.matches, self.totals, 0)

    def over_all(self) -> NDArray[np.float64]:
        """Shape (outputs,), in [0, 1]: equation 3.3, in which long references weigh more."""
        return safe_divide(self.matches.sum(axis=1), self.totals.sum(axis=1), 0)


@dataclass(frozen=True, slots=True, eq=False)
class SenseReader:
    """Compares texts; what the measures have in common is worked out once."""

    alignment: Alignment
    _known: dict[frozenset[int], Signature] = field(default_factory=dict, init=False)

    @classmethod
    def of(cls, texts: Iterable[Words], ranks: PageRanks) -> SenseReader:
        """A reader of these texts.

        Args:
            texts: all that are ever to be compared.
            ranks: the vectors of synsets, best the same for all topics.

        Raises:
            ValuesError: if the words have too many senses to compare.
        """
        return cls(Alignment.of(texts, ranks))

    def scores(
        self, measure: Grouge, outputs: Sequence[Words], references: Sequence[Words]
    ) -> GrougeScores:
        """Compare every output with every reference.

        An output without words scores 0 against a reference that has n-grams.
        """
        pairs = [
            [self._compared(measure, output, reference) for reference in references]
            for output in outputs
        ]
        table = np.array(pairs, dtype=np.float64).reshape(len(outputs), len(references), 2)
        return GrougeScores(table[..., 0], table[..., 1])

    def _compared(self, measure: Grouge, output: Words, reference: Words) -> tuple[float, float]:
        """The inner sums of numerator and denominator of equation 3.3."""
        ours, theirs = measure.grams(output), measure.grams(reference)
        if not theirs:
            return float(_letters(output) == _letters(reference)), float(not ours)
        by_letters = (_by_letters(ours) & _by_letters(theirs)).total()
        read = self.alignment.read(output, reference)
        whole = self._signature(tuple(read), read)
        by_sense = self._likeness(theirs, self.alignment.read(reference, output), whole)
        return measure.beta * by_letters + (1 - measure.beta) * by_sense, len(theirs)

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
            if len(self._known) >= _CACHE_SIZE:
                self._known.clear()
            vectors = [self.alignment.vectors[sense] for sense in sorted(senses)]
            self._known[senses] = Signature(mean_vector(vectors)) if vectors else Signature()
        return Signature(self._known[senses].vector, unknown)


def _letters(words: Gram) -> tuple[str, ...]:
    return tuple(word.letters for word in words)


def _by_letters(grams: Iterable[Gram]) -> Counter[tuple[str, ...]]:
    return Counter(map(_letters, grams))
