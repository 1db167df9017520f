from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weps.people import Answer, PageScore, Person
from weps.portraits import Portrait
from weps.report import Report
from weps.report.csv import COLUMNS, as_csv


def rows_of(answer: Answer) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(as_csv(Report(answer)), newline="")))


def titled(title: str) -> Answer:
    page = PageScore(3, "http://a.example/", title, 0.5)
    return Answer("Ann", (Person(1, 0.5, (page,), Portrait(("x",))),), (), "m", "s")


def test_the_columns():
    about, page = ("name", "person", "label", "confidence"), ("rank", "score", "unsure", "nearest")
    assert (*about, *page, "url", "title", "query") == COLUMNS


def test_one_row_per_page(answer):
    rows = rows_of(answer)
    assert [row["rank"] for row in rows] == ["0", "2", "7", "3", "5", "1"]
    assert rows[1] == {
        "name": "Ann Example",
        "person": "1",
        "label": "Ann the logician",
        "confidence": "0.81",
        "rank": "2",
        "score": "1.0",
        "unsure": "0",
        "nearest": "",
        "url": "https://college.example/staff?a=1&b=2",
        "title": "Staff",
        "query": '"Ann Example" "Trinity College"',
    }


def test_unsure_pages_are_marked_with_the_nearest_person(answer):
    rows = rows_of(answer)
    assert [row["unsure"] for row in rows] == ["0", "0", "1", "1", "1", "1"]
    assert [row["nearest"] for row in rows] == ["", "", "2", "3", "1", "2"]


@pytest.mark.parametrize(
    ("title", "cell"),
    [
        ("plain", "plain"),
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("＝1+1", "'＝1+1"),
        ("\t=1+1", "'=1+1"),
        ("\r=1+1", "'=1+1"),
        ("\x00 =1+1", "'=1+1"),
        ("\ttabbed", "tabbed"),
        ("two\r\nlines", "two lines"),
        ('quoted "word", comma; semicolon', 'quoted "word", comma; semicolon'),
        ("a = b", "a = b"),
    ],
)
def test_cells_compute_nothing_and_stay_on_their_line(title, cell):
    answer = titled(title)
    assert rows_of(answer)[0]["title"] == cell
    assert rows_of(replace(answer, name=title))[0]["name"] == cell


@given(st.text())
def test_any_title_makes_one_harmless_row(title):
    answer = titled(title)
    assert as_csv(Report(answer)).count("\n") == 2
    (row,) = rows_of(answer)
    assert set(row) == set(COLUMNS)
    assert not row["title"].startswith(tuple("=+-@\t\r\n"))
