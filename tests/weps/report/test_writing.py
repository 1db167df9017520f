from __future__ import annotations

import csv
import errno
import io
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weps.report
from weps.errors import OutputError
from weps.people.answer import Answer, PageScore, Person
from weps.people.description import Portrait
from weps.report.view import Report
from weps.report.writing import COLUMNS, WRITERS, as_csv, as_xml, write
from weps.sources.xml import read_clustering


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


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_every_public_name_exists():
    assert all(hasattr(weps.report, name) for name in weps.report.__all__)


def test_four_files_are_written_the_json_last(answer, tmp_path):
    folder = tmp_path / "a" / "b"
    files = write(Report(answer, {"rand": 0.5}, notes=("a note",)), "Ann_Example", folder)
    assert [path.name for path in files] == [
        "Ann_Example.csv",
        "Ann_Example.clust.xml",
        "Ann_Example.html",
        "Ann_Example.json",
    ]
    assert set(contents(folder)) == {path.name for path in files}


def test_files_are_utf8_with_lf_and_the_same_every_time(hostile, tmp_path):
    for folder in ("first", "second"):
        write(Report(hostile), "x", tmp_path / folder)
    assert contents(tmp_path / "first") == contents(tmp_path / "second")
    for data in contents(tmp_path / "first").values():
        assert data.decode("utf-8").endswith("\n")
        assert b"\r" not in data


def test_lone_surrogates_do_not_stop_a_name(hostile, tmp_path):
    odd = type(hostile)("Ann \ud800", hostile.people, hostile.merges, "m", "s")
    assert all(path.read_bytes().decode("utf-8") for path in write(Report(odd), "x", tmp_path))


def test_an_older_answer_is_replaced(answer, crowd, tmp_path):
    write(Report(crowd), "x", tmp_path)
    write(Report(answer), "x", tmp_path)
    expected = {f"x{suffix}": WRITERS[suffix](Report(answer)).encode() for suffix in WRITERS}
    assert contents(tmp_path) == expected


@pytest.mark.parametrize("identifier", ["", ".", "..", "a/b", "a\\b", "../x", "a\x00", "a\nb"])
def test_an_identifier_is_a_file_name(identifier, answer, tmp_path):
    with pytest.raises(OutputError, match="is no file name"):
        write(Report(answer), identifier, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_file_where_the_folder_should_be(answer, tmp_path):
    (tmp_path / "out").write_bytes(b"kept")
    with pytest.raises(OutputError) as caught:
        write(Report(answer), "x", tmp_path / "out")
    assert str(caught.value) == (
        f"{tmp_path / 'out'}: is a file where a folder should be; choose another folder"
    )
    with pytest.raises(OutputError, match=r"out.below: the folder cannot be made"):
        write(Report(answer), "x", tmp_path / "out" / "below")
    assert (tmp_path / "out").read_bytes() == b"kept"


def test_a_name_too_long_for_the_file_system(answer, tmp_path):
    with pytest.raises(OutputError, match=r"cannot be written \(File name too long\)"):
        write(Report(answer), "x" * 300, tmp_path)
    assert contents(tmp_path) == {}


def test_a_folder_in_the_way_of_a_file(answer, tmp_path):
    (tmp_path / "x.html").mkdir()
    with pytest.raises(OutputError, match=r"x\.html: cannot be written"):
        write(Report(answer), "x", tmp_path)
    assert {path.suffix for path in tmp_path.iterdir()} == {".csv", ".xml", ".html"}


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EROFS])
@pytest.mark.parametrize("fails_at", [1, 3])
def test_what_was_there_stays_when_writing_fails(code, fails_at, answer, tmp_path, monkeypatch):
    write(Report(answer), "old", tmp_path)
    before, really, calls = contents(tmp_path), Path.write_bytes, []

    def fill_up(path: Path, data: bytes) -> int:
        calls.append(path)
        written = really(path, data[:10])
        if len(calls) == fails_at:
            raise OSError(code, "No more")
        return written

    monkeypatch.setattr(Path, "write_bytes", fill_up)
    with pytest.raises(OutputError, match=r"cannot be written \(No more\); choose a folder"):
        write(Report(answer), "old", tmp_path)
    assert contents(tmp_path) == before


def test_a_killed_run_leaves_no_half_written_name(answer, tmp_path, monkeypatch):
    def killed(_: Path, target: Path) -> None:
        raise KeyboardInterrupt(str(target))

    monkeypatch.setattr(Path, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        write(Report(answer), "x", tmp_path)
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("which", ["answer", "hostile", "crowd"])
def test_the_official_format_reads_back(which, tmp_path, request):
    answer = request.getfixturevalue(which)
    path = tmp_path / "answer.clust.xml"
    path.write_text(as_xml(Report(answer)), "utf-8")
    assert read_clustering(path) == answer.clustering


def test_entities_are_people(answer):
    assert as_xml(Report(answer)).splitlines() == [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<clustering name="Ann Example">',
        '  <entity id="0" name="Ann the logician">',
        '    <doc rank="0"/>',
        '    <doc rank="2"/>',
        '    <doc rank="7"/>',
        "  </entity>",
        '  <entity id="1">',
        '    <doc rank="3"/>',
        '    <doc rank="5"/>',
        "  </entity>",
        '  <entity id="2" name="old town">',
        '    <doc rank="1"/>',
        "  </entity>",
        "</clustering>",
    ]
