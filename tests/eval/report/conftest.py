from __future__ import annotations

from dataclasses import replace

import pytest

from weps_eval.report.charts import Figure
from weps_eval.report.document import Document, Section
from weps_eval.report.tables import Column, Kind, Table

HOSTILE = "<script>alert(1)</script>\n\"'>& | `$x$` \u202e\x00\x1b[0m"
"""Mark-up, quotes, a bar, a line end, what reorders text, and controls."""


SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9"/></svg>\n'
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def table() -> Table:
    verdict = Kind(str, left=True, marks={"holds": "yes", "undecided": "open"})
    columns = [
        Column("Claim", lambda row: row[0], verdict),
        Column("Paper", lambda row: row[1], verdict),
        Column("Here", lambda row: row[2], replace(verdict, left=False)),
    ]
    rows = [("tokens lead", "holds", "undecided"), ("more", "-.1", "x")]
    return Table("claims", "Claims", columns, rows, "Made up.")


@pytest.fixture
def document(table) -> Document:
    """Two sections; one picture is there, one is not."""
    curve = Figure("curve", "A curve", "Drawn.", "A line that rises.", SVG, PNG)
    bars = Figure("bars", "Bars")
    first = Section("First", ("One.", "Two."), (curve,), (table,))
    return Document(
        "A study", ("In short.",), (first, Section("Second", (), (bars,))), "sig", "cmd"
    )


@pytest.fixture
def hostile() -> Document:
    """An enemy wrote every text but the keys."""
    figure = Figure("curve", HOSTILE, HOSTILE, HOSTILE, SVG, PNG)
    rows = [[HOSTILE, HOSTILE], [HOSTILE, f"={HOSTILE}"]]
    table = Table.of_text("cells", HOSTILE, rows, HOSTILE)
    section = Section(HOSTILE, (HOSTILE,), (figure,), (table,))
    return Document(HOSTILE, (HOSTILE,), (section,), HOSTILE, HOSTILE)
