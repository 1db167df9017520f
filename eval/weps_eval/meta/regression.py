"""Linear models of human scores, least squares on every subset of measures, and cross-validation.

Every score is estimated by a model fitted without its group; whole groups of instances, topics or
systems, are left out at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from sklearn.linear_model import Lasso, Ridge
from sklearn.svm import SVR

from weps.errors import ValuesError
from weps_eval.stats import Floats, Ints, as_groups, as_measure, as_measures

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


def cross_validate_scores(learner: Learner, values: Floats, human: Floats, fold: Ints) -> Floats:
    """Estimate each fold's scores by a model of the other folds.

    Nothing of a fold is seen before it is estimated: learners choose their parameters by the other
    folds alone. The text that we have of VRM (Hirao et al. 2007, section 4.1) does not state what
    was left out; ``fold`` chooses it.

    Args:
        learner: makes the models.
        values: shape (measures, instances), finite.
        human: shape (instances,), finite.
        fold: shape (instances,), whole numbers from 0, two at least; see :func:`assign_folds`.

    Returns:
        Shape (instances,).
    """
    estimates = np.empty(len(human))
    for left_out in np.unique(fold):
        out = fold == left_out
        model = learner(values[:, ~out], human[~out], fold[~out])
        estimates[out] = model(values[:, out])
    return estimates


MOST_VARIABLES = 20
"""Measures of which all subsets are tried by default: a million models."""
_DEPENDENT = 1e-9
"""Minimum share of a measure's variance that the others do not explain."""
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
        tables = gram[None]
        while tables.shape[1] > 1:
            pivot, row, rest = tables[:, 0, 0], tables[:, 0, 1:], tables[:, 1:, 1:]
            kept = np.where(pivot > _DEPENDENT, pivot, np.nan)
            taken = row[:, :, None] * (row / kept[:, None])[:, None, :]
            tables = np.concatenate([rest, rest - taken])
        return cls(np.maximum(tables[:, 0, 0], 0.0), gram, scale, centre)

    @property
    def sizes(self) -> Ints:
        """Shape (2^measures,): how many measures each subset has."""
        return np.bitwise_count(np.arange(len(self.residual))).astype(np.int64)

    def weights(self, chosen: Ints) -> Floats:
        """Shape (measures,): the mean of the weights in these subsets, 0 where one is not in."""
        total = np.zeros(len(self.gram) - 1)
        is_member = (chosen[:, None] >> np.arange(len(total))) & 1
        sizes = is_member.sum(axis=1)
        for size in np.unique(sizes[sizes > 0]).tolist():
            alike = is_member[sizes == size]
            for start in range(0, len(alike), _BLOCK):
                block = alike[start : start + _BLOCK]
                members = np.nonzero(block)[1].reshape(len(block), size)
                table = self.gram[members[:, :, None], members[:, None, :]]
                aims = self.gram[members, -1]
                np.add.at(total, members, np.linalg.solve(table, aims[:, :, None])[:, :, 0])
        spread = self.scale[-1] if np.isfinite(self.scale[-1]) else 0.0
        return np.asarray(total / len(chosen) * spread / self.scale[:-1])


Make: TypeAlias = Callable[[float], Any]
"""An estimator of scikit-learn with a parameter of this value."""

_INNER = 5
"""Inner folds at most: more are put together."""
_RIDGE = tuple(np.logspace(-2, 4, 13).tolist())
_LASSO = tuple(np.logspace(-3, 0, 13).tolist())
_COSTS = (0.1, 1.0, 10.0)
CANDIDATE_RANGE = 2.0
"""ΔAICc up to which a model is as good as the best (Burnham and Anderson 2002, section 2.6)."""
_EXACT = 1e-12
"""Share of the squares: fits that leave less are perfect, and float64 cannot distinguish them."""


def ridge_regression(values: Floats, human: Floats, fold: Ints) -> Model:
    """Ridge regression: least squares with the squares of the weights, times a penalty, added."""
    return fit_tuned(values, human, fold, lambda penalty: Ridge(alpha=penalty), _RIDGE)


