"""From the columns of a table to instances, whatever kind of file they were read from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from eval.instances.labels import ACCEPTED, is_positive
from eval.instances.records import Instances, numbered
from eval.instances.wording import among, quoted
from weps.errors import ValuesError

__all__ = ["ALL", "Columns", "Request", "TableRead", "as_instances"]

ALL = "all"
"""The group of all instances where no groups are told."""


@dataclass(frozen=True, slots=True, eq=False)
class TableRead:
    """What a file held."""

    instances: Instances
    left_out: tuple[str, ...]
    """Columns that are not wholly numeric, and so no measures."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is wanted of a table."""

    label: str
    group: str | None
    measures: tuple[str, ...] | None
    """None for every column that is wholly numeric."""

    def candidates(self, head: Sequence[str], where: Path) -> tuple[str, ...]:
        """The columns that are measures, or may be.

        Raises:
            ValuesError: if a column that is wanted is not there, or two have the same name.
        """
        for name in _repeated(head):
            what = f"two columns are called {quoted(name)}"
            raise ValuesError(what, where=where, remedy="rename one of them")
        for name in _repeated(self.measures or ()):
            what = f"the measure {quoted(name)} is asked for twice"
            raise ValuesError(what, where=where, remedy="name it once")
        for name in (*self.text, *(self.measures or ())):
            if name not in head:
                what = f"there is no column {quoted(name)}"
                remedy = among(name, head) if len(head) > 1 else _SEPARATE
                raise ValuesError(what, where=where, remedy=remedy)
        if self.measures is not None:
            return self.measures
        return tuple(name for name in head if name not in self.text)

    @property
    def text(self) -> tuple[str, ...]:
        """The columns that hold no measure: the label and, if there is one, the group."""
        return (self.label,) if self.group is None else (self.label, self.group)


_SEPARATE = "separate cells by commas in .csv, by tabs in .tsv"


def _repeated(names: Iterable[str]) -> list[str]:
    return [name for name, times in Counter(names).items() if times > 1]


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The columns of a table as they were read, one entry per instance."""

    label: Sequence[str]
    group: Sequence[str] | None
    numbers: Mapping[str, NDArray[np.float64]]
    """Columns that hold only numbers, in order; NaN where one is missing."""
    places: Sequence[int]
    """The line or row of each instance."""
    unit: str
    """``line`` or ``row``."""


def as_instances(columns: Columns, request: Request, head: Sequence[str], where: Path) -> TableRead:
    """The instances that the columns describe.

    Raises:
        ValuesError: if a label is none, or a value is missing.
    """
    positive = _positive(columns, request.label, where)
    numbers = columns.numbers if request.measures is not None else _not_empty(columns.numbers)
    _check_complete(columns, numbers, where)
    group, groups = (
        (np.zeros(len(positive), np.int32), (ALL,))
        if columns.group is None
        else numbered(columns.group)
    )
    values = np.array(list(numbers.values())).reshape(len(numbers), len(positive))
    instances = Instances(tuple(numbers), values, positive, group, groups)
    return TableRead(instances, _left_out(head, request, numbers))


def _positive(columns: Columns, name: str, where: Path) -> NDArray[np.bool_]:
    """Shape (instances,)."""
    labels = [is_positive(label) for label in columns.label]
    if None in labels:
        first = labels.index(None)
        raise ValuesError(
            f"{quoted(columns.label[first])} in the column {quoted(name)} is no label",
            where=f"{where}, {columns.unit} {columns.places[first]:,}",
            remedy=f"labels are {ACCEPTED}",
        )
    return np.array(labels, dtype=np.bool_)


def _not_empty(numbers: Mapping[str, NDArray[np.float64]]) -> dict[str, NDArray[np.float64]]:
    return {name: column for name, column in numbers.items() if not np.isnan(column).all()}


def _check_complete(
    columns: Columns, numbers: Mapping[str, NDArray[np.float64]], where: Path
) -> None:
    for name, column in numbers.items():
        missing = np.isnan(column)
        if missing.any():
            raise ValuesError(
                f"{missing.sum():,} of the values in the column {quoted(name)} are missing or NaN",
                where=f"{where}, {columns.unit} {columns.places[int(missing.argmax())]:,}",
                remedy="give it a number there, or leave out the row or the column",
            )


def _left_out(head: Sequence[str], request: Request, kept: Collection[str]) -> tuple[str, ...]:
    if request.measures is not None:
        return ()
    return tuple(name for name in head if name not in kept and name not in request.text)
