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

from eval.studies.measures import is_testbed, load_testbed
from eval.studies.pairwise import (
    COLUMNS,
    PairKind,
    PairRows,
    PairwiseInput,
    PairwiseTopic,
    arrange_topic,
    compare_testbed,
)
from eval.tables.columns import head_in, rows_of
from eval.text.matrix import HUMAN, SYSTEM
from eval.text.measures.topic import TextTools
from eval.text.run import digest_of
from weps._expressions import split_items
from weps._formatting import join_items, quote_text, suggest_names, unguard_cell
from weps._parallel import Progress, no_progress
from weps.errors import ValuesError

__all__ = ["PairwiseRequest", "PairwiseTable", "load_pairwise_input", "read_pairwise"]

_MISSING = ("", "nan", "na")


@dataclass(frozen=True, slots=True, eq=False)
class PairwiseTable:
    """What a table held."""

    measures: tuple[str, ...]
    criteria: tuple[str, ...]
    topics: tuple[PairwiseTopic, ...]


def read_pairwise(path: Path, measures: Sequence[str] = ()) -> PairwiseTable:
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
            what = f"there is no measure {quote_text(name)}"
            raise ValuesError(what, where=path, remedy=suggest_names(name, known))
    if not chosen:
        raise ValuesError("there is no measure", where=path, remedy="add columns with values")
    topics = _topics(lines, names, (criteria, chosen), path)
    return PairwiseTable(chosen, tuple(each.removeprefix(HUMAN) for each in criteria), topics)


def _topics(
    lines: Iterator[tuple[int, list[str]]],
    names: Sequence[str],
    wanted: tuple[Sequence[str], Sequence[str]],
    path: Path,
) -> tuple[PairwiseTopic, ...]:
    place = {name: number for number, name in enumerate(names)}
    topics: dict[str, PairRows] = {}
    for line, cells in lines:
        where = f"{path}, line {line:,}"
        topic, output, reference, kind = (unguard_cell(cells[place[each]]) for each in COLUMNS)
        if kind not in PairKind.ALL:
            what = f"{quote_text(kind)} is no kind of row"
            raise ValuesError(what, where=where, remedy=f"kinds are: {', '.join(PairKind.ALL)}")
        scores, values = (
            [_number(cells[place[each]], each, where) for each in some] for some in wanted
        )
        _check_values(values, wanted[1], where)
        pairs = topics.setdefault(topic, PairRows(topic))
        pairs.add(kind, (output, reference), (scores, values), where)
    if not topics:
        raise ValuesError("the table has no rows", where=path, remedy="add a row for two texts")
    return tuple(arrange_topic(each, len(wanted[0]), path) for each in topics.values())


def _number(cell: str, column: str, where: str) -> float:
    if cell.strip().lower() in _MISSING:
        return math.nan
    try:
        return float(cell)
    except ValueError:
        what = f"{quote_text(cell)} in the column {quote_text(column)} is no number"
        remedy = "give it a number there, or choose other columns with --measures"
        raise ValuesError(what, where=where, remedy=remedy) from None


def _check_values(values: Sequence[float], measures: Sequence[str], where: str) -> None:
    for value, measure in zip(values, measures, strict=True):
        if math.isnan(value):
            what = f"the value of {quote_text(measure)} is missing"
            remedy = "give it a value, or leave out the measure or the text"
            raise ValuesError(what, where=where, remedy=remedy)


def _check_head(names: Sequence[str], path: Path) -> None:
    if missing := [each for each in COLUMNS if each not in names]:
        what = f"columns are missing: {', '.join(missing)}"
        if SYSTEM in names:
            what = "this is a measure matrix, which does not tell how alike references are"
        remedy = "give a testbed (.jsonl), or a table that --keep has written"
        raise ValuesError(what, where=path, remedy=remedy)
    if twice := [quote_text(name) for name, times in Counter(names).items() if times > 1]:
        raise ValuesError(
            f"columns occur twice: {join_items(twice)}", where=path, remedy="rename one"
        )


@dataclass(frozen=True, slots=True)
class PairwiseRequest:
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


def load_pairwise_input(
    path: Path,
    request: PairwiseRequest,
    tools: TextTools,
    *,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> PairwiseInput:
    """The similarities of a testbed's texts, or those that a table holds.

    Raises:
        SourceError: if the source cannot be read, or something that measures need is missing.
        ValuesError: if it is faulty, has no such column, or too few references.
        FeatureError: if there is no such measure.
        LanguageError: if a pipeline or a library is missing.
    """
    if is_testbed(path):
        found = _of_testbed(path, request, tools, jobs, progress)
    else:
        found = _of_table(path, request)
    return _restrict_criteria(found, request.criteria)


def _of_testbed(
    path: Path, request: PairwiseRequest, tools: TextTools, jobs: int, progress: Progress
) -> PairwiseInput:
    testbed, measures = load_testbed(path, request.measures, tools)
    sizes = {each.topic: len(each.references) for each in testbed.topics}
    kept, left_out = _topics_with_references(sizes, request, path)
    part = replace(testbed, topics=tuple(each for each in testbed.topics if each.topic in kept))
    topics = compare_testbed(
        part, measures, tools, among_peers=request.among_peers, jobs=jobs, progress=progress
    )
    empty = len(part.empty_outputs)
    many = f"{empty:,} output{' is' if empty == 1 else 's are'} empty: like nothing but empty ones."
    remarks = [many] if empty else []
    return PairwiseInput(
        testbed.name,
        tuple(map(str, measures)),
        testbed.criteria,
        topics,
        (*remarks, *_left_out_remarks(left_out, request.fewest)),
        f"testbed:sha256-{digest_of(testbed)[:8]}",
    )


def _of_table(path: Path, request: PairwiseRequest) -> PairwiseInput:
    read = read_pairwise(path, split_items(request.measures) if request.measures else ())
    sizes = {each.topic: len(each.references) for each in read.topics}
    kept, left_out = _topics_with_references(sizes, request, path)
    topics = tuple(each for each in read.topics if each.topic in kept)
    remarks = tuple(_left_out_remarks(left_out, request.fewest))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    measures, criteria = read.measures, read.criteria
    return PairwiseInput(path.name, measures, criteria, topics, remarks, f"table:sha256-{digest}")


def _topics_with_references(
    sizes: dict[str, int], request: PairwiseRequest, path: Path
) -> tuple[set[str], list[str]]:
    """The topics that have references enough, and those that have not.

    Raises:
        ValuesError: if none has.
    """
    left_out = [topic for topic, size in sizes.items() if size < request.fewest]
    if len(left_out) == len(sizes):
        most = max(sizes.values())
        what = f"{request.fewest} references are needed, and no topic has more than {most}"
        raise ValuesError(what, where=path, remedy=request.remedy)
    return sizes.keys() - set(left_out), left_out


def _left_out_remarks(left_out: Sequence[str], fewest: int) -> Iterator[str]:
    if left_out:
        names = join_items(map(quote_text, left_out))
        yield f"Left out, because they have fewer than {fewest} references: topics {names}."


def _restrict_criteria(found: PairwiseInput, criteria: Sequence[str]) -> PairwiseInput:
    if not criteria:
        return found
    for name in criteria:
        if name not in found.criteria:
            what = f"there is no criterion {quote_text(name)}"
            raise ValuesError(what, remedy=suggest_names(name, found.criteria))
    places = [found.criteria.index(name) for name in criteria]
    topics = tuple(replace(each, human=each.human[places]) for each in found.topics)
    return replace(found, criteria=tuple(criteria), topics=topics)
