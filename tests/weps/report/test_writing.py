from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weps.errors import OutputError
from weps.people.answer import Answer, PageScore, Person
from weps.people.description import PersonDescription
from weps.report.view import Report
from weps.report.writing import CSV_COLUMNS, WRITERS, as_csv, as_xml, write_report
from weps.sources.xml import read_clustering


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_four_files_are_written_the_json_last(answer, tmp_path):
    folder = tmp_path / "a" / "b"
    files = write_report(Report(answer, {"rand": 0.5}, notes=("a note",)), "Ann_Example", folder)
    suffixes = (".csv", ".clust.xml", ".html", ".json")
    assert [path.name for path in files] == [f"Ann_Example{suffix}" for suffix in suffixes]
    assert set(contents(folder)) == {path.name for path in files}


def test_files_are_utf8_with_lf_and_the_same_every_time(hostile, tmp_path):
    odd = replace(hostile, name="Ann \ud800")
    for folder in ("first", "second"):
        write_report(Report(odd), "x", tmp_path / folder)
    assert contents(tmp_path / "first") == contents(tmp_path / "second")
    for data in contents(tmp_path / "first").values():
        assert data.decode("utf-8").endswith("\n")
        assert b"\r" not in data


def test_an_older_answer_is_replaced(answer, crowd, tmp_path):
    write_report(Report(crowd), "x", tmp_path)
    write_report(Report(answer), "x", tmp_path)
    expected = {f"x{suffix}": WRITERS[suffix](Report(answer)).encode() for suffix in WRITERS}
    assert contents(tmp_path) == expected


@pytest.mark.parametrize("identifier", ["", ".", "..", "a/b", "a\\b", "../x", "a\x00", "a\nb"])
def test_an_identifier_is_a_file_name(identifier, answer, tmp_path):
    with pytest.raises(OutputError, match="is no file name"):
        write_report(Report(answer), identifier, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_in_the_way_of_a_file(answer, tmp_path):
    (tmp_path / "x.html").mkdir()
    with pytest.raises(OutputError, match=r"x\.html: cannot be written"):
        write_report(Report(answer), "x", tmp_path)
    assert {path.suffix for path in tmp_path.iterdir()} == {".csv", ".xml", ".html"}


def rows_of(answer: Answer) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(as_csv(Report(answer)), newline="")))


def titled(title: str) -> Answer:
    page = PageScore(3, "http://a.example/", title, 0.5)
    return Answer("Ann", (Person(1, 0.5, (page,), PersonDescription(("x",))),), (), "m", "s")


def test_one_row_per_page(answer):
    rows = rows_of(answer)
    assert [row["rank"] for row in rows] == ["0", "2", "7", "3", "5", "1"]
    about = ["Ann Example", "1", "Ann the logician", "0.81", "2", "1.0", "0", ""]
    page = ["https://college.example/staff?a=1&b=2", "Staff", '"Ann Example" "Trinity College"']
    assert rows[1] == dict(zip(CSV_COLUMNS, [*about, *page], strict=True))
    assert [row["unsure"] for row in rows] == ["0", "0", "1", "1", "1", "1"]
    assert [row["nearest"] for row in rows] == ["", "", "2", "3", "1", "2"]


@pytest.mark.parametrize(
    ("title", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("\x00\t =1+1", "'=1+1"),
        ("two\r\nlines", "two lines"),
        ('quoted "word", comma; semicolon', 'quoted "word", comma; semicolon'),
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
    assert set(row) == set(CSV_COLUMNS)
    assert not row["title"].startswith(tuple("=+-@\t\r\n"))


@pytest.mark.parametrize("which", ["answer", "hostile", "crowd"])
def test_the_official_format_reads_back(which, tmp_path, request):
    answer = request.getfixturevalue(which)
    path = tmp_path / "answer.clust.xml"
    path.write_text(as_xml(Report(answer)), "utf-8")
    assert read_clustering(path) == answer.clustering
    assert path.read_text("utf-8").count("<entity") == len(answer.people)
