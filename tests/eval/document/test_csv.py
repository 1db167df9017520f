from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.document.csv import as_csv
from eval.document.model import Table
from eval.document.text import plain

cells = st.lists(st.lists(st.text(max_size=8), min_size=2, max_size=2), min_size=1, max_size=4)


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def test_every_cell_stands_in_quotes():
    table = Table("t", "Title", [["Feature", 'the "best"'], ["a, b", ".5"]], "note")
    assert as_csv(table) == '"Feature","the ""best"""\n"a, b",".5"\n'


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("=1+1", "'=1+1"),
        ("+1+1", "'+1+1"),
        ("-1-1", "'-1-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("＝1", "'＝1"),
        ("\t=1", "'=1"),
        ("\u200b=1", "'=1"),
        ("-x", "'-x"),
        ("-", "'-"),
        ("-.5", "-.5"),
        ("+0.5", "+0.5"),
        ("-1e-5", "-1e-5"),
        ("-12 %", "'-12 %"),
        ("-12%", "-12%"),
        ("−.5", "−.5"),
        ("[-.5, .5]", "[-.5, .5]"),
        ("two\r\nlines", "two lines"),
    ],
)
def test_a_spreadsheet_computes_nothing(cell, expected):
    assert read(as_csv(Table("t", "", [[cell]]))) == [[expected]]


@given(cells)
def test_what_is_written_can_be_read(rows):
    back = [[cell.removeprefix("'") for cell in row] for row in read(as_csv(Table("t", "", rows)))]
    assert back == [[plain(cell).removeprefix("'") for cell in row] for row in rows]
