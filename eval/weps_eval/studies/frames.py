"""Frames: named tables of what a study has found, rules that judge claims on them, and displays.

A column of a frame holds texts, numbers, or estimates. Those of a :class:`BootstrapSamples` keep
their resamples, so that a difference of two has an interval, too.

What is shown are tables and figures, in the parts of a document. Their titles and notes are formats
of the facts of the frames, such as ``"Of {topics}."``. Where a table or a figure is repeated
for each cell of a column, that cell is a fact, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any, Literal, TypeAlias

import numpy as np

from weps._formatting import format_percentage_interval
from weps._lazy import import_library
from weps_eval.report import charts, document, tables
from weps_eval.report.tables import ESTIMATE, Column, Kind, SampleSize, Table, Verdict, as_json
from weps_eval.stats import NO_ESTIMATE, BootstrapSamples, Estimate

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
        """A frame of rows; a cell of a column that a row does not have is None."""
        names = dict.fromkeys(name for row in rows for name in row)
        return cls({name: [row.get(name) for row in rows] for name in names}, absent)

    @classmethod
    def stack(cls, frames: Sequence[Frame]) -> Frame:
        """The rows of frames with the same columns, one frame after another."""
        columns: dict[str, Any] = {}
        for name, first in frames[0].columns.items():
            parts = [frame.columns[name] for frame in frames]
            if isinstance(first, BootstrapSamples):
                columns[name] = BootstrapSamples(np.concatenate([part.rows for part in parts]))
            else:
                columns[name] = list(chain(*parts))
        return cls(columns)

    @cached_property
    def rows(self) -> list[Row]:
        """Every row as column → cell; a cell of :class:`BootstrapSamples` is an estimate."""
        cells = (
            column.estimates
            if isinstance(column, BootstrapSamples)
            else column.tolist()
            if isinstance(column, np.ndarray)
            else column
            for column in self.columns.values()
        )
        return [dict(zip(self.columns, row, strict=True)) for row in zip(*cells, strict=True)]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, column: str) -> Any:
        """The column as it was given, with its resamples if it has them."""
        return self.columns[column]

    def lead(self, column: str, key: str, first: str, second: str) -> Estimate | None:
        """How far the row with the first cell of a key column is ahead of that with the second.

        None if either is missing; the other column has resamples.
        """
        cells = list(self.columns[key])
        if first not in cells or second not in cells:
            return None
        difference: Estimate = self[column].difference(cells.index(second), cells.index(first))
        return difference

    def values(self, column: str) -> list[Any]:
        """The distinct cells of a column, in order of first appearance."""
        return list(dict.fromkeys(row[column] for row in self.rows))

    def take(self, rows: Sequence[int]) -> Frame:
        """Some of the rows, in the order given."""
        places = np.array(rows, dtype=np.int64)
        columns = {
            name: [column[place] for place in places]
            if isinstance(column, Sequence)
            else column.take(places)
            for name, column in self.columns.items()
        }
        return replace(self, columns=columns)

    def where(self, **values: Any) -> Frame:
        """The rows with these cells; columns that there are not are not asked about."""
        return self.take(
            [
                number
                for number, row in enumerate(self.rows)
                if all(row[name] == value for name, value in values.items() if name in row)
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
        pandas = import_library("pandas")
        columns: dict[str, list[Any]] = {}
        for name in self.columns:
            cells = [row[name] for row in self.rows]
            if any(isinstance(cell, Estimate) for cell in cells):
                for part, suffix in (("value", ""), ("low", "_low"), ("high", "_high")):
                    columns[name + suffix] = [getattr(each or NO_ESTIMATE, part) for each in cells]
            else:
                columns[name] = cells
        return pandas.DataFrame(columns)


def add_rows(
    frames: dict[str, list[Row]], found: Iterable[tuple[str, Iterable[Row]]], **about: Any
) -> None:
    """Add rows to those of their frames, each with what it is about, such as a criterion.

    Args:
        frames: name of a frame → its rows.
        found: names of frames, each with further rows.
        about: column → cell of all of them.
    """
    for name, rows in found:
        frames.setdefault(name, []).extend({**about, **row} for row in rows)


@dataclass(frozen=True, eq=False)
class Frames(Mapping[str, Frame]):
    """The frames that a study has found, by name, and what a reader must know of them."""

    frames: Mapping[str, Frame]
    sizes: Mapping[str, SampleSize]
    """Criterion of people → sample that verdicts rest on by default; "" without criteria."""
    remarks: Sequence[str] = ()
    """Sentences on the data and on how they were studied; empty ones are left out."""
    signature: Mapping[str, object] = field(default_factory=dict)
    """Name → value of what decides the figures, besides data, seed and version.

    Values that are None are left out; the seed stands last unless it is named."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Single figures and texts, which titles and notes of tables and figures can name."""
    resampled: str = "topics"
    """What is resampled for intervals."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "remarks", list(filter(None, self.remarks)))

    def __getitem__(self, name: str) -> Frame:
        return self.frames[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.frames)

    def __len__(self) -> int:
        return len(self.frames)

    def of(self, criterion: str) -> Frames:
        """The rows of one criterion, of frames that have a column ``criterion``, and all others."""
        return replace(
            self,
            frames={name: frame.where(criterion=criterion) for name, frame in self.items()},
            sizes={criterion: self.sizes[criterion]},
        )


Rule: TypeAlias = Callable[[Frames], Verdict]


_RULES: dict[str, Callable[..., Verdict]] = {
    "at least": tables.judge_at_least,
    "at most": tables.judge_at_most,
    "above 0": tables.judge_above_zero,
    "similar": tables.judge_similar,
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
    judged, for the reason in its column ``reason``. Without rows the claim cannot be tested or,
    where no reason is known, was not studied.

    Args:
        place: ``frame.column`` of the estimates.
        rule: ``at least``, ``at most`` or ``similar``, with its limit, or ``above 0``.
        limit: of the rule.
        says: a format of what is told of a row, of its cells and the ``figures``.
        size: the column with the size of a row's sample, if it is not that of all.
        reason: why it cannot be tested if there is no row; the frame's own reason if empty.
        first: whether the first row alone counts.
        known: whether rows with an unknown estimate are left out.
        worst: whether only the row that decides is told; of those with one verdict it is the one
            with the lowest estimate, or the highest of ``at most``.
        percent: whether figures are told as percentages.
        where: column → cell of the rows that count.
    """
    name, _, column = place.partition(".")

    def judge(frames: Frames) -> Verdict:
        rows = frames[name].where(**where).rows
        if known:
            rows = [row for row in rows if row[column] and not np.isnan(row[column].value)]
        if worst:
            rows.sort(
                key=lambda row: np.nan_to_num(_number(row[column])), reverse=rule == "at most"
            )
        verdicts = []
        for row in rows[:1] if first else rows:
            if row[column] is None:
                verdicts.append(tables.cannot_judge(row["reason"]))
                continue
            verdict = _RULES[rule](row[column], *limit)
            figures = format_percentage_interval(row[column]) if percent else verdict.figures
            verdict = verdict._replace(figures=says.format(**{**row, "figures": figures}))
            verdicts.append(verdict.resting_on(row[size]) if size else verdict)
        if not verdicts:
            why = reason or frames[name].absent
            return tables.cannot_judge(why) if why else Verdict(tables.NOT_STUDIED)
        judged = [verdict for verdict in verdicts if verdict.word in tables.SEVERITY]
        if worst and judged:
            return min(judged, key=lambda verdict: tables.SEVERITY[verdict.word])
        return tables.worst_verdict(judged) if judged else verdicts[0]

    return judge


