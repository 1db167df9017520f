"""One run of ``weps meta improvements`` on a small table, and what can go wrong."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.cases import each_case
from tests.eval.studies.made_up_scores import StudyRun, judged, matrix, run_study, write

OFFICIAL = "s6.1 HUMAN.0 s0.2\ns6.1 - 0.1 0.3***\nHUMAN.0 -0.1 - 0.1\ns0.2 -0.3 -0.2 -\n"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("improvements") / "table.csv", matrix(topics=12))


@pytest.fixture(scope="module")
def official(table: Path) -> Path:
    path = table.with_name("official.csv")
    path.write_text(OFFICIAL)
    return path


@pytest.fixture(scope="module")
def made(table: Path) -> StudyRun:
    return run_study(table.parent, "improvements", table, "--chosen", "s6")


def rows(made: StudyRun, key: str) -> list[str]:
    """The first cell of each row of a table, the best first."""
    lines = (made.report / f"{key}.csv").read_text().splitlines()[1:]
    return [line.split(",")[0].strip('"') for line in lines]


def test_the_terminal_shows_the_best_measures(made):
    assert "84 outputs of 7 systems on 12 topics have a score for quality." in made.out
    assert "In the paper the chosen system is human-aided; s6 is used instead here." in made.out
    assert max(map(len, made.out.split("\n\nsource:")[0].splitlines())) <= 100
    heading, best = made.out.split("can be trusted: quality\n")[1].splitlines()[:2]
    assert heading.split()[:3] == ["measure", "SIP", "SIR"]
    assert best.startswith("rouge(n=1) ")  # it has the least noise


def test_json_has_every_question(made):
    improvements, oracle = made.data["improvements"], made.data["oracle"]
    assert ["s6", "s0"] in improvements["real"]
    measures = {*judged().measures, "ULC", "ULC (standardised)"}
    assert set(improvements["sip"]) == set(oracle["measures"]) == measures
    assert made.data["decrease"]["chosen"] == "s6"
    assert oracle["least"]["value"] < oracle["random"]["value"] < oracle["most"]["value"]


def test_the_report_has_a_table_and_a_figure_of_every_question(made):
    names = {path.name for path in made.report.iterdir()}
    assert names >= {"sip-sir.svg", "low-high.svg", "decreases.svg", "oracle-systems.png"}
    assert rows(made, "improvements")[0] == "rouge(n=1)"
    oracle = rows(made, "oracle")
    assert (oracle[0], oracle[-1]) == ("the best", "the worst")
    assert "by chance" in oracle
    note = (made.report / "improvements.md").read_text()
    pairs = len(made.data["improvements"]["real"])
    assert f"Of 21 pairs of 7 systems people find {pairs} significant improvements" in note
    low = int((matrix(topics=12).human <= 1.5).sum())
    assert f"{low} outputs are low" in (made.report / "extremes.md").read_text()


@pytest.mark.slow
def test_published_improvements(table, official, tmp_path):
    made = run_study(tmp_path, "improvements", table, "--official", official, "--stars", 3)
    assert "Improvements by people are those of official.csv, 3 stars or more." in made.out
    assert "Systems of that table that are not available: HUMAN." in made.out
    assert "Systems that are not in that table: s1" in made.out
    assert made.data["improvements"]["real"] == [["s6", "s0"]]


@pytest.mark.slow
def test_published_improvements_need_no_scores(official, tmp_path):
    unjudged = replace(matrix(topics=12), criteria=(), human=np.empty((0, 84)))
    source = write(tmp_path / "t.csv", unjudged)
    made = run_study(tmp_path, "improvements", source, "--official", official)
    assert "not single outputs: low and high scores, decreases and" in " ".join(made.out.split())
    assert (made.data["criterion"], made.data["oracle"]) == (None, None)


@each_case(
    ("options", "message"),
    [
        (("--scale", 5, 1), "a scale cannot go from 5 to 1"),
        (("--chosen", "s9"), "there is no system 's9'"),
        (("--official", "nowhere.csv"), "nowhere.csv"),
    ],
)
def test_what_cannot_be_done_is_an_error(weps, table, options, message):
    status, _, error = weps("meta", "improvements", table, *options)
    assert status == 1
    assert message in error
