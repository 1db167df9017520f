"""The normalised string kernel, and whole texts compared sentence by sentence.

Hirao, Okumura and Isozaki 2005, equation 5 and section 3.2. For sequences without attributes
equation 5 is 0 / 0, which the paper does not mention: two of them score 1, and one of them scores 0
against any other sequence.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import TypeAlias

import numpy as np

from eval.stats.arrays import Floats, Ints
from eval.stats.estimate import safe_divide
from eval.text.measures.kernels import Incidence, Kernel, NodeSequence, kernel_values
from weps.errors import ValuesError

__all__ = [
    "BestMatches",
    "TextNodes",
    "best_matches",
    "kernel_similarities",
    "paired_similarities",
    "similarities_within",
]


def paired_similarities(
    first: Sequence[NodeSequence], second: Sequence[NodeSequence], kernel: Kernel
) -> Floats:
    """Sim_esk of each first sequence and the second in its place, shape (pairs,).

    Raises:
        ValuesError: if there are not as many of the one as of the other.
    """
    if len(first) != len(second):
        raise ValuesError(f"{len(first)} and {len(second)} sequences cannot be paired")
    sequences = _UniqueSequences.of((*first, *second))
    numbers = sequences.numbers
    return sequences.similarities(numbers[: len(first)], numbers[len(first) :], kernel)


def kernel_similarities(
    first: Sequence[NodeSequence], second: Sequence[NodeSequence], kernel: Kernel
) -> Floats:
    """Sim_esk of every first and every second sequence, shape (first, second)."""
    sequences = _UniqueSequences.of((*first, *second))
    rows, columns = np.split(sequences.numbers, [len(first)])
    row, column = (grid.ravel() for grid in np.meshgrid(rows, columns, indexing="ij"))
    return sequences.similarities(row, column, kernel).reshape(len(first), len(second))


def similarities_within(sequences: Sequence[NodeSequence], kernel: Kernel) -> Floats:
    """Sim_esk of all sequences with each other: symmetric, ones on the diagonal.

    Returns:
        Shape (sequences, sequences).
    """
    distinct = _UniqueSequences.of(sequences)
    row, column = np.triu_indices(len(sequences), 1)
    matrix = np.eye(len(sequences))
    found = distinct.similarities(distinct.numbers[row], distinct.numbers[column], kernel)
    matrix[row, column] = matrix[column, row] = found
    return matrix


@dataclass(frozen=True, slots=True, eq=False)
class _UniqueSequences:
    """Sequences of which many may be equal: each is compared once."""

    numbers: Ints
    """Shape (sequences,): which of the different ones each of them is."""
    incidence: Incidence
    """Of the different ones."""

    @classmethod
    def of(cls, sequences: Iterable[NodeSequence]) -> _UniqueSequences:
        places: defaultdict[NodeSequence, int] = defaultdict(count().__next__)
        numbers = np.fromiter(map(places.__getitem__, sequences), np.int64)
        return cls(numbers, Incidence.of(list(places)))

    def similarities(self, first: Ints, second: Ints, kernel: Kernel) -> Floats:
        """Of pairs of different ones, shape (pairs,)."""
        size = len(self.incidence.lengths)
        low, high = np.minimum(first, second), np.maximum(first, second)
        pairs, places = np.unique(low * size + high, return_inverse=True)
        low, high = pairs // size, pairs % size
        compared = kernel_values(self.incidence, low, high, kernel)
        every = np.arange(size)
        own = kernel_values(self.incidence, every, every, kernel)
        return _cosine(compared, own[low], own[high])[places]


def _cosine(compared: Floats, first: Floats, second: Floats) -> Floats:
    """Equation 5, without the product of two large numbers; of one sequence with itself, 1.

    A sequence shares at least one attribute with itself or has none, so that ``first`` and
    ``second`` are at least 1 or 0.
    """
    of_first = compared / np.maximum(first, 1.0)
    of_second = compared / np.maximum(second, 1.0)
    cosine: Floats = np.minimum(np.sqrt(of_first * of_second), 1.0)
    return np.where((first == 0) & (second == 0), 1.0, cosine)


TextNodes: TypeAlias = Sequence[NodeSequence]
"""The sentences of a text."""
_MOST_WORK = 16_000_000
"""Pairs of sentences of 20 words times lengths of subsequences that take about a minute."""


@dataclass(frozen=True, slots=True, eq=False)
class BestMatches:
    """How well the sentences of outputs and references find a counterpart in the other text."""

    precision: Floats
    """P_esk, equation 6: mean over the output's sentences, shape (outputs, references)."""
    recall: Floats
    """R_esk, equation 7: mean over the reference's sentences, shape (outputs, references)."""

    def f(self, beta: float = 1.0) -> Floats:
        """F_esk, equation 8, shape (outputs, references); its mean over rows is equation 9.

        Args:
            beta: how much more recall weighs than precision; infinite, F is recall. The paper
                finds 2 and 3 best for summaries. Where both are 0, so is F.

        Raises:
            ValuesError: if ``beta`` is negative or no number.
        """
        if not beta >= 0:
            raise ValuesError(f"an F with beta {beta}", remedy="choose 0 or more")
        share = 1 / (1 + beta * beta)
        mixed = share * self.recall + (1 - share) * self.precision
        product = self.precision * self.recall
        return safe_divide(product, mixed, 0)


def best_matches(
    outputs: Sequence[TextNodes], references: Sequence[TextNodes], kernel: Kernel
) -> BestMatches:
    """Compare every output with every reference; each sentence counts with its best match.

    Sentences without attributes are left out. The paper does not state what a text without
    sentences scores: 0 against another that has some, and 1 against one that has none either.

    Args:
        outputs: the texts of systems.
        references: what they are compared with.
        kernel: the parameters.

    Returns:
        Two arrays of shape (outputs, references), each in [0, 1].

    Raises:
        ValuesError: if two texts have so many sentences that it would take minutes.
    """
    peers, models = (
        [_nonempty_sentences(text) for text in texts] for texts in (outputs, references)
    )
    peer, model = (max(map(len, texts), default=0) for texts in (peers, models))
    _check_lengths(peer, model, kernel)
    table = kernel_similarities(list(chain(*peers)), list(chain(*models)), kernel)
    scores = np.empty((2, len(peers), len(models)))
    for row, strip in enumerate(np.split(table, _ends(peers), axis=0)[:-1]):
        for column, block in enumerate(np.split(strip, _ends(models), axis=1)[:-1]):
            scores[:, row, column] = _of_texts(block)
    return BestMatches(*scores)


def _check_lengths(peer: int, model: int, kernel: Kernel) -> None:
    if peer * model * kernel.length > _MOST_WORK:
        what = f"string kernels of {peer:,} and {model:,} sentences would take too long"
        remedy = "compare shorter texts, or choose shorter subsequences"
        raise ValuesError(what, remedy=remedy)


def _nonempty_sentences(text: TextNodes) -> TextNodes:
    """The sentences that have something to compare."""
    return [sentence for sentence in text if any(sentence)]


def _ends(texts: Sequence[TextNodes]) -> Ints:
    """Where each text's sentences end, when all stand in a row."""
    return np.cumsum([len(text) for text in texts], dtype=np.int64)


def _of_texts(block: Floats) -> tuple[float, float]:
    """Precision and recall from similarities of shape (output's, reference's sentences)."""
    if block.size == 0:
        same = float(block.shape == (0, 0))
        return same, same
    return float(block.max(axis=1).mean()), float(block.max(axis=0).mean())
