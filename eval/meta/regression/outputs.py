"""Scores estimated from outputs that people have scored: Kazawa's and Yasuda's estimators.

Kazawa, Arrigan, Hirao and Maeda 2003 use the similarity to scored outputs, Yasuda et al. 2003 how
often a system beats scored ones; both as described by Nanba and Okumura, “An automatic method for
summary evaluation using multiple evaluation results by a manual method”, COLING/ACL 2006, sections
2 and 3.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from eval.meta.judged import as_finite
from eval.stats.arrays import Floats, as_measure, as_measures
from eval.stats.estimate import safe_divide
from weps.errors import ValuesError

__all__ = ["pooled_pairs", "pooled_scores", "relative_scores"]

_BLOCK = 1 << 22
"""Numbers that are kept at a time: 32 MB."""


def pooled_scores(similarity: ArrayLike, human: ArrayLike, thresholds: ArrayLike) -> Floats:
    """Each output's score by the other outputs of its topic, in proportion to their similarity.

    scr(x) = Σ Sim(x, xⱼ) yⱼ / Σ Sim(x, xⱼ) over the xⱼ with Sim(x, xⱼ) ≥ threshold, x itself left
    out (step 3 and experiment 1 of Nanba and Okumura). Similarities of 0 carry no information, so
    that at least one above 0 is needed. As an output's own score is left out, low thresholds give
    the best outputs the lowest scores: they are means of the others'. To rank outputs by there is
    :func:`pooled_pairs`.

    Args:
        similarity: shape (outputs, outputs), not below 0; row: the output to be scored, column:
            the one in the pool.
        human: shape (outputs,), finite: y.
        thresholds: shape (thresholds,); in the paper from 0 to 1 at intervals of 0.005.

    Returns:
        Shape (thresholds, outputs); NaN where no output is similar enough.

    Raises:
        ValuesError: if values are missing, NaN, infinite or not numbers, similarities below 0, or
            they do not fit together.
    """
    table, people = _checked(similarity, human)
    limits = as_measure(thresholds, "thresholds").astype(np.float64)
    step = max(1, _BLOCK // table.size)
    parts = []
    for start in range(0, len(limits), step):
        kept = np.where(table >= limits[start : start + step, None, None], table, 0.0)
        parts.append(safe_divide(kept @ people, kept.sum(axis=2)))
    return np.concatenate(parts)


def pooled_pairs(similarity: ArrayLike, human: ArrayLike, threshold: float = 0.0) -> Floats:
    """Scores to rank each two outputs by: neither is in the pool of the other.

    Else the better of two raises the score of the worse one by its own, and is ranked below it.
    The text that we have of experiment 2 does not state it.

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


def _checked(similarity: ArrayLike, human: ArrayLike) -> tuple[Floats, Floats]:
    """Similarities, 0 of an output with itself, and human scores."""
    table = as_finite(as_measures(similarity, "similarity").astype(np.float64), "similarity")
    people = as_finite(as_measure(human, "human").astype(np.float64), "human")
    if table.shape != (len(people), len(people)):
        what = f"similarities of shape {table.shape} do not match {len(people):,} human scores"
        raise ValuesError(what, remedy="give outputs × outputs and a score for each output")
    for row, column in np.argwhere(table < 0)[:1].tolist():
        what = f"the similarity of output {row} to output {column} is below 0"
        raise ValuesError(what, where="similarity", remedy="give similarities from 0")
    return np.where(np.eye(len(table), dtype=np.bool_), 0.0, table), people


def relative_scores(
    rates: ArrayLike, human: ArrayLike, limits: tuple[float, float] = (-np.inf, np.inf)
) -> Floats:
    """Each system's score by regression of its rates over the others on their scores.

    W = α + β y is fitted by least squares over the other systems; the score is where the line
    crosses ½, as there a system is as good as the one that it is compared with. Scores beyond
    the range of people's scores are moved into it (section 4.3); not beyond the other systems',
    or the best and the second would be tied, whatever the rates.

    Args:
        rates: W, shape (systems, systems): on which share of their common topics a measure puts
            the row above the column; the diagonal does not matter.
        human: shape (systems,), finite.
        limits: the lowest and the highest score that people give.

    Returns:
        Shape (systems,); NaN where the line is level, or fewer than two systems can be compared.

    Raises:
        ValuesError: if values are not numbers, infinite, or do not fit together.
    """
    people = as_finite(as_measure(human, "human").astype(np.float64), "human")
    table = np.asarray(rates, dtype=np.float64)
    if table.shape != (len(people), len(people)):
        what = f"rates of shape {table.shape} do not match {len(people):,} human scores"
        raise ValuesError(what, remedy="give systems × systems and a score for each system")
    others = ~np.isnan(table) & ~np.eye(len(table), dtype=np.bool_)
    pairs = zip(table, others, strict=True)
    scores = np.array([_crossing(rate[known], people[known]) for rate, known in pairs])
    return np.asarray(scores.clip(*limits))


def _crossing(rates: Floats, scores: Floats) -> float:
    """Where the line of rates on scores crosses ½."""
    if len(scores) < 2:
        return np.nan
    apart = scores - scores.mean()
    fall = float(apart @ (rates - rates.mean()))
    if not fall:
        return np.nan
    return float(scores.mean() + (0.5 - rates.mean()) * (apart @ apart) / fall)
