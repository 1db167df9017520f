"""``weps benchmark --compare A B``: what recorded runs say of each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import wrap

from eval.runs import COMPARED, Compared, Side, compare_sides, read_runs, side_of
from eval.runs.data import comparisons_data
from eval.runs.tables import differences_table, names_table, sides_table, verdict_line
from weps.commands.console import Console
from weps.commands.options import check_writable, write_json
from weps.errors import SourceError

__all__ = ["report"]

_WIDTH = 100


def report(paths: Sequence[Path], console: Console, json: Path | None = None) -> int:
    """Compare every other system with the first; print tables, write JSON.

    Args:
        paths: each a recorded run, or a folder of runs that differ in their seed only.
        console: where the tables go.
        json: a file for the JSON (docs/output.md), if wanted.

    Raises:
        SourceError: if there are fewer than two, one is given twice, or a run cannot be read.
        ValuesError: if they cannot be compared.
        OutputError: if the JSON cannot be written.
    """
    check_writable(json)
    sides = _sides(paths)
    found = [compare_sides(sides[0], other) for other in sides[1:]]
    blocks = [sides_table(sides), *(block for each in found for block in _blocks(each))]
    console.say("\n\n".join("\n".join(block) for block in blocks))
    write_json(json, comparisons_data(sides, found, COMPARED[0]))
    return 0


def _sides(paths: Sequence[Path]) -> list[Side]:
    if len(paths) < 2:
        what = "there is nothing to compare with"
        raise SourceError(what, remedy="name two recorded runs or folders of runs, or more")
    if twice := [path for path, times in Counter(paths).items() if times > 1]:
        what = "this is given twice"
        raise SourceError(what, where=twice[0], remedy="name different runs")
    sides = [side_of(read_runs(path), str(path)) for path in paths]
    systems = Counter(side.runs[0].system for side in sides)
    return [
        replace(side, label=system) if systems[system] == 1 else side
        for side in sides
        for system in (side.runs[0].system,)
    ]


def _blocks(compared: Compared) -> Iterator[list[str]]:
    """Differences, names, and the verdict with what is to be said of it."""
    yield differences_table(compared)
    if len(names := names_table(compared)) > 1:
        yield names
    remarks = (*compared.verdict.remarks, *compared.cautions)
    indented = (wrap(f"- {each}", _WIDTH, subsequent_indent="  ") for each in remarks)
    yield [verdict_line(compared), *(line for lines in indented for line in lines)]
