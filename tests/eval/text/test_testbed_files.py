import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text import testbed as files
from eval.text.testbed import Output, Testbed, read_testbed, write_testbed
from tests.eval.text.made_up_testbed import HEADER, data, first, second, tides, write
from weps.errors import OutputError, SourceError, ValuesError


def test_a_testbed_is_read(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER, data(), "", second().as_data(), "", " ")
    assert read_testbed(path) == tides()


def test_a_byte_order_mark_and_other_line_ends_do_not_matter(tmp_path: Path) -> None:
    lines = [f"{json.dumps(line)}\r" for line in (HEADER, data(), second().as_data())]
    path = write(tmp_path, "\ufeff" + lines[0], *lines[1:])
    assert read_testbed(path) == tides()


def test_every_faulty_line_is_told_at_once(tmp_path: Path) -> None:
    lines = [
        {**HEADER, "language": ""},
        data(),
        "{",
        data(topic="two", references=[]),
        data(),
        b'{"topic": "\xff"}',
        '{"topic": "three", "topic": "four"}',
        "[" * 100_000,
        second().as_data(),
    ]
    with pytest.raises(ValuesError) as caught:
        read_testbed(write(tmp_path, *lines))
    assert caught.value.where == tmp_path / "made.jsonl"
    assert caught.value.what.split("; ") == [
        "line 1: expected 1 to 1,000 characters for the language",
        "line 3: invalid JSON",
        "line 4: no reference given",
        "line 5: the topic 'harbours' is there already",
        "line 6: not valid UTF-8",
        "line 7: given twice: 'topic'",
        "line 8: invalid JSON",
    ]


def test_of_many_faulty_lines_the_first_are_told(tmp_path: Path) -> None:
    with pytest.raises(ValuesError, match=r"line 21: .*; and 5 more lines; correct"):
        read_testbed(write(tmp_path, HEADER, *["{"] * 25))


@pytest.mark.parametrize("score", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_scores_that_are_no_finite_numbers(tmp_path: Path, score: str) -> None:
    line = json.dumps(data()).replace("1.5", score)
    with pytest.raises(
        ValuesError, match="line 2: expected a finite number for the human score 'coherence'"
    ):
        read_testbed(write(tmp_path, HEADER, line))


FOREIGN: list[tuple[Any, str]] = [
    (b"", "expected a testbed"),
    ("topic,system\n1,2", "expected a testbed"),
    (data(), "expected a testbed"),
    ([1], "expected a testbed"),
    ({**HEADER, "format": 2}, "another format than 1"),
]


@pytest.mark.parametrize(("line", "told"), FOREIGN)
def test_other_files_are_refused(tmp_path: Path, line: Any, told: str) -> None:
    with pytest.raises(SourceError, match=told):
        read_testbed(write(tmp_path, line, data()))


def test_a_testbed_without_topics_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValuesError, match="no topics"):
        read_testbed(write(tmp_path, HEADER))


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="file not found"):
        read_testbed(tmp_path / "no.jsonl")


@pytest.mark.parametrize(
    "damage",
    [lambda raw: raw[:-20], lambda raw: b"none" + raw, lambda raw: raw[:12] + b"\xff" * 30],
)
def test_damaged_gzip(tmp_path: Path, damage: Any) -> None:
    path = tmp_path / "made.jsonl.gz"
    raw = gzip.compress(write(tmp_path, HEADER, data(), second().as_data()).read_bytes(), mtime=0)
    path.write_bytes(damage(raw))
    with pytest.raises(SourceError, match="cannot be read"):
        read_testbed(path)


@pytest.mark.parametrize(
    ("limit", "told"), [("_LONGEST", "line 2 has more than"), ("_LARGEST", "GB")]
)
def test_files_are_read_within_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, told: str
) -> None:
    monkeypatch.setattr(files, limit, 200)
    with pytest.raises(SourceError, match=told):
        read_testbed(write(tmp_path, HEADER, data()))


def test_empty_lines_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two gigabytes of line ends, a few megabytes when packed, would take half an hour."""
    monkeypatch.setattr(files, "_MOST_LINES", 9)
    (tmp_path / "t.jsonl").write_text(json.dumps(HEADER) + "\n" * 10)
    with pytest.raises(SourceError, match="more than 9 lines"):
        read_testbed(tmp_path / "t.jsonl")


@pytest.mark.parametrize("name", ["made.jsonl", "made.jsonl.gz"])
def test_what_is_written_reads_back_and_is_the_same_each_time(tmp_path: Path, name: str) -> None:
    paths = [tmp_path / name, tmp_path / f"again {name}"]
    for path in paths:
        write_testbed(tides(), path)
    assert read_testbed(paths[0]) == tides()
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert sorted(tmp_path.iterdir()) == sorted(paths)


def test_the_time_does_not_show(tmp_path: Path) -> None:
    write_testbed(tides(), tmp_path / "made.jsonl.gz")
    assert (tmp_path / "made.jsonl.gz").read_bytes()[4:8] == bytes(4)


def test_the_first_line_says_what_the_file_is(tmp_path: Path) -> None:
    write_testbed(tides(), tmp_path / "made.jsonl")
    lines = (tmp_path / "made.jsonl").read_text("utf-8").splitlines()
    assert json.loads(lines[0]) == HEADER
    assert len(lines) == 3
    assert "潮" in lines[2]


def test_the_order_of_criteria_does_not_show(tmp_path: Path) -> None:
    written = set()
    for human in ({"a": 1.0, "b": 2.0}, {"b": 2.0, "a": 1.0}):
        topic = replace(first(), outputs=(Output("one", "x", human),))
        write_testbed(Testbed("Tides", "en", "made up", (topic,)), tmp_path / "made.jsonl")
        written.add((tmp_path / "made.jsonl").read_bytes())
    assert len(written) == 1


@given(st.text(st.characters(codec="utf-8")))
def test_any_text_reads_back(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("any") / "made.jsonl"
    topic = replace(first(), outputs=(Output("one", text), Output("two", (text, text))))
    bed = Testbed("Tides", "en", "made up", (topic,))
    write_testbed(bed, path)
    assert read_testbed(path) == bed


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be written"):
        write_testbed(tides(), tmp_path / "no" / "made.jsonl")
