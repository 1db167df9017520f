"""Columns of tables: cells between commas or tabs, as they are or compressed, and Parquet."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import IO, Any, TextIO, TypeAlias

import numpy as np

from weps._files import open_file, open_unpacked
from weps._formatting import error_reason, quote_text, suggest_names, unguard_cell
from weps._parallel import Progress, no_progress
from weps.errors import SourceError, ValuesError, WepsError
from weps_eval.stats.arrays import Floats
from weps_eval.tables.instances import repeated_names

TABLES = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet")
"""Endings of the tables that are read."""
Row: TypeAlias = tuple[int, list[str]]
"""The line on which it starts, and its cells."""

MOST_BYTES = 2 << 30
"""Bytes of a file, as it is and unpacked."""
_BLOCK = 2_000
"""Rows held as text at a time: text takes ten times the room of the numbers."""
_LONGEST = 10_000_000
"""Characters of a line."""
_LONGEST_REASON = 200
"""Characters of what a library says about a damaged file."""
_MISSING = frozenset({"", "-", "?", ".", "na", "n/a", "n.a.", "nan", "nil", "none", "null"})
_SEPARATE = "separate cells by commas in .csv, by tabs in .tsv"


def ending_of(path: Path, known: Collection[str], error: type[WepsError]) -> str:
    """The known ending of the file's name; upper case is as good.

    Raises:
        WepsError: of the class ``error``, if it has none of them.
    """
    for ending in known:
        if path.name.lower().endswith(ending):
            return ending
    what = "files with this ending do not contain a table of instances"
    raise error(what, where=path, remedy=f"known endings are {', '.join(known)}")


@dataclass(frozen=True, slots=True)
class Request:
    """What is wanted of a table."""

    label: str
    group: str | None
    measures: tuple[str, ...] | None
    """None for every column that is wholly numeric."""

    @property
    def text(self) -> tuple[str, ...]:
        """The columns that hold no measure: the label and, if there is one, the group."""
        return (self.label,) if self.group is None else (self.label, self.group)

    def candidates(self, head: Sequence[str], where: Path) -> tuple[str, ...]:
        """The columns that are measures, or may be.

        Raises:
            ValuesError: if a column that is wanted is not there, or two have the same name.
        """
        for name in repeated_names(head):
            what = f"two columns are called {quote_text(name)}"
            raise ValuesError(what, where=where, remedy="rename one of them")
        for name in repeated_names(self.measures or ()):
            what = f"the measure {quote_text(name)} is given twice"
            raise ValuesError(what, where=where, remedy="name it once")
        for name in (*self.text, *(self.measures or ())):
            if name not in head:
                what = f"unknown column {quote_text(name)}"
                remedy = suggest_names(name, head) if len(head) > 1 else _SEPARATE
                raise ValuesError(what, where=where, remedy=remedy)
        if self.measures is not None:
            return self.measures
        return tuple(name for name in head if name not in self.text)


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The columns of a table as they were read, one entry per instance."""

    head: Sequence[str]
    """The names of all columns of the table."""
    label: Sequence[str]
    group: Sequence[str] | None
    numbers: Mapping[str, Floats]
    """Columns that hold only numbers, in order; NaN where one is missing."""
    places: Sequence[int]
    """The line or row of each instance."""
    unit: str
    """``line`` or ``row``."""


def read_columns(path: Path, request: Request, progress: Progress = no_progress) -> Columns:
    """The wanted columns; one that turns out to hold text is left out, unless it was named.

    Args:
        path: a Parquet file, or a text file, see :func:`rows_of`.
        request: what is wanted.
        progress: called with how many rows of text are read.

    Raises:
        SourceError: if it is no such table, or pyarrow is missing.
        ValuesError: if a wanted column is not there, or holds text.
    """
    if path.name.lower().endswith(".parquet"):
        with report_damage(path), open_file(path) as opened:
            return _read_parquet(opened, path, request)
    return _read_text(path, request, progress)


