"""Learners with a parameter, which is chosen by the folds within the training instances.

Each is compared with the voted regression model by Hirao et al. 2007 (section 4.2). Measures and
scores are standardised by the instances that a model is fitted to, so that no scale matters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import Lasso, Ridge
from sklearn.svm import SVR

from eval.meta.regression.linear import Learner, Model

__all__ = ["lasso", "ridge", "support_vectors"]

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Make: TypeAlias = Callable[[float], Any]
"""An estimator of scikit-learn with a parameter of this value."""

_INNER = 5
"""Inner folds at most: more are put together."""
_RIDGE = tuple(np.logspace(-2, 4, 13).tolist())
_LASSO = tuple(np.logspace(-3, 0, 13).tolist())
_COSTS = (0.1, 1.0, 10.0)


def ridge(penalties: Sequence[float] = _RIDGE) -> Learner:
    """Ridge regression: least squares with the squares of the weights, times a penalty, added."""
    return partial(_learned, make=_ridge, choices=penalties)


def lasso(penalties: Sequence[float] = _LASSO) -> Learner:
    """The lasso: half the mean square with the sizes of the weights, times a penalty, added.

    With a penalty of 1 all weights of standardised measures are 0.
    """
    return partial(_learned, make=_lasso, choices=penalties)


def support_vectors(
    costs: Sequence[float] = _COSTS, kernel: str = "rbf", tolerance: float = 0.1
) -> Learner:
    """Support vector regression (SVR).

    Args:
        costs: C, from which one is chosen.
        kernel: ``rbf``, or ``linear``; the text of the paper that we have does not tell.
        tolerance: ε, in standard deviations of the scores: smaller errors cost nothing.
    """
    return partial(_learned, make=partial(_svr, kernel, tolerance), choices=costs)


def _ridge(penalty: float) -> Any:
    return Ridge(alpha=penalty)


def _lasso(penalty: float) -> Any:
    return Lasso(alpha=penalty, max_iter=100_000)


def _svr(kernel: str, tolerance: float, cost: float) -> Any:
    return SVR(kernel=kernel, epsilon=tolerance, C=cost)


def _learned(
    values: Floats, human: Floats, fold: Ints, *, make: Make, choices: Sequence[float]
) -> Model:
    """Take the choice with the least squared error over the folds, and fit to all instances.

    With one fold there is nothing to choose by, and the middle choice is taken.
    """
    inner = np.unique(fold, return_inverse=True)[1] % _INNER
    if inner.max() == 0:
        return _fitted(values, human, make, choices[len(choices) // 2 :][:1])[0]
    errors = np.zeros(len(choices))
    for left_out in range(int(inner.max()) + 1):
        out = inner == left_out
        models = _fitted(values[:, ~out], human[~out], make, choices)
        errors += [((model(values[:, out]) - human[out]) ** 2).sum() for model in models]
    return _fitted(values, human, make, [choices[int(np.argmin(errors))]])[0]


def _fitted(values: Floats, human: Floats, make: Make, choices: Sequence[float]) -> list[Model]:
    """A model for each choice, of values and scores as they are."""
    centre, scale = values.mean(axis=1, keepdims=True), values.std(axis=1, keepdims=True)
    scale[np.ptp(values, axis=1) == 0] = 1.0
    mean, spread = human.mean(), human.std() if np.ptp(human) else 1.0
    rows, aim = ((values - centre) / scale).T, (human - mean) / spread

    def estimates(estimator: Any, unseen: Floats) -> Floats:
        found = estimator.predict(((unseen - centre) / scale).T)
        return np.asarray(mean + spread * found, dtype=np.float64)

    return [partial(estimates, make(choice).fit(rows, aim)) for choice in choices]
