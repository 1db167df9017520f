"""Tables in Parquet, read by pyarrow where it is installed."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.instances.table import Columns, Request, TableRead, as_instances
from eval.instances.wording import quoted
from weps.errors import SourceError, ValuesError

__all__ = ["head_of_parquet", "read_parquet"]


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
        f"the column {quoted(name)} holds no numbers but {quoted(str(types[name]))}",
        where=path,
        remedy="choose other measures, or give numbers",
    )


def _text(table: Any, name: str) -> list[str]:
    return ["" if value is None else str(value) for value in table.column(name).to_pylist()]


def _floats(arrow: ModuleType, table: Any, name: str) -> NDArray[np.float64]:
    """Shape (rows,), NaN where one is missing."""
    column = table.column(name).cast(arrow.float64(), safe=False)
    return np.asarray(column.to_numpy(), dtype=np.float64)
