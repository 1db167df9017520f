import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from eval.text.testbed import read_testbed, reading
from tests.eval.text.testbed.made_up import HEADER, data, second, tides, write
from weps.errors import SourceError, ValuesError


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
        "line 1: the language is no text of 1 to 1,000 characters",
        "line 3: this is no JSON that can be read",
        "line 4: there is no reference",
        "line 5: the topic 'harbours' is there already",
        "line 6: this is no text in UTF-8",
        "line 7: given twice: 'topic'",
        "line 8: this is no JSON that can be read",
    ]


def test_of_many_faulty_lines_the_first_are_told(tmp_path: Path) -> None:
    with pytest.raises(ValuesError, match=r"line 21: .*; and 5 more lines; mend"):
        read_testbed(write(tmp_path, HEADER, *["{"] * 25))


@pytest.mark.parametrize("score", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_scores_that_are_no_finite_numbers(tmp_path: Path, score: str) -> None:
    line = json.dumps(data()).replace("1.5", score)
    with pytest.raises(ValuesError, match="line 2: the human score 'coherence' of output 1 is no"):
        read_testbed(write(tmp_path, HEADER, line))


FOREIGN: list[tuple[Any, str]] = [
    (b"", "this is no testbed"),
    ("topic,system\n1,2", "this is no testbed"),
    (data(), "this is no testbed"),
    ([1], "this is no testbed"),
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
    with pytest.raises(SourceError, match="there is no such file"):
        read_testbed(tmp_path / "no.jsonl")


@pytest.mark.parametrize(
    "damage",
    [lambda raw: raw[:-20], lambda raw: b"none" + raw, lambda raw: raw[:12] + b"\xff" * 30],
)
def test_damaged_gzip(tmp_path: Path, damage: Any) -> None:
    path = tmp_path / "made.jsonl.gz"
    raw = gzip.compress(write(tmp_path, HEADER, data(), second().as_data()).read_bytes())
    path.write_bytes(damage(raw))
    with pytest.raises(SourceError, match="cannot be read"):
        read_testbed(path)


@pytest.mark.parametrize(
    ("limit", "told"), [("_LONGEST", "line 2 has more than"), ("_LARGEST", "GB")]
)
def test_files_are_read_within_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, told: str
) -> None:
    monkeypatch.setattr(reading, limit, 200)
    with pytest.raises(SourceError, match=told):
        read_testbed(write(tmp_path, HEADER, data()))


def test_empty_lines_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two gigabytes of line ends, a few megabytes when packed, would take half an hour."""
    monkeypatch.setattr(reading, "_MOST_LINES", 9)
    (tmp_path / "t.jsonl").write_text(json.dumps(HEADER) + "\n" * 10)
    with pytest.raises(SourceError, match="more than 9 lines"):
        read_testbed(tmp_path / "t.jsonl")