def columns_of(path: Path) -> list[str]:
    """The names of the columns of a table; none of another file, or of what cannot be read."""
    with suppress(WepsError):  # who reads it says why
        if ending_of(path, TABLES, SourceError) != ".parquet":
            return head_in(rows_of(path))
        with report_damage(path), open_file(path) as opened:
            file = _arrow(path)[1].ParquetFile(opened)
            return list(file.schema_arrow.names)
    return []


def _read_text(path: Path, request: Request, progress: Progress) -> Columns:
    rows = rows_of(path)
    head = head_in(rows)
    if not head:
        raise SourceError("the file is empty", where=path, remedy="give it a head and rows")
    numbers: dict[str, list[Floats]] = {name: [] for name in request.candidates(head, path)}
    places = {name: place for place, name in enumerate(head)}
    lines: list[int] = []
    label: list[str] = []
    group: list[str] = []
    while block := list(islice(rows, _BLOCK)):
        first = len(lines)
        lines += [line for line, _ in block]
        cells = list(zip(*(row for _, row in block), strict=True))
        label += cells[places[request.label]]
        if request.group is not None:
            group += map(unguard_cell, cells[places[request.group]])
        for name in tuple(numbers):
            column = cells[places[name]]
            found = _numbers(column)
            if found is not None:
                numbers[name].append(found)
            elif request.measures is None:
                del numbers[name]
            else:
                at = next(at for at, cell in enumerate(column) if _numbers([cell]) is None)
                raise ValuesError(
                    f"expected a number in the column {quote_text(name)}, "
                    f"got {quote_text(column[at])}",
                    where=f"{path}, line {lines[first + at]:,}",
                    remedy="give it a number there, or leave out the row or the column",
                )
        progress("reading rows", len(lines), 0)
    return Columns(
        head,
        label,
        None if request.group is None else group,
        {name: np.concatenate(parts) for name, parts in numbers.items() if parts},
        lines,
        "line",
    )


def _numbers(cells: Sequence[str]) -> Floats | None:
    """Shape (cells,), NaN where one is missing; None if there is text among them."""
    if "_" in "".join(cells):  # Python takes 2009_1 for a number
        return None
    known = cells
    for _ in range(2):
        try:
            return np.fromiter(map(float, known), np.float64, len(cells))
        except ValueError:
            known = ["nan" if cell.strip().lower() in _MISSING else cell for cell in cells]
    return None


def head_in(rows: Iterator[Row]) -> list[str]:
    """The first of the rows; none if there is none."""
    return [unguard_cell(cell) for _, cells in islice(rows, 1) for cell in cells]


def rows_of(path: Path) -> Iterator[Row]:
    """The rows that are not empty, each with the line on which it starts, as long as the first.

    Args:
        path: a file in UTF-8, as it is or compressed with gzip (``.gz``); cells are between tabs
            in ``.tsv``, else between commas.

    Raises:
        SourceError: if it cannot be read.
        ValuesError: if a row has another length.
    """
    delimiter = "\t" if path.name.lower().endswith((".tsv", ".tsv.gz")) else ","
    width = line = before = 0
    with report_damage(path), open_unpacked(path, MOST_BYTES, SourceError) as unpacked:
        lines = _lines(io.TextIOWrapper(unpacked, "utf-8-sig", newline=""), path)
        reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)
        try:
            for cells in reader:
                if cells:
                    line, width = before + 1, width or len(cells)
                    if len(cells) != width:
                        raise ValuesError(
                            f"the row has {len(cells):,} cells, the head has {width:,}",
                            where=f"{path}, line {line:,}",
                            remedy="correct the row; put quotation marks around cells that hold "
                            "commas",
                        )
                    yield line, cells
                before = reader.line_num
        except csv.Error as error:
            what = f"a row after line {line:,} cannot be read ({error})"
            remedy = "close what quotation marks open, and double those inside a cell"
            raise SourceError(what, where=path, remedy=remedy) from None


