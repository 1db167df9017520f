"""Calibration of probabilities, and parts of classifiers read from a model file.

Of calibrated probabilities, 70 % of the pairs with 0.7 are coreferent. This is Platt's logistic
recalibration (Platt 1999): p becomes logistic(slope · logit(p) + shift).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from weps.errors import ModelError

Vector = NDArray[np.float64]


def require(sound: bool | np.bool_, problem: str) -> None:
    """Refuse a part of a model file.

    Raises:
        ModelError: if it is not sound.
    """
    if not sound:
        raise ModelError(problem)


def read_fields(data: Any, what: str, **readers: Callable[[Any], Any]) -> dict[str, Any]:
    """Fields of a part of a model file, each read by its function.

    Args:
        data: the part, of any type.
        what: the part, for errors.
        readers: name of the field → function that raises an error for other values.

    Raises:
        ModelError: if a field is missing or cannot be read.
    """
    try:
        return {name: read(data[name]) for name, read in readers.items()}
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ModelError(f"{what} cannot be read ({error})") from None


def int32_array(values: Any) -> NDArray[np.int32]:
    """The values as an array; ValueError if they are not whole numbers."""
    array = np.asarray(values)
    with np.errstate(invalid="ignore"):
        whole = array.astype(np.int32)
    if not np.array_equal(array, whole):
        raise ValueError("expected whole numbers as places in the tree")
    return whole


def column_array(columns: int, values: Any) -> NDArray[np.int32]:
    """The values as an array; ValueError if they are not different columns of so many."""
    array = int32_array(values)
    distinct = array.ndim == 1 and len(np.unique(array)) == len(array)
    if not (distinct and ((array >= 0) & (array < columns)).all()):
        raise ValueError(f"expected different columns below {columns}")
    return array


def float32_array(values: Any) -> NDArray[np.float32]:
    """The values as an array; infinite where they are too large for it."""
    with np.errstate(over="ignore"):
        return np.asarray(values, dtype=np.float64).astype(np.float32)


def short_numbers(array: NDArray[np.float32]) -> list[float]:
    """The numbers for JSON, each as short as its precision allows."""
    return [float(str(number)) for number in array]


_EPSILON = 1e-4
"""Probabilities are clipped to this distance from 0 and 1."""
_MAX_PARAMETER = 1e3
_MIN_CASES = 20
"""Fewest cases of either outcome from which parameters are fitted."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Scales and shifts log odds; the identity by default."""

    slope: float = 1.0
    """Greater than 0, so that the order of probabilities is kept."""
    shift: float = 0.0

    def __call__(self, probability: NDArray[np.floating[Any]]) -> Vector:
        """The calibrated probabilities, same shape."""
        if self == Calibration():
            return np.asarray(probability, dtype=np.float64)
        return np.asarray(expit(self.slope * _clipped_logit(probability) + self.shift))

    def to_data(self) -> dict[str, float]:
        """Slope and shift, for JSON."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: Any) -> Calibration:
        """Read what :meth:`to_data` wrote.

        Raises:
            ModelError: if a number is missing or cannot be used.
        """
        read = cls(**read_fields(data, "its calibration", slope=float, shift=float))
        usable = abs(read.shift) <= _MAX_PARAMETER and 0 < read.slope <= _MAX_PARAMETER
        require(usable, "its calibration is damaged")
        return read


def fit_calibration(
    probability: Vector, happened: NDArray[np.bool_], weights: Vector
) -> Calibration:
    """Fit a calibration by maximum likelihood; the identity if there are too few cases.

    Args:
        probability: shape (cases,), predictions for cases that the classifier was not fitted to.
        happened: shape (cases,).
        weights: shape (cases,), positive.
    """
    odds = _clipped_logit(probability)[:, np.newaxis]
    # A tiny penalty keeps the weights finite where a threshold separates the outcomes.
    shift, slope = fit_logistic(odds, happened, weights, penalty=1e-3) or (0.0, 1.0)
    return Calibration(slope, shift) if slope > 0 else Calibration()


def fit_logistic(
    predictors: Vector, happened: NDArray[np.bool_], weights: Vector, *, penalty: float
) -> tuple[float, ...]:
    """Intercept and coefficients by penalised maximum likelihood; empty if cases are too few.

    Args:
        predictors: shape (cases, predictors).
        happened: shape (cases,).
        weights: shape (cases,), positive.
        penalty: factor of half the sum of squared coefficients.
    """
    if min(happened.sum(), (~happened).sum()) < _MIN_CASES:
        return ()
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - only training needs it

    fitted = LogisticRegression(C=1 / penalty)
    fitted.fit(predictors, happened, sample_weight=weights / weights.mean())
    return (float(fitted.intercept_[0]), *map(float, fitted.coef_[0]))


def _clipped_logit(probability: NDArray[np.floating[Any]]) -> Vector:
    return np.asarray(logit(np.clip(probability, _EPSILON, 1 - _EPSILON), dtype=np.float64))
