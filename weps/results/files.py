"""The files of a result, replaced completely or not at all; tables of the pages of names.

A new kind of file is a function from a report to text and one line in :data:`WRITERS`.

A list of people is ``people.parquet`` where pyarrow is installed, else ``people.jsonl``; a row for
each page, by name, person and rank. Rows are written as they come, so that there may be any number
of them.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from weps._files import atomic_file, atomic_write, make_folder, open_file
from weps._formatting import spreadsheet_cell
from weps.errors import OutputError
from weps.people.answer import Answer, PageScore, SetAsidePage
from weps.records import portable_path
from weps.report.html import as_html
from weps.report.view import Query, Report
from weps.results.format import as_json
from weps.sources.corpora import clustering_xml

AnyPage = TypeVar("AnyPage", PageScore, SetAsidePage)

PAGE_COLUMNS = {
    "name": "string",
    "person": "int32",
    "label": "string",
    "confidence": "float64",
    "rank": "int32",
    "score": "float64",
    "unsure": "bool_",
    "nearest": "int32",
    "url": "string",
    "title": "string",
    "query": "string",
    "one_person": "float64",
    "expected_people": "float64",
    "file": "string",
    "fetched": "string",
}
"""The table of an answer's pages: column → type, as Arrow calls it."""
Cell = str | float | None
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def answer_rows(answer: Answer) -> Iterator[tuple[Cell, ...]]:
    """One row per page with the cells of :data:`PAGE_COLUMNS`, None where nothing is known.

    Person by person, pages in order of rank; pages that are set aside come last: they have no
    person, and the reason as label.
    """
    for person in answer.people:
        about = (answer.name, person.id, person.label, person.confidence)
        query, description = Query.of(answer.name, person), person.description
        whole = (query.text if query else "", description.one_person, description.expected_people)
        for page in person.pages:
            sure = (page.rank, page.score, page.unsure, page.nearest)
            yield (*about, *sure, page.url, page.title, *whole, page.file, page.fetched)
    for aside in answer.set_aside:
        nobody = (answer.name, None, f"set aside: {aside.reason}", None)
        found = (aside.rank, None, None, None, aside.url, aside.title, "", None, None)
        yield (*nobody, *found, aside.file, aside.fetched)


def as_csv(report: Report) -> str:
    """The table of :func:`answer_rows`; True and False are 1 and 0."""
    rows = (
        ["" if cell is None else int(cell) if isinstance(cell, bool) else cell for cell in row]
        for row in answer_rows(report.answer)
    )
    return csv_table(tuple(PAGE_COLUMNS), rows)


def csv_table(columns: Sequence[str], rows: Iterable[Sequence[str | float]]) -> str:
    """A table by RFC 4180 with LF: each text on one line, and none that a spreadsheet computes."""
    return csv_rows([columns, *rows])


def csv_rows(rows: Iterable[Sequence[str | float]]) -> str:
    """Rows of such a table."""
    text = io.StringIO(newline="")
    # Quotes round all text keep programs that also split at semicolons from splitting inside it.
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    for row in rows:
        writer.writerow([_cell(each) if isinstance(each, str) else each for each in row])
    return text.getvalue()


def _cell(text: str) -> str:
    """The text on one line, as :func:`weps._formatting.spreadsheet_cell` has it."""
    return spreadsheet_cell(_CONTROL.sub(" ", text).strip())


def as_xml(report: Report) -> str:
    """The official WePS format: one ``<entity>`` per person, labels as names, ranks ascending.

    Pages that are set aside are ``<discarded>``.
    """
    return clustering_xml(report.answer.clustering, report.answer.name)


Writer = Callable[[Report], str]

WRITERS: dict[str, Writer] = {
    ".csv": as_csv,
    ".clust.xml": as_xml,
    ".html": as_html,
    ".json": as_json,
}
"""Writers by suffix. The JSON comes last: where it stands, the name is finished."""


