"""The index of a folder of results: all names on one page, and a table of all their people."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from weps._files import atomic_write, open_file
from weps.errors import SourceError
from weps.report.html import content_security_policy, report_environment, style_sheet
from weps.report.safe_text import CleanText, file_link
from weps.report.writing import csv_table
from weps.results.places import result_names
from weps.results.stored import (
    StoredFile,
    StoredPage,
    StoredPerson,
    read_stored_file,
)
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
_MAX_REMEMBERED = 512


class _Page(StoredPage):
    title: str = ""
    score: float = 0.0
    unsure: bool = False


class _Person(StoredPerson):
    pages: Annotated[tuple[_Page, ...], Field(fail_fast=True, min_length=1)]
    confidence: float
    one_person: float = 1.0
    expected_people: float = 1.0
    unsure: bool = False


class _File(StoredFile):
    """The parts of ``NAME.json`` that the index shows."""

    people: Annotated[tuple[_Person, ...], Field(fail_fast=True)]
    cautions: tuple[str, ...] = ()
    unread: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class IndexedResult:
    """A result as the index shows it."""

    identifier: str
    file: _File | None
    """None where it cannot be read."""
    problem: str = ""
    """Why it cannot be read."""

    @property
    def name(self) -> str:
        """The name searched for; the identifier where the result cannot be read."""
        return self.file.name if self.file else self.identifier

    @property
    def link(self) -> CleanText:
        """The address of the report."""
        return file_link(f"{self.identifier}.html")

    @property
    def pages(self) -> int:
        """Number of pages, those set aside among them."""
        return sum(1 for _ in self.file.pages) if self.file else 0

    @property
    def unsure(self) -> int:
        """Number of unsure pages."""
        people = self.file.people if self.file else ()
        return sum(page.unsure for person in people for page in person.pages)


def write_index(folder: Path) -> tuple[Path, ...]:
    """Write ``index.html`` and ``people.csv`` for all results of a folder, of any run.

    Results are in order of their names; the same results give the same bytes.

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
    results = [read_indexed(folder / f"{name}.json") for name in result_names(folder)]
    results.sort(key=lambda each: (each.name.casefold(), each.identifier))
    contents = {page: _index_page(results), table: _people_table(results)}
    encoded = {path: text.encode(errors="replace") for path, text in contents.items()}
    atomic_write(encoded, private=True)
    return page, table


def update_index(folder: Path) -> None:
    """Write the index of a folder again, if it has one; remove it with the last result."""
    page, table = folder / INDEX_NAME, folder / TABLE_NAME
    if not page.exists() or not _is_ours(page):
        return
    if result_names(folder):
        write_index(folder)
        return
    page.unlink()
    if _is_ours(table):
        table.unlink()


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
    """The result in a file of this time and size, so that corrections of one read no others."""
    try:
        return IndexedResult(path.stem, read_stored_file(path, _File))
    except SourceError as error:
        return IndexedResult(path.stem, None, error.what)


def _index_page(results: list[IndexedResult]) -> str:
    return (
        report_environment()
        .get_template("index.html.j2")
        .render(
            policy=content_security_policy(connected=False),
            style=style_sheet(),
            results=results,
            pages=sum(each.pages for each in results),
            people=sum(len(each.file.people) for each in results if each.file),
            most_people=_MAX_PEOPLE,
        )
    )


def _people_table(results: list[IndexedResult]) -> str:
    return csv_table(
        _COLUMNS,
        (
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
                f"{result.identifier}.html",
            )
            for result in results
            if result.file
            for person in result.file.people
        ),
    )
