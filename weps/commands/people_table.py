"""The people of an answer as a table for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weps.commands.console import Style, printable
from weps.commands.fitting import cut, padded, width
from weps.people import Answer, Person
from weps.report.queries import Query
from weps.report.wording import certainty, counted, percent

__all__ = ["Line", "people_table"]

_HEADING = ("", "who", "pages", "confidence", "search next time")
_LABEL, _QUERY = 1, 4
_RIGHT = (0, 2)
"""Columns of figures."""
_GAP = 2
_LEAST_LABEL = 8
_READABLE_LABEL = 36
"""Columns that labels keep before queries get any."""
_WORDLESS = 60
"""Narrower terminals show confidence in per cent alone."""
_NAMELESS = "(no label)"

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the table, and how it looks on a terminal."""

    text: str
    style: Style = Style.PLAIN


def people_table(answer: Answer, columns: int) -> list[Line]:
    """The people with several pages, one in a line, and how many have a single one.

    They stand in the order of the answer, those all of whose pages are unsure last and dim. Labels
    are cut to the width; the queries of all are shown if none needs to be cut.

    Args:
        answer: who is who.
        columns: how wide the lines may be; with fewer than about 30 they are wider.
    """
    several = [person for person in answer.people if len(person.pages) > 1]
    alone = len(answer.people) - len(several)
    rows = [_HEADING, *(_cells(answer, person, columns) for person in several)]
    styles = [Style.BOLD, *(Style.DIM if person.unsure else Style.PLAIN for person in several)]
    lines = map(Line, _fitted(rows, columns), styles)
    return [*(lines if several else ()), *([_single(alone, bool(several))] if alone else [])]


def _cells(answer: Answer, person: Person, columns: int) -> Row:
    """What a line tells of a person."""
    sure = percent(person.confidence)
    query = Query.of(answer.name, person)
    cells = (
        str(person.id),
        person.label or _NAMELESS,
        f"{len(person.pages):,}",
        f"{certainty(person.confidence)}, {sure}" if columns >= _WORDLESS else sure,
        query.text if query else "",
    )
    return tuple(printable(" ".join(cell.split())) for cell in cells)


def _single(number: int, others: bool) -> Line:
    people = counted(number, "person", "people")
    return Line(
        f"{'and ' if others else ''}{people} with one page{' each' * (number > 1)}", Style.DIM
    )


def _fitted(rows: Sequence[Row], columns: int) -> list[str]:
    """The rows as lines of at most so many columns, labels cut and queries left out as needed."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    others = [each for at, each in enumerate(widths) if at not in {_LABEL, _QUERY}]
    room = columns - sum(others) - _GAP * len(others)
    with_query = room - widths[_QUERY] - _GAP
    if with_query < min(widths[_LABEL], _READABLE_LABEL) or not any(
        row[_QUERY] for row in rows[1:]
    ):
        rows, widths, with_query = [row[:_QUERY] for row in rows], widths[:_QUERY], room
    widths[_LABEL] = min(widths[_LABEL], max(with_query, _LEAST_LABEL))
    return [_line(row, widths) for row in rows]


def _line(cells: Row, widths: Sequence[int]) -> str:
    fitted = (
        padded(cut(cell, room), room, right=at in _RIGHT)
        for at, (cell, room) in enumerate(zip(cells, widths, strict=True))
    )
    return (" " * _GAP).join(fitted).rstrip()