def write_report(
    report: Report,
    identifier: str,
    folder: Path,
    others: Mapping[Path, bytes] | None = None,
    suffixes: Collection[str] = tuple(WRITERS),
) -> tuple[Path, ...]:
    """Write ``IDENTIFIER.csv``, ``.clust.xml``, ``.html`` and ``.json`` into a folder.

    Paths of pages are relative to the folder, see :func:`~weps.records.portable_path`. The
    same arguments give the same bytes. All files are written under temporary names and renamed
    once all of them are complete, so that a name is never partly written, even if the run is
    killed.

    Args:
        report: the answer, and what else a reader should know.
        identifier: the name as a file name, e.g. ``Thomas_Baker``.
        folder: where to; made if it is missing.
        others: further files and their contents, written with them or not at all.
        suffixes: of the files to write; others that an earlier run wrote are removed, because
            they would be out of date.

    Returns:
        The files, in the order of :data:`WRITERS`.

    Raises:
        OutputError: if the folder or a file cannot be written, or the identifier is not a file
            name.
    """
    if (
        identifier in {"", ".", ".."}
        or not identifier.isprintable()
        or set(identifier) & set("/\\")
    ):
        raise OutputError(
            f"{identifier!r} is not a file name", where=folder, remedy="rename the name"
        )
    report = with_portable_paths(report, folder)
    # A lone surrogate has no bytes in UTF-8; a question mark stands for it.
    contents = {
        folder / f"{identifier}{suffix}": as_text(report).encode("utf-8", errors="replace")
        for suffix, as_text in WRITERS.items()
        if suffix in suffixes
    }
    make_folder(folder, private=True)
    for suffix in set(WRITERS).difference(suffixes):
        (folder / f"{identifier}{suffix}").unlink(missing_ok=True)
    atomic_write({**contents, **(others or {})}, private=True)
    return tuple(contents)


def with_portable_paths(report: Report, folder: Path) -> Report:
    """The report with absolute paths of pages as a result in the folder writes them."""

    def portable(path: str) -> str:
        return portable_path(folder, Path(path)) if Path(path).is_absolute() else path

    def moved(page: AnyPage) -> AnyPage:
        return replace(page, file=portable(page.file))

    answer, provenance = report.answer, report.provenance
    people = (replace(person, pages=tuple(map(moved, person.pages))) for person in answer.people)
    aside = tuple(map(moved, answer.set_aside))
    collections = (replace(each, path=portable(each.path)) for each in provenance.collections)
    return replace(
        report,
        answer=replace(answer, people=tuple(people), set_aside=aside),
        provenance=replace(provenance, collections=tuple(collections)),
    )


_DATA_FRAMES = {
    "pandas": {"string": "str", "int32": "Int32", "float64": "float64", "bool_": "boolean"},
    "polars": {"string": "String", "int32": "Int32", "float64": "Float64", "bool_": "Boolean"},
}
"""Library → type of a column, see :data:`PAGE_COLUMNS` → its name there."""
PARQUET, LINES = "people.parquet", "people.jsonl"
_COLUMNS = {
    "name": "string",
    "person": "int32",
    "rank": "int32",
    "address": "string",
    "score": "float64",
    "label": "string",
}
_ROWS_IN_MEMORY = 50_000
_MARK = b"weps people"
_METADATA = {"made_by": _MARK}
_TAIL = 1 << 16
_LINE_HEAD = b'{"name":'

AddRow = Callable[[Sequence[Cell]], None]
"""Adds the page of a person to a list: name searched for, person, rank, address, score, label."""