def lasso_regression(values: Floats, human: Floats, fold: Ints) -> Model:
    """The lasso: half the mean square with the sizes of the weights, times a penalty, added.

    With a penalty of 1 all weights of standardised measures are 0.
    """
    return fit_tuned(values, human, fold, lambda penalty: Lasso(penalty, max_iter=100_000), _LASSO)


def support_vectors(values: Floats, human: Floats, fold: Ints) -> Model:
    """Support vector regression (SVR) with a cost C that is chosen.

    The kernel is radial, which the text of the paper that we have does not state; errors below a
    tenth of the standard deviation of the scores cost nothing.
    """
    return fit_tuned(values, human, fold, lambda cost: SVR(epsilon=0.1, C=cost), _COSTS)


def fit_tuned(
    values: Floats, human: Floats, fold: Ints, make: Make, choices: Sequence[float]
) -> Model:
    """Take the choice with the least squared error over the folds, and fit to all instances.

    With one fold there is nothing to choose by, and the middle choice is taken.

    Args:
        values: shape (measures, instances), finite.
        human: shape (instances,), finite.
        fold: shape (instances,), whole numbers from 0; more than five are put together.
        make: from a choice to an estimator.
        choices: of the parameter.
    """
    inner = np.unique(fold, return_inverse=True)[1] % _INNER
    if inner.max() == 0:
        return _fit_choices(values, human, make, choices[len(choices) // 2 :][:1])[0]
    errors = np.zeros(len(choices))
    for left_out in range(int(inner.max()) + 1):
        out = inner == left_out
        models = _fit_choices(values[:, ~out], human[~out], make, choices)
        errors += [((model(values[:, out]) - human[out]) ** 2).sum() for model in models]
    return _fit_choices(values, human, make, [choices[int(np.argmin(errors))]])[0]


def _fit_choices(
    values: Floats, human: Floats, make: Make, choices: Sequence[float]
) -> list[Model]:
    """A model for each choice, of values and scores as they are."""
    centre, scale = values.mean(axis=1, keepdims=True), values.std(axis=1, keepdims=True)
    scale[np.ptp(values, axis=1) == 0] = 1.0
    mean, spread = human.mean(), human.std() if np.ptp(human) else 1.0
    rows, aim = ((values - centre) / scale).T, (human - mean) / spread

    def estimates(estimator: Any, unseen: Floats) -> Floats:
        found = estimator.predict(((unseen - centre) / scale).T)
        return np.asarray(mean + spread * found, dtype=np.float64)

    return [partial(estimates, make(choice).fit(rows, aim)) for choice in choices]


@dataclass(frozen=True, slots=True, eq=False)
class VotedRegression:
    """The candidates, and their mean."""

    model: Linear
    """Its estimates are the means of the candidates' estimates, as all of them are linear."""
    subsets: Ints
    """Shape (candidates,): measure m is in a candidate if bit m is set; rising AICc."""
    difference: Floats
    """Shape (candidates,): ΔAICc, from 0."""
    support: Floats
    """Shape (measures,): share of the candidates that have the measure."""


def aicc_values(residual: ArrayLike, parameters: ArrayLike, size: int) -> Floats:
    """N ln(RSS / N) + 2K + 2K(K+1) / (N-K-1) (Sugiura 1978; VRM, section 3.3).

    Args:
        residual: RSS, any shape, as a share of the squares about the mean; less than 10⁻¹², where
            rounding errors rule, counts as 10⁻¹².
        parameters: K, the same shape: the weights, the intercept and the variance of the errors.
        size: N, the instances.

    Returns:
        The same shape; inf where N-K-1 < 1, NaN where the residual is.
    """
    floored = np.maximum(np.asarray(residual, dtype=np.float64), _EXACT)
    count = np.asarray(parameters, dtype=np.float64)
    spare = size - count - 1
    correction = 2 * count * (count + 1) / np.where(spare > 0, spare, np.nan)
    value = size * np.log(floored / size) + 2 * count + correction
    return np.where((spare > 0) | np.isnan(floored), value, np.inf)


def candidate_models(criterion: Floats, within: float = CANDIDATE_RANGE) -> Ints:
    """The models whose criterion is at most so far above the best, by rising criterion.

    Args:
        criterion: shape (models,); inf or NaN for models that are no candidates.
        within: ΔAICc; 0 gives the best alone, and with it those that equal it.
    """
    known = np.where(np.isfinite(criterion), criterion, np.inf)
    best = known.min(initial=np.inf)
    if best == np.inf:
        return np.zeros(0, dtype=np.int64)
    chosen = np.flatnonzero(known <= best + within)
    return np.asarray(chosen[np.argsort(known[chosen], kind="stable")])


def as_human_scored(values: ArrayLike, human: ArrayLike) -> tuple[Floats, Floats]:
    """A measure matrix and human scores of the same instances, all finite.

    Args:
        values: shape (measures, instances), or (instances,) for one measure.
        human: shape (instances,).

    Raises:
        ValuesError: if values are missing, NaN, not numbers, infinite, or not equally many.
    """
    measures = as_measures(values, "values").astype(np.float64)
    people = as_measure(human, "human").astype(np.float64)
    if measures.shape[1] != len(people):
        what = f"values of {measures.shape[1]:,} and human scores of {len(people):,} instances"
        raise ValuesError(f"{what} cannot be paired", remedy="give both of the same instances")
    for array, name in ((people, "human"), (measures, "values")):
        for *measure, instance in np.argwhere(np.isinf(array))[:1].tolist():
            place = f"instance {instance}" + "".join(f" of measure {each}" for each in measure)
            remedy = "give it a finite value, or leave it out"
            raise ValuesError(f"the value of {place} is infinite", where=name, remedy=remedy)
    return measures, people


def vrm(
    values: ArrayLike,
    human: ArrayLike,
    *,
    within: float = CANDIDATE_RANGE,
    most: int = MOST_VARIABLES,
) -> VotedRegression:
    """The mean of all regressions with an AICc close to the best (VRM, section 3.3).

    Every non-empty subset of the measures is fitted by least squares. The paper does not state how
    parameters are counted; as in Sugiura, the variance is one of them. Subsets with a constant
    measure, or with one that depends linearly on the others, are left out. If no subset remains
    (fewer than five instances, or only constant measures), the model is the mean score.

    Args:
        values: shape (measures, instances).
        human: shape (instances,).
        within: the greatest ΔAICc, which the available text of the paper does not state.
        most: the largest number of measures for which all subsets are fitted.

    Raises:
        ValuesError: if values are missing, NaN, infinite, not numbers, or not equally many, or
            there are more measures.
    """
    measures, people = as_human_scored(values, human)
    return _vote(measures, people, within, most)


def voted_learner(within: float = CANDIDATE_RANGE) -> Learner:
    """:func:`vrm` as a learner."""
    return lambda values, human, _: _vote(values, human, within).model


def best_aicc(values: Floats, human: Floats, _: Ints) -> Linear:
    """The single regression of the best AICc (VRM, section 4.2: “1-best”)."""
    return _vote(values, human, None).model


def _vote(
    values: Floats, human: Floats, within: float | None, most: int = MOST_VARIABLES
) -> VotedRegression:
    """The vote of all candidates within that ΔAICc; the best alone if it is None."""
    subsets = Subsets.of(values, human, most)
    criterion = aicc_values(subsets.residual, subsets.sizes + 2, len(human))
    criterion[0] = np.inf  # no measure at all
    chosen = candidate_models(criterion, within or 0.0)
    if within is None:
        chosen = chosen[:1]
    if not len(chosen):
        nothing = np.zeros(len(values))
        return VotedRegression(Linear(float(human.mean()), nothing), chosen, np.zeros(0), nothing)
    weights = subsets.weights(chosen)
    model = Linear(float(subsets.centre[-1] - weights @ subsets.centre[:-1]), weights)
    members = (chosen[:, None] >> np.arange(len(values))) & 1
    above = criterion[chosen] - criterion[chosen[0]]
    return VotedRegression(model, chosen, above, members.mean(axis=0))