def _lines(file: TextIO, path: Path) -> Iterator[str]:
    while line := file.readline(_LONGEST + 1):
        if len(line) > _LONGEST:
            what = f"a line has more than {_LONGEST:,} characters"
            raise SourceError(what, where=path, remedy="give a table with one line per instance")
        yield line


def _read_parquet(opened: IO[bytes], path: Path, request: Request) -> Columns:
    arrow, parquet = _arrow(path)
    with parquet.ParquetFile(opened) as file:
        types = {field.name: field.type for field in file.schema_arrow}
        head = file.schema_arrow.names
        candidates = request.candidates(head, path)
        kinds = (arrow.types.is_integer, arrow.types.is_floating, arrow.types.is_decimal)
        numeric = [name for name in candidates if any(kind(types[name]) for kind in kinds)]
        if request.measures is not None and len(numeric) < len(candidates):
            name = next(each for each in candidates if each not in numeric)
            kind = quote_text(str(types[name]))
            what = f"the column {quote_text(name)} holds no numbers but {kind}"
            raise ValuesError(what, where=path, remedy="choose other measures, or give numbers")
        check_unpacked(8 * file.metadata.num_rows * (len(request.text) + len(numeric)), path)
        table = file.read(columns=[*request.text, *numeric])
    numbers = (table.column(name).cast(arrow.float64(), safe=False) for name in numeric)
    arrays = (np.asarray(column.to_numpy(), dtype=np.float64) for column in numbers)
    return Columns(
        head,
        _cells(table, request.label),
        None if request.group is None else _cells(table, request.group),
        dict(zip(numeric, arrays, strict=True)),
        range(1, len(table) + 1),
        "row",
    )


def check_unpacked(size: int, path: Path) -> None:
    """Refuse a file that holds too many bytes, unpacked.

    Raises:
        SourceError: if it does.
    """
    if size > MOST_BYTES:
        what = f"over {MOST_BYTES >> 30} GB, unpacked"
        raise SourceError(what, where=path, remedy="give fewer instances or measures")


def _arrow(path: Path) -> tuple[ModuleType, Any]:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        what = "reading Parquet needs pyarrow, which is not installed"
        remedy = "pip install 'weps[tables]', or give a .csv or .npz file"
        raise SourceError(what, where=path, remedy=remedy) from None


def _cells(table: Any, name: str) -> list[str]:
    return ["" if value is None else str(value) for value in table.column(name).to_pylist()]


_DAMAGE = (
    ArithmeticError,
    EOFError,
    LookupError,
    MemoryError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    gzip.BadGzipFile,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)
"""What libraries raise for a file that is not what its ending says."""


@contextmanager
def report_damage(path: Path) -> Iterator[None]:
    """Check that there is a file; turn what libraries raise while it is read into one error.

    Raises:
        SourceError: if it is missing, a folder, a device, or damaged.
    """
    try:
        yield
    except UnicodeDecodeError as error:
        what, remedy = f"not valid UTF-8 ({error.reason})", "save it as text in UTF-8"
    except _DAMAGE as error:
        reason = str(error)[:_LONGEST_REASON] or type(error).__name__
        what, remedy = f"cannot be read ({reason})", "make the file again"
    except OSError as error:
        what = f"cannot be read ({error_reason(error)[:_LONGEST_REASON]})"
        remedy = "check that it is readable and complete"
    else:
        return
    raise SourceError(what, where=path, remedy=remedy)


def file_digest(path: Path) -> str:
    """``sha256-`` and the first digits of the SHA-256 of a file, for signatures."""
    with open_file(path) as file:
        return f"sha256-{hashlib.file_digest(file, 'sha256').hexdigest()[:8]}"


@contextmanager
def locate_errors(whose: Path | str) -> Iterator[None]:
    """Name the file, or the text, that errors about values are about."""
    try:
        yield
    except ValuesError as error:
        place = whose if error.where is None else f"{whose}, {error.where}"
        raise ValuesError(error.what, where=place, remedy=error.remedy) from None
