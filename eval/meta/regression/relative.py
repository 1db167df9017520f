"""Scores by how often a system beats others that people have scored: Yasuda's regression.

Yasuda et al. 2003, as described by Nanba and Okumura, COLING/ACL 2006, section 2.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.meta.judged import as_finite, as_table
from eval.ordering.values import as_measure
from weps.errors import ValuesError

__all__ = ["relative_scores", "win_rates"]

Floats: TypeAlias = NDArray[np.float64]


def win_rates(values: ArrayLike, topic: ArrayLike, system: ArrayLike) -> Floats:
    """W: on which share of their common topics a measure puts one system above another.

    Ties count ½, of which the text that we have says nothing.

    Args:
        values: shape (measures, instances), or (instances,) for one measure.
        topic: shape (instances,), whole numbers from 0.
        system: shape (instances,), whole numbers from 0.

    Returns:
        Shape (measures, systems, systems), the row above the column; ½ on the diagonal, NaN
        where two systems have no common topic.

    Raises:
        ValuesError: if values are missing, NaN, no numbers, or not equally many, or a system
            answers a topic twice.
    """
    table = as_table(values, topic, system).swapaxes(1, 2)
    return np.array([_rates(each) for each in table])


def relative_scores(
    rates: ArrayLike, human: ArrayLike, limits: tuple[float, float] = (-np.inf, np.inf)
) -> Floats:
    """Each system's score by regression of its rates over the others on their scores.

    W = α + β y is fitted by least squares over the other systems; the score is where the line
    crosses ½, as there a system is as good as the one that it is held against. Scores beyond
    the range of people's scores are moved into it (section 4.3); not beyond the other systems',
    or the best and the second would be tied, whatever the rates.

    Args:
        rates: shape (systems, systems), see :func:`win_rates`; the diagonal does not matter.
        human: shape (systems,), finite.
        limits: the lowest and the highest score that people give.

    Returns:
        Shape (systems,); NaN where the line is level, or fewer than two systems can be compared.

    Raises:
        ValuesError: if values are no numbers, infinite, or do not fit together.
    """
    people = as_finite(as_measure(human, "human").astype(np.float64), "human")
    table = np.asarray(rates, dtype=np.float64)
    if table.shape != (len(people), len(people)):
        what = f"rates of shape {table.shape} do not fit {len(people):,} human scores"
        raise ValuesError(what, remedy="give systems × systems and a score for each system")
    others = ~np.isnan(table) & ~np.eye(len(table), dtype=np.bool_)
    pairs = zip(table, others, strict=True)
    scores = np.array([_crossing(rate[known], people[known]) for rate, known in pairs])
    return np.asarray(scores.clip(*limits))


def _rates(table: Floats) -> Floats:
    """Shape (systems, systems), of values of shape (systems, topics)."""
    found = np.empty((len(table), len(table)))
    for row, own in enumerate(table):
        won = (own > table).sum(axis=1) + (own == table).sum(axis=1) / 2
        shared = (~np.isnan(own) & ~np.isnan(table)).sum(axis=1)
        found[row] = won / np.where(shared > 0, shared, np.nan)
    return found


def _crossing(rates: Floats, scores: Floats) -> float:
    """Where the line of rates on scores crosses ½."""
    if len(scores) < 2:
        return np.nan
    apart = scores - scores.mean()
    fall = float(apart @ (rates - rates.mean()))
    if not fall:
        return np.nan
    return float(scores.mean() + (0.5 - rates.mean()) * (apart @ apart) / fall)
