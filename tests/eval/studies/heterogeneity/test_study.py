"""``weps meta heterogeneity`` run once on each kind of source."""

import pytest

from tests.eval.studies.made_up_groups import write_source
from tests.eval.studies.made_up_scores import NAMES, run_study

FIGURES = ("additive", "reliability", "gain", "thresholds", "increase")


def test_a_matrix_with_scores_of_people(tmp_path):
    made = run_study(tmp_path, "heterogeneity", write_source(tmp_path, "table"), "--sets", 5)
    assert max(map(len, made.out.splitlines()[:-1])) <= 100
    assert made.data["signature"] in made.out
    titles = ("Sets of measures and people", "Random sets by size", "What holds here")
    assert all(title in made.out for title in titles)
    assert "by KING (1)" not in made.out
    assert list(made.data["people"]["quality"]["reliability"]) == list(NAMES)
    for each in made.data["sets"]:
        assert set(each["measures"]) <= set(NAMES)
        assert each["people"]["quality"].keys() == {"reliability", "sensitivity", "gain"}
    names = {path.name for path in made.report.iterdir()}
    assert {f"people-1-{each}.svg" for each in FIGURES} | {"levels.png"} <= names
    assert {"conclusions.csv", "summary.csv", "sizes.csv", "pairs.csv", "people-1.csv"} <= names
    assert "choices.csv" not in names


@pytest.mark.slow
def test_features_of_labelled_instances_are_chosen_side_by_side(tmp_path):
    words = ("--sets", 5, "--most", 15)
    made = run_study(tmp_path, "heterogeneity", write_source(tmp_path, "pairs"), *words)
    assert "by KING (1)" in made.out
    assert "Of 80 instances 60 were drawn at random" in made.out
    assert len(made.data["choices"]) == len(NAMES)
    rows = (made.report / "choices.csv").read_text().splitlines()[1:]
    first = made.data["choices"][0]
    assert rows[0].startswith(f'"1","{first["by_king"]}","{first["by_max_pwa"]}"')


@pytest.mark.slow
def test_without_people_there_is_heterogeneity(tmp_path):
    made = run_study(tmp_path, "heterogeneity", write_source(tmp_path, "unjudged"), "--sets", 5)
    assert made.data["people"] == {}
    assert made.data["conclusions"]
    assert "Sets of measures and people" not in made.out
    names = {path.name for path in made.report.iterdir()}
    assert "sizes.csv" in names
    assert not names & {"summary.csv", "people-1.csv"}


def test_one_measure_contradicts_nothing(tmp_path, weps):
    source = write_source(tmp_path, "table")
    status, _, error = weps("meta", "heterogeneity", source, "--measures", "dice")
    assert status == 1
    assert "a single measure contradicts nothing" in error
