"""Calibrated probabilities: of the pairs with probability 0.7, 70 % are coreferent.

Platt's logistic recalibration (Platt 1999): p becomes logistic(slope · logit(p) + shift).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from weps.errors import ModelError

__all__ = ["Calibration", "fit_calibration"]

Vector = NDArray[np.float64]
_EPSILON = 1e-4
"""Probabilities are clipped to this distance from 0 and 1."""
_MAX_PARAMETER = 1e3
_MIN_CASES = 20
"""Fewest cases of either outcome from which a calibration is fitted."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Scales and shifts log odds; the identity by default."""

    slope: float = 1.0
    """Greater than 0, so that the order of probabilities is kept."""
    shift: float = 0.0

    def __call__(self, probability: NDArray[np.floating[Any]]) -> Vector:
        """The calibrated probabilities, same shape."""
        if self == _IDENTITY:
            return np.asarray(probability, dtype=np.float64)
        return np.asarray(expit(self.slope * _logit(probability) + self.shift))

    def to_data(self) -> dict[str, float]:
        """Slope and shift, for JSON."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: Any) -> Calibration:
        """Read what :meth:`to_data` wrote.

        Raises:
            ModelError: if a number is missing or cannot be used.
        """
        try:
            read = cls(float(data["slope"]), float(data["shift"]))
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelError(f"its calibration cannot be read ({error})") from None
        sound = isfinite(read.shift) and abs(read.shift) <= _MAX_PARAMETER
        if not sound or not 0 < read.slope <= _MAX_PARAMETER:
            raise ModelError("its calibration is damaged")
        return read


_IDENTITY = Calibration()


def fit_calibration(
    probability: Vector, happened: NDArray[np.bool_], weights: Vector
) -> Calibration:
    """Fit a calibration by maximum likelihood; the identity if there are too few cases.

    Args:
        probability: shape (cases,), predictions for cases that the classifier was not fitted to.
        happened: shape (cases,).
        weights: shape (cases,), positive.
    """
    if min(happened.sum(), (~happened).sum()) < _MIN_CASES:
        return _IDENTITY
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - only training needs it

    odds = _logit(probability)[:, np.newaxis]
    # A tiny penalty keeps the weights finite where a threshold separates the outcomes.
    fitted = LogisticRegression(C=1e3).fit(odds, happened, sample_weight=weights / weights.mean())
    slope, shift = float(fitted.coef_[0, 0]), float(fitted.intercept_[0])
    return Calibration(slope, shift) if slope > 0 else _IDENTITY


def _logit(probability: NDArray[np.floating[Any]]) -> Vector:
    return np.asarray(logit(np.clip(probability, _EPSILON, 1 - _EPSILON), dtype=np.float64))
