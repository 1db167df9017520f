"""Text in the columns of a terminal: how wide it is, cut and padded to a width.

Cells of text in tables for spreadsheets, which compute what begins like a formula.

An apostrophe before it keeps a spreadsheet from that; on reading it is taken off again.

Turns of phrase that messages share.

Tables as text: aligned for the terminal, or as Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING
from unicodedata import category, east_asian_width

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "align_table",
    "display_width",
    "escape_formula",
    "join_items",
    "markdown_table",
    "os_error_reason",
    "pad_text",
    "truncate_text",
    "unescape_formula",
]

_FORMULA = re.compile(r"[\s\x00-\x1f\x7f-\x9f']*[=+\-@＝＋－＠]")


def escape_formula(text: str) -> str:
    """The text as a cell that nothing computes."""
    return f"'{text}" if _FORMULA.match(text) else text


def unescape_formula(cell: str) -> str:
    """The text that the cell was made from."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


_ELLIPSIS = "…"
_COMBINING = ("Mn", "Me")
"""Categories of characters that stand on the one before."""


def display_width(text: str) -> int:
    """How many columns a printable text takes: wide characters two, combining ones none.

    Wide are those that Unicode Standard Annex 11 calls wide or full-width.
    """
    return sum(map(_character_width, text))


def truncate_text(text: str, columns: int) -> str:
    """The text, or as much of its beginning as fits with ``…`` in place of the rest."""
    if display_width(text) <= columns:
        return text
    room = columns - display_width(_ELLIPSIS)
    fitting = sum(end <= room for end in accumulate(map(_character_width, text)))
    return text[:fitting].rstrip(" ,") + _ELLIPSIS


def pad_text(text: str, columns: int, *, right: bool = False) -> str:
    """The text with blanks after it, or before it, to that many columns."""
    blanks = " " * (columns - display_width(text))
    return blanks + text if right else text + blanks


def _character_width(character: str) -> int:
    if category(character) in _COMBINING:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def join_items(items: Iterable[object], most: int = 5) -> str:
    """Join items for a message: ``1, 2, 3``, cut short with the number of those left out."""
    words = [str(item) for item in items]
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more


def os_error_reason(problem: OSError) -> str:
    """Say why the system refused, without the path, which the message states already."""
    return problem.strerror or str(problem)


Rows = Sequence[Sequence[str]]
"""Rows of cells, all of one length; the first is the heading."""


def align_table(rows: Rows, left: int = 1) -> list[str]:
    """One line per row, two blanks between columns.

    Args:
        rows: heading and rows.
        left: how many columns, from the first, are aligned left; the others are right.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if number < left else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]


def markdown_table(rows: Rows) -> list[str]:
    """The lines of a Markdown table."""
    heading, *others = rows
    return [_markdown_row(heading), "|---" * len(heading) + "|", *map(_markdown_row, others)]


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
