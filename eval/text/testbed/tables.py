"""Measure matrices as tables: a row per instance, a column per criterion and measure."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from eval.instances.growing import GrowingColumns, Row
from eval.instances.table import Columns, Request
from eval.instances.wording import among, quoted
from eval.text.testbed.matrix import Floats, MeasureMatrix
from weps.cells import guarded, unguarded
from weps.errors import OutputError, SourceError, ValuesError
from weps.placing import put_in_place
from weps.sources.files import read_bytes

__all__ = ["HUMAN", "SYSTEM", "TOPIC", "MatrixRead", "read_matrix", "write_matrix"]

TOPIC, SYSTEM = "topic", "system"
"""The first two columns of a table that was written."""
HUMAN = "human:"
"""What the names of columns with human scores begin with."""
_LARGEST = 200 << 20
"""Bytes of a table."""
_BLOCK = 2_000
"""Rows held as text at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class MatrixRead:
    """What a table held."""

    matrix: MeasureMatrix
    left_out: tuple[str, ...]
    """Columns that are not wholly numeric, and so no measures."""


def read_matrix(path: Path | str, human: Collection[str] = ()) -> MatrixRead:
    """Read a table in UTF-8, cells between commas, with columns ``topic`` and ``system``.

    Columns whose names begin with ``human:``, and those that ``human`` names, hold human scores
    (``human`` may name the former without that beginning, too); a cell that is empty or NaN there
    means that nobody judged. Every other column that is wholly
    numeric is a measure, of which no value may be missing.

    Raises:
        SourceError: if it cannot be read.
        ValuesError: if a column is not there or human scores are no numbers, there is no measure,
            a row has another length than the head, an instance occurs twice, or the value of a
            measure is missing.
    """
    path = Path(path)
    rows = _rows(path)
    head = [unguarded(cell) for _, cells in islice(rows, 1) for cell in cells]
    growing = GrowingColumns(head, Request(SYSTEM, TOPIC, None), path)
    while block := list(islice(rows, _BLOCK)):
        growing.add(block)
    columns = growing.columns()
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


def _rows(path: Path) -> Iterator[Row]:
    """The rows that are not empty, each with the line on which it starts, as long as the first."""
    reader = csv.reader(io.StringIO(_text(path), newline=""), skipinitialspace=True, strict=True)
    width = before = 0
    try:
        for cells in reader:
            line, before = before + 1, reader.line_num
            width = width or len(cells)
            if cells and len(cells) != width:
                what = f"the row has {len(cells):,} cells, the head has {width:,}"
                raise ValuesError(what, where=f"{path}, line {line:,}", remedy="mend the row")
            if cells:
                yield line, cells
    except csv.Error as error:
        what = f"a row after line {before:,} cannot be read ({error})"
        raise SourceError(what, where=path, remedy="close quotation marks") from None


def _text(path: Path) -> str:
    try:
        return read_bytes(path, _LARGEST, SourceError).decode("utf-8-sig")
    except UnicodeDecodeError:
        remedy = "save it as UTF-8"
        raise SourceError("this is no text in UTF-8", where=path, remedy=remedy) from None
