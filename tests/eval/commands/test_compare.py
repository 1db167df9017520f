"""Recorded runs go in, tables and a verdict come out."""

import json
from pathlib import Path

import pytest

from eval.commands.compare import report
from eval.runs import RunCorpus, write_run
from tests.eval.runs.made_up import run_of
from weps.commands.console import Console
from weps.errors import OutputError, SourceError, ValuesError

BASE = {f"N{number}": 0.5 for number in range(8)}
BETTER = dict.fromkeys(BASE, 0.75)


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Path, Path]:
    """Two seeds of one system in a folder, and a file with a better one."""
    folder = tmp_path / "paper"
    for seed in (0, 1):
        write_run(run_of(BASE, seed=seed), folder)
    return folder, write_run(run_of(BETTER, system="boosted"), tmp_path)


def test_a_folder_is_compared_with_a_file(
    runs: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert report(runs, Console()) == 0
    out = capsys.readouterr().out
    sides, differences, names, conclusion = out.split("\n\n")
    assert sides.splitlines()[1].split()[:4] == ["paper", "2", "0.500", "±0.000"]
    assert differences.startswith("boosted against paper")
    assert len(names.splitlines()) == 9
    assert conclusion.startswith("boosted against paper: better (F0.5 +0.250")
    assert "One seed only of boosted" in conclusion


def test_the_json_holds_what_the_tables_show(runs: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "compared.json"
    assert report(runs, Console(quiet=True), out) == 0
    data = json.loads(out.read_text("utf-8"))
    assert list(data["systems"]) == ["paper", "boosted"]
    assert data["comparisons"][0]["verdict"] == "better"


def test_every_other_system_is_compared_with_the_first(
    runs: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    third = write_run(run_of(BASE, system="tuned"), tmp_path / "tuned")
    report([*runs, third], Console())
    out = capsys.readouterr().out
    assert "boosted against paper: better" in out
    assert "tuned against paper: within the noise" in out
    assert "tuned against boosted" not in out


def test_systems_of_one_name_are_told_apart_by_their_places(
    runs: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deeper = run_of(BETTER, configuration={"classifier": "tree", "depth": 9})
    path = write_run(deeper, tmp_path / "deeper")
    report([runs[0], path], Console())
    assert f"{path} against {runs[0]}: better" in capsys.readouterr().out


@pytest.mark.parametrize("number", [0, 1])
def test_one_system_is_no_comparison(runs: tuple[Path, Path], number: int) -> None:
    with pytest.raises(SourceError, match="nothing to compare"):
        report(runs[:number], Console())


def test_a_system_is_not_compared_with_itself(runs: tuple[Path, Path]) -> None:
    with pytest.raises(SourceError, match="given twice") as caught:
        report([*runs, runs[0]], Console())
    assert caught.value.where == runs[0]


def test_a_folder_of_several_systems_is_named(runs: tuple[Path, Path]) -> None:
    write_run(run_of(BASE, system="boosted"), runs[0])
    with pytest.raises(ValuesError, match=r"system \(boosted, paper\)") as caught:
        report(runs, Console())
    assert caught.value.where == str(runs[0])


def test_runs_on_other_corpora_are_refused(runs: tuple[Path, Path], tmp_path: Path) -> None:
    other = run_of(BASE, corpus=RunCorpus("WePS-2", "weps-2", "99999999"))
    with pytest.raises(ValuesError, match="WePS-1 3fa29b11c0de and WePS-2 99999999"):
        report([runs[0], write_run(other, tmp_path / "other")], Console())


def test_a_json_that_cannot_be_written_is_told_first(tmp_path: Path) -> None:
    with pytest.raises(OutputError):
        report([], Console(), tmp_path / "none" / "out.json")
