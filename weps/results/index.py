"""The index of a folder of results: all names on one page, and tables of all their people."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from weps._files import atomic_file, open_file
from weps.errors import SourceError
from weps.report.html import (
    content_security_policy,
    index_script,
    report_environment,
    style_sheet,
)
from weps.report.safe_text import CleanText, file_link
from weps.results.files import csv_rows, csv_table, people_lists, writing_people
from weps.results.format import Person, ResultFile, read_file
from weps.results.stored import MOST_UNDIVIDED, result_names, result_paths, results_root
from weps.sources.base import as_name
from weps.sources.formats.listing import INDEX_NAME, is_index

TABLE_NAME = "people.csv"
_COLUMNS = (
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
    """The name searched for; the identifier where the result cannot be read."""
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
            return cls(path.stem, path.stem, place, file)
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
                (each.id, _label_beside_name(each, file.name), len(each.pages))
                for each in file.people[:_MAX_PEOPLE]
            ),
            cautions=file.cautions,
        )


def _label_beside_name(person: Person, name: str) -> str:
    """The label of a person, without the name searched for, which stands above it."""
    return person.label.removeprefix(f"{name} – ") or person.pages[0].title or "(no label)"


def write_index(folder: Path) -> tuple[Path, ...]:
    """Write ``index.html``, ``people.csv`` and the list of people for all results, of any run.

    Results are in order of their identifiers; the same results give the same bytes. One after
    another is read, so that there may be any number; the page has the first :data:`MOST_LISTED`.

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
    listed, total, pages, people = list[IndexedResult](), 0, 0, 0
    with (
        atomic_file(page, private=True) as html,
        atomic_file(table, private=True) as rows,
        writing_people(folder) as add_page,
    ):
        rows.write(csv_table(_COLUMNS, ()).encode())
        for path in _in_order(folder):
            file = _read_file(path)
            result = IndexedResult.of(path, file)
            total, pages, people = total + 1, pages + result.pages, people + result.people
            if total <= MOST_LISTED:
                listed.append(result)
            if not isinstance(file, str):
                rows.write(_table_rows(file, result).encode(errors="replace"))
                for person in file.people:
                    for each in person.pages:
                        shown = (each.rank, each.url, each.score, person.label)
                        add_page((file.name, person.id, *shown))
        template = report_environment().get_template("index.html.j2")
        parts = template.generate(
            policy=content_security_policy(connected=False, code=index_script()),
            style=style_sheet(),
            script=index_script(),
            results=listed,
            total=total,
            pages=pages,
            people=people,
        )
        html.writelines(part.encode(errors="replace") for part in parts)
    return page, table


def _in_order(folder: Path) -> list[Path]:
    """The results as people expect them, whatever their capital letters."""
    return sorted(result_paths(folder), key=lambda path: (as_name(path.stem).casefold(), path.stem))


def update_index(folder: Path) -> None:
    """Write the index of a folder again, if it has one; remove it with the last result.

    Where there are very many, it is removed, too, until ``weps cluster`` writes it again: a
    correction cannot wait until all are read.
    """
    page, table = folder / INDEX_NAME, folder / TABLE_NAME
    if not page.exists() or not _is_ours(page):
        return
    if 0 < len(result_names(folder)) <= MOST_UNDIVIDED:
        write_index(folder)
        return
    page.unlink()
    for path in (table, *people_lists(folder)):
        if path.exists() and (path != table or _is_ours(table)):
            path.unlink()


def _is_ours(path: Path) -> bool:
    """Whether weps wrote the file, which may be missing."""
    if path.name == INDEX_NAME:
        return is_index(path)
    heading = csv_table(_COLUMNS, ()).encode()
    with open_file(path) as file:
        return file.read(len(heading)) == heading


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


def _table_rows(file: ResultFile, result: IndexedResult) -> str:
    rows = (
        (
            result.name,
            person.id,
            person.label,
            person.confidence,
            len(person.pages),
            max(page.score for page in person.pages),
            person.one_person,
            person.expected_people,
            int(person.unsure),
            result.report,
        )
        for person in file.people
    )
    return csv_rows(rows)
