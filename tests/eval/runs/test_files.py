import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from eval.runs import RunCorpus, read_runs, write_run
from eval.runs import files as module
from tests.eval.runs.made_up import run_of
from weps.errors import OutputError, SourceError


def test_a_file_is_named_after_its_run(tmp_path: Path) -> None:
    path = write_run(run_of(seed=7), tmp_path / "new" / "runs")
    assert path == tmp_path / "new" / "runs" / "paper_WePS-1_cv-5_seed7.json"
    assert read_runs(path) == (run_of(seed=7),)


@pytest.mark.parametrize(
    ("system", "name"),
    [
        ("../../etc/passwd", "etc-passwd"),
        ("a:b*c?", "a-b-c"),
        ("Œuvre…", "uvre"),
        ("…", "x"),
        ("x" * 500, "x" * 40),
    ],
)
def test_no_system_name_leaves_the_folder(tmp_path: Path, system: str, name: str) -> None:
    path = write_run(run_of(system=system), tmp_path)
    assert path == tmp_path / f"{name}_WePS-1_cv-5_seed0.json"


def test_a_folder_of_runs_is_read_by_file_name(tmp_path: Path) -> None:
    for seed in (2, 0, 1):
        write_run(run_of(seed=seed), tmp_path)
    (tmp_path / "notes.txt").write_text("no run")
    assert [run.seed for run in read_runs(tmp_path)] == [0, 1, 2]


def test_the_same_run_makes_the_same_bytes(tmp_path: Path) -> None:
    first = write_run(run_of(), tmp_path / "a")
    second = write_run(run_of(), tmp_path / "b")
    assert first.read_bytes() == second.read_bytes()


def test_a_run_recorded_again_takes_its_place(tmp_path: Path) -> None:
    write_run(run_of(), tmp_path)
    later = replace(
        run_of(),
        made="another command",
        date="2027-01-01",
        seconds={"learning": 1},
        machine={"cores": 64},
    )
    write_run(later, tmp_path)
    assert read_runs(tmp_path) == (later,)


@pytest.mark.parametrize(
    "changed",
    [
        {"scores": {"Ada": {"rand": 0.5}}},
        {"configuration": {"classifier": "tree", "depth": 7}},
        {"corpus": RunCorpus("WePS-1", "weps-1", "00000000")},
        {"weps": "0.2.0"},
    ],
)
def test_another_run_is_never_replaced(tmp_path: Path, changed: dict[str, object]) -> None:
    first = write_run(run_of(), tmp_path)
    other = run_of(**changed)
    for _ in range(2):
        assert write_run(other, tmp_path) == tmp_path / "paper_WePS-1_cv-5_seed0_2.json"
    assert read_runs(first) == (run_of(),)
    assert len(read_runs(tmp_path)) == 2


def test_what_is_no_run_is_never_replaced(tmp_path: Path) -> None:
    stranger = tmp_path / "paper_WePS-1_cv-5_seed0.json"
    stranger.write_text("precious")
    (tmp_path / "paper_WePS-1_cv-5_seed0_2.json").mkdir()
    assert write_run(run_of(), tmp_path).name == "paper_WePS-1_cv-5_seed0_3.json"
    assert stranger.read_text() == "precious"


def test_a_place_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError):
        write_run(run_of(), tmp_path / "file")


NAN = json.dumps(run_of().as_data()).replace("0.25", "NaN")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"null",
        b"7",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"\xff\xfe\x00",
        b'{"kind": "weps model"}',
        b'{"kind": "weps run", "format": 2}',
        b"9" * 10_000,
        NAN.encode(),
        NAN.replace("NaN", "1e999").encode(),
        NAN.replace("NaN", "-Infinity").encode(),
    ],
    ids=range(13),
)
def test_a_damaged_or_foreign_file_is_named(tmp_path: Path, content: bytes) -> None:
    write_run(run_of(), tmp_path)
    path = tmp_path / "zzz.json"
    path.write_bytes(content)
    for place in (path, tmp_path):
        with pytest.raises(SourceError) as caught:
            read_runs(place)
        assert caught.value.where == path
        assert caught.value.remedy
        assert len(str(caught.value)) < 500 + len(str(path))


def test_a_huge_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_run(run_of(), tmp_path)
    size = path.stat().st_size
    monkeypatch.setattr(module, "_LARGEST", size)
    assert read_runs(path) == (run_of(),)
    monkeypatch.setattr(module, "_LARGEST", size - 1)
    with pytest.raises(SourceError, match="too large"):
        read_runs(path)


def _nothing(path: Path) -> None:
    path.parent.mkdir()


def _pipe(path: Path) -> None:
    path.parent.mkdir()
    os.mkfifo(path)


@pytest.mark.parametrize("make", [_nothing, _pipe])
def test_what_is_no_file_is_not_opened(tmp_path: Path, make: Callable[[Path], None]) -> None:
    path = tmp_path / "runs" / "run.json"
    make(path)
    with pytest.raises(SourceError, match="no such file"):
        read_runs(path)


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no recorded runs"):
        read_runs(tmp_path)
