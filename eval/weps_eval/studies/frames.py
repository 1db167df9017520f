"""Frames: named tables of what a study has found, and rules that judge claims on them.

A column of a frame holds texts, numbers, or estimates. Those of a :class:`BootstrapSamples` keep
their resamples, so that a difference of two has an interval, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np

from weps._formatting import format_percentage_interval
from weps.errors import OutputError
from weps_eval.report.tables import (
    SEVERITY,
    SampleSize,
    Verdict,
    as_json,
    cannot_judge,
    judge_above_zero,
    judge_at_least,
    judge_at_most,
    judge_similar,
    worst_verdict,
)
from weps_eval.stats import BootstrapSamples, Estimate

Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Frame:
    """Columns by name, all of one length, in the order in which rows are shown."""

    columns: Mapping[str, Any]
    """Name → sequence, array of one dimension, or :class:`BootstrapSamples`."""
    absent: str = ""
    """Reason why there are no rows, if there are none."""

    @classmethod
    def of_rows(cls, rows: Sequence[Row], absent: str = "") -> Frame:
        """A frame of rows that have the same columns."""
        return cls({name: [row[name] for row in rows] for name in (rows or [{}])[0]}, absent)

    @classmethod
    def stack(cls, frames: Sequence[Frame]) -> Frame:
        """The rows of frames with the same columns, one frame after another."""
        columns: dict[str, Any] = {}
        for name, first in frames[0].columns.items():
            parts = [frame.columns[name] for frame in frames]
            if isinstance(first, BootstrapSamples):
                rows = np.concatenate([part.rows for part in parts])
                columns[name] = BootstrapSamples.from_rows(rows)
            elif isinstance(first, np.ndarray):
                columns[name] = np.concatenate(parts)
            else:
                columns[name] = [cell for part in parts for cell in part]
        return cls(columns)

    @cached_property
    def rows(self) -> list[Row]:
        """Every row as column → cell; a cell of :class:`BootstrapSamples` is an estimate."""
        cells: list[Iterable[Any]] = []
        for column in self.columns.values():
            if isinstance(column, BootstrapSamples):
                cells.append(column.estimates)
            else:
                cells.append(column.tolist() if isinstance(column, np.ndarray) else column)
        return [dict(zip(self.columns, row, strict=True)) for row in zip(*cells, strict=True)]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, column: str) -> Any:
        """The column as it was given, with its resamples if it has them."""
        return self.columns[column]

    def values(self, column: str) -> list[Any]:
        """The distinct cells of a column, in order of first appearance."""
        return list(dict.fromkeys(row[column] for row in self.rows))

    def take(self, rows: Sequence[int]) -> Frame:
        """Some of the rows, in the order given."""
        places, columns = list(rows), dict(self.columns)
        for name, column in self.columns.items():
            if isinstance(column, BootstrapSamples):
                columns[name] = BootstrapSamples(column.value[places], column.samples[places])
            elif isinstance(column, np.ndarray):
                columns[name] = column[places]
            else:
                columns[name] = [column[place] for place in places]
        return replace(self, columns=columns)

    def where(self, **values: Any) -> Frame:
        """The rows with these cells; columns that there are not are not asked about."""
        wanted = {name: value for name, value in values.items() if name in self.columns}
        return self.take(
            [
                number
                for number, row in enumerate(self.rows)
                if all(row[name] == value for name, value in wanted.items())
            ]
        )

    def records(self, leave: Sequence[str] = ()) -> list[Row]:
        """The rows in JSON form, but for some columns."""
        return [
            {name: as_json(cell) for name, cell in row.items() if name not in leave}
            for row in self.rows
        ]

    def nested(self, *keys: str, leave: Sequence[str] = ()) -> dict[str, Any]:
        """The rows in JSON form by the cells of key columns, one within another."""
        found: dict[str, Any] = {}
        for record in self.records(leave):
            inner = found
            for key in keys:
                inner = inner.setdefault(str(record.pop(key)), {})
            inner.update(record)
        return found

    def named(self, key: str, column: str) -> dict[str, Any]:
        """Cell of a key column → cell of another one in JSON form."""
        return {str(row[key]): as_json(row[column]) for row in self.rows}

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame``; an estimate ``x`` becomes ``x``, ``x_low`` and ``x_high``.

        Raises:
            OutputError: if pandas is not installed.
        """
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise OutputError("needs pandas", remedy="pip install pandas") from None
        columns: dict[str, list[Any]] = {}
        for name in self.columns:
            cells = [row[name] for row in self.rows]
            if any(isinstance(cell, Estimate) for cell in cells):
                ends = [cell or Estimate(np.nan, np.nan, np.nan) for cell in cells]
                for part, suffix in (("value", ""), ("low", "_low"), ("high", "_high")):
                    columns[name + suffix] = [getattr(each, part) for each in ends]
            else:
                columns[name] = cells
        return pandas.DataFrame(columns)


