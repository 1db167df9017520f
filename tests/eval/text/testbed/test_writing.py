import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.testbed import Output, Testbed, read_testbed, write_testbed
from tests.eval.text.testbed.made_up import HEADER, first, tides
from weps.errors import OutputError


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
