"""Checks of what is to be compared: numbers, none of them missing, as many as there should be."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weps.errors import ValuesError

__all__ = ["as_groups", "as_measure", "as_measures", "rounded"]

_DIGITS = 10


def as_measure(values: ArrayLike, name: str = "values") -> NDArray[Any]:
    """One measure: shape (instances,), at least one instance.

    Raises:
        ValuesError: if they are not numbers in a row, or one is NaN.
    """
    array = _as_numbers(values, name)
    if array.ndim != 1:
        raise ValuesError(f"shape {array.shape} is not one value per instance", where=name)
    return _checked(array, name)


def as_measures(values: ArrayLike, name: str = "values") -> NDArray[Any]:
    """Several measures: shape (measures, instances), at least one of each.

    One measure may be given as shape (instances,).

    Raises:
        ValuesError: if they are not such numbers, or one is NaN.
    """
    array = np.atleast_2d(_as_numbers(values, name))
    if array.ndim != 2:
        raise ValuesError(f"shape {array.shape} is not measures × instances", where=name)
    return _checked(array, name)


def as_groups(groups: ArrayLike | None, size: int, name: str = "groups") -> NDArray[np.int64]:
    """The group of each instance: shape (size,), from 0; None puts all in one.

    Raises:
        ValuesError: if they are not whole numbers from 0, one for each instance.
    """
    if groups is None:
        return np.zeros(size, dtype=np.int64)
    array = np.asarray(groups)
    if array.shape != (size,):
        raise ValuesError(f"shape {array.shape} is not ({size},), one per instance", where=name)
    if array.dtype.kind not in "iu" or (size and array.min() < 0):
        raise ValuesError("groups are whole numbers from 0", where=name)
    return array.astype(np.int64)


def rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Any shape: ten digits of each, so that means of equal numbers are equal however summed up."""
    mantissa, exponent = np.frexp(values)
    return np.asarray(np.ldexp(mantissa.round(_DIGITS), exponent))


def _as_numbers(values: ArrayLike, name: str) -> NDArray[Any]:
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise ValuesError(f"these are no numbers ({array.dtype})", where=name)
    return array


def _checked(array: NDArray[Any], name: str) -> NDArray[Any]:
    if array.size == 0:
        raise ValuesError("there is nothing to compare", where=name, remedy="give instances")
    missing = np.argwhere(np.isnan(array))
    if len(missing):
        *measure, instance = missing[0].tolist()
        place = f"instance {instance}" + "".join(f" of measure {m}" for m in measure)
        raise ValuesError(
            f"{len(missing):,} values are NaN, the first is {place}",
            where=name,
            remedy="leave out these instances or measures, or give them a value",
        )
    return array
