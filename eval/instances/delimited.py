"""Instances from tables as text; the first row is the head."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from eval.instances.growing import GrowingColumns, Row
from eval.instances.rows import rows_of
from eval.instances.table import Request, TableRead, as_instances
from weps.cells import unguarded
from weps.errors import SourceError
from weps.progress import Progress, silent

__all__ = ["grown", "head_in", "head_of_delimited", "read_delimited"]

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
    growing = grown(GrowingColumns(head, request, path), rows)
    return as_instances(growing.columns(), request, head, path)


def head_of_delimited(path: Path) -> list[str]:
    """The names of the columns of such a file, none if it is empty."""
    return head_in(rows_of(path))


def head_in(rows: Iterator[Row]) -> list[str]:
    """The first of the rows; none if there is none."""
    return [unguarded(cell) for _, cells in islice(rows, 1) for cell in cells]


def grown(
    columns: GrowingColumns, rows: Iterator[Row], progress: Progress = silent
) -> GrowingColumns:
    """The columns with all rows added, block by block; ``progress`` hears how many there are."""
    done = 0
    while block := list(islice(rows, _BLOCK)):
        columns.add(block)
        progress("reading rows", done := done + len(block), 0)
    return columns
