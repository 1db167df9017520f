"""Published tables of significant improvements of systems over one another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from weps._formatting import quote_text
from weps.errors import ValuesError
from weps_eval.stats.arrays import Flags
from weps_eval.text.convert import lines_of


@dataclass(frozen=True, slots=True, eq=False)
class OfficialImprovements:
    """Published significant improvements of systems over others, by people."""

    systems: tuple[str, ...]
    improves: Flags
    """Shape (systems, systems): the row improves the column."""
    unknown: tuple[str, ...]
    """Systems of the table that are not available."""


_CELL = re.compile(r"[-+]?\d*\.?\d*(\**)")
_RUN = re.compile(r"\.\d+$")
"""The number that tables append to a system's name."""
_REMEDY = "give the table as WMT publishes it, ad-DA-diff-wilcoxon-rs-….csv"


def read_official(path: Path, systems: Sequence[str], stars: int = 1) -> OfficialImprovements:
    """Read a table of differences, one row and one column for each system, with stars.

    WMT's stars: * for p < .05, ** for p < .01, *** for p < .001 of Wilcoxon's rank-sum test that
    the row is better than the column (Akhbardeh et al. 2021). Tables append numbers to names
    (``UF.15``); where that is not enough, the last two columns of a file ``….names.csv`` or
    ``…-names.csv`` in the same folder give the names.

    Args:
        path: cells between blanks; the head has the systems, each row its own before its cells.
        systems: the available ones, whose order is kept.
        stars: minimum stars of a significant improvement.

    Raises:
        SourceError: if it cannot be read.
        ValuesError: if it is no such table, or knows less than two of the systems.
    """
    head, *rows = [line.split() for line in lines_of(path) if line]
    listed = [
        line.split()
        for file in sorted(path.parent.glob("*names.csv"))
        if file.name != path.name
        for line in lines_of(file)
    ]
    names = {row[-2]: row[-1] for row in listed if len(row) > 1 and row[-1] in systems}
    column = {names.get(name, _RUN.sub("", name)): at for at, name in enumerate(head)}
    improves = np.zeros((len(head), len(head)), dtype=np.bool_)
    for at, row in enumerate(rows):
        where = f"{path}, line {at + 2}"
        if at >= len(head) or row[0] != head[at] or len(row) != len(head) + 1:
            what = f"{quote_text(' '.join(row))} is not the row of a system"
            raise ValuesError(what, where=where, remedy=_REMEDY)
        improves[at] = [_count_stars(cell, where) >= stars for cell in row[1:]]
    if len(rows) != len(head):
        what = f"there are {len(rows)} rows for {len(head)} systems"
        raise ValuesError(what, where=path, remedy=_REMEDY)
    shared = [name for name in systems if name in column]
    if len(shared) < 2:
        what = f"it knows {len(shared)} of the {len(systems)} systems"
        raise ValuesError(what, where=path, remedy="give the table of the same systems")
    places = [column[name] for name in shared]
    unknown = tuple(name for name in column if name not in systems)
    return OfficialImprovements(tuple(shared), improves[np.ix_(places, places)], unknown)


def _count_stars(cell: str, where: str) -> int:
    if cell == "-":
        return 0
    found = _CELL.fullmatch(cell)
    if not found or not cell:
        what = f"{quote_text(cell)} is no difference with stars"
        raise ValuesError(what, where=where, remedy=_REMEDY)
    return len(found[1])
