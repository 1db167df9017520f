"""Declarations of what is shown of frames: tables and figures, in the parts of a document.

Titles and notes are formats of the facts of the frames, such as ``"Ranked {listing}."``. Where a
table or a figure is repeated for each cell of a column, that cell is a fact, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np

from weps_eval.report import charts
from weps_eval.report.charts import Figure, GuideLine, IntervalRow, Point, Series
from weps_eval.report.document import Section
from weps_eval.report.tables import ESTIMATE, Column, Kind, Table
from weps_eval.stats import BootstrapSamples, Estimate, Floats
from weps_eval.studies.frames import Frame, Frames, Row

Place: TypeAlias = Literal["", "report", "terminal"]
Heading: TypeAlias = str | tuple[str, Kind] | tuple[str, Kind, Place]
"""The heading of a column; how its cells are printed, if not by what they are; where it is shown,
if not everywhere."""

_MOST_DRAWN = 70
"""Rows of a figure."""


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


def interval_band(curve: BootstrapSamples) -> tuple[Floats, Floats] | None:
    """Ends of the 95 % intervals of a curve, shape (points,) each; None if one is unknown."""
    low, high = np.percentile(curve.samples, [2.5, 97.5], axis=1)
    unknown = np.isnan([low, high])[:, ~np.isnan(curve.value)].any()
    return None if unknown else (low, high)


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What tables and figures have in common."""

    key: str
    """Name of the files, unique in the document: letters and digits, hyphens between them."""
    frame: str
    """Name of the frame whose rows are shown."""
    title: str
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
        """Key, rows and facts of each table or figure, or of that of one cell."""
        whole, facts = frames[self.frame], dict(frames.facts)
        if self.order and len(whole):
            values = np.array([_number(row[self.order]) for row in whole.rows])
            order = np.argsort(-values, kind="stable")
            whole = whole.take(order[~np.isnan(values[order])].tolist())
        if not self.by:
            if not self.given or facts[self.given]:
                yield self.key, whole, {**facts, "rows": len(whole)}
            return
        cells = frames[self.frame].values(self.by) if len(frames[self.frame]) else []
        for number, each in enumerate(cells, start=1):
            frame, key = whole.where(**{self.by: each}), f"{self.key}-{number}"
            own = {**facts, self.by: each, "rows": len(frame)}
            if self.facts_in:
                own |= frames[self.facts_in].where(**{self.by: each}).rows[0]
            if cell in {"", each} and (not self.given or own[self.given]):
                yield self.key.format(number) if "{}" in self.key else key, frame, own

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
    only: Place = ""
    """Where it is shown, if not everywhere."""
    most: int | None = None
    """Number of rows on the terminal, besides those that are always shown."""
    first: Mapping[str, Any] = field(default_factory=dict)
    """Column → cell of the rows on the terminal, if not all."""
    brief_given: str = ""
    """A fact without which the table is shown in the report only."""

    def tables(self, frames: Frames, *, brief: bool = False, cell: str = "") -> Iterator[Table]:
        """The tables of the report or, briefly, of the terminal; all or those of one cell."""
        if self.only == ("report" if brief else "terminal"):
            return
        if brief and self.brief_given and not frames.facts[self.brief_given]:
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
                for value in frame.values(self.across) if len(frame) else ():
                    columns += [
                        _column(heading, frame, name, (name, value), value)
                        for name, heading in self.spread.items()
                        if name in frame.columns and value is not None
                    ]
                first, *_ = self.columns
                merged: dict[Any, Row] = {}
                for row in rows:
                    whole_row = merged.setdefault(row[first], dict(row))
                    whole_row |= {(name, row[self.across]): row.get(name) for name in self.spread}
                rows = list(merged.values())
            table = Table(key, title, columns, rows, note)
            yield table.brief() if brief else table


def _column(heading: Heading, frame: Frame, name: str, key: Any, *cells: Any) -> Column:
    """A column; texts are aligned left, estimates have their intervals."""
    header, kind, only = (heading, None, "") if isinstance(heading, str) else (*heading, "")[:3]
    known = (row[name] for row in frame.rows if row[name] is not None)
    first = next(known, None)
    usual = ESTIMATE if isinstance(first, Estimate) else Kind(str, left=isinstance(first, str))
    return Column(header.format(*cells), lambda row: row.get(key), kind or usual, only=only)


