"""Tables as text: cells between commas or tabs, the first row is the head."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TextIO

from eval.instances.growing import GrowingColumns, Row
from eval.instances.table import Request, TableRead, as_instances
from weps.cells import unguarded
from weps.errors import SourceError, ValuesError

__all__ = ["delimiter_of", "head_of_delimited", "read_delimited"]

_BLOCK = 2_000
"""Rows held as text at a time: text takes ten times the room of the numbers."""
_LONGEST = 10_000_000
"""Characters of a line."""


def read_delimited(path: Path, request: Request) -> TableRead:
    """Read a ``.csv`` or ``.tsv`` file in UTF-8, as it is or compressed with gzip.

    Raises:
        SourceError: if it is no such table.
        ValuesError: if what it holds is not what is wanted.
    """
    with _opened(path) as file:
        rows = _rows(file, path)
        head = _head(rows)
        if not head:
            raise SourceError("the file is empty", where=path, remedy="give it a head and rows")
        growing = GrowingColumns(head, request, path)
        while block := list(islice(rows, _BLOCK)):
            growing.add(block)
    return as_instances(growing.columns(), request, head, path)


def head_of_delimited(path: Path) -> list[str]:
    """The names of the columns of such a file, none if it is empty."""
    with _opened(path) as file:
        return _head(_rows(file, path))


def delimiter_of(path: Path) -> str:
    """What stands between cells."""
    return "\t" if path.name.lower().endswith((".tsv", ".tsv.gz")) else ","


def _opened(path: Path) -> TextIO:
    if path.suffix.lower() == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return path.open(encoding="utf-8-sig", newline="")


def _head(rows: Iterator[Row]) -> list[str]:
    return [unguarded(cell) for _, cells in islice(rows, 1) for cell in cells]


def _rows(file: TextIO, path: Path) -> Iterator[Row]:
    """The rows that are not empty; all must have as many cells as the first."""
    width = line = 0
    try:
        for line, cells in _records(file, path):
            width = width or len(cells)
            if len(cells) != width:
                raise ValuesError(
                    f"the row has {len(cells):,} cells, the head has {width:,}",
                    where=f"{path}, line {line:,}",
                    remedy="mend the row; put quotation marks round cells that hold commas",
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
    reader = csv.reader(
        _lines(file, path), delimiter=delimiter_of(path), skipinitialspace=True, strict=True
    )
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
