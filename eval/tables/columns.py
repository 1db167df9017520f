"""From the columns of a table to instances, whatever kind of file they were read from.

Kinds of files, distinguished by how their names end.

Columns that grow block by block while a table of text is read.

Rows of tables as text: cells between commas, or between tabs.
"""

from __future__ import annotations

import csv
import gzip
import math
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import numpy as np

from eval.stats.arrays import Flags, Floats
from eval.tables.instances import ACCEPTED, Instances, is_positive, number_names
from weps._formatting import error_reason, quote_text, suggest_names, unguard_cell
from weps.errors import SourceError, ValuesError, WepsError

__all__ = [
    "ALL_GROUP",
    "ColumnBuilder",
    "Columns",
    "Request",
    "Row",
    "TableRead",
    "as_instances",
    "check_file",
    "ending_of",
    "rows_of",
]


def ending_of(path: Path, known: Collection[str], error: type[WepsError]) -> str:
    """The known ending of the file's name; upper case is as good.

    Raises:
        WepsError: of the class ``error``, if it has none of them.
    """
    for ending in known:
        if path.name.lower().endswith(ending):
            return ending
    raise error(
        "a file of this ending holds no table of instances",
        where=path,
        remedy=f"known endings are {', '.join(known)}",
    )


ALL_GROUP = "all"
"""The group of all instances where no groups are given."""


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
            what = f"two columns are called {quote_text(name)}"
            raise ValuesError(what, where=where, remedy="rename one of them")
        for name in _repeated(self.measures or ()):
            what = f"the measure {quote_text(name)} is asked for twice"
            raise ValuesError(what, where=where, remedy="name it once")
        for name in (*self.text, *(self.measures or ())):
            if name not in head:
                what = f"unknown column {quote_text(name)}"
                remedy = suggest_names(name, head) if len(head) > 1 else _SEPARATE
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
    numbers: Mapping[str, Floats]
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
    numbers = (
        columns.numbers if request.measures is not None else _without_empty_columns(columns.numbers)
    )
    _check_complete(columns, numbers, where)
    group, groups = (
        (np.zeros(len(positive), np.int32), (ALL_GROUP,))
        if columns.group is None
        else number_names(columns.group)
    )
    values = np.array(list(numbers.values())).reshape(len(numbers), len(positive))
    instances = Instances(tuple(numbers), values, positive, group, groups)
    return TableRead(instances, _left_out(head, request, numbers))


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


def _without_empty_columns(
    numbers: Mapping[str, Floats],
) -> dict[str, Floats]:
    return {name: column for name, column in numbers.items() if not np.isnan(column).all()}


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


def _left_out(head: Sequence[str], request: Request, kept: Collection[str]) -> tuple[str, ...]:
    if request.measures is not None:
        return ()
    return tuple(name for name in head if name not in kept and name not in request.text)


Row = tuple[int, list[str]]
"""The line on which it starts, and its cells."""
_MISSING = frozenset({"", "-", "?", ".", "na", "n/a", "n.a.", "nan", "nil", "none", "null"})


class ColumnBuilder:
    """The wanted columns of the rows so far.

    A column that turns out to hold text is dropped, unless it was asked for.

    Raises:
        ValuesError: if a wanted column is not there or, while rows are added, holds text.
    """

    def __init__(self, head: Sequence[str], request: Request, where: Path) -> None:
        candidates = request.candidates(head, where)
        self._places = {name: place for place, name in enumerate(head)}
        self._request = request
        self._where = where
        self._lines: list[int] = []
        self._label: list[str] = []
        self._group: list[str] = []
        self._numbers: dict[str, list[Floats]] = {name: [] for name in candidates}

    def add(self, rows: Sequence[Row]) -> None:
        """Add rows, all of them as long as the head."""
        cells = list(zip(*(cells for _, cells in rows), strict=True))
        self._lines += [line for line, _ in rows]
        self._label += cells[self._places[self._request.label]]
        if self._request.group is not None:
            self._group += map(unguard_cell, cells[self._places[self._request.group]])
        for name in tuple(self._numbers):
            self._add_numbers(name, cells[self._places[name]])

    def columns(self) -> Columns:
        """All rows that were added."""
        numbers = {name: np.concatenate(parts) for name, parts in self._numbers.items() if parts}
        group = None if self._request.group is None else self._group
        return Columns(self._label, group, numbers, self._lines, "line")

    def _add_numbers(self, name: str, cells: Sequence[str]) -> None:
        numbers = _numbers(cells)
        if numbers is not None:
            self._numbers[name].append(numbers)
        elif self._request.measures is None:
            del self._numbers[name]
        else:
            raise self._no_number(name, cells)

    def _no_number(self, name: str, cells: Sequence[str]) -> ValuesError:
        first = next(row for row, cell in enumerate(cells) if _numbers([cell]) is None)
        line = self._lines[first - len(cells)]
        return ValuesError(
            f"expected a number in the column {quote_text(name)}, got {quote_text(cells[first])}",
            where=f"{self._where}, line {line:,}",
            remedy="give it a number there, or leave out the row or the column",
        )


