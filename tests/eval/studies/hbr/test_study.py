"""``weps meta hbr`` run once on each kind of source, and what can go wrong."""

import numpy as np
import pytest

from tests.eval.studies.made_up_groups import instances, write_source
from tests.eval.studies.made_up_scores import NAMES, matrix, run_study, write
from weps_eval.meta.hbr import hbr
from weps_eval.meta.heterogeneity import PairwisePreferences
from weps_eval.studies.hbr import study
from weps_eval.tables.files import read_instances
from weps_eval.text.matrix import read_matrix


def test_a_matrix_with_scores_of_people(tmp_path):
    source, out = write_source(tmp_path, "table"), tmp_path / "out.csv"
    made = run_study(tmp_path, "hbr", source, "--samples", 0, "--out", out)
    before, after = (read_matrix(each).matrix for each in (source, out))
    assert after.measures == (*before.measures, "hbr")
    assert after.criteria == before.criteria
    topic = np.repeat(np.arange(8), 7)
    expected = hbr(before.values, PairwisePreferences.exact(before.values, topic), topic)
    assert after.column("hbr").tolist() == expected.tolist()
    assert "Heterogeneity over all pairs of instances of one topic" in made.out
    assert max(map(len, made.out.splitlines()[:-1])) <= 100
    assert made.data["signature"] in made.out
    figures = made.data["people"]["quality"]
    assert list(figures["auc"]) == list(figures["worst_tenth"]) == [*NAMES, "HBR"]
    assert list(figures["with_hbr"]) == list(NAMES)
    assert [figures["pwa"], figures["topics"]] == [None, 8]
    assert len(made.data["conclusions"]) == 7
    names = {path.name for path in made.report.iterdir()}
    assert {"people-1-auc.svg", "people-1-worst.png", "people-1-predicted.svg"} <= names
    assert {"people-1.csv", "predicted.csv", "systems.csv", "conclusions.csv"} <= names


@pytest.mark.slow
def test_labelled_instances(tmp_path):
    source, out = write_source(tmp_path, "pairs"), tmp_path / "out.npz"
    made = run_study(tmp_path, "hbr", source, "--samples", 0, "--rivals", 0, "--out", out)
    before = instances(groups=4, size=20)
    expected = hbr(
        before.values, PairwisePreferences.exact(before.values, before.group), before.group
    )
    assert np.allclose(read_instances(out).instances.column("hbr"), expected)
    assert "Agreement with the key" in made.out
    assert "boosted trees" in made.out
    assert made.data["people"]["label"]["pwa"].keys() == {*NAMES, "HBR", "boosted trees"}
    assert made.data["systems"] == []
    heading, *rows = (made.report / "people-1.csv").read_text().splitlines()
    assert heading.split(",")[2] == '"PWA"'
    (trees,) = (row.split(",") for row in rows if "boosted trees" in row)
    assert trees[heading.split(",").index('"rank in the worst 10 %"')] == '"–"'


@pytest.mark.slow
def test_without_people_there_are_predictions(tmp_path):
    made = run_study(tmp_path, "hbr", write_source(tmp_path, "unjudged"))
    assert "Quality of measures as HBR predicts it, best first" in made.out
    assert "Systems by HBR, without people" in made.out
    assert [made.data["people"], made.data["conclusions"]] == [{}, []]
    names = {path.name for path in made.report.iterdir()}
    assert {"predicted.csv", "systems.csv"} <= names
    assert not [name for name in names if name.startswith("people")]


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("pairs", ("--out", "x.txt"), "x.txt"),
        ("table", ("--out", "ranked.npz"), "a matrix is written as .csv"),
        ("table", ("--rivals", "1"), "1 rivals are too few"),
    ],
)
def test_wrong_use_is_an_error(kind, options, message, tmp_path, weps):
    status, _, error = weps("meta", "hbr", write_source(tmp_path, kind), *options)
    assert status == 1
    assert message in error


def test_a_column_of_its_name_is_an_error_before_long_work(tmp_path, weps, monkeypatch):
    monkeypatch.setattr(study, "compute_findings", None)
    source = write(tmp_path / "matrix.csv", matrix(("hbr", "dice")))
    status, _, error = weps("meta", "hbr", source, "--out", tmp_path / "out.csv", "--quiet")
    assert status == 1
    assert "there is a measure called hbr already" in error
