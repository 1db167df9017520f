"""One run of ``weps meta correlation`` on a small table, and what can go wrong."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.cases import each_case
from tests.eval.studies.made_up_scores import StudyRun, matrix, run_study, write


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two criteria; the second is of whole systems."""
    found = matrix()
    rank = [float(each[1:]) for each in found.system]
    both = replace(found, criteria=("quality", "rank"), human=np.vstack([found.human, rank]))
    return write(tmp_path_factory.mktemp("correlation") / "table.csv", both)


@pytest.fixture(scope="module")
def made(table: Path) -> StudyRun:
    return run_study(table.parent, "correlation", table)


def test_the_terminal_shows_the_best_of_each_criterion(made):
    assert made.out.startswith("People judged whole systems by rank, not single outputs:")
    assert "too few to say  systems: 7; outputs: 56 " in made.out
    assert max(map(len, made.out.split("\n\nsource:")[0].splitlines())) <= 100
    quality, rank = made.out.split("Agreement with people: ")[1:]
    assert quality.splitlines()[1].split("  ")[0] == "measure"
    assert rank.splitlines()[1].split() == ["measure", "by", "systems", "p"]


def test_json_has_all_levels_that_people_judged(made):
    quality, rank = (made.data["criteria"][name] for name in ("quality", "rank"))
    assert set(quality["levels"]) > {"system", "segment"}
    assert set(rank["levels"]) == {"system"}
    assert rank["halves"] is None
    assert quality["resampled"]["system"] == "topics and systems" == made.data["resampled"]
    best = quality["permutation_test"]["segment"]["best"]
    assert best not in quality["permutation_test"]["segment"]["p"]
    values = {name: each["value"] for name, each in quality["levels"]["segment"]["pearson"].items()}
    assert max(values, key=values.__getitem__) == best
    assert any("rank: " in each["figures"] for each in made.data["conclusions"])


def test_the_report_has_tables_and_figures_of_each_criterion(made):
    names = {path.name for path in made.report.iterdir()}
    assert names >= {"c1-levels.svg", "c1-best.png", "c1-within-topic.csv", "c1-halves.md"}
    assert {name for name in names if name.startswith("c2")} == {"c2-system.csv", "c2-system.md"}
    assert "data named here are used instead" in (made.report / "index.md").read_text()
    heading, first, *_ = (made.report / "c1-segment.csv").read_text().splitlines()
    assert heading.startswith('"measure","looks at","pearson",')
    assert first.startswith(
        f'"{made.data["criteria"]["quality"]["permutation_test"]["segment"]["best"]}"'
    )
    assert first.endswith('"–"')


def test_values_of_parameters_are_compared(tmp_path):
    names = ("wsk(decay=0.1)", "rouge_l", "wsk", "wsk(length=3)", "wsk(decay=0.3)", "mine(decay=1)")
    made = run_study(tmp_path, "correlation", write(tmp_path / "t.csv", matrix(names)))
    lines = made.out.split("Parameters that agree best by systems: quality")[1].splitlines()
    assert [line.split()[:2] for line in lines[2:5]] == [
        ["wsk", kind] for kind in ("pearson", "spearman", "kendall")
    ]
    found = made.data["criteria"]["quality"]["levels"]["system"]["pearson"]
    first, middle, last = (
        found[name]["value"] for name in ("wsk(decay=0.1)", "wsk(decay=0.3)", "wsk")
    )
    assert f"  {max(first, middle, last):.3f} (" in lines[2]
    drawn = {path.name for path in made.report.glob("*-wsk-*.svg")}
    assert drawn == {"c1-wsk-decay-pearson.svg", "c1-wsk-decay-spearman.svg"}
    assert f"wsk {first:.2f} to {last:.2f}" in (made.report / "index.html").read_text()


@each_case(
    ("options", "message"),
    [
        (("--human", "qualty"), "did you mean 'human:quality'"),
        (("--measures", "rouge(n=7)"), "there is no measure 'rouge(n=7)'"),
        (("--report", __file__), "test_study.py"),
    ],
)
def test_what_cannot_be_done_is_an_error(weps, table, options, message):
    status, _, error = weps("meta", "correlation", table, *options)
    assert status == 1
    assert message in error
