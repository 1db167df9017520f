"""The people of an answer as a table for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weps._formatting import count_of, cut_columns, format_probability, pad_columns, text_width
from weps.cli.console import Style, printable_text
from weps.people.answer import Answer, Person
from weps.report.view import Query
from weps.report.wording import certainty

__all__ = ["TableLine", "people_table"]

_HEADING = ("", "who", "pages", "confidence", "search next time")
_LABEL, _QUERY = 1, 4
_RIGHT_ALIGNED = (0, 2)
"""Columns of figures."""
_GAP = 2
_MIN_LABEL_WIDTH = 8
_GOOD_LABEL_WIDTH = 36
"""Labels have this width before queries are shown."""
_NARROW_COLUMNS = 60
"""Narrower terminals show confidence in per cent alone."""
_NO_LABEL = "(no label)"

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableLine:
    """A line of the table, and how it looks on a terminal."""

    text: str
    style: Style = Style.PLAIN


def people_table(answer: Answer, columns: int) -> list[TableLine]:
    """The people with several pages, one in a line, and how many have a single one.

    They are in the order of the answer, those all of whose pages are unsure last and dim. Labels
    are cut to the width; the queries of all are shown if none needs to be cut.

    Args:
        answer: the clustered pages.
        columns: how wide the lines may be; with fewer than about 30 they are wider.
    """
    several = [person for person in answer.people if len(person.pages) > 1]
    alone = len(answer.people) - len(several)
    rows = [_HEADING, *(_person_cells(answer, person, columns) for person in several)]
    styles = [Style.BOLD, *(Style.DIM if person.unsure else Style.PLAIN for person in several)]
    lines = map(TableLine, _fit_rows(rows, columns), styles)
    return [
        *(lines if several else ()),
        *([_single_pages_line(alone, bool(several))] if alone else []),
    ]


def _person_cells(answer: Answer, person: Person, columns: int) -> Row:
    """The cells of a person."""
    sure = format_probability(person.confidence)
    query = Query.of(answer.name, person)
    cells = (
        str(person.id),
        person.label or _NO_LABEL,
        f"{len(person.pages):,}",
        f"{certainty(person.confidence)}, {sure}" if columns >= _NARROW_COLUMNS else sure,
        query.text if query else "",
    )
    return tuple(printable_text(" ".join(cell.split())) for cell in cells)


def _single_pages_line(number: int, others: bool) -> TableLine:
    people = count_of(number, "person", "people")
    return TableLine(
        f"{'and ' if others else ''}{people} with one page{' each' * (number > 1)}", Style.DIM
    )


def _fit_rows(rows: Sequence[Row], columns: int) -> list[str]:
    """The rows as lines of at most so many columns, labels cut and queries left out as needed."""
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    others = [each for at, each in enumerate(widths) if at not in {_LABEL, _QUERY}]
    room = columns - sum(others) - _GAP * len(others)
    with_query = room - widths[_QUERY] - _GAP
    if with_query < min(widths[_LABEL], _GOOD_LABEL_WIDTH) or not any(
        row[_QUERY] for row in rows[1:]
    ):
        rows, widths, with_query = [row[:_QUERY] for row in rows], widths[:_QUERY], room
    widths[_LABEL] = min(widths[_LABEL], max(with_query, _MIN_LABEL_WIDTH))
    return [_join_cells(row, widths) for row in rows]


def _join_cells(cells: Row, widths: Sequence[int]) -> str:
    fitted = (
        pad_columns(cut_columns(cell, room), room, right=at in _RIGHT_ALIGNED)
        for at, (cell, room) in enumerate(zip(cells, widths, strict=True))
    )
    return (" " * _GAP).join(fitted).rstrip()
