"""Which measures are good? Predicted without people: those that agree with HBR."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.meta.correlation.coefficients import Coefficient, row_coefficients
from eval.meta.judged import as_finite, as_judged
from eval.meta.shares import share
from eval.ordering.values import as_groups, as_measure
from weps.errors import ValuesError

__all__ = ["Prediction", "prediction"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """The quality of measures as predicted and as it is, in each group (the paper: test set)."""

    predicted: Floats
    """Shape (measures, groups): the correlation with the ranking."""
    actual: Floats
    """Shape (measures, groups): that with the human scores; both nan where undefined."""

    @property
    def correlation(self) -> float:
        """Pearson's r, over measures, of their means over groups (*SEM 2012, figure 1: .94)."""
        return _over_measures(_mean(self.predicted), _mean(self.actual))

    @property
    def by_group(self) -> Floats:
        """Shape (groups,): Pearson's r over measures in each group (figure 5, black)."""
        return np.array(list(map(_over_measures, self.predicted.T, self.actual.T)))

    @property
    def transfer(self) -> Floats:
        """Shape (groups, groups): how well quality in one group predicts that in another.

        Pearson's r over measures, what the ranking has to compete with (figure 5, light grey).
        """
        columns = self.actual.T
        return np.array([[_over_measures(one, other) for other in columns] for one in columns])

    @property
    def by_others(self) -> Floats:
        """Shape (groups,): how well mean quality over all other groups predicts that in one.

        What figure 5 shows in grey, "the average correlation across test sets", without the one.
        """
        size = self.actual.shape[1]
        others = (_mean(self.actual[:, np.arange(size) != each]) for each in range(size))
        return np.array(list(map(_over_measures, others, self.actual.T)))


def prediction(
    values: ArrayLike,
    ranking: ArrayLike,
    human: ArrayLike,
    group: ArrayLike | None = None,
    kind: Coefficient = Coefficient.PEARSON,
) -> Prediction:
    """Correlate measures with a ranking such as HBR, and with people (*SEM 2012, section 6).

    Args:
        values: shape (measures, instances).
        ranking: shape (instances,).
        human: shape (instances,), human scores.
        group: shape (instances,), whole numbers from 0, the test set of each; None for one.
        kind: of correlation, the paper's Pearson's r by default.

    Raises:
        ValuesError: if values are missing, NaN, infinite, no numbers, or do not fit together.
    """
    measures, people = as_judged(values, human, finite=True)
    ranked = as_finite(as_measure(ranking, "ranking").astype(np.float64), "ranking")
    if len(ranked) != len(people):
        what = f"{len(ranked):,} values do not fit {len(people):,} instances"
        raise ValuesError(what, where="ranking")
    groups = as_groups(group, len(people), "group")
    return Prediction(*(_by_group(measures, each, groups, kind) for each in (ranked, people)))


def _by_group(measures: Floats, target: Floats, groups: Ints, kind: Coefficient) -> Floats:
    """Shape (measures, groups), nan for a group of nobody."""
    found = np.full((len(measures), groups.max() + 1), np.nan)
    for group in np.unique(groups):
        rows = measures[:, groups == group]
        wanted = np.broadcast_to(target[groups == group], rows.shape)
        found[:, group] = row_coefficients(rows, wanted, kind)
    return found


def _over_measures(first: Floats, second: Floats) -> float:
    """Pearson's r of what both know; nan if that leaves either without different values."""
    known = ~(np.isnan(first) | np.isnan(second))
    if not known.any():
        return math.nan
    return float(row_coefficients(first[None, known], second[None, known], Coefficient.PEARSON)[0])


def _mean(shares: Floats) -> Floats:
    """Shape (measures,): mean over the groups that say something, nan if none does."""
    return share(np.nan_to_num(shares).sum(axis=1), (~np.isnan(shares)).sum(axis=1))
