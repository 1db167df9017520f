"""Improvements that the organisers of an evaluation have published: WMT's table of tests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.instances.wording import quoted
from eval.text.convert.files import lines_of
from weps.errors import ValuesError

__all__ = ["Official", "read_official"]

Truths: TypeAlias = NDArray[np.bool_]

_CELL = re.compile(r"[-+]?\d*\.?\d*(\**)")
_RUN = re.compile(r"\.\d+$")
"""The number that tables append to a system's name."""
_REMEDY = "give the table as WMT publishes it, ad-DA-diff-wilcoxon-rs-….csv"


@dataclass(frozen=True, slots=True, eq=False)
class Official:
    """Which systems significantly improve which others, by people."""

    systems: tuple[str, ...]
    improves: Truths
    """Shape (systems, systems): the row improves the column."""
    unknown: tuple[str, ...]
    """Systems of the table that are not at hand."""


def read_official(path: Path, systems: Sequence[str], stars: int = 1) -> Official:
    """Read a table of differences, one row and one column for each system, with stars.

    WMT's stars: * for p < .05, ** for p < .01, *** for p < .001 of Wilcoxon's rank-sum test that
    the row is better than the column (Akhbardeh et al. 2021). Tables append numbers to names
    (``UF.15``); where that is not enough, a file ``….names.csv`` or ``…-names.csv`` in the same
    folder tells names in its last two columns.

    Args:
        path: cells between blanks; the head has the systems, each row its own before its cells.
        systems: those at hand, whose order is kept.
        stars: how many a significant improvement has at least.

    Raises:
        SourceError: if it cannot be read.
        ValuesError: if it is no such table, or knows less than two of the systems.
    """
    head, *rows = [line.split() for line in lines_of(path) if line]
    names = _names(path, systems)
    known = {names.get(each, _RUN.sub("", each)): at for at, each in enumerate(head)}
    improves = np.zeros((len(head), len(head)), dtype=np.bool_)
    for at, row in enumerate(rows):
        if at >= len(head) or row[0] != head[at] or len(row) != len(head) + 1:
            what = f"{quoted(' '.join(row))} is not the row of a system"
            raise ValuesError(what, where=f"{path}, line {at + 2}", remedy=_REMEDY)
        improves[at] = [_stars(cell, path, at + 2) >= stars for cell in row[1:]]
    if len(rows) != len(head):
        what = f"there are {len(rows)} rows for {len(head)} systems"
        raise ValuesError(what, where=path, remedy=_REMEDY)
    shared = [each for each in systems if each in known]
    if len(shared) < 2:
        what = f"it knows {len(shared)} of the {len(systems)} systems"
        raise ValuesError(what, where=path, remedy="give the table of the same systems")
    chosen = [known[each] for each in shared]
    unknown = tuple(name for name in known if name not in systems)
    return Official(tuple(shared), improves[np.ix_(chosen, chosen)], unknown)


def _names(path: Path, systems: Sequence[str]) -> dict[str, str]:
    """A system as tables call it → as its outputs are called."""
    rows = [
        line.split()
        for file in sorted(path.parent.glob("*names.csv"))
        if file.name != path.name
        for line in lines_of(file)
    ]
    return {row[-2]: row[-1] for row in rows if len(row) > 1 and row[-1] in systems}


def _stars(cell: str, path: Path, line: int) -> int:
    if cell == "-":
        return 0
    found = _CELL.fullmatch(cell)
    if not found or not cell:
        what = f"{quoted(cell)} is no difference with stars"
        raise ValuesError(what, where=f"{path}, line {line}", remedy=_REMEDY)
    return len(found[1])
