"""``weps cluster --ask``: questions on a terminal, whose answers are corrections."""

import io
import re

import pytest

from weps.cli.console import Console
from weps.corrections.file import read_corrections

QUESTION = re.compile(r"Question (\d) of 5: are these two pages about the same person\?")


@pytest.fixture
def ask(weps, tmp_path, monkeypatch):
    """Run the command on the demo with these lines of input."""
    monkeypatch.setattr(Console, "can_ask", True)

    def run(lines, *options):
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        common = ("--out", tmp_path / "out", "--embeddings", "none", "--write", "json")
        return weps("cluster", "resources/demo", "--ask", *common, *options)

    return run


def test_answers_are_corrections_that_the_result_obeys(ask, tmp_path):
    status, out, err = ask("y\nn\n?\nperhaps\nq\n")
    assert status == 0
    assert QUESTION.findall(err) == ["1", "2", "3", "4"]
    assert "2 answers saved" in out
    assert "2 corrections applied" in out
    saved = read_corrections(tmp_path / "out" / "Robin_Averdale.corrections.txt")
    assert [each.kind for each in saved.entries] == ["same", "different"]
    # What was answered is not asked about again, and the end of the input is the end.
    pairs = {tuple(sorted(each.ranks)) for each in saved.entries}
    _, out, err = ask("")
    assert "nothing was saved" in out
    assert QUESTION.findall(err) == ["1"]
    shown = tuple(map(int, re.findall(r"^  page (\d+):", err, re.MULTILINE)))
    assert shown not in pairs


@pytest.mark.parametrize(
    ("options", "message"),
    [(["--no-corrections"], "beside the result"), (["--shard", "1/2"], "for one name")],
)
def test_questions_are_for_one_name_and_the_corrections_beside_it(ask, options, message):
    status, _, err = ask("y\n", *options)
    assert status == 1
    assert message in err


def test_without_a_terminal_nobody_can_be_asked(weps, tmp_path):
    status, _, err = weps("cluster", "resources/demo", "--ask", "--out", tmp_path)
    assert status == 1
    assert "--ask needs an interactive terminal" in err
