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

from eval.meta.judged import as_human_scored
from eval.meta.regression.linear import MOST_VARIABLES, Learner, Linear, Model, Subsets
from eval.stats.arrays import Floats, Ints

__all__ = [
    "CANDIDATE_RANGE",
    "VotedRegression",
    "aicc",
    "best_aicc",
    "candidate_models",
    "lasso",
    "ridge",
    "support_vectors",
    "voted_learner",
    "vrm",
]

Make: TypeAlias = Callable[[float], Any]
"""An estimator of scikit-learn with a parameter of this value."""

_INNER = 5
"""Inner folds at most: more are put together."""
_RIDGE = tuple(np.logspace(-2, 4, 13).tolist())
_LASSO = tuple(np.logspace(-3, 0, 13).tolist())
_COSTS = (0.1, 1.0, 10.0)


def ridge(penalties: Sequence[float] = _RIDGE) -> Learner:
    """Ridge regression: least squares with the squares of the weights, times a penalty, added."""
    return partial(_fit_tuned, make=_ridge, choices=penalties)


def lasso(penalties: Sequence[float] = _LASSO) -> Learner:
    """The lasso: half the mean square with the sizes of the weights, times a penalty, added.

    With a penalty of 1 all weights of standardised measures are 0.
    """
    return partial(_fit_tuned, make=_lasso, choices=penalties)


def support_vectors(
    costs: Sequence[float] = _COSTS, kernel: str = "rbf", tolerance: float = 0.1
) -> Learner:
    """Support vector regression (SVR).

    Args:
        costs: C, from which one is chosen.
        kernel: ``rbf``, or ``linear``; the text of the paper that we have does not state it.
        tolerance: ε, in standard deviations of the scores: smaller errors cost nothing.
    """
    return partial(_fit_tuned, make=partial(_svr, kernel, tolerance), choices=costs)


def _ridge(penalty: float) -> Any:
    return Ridge(alpha=penalty)


def _lasso(penalty: float) -> Any:
    return Lasso(alpha=penalty, max_iter=100_000)


def _svr(kernel: str, tolerance: float, cost: float) -> Any:
    return SVR(kernel=kernel, epsilon=tolerance, C=cost)


def _fit_tuned(
    values: Floats, human: Floats, fold: Ints, *, make: Make, choices: Sequence[float]
) -> Model:
    """Take the choice with the least squared error over the folds, and fit to all instances.

    With one fold there is nothing to choose by, and the middle choice is taken.
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


CANDIDATE_RANGE = 2.0
"""ΔAICc up to which a model is as good as the best (Burnham and Anderson 2002, section 2.6)."""
_EXACT = 1e-12
"""Share of the squares: fits that leave less are perfect, and float64 cannot distinguish them."""


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


def aicc(residual: ArrayLike, parameters: ArrayLike, size: int) -> Floats:
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
    """The mean of all regressions whose AICc is at most so far above the best (VRM, section 3.3).

    Every subset of the measures but the empty one is fitted by least squares. The paper leaves
    open how many parameters a model has; as in Sugiura, the variance is one of them. Subsets with
    a constant measure or one that depends on the others are no candidates. If no subset is one
    (there are fewer than five instances, or all measures are constant), the mean score is the
    model.

    Args:
        values: shape (measures, instances).
        human: shape (instances,).
        within: the greatest ΔAICc; the text of the paper that we have leaves it open.
        most: of how many measures all subsets may be tried.

    Raises:
        ValuesError: if values are missing, NaN, infinite, not numbers, or not equally many, or
            there are more measures.
    """
    measures, people = as_human_scored(values, human, finite=True)
    return _vote(measures, people, within, most)


def voted_learner(within: float = CANDIDATE_RANGE, most: int = MOST_VARIABLES) -> Learner:
    """:func:`vrm` as a learner."""
    return partial(_fit_voted, within=within, most=most)


def best_aicc(most: int = MOST_VARIABLES) -> Learner:
    """The single regression of the best AICc as a learner (VRM, section 4.2: “1-best”)."""
    return partial(_fit_voted, within=None, most=most)


def _fit_voted(
    values: Floats, human: Floats, _: Ints, *, within: float | None, most: int
) -> Linear:
    return _vote(values, human, within, most).model


def _vote(values: Floats, human: Floats, within: float | None, most: int) -> VotedRegression:
    subsets = Subsets.of(values, human, most)
    criterion = aicc(subsets.residual, subsets.sizes + 2, len(human))
    criterion[0] = np.inf  # no measure at all
    chosen = candidate_models(criterion, within or 0.0)
    if within is None:
        chosen = chosen[:1]
    if not len(chosen):
        return _mean(values, human)
    weights = subsets.weights(chosen)
    model = Linear(float(subsets.centre[-1] - weights @ subsets.centre[:-1]), weights)
    members = (chosen[:, None] >> np.arange(len(values))) & 1
    above = criterion[chosen] - criterion[chosen[0]]
    return VotedRegression(model, chosen, above, members.mean(axis=0))


def _mean(values: Floats, human: Floats) -> VotedRegression:
    nothing = np.zeros(len(values))
    empty = np.zeros(0, dtype=np.int64)
    return VotedRegression(Linear(float(human.mean()), nothing), empty, np.zeros(0), nothing)
