"""The answer as a table for spreadsheets: one row per page."""

from __future__ import annotations

import csv
import io
import re

from weps.cells import guarded
from weps.report.contents import Report
from weps.report.queries import Query

__all__ = ["COLUMNS", "as_csv"]

COLUMNS = (
    "name",
    "person",
    "label",
    "confidence",
    "rank",
    "score",
    "unsure",
    "nearest",
    "url",
    "title",
    "query",
)

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def as_csv(report: Report) -> str:
    """One row per page, person by person, pages in order of rank; RFC 4180 with LF."""
    answer, text = report.answer, io.StringIO(newline="")
    # Quotes round all text keep programs that also split at semicolons from splitting inside it.
    rows = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    rows.writerow(COLUMNS)
    for person in answer.people:
        about = (_cell(answer.name), person.id, _cell(person.label), person.confidence)
        query = Query.of(answer.name, person)
        again = _cell(query.text) if query else ""
        for page in person.pages:
            sure = (page.rank, page.score, int(page.unsure), page.nearest or "")
            rows.writerow((*about, *sure, _cell(page.url), _cell(page.title), again))
    return text.getvalue()


def _cell(text: str) -> str:
    """The text on one line, with an apostrophe before what a spreadsheet would compute."""
    return guarded(_CONTROL.sub(" ", text).strip())
