"""What a study is, and the one way in which it is run: from Python, or as a command.

A study is a module of ``weps_eval.studies`` with its settings, a function that finds frames, its
claims, and what is shown of the frames::

    STUDY = Study(
        title="ORANGE",
        settings=OrangeSettings,
        source=cli_argument("a testbed …"),
        read=read_source,  # source, settings → data
        find=find_frames,  # data, settings → frames
        claims=CLAIMS,
        shown=PARTS,
        data=json_fields,  # frames → the fields of the JSON file
        opening=("Lin and Och, ORANGE …",),
    )
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, field, fields, make_dataclass, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from weps._formatting import count_of, short_repr, suggest_names
from weps._options import cli_option, read_values
from weps._parallel import Progress, checked_progress, log_progress
from weps._version import VERSION
from weps.cli.console import Console, TimedProgress
from weps.cli.options import check_outputs, write_json
from weps.errors import ValuesError, WepsError
from weps_eval.report import tables
from weps_eval.report.document import FILES_MEANING, Document, Section, write_report, write_table
from weps_eval.studies import NAMES
from weps_eval.studies.frames import Frame, Frames, Part
from weps_eval.text.testbed import MeasureMatrix, write_matrix

_SUBSTITUTE = (
    "The papers studied other data, which are not available. The data named here are used "
    "instead, and the papers' own tables are not reproduced."
)


@dataclass(frozen=True, kw_only=True)
class StudySettings:
    """What every study can be told besides its source."""

    seed: int = cli_option("seed of all resampling", 0, least=0)
    progress: Progress = field(default=log_progress, repr=False, compare=False)
    """Called with what is done, how much of it, and how much there is."""


@dataclass(frozen=True, repr=False)
class StudyResult:
    """What a study has found, and the verdicts on its claims.

    Example:
        >>> weps_eval.study("qarla", "resources/testbed/news.jsonl", measures="rouge1, rouge_l")
        <StudyResult 'QARLA on Invented news': ...>
    """

    study: Study
    title: str
    """Name of the data."""
    frames: Frames
    judged: Sequence[tables.JudgedClaim]
    signature: str
    """Digest, settings and version: all that decides the figures."""
    made: str = ""
    """Command line that made it."""

    def __repr__(self) -> str:
        about = f"{self.study.title} on {self.title}"
        rows = (f"{name} ({len(frame)})" for name, frame in self.frames.items() if len(frame))
        return short_repr(self, about, count_of(len(self.judged), "claim"), *rows)

    @property
    def claims(self) -> Frame:
        """The claims with their verdicts, sizes of samples, and figures."""
        return Frame.of_rows(tables.claim_records(self.judged))

    def tables(self, *, brief: bool = False) -> list[tables.Table]:
        """The tables of the report or, briefly, of the terminal."""
        return [
            table
            for part in self.study.shown
            for each in part.tables
            for table in each.tables(self.frames, brief=brief)
        ]

    def document(self) -> Document:
        """A document of all figures and tables."""
        claims = tables.Table(
            "conclusions",
            "The papers' conclusions",
            tables.CLAIM_COLUMNS,
            self.judged,
            f"In brackets: 95 % interval, bootstrapped over {self.frames.resampled} unless stated "
            f"otherwise. Undecided: the interval allows both. {tables.SIZES}",
        )
        return Document(
            f"{self.study.title} on {self.title}",
            [
                *self.study.opening,
                *([_SUBSTITUTE] if self.study.other_data else []),
                *self.frames.remarks,
            ],
            [
                *([Section("What holds here", tables=(claims,))] if self.judged else []),
                *(each for part in self.study.shown for each in part.sections(self.frames)),
            ],
            self.signature,
            self.made,
        )

    def data(self) -> dict[str, Any]:
        """How it was made, all figures, and the verdicts, in JSON form."""
        return {
            "signature": self.signature,
            "made": self.made,
            "source": self.title,
            "resampled": self.frames.resampled,
            "remarks": list(self.frames.remarks),
            **self.study.data(self.frames),
            "conclusions": tables.claim_records(self.judged),
        }

    def show(self, console: Console) -> None:
        """Print remarks, tables that have rows, verdicts and signature."""
        for remark in self.frames.remarks:
            console.write(textwrap.fill(remark, console.width))
        verdicts = tables.brief_claims_table(self.judged)
        if self.study.wide:
            verdicts = replace(verdicts, columns=tables.CLAIM_COLUMNS[:4], records=self.judged)
        for table in (*self.tables(brief=True), verdicts):
            if table.records and not console.quiet:
                console.write()
                write_table(table, console)
        console.write_detail()
        console.write(self.signature)


@dataclass(frozen=True, kw_only=True)
class Study:
    """A study: what it reads and finds, the claims it judges, and what is shown of it."""

    title: str
    settings: type[StudySettings]
    """A frozen dataclass, whose fields are the options."""
    source: Any
    """The declaration of the source as an argument, by ``cli_argument``."""
    read: Callable[[Any, Any], Any]
    """Source and settings → data, which have a ``title`` and a ``digest``."""
    data_type: type | None = None
    """Class of the data, if they may be given as they are in place of a source."""
    find: Callable[[Any, Any], Frames]
    """Data and settings → frames."""
    claims: Sequence[tables.Claim[Frames]]
    shown: Sequence[Part]
    """Parts of the document; the terminal has their tables, too."""
    data: Callable[[Frames], dict[str, Any]]
    """Frames → fields of the JSON file."""
    opening: Sequence[str] = ()
    """First paragraphs of the document: what is studied."""
    other_data: bool = True
    """Whether the data stand in for those of the papers."""
    several: bool = False
    """Whether the source may be several of them, in which measures are compared."""
    wide: bool = False
    """Whether the terminal tells the figures of verdicts."""

    def result(self, source: Any, settings: StudySettings) -> StudyResult:
        """Read, find, and judge.

        Raises:
            WepsError: if the source cannot be read or studied.
        """
        is_read = self.data_type is not None and isinstance(source, self.data_type)
        data = source if is_read else self.read(source, settings)
        frames = self.find(data, settings)
        parts = {**frames.signature}
        parts.setdefault("seed", settings.seed)
        known = (f"{name}:{value}" for name, value in parts.items() if value is not None)
        signature = "|".join([data.digest, *known, f"weps:{VERSION}"])
        return StudyResult(self, data.title, frames, self.judge(frames), signature)

    def judge(self, frames: Frames) -> list[tables.JudgedClaim]:
        """Every claim with its verdict, by each criterion of people if there are several."""
        return tables.worst_by_criterion(
            {
                name: tables.judge_claims(self.claims, frames.of(name) if name else frames, size)
                for name, size in frames.sizes.items()
            }
        )

    @cached_property
    def options(self) -> type:
        """The options of the command: source, settings, and what is written.

        Settings may declare ``report`` or ``json`` otherwise.
        """
        what = "also write a document with all tables and figures"
        added: dict[str, Any] = {
            "source": (
                tuple[Path, ...]
                if self.several
                else Path
                if self.source.default is MISSING
                else Path | None,
                self.source,
            ),
            "report": (Path | None, cli_option(what, metavar="DIR")),
            "files": (bool, cli_option(FILES_MEANING, False)),
            "json": (Path | None, cli_option("also write the result as JSON (docs/output.md)")),
            "line": (str, ""),
        }
        for each in fields(self.settings):
            added.pop(each.name, None)
        declared = [(name, *field_of) for name, field_of in added.items()]
        return make_dataclass(
            "Options", declared, bases=(self.settings,), frozen=True, kw_only=True
        )

    def run(self, options: Any, console: Console) -> None:
        """Find, print, and write what is asked for.

        Raises:
            WepsError: if the source cannot be read or studied, or a result cannot be written.
        """
        check_outputs(options)
        result = self.result(options.source, replace(options, progress=TimedProgress(console)))
        result = replace(result, made=options.line)
        result.show(console)
        write_json(options.json, result.data())
        if options.report:
            write_report(result.document(), options.report, console, files=options.files)


def study(name: str, source: Any, **settings: Any) -> StudyResult:
    """A study of the papers, by name, on data: what was found, and which claims hold.

    ``study("orange", testbed).frames["measures"].to_pandas()`` is a table of ORANGE by measure.

    Args:
        name: the name of the command, such as ``orange`` of ``weps meta orange``.
        source: a path, what is read from one, such as a testbed or a matrix, or a data frame with
            the columns of the file; a tuple of several for ``correlation`` and ``improvements``.
        settings: the options of the command, ``--human`` as ``human``.

    Raises:
        ValuesError: if there is no such study, or the data are faulty.
        InputTypeError: if the study has no such setting.
        WepsError: if the source cannot be read.

    Example:
        >>> found = study("qarla", "resources/testbed/news.jsonl", measures="rouge1, rouge_l")
        >>> sorted(found.frames["measures"].rows[0])[:2]
        ['early', 'king']
    """
    if str(name) not in NAMES:
        raise ValuesError(f"there is no study {name!r}", remedy=suggest_names(str(name), NAMES))
    chosen: Study = import_module(f"weps_eval.studies.{name.replace('-', '_')}").STUDY
    known = [each.name for each in fields(chosen.settings)]
    settings["progress"] = checked_progress(settings.get("progress"))
    if isinstance(source, list | tuple) and not source:
        raise ValuesError("nothing to study", remedy="give a path, or what is read from one")
    options = re.compile(rf"(?<!\S)--({'|'.join(known).replace('_', '-')})\b")

    try:
        given = read_values(chosen.settings, settings)
        with TemporaryDirectory(prefix="weps-") as folder:
            several = chosen.several and isinstance(source, list | tuple)
            made = (
                _study_source(each, Path(folder, f"table {number}.csv"))
                for number, each in enumerate(source if several else [source], start=1)
            )
            return chosen.result(tuple(made) if several else next(made), given)
    except WepsError as error:  # it names options as the command line does
        what, where, remedy = (
            options.sub(lambda found: f"{found[1].replace('-', '_')}=", str(each or ""))
            for each in (error.what, error.where, error.remedy)
        )
        raise type(error)(what, where=where or None, remedy=remedy) from error


def _study_source(given: Any, table: Path) -> Any:
    """What a study reads: the path of a string, and of a matrix or data frame, once written."""
    if isinstance(given, MeasureMatrix):
        write_matrix(given, table)
    elif hasattr(given, "to_csv"):  # pandas, which is not imported for it
        given.to_csv(table, index=False)
    else:
        return Path(given) if isinstance(given, str) else given
    return table
