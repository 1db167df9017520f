"""DUC 2001 and 2002: what ROUGE and people say of systems, for summaries of several lengths.

Shapira et al., “Evaluating Multiple System Summary Lengths: A Case Study”, EMNLP 2018.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from eval.text.convert.files import lines_of, number_of, one_file
from eval.text.testbed import MeasureMatrix
from weps.errors import SourceError, ValuesError

__all__ = ["convert_duc"]

_COVERAGE = "coverage"
_STOP_WORDS = ("stop_words_remaining", "stop_words_removed")
_YEARS = ("2001", "2002")
_PARTS = {"r": "recall", "p": "precision", "f": "f"}
_MISSING = "-"
_REMEDY = "give the tables as they were published"

Instance = tuple[str, str]
"""Length and system."""
Table = Mapping[Instance, Mapping[str, float]]
"""Instance → measure → score."""


def convert_duc(folder: Path) -> Mapping[str, MeasureMatrix]:
    """Read the tables of systems: a matrix for each year, set of references and stop words.

    They are called as ``2001_sameLen_stop_words_remaining``: systems of 2001 against references
    as long as their summaries, stop words kept; ``toNNN`` is against references of that many
    words, ``toOneLonger`` and ``toOneShorter`` against those of the next length. Instances are
    summaries of one length by one system; the topic is the length, as ``100 words``. Measures are
    as ``R2_recall``; the human score is ``coverage``, NaN where it is not told. Summaries without
    ROUGE scores are left out, among them those of authors of references; so are tables of systems
    that took no part, and those of references against references.

    Raises:
        SourceError: if files are missing or cannot be read.
        ValuesError: if they are not as published.
    """
    found: dict[str, MeasureMatrix] = {}
    for year in _YEARS:
        human = _human(one_file(folder / "scores_human", f"{year}_human.csv"))
        for stop_words in _STOP_WORDS:
            for path in sorted((folder / stop_words / "scores_ROUGE").glob(f"{year}_*.csv")):
                name = f"{path.stem.replace('_STANDARD_', '_')}_{stop_words}"
                found[name] = _matrix(_rouge(path), human)
    if not found:
        raise SourceError("there are no tables of ROUGE scores", where=folder, remedy=_REMEDY)
    return found


def _human(path: Path) -> Mapping[Instance, float]:
    """Instance → coverage."""
    (_, head), *rows = _rows(path)
    return {
        (_length(column, path), cells[0]): number_of(cell, path, line)
        for line, cells in rows
        for column, cell in zip(head[1:], cells[1:], strict=True)
        if cell != _MISSING
    }


def _rouge(path: Path) -> Table:
    """The scores in a file of blocks, each after a line with the name of its system alone."""
    (_, head), *rows = _rows(path)
    table: dict[Instance, dict[str, float]] = {}
    system = ""
    for line, cells in rows:
        if len(cells) == 1:
            system = cells[0]
            continue
        for column, cell in zip(head[1:], cells[1:], strict=True):
            if cell != _MISSING:
                length, _, part = column.partition("_")
                scores = table.setdefault((_length(length, path), system), {})
                scores[f"{cells[0]}_{_PARTS.get(part, part)}"] = number_of(cell, path, line)
    return table


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The lines that are not empty, as numbers from 1 and cells: one, or as many as the first."""
    width = 0
    for number, line in enumerate(lines_of(path), start=1):
        cells = line.split(",")
        width = width or len(cells)
        if len(cells) not in (1, width):
            what = f"the row has {len(cells)} cells, the head has {width}"
            raise ValuesError(what, where=f"{path}, line {number}", remedy=_REMEDY)
        if line:
            yield number, cells


def _length(cell: str, path: Path) -> str:
    if not cell.isdecimal():
        raise ValuesError(f"{cell!r} is no number of words", where=path, remedy=_REMEDY)
    return f"{int(cell)} words"


def _matrix(table: Table, human: Mapping[Instance, float]) -> MeasureMatrix:
    """Instances by length, then as in the file."""
    instances = sorted(table, key=lambda each: int(each[0].split()[0]))
    measures = tuple(dict.fromkeys(name for scores in table.values() for name in scores))
    values = [[table[each].get(name, np.nan) for each in instances] for name in measures]
    coverage = [[human.get(each, np.nan) for each in instances]]
    return MeasureMatrix(
        tuple(length for length, _ in instances),
        tuple(system for _, system in instances),
        measures,
        np.array(values, np.float64).reshape(len(measures), len(instances)),
        (_COVERAGE,),
        np.array(coverage, np.float64),
    )
