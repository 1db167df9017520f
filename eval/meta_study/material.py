"""What studies of measures are about: values of measures on outputs, and where they come from."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from eval.instances.reading import columns_of
from eval.instances.wording import among, quoted
from eval.instances.writing import LABEL
from eval.text.desk import Tools
from eval.text.measures import Measure
from eval.text.measures.sets import measures_of
from eval.text.running import check_needs, digest_of, score_testbed
from eval.text.testbed import MeasureMatrix, Testbed, read_matrix, read_testbed
from eval.text.testbed.tables import HUMAN, SYSTEM, TOPIC
from weps.errors import ValuesError
from weps.expressions import split
from weps.progress import Progress, silent

__all__ = ["Scored", "holds_instances", "is_testbed", "scored", "testbed_of"]

_TESTBEDS = (".jsonl", ".jsonl.gz")
_USUAL = "usual"
_INSTANCES_ONLY = (".npz", ".parquet")
"""A measure matrix is text."""


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """Values of measures on outputs."""

    title: str
    """The testbed's name, or the table's."""
    matrix: MeasureMatrix
    remarks: tuple[str, ...]
    """What the reader must know of them."""
    digest: str
    """Of what they were read from, ``testbed:sha256-…`` or ``matrix:sha256-…``."""


def is_testbed(path: Path) -> bool:
    """Whether a file holds texts; others hold values of measures."""
    return path.name.lower().endswith(_TESTBEDS)


def holds_instances(path: Path) -> bool:
    """Whether a file holds labelled instances, not the outputs of systems."""
    columns = columns_of(path)
    is_labelled = LABEL in columns and not {TOPIC, SYSTEM} <= set(columns)
    return is_labelled or path.name.lower().endswith(_INSTANCES_ONLY)


def testbed_of(path: Path, measures: str, tools: Tools) -> tuple[Testbed, tuple[Measure, ...]]:
    """A testbed and the measures asked for, whose needs are met.

    Raises:
        SourceError: if it cannot be read, or is none.
        ValuesError: if it is faulty, or lacks what a measure needs.
        FeatureError: if there is no such measure.
        LanguageError: if a pipeline or a library is missing.
    """
    testbed, chosen = read_testbed(path), measures_of(measures or _USUAL)
    check_needs(testbed, chosen, tools)
    return testbed, chosen


def scored(  # noqa: PLR0913 - what the command line tells
    path: Path,
    measures: str = "",
    human: Sequence[str] = (),
    *,
    tools: Tools,
    jobs: int = 1,
    progress: Progress = silent,
) -> Scored:
    """The values of measures that a table holds, or that are computed on a testbed.

    Args:
        path: a testbed, or a measure matrix.
        measures: names between commas, of columns of a table, or of measures and sets; all
            columns, and the usual measures, if empty.
        human: criteria to keep; all if there are none.
        tools: what measures need besides texts.
        jobs: processes that compute.
        progress: hears how many rows are read, or topics scored.

    Raises:
        SourceError: if it cannot be read.
        ValuesError: if it is faulty, or has no such column.
        FeatureError: if there is no such measure.
    """
    if is_testbed(path):
        testbed, chosen = testbed_of(path, measures, tools)
        matrix = score_testbed(testbed, chosen, tools, jobs=jobs, progress=progress)
        title, remarks, digest = (
            testbed.name,
            _empties(testbed),
            f"testbed:sha256-{digest_of(testbed)[:8]}",
        )
    else:
        if holds_instances(path):
            what = "labelled instances are no outputs of systems"
            remedy = "give them to `weps meta hbr` or `weps meta heterogeneity`"
            raise ValuesError(what, where=path, remedy=remedy)
        read = read_matrix(path, [each for each in human if each], progress)
        matrix, title, digest = read.matrix, path.name, f"matrix:sha256-{_digest(path)}"
        remarks = _left_out(read.left_out)
        if measures:
            matrix = _only(matrix, split(measures))
    return Scored(title, _judged_by(matrix, human), remarks, digest)


def _only(matrix: MeasureMatrix, names: Sequence[str]) -> MeasureMatrix:
    if not names:
        raise ValuesError("no measure is named", where="--measures", remedy="name one or more")
    values = [matrix.column(_known(name, matrix.measures, "measure")) for name in names]
    return replace(matrix, measures=tuple(names), values=np.array(values))


def _judged_by(matrix: MeasureMatrix, criteria: Sequence[str]) -> MeasureMatrix:
    if not criteria:
        return matrix
    names = tuple(name.removeprefix(HUMAN) for name in criteria)
    human = [matrix.column(_known(name, matrix.criteria, "criterion")) for name in names]
    return replace(matrix, criteria=names, human=np.array(human))


def _known(name: str, names: Sequence[str], what: str) -> str:
    if name not in names:
        raise ValuesError(f"there is no {what} {quoted(name)}", remedy=among(name, names))
    return name


def _empties(testbed: Testbed) -> tuple[str, ...]:
    if not (empty := len(testbed.empty_outputs)):
        return ()
    return (f"{empty:,} outputs are empty; every measure gives them 0.",)


def _left_out(columns: Sequence[str]) -> tuple[str, ...]:
    return (f"Left out, because they hold no numbers: {', '.join(columns)}.",) if columns else ()


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:8]