def as_table(answer: Answer, library: str) -> Any:
    """The pages of an answer as a table of a library, a row per page.

    Args:
        answer: the answer.
        library: ``pyarrow``, for a ``Table``; ``pandas`` or ``polars``, for a ``DataFrame``.

    Raises:
        OutputError: if the library is not installed.
    """
    if find_spec(library) is None:
        package = "weps[tables]" if library == "pyarrow" else library
        raise OutputError(f"{library} is not installed", remedy=f"pip install '{package}'")
    if library == "pyarrow":
        return _arrow_table(PAGE_COLUMNS, answer_rows(answer))
    frames: Any = import_module(library)
    cells: Sequence[Any] = [*zip(*answer_rows(answer), strict=True)] or [()] * len(PAGE_COLUMNS)
    columns = dict(zip(PAGE_COLUMNS, map(list, cells), strict=True))
    types = {name: _DATA_FRAMES[library][kind] for name, kind in PAGE_COLUMNS.items()}
    if library == "polars":
        schema = {name: getattr(frames, kind) for name, kind in types.items()}
        return frames.DataFrame(columns, schema=schema)
    return frames.DataFrame({name: frames.array(columns[name], types[name]) for name in types})


def _arrow_table(
    columns: Mapping[str, str],
    rows: Iterable[Sequence[Cell]],
    metadata: Mapping[str, bytes] | None = None,
) -> Any:
    """A ``pyarrow.Table``.

    Args:
        columns: name → type, as Arrow calls it.
        rows: their cells; None for a missing one.
        metadata: of the schema.
    """
    arrow: Any = import_module("pyarrow")
    fields = [(name, getattr(arrow, kind)()) for name, kind in columns.items()]
    cells = list(zip(*rows, strict=True)) or [()] * len(fields)
    # A lone surrogate has no bytes in UTF-8; a question mark stands for it.
    arrays = [
        arrow.array(
            [
                each.encode(errors="replace").decode() if isinstance(each, str) else each
                for each in column
            ],
            kind,
        )
        for column, (_, kind) in zip(cells, fields, strict=True)
    ]
    return arrow.table(arrays, schema=arrow.schema(fields, metadata=metadata))


@contextmanager
def writing_people(folder: Path) -> Iterator[AddRow]:
    """Write the list of the people of a folder, which takes its place when it is whole.

    Yields:
        What adds a row.

    Raises:
        OutputError: if it cannot be written.
    """
    has_parquet = find_spec("pyarrow") is not None
    chosen, other = (PARQUET, LINES) if has_parquet else (LINES, PARQUET)
    with atomic_file(folder / chosen, private=True) as file:
        if not has_parquet:

            def add_line(row: Sequence[Cell]) -> None:
                cells = dict(zip(_COLUMNS, row, strict=True))
                line = json.dumps(cells, ensure_ascii=False, separators=(",", ":"))
                file.write(line.encode(errors="replace") + b"\n")

            yield add_line
        else:
            parquet: Any = import_module("pyarrow.parquet")
            schema = _arrow_table(_COLUMNS, (), _METADATA).schema
            rows: list[Sequence[Cell]] = []
            with parquet.ParquetWriter(file, schema) as writer:

                def add_row(row: Sequence[Cell]) -> None:
                    rows.append(row)
                    if len(rows) >= _ROWS_IN_MEMORY:
                        writer.write_table(_arrow_table(_COLUMNS, rows, _METADATA))
                        rows.clear()

                yield add_row
                if rows:
                    writer.write_table(_arrow_table(_COLUMNS, rows, _METADATA))
    if is_people_list(folder / other):
        (folder / other).unlink()


def people_lists(folder: Path) -> list[Path]:
    """The lists that are in a folder: none, or one."""
    return [path for path in (folder / PARQUET, folder / LINES) if is_people_list(path)]


def is_people_list(path: Path) -> bool:
    """Whether weps wrote a file, by what is in it."""
    with suppress(OSError), open_file(path) as file:
        if path.name == LINES:
            return file.read(len(_LINE_HEAD)) == _LINE_HEAD
        file.seek(max(path.stat().st_size - _TAIL, 0))
        return _MARK in file.read(_TAIL)
    return False
