"""Corrections as ``weps cluster`` takes them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import weps.cli.cluster as answer_module
from weps.corrections.file import read_corrections

Weps = Callable[..., tuple[int, str, str]]
TRADES = ("baker", "baker", "sailor", "sailor")


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Four saved pages for the name Ada Lovell: two of a baker, two of a sailor."""
    folder = tmp_path / "pages" / "Ada_Lovell"
    folder.mkdir(parents=True)
    for number, trade in enumerate(TRADES, start=1):
        text = f"<title>Ada Lovell {number}</title><p>Ada Lovell is a {trade} in Port Merrow."
        (folder / f"{number:03}.html").write_text(text)
    return folder


def people(out: Path) -> set[frozenset[int]]:
    answer = json.loads((out / "Ada_Lovell.json").read_text())
    return {frozenset(page["rank"] for page in each["pages"]) for each in answer["people"]}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("same 1 2 3 4", {frozenset({1, 2, 3, 4})}),
        ("different 1 / 2 3 4\nsame 2 3 4", {frozenset({1}), frozenset({2, 3, 4})}),
        (
            "different 1 2 / 3 4\ndifferent 1 / 2\ndifferent 3 / 4",
            {frozenset({rank}) for rank in (1, 2, 3, 4)},
        ),
        ("same 1 3\nsame 2 4\ndifferent 1 / 2", {frozenset({1, 3}), frozenset({2, 4})}),
    ],
)
@pytest.mark.parametrize("threshold", [(), ("--threshold", "0"), ("--threshold", "1")])
def test_corrections_are_obeyed_whatever_the_threshold(
    weps: Weps,
    pages: Path,
    tmp_path: Path,
    lines: str,
    expected: set[frozenset[int]],
    threshold: tuple[str, ...],
) -> None:
    file = tmp_path / "mine.txt"
    file.write_text(lines)
    out = tmp_path / "out"
    status, printed, _ = weps("cluster", pages, "--out", out, "--corrections", file, *threshold)
    assert status == 0
    assert people(out) == expected
    assert f"{len(lines.splitlines())} correction" in printed


def test_corrections_from_elsewhere_are_kept_beside_the_result(
    weps: Weps, pages: Path, tmp_path: Path
) -> None:
    file, out = tmp_path / "mine.txt", tmp_path / "out"
    file.write_text("same 1 3\n")
    assert weps("cluster", pages, "--out", out, "--corrections", file)[2] == ""
    (kept,) = read_corrections(out / "Ada_Lovell.corrections.txt").entries
    assert kept.same == (1, 3)
    before = (out / "Ada_Lovell.corrections.txt").read_bytes()
    file.write_text("same 1 4\n")
    _, _, warned = weps("cluster", pages, "--out", out, "--corrections", file)
    assert f"differs from {file}; later runs use it" in warned
    assert (out / "Ada_Lovell.corrections.txt").read_bytes() == before


def test_corrections_beside_the_results_are_obeyed_unless_told_not_to(
    weps: Weps, pages: Path, tmp_path: Path
) -> None:
    weps("cluster", pages, "--out", tmp_path, "--threshold", "1")
    apart = people(tmp_path)
    (tmp_path / "Ada_Lovell.corrections.txt").write_text("same 1 2 3 4\ncalled 4 Ada the First\n")
    weps("cluster", pages, "--out", tmp_path, "--threshold", "1")
    assert people(tmp_path) == {frozenset({1, 2, 3, 4})}
    (person,) = json.loads((tmp_path / "Ada_Lovell.json").read_text())["people"]
    assert person["called"] == person["label"] == "Ada the First"
    assert person["confidence"] == 1.0
    weps("cluster", pages, "--out", tmp_path, "--threshold", "1", "--no-corrections")
    assert people(tmp_path) == apart != {frozenset({1, 2, 3, 4})}
    assert (tmp_path / "Ada_Lovell.corrections.txt").is_file()


def test_a_folder_of_corrections_serves_several_names(
    weps: Weps, pages: Path, tmp_path: Path
) -> None:
    other = pages.with_name("Bo_Lovell")
    other.mkdir()
    (other / "001.html").write_text("<p>Bo Lovell, baker")
    folder = tmp_path / "said"
    folder.mkdir()
    (folder / "Ada_Lovell.corrections.txt").write_text("same 1 3\n")
    out = tmp_path / "out"
    status, printed, _ = weps("cluster", pages.parent, "--out", out, "--corrections", folder)
    assert status == 0
    assert "confidence" not in printed  # a table is for one name
    assert any({1, 3} <= group for group in people(out))


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("same 1 2\ndifferent 1 / 2", ["1", "2", "line 1", "line 2"]),
        ("same 1 2\nsame 2 3\ndifferent 3 / 1", ["line 1", "line 2", "line 3"]),
        ("same 1 x\nunknown 3", ["line 1", "line 2"]),
    ],
)
def test_contradictions_and_faults_are_named_and_nothing_is_written(
    weps: Weps, pages: Path, tmp_path: Path, lines: str, words: list[str]
) -> None:
    file = tmp_path / "mine.txt"
    file.write_text(lines)
    out = tmp_path / "out"
    status, _, errors = weps("cluster", pages, "--out", out, "--corrections", file)
    assert status == 1
    assert all(word in errors for word in words)
    assert len(errors.splitlines()) == 1
    assert not list(out.glob("Ada_Lovell.*"))


def test_a_page_that_is_not_there_costs_a_warning(weps: Weps, pages: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("same 1 3 77\n")
    out = tmp_path / "out"
    status, _, errors = weps("cluster", pages, "--out", out, "--corrections", file)
    assert status == 0
    sentence = "page 77 is not among the pages"
    assert sentence in errors
    assert sentence in (out / "Ada_Lovell.html").read_text("utf-8")
    assert any({1, 3} <= group for group in people(out))


@pytest.mark.parametrize(
    ("there", "fault"),
    [(False, "no such file"), (True, "a corrections file is for one name, got 2 names")],
)
def test_corrections_that_cannot_be_had_are_told_before_the_work(
    weps: Weps, pages: Path, tmp_path: Path, there: bool, fault: str
) -> None:
    file = tmp_path / "mine.txt"
    if there:
        file.write_text("same 1 2")
    other = pages.with_name("Bo_Lovell")
    other.mkdir()
    (other / "001.html").write_text("<p>Bo Lovell, baker")
    status, _, errors = weps(
        "cluster", pages.parent, "--out", tmp_path / "out", "--corrections", file
    )
    assert status == 1
    assert f"{file}: {fault}" in errors


def test_a_pipeline_without_names_costs_a_warning(
    weps: Weps, pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = answer_module.cluster
    monkeypatch.setattr(
        answer_module, "cluster", lambda *a, **k: replace(plain(*a, **k), note="no names here")
    )
    status, _, errors = weps("cluster", pages, "--out", tmp_path)
    assert status == 0
    assert "no names here" in errors
    assert "no names here" in (tmp_path / "Ada_Lovell.html").read_text()
