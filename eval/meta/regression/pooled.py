"""Scores by likeness to outputs that people have scored: Kazawa's estimator.

Kazawa, Arrigan, Hirao and Maeda 2003, as described and varied by Nanba and Okumura, “An automatic
method for summary evaluation using multiple evaluation results by a manual method”, COLING/ACL
2006, sections 2 and 3.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.meta.judged import as_finite
from eval.ordering.values import as_measure, as_measures
from weps.errors import ValuesError

__all__ = ["pooled_pairs", "pooled_scores", "pooled_values"]

Floats: TypeAlias = NDArray[np.float64]

_BLOCK = 1 << 22
"""Numbers that are held at a time: 32 MB."""


def pooled_scores(similarity: ArrayLike, human: ArrayLike, thresholds: ArrayLike) -> Floats:
    """Each output's score by the other outputs of its topic, in proportion to their similarity.

    scr(x) = Σ Sim(x, xⱼ) yⱼ / Σ Sim(x, xⱼ) over the xⱼ with Sim(x, xⱼ) ≥ threshold, x itself
    left out (step 3 and experiment 1 of Nanba and Okumura). Equation 1 has weights wⱼ and an
    offset b instead of the quotient; :func:`pooled_values` are for learning these. Similarities
    of 0 say nothing, so that at least one above 0 is needed. As an output's own score is left out,
    low thresholds give the best outputs the lowest scores: they are means of the others'. To rank
    outputs by there is :func:`pooled_pairs`.

    Args:
        similarity: shape (outputs, outputs), not below 0; row: the output to be scored, column:
            the one in the pool.
        human: shape (outputs,), finite: y.
        thresholds: shape (thresholds,); in the paper from 0 to 1 at intervals of 0.005.

    Returns:
        Shape (thresholds, outputs); NaN where no output is similar enough.

    Raises:
        ValuesError: if values are missing, NaN, infinite or no numbers, similarities below 0, or
            they do not fit together.
    """
    table, people = _checked(similarity, human)
    limits = as_measure(thresholds, "thresholds").astype(np.float64)
    step = max(1, _BLOCK // table.size)
    starts = range(0, len(limits), step)
    parts = [_proportional(table, people, limits[at : at + step]) for at in starts]
    return np.concatenate(parts)


def pooled_pairs(similarity: ArrayLike, human: ArrayLike, threshold: float = 0.0) -> Floats:
    """Scores to rank each two outputs by: neither is in the pool of the other.

    Else the better of two raises the score of the worse one by its own, and is ranked below it.
    The text that we have of experiment 2 does not tell.

    Args:
        similarity: shape (outputs, outputs), as for :func:`pooled_scores`.
        human: shape (outputs,), finite.
        threshold: the least similarity.

    Returns:
        Shape (outputs, outputs): of the row without the column; NaN on the diagonal and where
        no other output is similar enough.

    Raises:
        ValuesError: as for :func:`pooled_scores`.
    """
    table, people = _checked(similarity, human)
    kept = np.where(table >= threshold, table, 0.0)
    some = kept > 0
    others = (some.sum(axis=1)[:, None] - some > 0) & ~np.eye(len(kept), dtype=np.bool_)
    total = kept.sum(axis=1)[:, None] - kept
    sums = (kept @ people)[:, None] - kept * people
    return np.asarray(sums / np.where(others, total, np.nan))


def pooled_values(similarity: ArrayLike, human: ArrayLike, threshold: float = 0.0) -> Floats:
    """The terms yⱼ Sim(x, xⱼ) of equation 1, as the values of one measure for each j.

    A learner finds wⱼ and b: ``multiple`` over the topics other than x's (``folds(topic)``) is
    Kazawa's method. Values of several topics stand side by side if their outputs are by the same
    systems in the same order.

    Args:
        similarity: shape (outputs, outputs), as for :func:`pooled_scores`.
        human: shape (outputs,), finite.
        threshold: terms with less similarity are 0.

    Returns:
        Shape (outputs in the pool, outputs); 0 for an output with itself.

    Raises:
        ValuesError: as for :func:`pooled_scores`.
    """
    table, people = _checked(similarity, human)
    return np.asarray(np.where(table >= threshold, table, 0.0).T * people[:, None])


def _checked(similarity: ArrayLike, human: ArrayLike) -> tuple[Floats, Floats]:
    """Similarities, 0 of an output with itself, and human scores."""
    table = as_finite(as_measures(similarity, "similarity").astype(np.float64), "similarity")
    people = as_finite(as_measure(human, "human").astype(np.float64), "human")
    if table.shape != (len(people), len(people)):
        what = f"similarities of shape {table.shape} do not fit {len(people):,} human scores"
        raise ValuesError(what, remedy="give outputs × outputs and a score for each output")
    for row, column in np.argwhere(table < 0)[:1].tolist():
        what = f"the similarity of output {row} to output {column} is below 0"
        raise ValuesError(what, where="similarity", remedy="give similarities from 0")
    return np.where(np.eye(len(table), dtype=np.bool_), 0.0, table), people


def _proportional(table: Floats, human: Floats, limits: Floats) -> Floats:
    kept = np.where(table >= limits[:, None, None], table, 0.0)
    total = kept.sum(axis=2)
    return np.asarray(kept @ human / np.where(total > 0, total, np.nan))
