"""Can the document be written? Keys become file names; tables must have one shape."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from eval.document.model import Document, Table
from weps.errors import OutputError

__all__ = ["check"]

_KEY = re.compile(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*")
_TAKEN = "index"


def check(document: Document, folder: Path) -> None:
    """Refuse keys that are no file names or name two things, and tables of no shape.

    Raises:
        OutputError: for the first of these.
    """
    keys = [figure.key for figure in document.figures()]
    keys += [table.key for table in document.tables()]
    for key in keys:
        if not _KEY.fullmatch(key):
            remedy = "use letters and digits, with hyphens between them"
            raise OutputError(
                f"{key!r} is no key of a figure or table", where=folder, remedy=remedy
            )
    # Some file systems do not tell capitals from small letters.
    for key, times in Counter([_TAKEN, *map(str.lower, keys)]).items():
        if times > 1:
            what = f"two parts of the document have the key {key!r}"
            raise OutputError(what, where=folder, remedy="give each its own")
    for table in document.tables():
        _check_shape(table, folder)


def _check_shape(table: Table, folder: Path) -> None:
    widths = {len(row) for row in table.rows}
    if len(widths) != 1 or 0 in widths:
        what = f"the table {table.key!r} needs a heading, and rows as long as it"
        raise OutputError(what, where=folder, remedy="give every row one cell for each column")
