"""Columns that grow block by block while a table of text is read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from eval.instances.table import Columns, Request
from eval.instances.wording import quoted
from weps.cells import unguarded
from weps.errors import ValuesError

__all__ = ["GrowingColumns", "Row"]

Row = tuple[int, list[str]]
"""The line on which it starts, and its cells."""
Floats = NDArray[np.float64]

_MISSING = frozenset({"", "-", "?", ".", "na", "n/a", "n.a.", "nan", "nil", "none", "null"})


class GrowingColumns:
    """The wanted columns of the rows so far.

    A column that turns out to hold text is dropped, unless it was asked for.

    Raises:
        ValuesError: if a wanted column is not there or, while rows are added, holds text.
    """

    def __init__(self, head: Sequence[str], request: Request, where: Path) -> None:
        candidates = request.candidates(head, where)
        self._places = {name: place for place, name in enumerate(head)}
        self._request = request
        self._where = where
        self._lines: list[int] = []
        self._label: list[str] = []
        self._group: list[str] = []
        self._numbers: dict[str, list[Floats]] = {name: [] for name in candidates}

    def add(self, rows: Sequence[Row]) -> None:
        """Add rows, all of them as long as the head."""
        cells = list(zip(*(cells for _, cells in rows), strict=True))
        self._lines += [line for line, _ in rows]
        self._label += cells[self._places[self._request.label]]
        if self._request.group is not None:
            self._group += map(unguarded, cells[self._places[self._request.group]])
        for name in tuple(self._numbers):
            self._add_numbers(name, cells[self._places[name]])

    def columns(self) -> Columns:
        """All rows that were added."""
        numbers = {name: np.concatenate(parts) for name, parts in self._numbers.items() if parts}
        group = None if self._request.group is None else self._group
        return Columns(self._label, group, numbers, self._lines, "line")

    def _add_numbers(self, name: str, cells: Sequence[str]) -> None:
        numbers = _numbers(cells)
        if numbers is not None:
            self._numbers[name].append(numbers)
        elif self._request.measures is None:
            del self._numbers[name]
        else:
            raise self._no_number(name, cells)

    def _no_number(self, name: str, cells: Sequence[str]) -> ValuesError:
        first = next(row for row, cell in enumerate(cells) if _numbers([cell]) is None)
        line = self._lines[first - len(cells)]
        return ValuesError(
            f"{quoted(cells[first])} in the column {quoted(name)} is no number",
            where=f"{self._where}, line {line:,}",
            remedy="give it a number there, or leave out the row or the column",
        )


def _numbers(cells: Sequence[str]) -> Floats | None:
    """Shape (cells,), NaN where one is missing; None if there is text among them."""
    if "_" in "".join(cells):  # Python takes 2009_1 for a number
        return None
    for number in (float, _number):
        try:
            return np.fromiter(map(number, cells), np.float64, len(cells))
        except ValueError:
            continue
    return None


def _number(cell: str) -> float:
    return math.nan if cell.strip().lower() in _MISSING else float(cell)
