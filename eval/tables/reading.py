"""Instances from tables and archives.

An archive (``.npz``) holds the arrays ``values``, ``measures``, ``positive``, and ``group`` with
``groups`` or neither.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from gzip import GzipFile
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from eval.stats.arrays import Flags, Floats
from eval.tables.columns import (
    TABLES,
    Columns,
    Request,
    ending_of,
    locate_errors,
    read_columns,
    report_damage,
)
from eval.tables.instances import ACCEPTED, Instances, is_positive, number_names
from weps._formatting import quote_text, suggest_names
from weps.errors import SourceError, ValuesError

__all__ = ["ENDINGS", "TableRead", "read_instances", "write_archive"]

ENDINGS = (*TABLES, ".npz")
"""Endings of the files that are read."""
_ALL_GROUP = "all"
"""The group of all instances where no groups are given."""
_KINDS = {"values": "fiub", "measures": "U", "positive": "b", "group": "iu", "groups": "U"}
"""The arrays and their kinds of type (``numpy.dtype.kind``); the last two go together."""
_KIND_NAMES = {"fiub": "numbers", "U": "text", "b": "true or false", "iu": "whole numbers"}
_REMEDY = (
    "give values (measures × instances), measures, positive, and group with groups, or neither"
)


@dataclass(frozen=True, slots=True, eq=False)
class TableRead:
    """What a file held."""

    instances: Instances
    left_out: tuple[str, ...]
    """Columns that are not wholly numeric, and so no measures."""


def read_instances(
    path: Path | str,
    label: str = "label",
    group: str | None = None,
    measures: Sequence[str] | None = None,
) -> TableRead:
    """Read instances from a table or an archive (docs/formats.md).

    Args:
        path: a file that ends like one of :data:`ENDINGS`.
        label: the column of labels; archives have none.
        group: the column with the group of each instance, any text; archives have none. Without
            one all are of the group ``all``.
        measures: the columns wanted, in this order; None for all that are wholly numeric.

    Raises:
        SourceError: if the file is missing, damaged, or of another kind.
        ValuesError: if a column is missing, a label is none, all labels are the same, a value is
            missing or no number, or there is no measure.
    """
    path = Path(path)
    request = Request(label, group, None if measures is None else tuple(measures))
    if ending_of(path, ENDINGS, SourceError) == ".npz":
        instances = _read_archive(path)
        found = TableRead(instances if measures is None else instances.only(measures), ())
    else:
        found = _as_instances(read_columns(path, request), request, path)
    _check_enough(found.instances, path)
    return found


def write_archive(instances: Instances, file: IO[bytes] | GzipFile) -> None:
    """Write an archive; the same instances give the same bytes."""
    np.savez_compressed(
        file,
        values=instances.values,
        measures=np.array(instances.measures, dtype=np.str_),
        positive=instances.positive,
        group=instances.group,
        groups=np.array(instances.groups, dtype=np.str_),
    )


def _check_enough(instances: Instances, path: Path) -> None:
    """There are instances of both labels, and a measure that ranks them."""
    positive, negative, total = instances.counts
    if not total:
        raise ValuesError("no instances found", where=path, remedy="give one row for each")
    if not positive or not negative:
        what = f"all instances are labelled as {'positive' if positive else 'negative'}"
        raise ValuesError(what, where=path, remedy="give instances of both labels")
    if not instances.measures:
        remedy = "give a column that holds a number for every instance"
        raise ValuesError("no column is a measure", where=path, remedy=remedy)


def _as_instances(columns: Columns, request: Request, where: Path) -> TableRead:
    positive = _positive(columns, request.label, where)
    numbers = dict(columns.numbers)
    if request.measures is None:
        numbers = {name: each for name, each in numbers.items() if not np.isnan(each).all()}
    _check_complete(columns, numbers, where)
    group, groups = (
        (np.zeros(len(positive), np.int32), (_ALL_GROUP,))
        if columns.group is None
        else number_names(columns.group)
    )
    values = np.array(list(numbers.values())).reshape(len(numbers), len(positive))
    known = columns.head if request.measures is not None else (*numbers, *request.text)
    return TableRead(
        Instances(tuple(numbers), values, positive, group, groups),
        tuple(name for name in columns.head if name not in known),
    )


def _positive(columns: Columns, name: str, where: Path) -> Flags:
    """Shape (instances,)."""
    labels = [is_positive(label) for label in columns.label]
    if None in labels:
        first = labels.index(None)
        cell = quote_text(columns.label[first])
        raise ValuesError(
            f"expected a label in the column {quote_text(name)}, got {cell}",
            where=f"{where}, {columns.unit} {columns.places[first]:,}",
            remedy=f"labels are {ACCEPTED}",
        )
    return np.array(labels, dtype=np.bool_)


def _check_complete(columns: Columns, numbers: Mapping[str, Floats], where: Path) -> None:
    for name, column in numbers.items():
        missing = np.isnan(column)
        if missing.any():
            raise ValuesError(
                f"{missing.sum():,} of the values in the column {quote_text(name)} "
                "are missing or NaN",
                where=f"{where}, {columns.unit} {columns.places[int(missing.argmax())]:,}",
                remedy="give it a number there, or leave out the row or the column",
            )


def _read_archive(path: Path) -> Instances:
    """Read an ``.npz`` file; without ``group`` and ``groups`` all are of one group."""
    with report_damage(path), locate_errors(path):
        arrays = _arrays(path)
        return Instances(
            tuple(arrays["measures"].tolist()),
            arrays["values"].astype(np.result_type(arrays["values"], np.float32), copy=False),
            arrays["positive"],
            arrays.get("group", np.zeros(arrays["positive"].size, np.int32)),
            tuple(arrays["groups"].tolist()) if "groups" in arrays else (_ALL_GROUP,),
        )


def _arrays(path: Path) -> Mapping[str, NDArray[Any]]:
    with path.open("rb") as file:
        archive = np.load(file, allow_pickle=False)
        if not isinstance(archive, np.lib.npyio.NpzFile):
            what = "expected an archive, got a single array"
            raise SourceError(what, where=path, remedy=_REMEDY)
        needed = ["values", "measures", "positive"]
        if not {"group", "groups"}.isdisjoint(archive.files):
            needed += ["group", "groups"]
        for name in needed:
            if name not in archive.files:
                what = f"unknown array {quote_text(name)}"
                raise ValuesError(what, remedy=suggest_names(name, archive.files))
        arrays = {name: np.asarray(archive[name]) for name in needed}
    for name, array in arrays.items():
        if array.dtype.kind not in _KINDS[name] or array.ndim != (2 if name == "values" else 1):
            raise ValuesError(
                f"{name} has type {quote_text(str(array.dtype))} and shape {array.shape}",
                remedy=f"make it {_KIND_NAMES[_KINDS[name]]}, {_REMEDY}",
            )
    return arrays