@dataclass(frozen=True, kw_only=True)
class FigureOf(Shown):
    """A figure of the rows of a frame."""

    fewest: int = 1
    """Rows without which there is no figure."""

    def figures(self, frames: Frames, cell: str = "") -> Iterator[Figure]:
        """The figures, all or those of one cell, drawn if matplotlib is installed."""
        for key, frame, facts in self.instances(frames, cell):
            if len(frame) >= self.fewest:
                texts = (each.format(**facts) for each in (self.title, self.note))
                yield from self.drawn(frame, facts, key, *texts)

    def drawn(
        self, frame: Frame, facts: Mapping[str, Any], key: str, title: str, note: str
    ) -> Iterator[Figure]:
        """The figure of some rows, if there is anything to be drawn."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Intervals(FigureOf):
    """A figure of rows with an estimate each, with its interval."""

    label: str
    """Column of the rows' labels."""
    value: str
    """Column of the estimates."""
    axis: str
    """What the estimates are of."""
    marked: str = ""
    """Column of truth values: rows that are drawn full and labelled bold."""
    most: int = _MOST_DRAWN
    """Number of rows, besides those that are always shown."""

    def drawn(
        self, frame: Frame, facts: Mapping[str, Any], key: str, title: str, note: str
    ) -> Iterator[Figure]:
        """The figure."""
        shown = self.leading(frame, self.most)
        rows = [
            IntervalRow(short_name(row[self.label]), row[self.value], bool(row.get(self.marked)))
            for row in shown.rows
        ]
        if left := len(frame) - len(shown):
            note = f"{note} {left} further rows are left out.".strip()
        yield charts.draw_intervals(key, title, [rows], self.axis.format(**facts), note)


@dataclass(frozen=True, kw_only=True)
class Scatter(FigureOf):
    """A figure of points, a row each, by two columns of estimates or numbers."""

    label: str
    """Column of the points' labels."""
    x: str
    y: str
    axes: tuple[str, str]
    """What x and y are of."""
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
    ) -> Iterator[Figure]:
        """The figure, if a row has both values."""
        points = [
            Point(
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
            axes = (self.axes[0].format(**facts), self.axes[1].format(**facts))
            remark = self.remark.format(**facts)
            yield charts.draw_scatter(key, title, points, axes, note, remark, alike=self.alike)


@dataclass(frozen=True, kw_only=True)
class Trends(FigureOf):
    """A figure of lines over a column of numbers."""

    x: str
    lines: Mapping[str, str]
    """Label → column of estimates, with a band if their resamples are known, or of numbers."""
    axes: tuple[str, str]
    """What x and y are of."""
    guides: tuple[GuideLine, ...] = ()
    reference: str = ""
    """Label of the line that the others are compared with."""
    fewest: int = 2

    def drawn(
        self, frame: Frame, facts: Mapping[str, Any], key: str, title: str, note: str
    ) -> Iterator[Figure]:
        """The figure; lines of which nothing is known are left out."""
        across = np.array([row[self.x] for row in frame.rows], np.float64)
        lines = []
        for label, name in self.lines.items():
            y = np.array([_number(row[name]) for row in frame.rows])
            is_resampled = isinstance(frame[name], BootstrapSamples)
            band = interval_band(frame[name]) if is_resampled else None
            lines.append(Series(label, across, y, band, reference=label == self.reference))
        axes = (self.axes[0].format(**facts), self.axes[1].format(**facts))
        yield charts.draw_trends(key, title, lines, axes, note, self.guides)


@dataclass(frozen=True, kw_only=True)
class Drawn(FigureOf):
    """A figure of a kind of its own."""

    draw: Callable[[Frame, str, str, str], Iterable[Figure]]
    """Rows, key, title and note → the figures."""

    def drawn(
        self, frame: Frame, facts: Mapping[str, Any], key: str, title: str, note: str
    ) -> Iterator[Figure]:
        """The figure."""
        del facts
        yield from self.draw(frame, key, title, note)


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

    def sections(self, frames: Frames) -> Iterator[Section]:
        """The sections, with the figures first; those of which no table has rows are left out."""
        cells = [""]
        if "{criterion}" in self.title:
            frame = frames[self.tables[0].frame]
            cells = frame.values("criterion") if len(frame) else []
        for cell in cells:
            every = (each.tables(frames, cell=cell) for each in self.tables)
            tables = [table for some in every for table in some if table.records]
            if tables:
                drawn = (each.figures(frames, cell) for each in self.figures)
                figures = [figure for some in drawn for figure in some]
                title = self.title.format(criterion=cell)
                yield Section(title, self.paragraphs, figures, tables)
