"""Checks of arrays to compare, ranks as integers, and exact counts of inversions and ties."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weps.errors import ValuesError

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
Bits: TypeAlias = NDArray[np.uint64]

_DIGITS = 10


def as_measure(values: ArrayLike, name: str = "values") -> NDArray[Any]:
    """One measure: shape (instances,), at least one instance.

    Raises:
        ValuesError: if they are not numbers in a row, or one is NaN.
    """
    return _checked(np.asarray(values), 1, "one value per instance", name)


def as_measures(values: ArrayLike, name: str = "values") -> NDArray[Any]:
    """Several measures: shape (measures, instances), at least one of each.

    One measure may be given as shape (instances,).

    Raises:
        ValuesError: if they are not such numbers, or one is NaN.
    """
    return _checked(np.atleast_2d(values), 2, "measures × instances", name)


def as_groups(groups: ArrayLike | None, size: int, name: str = "groups") -> NDArray[np.int64]:
    """The group of each instance: shape (size,), from 0; None puts all in one.

    Raises:
        ValuesError: if they are not whole numbers from 0, one for each instance.
    """
    if groups is None:
        return np.zeros(size, dtype=np.int64)
    array = np.asarray(groups)
    if array.shape != (size,):
        what = f"expected shape ({size},), one group per instance, got {array.shape}"
        raise ValuesError(what, where=name)
    if array.dtype.kind not in "iu" or (size and array.min() < 0):
        raise ValuesError("expected groups numbered from 0", where=name)
    return array.astype(np.int64)


def round_digits(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ten digits of each value, so that means of equal numbers are equal however summed up."""
    mantissa, exponent = np.frexp(values)
    return np.asarray(np.ldexp(mantissa.round(_DIGITS), exponent))


def _checked(array: NDArray[Any], dimensions: int, expected: str, name: str) -> NDArray[Any]:
    if array.dtype.kind not in "biuf":
        raise ValuesError(f"expected numbers, got {array.dtype}", where=name)
    if array.ndim != dimensions:
        raise ValuesError(f"expected {expected}, got shape {array.shape}", where=name)
    if array.size == 0:
        raise ValuesError("no instances given", where=name, remedy="give instances")
    missing = np.argwhere(np.isnan(array))
    if len(missing):
        *measure, instance = missing[0].tolist()
        place = f"instance {instance}" + "".join(f" of measure {m}" for m in measure)
        what = f"{len(missing):,} values are NaN, the first is {place}"
        remedy = "leave out these instances or measures, or give them a value"
        raise ValuesError(what, where=name, remedy=remedy)
    return array


def dense_ranks(values: ArrayLike, name: str = "values") -> Ints:
    """Shape (instances,): 0 for the lowest value, 1 for the next, alike for equal values.

    Raises:
        ValuesError: if values are missing, NaN or not numbers.
    """
    _, ranks = np.unique(as_measure(values, name), return_inverse=True)
    return ranks.astype(np.int64, copy=False)


def joint_ranks(first: Ints, second: Ints) -> Ints:
    """Ranks, not dense, by the first and, where it ties, by the second; both from 0.

    Raises:
        ValuesError: if there are not equally many.
    """
    if len(first) != len(second):
        what = f"two measures of {len(first):,} and {len(second):,} instances cannot be paired"
        raise ValuesError(what, remedy="give both measures of the same instances")
    return first * (int(second.max()) + 1) + second


def count_ties(
    first: ArrayLike, group: ArrayLike, groups: int, second: ArrayLike | None = None
) -> Ints:
    """Numbers of ordered pairs of different instances with equal values, group by group.

    The counts of each value in each group are a sparse matrix; its product with itself adds up
    the pairs, value by value, and an instance's pair with itself is taken off the diagonal.

    Args:
        first: shape (instances,), values of one measure.
        group: shape (instances,), the group of each instance, less than ``groups``.
        groups: how many groups there are; some may have no instance.
        second: shape (instances,), values of another measure that are to be equal as well.

    Returns:
        Shape (groups, groups), symmetric: pairs of an instance of one group with one of another.

    Raises:
        ValuesError: if values are missing, NaN, not numbers, or not equally many.
    """
    from scipy import sparse  # noqa: PLC0415 - few importers of this module count ties

    values = dense_ranks(first, "first")
    members = as_groups(group, len(values), "group")
    if second is not None:
        values = dense_ranks(joint_ranks(values, dense_ranks(second, "second")))
    ones = np.ones(len(values), dtype=np.int64)
    shape = (int(values.max()) + 1, groups)
    counts = sparse.csr_array((ones, (values, members)), shape=shape)
    together: Ints = (counts.T @ counts).toarray()
    return together - np.diag(np.bincount(members, minlength=groups))


def pack_bits(truth: Flags) -> Bits:
    """Shape (rows, words): the truth values in bits, filled up with 0."""
    rows, size = truth.shape
    padded = np.zeros((rows, -(-size // 64) * 8), dtype=np.uint8)
    bits = np.packbits(truth, axis=1, bitorder="little")
    padded[:, : bits.shape[1]] = bits
    return padded.view(np.uint64)
