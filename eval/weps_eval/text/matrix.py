"""Measure matrices: the values of measures and human scores of each output, read from tables.

They are summed up by systems: their scores, and the agreement of measures with people.
"""

from __future__ import annotations

import csv
import io
import math
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from weps._files import atomic_write
from weps._formatting import guard_cell, join_items, quote_text, suggest_names, unguard_cell
from weps._parallel import Progress, no_progress
from weps.errors import OutputError, ValuesError
from weps_eval.stats.arrays import Floats, Ints
from weps_eval.tables import locate_errors, number_names, read_columns


@dataclass(frozen=True, slots=True, eq=False)
class MeasureMatrix:
    """Values of measures on outputs, one instance for each topic and system that answered it.

    Raises:
        ValuesError: if names or instances occur twice, a value is NaN, or a human score infinite.
    """

    topic: tuple[str, ...]
    """Of each instance."""
    system: tuple[str, ...]
    """Of each instance."""
    measures: tuple[str, ...]
    values: Floats
    """Shape (measures, instances), float64, never NaN."""
    criteria: tuple[str, ...]
    """Criteria by which people judged."""
    human: Floats
    """Shape (criteria, instances), float64; NaN where there is no human score."""

    def __post_init__(self) -> None:
        instances = zip(map(quote_text, self.topic), map(quote_text, self.system), strict=True)
        for what, names in (
            ("columns", map(quote_text, (*self.measures, *self.criteria))),
            ("topic and system", map(" and ".join, instances)),
        ):
            if twice := [name for name, times in Counter(names).items() if times > 1]:
                raise ValuesError(
                    f"{what} occur twice: {join_items(twice)}", remedy="keep one of each"
                )
        for bad, columns, how in (
            (np.isnan(self.values), self.measures, "missing or NaN"),
            (np.isinf(self.human), self.criteria, "infinite"),
        ):
            for column, instance in np.argwhere(bad)[:1].tolist():
                raise ValuesError(
                    f"the value of {quote_text(columns[column])} is {how}",
                    where=f"{self.system[instance]} on {self.topic[instance]}",
                    remedy="give it a value, or leave out the instance or the column",
                )

    def column(self, name: str) -> Floats:
        """Shape (instances,): a measure or a criterion.

        Raises:
            ValuesError: if there is none of this name.
        """
        for names, values in ((self.measures, self.values), (self.criteria, self.human)):
            if name in names:
                return np.asarray(values[names.index(name)])
        raise ValuesError(
            f"there is neither a measure nor a criterion {quote_text(name)}",
            remedy=suggest_names(name, (*self.measures, *self.criteria)),
        )


TOPIC, SYSTEM = "topic", "system"
"""The first two columns of a table that was written."""
HUMAN = "human:"
"""What the names of columns with human scores begin with."""


@dataclass(frozen=True, slots=True, eq=False)
class MatrixRead:
    """The content of a table."""

    matrix: MeasureMatrix
    left_out: tuple[str, ...]
    """Columns that are not wholly numeric, and so no measures."""


def read_matrix(
    path: Path | str, human: Collection[str] = (), progress: Progress = no_progress
) -> MatrixRead:
    """Read a table with columns ``topic`` and ``system`` (``.csv`` or ``.tsv``, ``.gz`` as well).

    Columns whose names begin with ``human:``, and those that ``human`` names, hold human scores
    (``human`` may name the former without that beginning, too); a cell that is empty or NaN there
    means no human score. Every other column that is wholly numeric is a measure, of which no
    value may be missing. ``progress`` is called with the number of rows read.

    Raises:
        SourceError: if it cannot be read.
        ValuesError: if a column is not there or human scores are not numbers, there is no measure,
            a row has another length than the head, an instance occurs twice, or the value of a
            measure is missing.
    """
    path = Path(path)
    columns = read_columns(path, SYSTEM, TOPIC, None, progress)
    left_out = [name for name in columns.head if name not in (SYSTEM, TOPIC, *columns.numbers)]
    judged = [name for name in columns.head if name.startswith(HUMAN) or name in human]
    measures = [name for name in columns.numbers if name not in judged]
    with locate_errors(path):
        _check_human(
            [*judged, *(name for name in human if f"{HUMAN}{name}" not in columns.head)],
            columns.head,
            left_out,
        )
        if not columns.label or not measures:
            raise ValuesError(
                "the table holds no values of a measure", remedy="add rows and columns"
            )
        values, scores = (
            np.array([columns.numbers[name] for name in names], np.float64)
            for names in (measures, judged)
        )
        matrix = MeasureMatrix(
            tuple(columns.group or ()),
            tuple(map(unguard_cell, columns.label)),
            tuple(measures),
            values,
            tuple(name.removeprefix(HUMAN) for name in judged),
            scores.reshape(len(judged), len(columns.label)),
        )
    return MatrixRead(matrix, tuple(left_out))


