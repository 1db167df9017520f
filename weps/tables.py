"""Tables as text: aligned for the terminal, or as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["aligned", "markdown"]

Rows = Sequence[Sequence[str]]
"""Rows of cells, all of one length; the first is the heading."""


def aligned(rows: Rows, left: int = 1) -> list[str]:
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


def markdown(rows: Rows) -> list[str]:
    """The lines of a Markdown table."""
    heading, *others = rows
    return [_line(heading), "|---" * len(heading) + "|", *map(_line, others)]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
