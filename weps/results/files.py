"""The files of results: those of a name, and the index and the lists of all in a folder.

Files are replaced completely or not at all. A new kind of file of a name is a function from a
report to text and one line in :data:`WRITERS`.

The index is a page with all names, ``people.csv`` with a row for each person, and
``people.parquet``, without pyarrow ``people.jsonl``, with a row for each page of a person. Rows are
written as they come, so that there may be any number of them.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from weps._files import atomic_file, atomic_write, make_folder, open_file
from weps._formatting import spreadsheet_cell
from weps.errors import OutputError, SourceError
from weps.people.answer import Answer, PageScore, SetAsidePage
from weps.records import portable_path
from weps.report import html as report_html
from weps.report.safe_text import CleanText, file_link
from weps.report.view import Query, Report
from weps.results.format import ResultFile, as_json, read_file
from weps.results.stored import MOST_UNDIVIDED, result_names, result_paths, results_root
from weps.sources.base import as_name
from weps.sources.corpora import clustering_xml
from weps.sources.formats.listing import INDEX_NAME, is_index

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


def _answer_rows(answer: Answer) -> Iterator[tuple[Cell, ...]]:
    """One row per page with the cells of :data:`PAGE_COLUMNS`, None where nothing is known.

    Person by person, pages in order of rank; pages that are set aside come last: they have no
    person, and the reason as label.
    """
    for person in answer.people:
        about = (answer.name, person.id, person.label, person.confidence)
        query = Query.of(answer.name, person.refinement, len(person.pages))
        expected = person.description.one_person, person.description.expected_people
        whole = (query.text if query else "", *expected)
        for page in person.pages:
            sure = (page.rank, page.score, page.unsure, page.nearest)
            yield (*about, *sure, page.url, page.title, *whole, page.file, page.fetched)
    for aside in answer.set_aside:
        nobody = (answer.name, None, f"set aside: {aside.reason}", None)
        found = (aside.rank, None, None, None, aside.url, aside.title, "", None, None)
        yield (*nobody, *found, aside.file, aside.fetched)


def as_csv(report: Report) -> str:
    """The table of :func:`_answer_rows`; True and False are 1 and 0."""
    rows = (
        ["" if cell is None else int(cell) if isinstance(cell, bool) else cell for cell in row]
        for row in _answer_rows(report.answer)
    )
    return _csv_rows([[*PAGE_COLUMNS], *rows])


def _csv_rows(rows: Iterable[Sequence[str | float]]) -> str:
    """Rows by RFC 4180 with LF: each text on one line, and none that a spreadsheet computes."""
    text = io.StringIO(newline="")
    # Quotes round all text keep programs that also split at semicolons from splitting inside it.
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    for row in rows:
        writer.writerow(
            spreadsheet_cell(_CONTROL.sub(" ", each).strip()) if isinstance(each, str) else each
            for each in row
        )
    return text.getvalue()


def as_xml(report: Report) -> str:
    """The official WePS format: one ``<entity>`` per person, labels as names, ranks ascending.

    Pages that are set aside are ``<discarded>``.
    """
    return clustering_xml(report.answer.clustering, report.answer.name)


WRITERS: dict[str, Callable[[Report], str]] = {
    ".csv": as_csv,
    ".clust.xml": as_xml,
    ".html": report_html.as_html,
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

    def moved(pages: Sequence[AnyPage]) -> tuple[AnyPage, ...]:
        return tuple(replace(page, file=portable(page.file)) for page in pages)

    answer, collections = report.answer, report.provenance.collections
    people = (replace(person, pages=moved(person.pages)) for person in answer.people)
    places = (replace(each, path=portable(each.path)) for each in collections)
    return replace(
        report,
        answer=replace(answer, people=tuple(people), set_aside=moved(answer.set_aside)),
        provenance=replace(report.provenance, collections=tuple(places)),
    )


_DATA_FRAMES = {
    "pandas": {"string": "str", "int32": "Int32", "float64": "float64", "bool_": "boolean"},
    "polars": {"string": "String", "int32": "Int32", "float64": "Float64", "bool_": "Boolean"},
}
"""Library → type of a column, see :data:`PAGE_COLUMNS` → its name there."""
PARQUET, LINES = "people.parquet", "people.jsonl"
_LISTED_COLUMNS = {
    "name": "string",
    "person": "int32",
    "rank": "int32",
    "address": "string",
    "score": "float64",
    "label": "string",
}
_ROWS_IN_MEMORY = 50_000
_MARK = b"weps people"
_TAIL = 1 << 16
_LINE_HEAD = b'{"name":'


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
        return _arrow_table(_answer_rows(answer), PAGE_COLUMNS)
    frames: Any = import_module(library)
    cells: Sequence[Any] = [*zip(*_answer_rows(answer), strict=True)] or [()] * len(PAGE_COLUMNS)
    columns = dict(zip(PAGE_COLUMNS, map(list, cells), strict=True))
    types = {name: _DATA_FRAMES[library][kind] for name, kind in PAGE_COLUMNS.items()}
    if library == "polars":
        return frames.DataFrame(columns, {name: getattr(frames, types[name]) for name in types})
    return frames.DataFrame({name: frames.array(columns[name], types[name]) for name in types})


def _arrow_table(
    rows: Iterable[Sequence[Cell]],
    columns: Mapping[str, str],
    metadata: Mapping[str, bytes] | None = None,
) -> Any:
    """A ``pyarrow.Table``.

    Args:
        rows: their cells; None for a missing one.
        columns: name → type, as Arrow calls it.
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