def write_matrix(matrix: MeasureMatrix, path: Path | str) -> None:
    """Write a table atomically; :func:`read_matrix` reads the same again.

    Raises:
        OutputError: if it cannot be written, or a measure has the name of another column.
    """
    for name in matrix.measures:
        if name in (TOPIC, SYSTEM) or name.startswith(HUMAN):
            raise OutputError(
                f"a measure cannot be called {quote_text(name)} in a table",
                where=path,
                remedy="rename it",
            )
    text = io.StringIO(newline="")
    rows = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    criteria = (f"{HUMAN}{criterion}" for criterion in matrix.criteria)
    rows.writerow([TOPIC, SYSTEM, *map(guard_cell, (*criteria, *matrix.measures))])
    numbers = np.concatenate([matrix.human, matrix.values]).T.tolist()
    for topic, system, values in zip(matrix.topic, matrix.system, numbers, strict=True):
        cells = ("" if math.isnan(value) else value for value in values)
        rows.writerow([guard_cell(topic), guard_cell(system), *cells])
    atomic_write({Path(path): text.getvalue().encode(errors="replace")})


def _check_human(human: Collection[str], head: Sequence[str], left_out: list[str]) -> None:
    for name in human:
        if name not in head:
            raise ValuesError(
                f"unknown column {quote_text(name)}", remedy=suggest_names(name, head)
            )
        if name in (TOPIC, SYSTEM):
            raise ValuesError(
                f"the column {quote_text(name)} holds no human scores", remedy="name another one"
            )
        if name in left_out:
            raise ValuesError(
                f"the column {quote_text(name)} of human scores holds text",
                remedy="give numbers, or leave the cell empty",
            )


FEWEST_SYSTEMS = 3
"""Fewer always lie on a line."""
_DIGITS = 12
"""Parts of the largest mean that agree in so many are equal: sums differ by rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class SystemMeans:
    """Means of measures by system over all topics that each has answered."""

    systems: tuple[str, ...]
    """In order of first appearance."""
    topics: Ints
    """Shape (systems,): how many each has answered."""
    values: Floats
    """Shape (measures, systems)."""
    overall: Floats
    """Shape (measures,): over all outputs."""


@dataclass(frozen=True, slots=True, eq=False)
class SystemAgreement:
    """How measures agree with people by one criterion."""

    criterion: str
    systems: int
    """That were judged."""
    topics: int
    """On which people judged all of these systems."""
    pearson: Floats
    """Shape (measures,): of the systems' means over these topics; NaN where systems are fewer than
    :data:`FEWEST_SYSTEMS`, there is no such topic, or all systems are alike."""
    kendall: Floats
    """Kendall's τ-b."""

    @property
    def is_defined(self) -> bool:
        """Whether there are systems enough, and a topic on which people judged all of them."""
        return self.systems >= FEWEST_SYSTEMS and self.topics > 0


def system_means(matrix: MeasureMatrix) -> SystemMeans:
    """The means of measures, system by system."""
    system, systems = number_names(matrix.system)
    values = _means(matrix.values, system, len(systems))
    return SystemMeans(systems, np.bincount(system), values, matrix.values.mean(axis=1))


def system_agreement(matrix: MeasureMatrix, criterion: str) -> SystemAgreement:
    """Correlation of measures with a criterion at the level of systems.

    Systems are compared by their means over the topics that they share, so that no system gains by
    topics that others were not judged on.

    Raises:
        ValuesError: if there is no such criterion.
    """
    human = matrix.column(criterion)
    rows = np.flatnonzero(~np.isnan(human))
    system, systems = number_names([matrix.system[row] for row in rows.tolist()])
    topic, topics = number_names([matrix.topic[row] for row in rows.tolist()])
    answers = np.bincount(topic, minlength=len(topics))
    shared = answers[topic] == len(systems)
    columns = np.vstack([human, matrix.values])[:, rows[shared]]
    from scipy import stats  # noqa: PLC0415 - half a second, which matrices alone do without

    enough = shared.any() and len(systems) >= FEWEST_SYSTEMS
    people, *ours = _means(columns, system[shared], len(systems)) if enough else columns[:, :0]
    return SystemAgreement(
        criterion,
        len(systems),
        int((answers == len(systems)).sum()),
        np.array([_coefficient(stats.pearsonr, people, each) for each in ours]),
        np.array([_coefficient(stats.kendalltau, people, each) for each in ours]),
    )


def _means(values: Floats, group: Ints, groups: int) -> Floats:
    """Shape (rows, groups): the mean of each row in each group, none of them empty."""
    sums = [np.bincount(group, row, minlength=groups) for row in values]
    return np.array(sums).reshape(len(values), groups) / np.bincount(group, minlength=groups)


def _coefficient(function: Callable[..., Any], people: Floats, measure: Floats) -> float:
    """The coefficient, NaN where there is none."""
    both = np.array([people, measure])
    if not both.size or not np.isfinite(both).all():
        return float("nan")
    largest = np.abs(both).max(axis=1, keepdims=True)
    both = np.round(both / np.where(largest > 0, largest, 1.0), _DIGITS)
    if (np.ptp(both, axis=1) == 0).any():
        return float("nan")
    with warnings.catch_warnings():  # nearly constant values have a coefficient, if a rough one
        warnings.simplefilter("ignore")
        return float(function(*both).statistic)
