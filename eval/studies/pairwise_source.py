"""Similarities from a table: a row for every two texts that were compared.

What a study is given: a testbed whose texts are compared, or a table of similarities.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from eval.studies.measures import is_testbed, testbed_of
from eval.studies.pairwise import (
    COLUMNS,
    Compared,
    ComparedTopic,
    Kind,
    Pairs,
    compare_testbed,
    laid_out,
)
from eval.tables.columns import rows_of
from eval.tables.instances import among, quoted
from eval.tables.reading import head_in
from eval.text.measures.topic import Tools
from eval.text.run import digest_of
from eval.text.testbed.matrix import HUMAN, SYSTEM
from weps._expressions import split
from weps._formatting import listed, unguarded
from weps._parallel import Progress, silent
from weps.errors import ValuesError

__all__ = ["TableRead", "Wanted", "compared", "read_compared"]

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


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of a source is studied."""

    measures: str = ""
    """Between commas: measures and sets for a testbed, columns of a table; empty as usual."""
    criteria: tuple[str, ...] = ()
    """By which people judged; all, if there are none."""
    fewest: int = 2
    """References that a topic needs; topics with fewer are left out."""
    remedy: str = "give topics with more references"
    """What to do if no topic has so many."""
    among_peers: bool = True
    """Whether outputs of a testbed are compared with one another."""


def compared(
    path: Path, wanted: Wanted, tools: Tools, *, jobs: int = 1, progress: Progress = silent
) -> Compared:
    """The similarities of a testbed's texts, or those that a table holds.

    Raises:
        SourceError: if the source cannot be read, or something that measures need is missing.
        ValuesError: if it is faulty, has no such column, or too few references.
        FeatureError: if there is no such measure.
        LanguageError: if a pipeline or a library is missing.
    """
    if is_testbed(path):
        found = _of_testbed(path, wanted, tools, jobs, progress)
    else:
        found = _of_table(path, wanted)
    return _judged_by(found, wanted.criteria)


def _of_testbed(
    path: Path, wanted: Wanted, tools: Tools, jobs: int, progress: Progress
) -> Compared:
    testbed, measures = testbed_of(path, wanted.measures, tools)
    sizes = {each.topic: len(each.references) for each in testbed.topics}
    kept, left_out = _enough(sizes, wanted, path)
    part = replace(testbed, topics=tuple(each for each in testbed.topics if each.topic in kept))
    topics = compare_testbed(
        part, measures, tools, among_peers=wanted.among_peers, jobs=jobs, progress=progress
    )
    empty = len(part.empty_outputs)
    many = f"{empty:,} output{' is' if empty == 1 else 's are'} empty: like nothing but empty ones."
    remarks = [many] if empty else []
    return Compared(
        testbed.name,
        tuple(map(str, measures)),
        testbed.criteria,
        topics,
        (*remarks, *_told(left_out, wanted.fewest)),
        f"testbed:sha256-{digest_of(testbed)[:8]}",
    )


def _of_table(path: Path, wanted: Wanted) -> Compared:
    read = read_compared(path, split(wanted.measures) if wanted.measures else ())
    sizes = {each.topic: len(each.references) for each in read.topics}
    kept, left_out = _enough(sizes, wanted, path)
    topics = tuple(each for each in read.topics if each.topic in kept)
    remarks = tuple(_told(left_out, wanted.fewest))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    measures, criteria = read.measures, read.criteria
    return Compared(path.name, measures, criteria, topics, remarks, f"table:sha256-{digest}")


def _enough(sizes: dict[str, int], wanted: Wanted, path: Path) -> tuple[set[str], list[str]]:
    """The topics that have references enough, and those that have not.

    Raises:
        ValuesError: if none has.
    """
    left_out = [topic for topic, size in sizes.items() if size < wanted.fewest]
    if len(left_out) == len(sizes):
        most = max(sizes.values())
        what = f"{wanted.fewest} references are needed, and no topic has more than {most}"
        raise ValuesError(what, where=path, remedy=wanted.remedy)
    return sizes.keys() - set(left_out), left_out


def _told(left_out: Sequence[str], fewest: int) -> Iterator[str]:
    if left_out:
        names = listed(map(quoted, left_out))
        yield f"Left out, because they have fewer than {fewest} references: topics {names}."


def _judged_by(found: Compared, criteria: Sequence[str]) -> Compared:
    if not criteria:
        return found
    for name in criteria:
        if name not in found.criteria:
            what = f"there is no criterion {quoted(name)}"
            raise ValuesError(what, remedy=among(name, found.criteria))
    places = [found.criteria.index(name) for name in criteria]
    topics = tuple(replace(each, human=each.human[places]) for each in found.topics)
    return replace(found, criteria=tuple(criteria), topics=topics)