def _write_people(folder: Path, rows: Iterator[Sequence[Cell]]) -> None:
    """Write the list of the people of a folder; it takes the place of one in the other format.

    Args:
        folder: of the results.
        rows: a page of a person each, see :data:`_LISTED_COLUMNS`.

    Raises:
        OutputError: if it cannot be written.
    """
    chosen, other = (PARQUET, LINES) if find_spec("pyarrow") else (LINES, PARQUET)
    with atomic_file(folder / chosen, private=True) as file:
        if chosen == PARQUET:
            parquet: Any = import_module("pyarrow.parquet")
            described = _LISTED_COLUMNS, {"made_by": _MARK}
            with parquet.ParquetWriter(file, _arrow_table((), *described).schema) as writer:
                while part := list(islice(rows, _ROWS_IN_MEMORY)):
                    writer.write_table(_arrow_table(part, *described))
        for row in rows:
            cells = dict(zip(_LISTED_COLUMNS, row, strict=True))
            line = json.dumps(cells, ensure_ascii=False, separators=(",", ":"))
            file.write(f"{line}\n".encode(errors="replace"))
    if _is_ours(folder / other):
        (folder / other).unlink()


TABLE_NAME = "people.csv"
_PEOPLE_COLUMNS = (
    "name",
    "person",
    "label",
    "confidence",
    "pages",
    "best_score",
    "one_person",
    "expected_people",
    "unsure",
    "report",
)
_MAX_PEOPLE = 3
"""People of a name on the page."""
_MAX_REMEMBERED = 10_000
MOST_LISTED = 10_000
"""Names on the page; the tables have all."""


@dataclass(frozen=True, slots=True)
class IndexedResult:
    """A result as the index shows it."""

    identifier: str
    name: str
    """The name searched for; empty where the result cannot be read."""
    report: str
    """Path of the report, with slashes; of the JSON if there is none."""
    problem: str = ""
    """Why it cannot be read."""
    pages: int = 0
    """Number of pages, those set aside among them."""
    people: int = 0
    unsure: int = 0
    """Number of unsure pages."""
    aside: int = 0
    unread: int = 0
    corrections: int = 0
    """Number of corrections that the answer obeys."""
    first: tuple[tuple[int, str, int], ...] = ()
    """Id, label and number of pages of the first people."""
    cautions: tuple[str, ...] = ()
    changed: datetime | None = None
    """Time of the last change, where it is to be shown."""
    faulty_corrections: str = ""
    """Why the file of corrections cannot be read."""

    @property
    def link(self) -> CleanText:
        """The address of the report; empty where there is none."""
        return file_link(self.report)

    @classmethod
    def of(cls, path: Path, file: ResultFile | str) -> IndexedResult:
        """The entry of a ``NAME.json``, or of the reason why it cannot be read."""
        report = path.with_suffix(".html")
        shown = report if report.is_file() else path
        place = shown.relative_to(results_root(path.parent)).as_posix()
        if isinstance(file, str):
            return cls(path.stem, "", place, file)
        stated = f"{file.name} – "  # above the label
        return cls(
            path.stem,
            file.name,
            place,
            pages=sum(1 for _ in file.pages),
            people=len(file.people),
            unsure=sum(page.unsure for person in file.people for page in person.pages),
            aside=len(file.set_aside),
            unread=len(file.unread),
            corrections=len(file.corrections),
            first=tuple(
                (
                    each.id,
                    each.label.removeprefix(stated) or each.pages[0].title or "(no label)",
                    len(each.pages),
                )
                for each in file.people[:_MAX_PEOPLE]
            ),
            cautions=file.cautions,
        )


