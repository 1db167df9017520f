"""What all studies have in common: what one offers, and the one way in which it is run.

A study is a package of four modules, and of a fifth where one would be too long:

``findings.py``
    All computation; figures and tables only read what it has found.
``claims.py``
    Conclusions of the papers, each with the rule that judges it on the findings.
``report.py``
    Tables by columns, figures by the ``draw_…`` functions here, and two envelopes:
    :meth:`Result.document` of sections, and :meth:`Result.data` of JSON fields.
``study.py``
    Options by ``weps_eval.studies.options``, and ``find``, which returns :meth:`Result.of` them::

        STUDY = Study(add_options, find, tables, document, data)
        add_arguments, run_command = STUDY.add_options, STUDY.run
"""

from __future__ import annotations

import argparse
import os
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from weps._files import make_folder
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import check_writable, write_json
from weps.errors import OutputError
from weps_eval.report.claims import (
    CLAIM_COLUMNS,
    JudgedClaim,
    brief_claims_table,
    claims_table,
    claims_with_figures,
)
from weps_eval.report.document import Document, Figure, Section, write_report, write_table
from weps_eval.report.figures.canvas import Picture, has_matplotlib
from weps_eval.report.figures.intervals import (
    IntervalPair,
    IntervalRow,
    plot_intervals,
    plot_paired_intervals,
)
from weps_eval.report.figures.lines import GuideLine, Series, plot_trends
from weps_eval.report.figures.points import Point, plot_scatter
from weps_eval.report.tables import Kind, Table, as_json, row_records
from weps_eval.stats.arrays import Floats
from weps_eval.stats.estimate import BootstrapSamples


def interval_note(sample: str) -> str:
    """What a note says of the intervals in a table: what is resampled."""
    return f"In brackets: 95 % interval, bootstrapped over {sample}."


TOPIC_INTERVALS = interval_note("topics")
SYSTEM_INTERVALS = interval_note("topics and systems together")
"""Where systems are compared."""
SYSTEMS_TOO = "topics (figures by systems: topics and systems together)"
"""What is resampled in a study of both."""


def by_measure(names: Sequence[str], samples: BootstrapSamples) -> dict[str, Any]:
    """Measure → its figure with the interval, as JSON knows it."""
    return dict(zip(names, map(as_json, samples.estimates), strict=True))


Findings = TypeVar("Findings")

_SUBSTITUTE = (
    "The papers studied other data, which are not available. The data named here are used "
    "instead, and the papers' own tables are not reproduced."
)
_READ, _WRITTEN = ("source", "official"), ("json", "keep", "out")
_CALLED = {
    "source": "the source",
    "official": "the table of --official",
    "json": "the file of --json",
    "keep": "the file of --keep",
}


