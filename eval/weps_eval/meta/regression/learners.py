"""Learners with a parameter that is chosen by cross-validation within the training instances.

Each is compared with the voted regression model (VRM), the mean of all good regressions on subsets
of measures, by Hirao, Okumura, Yasuda and Isozaki, “Supervised automatic evaluation for
summarization with voted regression model”, Information Processing and Management 43 (2007).
Measures and scores are standardised by the instances that a model is fitted to, so that scales do
not matter.
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

from weps_eval.meta.judged import as_human_scored
from weps_eval.meta.regression.linear import MOST_VARIABLES, Learner, Linear, Model, Subsets
from weps_eval.stats.arrays import Floats, Ints

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
    measures, people = as_human_scored(values, human, finite=True)
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
