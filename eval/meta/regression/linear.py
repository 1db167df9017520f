"""Linear models of human scores: by one measure, and by all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Learner", "Linear", "Model", "multiple", "simple"]

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

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


def multiple(values: Floats, human: Floats, _: Ints) -> Linear:
    """Multiple regression: least squares on all measures.

    Where the measures do not determine the weights, those of the least length are taken.
    """
    centre, mean = values.mean(axis=1), human.mean()
    scale = values.std(axis=1)
    scale[np.ptp(values, axis=1) == 0] = np.inf  # a constant explains nothing
    apart = (values - centre[:, None]) / scale[:, None]
    weights = np.linalg.lstsq(apart.T, human - mean)[0] / scale
    return Linear(float(mean - weights @ centre), weights)


def simple(values: Floats, human: Floats, _: Ints) -> Linear:
    """Simple regression: least squares on the one measure that fits the training scores best."""
    apart, aim = values - values.mean(axis=1, keepdims=True), human - human.mean()
    squares = (apart**2).sum(axis=1)
    squares[np.ptp(values, axis=1) == 0] = np.inf  # a constant explains nothing
    slopes = apart @ aim / squares
    best = int(np.argmax(slopes * (apart @ aim)))
    weights = np.zeros(len(values))
    weights[best] = slopes[best]
    return Linear(float(human.mean() - weights @ values.mean(axis=1)), weights)