def claimed(claim: str, rule: str, *limit: float, says: str = "{figures}", **details: Any) -> Rule:
    """The rule that the estimates of a claim, rows of the frame ``claims``, keep to a limit.

    Such a row has the ``claim``, its ``figure``, the ``size`` of the sample and, if there is no
    figure, the ``reason``. See :func:`holds` for the details.
    """
    return holds("claims.figure", rule, *limit, says=says, size="size", claim=claim, **details)


Heading: TypeAlias = str | tuple[str, Kind] | tuple[str, Kind, str]
"""The heading of a column; how its cells are printed, if not by what they are; where it is not
shown."""


def short_name(name: str) -> str:
    """The name of a measure, as short as it is still understood."""
    return name.replace("part=", "").replace("=true", "")


def interval_note(sample: str) -> str:
    """What a note says of the intervals in a table: what is resampled."""
    return f"In brackets: 95 % interval, bootstrapped over {sample}."


TOPIC_INTERVALS = interval_note("topics")
SYSTEM_INTERVALS = interval_note("topics and systems together")
"""Note where systems are compared."""
SYSTEMS_TOO = "topics (figures by systems: topics and systems together)"
"""What is resampled in a study of both."""


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What tables and figures have in common."""

    key: str
    """Name of the files, unique in the document: letters and digits, hyphens between them."""
    title: str
    frame: str = ""
    """Name of the frame whose rows are shown, if it is not the key."""
    note: str = ""
    by: str = ""
    """A column with a table or figure for each of its cells.

    Keys end in ``-1``, ``-2``, …, or have the number where they have ``{}``."""
    facts_in: str = ""
    """Frame whose row with the same cell of ``by`` has further facts."""
    given: str = ""
    """A fact without which there is no table or figure."""
    order: str = ""
    """A column of estimates: rows stand from the highest on, and those without it are left out."""
    always: str = ""
    """A column of truth values: rows that are shown even where there are too many."""
    last: int = 0
    """Number of last rows that are shown even where there are too many."""

    def instances(
        self, frames: Frames, cell: str = ""
    ) -> Iterator[tuple[str, Frame, dict[str, Any]]]:
        """Key, rows and facts of each table or figure that has rows, or of that of one cell."""
        whole, facts = frames[self.frame or self.key], dict(frames.facts)
        if self.order and len(whole):
            values = np.array([_number(row[self.order]) for row in whole.rows])
            order = np.argsort(-values, kind="stable")
            whole = whole.take(order[~np.isnan(values[order])].tolist())
        key = self.key if "{}" in self.key or not self.by else f"{self.key}-{{}}"
        cells = frames[self.frame or self.key].values(self.by) if self.by else [cell]
        for number, each in enumerate(cells, start=1):
            frame = whole.where(**{self.by: each}) if self.by else whole
            own = {**facts, self.by: each, "rows": len(frame)}
            if self.facts_in:
                own |= frames[self.facts_in].where(**{self.by: each}).rows[0]
            if len(frame) and cell in {"", each} and (not self.given or own[self.given]):
                yield key.format(number), frame, own

    def leading(self, frame: Frame, most: int | None) -> Frame:
        """The first rows, and those that are always shown."""
        if most is None or len(frame) <= most:
            return frame
        rows, end = enumerate(frame.rows), len(frame) - self.last
        return frame.take(
            [at for at, row in rows if at < most or at >= end or row.get(self.always)]
        )


@dataclass(frozen=True, kw_only=True)
class TableOf(Shown):
    """A table of the rows of a frame."""

    columns: Mapping[str, Heading]
    """Column → heading; those that the frame does not have are left out."""
    across: str = ""
    """A column each cell of which, if not None, has columns; rows of one first cell are one."""
    spread: Mapping[str, Heading] = field(default_factory=dict)
    """Column → heading of what is shown for each cell of ``across``, which the heading names."""
    only: Literal["", "report", "terminal"] = ""
    """Where it is shown, if not everywhere."""
    most: int | None = None
    """Number of rows on the terminal, besides those that are always shown."""
    first: Mapping[str, Any] = field(default_factory=dict)
    """Column → cell of the rows on the terminal, if not all."""
    brief_given: str = ""
    """A fact without which the table is shown in the report only."""

    def tables(self, frames: Frames, *, brief: bool = False, cell: str = "") -> Iterator[Table]:
        """The tables of the report or, briefly, of the terminal; all or those of one cell."""
        is_left_out = brief and self.brief_given and not frames.facts[self.brief_given]
        if is_left_out or self.only == ("report" if brief else "terminal"):
            return
        for key, frame, facts in self.instances(frames, cell):
            whole = frame.where(**self.first) if brief else frame
            shown = self.leading(whole, self.most) if brief else whole
            title, note = self.title.format(**facts), self.note.format(**facts)
            if brief and len(shown) < len(whole):
                note = f"{note} {len(whole) - len(shown)} more are in the report.".strip()
            columns = [
                _column(heading, frame, name, name)
                for name, heading in self.columns.items()
                if name in frame.columns
            ]
            rows = shown.rows
            if self.across:
                for value in frame.values(self.across):
                    columns += [
                        _column(heading, frame, name, (name, value), value)
                        for name, heading in self.spread.items()
                        if name in frame.columns and value is not None
                    ]
                first, merged = next(iter(self.columns)), dict[Any, Row]()
                for row in rows:
                    whole_row = merged.setdefault(row[first], dict(row))
                    whole_row |= {(name, row[self.across]): row.get(name) for name in self.spread}
                rows = list(merged.values())
            table = Table(key, title, columns, rows, note)
            yield table.shown("terminal") if brief else table


def _column(heading: Heading, frame: Frame, name: str, key: Any, *cells: Any) -> Column:
    """A column; texts are aligned left, estimates have their intervals."""
    header, kind, absent = (heading, None, "") if isinstance(heading, str) else (*heading, "")[:3]
    first = next((row[name] for row in frame.rows if row[name] is not None), None)
    usual = ESTIMATE if isinstance(first, Estimate) else Kind(str, left=isinstance(first, str))
    return Column(header.format(*cells), lambda row: row.get(key), kind or usual, absent)


@dataclass(frozen=True, kw_only=True)
class FigureOf(Shown):
    """A figure of the rows of a frame."""

    fewest: int = 1
    """Rows without which there is no figure."""
    draw: Callable[[Frame, str, str, str], Iterable[charts.Figure]] | None = None
    """Rows, key, title and note → the figures, if they are of a kind of their own."""

    def figures(self, frames: Frames, cell: str = "") -> Iterator[charts.Figure]:
        """The figures, all or those of one cell, drawn if matplotlib is installed."""
        for key, frame, facts in self.instances(frames, cell):
            if len(frame) >= self.fewest:
                title, note = self.title.format(**facts), self.note.format(**facts)
                yield from self.drawn(frame, facts, key, title, note)

    def drawn(
        self, frame: Frame, facts: Mapping[str, Any], key: str, title: str, note: str
    ) -> Iterator[charts.Figure]:
        """The figures of some rows, if there is anything to be drawn."""
        del facts
        yield from self.draw(frame, key, title, note) if self.draw else ()


@dataclass(frozen=True, kw_only=True)
class Intervals(FigureOf):
    """A figure of rows with an estimate each, with its interval."""

    value: str
    """Column of the estimates."""
    axis: str
    """What the estimates are of."""
    label: str = "measure"
    """Column of the rows' labels."""
    marked: str = ""
    """Column of truth values: rows that are drawn full and labelled bold."""
    most: int = 70
    """Number of rows, besides those that are always shown, or of those of a group."""
    group: str = ""
    """Column whose cells divide the rows into groups."""
    groups: Sequence[Any] = ()
    """Cells of the groups that are drawn, if not all in order of first appearance."""
    joined: bool = False
    """Whether a line joins the values."""

    def drawn(
        self, frame: Frame, facts: Mapping[str, Any], key: str, title: str, note: str
    ) -> Iterator[charts.Figure]:
        """The figure; a note tells of rows that are left out, unless there are groups."""
        cells = self.groups or (frame.values(self.group) if self.group else [""])
        parts = [self.leading(frame.where(**{self.group: cell}), self.most) for cell in cells]
        if not self.group and (left := len(frame) - len(parts[0])):
            note = f"{note} {left} further rows are left out.".strip()
        rows = [
            [
                charts.IntervalRow(
                    short_name(row[self.label]), row[self.value], bool(row.get(self.marked))
                )
                for row in part.rows
            ]
            for part in parts
            if len(part)
        ]
        yield charts.draw_intervals(
            key, title, rows, self.axis.format(**facts), note, joined=self.joined
        )