@dataclass(frozen=True)
class Result(Generic[Findings]):
    """What a study has found, and what a reader must know of how."""

    title: str
    """Name of the data."""
    findings: Findings
    judged: Sequence[JudgedClaim]
    remarks: Sequence[str]
    """What the reader must know of how it was made."""
    signature: str
    """All that decides the figures, see :meth:`of`."""
    made: str
    """The command line."""
    sample: str = "topics"
    """What is resampled for intervals."""

    @classmethod
    def of(  # noqa: PLR0913 - what a study has found, and how
        cls,
        options: argparse.Namespace,
        findings: Findings,
        judged: Sequence[JudgedClaim],
        remarks: Sequence[str],
        *,
        title: str,
        digest: str,
        sample: str = "topics",
        language: str | None = None,
        **decisive: object,
    ) -> Result[Findings]:
        """The result of a command line.

        ``digest`` is of the data, ``language`` of the pipeline, ``decisive`` what else decides the
        figures, besides seed and version; what is None is left out of the signature.
        """
        html = getattr(options, "html", None)  # of studies that read pages
        parts = {**decisive, "seed": options.seed, "language": language, "html": html}
        known = (f"{name}:{value}" for name, value in parts.items() if value is not None)
        signature = "|".join([digest, *known, f"weps:{VERSION}"])
        return cls(title, findings, judged, remarks, signature, options.line, sample)

    def claims_table(self) -> Table:
        """Claims with verdicts, figures and rules, one row each."""
        note = (
            f"In brackets: 95 % interval, bootstrapped over {self.sample} unless stated otherwise. "
            "Undecided: the interval allows both."
        )
        return claims_table(self.judged, "conclusions", "The papers' conclusions", note)

    def document(
        self,
        title: str,
        opening: Sequence[str],
        sections: Iterable[Section | None],
        *,
        other_data: bool = True,
    ) -> Document:
        """A document: opening, remarks, verdicts, then the sections that are not None.

        It says that the data stand in for those of the papers, unless ``other_data`` is False.
        """
        substitute = [_SUBSTITUTE] if other_data else []
        verdicts = [Section("What holds here", tables=(self.claims_table(),))]
        return Document(
            f"{title} on {self.title}",
            [*opening, *substitute, *self.remarks],
            [*(verdicts if self.judged else []), *(each for each in sections if each)],
            self.signature,
            self.made,
        )

    def data(self, **figures: Any) -> dict[str, Any]:
        """How it was made, the figures, and the verdicts, as JSON knows them."""
        return {
            "signature": self.signature,
            "made": self.made,
            "source": self.title,
            "resampled": self.sample,
            "remarks": list(self.remarks),
            **figures,
            "conclusions": row_records(CLAIM_COLUMNS, self.judged),
        }


def show_tables(result: Result[Any], tables: Iterable[Table], console: Console) -> None:
    """Print remarks, tables that have rows, verdicts and signature."""
    for remark in result.remarks:
        console.write(textwrap.fill(remark, console.width))
    for table in (*tables, brief_claims_table(result.judged)):
        if table.records and not console.quiet:
            console.write()
            write_table(table, console)
    console.write_detail()
    console.write(result.signature)


def show_plainly(result: Result[Any], tables: Iterable[Table], console: Console) -> None:
    """Print remarks, all tables, verdicts with their figures, and the signature."""
    verdicts = claims_with_figures(result.judged)
    console.write("\n".join(result.remarks))
    for table in (*tables, *([verdicts] if result.judged else [])):
        console.write()
        write_table(table, console)
    console.write(result.signature)


@dataclass(frozen=True)
class Study(Generic[Findings]):
    """One study, for the runner."""

    add_options: Callable[[argparse.ArgumentParser], None]
    find: Callable[[argparse.Namespace, Console], Result[Findings]]
    """Read what the options name, compute, and judge the claims."""
    tables: Callable[[Findings], Iterable[Table]]
    """What the terminal shows."""
    document: Callable[[Result[Findings]], Document]
    """All tables and figures, for the report."""
    data: Callable[[Result[Findings]], dict[str, Any]] = Result.data
    """All figures, for JSON."""
    show: Callable[[Result[Any], Iterable[Table], Console], None] = show_tables
    """How result and tables are printed."""
    written: str = "report"
    """What the document is called on the terminal."""

    def run(self, options: argparse.Namespace, console: Console) -> int:
        """Find, print, and write what is asked for; the exit status.

        Raises:
            WepsError: if the source cannot be read or studied, or a result cannot be written.
        """
        check_outputs(options)
        result = self.find(options, console)
        self.show(result, self.tables(result.findings), console)
        if getattr(options, "json", None):
            write_json(options.json, self.data(result))
        if options.report:
            write_report(self.document(result), options.report, console, self.written)
        return 0


