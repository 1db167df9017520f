"""Published sets from the command line, made up in small."""

from pathlib import Path

import pytest

from eval.text.testbed.files import read_testbed
from eval.text.testbed.matrix import read_matrix
from tests.conftest import Weps
from tests.eval.text.convert.test_summaries import folder as duc_folder


@pytest.fixture
def sts(tmp_path: Path) -> Path:
    folder = tmp_path / "sts"
    folder.mkdir()
    (folder / "STS.input.OnWN.txt").write_text("It rose.\tIt fell.\nBoats.\tA boat.\n")
    (folder / "STS.gs.OnWN.txt").write_text("1.5\n4\n")
    return folder


def test_a_testbed_is_made(weps: Weps, sts: Path, tmp_path: Path) -> None:
    out = tmp_path / "sts.jsonl.gz"
    status, told, err = weps("text", "convert", "sts", sts, "--out", out)
    assert (status, err) == (0, "")
    assert told == (
        f"testbed: {out}\n2 topics, 2 outputs, 2 references; systems: second; human scores: "
        "similarity\n"
    )
    assert [topic.topic for topic in read_testbed(out).topics] == ["OnWN.1", "OnWN.2"]


def test_a_matrix_is_made_of_one_of_the_tables(weps: Weps, tmp_path: Path) -> None:
    folder, out = duc_folder(tmp_path / "duc"), tmp_path / "duc.csv"
    words = ["text", "convert", "duc", folder, "--out", out]
    status, told, err = weps(*words, "--table", "2001_sameLen_stop_words_removed")
    assert (status, err) == (0, "")
    assert told.startswith(f"measure matrix: {out}\n3 outputs, measures: R1_recall, R1_f, ")
    assert read_matrix(out).matrix.criteria == ("coverage",)
    for name, fault in (("nope", "unknown table 'nope'"), ("", "one of several tables must")):
        status, _, err = weps(*words, *(["--table", name] if name else []))
        assert status == 1
        assert fault in err
        assert "2001_sameLen_stop_words_remaining" in err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["summeval", ".", "--out", "t.jsonl"], "summeval.jsonl.gz not found"),
        (["wmt", ".", "--out", "t.jsonl"], "not found"),
        (["sts", "sts", "--out", "nowhere/t.jsonl"], "there is no such folder"),
        (["sts", "sts", "--out", "t.jsonl", "--table", "x"], "--table has no meaning for sts"),
    ],
)
def test_wrong_use_is_told_in_one_line(
    weps: Weps, sts: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], told: str
) -> None:
    monkeypatch.chdir(sts.parent)
    status, out, err = weps("text", "convert", *words)
    assert (status, out) == (1, "")
    (line,) = err.splitlines()
    assert told in line


def test_an_unknown_set(weps: Weps, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        weps("text", "convert", "nope", ".", "--out", "t.jsonl")
    assert "summeval" in capsys.readouterr().err
