"""A table for spreadsheets and programs."""

from __future__ import annotations

import csv
import io
import re

from eval.document.model import Table
from eval.document.text import plain
from weps.cells import guarded

__all__ = ["as_csv"]

_NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?%?")


def as_csv(table: Table) -> str:
    """Heading and rows; RFC 4180 with LF, every cell in quotes."""
    text = io.StringIO(newline="")
    rows = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    rows.writerows([_cell(cell) for cell in row] for row in table.rows)
    return text.getvalue()


def _cell(text: str) -> str:
    """The text with an apostrophe before what a spreadsheet would compute; numbers stay."""
    line = plain(text)
    return line if _NUMBER.fullmatch(line) else guarded(line)
