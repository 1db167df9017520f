"""Instances from files of several kinds.

Instances as NumPy archives: ``values``, ``measures``, ``positive``, ``group``, ``groups``.

Instances from tables as text; the first row is the head.

Tables in Parquet, read by pyarrow where it is installed.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from gzip import GzipFile
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from eval.tables.columns import (
    ALL_GROUP,
    ColumnBuilder,
    Columns,
    Request,
    Row,
    TableRead,
    as_instances,
    check_file,
    ending_of,
    rows_of,
)
from eval.tables.instances import Instances
from weps._formatting import error_reason, quote_text, suggest_names, unguard_cell
from weps._parallel import Progress, no_progress
from weps.errors import SourceError, ValuesError, WepsError

__all__ = [
    "READERS",
    "Reader",
    "columns_of",
    "fill_columns",
    "head_in",
    "head_of_delimited",
    "head_of_parquet",
    "read_archive",
    "read_delimited",
    "read_instances",
    "read_parquet",
    "write_archive",
]

_KINDS = {"values": "fiub", "measures": "U", "positive": "b", "group": "iu", "groups": "U"}
"""The arrays and their kinds of type (``numpy.dtype.kind``); the last two go together."""
_KIND_NAMES = {"fiub": "numbers", "U": "text", "b": "true or false", "iu": "whole numbers"}


def read_archive(path: Path) -> Instances:
    """Read an ``.npz`` file; without ``group`` and ``groups`` all are of one group.

    Raises:
        SourceError: if it is no archive of such arrays.
        ValuesError: if the arrays do not fit together, or a value is NaN.
    """
    arrays = _arrays(path)
    size = arrays["positive"].size
    try:
        return Instances(
            tuple(arrays["measures"].tolist()),
            arrays["values"].astype(np.result_type(arrays["values"], np.float32), copy=False),
            arrays["positive"],
            arrays.get("group", np.zeros(size, np.int32)),
            tuple(arrays["groups"].tolist()) if "groups" in arrays else (ALL_GROUP,),
        )
    except ValuesError as error:
        place = path if error.where is None else f"{path}, {error.where}"
        raise ValuesError(error.what, where=place, remedy=error.remedy) from None


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


def _arrays(path: Path) -> Mapping[str, NDArray[Any]]:
    with path.open("rb") as file:
        archive = np.load(file, allow_pickle=False)
        if not isinstance(archive, np.lib.npyio.NpzFile):
            raise SourceError("expected an archive, got a single array", where=path, remedy=_REMEDY)
        _check_contents(archive.files, path)
        arrays = {name: np.asarray(archive[name]) for name in _KINDS if name in archive.files}
    for name, array in arrays.items():
        if array.dtype.kind not in _KINDS[name] or array.ndim != (2 if name == "values" else 1):
            raise ValuesError(
                f"{name} has type {quote_text(str(array.dtype))} and shape {array.shape}",
                where=path,
                remedy=f"make it {_KIND_NAMES[_KINDS[name]]}, {_REMEDY}",
            )
    return arrays


_REMEDY = (
    "give values (measures × instances), measures, positive, and group with groups, or neither"
)


def _check_contents(names: list[str], path: Path) -> None:
    needed = ["values", "measures", "positive"]
    if "group" in names or "groups" in names:
        needed += ["group", "groups"]
    for name in needed:
        if name not in names:
            raise ValuesError(
                f"unknown array {quote_text(name)}",
                where=path,
                remedy=suggest_names(name, names),
            )


_BLOCK = 2_000
"""Rows held as text at a time: text takes ten times the room of the numbers."""


def read_delimited(path: Path, request: Request) -> TableRead:
    """Read a ``.csv`` or ``.tsv`` file in UTF-8, as it is or compressed with gzip.

    Raises:
        SourceError: if it is no such table.
        ValuesError: if what it holds is not what is wanted.
    """
    rows = rows_of(path)
    head = head_in(rows)
    if not head:
        raise SourceError("the file is empty", where=path, remedy="give it a head and rows")
    growing = fill_columns(ColumnBuilder(head, request, path), rows)
    return as_instances(growing.columns(), request, head, path)


def head_of_delimited(path: Path) -> list[str]:
    """The names of the columns of such a file, none if it is empty."""
    return head_in(rows_of(path))


def head_in(rows: Iterator[Row]) -> list[str]:
    """The first of the rows; none if there is none."""
    return [unguard_cell(cell) for _, cells in islice(rows, 1) for cell in cells]


def fill_columns(
    columns: ColumnBuilder, rows: Iterator[Row], progress: Progress = no_progress
) -> ColumnBuilder:
    """The columns with all rows added, block by block; ``progress`` is called with their number."""
    done = 0
    while block := list(islice(rows, _BLOCK)):
        columns.add(block)
        progress("reading rows", done := done + len(block), 0)
    return columns


def read_parquet(path: Path, request: Request) -> TableRead:
    """Read a ``.parquet`` file.

    Raises:
        SourceError: if pyarrow is not installed.
        ValuesError: if what the file holds is not what is wanted.
    """
    arrow, parquet = _arrow(path)
    with parquet.ParquetFile(path) as file:
        types = {field.name: field.type for field in file.schema_arrow}
        head = file.schema_arrow.names
        candidates = request.candidates(head, path)
        numeric = [name for name in candidates if _is_numeric(arrow, types[name])]
        if request.measures is not None and len(numeric) < len(candidates):
            raise _no_numbers(next(n for n in candidates if n not in numeric), types, path)
        table = file.read(columns=[*request.text, *numeric])
    columns = Columns(
        _text(table, request.label),
        None if request.group is None else _text(table, request.group),
        {name: _floats(arrow, table, name) for name in numeric},
        range(1, len(table) + 1),
        "row",
    )
    return as_instances(columns, request, head, path)


def head_of_parquet(path: Path) -> list[str]:
    """The names of the columns of such a file."""
    _, parquet = _arrow(path)
    with parquet.ParquetFile(path) as file:
        return list(file.schema_arrow.names)


def _arrow(path: Path) -> tuple[ModuleType, ModuleType]:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise SourceError(
            "reading Parquet needs pyarrow, which is not installed",
            where=path,
            remedy="pip install 'weps[tables]', or give a .csv or .npz file",
        ) from None


def _is_numeric(arrow: ModuleType, kind: Any) -> bool:
    types = arrow.types
    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind))


def _no_numbers(name: str, types: dict[str, Any], path: Path) -> ValuesError:
    return ValuesError(
        f"the column {quote_text(name)} holds no numbers but {quote_text(str(types[name]))}",
        where=path,
        remedy="choose other measures, or give numbers",
    )


def _text(table: Any, name: str) -> list[str]:
    return ["" if value is None else str(value) for value in table.column(name).to_pylist()]


def _floats(arrow: ModuleType, table: Any, name: str) -> NDArray[np.float64]:
    """Shape (rows,), NaN where one is missing."""
    column = table.column(name).cast(arrow.float64(), safe=False)
    return np.asarray(column.to_numpy(), dtype=np.float64)


Reader = Callable[[Path, Request], TableRead]


def read_instances(
    path: Path | str,
    label: str = "label",
    group: str | None = None,
    measures: Sequence[str] | None = None,
) -> TableRead:
    """Read instances from a table or an archive (docs/formats.md).

    Args:
        path: a file that ends like one of :data:`READERS`.
        label: the column that says which instances are positive; archives have none.
        group: the column with the group of each instance, any text; archives have none. Without
            one all are of the group ``all``.
        measures: the columns wanted, in this order; None for all that are wholly numeric.

    Raises:
        SourceError: if the file is missing, damaged, or of another kind.
        ValuesError: if a column is missing, a label is none, all labels are the same, a value is
            missing or no number, or there is no measure.
    """
    path = Path(path)
    read = READERS[ending_of(path, READERS, SourceError)]
    request = Request(label, group, None if measures is None else tuple(measures))
    try:
        check_file(path)
        found = read(path, request)
    except UnicodeDecodeError as error:
        what = f"not valid UTF-8 ({error.reason})"
        raise SourceError(what, where=path, remedy="save it as text in UTF-8") from None
    except OSError as error:
        remedy = "check that you may read it and that it is whole"
        what = f"cannot be read ({error_reason(error)[:_LONGEST]})"
        raise SourceError(what, where=path, remedy=remedy) from None
    except _DAMAGE as error:
        what = f"cannot be read ({str(error)[:_LONGEST] or type(error).__name__})"
        raise SourceError(what, where=path, remedy="make the file again") from None
    _check_enough(found.instances, path)
    return found


def columns_of(path: Path) -> list[str]:
    """The names of the columns of a table; none of another file, or of what cannot be read."""
    for ending, head_of in _HEADS.items():
        if path.name.lower().endswith(ending):
            with suppress(OSError, WepsError, *_DAMAGE):  # who reads it tells why
                return head_of(path)
    return []


_LONGEST = 200
"""Characters of what a library says about a damaged file."""
_DAMAGE = (
    ArithmeticError,
    EOFError,
    LookupError,
    MemoryError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)
"""What libraries raise for a file that is not what its ending says."""


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


def _from_archive(path: Path, request: Request) -> TableRead:
    instances = read_archive(path)
    chosen = instances if request.measures is None else instances.only(request.measures)
    return TableRead(chosen, ())


READERS: dict[str, Reader] = {
    ".csv": read_delimited,
    ".tsv": read_delimited,
    ".csv.gz": read_delimited,
    ".tsv.gz": read_delimited,
    ".npz": _from_archive,
    ".parquet": read_parquet,
}
"""By ending."""
_HEADS: dict[str, Callable[[Path], list[str]]] = {
    ending: head_of_parquet if ending == ".parquet" else head_of_delimited
    for ending in READERS
    if ending != ".npz"
}
