"""The files of results: those of a name, the index and the lists of all; and a name forgotten.

Files are replaced completely or not at all. A new kind of file of a name is a function from a
report to text and one line in :data:`WRITERS`, or an export (:mod:`weps.results.exports`).

The index is a page with all names, ``people.csv`` with a row for each person, and
with pyarrow ``people.parquet`` and ``facts.parquet`` with a row for each page and each fact of a
person. Rows are written as they come, so that there may be any number of them.

A name is forgotten with its results, corrections, saved pages, and what the cache has of them.
"""

from __future__ import annotations

import csv
import io
import re
import shutil
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, lru_cache, partial
from glob import escape
from importlib.util import find_spec
from itertools import chain, islice
from pathlib import Path
from typing import Any

from weps._files import (
    FolderLock,
    atomic_file,
    atomic_write,
    list_entries,
    make_folder,
    open_file,
    real_path,
    unfinished_files,
)
from weps._formatting import join_items, spreadsheet_cell
from weps._lazy import import_library
from weps._text import split_words
from weps.corrections.model import CORRECTIONS_SUFFIX, Marked, corrections_text
from weps.errors import LanguageError, OutputError, SourceError, ValuesError, WepsError, told_as
from weps.features.name import encoded_texts
from weps.language import analysis, annotation, sentence_encoder
from weps.people.context import sentences_near_name
from weps.reading import Reader, document_key, richest_form
from weps.records import RESULT_SUFFIXES, Search, portable_path
from weps.report import html as report_html
from weps.report.safe_text import CleanText, file_link
from weps.report.view import Report
from weps.results.stored import (
    MOST_UNDIVIDED,
    ResultFile,
    as_json,
    collect_pages,
    read_file,
    read_result,
    result_file,
    result_folder,
    result_names,
    result_path,
    result_paths,
    results_root,
)
from weps.sources import base, corpora, opening
from weps.sources.formats.listing import INDEX_NAME, is_index

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
    "part": "int32",
    "notes": "string",
    "tags": "string",
    "checked": "bool_",
    "person_notes": "string",
    "person_tags": "string",
    "person_checked": "bool_",
}
"""The table of a result's pages: column → type, as Arrow calls it."""
FACT_COLUMNS = {
    "name": "string",
    "person": "int32",
    "label": "string",
    "attribute": "string",
    "value": "string",
    "detail": "string",
    "certainty": "float64",
    "contradicted": "bool_",
    "pages": "string",
    "page": "int32",
    "url": "string",
    "sentence": "string",
}
"""The table of a result's facts."""
Cell = str | float | None
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def page_rows(file: ResultFile) -> Iterator[tuple[Cell, ...]]:
    """One row per page with the cells of :data:`PAGE_COLUMNS`, None where nothing is known.

    Person by person, pages in order of rank; pages that are set aside come last: they have no
    person, and the reason as label.
    """
    for person in file.people:
        marked = mark_cells(person)
        about = (file.name, person.id, person.label, person.confidence)
        query = person.refinement.query if person.refinement else ""
        whole = (query, person.one_person, person.expected_people)
        part_of = {rank: at for at, part in enumerate(person.parts, 1) for rank in part.pages}
        for page in person.pages:
            yield (
                *(*about, page.rank, page.score, page.unsure, page.nearest),
                *(page.url, page.title, *whole, page.file, page.fetched, part_of.get(page.rank)),
                *(*mark_cells(page), *marked),
            )
    for aside in file.set_aside:
        yield (
            *(file.name, None, f"set aside: {aside.reason}", None, aside.rank, None, None, None),
            *(aside.url, aside.title, "", None, None, aside.file, aside.fetched, None),
            *(*mark_cells(aside), "", "", None),
        )


def mark_cells(marked: Marked) -> tuple[str, str, bool]:
    """What users noted of a person or a page."""
    return " | ".join(marked.notes), ", ".join(marked.tags), marked.checked


def fact_rows(file: ResultFile) -> Iterator[tuple[Cell, ...]]:
    """One row per fact with the cells of :data:`FACT_COLUMNS`.

    Page, address and sentence are those of the fullest statement; ``pages`` has the ranks of all.
    """
    for person in file.people:
        addresses = {page.rank: page.url for page in person.pages}
        for fact in person.facts:
            source = fact.sources[0]
            yield (
                *(file.name, person.id, person.label, fact.attribute, fact.value, fact.detail),
                *(fact.certainty, fact.contradicted, " ".join(map(str, fact.pages))),
                *(source.page, addresses.get(source.page, ""), source.sentence),
            )