def check_outputs(options: argparse.Namespace) -> None:
    """See before long work that results can be written, each into a file of its own.

    Raises:
        OutputError: if not.
    """
    for name in _WRITTEN:
        check_writable(getattr(options, name, None))
    taken: dict[str, str] = {}
    for name in (*_READ, *_WRITTEN):
        path: Path | None = getattr(options, name, None)
        if path is None:
            continue
        before = taken.setdefault(os.path.realpath(path), name)
        if before != name and name in _WRITTEN:
            what = f"this is {_CALLED[before]} already"
            raise OutputError(what, where=path, remedy=f"choose another file with --{name}")
    if options.report:
        make_folder(options.report)


def draw_figure(key: str, title: str, draw: Callable[[], Picture | None], note: str = "") -> Figure:
    """A figure with a note; without a picture if there is no matplotlib, or nothing to be drawn."""
    return Figure(key, title, draw() if has_matplotlib() else None, note)


def draw_scatter(  # noqa: PLR0913, PLR0917 - what a figure says
    key: str,
    title: str,
    points: Sequence[Point],
    axes: tuple[str, str],
    note: str = "",
    correlation: str = "",
    *,
    alike: bool = False,
) -> Figure:
    """A figure of points by the two axes; without any there is no picture.

    The correlation is shown as it is printed; ``alike``: both axes are on one scale.
    """
    x, y = axes
    draw = partial(plot_scatter, points, title, x=x, y=y, correlation=correlation, alike=alike)
    return draw_figure(key, title, lambda: draw() if points else None, note)


def draw_intervals(
    key: str, title: str, groups: Sequence[Sequence[IntervalRow]], axis: str, note: str = ""
) -> Figure:
    """A figure of groups of rows of estimates; without any there is no picture."""
    draw = partial(plot_intervals, groups, title, axis)
    return draw_figure(key, title, lambda: draw() if groups else None, note)


def draw_pairs(  # noqa: PLR0913, PLR0917 - what a figure says
    key: str,
    title: str,
    rows: Sequence[IntervalPair],
    names: tuple[str, str],
    axis: str,
    note: str = "",
) -> Figure:
    """A figure of two estimates a row, called by their names; without rows there is no picture."""
    draw = partial(plot_paired_intervals, rows, title, names, axis)
    return draw_figure(key, title, lambda: draw() if rows else None, note)


def draw_trends(  # noqa: PLR0913, PLR0917 - what a figure says
    key: str,
    title: str,
    lines: Sequence[Series],
    axes: tuple[str, str],
    note: str = "",
    guides: Sequence[GuideLine] = (),
) -> Figure:
    """A figure of the lines that have points, and of guides; without lines there is no picture.

    Points whose y is unknown are left out.
    """
    (x, y), known = axes, [_known_points(line) for line in lines]
    shown = [line for line in known if len(line.x)]
    draw = partial(plot_trends, shown, title, x=x, y=y, guides=guides)
    return draw_figure(key, title, lambda: draw() if shown else None, note)


def _known_points(line: Series) -> Series:
    known = ~np.isnan(line.y)
    low_and_high = line.band and (line.band[0][known], line.band[1][known])
    return replace(line, x=line.x[known], y=line.y[known], band=low_and_high)


def interval_band(samples: Floats) -> tuple[Floats, Floats] | None:
    """Ends of 95 % intervals of samples, shape (points, resamples); None if one is unknown."""
    if np.isnan(samples).any():
        return None
    low, high = np.percentile(samples, [2.5, 97.5], axis=1)
    return low, high


def or_blank(kind: Kind) -> Kind:
    """Kind of cell that is empty for an empty text."""
    return Kind(lambda value: "" if value == "" else kind.cell(value))


def section_of(title: str, tables: Iterable[Table], figures: Iterable[Figure]) -> Section | None:
    """A section of figures and of the tables that have rows; None if no table has any."""
    filled = tuple(each for each in tables if each.records)
    return Section(title, figures=tuple(figures), tables=filled) if filled else None


def first_and(order: Sequence[int], most: int, always: Sequence[int] = ()) -> list[int]:
    """The first few of an order, and after them those that must not be missing."""
    first = list(order[:most])
    return first + [each for each in order if each in always and each not in first]