@dataclass(frozen=True, kw_only=True)
class Pairs(FigureOf):
    """A figure of rows with two estimates each, with their intervals."""

    values: tuple[str, str]
    """Columns of the estimates; rows that lack one are left out."""
    names: tuple[str, str]
    """What the first and the second estimates are called."""
    axis: str
    """What both are of."""
    label: str = "measure"
    """Column of the rows' labels."""
    most: int | None = None
    """Number of rows, besides those that are always shown."""

    def drawn(
        self, frame: Frame, facts: Mapping[str, Any], key: str, title: str, note: str
    ) -> Iterator[charts.Figure]:
        """The figure, if a row has both estimates."""
        rows = [
            (row[self.label], row[self.values[0]], row[self.values[1]])
            for row in self.leading(frame, self.most).rows
            if not any(np.isnan(row[name].value) for name in self.values)
        ]
        if rows:
            yield charts.draw_pairs(key, title, rows, self.names, self.axis.format(**facts), note)


@dataclass(frozen=True, kw_only=True)
class Scatter(FigureOf):
    """A figure of points, a row each, by two columns of estimates or numbers."""

    x: str
    y: str
    axes: tuple[str, str]
    """What x and y are of."""
    label: str = "measure"
    """Column of the points' labels."""
    labelled: int = 0
    """Number of points with a label, the best by x or by y; 0 for all."""
    marked: str = ""
    """Column of truth values instead: points with a label."""
    family: str = ""
    """Column of what points are told apart by."""
    remark: str = ""
    """What stands above the axes."""
    alike: bool = False
    """Whether both axes are on one scale."""

    def drawn(
        self, frame: Frame, facts: Mapping[str, Any], key: str, title: str, note: str
    ) -> Iterator[charts.Figure]:
        """The figure, if a row has both values."""
        points = [
            charts.Point(
                short_name(row[self.label]),
                _number(row[self.x]),
                _number(row[self.y]),
                bool(row.get(self.marked)) or not (self.marked or self.labelled),
                row.get(self.family, ""),
            )
            for row in frame.rows
        ]
        points = [point for point in points if np.isfinite([point.x, point.y]).all()]
        if self.labelled:
            best = {
                point
                for order in (lambda point: -point.x, lambda point: -point.y)
                for point in sorted(points, key=order)[: self.labelled // 2]
            }
            points = [point._replace(marked=point in best) for point in points]
        if points:
            x, y, remark = (each.format(**facts) for each in (*self.axes, self.remark))
            yield charts.draw_scatter(key, title, points, (x, y), note, remark, alike=self.alike)


@dataclass(frozen=True, kw_only=True)
class Trends(FigureOf):
    """A figure of lines over a column of numbers."""

    x: str
    lines: Mapping[str, str]
    """Label → column of estimates, with a band if their resamples are known, or of numbers."""
    axes: tuple[str, str]
    """What x and y are of."""
    banded: int = 99
    """Number of lines with bands, those of the first cell or label."""
    line: str = ""
    """A column each cell of which has lines of its own, labelled by formats of their first rows."""
    guides: tuple[charts.GuideLine, ...] = ()
    """Straight lines; one that is vertical is drawn if there are larger x."""
    levels: Mapping[str, str] = field(default_factory=dict)
    """Label → column of estimates, the first of which is a straight line; labels are formats."""
    reference: str = ""
    """Label of the line that the others are compared with."""
    fewest: int = 2

    def drawn(
        self, frame: Frame, facts: Mapping[str, Any], key: str, title: str, note: str
    ) -> Iterator[charts.Figure]:
        """The figure; lines of which nothing is known are left out."""
        cells = frame.values(self.line) if self.line else [""]
        lines: list[charts.Series] = []
        for part in [frame.where(**{self.line: cell}) for cell in cells]:
            across = np.array([row[self.x] for row in part.rows], np.float64)
            for title_of, name in self.lines.items():
                label = title_of.format(**part.rows[0])
                y = np.array([_number(row[name]) for row in part.rows])
                band = None
                if isinstance(part[name], BootstrapSamples) and len(lines) < self.banded:
                    low, high = np.array([row[name][1:] for row in part.rows]).T
                    band = None if np.isnan([low, high])[:, ~np.isnan(y)].any() else (low, high)
                lines.append(charts.Series(label, across, y, band, label == self.reference))
        most = max(row[self.x] for row in frame.rows)
        guides = [each for each in self.guides if not each.vertical or each.at < most]
        first = frame.rows[0]
        guides += [
            charts.GuideLine(label.format(**first), first[name].value)
            for label, name in self.levels.items()
        ]
        axes = (self.axes[0].format(**facts), self.axes[1].format(**facts))
        yield charts.draw_trends(key, title, lines, axes, note, guides)


def _number(cell: Any) -> float:
    """The number of a cell; NaN of an empty one."""
    value = cell.value if isinstance(cell, Estimate) else cell
    return np.nan if value is None else float(value)


class Part:
    """A part of a document: figures and tables below a title.

    If the title names the ``{criterion}``, there is a section for each criterion of people.
    """

    def __init__(self, title: str, *shown: TableOf | FigureOf, paragraphs: Sequence[str] = ()):
        self.title, self.paragraphs = title, paragraphs
        self.figures = [each for each in shown if isinstance(each, FigureOf)]
        self.tables = [each for each in shown if isinstance(each, TableOf)]

    def sections(self, frames: Frames) -> Iterator[document.Section]:
        """The sections, with the figures first; those of which no table has rows are left out."""
        first = self.tables[0].frame or self.tables[0].key
        by_criterion = "{criterion}" in self.title
        for cell in frames[first].values("criterion") if by_criterion else [""]:
            every = chain.from_iterable(each.tables(frames, cell=cell) for each in self.tables)
            if shown := [table for table in every if table.records]:
                figures = chain.from_iterable(each.figures(frames, cell) for each in self.figures)
                yield document.Section(
                    self.title.format(criterion=cell), self.paragraphs, list(figures), shown
                )
