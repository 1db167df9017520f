"""Whole texts compared sentence by sentence (Hirao, Okumura and Isozaki 2005, section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.text.kernels.esk import Kernel
from eval.text.kernels.sequences import NodeSequence
from eval.text.kernels.similarity import similarities
from weps.errors import ValuesError

__all__ = ["BestMatches", "TextNodes", "best_matches"]

Floats: TypeAlias = NDArray[np.float64]
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
        return np.divide(product, mixed, out=np.zeros_like(mixed), where=mixed > 0)


def best_matches(
    outputs: Sequence[TextNodes], references: Sequence[TextNodes], kernel: Kernel
) -> BestMatches:
    """Compare every output with every reference; each sentence counts with its best match.

    Sentences without attributes are left out. The paper does not say what a text without
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
    peers, models = ([_filled(text) for text in texts] for texts in (outputs, references))
    peer, model = (max(map(len, texts), default=0) for texts in (peers, models))
    _check_lengths(peer, model, kernel)
    table = similarities(list(chain(*peers)), list(chain(*models)), kernel)
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


def _filled(text: TextNodes) -> TextNodes:
    """The sentences that have something to compare."""
    return [sentence for sentence in text if any(sentence)]


def _ends(texts: Sequence[TextNodes]) -> NDArray[np.int64]:
    """Where each text's sentences end, when all stand in a row."""
    return np.cumsum([len(text) for text in texts], dtype=np.int64)


def _of_texts(block: Floats) -> tuple[float, float]:
    """Precision and recall from similarities of shape (output's, reference's sentences)."""
    if block.size == 0:
        same = float(block.shape == (0, 0))
        return same, same
    return float(block.max(axis=1).mean()), float(block.max(axis=0).mean())
