"""Rows of tables as text: cells between commas, or between tabs."""

from __future__ import annotations

import csv
import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from eval.instances.growing import Row
from weps.errors import SourceError, ValuesError
from weps.sources.messages import reason

__all__ = ["check_file", "rows_of"]

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
        with _opened(path) as file:
            yield from _rows(file, path)
    except UnicodeDecodeError as error:
        what = f"this is no text in UTF-8 ({error.reason})"
        raise SourceError(what, where=path, remedy="save it as text in UTF-8") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        what = f"cannot be read ({error})"
        raise SourceError(what, where=path, remedy="make the file again") from None
    except OSError as error:
        remedy = "check that you may read it and that it is whole"
        raise SourceError(f"cannot be read ({reason(error)})", where=path, remedy=remedy) from None


def check_file(path: Path) -> None:
    """See that there is a file, neither folder nor device.

    Raises:
        SourceError: if there is none.
    """
    if not path.exists():
        raise SourceError("no such file", where=path, remedy="check the spelling of the path")
    if not path.is_file():
        raise SourceError("is no file", where=path, remedy="give the file of a table")


def _opened(path: Path) -> TextIO:
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
