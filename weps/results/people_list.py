"""One file with the pages of all people of a folder of results, for programs.

``people.parquet`` where pyarrow is installed, else ``people.jsonl``; a row for each page, by name,
person and rank. Rows are written as they come, so that there may be any number of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, Protocol

from weps._files import atomic_file, open_file
from weps.report.writing import Cell

PARQUET, LINES = "people.parquet", "people.jsonl"
_COLUMNS = {
    "name": "string",
    "person": "int32",
    "rank": "int32",
    "address": "string",
    "score": "float64",
    "label": "string",
}
_GROUP = 50_000
"""Rows that are kept in memory."""
_MARK = b"weps people"
_METADATA = {"made_by": _MARK}
_TAIL = 1 << 16
_LINE_HEAD = b'{"name":'


class PeopleList(Protocol):
    """A list of people that is written."""

    def add(self, *row: str | float) -> None:
        """Add the page of a person: name searched for, person, rank, address, score, label."""


@contextmanager
def writing_people(folder: Path) -> Iterator[PeopleList]:
    """The list of the people of a folder, which takes its place when it is whole.

    Raises:
        OutputError: if it cannot be written.
    """
    has_parquet = find_spec("pyarrow") is not None
    chosen, other = (PARQUET, LINES) if has_parquet else (LINES, PARQUET)
    with atomic_file(folder / chosen, private=True) as file:
        if has_parquet:
            with _Parquet(file) as table:
                yield table
        else:
            yield _Lines(file)
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


class _Lines:
    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def add(self, *row: str | float) -> None:
        line = json.dumps(
            dict(zip(_COLUMNS, row, strict=True)), ensure_ascii=False, separators=(",", ":")
        )
        self._file.write(line.encode(errors="replace") + b"\n")


class _Parquet:
    def __init__(self, file: IO[bytes]) -> None:
        parquet: Any = import_module("pyarrow.parquet")
        self._writer = parquet.ParquetWriter(file, arrow_table(_COLUMNS, (), _METADATA).schema)
        self._rows: list[Sequence[Cell]] = []

    def __enter__(self) -> _Parquet:
        return self

    def __exit__(self, *_: object) -> None:
        self._flush()
        self._writer.close()

    def add(self, *row: str | float) -> None:
        self._rows.append(row)
        if len(self._rows) >= _GROUP:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(arrow_table(_COLUMNS, self._rows, _METADATA))
            self._rows = []


def arrow_table(
    columns: Mapping[str, str],
    rows: Iterable[Sequence[Cell]],
    metadata: Mapping[str, bytes] | None = None,
) -> Any:
    """A ``pyarrow.Table``.

    Args:
        columns: name → type, as Arrow calls it.
        rows: their cells; None for a missing one.
        metadata: of the schema.

    Raises:
        ImportError: if pyarrow is not installed.
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
