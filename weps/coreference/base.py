"""Parts of a model file, written and read alike, and calibrations of probabilities.

Of calibrated probabilities, 70 % of the pairs with 0.7 are coreferent. This is Platt's logistic
recalibration (Platt 1999): p becomes logistic(slope · logit(p) + shift).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from weps.errors import ModelError

Vector = NDArray[np.float64]
_MAX_NUMBER = 1e6


class Part:
    """A part of a model file: a dataclass of numbers, arrays and other parts.

    Metadata of its fields, which the file has in their order, are the functions that read them from
    JSON, and raise an error for other values.
    """

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def to_data(self) -> dict[str, Any]:
        """The fields by name, for JSON."""
        return {each.name: _as_data(getattr(self, each.name)) for each in fields(self)}

    @classmethod
    def read(cls, data: Any) -> Self:
        """Read what :meth:`to_data` wrote; ModelError if a field is missing or cannot be read."""
        return cls(**cls.read_fields(data))

    @classmethod
    def read_fields(cls, data: Any) -> dict[str, Any]:
        """Fields, each read by its function; ModelError if one is missing or cannot be read."""
        try:
            return {each.name: each.metadata["read"](data[each.name]) for each in fields(cls)}
        except ModelError:
            raise
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelError(f"its {cls.words()} cannot be read ({error})") from None

    @classmethod
    def from_data(cls, data: Any, columns: int = 0) -> Self:
        """Read what :meth:`to_data` wrote.

        Args:
            data: of any type.
            columns: number of columns of the pair table.

        Raises:
            ModelError: if a field is missing or cannot be read, or the numbers make no sense.
        """
        part = cls.read(data)
        if not part.is_sound(columns):
            raise ModelError(f"it is damaged ({cls.words()})")
        return part

    @classmethod
    def words(cls) -> str:
        """The name of the class as words, for errors."""
        return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", cls.__name__).lower()

    def is_sound(self, columns: int) -> bool:
        """Whether the numbers make sense for a pair table of so many columns."""
        raise NotImplementedError


AnyPart = TypeVar("AnyPart", bound=Part)


def part_of_kind(kinds: Mapping[str, type[AnyPart]], kind: Any) -> type[AnyPart]:
    """The class of a part that is one of several kinds.

    Raises:
        ModelError: if there is no such kind, for which a file may have anything.
    """
    if not isinstance(kind, str) or kind not in kinds:
        raise ModelError(
            f"it has a part of the unknown kind {str(kind)[:40]!r}, known are {', '.join(kinds)}",
            remedy="train the model again with `weps train`, or install the version that made it",
        )
    return kinds[kind]


def finite_number(value: Any) -> float:
    """The value; ValueError if it is no number, or so large that it might overflow."""
    # Strings and booleans would convert to numbers; NaN fails the comparison and is refused.
    if type(value) not in (int, float) or not abs(value) <= _MAX_NUMBER:
        raise ValueError(f"expected a finite number, got {value!r:.20}")
    return float(value)


def finite_numbers(values: Any) -> tuple[float, ...]:
    """The values; ValueError if any is none for :func:`finite_number`."""
    return tuple(map(finite_number, values))


def int32_array(values: Any) -> NDArray[np.int32]:
    """The values as an array; ValueError if they are not whole numbers."""
    array = np.asarray(values)
    with np.errstate(invalid="ignore"):
        whole = array.astype(np.int32)
    if not np.array_equal(array, whole):
        raise ValueError("expected whole numbers as places")
    return whole


def float32_array(values: Any) -> NDArray[np.float32]:
    """The values as an array; infinite where they are too large for it."""
    with np.errstate(over="ignore"):
        return np.asarray(values, dtype=np.float64).astype(np.float32)


def float64_array(values: Any) -> Vector:
    """The values as an array."""
    return np.asarray(values, dtype=np.float64)


def are_columns(places: NDArray[np.int32], columns: int) -> bool:
    """Whether an array has different columns of so many."""
    return (
        places.ndim == 1
        and len(np.unique(places)) == len(places)
        and bool(((places >= 0) & (places < columns)).all())
    )


def _as_data(value: Any) -> Any:
    """A field for JSON; a number in single precision is as short as its precision allows."""
    if isinstance(value, Part):
        return value.to_data()
    if isinstance(value, np.float32):
        return float(str(value))
    if isinstance(value, np.ndarray) and value.dtype != np.float32:
        return value.tolist()
    return list(map(_as_data, value)) if isinstance(value, np.ndarray | tuple) else value


_EPSILON = 1e-4
"""Probabilities are clipped to this distance from 0 and 1."""
_MIN_CASES = 20
"""Fewest cases of either outcome from which parameters are fitted."""


@dataclass(frozen=True, slots=True)
class Calibration(Part):
    """Scales and shifts log odds; the identity by default."""

    slope: float = field(default=1.0, metadata={"read": finite_number})
    """Greater than 0, so that the order of probabilities is kept."""
    shift: float = field(default=0.0, metadata={"read": finite_number})

    def __call__(self, probability: NDArray[np.floating[Any]]) -> Vector:
        """The calibrated probabilities, same shape."""
        if self == Calibration():
            return np.asarray(probability, dtype=np.float64)
        return inverse_logit(self.slope * clipped_logit(probability, _EPSILON) + self.shift)

    def is_sound(self, _columns: int = 0) -> bool:
        """Whether the slope keeps the order of probabilities."""
        return self.slope > 0


def fit_calibration(
    probability: Vector, happened: NDArray[np.bool_], weights: Vector
) -> Calibration:
    """Fit a calibration by maximum likelihood; the identity if there are too few cases.

    Args:
        probability: shape (cases,), predictions for cases that the classifier was not fitted to.
        happened: shape (cases,).
        weights: shape (cases,), positive.
    """
    odds = clipped_logit(probability, _EPSILON)[:, np.newaxis]
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


def inverse_logit(odds: NDArray[np.float64]) -> Vector:
    """The probabilities of log odds.

    Without SciPy, which takes longer to import than an answer from kept comparisons.
    """
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-odds)))


def clipped_logit(probability: Any, epsilon: float) -> Vector:
    """The log odds of probabilities clipped to a distance from 0 and 1."""
    clipped = np.clip(np.asarray(probability, np.float64), epsilon, 1 - epsilon)
    return np.log(clipped / (1 - clipped))