TABLES = {"pages": (PAGE_COLUMNS, page_rows), "facts": (FACT_COLUMNS, fact_rows)}
"""The tables of a result: columns, and the function that makes the rows."""


def table_cell(cell: Cell) -> str | float:
    """A cell of a table of text: on one line, nothing to compute; True and False are 1 and 0.

    A lone surrogate has no bytes in UTF-8; a question mark stands for it.
    """
    if isinstance(cell, str):
        if not cell.isprintable():  # few have control characters or surrogates
            cell = _CONTROL.sub(" ", cell).encode(errors="replace").decode()
        return spreadsheet_cell(cell.strip())
    return "" if cell is None else int(cell) if isinstance(cell, bool) else cell


def csv_text(rows: Iterable[Sequence[Cell]]) -> str:
    """Rows by RFC 4180 with LF, see :func:`table_cell`."""
    text = io.StringIO(newline="")
    # Quotes round all text keep programs that also split at semicolons from splitting inside it.
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerows(map(table_cell, row) for row in rows)
    return text.getvalue()


WRITERS: dict[str, Callable[[Report, Callable[[], ResultFile]], str]] = {
    ".csv": lambda _, file: csv_text([[*PAGE_COLUMNS], *page_rows(file())]),
    ".clust.xml": lambda report, _: corpora.clustering_xml(
        report.answer.clustering, report.answer.name
    ),
    ".html": lambda report, _: report_html.as_html(report),
    ".json": lambda _, file: as_json(file()),
}
"""Writers by suffix, of a report and what :func:`~weps.results.stored.result_file` makes of it. The
JSON comes last: where it stands, the name is finished."""
EXPORTED = tuple(each for each in RESULT_SUFFIXES.values() if each not in WRITERS)
"""Suffixes of the exports of :mod:`weps.results.exports`."""


