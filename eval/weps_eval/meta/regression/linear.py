"""Linear models of human scores, least squares on every subset of measures, and cross-validation.

Every score is estimated by a model fitted without its group; whole groups of instances, topics or
systems, are left out at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from weps.errors import ValuesError
from weps_eval.meta.judged import as_human_scored
from weps_eval.stats.arrays import Floats, Ints, as_groups

Model: TypeAlias = Callable[[Floats], Floats]
"""From values of shape (measures, instances) to estimated human scores, shape (instances,)."""

Learner: TypeAlias = Callable[[Floats, Floats, Ints], Model]
"""Makes a model of values, shape (measures, instances), human scores and folds, (instances,) each.

The folds are for learners that choose parameters; the others do not look at them.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Linear:
    """ŷ = β₀ + Σ βₘ xₘ."""

    intercept: float
    weights: Floats
    """Shape (measures,)."""

    def __call__(self, values: Floats) -> Floats:
        """The estimated scores, shape (instances,), of values (measures, instances)."""
        return np.asarray(self.intercept + self.weights @ values)


def multiple_regression(values: Floats, human: Floats, _: Ints) -> Linear:
    """Multiple regression: least squares on all measures.

    Where the measures do not determine the weights, those of the least length are taken.
    """
    centre, mean = values.mean(axis=1), human.mean()
    scale = values.std(axis=1)
    scale[np.ptp(values, axis=1) == 0] = np.inf  # a constant explains nothing
    apart = (values - centre[:, None]) / scale[:, None]
    weights = np.linalg.lstsq(apart.T, human - mean)[0] / scale
    return Linear(float(mean - weights @ centre), weights)


def simple_regression(values: Floats, human: Floats, _: Ints) -> Linear:
    """Simple regression: least squares on the one measure that fits the training scores best."""
    apart, aim = values - values.mean(axis=1, keepdims=True), human - human.mean()
    squares = (apart**2).sum(axis=1)
    squares[np.ptp(values, axis=1) == 0] = np.inf  # a constant explains nothing
    slopes = apart @ aim / squares
    best = int(np.argmax(slopes * (apart @ aim)))
    weights = np.zeros(len(values))
    weights[best] = slopes[best]
    return Linear(float(human.mean() - weights @ values.mean(axis=1)), weights)


def assign_folds(group: ArrayLike, count: int | None = None, seed: int = 0) -> Ints:
    """Deal groups into folds of nearly equally many groups, in an order that depends on the seed.

    The groups, shape (instances,), are the topic or system of each, whole numbers from 0. Without a
    count each is left out on its own.

    Returns:
        Shape (instances,): the fold of each, from 0.

    Raises:
        ValuesError: if groups are not whole numbers from 0, or fewer than the folds.
    """
    groups = as_groups(group, np.size(group), "group")
    names, of = np.unique(groups, return_inverse=True)
    if count is None:
        return np.asarray(of, dtype=np.int64)
    if not 2 <= count <= len(names):
        remedy = f"choose from 2 to {len(names)} folds"
        raise ValuesError(f"{len(names)} groups make no {count} folds", remedy=remedy)
    dealt = np.random.default_rng(seed).permutation(len(names)) % count
    return np.asarray(dealt[of], dtype=np.int64)


def cross_validate_scores(
    learner: Learner, values: ArrayLike, human: ArrayLike, fold: ArrayLike
) -> Floats:
    """Estimate each fold's scores by a model of the other folds.

    Nothing of a fold is seen before it is estimated: learners choose their parameters by the other
    folds alone. The text that we have of VRM (Hirao et al. 2007, section 4.1) does not state what
    was left out; ``fold`` chooses it.

    Args:
        learner: makes the models.
        values: shape (measures, instances).
        human: shape (instances,).
        fold: shape (instances,), whole numbers from 0, see :func:`assign_folds`.

    Returns:
        Shape (instances,).

    Raises:
        ValuesError: if values are missing, NaN, infinite, not numbers, or not equally many, or
            there is one fold only.
    """
    measures, people = as_human_scored(values, human, finite=True)
    parts = as_groups(fold, len(people), "fold")
    if np.ptp(parts) == 0:
        what = f"all {len(parts):,} instances are in one fold"
        raise ValuesError(what, where="fold", remedy="part them in two folds at least")
    estimates = np.empty(len(people))
    for left_out in np.unique(parts):
        out = parts == left_out
        model = learner(measures[:, ~out], people[~out], parts[~out])
        estimates[out] = model(measures[:, out])
    return estimates


