"""The pages of an answer as a table, for programs, and those of many names in one file.

A list of people is ``people.parquet`` where pyarrow is installed, else ``people.jsonl``; a row for
each page, by name, person and rank. Rows are written as they come, so that there may be any number
of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from weps._files import atomic_file, open_file
from weps.errors import OutputError
from weps.people.answer import Answer
from weps.report.writing import PAGE_COLUMNS, Cell, answer_rows

_DATA_FRAMES = {
    "pandas": {"string": "str", "int32": "Int32", "float64": "float64", "bool_": "boolean"},
    "polars": {"string": "String", "int32": "Int32", "float64": "Float64", "bool_": "Boolean"},
}
"""Library → type of a column, see :data:`weps.report.writing.PAGE_COLUMNS` → its name there."""
PARQUET, LINES = "people.parquet", "people.jsonl"
_COLUMNS = {
    "name": "string",
    "person": "int32",
    "rank": "int32",
    "address": "string",
    "score": "float64",
    "label": "string",
}
_ROWS_IN_MEMORY = 50_000
_MARK = b"weps people"
_METADATA = {"made_by": _MARK}
_TAIL = 1 << 16
_LINE_HEAD = b'{"name":'

AddRow = Callable[[Sequence[Cell]], None]
"""Adds the page of a person to a list: name searched for, person, rank, address, score, label."""


def as_table(answer: Answer, library: str) -> Any:
    """The pages of an answer as a table of a library, a row per page.

    Args:
        answer: the answer.
        library: ``pyarrow``, for a ``Table``; ``pandas`` or ``polars``, for a ``DataFrame``.

    Raises:
        OutputError: if the library is not installed.
    """
    if find_spec(library) is None:
        package = "weps[tables]" if library == "pyarrow" else library
        raise OutputError(f"{library} is not installed", remedy=f"pip install '{package}'")
    if library == "pyarrow":
        return _arrow_table(PAGE_COLUMNS, answer_rows(answer))
    frames: Any = import_module(library)
    cells: Sequence[Any] = [*zip(*answer_rows(answer), strict=True)] or [()] * len(PAGE_COLUMNS)
    columns = dict(zip(PAGE_COLUMNS, map(list, cells), strict=True))
    types = {name: _DATA_FRAMES[library][kind] for name, kind in PAGE_COLUMNS.items()}
    if library == "polars":
        schema = {name: getattr(frames, kind) for name, kind in types.items()}
        return frames.DataFrame(columns, schema=schema)
    return frames.DataFrame({name: frames.array(columns[name], types[name]) for name in types})


def _arrow_table(
    columns: Mapping[str, str],
    rows: Iterable[Sequence[Cell]],
    metadata: Mapping[str, bytes] | None = None,
) -> Any:
    """A ``pyarrow.Table``.

    Args:
        columns: name → type, as Arrow calls it.
        rows: their cells; None for a missing one.
        metadata: of the schema.
    """
    arrow: Any = import_module("pyarrow")
    fields = [(name, getattr(arrow, kind)()) for name, kind in columns.items()]
    cells = list(zip(*rows, strict=True)) or [()] * len(fields)
    # A lone surrogate has no bytes in UTF-8; a question mark stands for it.
    arrays = [
        arrow.array(
            [
                each.encode(errors="replace").decode() if isinstance(each, str) else each
                for each in column
            ],
            kind,
        )
        for column, (_, kind) in zip(cells, fields, strict=True)
    ]
    return arrow.table(arrays, schema=arrow.schema(fields, metadata=metadata))


@contextmanager
def writing_people(folder: Path) -> Iterator[AddRow]:
    """Write the list of the people of a folder, which takes its place when it is whole.

    Yields:
        What adds a row.

    Raises:
        OutputError: if it cannot be written.
    """
    has_parquet = find_spec("pyarrow") is not None
    chosen, other = (PARQUET, LINES) if has_parquet else (LINES, PARQUET)
    with atomic_file(folder / chosen, private=True) as file:
        if not has_parquet:

            def add_line(row: Sequence[Cell]) -> None:
                cells = dict(zip(_COLUMNS, row, strict=True))
                line = json.dumps(cells, ensure_ascii=False, separators=(",", ":"))
                file.write(line.encode(errors="replace") + b"\n")

            yield add_line
        else:
            parquet: Any = import_module("pyarrow.parquet")
            schema = _arrow_table(_COLUMNS, (), _METADATA).schema
            rows: list[Sequence[Cell]] = []
            with parquet.ParquetWriter(file, schema) as writer:

                def add_row(row: Sequence[Cell]) -> None:
                    rows.append(row)
                    if len(rows) >= _ROWS_IN_MEMORY:
                        writer.write_table(_arrow_table(_COLUMNS, rows, _METADATA))
                        rows.clear()

                yield add_row
                if rows:
                    writer.write_table(_arrow_table(_COLUMNS, rows, _METADATA))
    if is_people_list(folder / other):
        (folder / other).unlink()


def people_lists(folder: Path) -> list[Path]:
    """The lists that are in a folder: none, or one."""
    return [path for path in (folder / PARQUET, folder / LINES) if is_people_list(path)]


def is_people_list(path: Path) -> bool:
    """Whether weps wrote a file, by what is in it."""
    with suppress(OSError), open_file(path) as file:
        if path.name == LINES:
            return file.read(len(_LINE_HEAD)) == _LINE_HEAD
        file.seek(max(path.stat().st_size - _TAIL, 0))
        return _MARK in file.read(_TAIL)
    return False
