"""The people of an answer as a table for the terminal, and what could not be read."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from weps._formatting import count_of, cut_columns, format_probability, join_items, text_width
from weps.cli.console import Console, printable_text
from weps.people.answer import Answer, Person
from weps.records import UnreadInput
from weps.report.view import Query, unread_by_reason
from weps.report.wording import people_words

_HEADING = ("", "who", "pages", "confidence", "refined query")
_LABEL, _QUERY = 1, 4
_LEFT_ALIGNED = (1, 3, 4)
"""Columns of text."""
_GAP = 2
"""Blanks between columns."""
_MIN_LABEL_WIDTH = 8
_GOOD_LABEL_WIDTH = 36
"""Labels have this width before queries are shown."""
_NARROW_COLUMNS = 60
"""Narrower terminals show confidence in per cent alone."""
_NO_LABEL = "(no label)"
_MAX_REASONS = 10
"""Reasons for which inputs could not be read that are listed."""
_MAX_NAME_WIDTH = 80
"""Columns of the name of such an input."""

Row = tuple[str, ...]


def write_people(answer: Answer, console: Console) -> None:
    """Write the people with several pages, one in a line, and how many have a single one.

    They are in the order of the answer, those all of whose pages are unsure last and dim. Labels
    are cut to the console's width; the queries of all are shown if none needs to be cut.
    """
    several = [person for person in answer.people if len(person.pages) > 1]
    alone = len(answer.people) - len(several)
    if several:
        rows = [_HEADING, *(_person_cells(answer, person, console.width) for person in several)]
        styles = ["dim" if person.unsure else "" for person in several]
        console.write_table(_fit_rows(rows, console.width), _LEFT_ALIGNED, styles)
    if alone:
        people = count_of(alone, "person", "people")
        each = " each" if alone > 1 else ""
        console.write(f"{'and ' if several else ''}{people} with one page{each}", "dim")


def warn_unread(unread: Collection[UnreadInput], console: Console) -> None:
    """Warn of the inputs that could not be read, grouped by reason; nothing if there are none."""
    if not unread:
        return
    groups = [*unread_by_reason(unread).items()]
    lines = [f"{count_of(len(unread), 'input')} could not be read"]
    for reason, names in groups[:_MAX_REASONS]:
        shown = [cut_columns(" ".join(name.split()), _MAX_NAME_WIDTH) for name in names]
        lines.append(f"  {' '.join(reason.split())}: {join_items(shown, most=3)}")
    if left := sum(len(names) for _, names in groups[_MAX_REASONS:]):
        lines.append(f"  for other reasons, which the report lists: {left:,}")
    console.warn("\n".join(lines))


def _person_cells(answer: Answer, person: Person, columns: int) -> Row:
    sure = format_probability(person.description.one_person)
    query = Query.of(answer.name, person)
    cells = (
        str(person.id),
        person.label.removeprefix(f"{answer.name} – ") or _NO_LABEL,
        f"{len(person.pages):,}",
        people_words(person.description.one_person, person.description.expected_people)
        if columns >= _NARROW_COLUMNS
        else sure,
        query.text if query else "",
    )
    return tuple(printable_text(" ".join(cell.split())) for cell in cells)


def _fit_rows(rows: Sequence[Row], columns: int) -> list[Row]:
    """The rows for lines of at most so many columns: labels cut, queries left out as needed."""
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    others = [each for at, each in enumerate(widths) if at not in {_LABEL, _QUERY}]
    room = columns - sum(others) - _GAP * len(others)
    with_query = room - widths[_QUERY] - _GAP
    if with_query < min(widths[_LABEL], _GOOD_LABEL_WIDTH) or not any(
        row[_QUERY] for row in rows[1:]
    ):
        rows, widths, with_query = [row[:_QUERY] for row in rows], widths[:_QUERY], room
    longest = max(with_query, _MIN_LABEL_WIDTH)
    return [(row[0], cut_columns(row[_LABEL], longest), *row[_LABEL + 1 :]) for row in rows]
