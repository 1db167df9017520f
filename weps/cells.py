"""Cells of text in tables for spreadsheets, which compute what begins like a formula.

An apostrophe before it keeps a spreadsheet from that; on reading it is taken off again.
"""

from __future__ import annotations

import re

__all__ = ["guarded", "unguarded"]

_FORMULA = re.compile(r"[\s\x00-\x1f\x7f-\x9f']*[=+\-@＝＋－＠]")


def guarded(text: str) -> str:
    """The text as a cell that nothing computes."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(cell: str) -> str:
    """The text that the cell was made from."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
