"""Measure matrices as tables: a row per instance, a column per criterion and measure."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from eval.instances.delimited import grown, head_in
from eval.instances.growing import GrowingColumns
from eval.instances.rows import rows_of
from eval.instances.table import Columns, Request
from eval.instances.wording import among, quoted
from eval.text.testbed.matrix import Floats, MeasureMatrix
from weps.cells import guarded, unguarded
from weps.errors import OutputError, ValuesError
from weps.placing import put_in_place
from weps.progress import Progress, silent

__all__ = ["HUMAN", "SYSTEM", "TOPIC", "MatrixRead", "read_matrix", "write_matrix"]

TOPIC, SYSTEM = "topic", "system"
"""The first two columns of a table that was written."""
HUMAN = "human:"
"""What the names of columns with human scores begin with."""


@dataclass(frozen=True, slots=True, eq=False)
class MatrixRead:
    """What a table held."""

    matrix: MeasureMatrix
    left_out: tuple[str, ...]
    """Columns that are not wholly numeric, and so no measures."""


def read_matrix(
    path: Path | str, human: Collection[str] = (), progress: Progress = silent
) -> MatrixRead:
    """Read a table with columns ``topic`` and ``system`` (``.csv`` or ``.tsv``, ``.gz`` as well).

    Columns whose names begin with ``human:``, and those that ``human`` names, hold human scores
    (``human`` may name the former without that beginning, too); a cell that is empty or NaN there
    means that nobody judged. Every other column that is wholly
    numeric is a measure, of which no value may be missing. ``progress`` hears how many rows are
    read.

    Raises:
        SourceError: if it cannot be read.
        ValuesError: if a column is not there or human scores are no numbers, there is no measure,
            a row has another length than the head, an instance occurs twice, or the value of a
            measure is missing.
    """
    path = Path(path)
    rows = rows_of(path)
    head = head_in(rows)
    growing = GrowingColumns(head, Request(SYSTEM, TOPIC, None), path)
    columns = grown(growing, rows, progress).columns()
    left_out = [name for name in head if name not in (SYSTEM, TOPIC, *columns.numbers)]
    judged = [name for name in head if name.startswith(HUMAN) or name in human]
    named = [name for name in human if f"{HUMAN}{name}" not in head]
    try:
        _check_human((*judged, *named), head, left_out)
        return MatrixRead(_matrix(columns, judged), tuple(left_out))
    except ValuesError as error:
        place = path if error.where is None else f"{path}, {error.where}"
        raise ValuesError(error.what, where=place, remedy=error.remedy) from None


def write_matrix(matrix: MeasureMatrix, path: Path | str) -> None:
    """Write a table, whole or not at all; :func:`read_matrix` reads the same again.

    Raises:
        OutputError: if it cannot be written, or a measure has the name of another column.
    """
    for name in matrix.measures:
        if name in (TOPIC, SYSTEM) or name.startswith(HUMAN):
            what = f"a measure cannot be called {quoted(name)} in a table"
            raise OutputError(what, where=path, remedy="rename it")
    text = io.StringIO(newline="")
    rows = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    criteria = (f"{HUMAN}{criterion}" for criterion in matrix.criteria)
    rows.writerow([TOPIC, SYSTEM, *map(guarded, (*criteria, *matrix.measures))])
    numbers = np.concatenate([matrix.human, matrix.values]).T.tolist()
    for topic, system, values in zip(matrix.topic, matrix.system, numbers, strict=True):
        rows.writerow([guarded(topic), guarded(system), *map(_cell, values)])
    put_in_place({Path(path): text.getvalue().encode(errors="replace")})


def _cell(value: float) -> float | str:
    return "" if math.isnan(value) else value


def _check_human(human: Collection[str], head: list[str], left_out: list[str]) -> None:
    for name in human:
        if name not in head:
            what = f"there is no column {quoted(name)}"
            raise ValuesError(what, remedy=among(name, head))
        if name in (TOPIC, SYSTEM):
            what = f"the column {quoted(name)} holds no human scores"
            raise ValuesError(what, remedy="name another one")
        if name in left_out:
            what = f"the column {quoted(name)} of human scores holds text"
            raise ValuesError(what, remedy="give numbers, or nothing where nobody judged")


def _matrix(columns: Columns, judged: list[str]) -> MeasureMatrix:
    measures = [name for name in columns.numbers if name not in judged]
    if not columns.label or not measures:
        raise ValuesError("the table holds no values of a measure", remedy="add rows and columns")
    return MeasureMatrix(
        tuple(columns.group or ()),
        tuple(map(unguarded, columns.label)),
        tuple(measures),
        _stacked(columns, measures),
        tuple(name.removeprefix(HUMAN) for name in judged),
        _stacked(columns, judged),
    )


def _stacked(columns: Columns, names: list[str]) -> Floats:
    """Shape (names, instances)."""
    chosen = [columns.numbers[name] for name in names]
    return np.array(chosen, np.float64).reshape(len(names), len(columns.label))