@dataclass(frozen=True, eq=False)
class Frames(Mapping[str, Frame]):
    """The frames that a study has found, by name, and what a reader must know of them."""

    frames: Mapping[str, Frame]
    sizes: Mapping[str, SampleSize]
    """Criterion of people → sample that verdicts rest on by default; "" without criteria."""
    remarks: Sequence[str] = ()
    """Sentences on the data and on how they were studied."""
    signature: Mapping[str, object] = field(default_factory=dict)
    """Name → value of what decides the figures, besides data, seed and version.

    Values that are None are left out; the seed stands last unless it is named."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Single figures and texts, which titles and notes of tables and figures can name."""
    resampled: str = "topics"
    """What is resampled for intervals."""

    def __getitem__(self, name: str) -> Frame:
        return self.frames[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.frames)

    def __len__(self) -> int:
        return len(self.frames)

    def of(self, criterion: str) -> Frames:
        """The rows of one criterion, of frames that have a column ``criterion``, and all others."""
        frames = {name: frame.where(criterion=criterion) for name, frame in self.items()}
        return replace(self, frames=frames, sizes={criterion: self.sizes[criterion]})


Rule: TypeAlias = Callable[[Frames], Verdict]


def _judge_below_zero(difference: Estimate) -> Verdict:
    turned = Estimate(-difference.value, -difference.high, -difference.low)
    return Verdict(judge_above_zero(turned).word, judge_above_zero(difference).figures)


_RULES: dict[str, Callable[..., Verdict]] = {
    "at least": judge_at_least,
    "at most": judge_at_most,
    "above 0": judge_above_zero,
    "below 0": _judge_below_zero,
    "similar": judge_similar,
}


def holds(  # noqa: PLR0913 - which rows are judged, and what is told of them
    place: str,
    rule: str,
    *limit: float,
    says: str = "{figures}",
    size: str = "",
    reason: str = "",
    first: bool = False,
    known: bool = False,
    worst: bool = False,
    percent: bool = False,
    **where: Any,
) -> Rule:
    """The rule that an estimate keeps to a limit, with its whole interval, in every row.

    The worst row decides, and the figures of all are told. A row without an estimate cannot be
    judged, for the reason in its column ``reason``.

    Args:
        place: ``frame.column`` of the estimates.
        rule: ``at least``, ``at most`` or ``similar``, with its limit, ``above 0`` or ``below 0``.
        limit: of the rule.
        says: a format of what is told of a row, of its cells and the ``figures``.
        size: the column with the size of a row's sample, if it is not that of all.
        reason: why it cannot be tested if there is no row; the frame's own reason if empty.
        first: whether the first row alone counts.
        known: whether rows with an unknown estimate are left out.
        worst: whether only the row that decides is told.
        percent: whether figures are told as percentages.
        where: column → cell of the rows that count.
    """
    name, _, column = place.partition(".")

    def judge(frames: Frames) -> Verdict:
        rows = frames[name].where(**where).rows
        if known:
            rows = [row for row in rows if row[column] and not np.isnan(row[column].value)]
        verdicts = []
        for row in rows[:1] if first else rows:
            if row[column] is None:
                verdicts.append(cannot_judge(row["reason"]))
                continue
            verdict = _RULES[rule](row[column], *limit)
            figures = format_percentage_interval(row[column]) if percent else verdict.figures
            verdict = verdict._replace(figures=says.format(**{**row, "figures": figures}))
            verdicts.append(verdict.resting_on(row[size]) if size else verdict)
        if not verdicts:
            return cannot_judge(reason or frames[name].absent)
        judged = [verdict for verdict in verdicts if verdict.word in SEVERITY]
        if not judged:
            return verdicts[0]
        if worst:
            return min(judged, key=lambda verdict: SEVERITY[verdict.word])
        return worst_verdict(judged)

    return judge