def _numbers(cells: Sequence[str]) -> Floats | None:
    """Shape (cells,), NaN where one is missing; None if there is text among them."""
    if "_" in "".join(cells):  # Python takes 2009_1 for a number
        return None
    for number in (float, _number):
        try:
            return np.fromiter(map(number, cells), np.float64, len(cells))
        except ValueError:
            continue
    return None


def _number(cell: str) -> float:
    return math.nan if cell.strip().lower() in _MISSING else float(cell)


_LONGEST = 10_000_000
"""Characters of a line."""


def rows_of(path: Path) -> Iterator[Row]:
    """The rows that are not empty, each with the line on which it starts, as long as the first.

    Args:
        path: a file in UTF-8, as it is or compressed with gzip (``.gz``).

    Raises:
        SourceError: if it cannot be read.
        ValuesError: if a row has another length.
    """
    check_file(path)
    try:
        with _open_text(path) as file:
            yield from _rows(file, path)
    except UnicodeDecodeError as error:
        what = f"not valid UTF-8 ({error.reason})"
        raise SourceError(what, where=path, remedy="save it as text in UTF-8") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        what = f"cannot be read ({error})"
        raise SourceError(what, where=path, remedy="make the file again") from None
    except OSError as error:
        remedy = "check that you may read it and that it is whole"
        raise SourceError(
            f"cannot be read ({error_reason(error)})", where=path, remedy=remedy
        ) from None


def check_file(path: Path) -> None:
    """Check that there is a file, neither folder nor device.

    Raises:
        SourceError: if there is none.
    """
    if not path.exists():
        raise SourceError("file not found", where=path, remedy="check the spelling of the path")
    if not path.is_file():
        raise SourceError("expected a file", where=path, remedy="give the file of a table")


def _open_text(path: Path) -> TextIO:
    if path.suffix.lower() == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return path.open(encoding="utf-8-sig", newline="")


def _rows(file: TextIO, path: Path) -> Iterator[Row]:
    width = line = 0
    try:
        for line, cells in _records(file, path):
            width = width or len(cells)
            if len(cells) != width:
                raise ValuesError(
                    f"the row has {len(cells):,} cells, the head has {width:,}",
                    where=f"{path}, line {line:,}",
                    remedy="correct the row; put quotation marks round cells that hold commas",
                )
            yield line, cells
    except csv.Error as error:
        raise SourceError(
            f"a row after line {line:,} cannot be read ({error})",
            where=path,
            remedy="close what quotation marks open, and double those inside a cell",
        ) from None


def _records(file: TextIO, path: Path) -> Iterator[Row]:
    """The rows that are not empty, each with the line on which it starts."""
    delimiter = "\t" if path.name.lower().endswith((".tsv", ".tsv.gz")) else ","
    reader = csv.reader(_lines(file, path), delimiter=delimiter, skipinitialspace=True, strict=True)
    before = 0
    for cells in reader:
        if cells:
            yield before + 1, cells
        before = reader.line_num


def _lines(file: TextIO, path: Path) -> Iterator[str]:
    while line := file.readline(_LONGEST + 1):
        if len(line) > _LONGEST:
            raise SourceError(
                f"a line has more than {_LONGEST:,} characters",
                where=path,
                remedy="give a table with one line per instance",
            )
        yield line