MOST_VARIABLES = 20
"""Measures of which all subsets are tried by default: a million models."""
_DEPENDENT = 1e-9
"""Of a measure's variance; with less that is new a measure adds nothing to the others."""
_BLOCK = 1 << 14


@dataclass(frozen=True, slots=True, eq=False)
class Subsets:
    """The regressions of human scores on all subsets of measures, each with an intercept.

    A subset is a whole number: measure m is in it if bit m is set.
    """

    residual: Floats
    """Shape (2^measures,): squared residuals added up, as a share of those of the mean alone; NaN
    where a measure is constant or depends linearly on the others. 0 if all scores are equal."""
    gram: Floats
    """Shape (measures + 1, measures + 1): correlations of the measures and, last, the scores."""
    scale: Floats
    """Shape (measures + 1,): by which each was divided."""
    centre: Floats
    """Shape (measures + 1,): what was taken off before."""

    @classmethod
    def of(cls, values: Floats, human: Floats, most: int = MOST_VARIABLES) -> Subsets:
        """Fit all subsets.

        The tables of all subsets of the first measures are doubled, measure by measure: one half
        leaves the next measure out, the other takes its part away from those to come and from the
        scores (Schur's complement). As the tables shrink while they double, all residuals
        take about 2^measures · 6 operations and 2^measures · 80 bytes.

        Args:
            values: shape (measures, instances), finite.
            human: shape (instances,), finite.
            most: of how many measures all subsets may be tried.

        Raises:
            ValuesError: if there are more measures.
        """
        if len(values) > most:
            what = f"{len(values)} measures have 2^{len(values)} subsets"
            remedy = f"choose at most {most} of them"
            raise ValuesError(what, where="values", remedy=remedy)
        rows = np.vstack([values, human])
        centre = rows.mean(axis=1)
        apart = rows - centre[:, None]
        scale = np.sqrt((apart**2).sum(axis=1))
        scale[np.ptp(rows, axis=1) == 0] = np.inf
        apart /= scale[:, None]
        gram = apart @ apart.T
        return cls(np.maximum(_residuals(gram), 0.0), gram, scale, centre)

    @property
    def sizes(self) -> Ints:
        """Shape (2^measures,): how many measures each subset has."""
        return np.bitwise_count(np.arange(len(self.residual))).astype(np.int64)

    def weights(self, chosen: Ints) -> Floats:
        """Shape (measures,): the mean of the weights in these subsets, 0 where one is not in."""
        total = np.zeros(len(self.gram) - 1)
        for members in self._blocks(chosen):
            table = self.gram[members[:, :, None], members[:, None, :]]
            aims = self.gram[members, -1]
            found = np.linalg.solve(table, aims[:, :, None])[:, :, 0]
            np.add.at(total, members, found)
        spread = self.scale[-1] if np.isfinite(self.scale[-1]) else 0.0
        return np.asarray(total / len(chosen) * spread / self.scale[:-1])

    def _blocks(self, chosen: Ints) -> Iterator[Ints]:
        """Shape (subsets, size): the members of subsets of one size, some at a time."""
        members = (chosen[:, None] >> np.arange(len(self.gram) - 1)) & 1
        sizes = members.sum(axis=1)
        for size in np.unique(sizes[sizes > 0]).tolist():
            alike = members[sizes == size]
            for start in range(0, len(alike), _BLOCK):
                block = alike[start : start + _BLOCK]
                yield np.nonzero(block)[1].reshape(len(block), size)


def _residuals(gram: Floats) -> Floats:
    """Shape (2^measures,): what is left of the last variable by regression on each subset."""
    tables = gram[None]
    while tables.shape[1] > 1:
        pivot, row, rest = tables[:, 0, 0], tables[:, 0, 1:], tables[:, 1:, 1:]
        kept = np.where(pivot > _DEPENDENT, pivot, np.nan)
        taken = row[:, :, None] * (row / kept[:, None])[:, None, :]
        tables = np.concatenate([rest, rest - taken])
    return tables[:, 0, 0]
