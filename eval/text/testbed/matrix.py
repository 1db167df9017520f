"""Measure matrices: what measures, and people, say of each output."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval.instances.wording import among, quoted
from weps.errors import ValuesError
from weps.sources.messages import listed

__all__ = ["MeasureMatrix"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class MeasureMatrix:
    """Values of measures on outputs, one instance for each topic and system that answered it.

    Raises:
        ValuesError: if names or instances occur twice, shapes do not fit, a value is NaN, or a
            human score is infinite.
    """

    topic: tuple[str, ...]
    """Of each instance."""
    system: tuple[str, ...]
    """Of each instance."""
    measures: tuple[str, ...]
    values: Floats
    """Shape (measures, instances), float64, never NaN."""
    criteria: tuple[str, ...]
    """By which people judged."""
    human: Floats
    """Shape (criteria, instances), float64; NaN where nobody judged."""

    def __post_init__(self) -> None:
        size = len(self.topic)
        if len(self.system) != size:
            what = f"{size:,} topics do not fit {len(self.system):,} systems"
            raise ValuesError(what, remedy="give both for each instance")
        _check_shape(self.values, (len(self.measures), size), "values")
        _check_shape(self.human, (len(self.criteria), size), "human")
        _check_distinct((*self.measures, *self.criteria), "columns")
        _check_distinct(list(zip(self.topic, self.system, strict=True)), "topic and system")
        self._refuse(np.isnan(self.values), self.measures, "missing or NaN")
        self._refuse(np.isinf(self.human), self.criteria, "infinite")

    def column(self, name: str) -> Floats:
        """Shape (instances,): a measure or a criterion.

        Raises:
            ValuesError: if there is none of this name.
        """
        for names, values in ((self.measures, self.values), (self.criteria, self.human)):
            if name in names:
                return np.asarray(values[names.index(name)])
        what = f"there is neither a measure nor a criterion {quoted(name)}"
        raise ValuesError(what, remedy=among(name, (*self.measures, *self.criteria)))

    def _refuse(self, bad: NDArray[np.bool_], names: Sequence[str], how: str) -> None:
        """Refuse values of columns, shape (names, instances), that are bad."""
        for column, instance in np.argwhere(bad)[:1].tolist():
            raise ValuesError(
                f"the value of {quoted(names[column])} is {how}",
                where=f"{self.system[instance]} on {self.topic[instance]}",
                remedy="give it a value, or leave out the instance or the column",
            )


def _check_shape(array: Floats, shape: tuple[int, int], name: str) -> None:
    if array.shape != shape or array.dtype != np.float64:
        what = f"{name} has shape {array.shape} and type {array.dtype}"
        raise ValuesError(what, remedy=f"shape {shape} and type float64 fit the names")


def _check_distinct(names: Sequence[object], what: str) -> None:
    counted = Counter(names).items()
    twice = [_told(name) for name, times in counted if times > 1]
    if twice:
        raise ValuesError(f"{what} occur twice: {listed(twice)}", remedy="keep one of each")


def _told(name: object) -> str:
    return " and ".join(map(quoted, name)) if isinstance(name, tuple) else quoted(str(name))
