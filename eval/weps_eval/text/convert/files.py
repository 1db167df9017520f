"""Files of published sets: their lines and numbers, and errors where they are not as published."""

from __future__ import annotations

import math
from pathlib import Path

from weps._files import read_bytes
from weps._formatting import quote_text
from weps.errors import SourceError, ValuesError

_LARGEST = 100 << 20  # bytes of a file
REMEDY = "give the set as it was published"


def lines_of(path: Path) -> list[str]:
    """The lines of a file in UTF-8, white space at their ends taken off.

    Only a line feed ends a line: texts may hold others of Unicode's line ends.

    Raises:
        SourceError: if it cannot be read.
    """
    text = decode_text(read_bytes(path, _LARGEST, SourceError), path)
    return [line.strip() for line in text.removesuffix("\n").split("\n")]


def decode_text(raw: bytes, path: Path) -> str:
    """The text of a file in UTF-8.

    Raises:
        SourceError: if it is none.
    """
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SourceError("not valid UTF-8", where=path, remedy=REMEDY) from None


def number_of(cell: str, path: Path, line: int) -> float:
    """The finite number in a cell.

    Raises:
        ValuesError: if it is none.
    """
    try:
        number = float(cell)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        what = f"expected a finite number, got {quote_text(cell)}"
        raise ValuesError(what, where=f"{path}, line {line:,}", remedy=REMEDY)
    return number


def one_file(folder: Path, pattern: str) -> Path:
    """The one file of the folder that a pattern names.

    Raises:
        SourceError: if there is none, or there are several.
    """
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        what = f"{len(found):,} files match {pattern}" if found else f"{pattern} not found"
        raise SourceError(what, where=folder, remedy=REMEDY)
    return found[0]


def check_length(length: int, wanted: int, path: Path) -> None:
    """Refuse a file that has not one line for each of another.

    Raises:
        ValuesError: if it has not.
    """
    if length != wanted:
        what = f"there are {length:,} lines where {wanted:,} are expected"
        raise ValuesError(what, where=path, remedy=REMEDY)