def write_index(folder: Path) -> tuple[Path, ...]:
    """Write ``index.html``, ``people.csv`` and the list of people for all results, of any run.

    Results are in order of their identifiers, whatever their capital letters; the same results give
    the same bytes. One after another is read, so that there may be any number; the page has the
    first :data:`MOST_LISTED`.

    Returns:
        The files; none where others of these names are in the folder, e.g. the report of somebody
        who is called Index.

    Raises:
        OutputError: if they cannot be written.
        SourceError: if the folder cannot be listed.
    """
    page, table = folder / INDEX_NAME, folder / TABLE_NAME
    if any(path.exists() and not _is_ours(path) for path in (page, table)):
        return ()
    listed, totals = list[IndexedResult](), Counter(total=0, pages=0, people=0)
    with atomic_file(page, private=True) as html, atomic_file(table, private=True) as csv_file:

        def people_pages() -> Iterator[Sequence[Cell]]:
            """A row for each page of a person, while other files are written."""
            for path in sorted(
                result_paths(folder), key=lambda each: (as_name(each.stem).casefold(), each.stem)
            ):
                file = _read_file(path)
                result = IndexedResult.of(path, file)
                totals.update(total=1, pages=result.pages, people=result.people)
                if totals["total"] <= MOST_LISTED:
                    listed.append(result)
                if isinstance(file, str):
                    continue
                for person in file.people:
                    row = (
                        *(file.name, person.id, person.label, person.confidence),
                        *(len(person.pages), max(each.score for each in person.pages)),
                        *(person.one_person, person.expected_people, int(person.unsure)),
                        result.report,
                    )
                    csv_file.write(_csv_rows([row]).encode(errors="replace"))
                    for each in person.pages:
                        found = each.rank, each.url, each.score
                        yield (file.name, person.id, *found, person.label)

        csv_file.write(_csv_rows([_PEOPLE_COLUMNS]).encode())
        _write_people(folder, people_pages())
        template = report_html.report_environment().get_template("index.html.j2")
        code = report_html.read_assets(*report_html.INDEX_SCRIPT)
        parts = template.generate(
            policy=report_html.content_security_policy(connected=False, code=code),
            style=report_html.read_assets(*report_html.STYLE_SHEET),
            script=code,
            results=listed,
            **totals,
        )
        html.writelines(part.encode(errors="replace") for part in parts)
    return page, table


def update_index(folder: Path) -> None:
    """Write the index of a folder again, if it has one; remove it with the last result.

    Where there are very many, it is removed, too, until ``weps cluster`` writes it again: a
    correction cannot wait until all are read.
    """
    if not _is_ours(folder / INDEX_NAME):
        return
    if 0 < len(result_names(folder)) <= MOST_UNDIVIDED:
        write_index(folder)
        return
    for name in (INDEX_NAME, TABLE_NAME, PARQUET, LINES):
        if _is_ours(folder / name):
            (folder / name).unlink()


def _is_ours(path: Path) -> bool:
    """Whether weps wrote a file of an index, by what is in it; not where it is missing."""
    if path.name == INDEX_NAME:
        return is_index(path)
    with suppress(OSError), open_file(path) as file:
        if path.name == PARQUET:
            file.seek(max(path.stat().st_size - _TAIL, 0))
            return _MARK in file.read(_TAIL)
        head = _LINE_HEAD if path.name == LINES else _csv_rows([_PEOPLE_COLUMNS]).encode()
        return file.read(len(head)) == head
    return False


def read_indexed(path: Path) -> IndexedResult:
    """Read ``NAME.json``, unless it is known and unchanged.

    Raises:
        OSError: if it is not there.
    """
    state = path.stat()
    return _read_version(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=_MAX_REMEMBERED)
def _read_version(path: Path, _time: int, _size: int) -> IndexedResult:
    """The entry of the result in a file of this time and size."""
    return IndexedResult.of(path, _read_file(path))


def _read_file(path: Path) -> ResultFile | str:
    """The result, or why it cannot be read."""
    try:
        return read_file(path)
    except SourceError as error:
        return error.what
