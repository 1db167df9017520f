"""Similarities from a table: a row for every two texts that were compared."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.instances.delimited import head_in
from eval.instances.rows import rows_of
from eval.instances.wording import among, quoted
from eval.meta_study.compared.laying_out import Pairs, laid_out
from eval.meta_study.compared.records import ComparedTopic
from eval.meta_study.compared.writing import COLUMNS, Kind
from eval.text.testbed.tables import HUMAN, SYSTEM
from weps.cells import unguarded
from weps.errors import ValuesError
from weps.sources.messages import listed

__all__ = ["TableRead", "read_compared"]

_MISSING = ("", "nan", "na")


@dataclass(frozen=True, slots=True, eq=False)
class TableRead:
    """What a table held."""

    measures: tuple[str, ...]
    criteria: tuple[str, ...]
    topics: tuple[ComparedTopic, ...]


def read_compared(path: Path, measures: Sequence[str] = ()) -> TableRead:
    """Read a table with the columns ``topic``, ``output``, ``reference`` and ``kind``.

    The kind is ``output-reference``, ``reference-reference`` (the text compared is in the column
    ``output``) or ``output-output``; the last may be missing altogether, and so may rows of a text
    with itself: nothing is then more alike. Columns whose names begin with ``human:`` hold what
    people thought of the output, in rows of the first kind; all others are measures.

    Args:
        path: the table.
        measures: columns to read; all, if there are none.

    Raises:
        SourceError: if it cannot be read.
        ValuesError: if a column is missing or holds no numbers, a row is repeated or missing.
    """
    lines = rows_of(path)
    names = tuple(head_in(lines))
    _check_head(names, path)
    criteria = tuple(each for each in names if each.startswith(HUMAN))
    known = tuple(each for each in names if each not in (*COLUMNS, *criteria))
    chosen = tuple(measures) or known
    for name in chosen:
        if name not in known:
            what = f"there is no measure {quoted(name)}"
            raise ValuesError(what, where=path, remedy=among(name, known))
    if not chosen:
        raise ValuesError("there is no measure", where=path, remedy="add columns with values")
    topics = _topics(lines, names, (criteria, chosen), path)
    return TableRead(chosen, tuple(each.removeprefix(HUMAN) for each in criteria), topics)


def _topics(
    lines: Iterator[tuple[int, list[str]]],
    names: Sequence[str],
    wanted: tuple[Sequence[str], Sequence[str]],
    path: Path,
) -> tuple[ComparedTopic, ...]:
    place = {name: number for number, name in enumerate(names)}
    topics: dict[str, Pairs] = {}
    for line, cells in lines:
        where = f"{path}, line {line:,}"
        topic, output, reference, kind = (unguarded(cells[place[each]]) for each in COLUMNS)
        if kind not in Kind.ALL:
            what = f"{quoted(kind)} is no kind of row"
            raise ValuesError(what, where=where, remedy=f"kinds are: {', '.join(Kind.ALL)}")
        scores, values = (
            [_number(cells[place[each]], each, where) for each in some] for some in wanted
        )
        _check_values(values, wanted[1], where)
        pairs = topics.setdefault(topic, Pairs(topic))
        pairs.add(kind, (output, reference), (scores, values), where)
    if not topics:
        raise ValuesError("the table has no rows", where=path, remedy="add a row for two texts")
    return tuple(laid_out(each, len(wanted[0]), path) for each in topics.values())


def _number(cell: str, column: str, where: str) -> float:
    if cell.strip().lower() in _MISSING:
        return math.nan
    try:
        return float(cell)
    except ValueError:
        what = f"{quoted(cell)} in the column {quoted(column)} is no number"
        remedy = "give it a number there, or choose other columns with --measures"
        raise ValuesError(what, where=where, remedy=remedy) from None


def _check_values(values: Sequence[float], measures: Sequence[str], where: str) -> None:
    for value, measure in zip(values, measures, strict=True):
        if math.isnan(value):
            what = f"the value of {quoted(measure)} is missing"
            remedy = "give it a value, or leave out the measure or the text"
            raise ValuesError(what, where=where, remedy=remedy)


def _check_head(names: Sequence[str], path: Path) -> None:
    if missing := [each for each in COLUMNS if each not in names]:
        what = f"columns are missing: {', '.join(missing)}"
        if SYSTEM in names:
            what = "this is a measure matrix, which does not tell how alike references are"
        remedy = "give a testbed (.jsonl), or a table that --keep has written"
        raise ValuesError(what, where=path, remedy=remedy)
    if twice := [quoted(name) for name, times in Counter(names).items() if times > 1]:
        raise ValuesError(f"columns occur twice: {listed(twice)}", where=path, remedy="rename one")