def write_report(  # noqa: PLR0913 - everything that the files depend on
    report: Report,
    identifier: str,
    folder: Path,
    suffixes: Collection[str] = tuple(WRITERS),
    *,
    corrections: bool = False,
    exports: Mapping[Path, bytes] | None = None,
    later: Collection[str] = (),
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
        suffixes: of the files to write; others that an earlier run wrote are removed, because
            they would be out of date.
        corrections: whether ``NAME.corrections.txt`` is written with them.
        exports: further files and their contents, written with them or not at all.
        later: suffixes of files that stay all the same, because new ones are to follow.

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
    file = cache(partial(result_file, report))
    # A lone surrogate has no bytes in UTF-8; a question mark stands for it.
    contents = {
        folder / f"{identifier}{suffix}": as_text(report, file).encode("utf-8", errors="replace")
        for suffix, as_text in WRITERS.items()
        if suffix in suffixes
    }
    make_folder(folder, private=True)
    for suffix in set(WRITERS).difference(suffixes, later):
        (folder / f"{identifier}{suffix}").unlink(missing_ok=True)
    text = corrections_text(report.answer.corrections, report.answer.name)
    beside = {folder / f"{identifier}{CORRECTIONS_SUFFIX}": text.encode(errors="replace")}
    atomic_write({**(exports or {}), **contents, **(beside if corrections else {})}, private=True)
    return tuple(contents)


def with_portable_paths(report: Report, folder: Path) -> Report:
    """The report with absolute paths of pages as a result in the folder writes them."""
    portable = partial(_portable, folder.absolute())

    def moved(pages: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(replace(page, file=portable(page.file)) for page in pages)

    answer, collections = report.answer, report.provenance.collections
    people = (replace(person, pages=moved(person.pages)) for person in answer.people)
    places = (replace(each, path=portable(each.path)) for each in collections)
    return replace(
        report,
        answer=replace(answer, people=tuple(people), set_aside=moved(answer.set_aside)),
        provenance=replace(report.provenance, collections=tuple(places)),
    )


@lru_cache(maxsize=1 << 14)
def _portable(folder: Path, path: str) -> str:
    """An absolute path as a result in a folder writes it, the same for each correction."""
    return portable_path(folder, Path(path)) if Path(path).is_absolute() else path


_PANDAS_TYPES = {"string": "str", "int32": "Int32", "float64": "float64", "bool_": "boolean"}
"""Type of a column, see :data:`PAGE_COLUMNS` → its name in pandas."""
PARQUET = ".parquet"
_ROWS_IN_MEMORY = 50_000
_LISTS = {"people": PAGE_COLUMNS, "facts": FACT_COLUMNS}
"""Lists of all names of a folder, and their columns."""
_MARK = b"weps people"
_TAIL = 1 << 16


def as_table(file: ResultFile, table: str, library: str = "pyarrow") -> Any:
    """A table of a result as a library has them.

    Args:
        file: the result.
        table: one of :data:`TABLES`.
        library: ``pyarrow``, for a ``Table``; ``pandas``, for a ``DataFrame``.

    Raises:
        OutputError: if the library is not installed.
        ValuesError: if there is no such table.
    """
    found = import_library(library, "tables" * (library == "pyarrow"))
    if table not in TABLES:
        raise ValuesError(f"expected one of {join_items(TABLES)}, got {table!r}", where="table")
    described, rows_of = TABLES[table]
    if library == "pyarrow":
        return _arrow_table(rows_of(file), described)
    cells: Sequence[Any] = [*zip(*rows_of(file), strict=True)] or [()] * len(described)
    return found.DataFrame(
        {
            name: found.array(list(column), _PANDAS_TYPES[kind])
            for (name, kind), column in zip(described.items(), cells, strict=True)
        }
    )


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
    arrow = import_library("pyarrow")
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
def _listing(folder: Path, name: str) -> Iterator[Callable[[Iterable[Sequence[Cell]]], None]]:
    """A list of all names of a folder to which rows are written as they come.

    Without pyarrow there is none.

    Args:
        folder: of the results.
        name: one of :data:`_LISTS`.

    Raises:
        OutputError: if it cannot be written.
    """
    path, waiting = folder / f"{name}{PARQUET}", list[Sequence[Cell]]()
    if not find_spec("pyarrow"):
        if _is_ours(path):  # it would be out of date
            path.unlink()
        yield lambda _: None
        return
    parquet = import_library("pyarrow.parquet")
    described = _LISTS[name], {"made_by": _MARK}
    with (
        atomic_file(path, private=True) as file,
        parquet.ParquetWriter(file, _arrow_table((), *described).schema) as writer,
    ):

        def write(rows: Iterable[Sequence[Cell]], most: int = _ROWS_IN_MEMORY) -> None:
            """Write the rows, those of many small parts together."""
            waiting.extend(rows)
            while len(waiting) > most:
                writer.write_table(_arrow_table(waiting[:_ROWS_IN_MEMORY], *described))
                del waiting[:_ROWS_IN_MEMORY]

        yield write
        write((), most=0)


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

    @property
    def link(self) -> CleanText:
        """The address of the report; empty where there is none."""
        return file_link(self.report)

    @classmethod
    def of(cls, path: Path, file: ResultFile | str) -> IndexedResult:
        """The entry of a ``NAME.json``, or of the reason why it cannot be read."""
        place = _shown_file(path)
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
                    each.label.removeprefix(stated) or each.pages[0].title or f"person {each.id}",
                    len(each.pages),
                )
                for each in file.people[:_MAX_PEOPLE]
            ),
            cautions=file.cautions,
        )


def _shown_file(path: Path) -> str:
    """The path that the index has of a ``NAME.json``: of its report, or of itself without one."""
    report = path.with_suffix(".html")
    shown = report if report.is_file() else path
    return shown.relative_to(results_root(path.parent)).as_posix()


def _is_current(index: Sequence[Path], paths: Sequence[Path]) -> bool:
    """Whether an index lists these results alone, and none has changed since it was written."""
    with suppress(OSError), open_file(index[1]) as table:
        rows = csv.reader(io.TextIOWrapper(table, "utf-8-sig", newline=""))
        listed = {row[-1] for row in islice(rows, 1, None)}
        written = min(path.stat().st_mtime_ns for path in index)
        is_older = (path.stat().st_mtime_ns < written for path in paths)
        return listed == set(map(_shown_file, paths)) and all(is_older)
    return False


