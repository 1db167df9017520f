from __future__ import annotations

from dataclasses import replace

import pytest

from weps_eval.report.document import Document, Figure, Picture, Quote, Section
from weps_eval.report.tables import Column, Kind, Table

HOSTILE = "<script>alert(1)</script>\n\"'>& | `$x$` \u202e\x00\x1b[0m"
"""Mark-up, quotes, a bar, a line end, what reorders text, and controls."""


SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9"/></svg>\n'
DRAWING = Picture(SVG, b"\x89PNG\r\n\x1a\n", "A line that rises.")


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
    """Two sections, the second without quotes; one picture is there, one is not."""
    curve, bars = Figure("curve", "A curve", DRAWING, "Drawn."), Figure("bars", "Bars", None)
    first = Section("First", ("One.", "Two."), (curve,), (table,), (Quote("It is so.", "Table 1"),))
    return Document(
        "A study", ("In short.",), (first, Section("Second", (), (bars,))), "sig", "cmd"
    )


@pytest.fixture
def hostile() -> Document:
    """An enemy wrote every text but the keys."""
    figure = Figure("curve", HOSTILE, replace(DRAWING, alt=HOSTILE), HOSTILE)
    rows = [[HOSTILE, HOSTILE], [HOSTILE, f"={HOSTILE}"]]
    table = Table.of_text("cells", HOSTILE, rows, HOSTILE)
    quote = Quote(HOSTILE, HOSTILE)
    section = Section(HOSTILE, (HOSTILE,), (figure,), (table,), (quote,))
    return Document(HOSTILE, (HOSTILE,), (section,), HOSTILE, HOSTILE)