def write_index(folder: Path) -> tuple[Path, ...]:
    """Write ``index.html``, ``people.csv`` and the lists of all results, of any run.

    Results are in order of their identifiers, whatever their capital letters; the same results give
    the same bytes. One after another is read, so that there may be any number; the page has the
    first :data:`MOST_LISTED`. Nothing is done where no result has changed since.

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
    paths = sorted(
        result_paths(folder), key=lambda each: (base.as_name(each.stem).casefold(), each.stem)
    )
    lists = {folder / f"{name}{PARQUET}" for name in _LISTS}
    wanted = lists if find_spec("pyarrow") else set()
    if wanted == set(filter(Path.exists, lists)) and _is_current([page, table, *wanted], paths):
        return page, table
    listed, totals = list[IndexedResult](), Counter(total=0, pages=0, people=0)
    with (
        atomic_file(page, private=True) as html,
        atomic_file(table, private=True) as csv_file,
        _listing(folder, "people") as list_people,
        _listing(folder, "facts") as list_facts,
    ):
        csv_file.write(csv_text([_PEOPLE_COLUMNS]).encode())
        for path in paths:
            file = _read_file(path)
            result = IndexedResult.of(path, file)
            totals.update(total=1, pages=result.pages, people=result.people)
            if totals["total"] <= MOST_LISTED:
                listed.append(result)
            if isinstance(file, str):
                continue
            list_people(page_rows(file))
            list_facts(fact_rows(file))
            for person in file.people:
                row = (
                    *(file.name, person.id, person.label, person.confidence),
                    *(len(person.pages), max(each.score for each in person.pages)),
                    *(person.one_person, person.expected_people, int(person.unsure)),
                    result.report,
                )
                csv_file.write(csv_text([row]).encode(errors="replace"))
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
    for name in (INDEX_NAME, TABLE_NAME, *(f"{each}{PARQUET}" for each in _LISTS)):
        if _is_ours(folder / name):
            (folder / name).unlink()


def _is_ours(path: Path) -> bool:
    """Whether weps wrote a file of an index, by what is in it; not where it is missing."""
    if path.name == INDEX_NAME:
        return is_index(path)
    with suppress(OSError), open_file(path) as file:
        if path.suffix == PARQUET:
            file.seek(max(path.stat().st_size - _TAIL, 0))
            return _MARK in file.read(_TAIL)
        head = csv_text([_PEOPLE_COLUMNS]).encode()
        return file.read(len(head)) == head
    return False


def read_indexed(path: Path) -> IndexedResult:
    """Read ``NAME.json``, unless it is known and unchanged.

    Raises:
        OSError: if it is not there.
    """
    state = path.stat()
    return _read_version(path, state.st_mtime, state.st_size)


@lru_cache(maxsize=_MAX_REMEMBERED)
def _read_version(path: Path, time: float, _size: int) -> IndexedResult:
    """The entry of the result in a file of this time and size."""
    return replace(IndexedResult.of(path, _read_file(path)), changed=datetime.fromtimestamp(time))


def _read_file(path: Path) -> ResultFile | str:
    """The result, or why it cannot be read."""
    try:
        return read_file(path)
    except SourceError as error:
        return error.what


PAGES_FOLDER = "pages"
"""The folder, beside the results, of pages that were given to the app."""
SEARCHED_FOLDER = "searched"
"""The folder, beside the results, of pages that searches of the app downloaded."""


@dataclass(frozen=True, slots=True)
class Removal:
    """Files and cache entries of a name that were removed, or would be."""

    files: tuple[Path, ...]
    """Files of the result, and folders of pages that weps made."""
    elsewhere: tuple[Path, ...]
    """Folders and files that the pages were read from, which belong to the user and stay."""
    cached: int = 0
    """Entries of the cache."""


def result_files(folder: Path, identifier: str) -> tuple[Path, ...]:
    """The files of a result, without links, and without those about one of its people."""
    place, suffixes = result_folder(folder, identifier), (*WRITERS, *EXPORTED, CORRECTIONS_SUFFIX)
    paths = (place / f"{identifier}{suffix}" for suffix in suffixes)
    return tuple(path for path in paths if path.is_file() and not path.is_symlink())


def plan_removal(folder: Path, identifier: str, places: Iterable[Path] = ()) -> Removal:
    """The removal that :func:`forget_name` would do, but for the cache.

    Args:
        folder: of the results.
        identifier: the name as a file name.
        places: where further downloaded pages may be, e.g. of an unfinished search.
    """
    read_from: tuple[Path, ...] = ()
    with suppress(OSError, WepsError):
        read_from = read_result(result_path(folder, identifier)).places
    own = {  # made by a search, but never one that has the results, too
        place: None
        for place in (*read_from, *places)
        if base.is_collected(place)
        and not place.is_symlink()
        and not real_path(folder).is_relative_to(real_path(place))
    }
    elsewhere = dict.fromkeys(place for place in read_from if place.exists() and place not in own)
    for root in (PAGES_FOLDER, SEARCHED_FOLDER):
        given = folder / root / identifier
        if given.is_dir() and not given.is_symlink() and not given.parent.is_symlink():
            own[given] = None
        elsewhere.pop(given, None)
    written_to = {folder, result_folder(folder, identifier), folder / PAGES_FOLDER}
    unfinished = chain.from_iterable(map(unfinished_files, sorted(written_to)))
    place, stem = result_folder(folder, identifier), f"{escape(identifier)}.person-*"
    of_people = chain.from_iterable(sorted(place.glob(f"{stem}{each}")) for each in EXPORTED)
    files = (*result_files(folder, identifier), *of_people, *unfinished, *own)
    return Removal(files, tuple(elsewhere))


def forget_name(
    folder: Path, identifier: str, reader: Reader, places: Iterable[Path] = ()
) -> Removal:
    """Remove a name: results, corrections, pages that weps saved, and entries of the cache.

    Args:
        folder: see :func:`plan_removal`.
        identifier: the same.
        reader: as the pages were read, with the cache.
        places: see :func:`plan_removal`.

    Raises:
        OutputError: if something cannot be removed; what comes after it stays.
    """
    plan = plan_removal(folder, identifier, places)
    cached = sum(
        forget_pages(search, reader) for search in _searches(folder, identifier, plan.files)
    )
    cached += forget_mentions(base.as_name(identifier), reader)
    for path in plan.files:
        with (
            told_as(OutputError, "cannot be removed", path, "check the permissions"),
            # No download is under way there; rmtree follows no links.
            FolderLock(path, "weps forget") if base.is_collected(path) else nullcontext(),
        ):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
    for root in (PAGES_FOLDER, SEARCHED_FOLDER):
        with suppress(OSError):  # there are none, or those of other names
            (folder / root).rmdir()
    update_index(folder)
    return replace(plan, cached=cached)


def forget_pages(search: Search, reader: Reader) -> int:
    """Remove the pages from the reader's cache, cleaned or analysed; returns the number of entries.

    Entries of another version of weps, language pipeline or sentence encoder are not found.
    """
    if reader.cache is None or not search.pages:
        return 0
    known = [document_key(page) for page in search.pages]
    read = reader.read(search, richest_form(search))
    with suppress(LanguageError):  # without its encoder nothing can be found
        known += sentence_encoder.vector_keys(list(encoded_texts(read)), reader.embeddings)
    with suppress(LanguageError):  # nor without its pipeline
        for each in (read, sentences_near_name(read)):
            known += annotation.mark_keys(each, tuple(analysis.Layer), reader.language)
    return reader.cache.forget(known)


def forget_mentions(name: str, reader: Reader) -> int:
    """Remove what the cache has of any version of any page that has all words of a name.

    Pages of others that mention them are removed, too, and read again when they are needed.
    """
    words = [
        re.compile(rf"\b{word}\b" if word.isascii() else re.escape(word))  # others may be joined
        for word in split_words(name.casefold())
        if word.isalnum()
    ]

    def mention(value: bytes) -> bool:
        """Whether JSON in ASCII, as in the cache, has all the words, in any case."""
        text = value.decode("raw_unicode_escape", "replace").casefold()
        return all(word.search(text) for word in words)

    if reader.cache is None or not words:
        return 0
    return reader.cache.forget(reader.cache.keys_of(mention))


def _searches(folder: Path, identifier: str, owned: Iterable[Path]) -> Iterator[Search]:
    """The pages of a name as far as they can still be read: those of its result, and all others."""
    with suppress(OSError, WepsError):
        stored = read_result(result_path(folder, identifier))
        for each in stored.provenance.collections[:1]:  # all are read, with new pages of this one
            yield collect_pages(stored, each.within(stored.folder), stored.folder).search
    for place in owned:
        with suppress(OSError, WepsError):
            if place.is_dir() and not any(each.is_symlink() for each in list_entries(place)):
                source = opening.open_source(place, identifier)
                yield from map(source.search, source.names)
