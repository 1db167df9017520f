"""Official answers go in through the command line, the official figures come out."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import run_weps
from weps._formatting import format_score
from weps.records import Clustering
from weps.sources.corpora import clustering_xml

PRINTED = {
    "bcubed_precision": "BEP",
    "bcubed_recall": "BER",
    "bcubed_f05": "FMeasure_0.5_BEP-BER",
    "purity": "P",
    "inverse_purity": "IP",
    "purity_f05": "FMeasure_0.5_P-IP",
    "rand": "PR",
    "jaccard": "PJ",
    "fowlkes_mallows": "PM",
}
"""Our measures and how the official scorers call them."""
ROOT = Path(__file__).resolve().parents[3]
DEMO = ROOT / "resources" / "demo"
SCHEMA = json.loads((ROOT / "docs" / "schema" / "scores.schema.json").read_text("utf-8"))
CORPORA = {"weps1": "corpora/weps-1/test", "weps2": "corpora/weps-2"}


def write_answers(cases: dict[str, dict[str, list[list[int]]]], folder: Path) -> None:
    folder.mkdir()
    for name, case in cases.items():
        if "clusters" in case:
            groups = tuple(frozenset(cluster) for cluster in case["clusters"])
            (folder / f"{name}.clust.xml").write_text(clustering_xml(Clustering(groups)), "utf-8")


@pytest.mark.parametrize("scorer", CORPORA)
def test_every_system_gets_its_official_scores(weps_data, tmp_path, scorer, capsys):
    golden = json.loads((weps_data / "golden" / f"{scorer}_scorer.json").read_text())["cases"]
    systems = {name: cases for name, cases in golden.items() if not name.endswith("BASELINE")}
    (tmp_path / "answers").mkdir()
    for system, cases in systems.items():
        write_answers(cases, tmp_path / "answers" / system)
    run = ["evaluate", weps_data / CORPORA[scorer], tmp_path / "answers", "--baselines"]
    assert run_weps.main([str(word) for word in [*run, "--json", tmp_path / "scores.json"]]) == 0
    assert f"scorer:{scorer}" in capsys.readouterr().out
    scores = json.loads((tmp_path / "scores.json").read_text())["systems"]
    expected = {
        system if system in systems else system.removesuffix("_BASELINE").lower(): cases
        for system, cases in golden.items()
    }
    assert set(scores) == set(expected)
    for system, cases in expected.items():
        for name, case in cases.items():
            ours = scores[system]["names"].get(name, scores[system]["mean"])
            assert {theirs: format_score(ours[measure]) for measure, theirs in PRINTED.items()} == {
                theirs: f"{case['scores'][theirs]:.2f}" for theirs in PRINTED.values()
            }, (system, name)


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    folder = tmp_path / "answers"
    for system, labels in {"told": ("Kelp, marine", "law"), "untold": ()}.items():
        (folder / system).mkdir(parents=True)
        groups = frozenset({1, 4, 7}), frozenset({2, 3})
        clustering = Clustering(groups, labels=labels)
        (folder / system / "Robin_Averdale.clust.xml").write_text(
            clustering_xml(clustering), "utf-8"
        )
    return folder


def test_labels_are_judged_where_answers_have_them(answers, tmp_path, capsys):
    run = ["evaluate", DEMO, answers, "--json", tmp_path / "scores.json"]
    assert run_weps.main(list(map(str, run))) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "descriptions" in line]
    assert lines == [
        "told: labels that share a word with people's descriptions: 0.50 of 2, "
        "0.50 of 2 with 2 or more pages, 1.00 of 1 with 3 or more pages"
    ]
    systems = json.loads((tmp_path / "scores.json").read_text())["systems"]
    Draft202012Validator(SCHEMA).validate({"signature": "s", "systems": systems})
    assert [each["share"] for each in systems["told"]["labels"]] == [0.5, 0.5, 1.0]
    assert "labels" not in systems["untold"]


def evaluate(*words: object) -> int:
    return run_weps.main(["--quiet", "evaluate", *map(str, words)])


def test_how_few_corrections_reach_the_key(tmp_path, capsys):
    assert evaluate(DEMO, "--corrections", "--json", tmp_path / "one.json") == 0
    printed = capsys.readouterr().out
    data = json.loads((tmp_path / "one.json").read_text())
    Draft202012Validator(SCHEMA).validate(data)
    ((title, system),) = data["systems"].items()
    assert title == "default (model)"
    assert "|model:" in data["signature"]
    (course,) = system["corrections"]["names"].values()
    assert course["anew"][0] == course["alone"][0] == system["mean"]["bcubed_f05"]
    assert course["anew"][-1] == course["alone"][-1] == course["best"]
    assert "mean F0.5 after corrections" in printed
    assert evaluate(DEMO, "--corrections", "--json", tmp_path / "two.json") == 0
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_names_that_the_model_has_learnt_from_are_told(tmp_path, capsys):
    (model,) = (ROOT / "resources" / "models").glob("default.json")
    data = json.loads(model.read_text())
    data["card"]["corpus"]["names"] = ["Robin_Averdale", 7, "Nobody"]
    (tmp_path / "mine.json").write_text(json.dumps(data))
    assert evaluate(DEMO, "--corrections", "--model", tmp_path / "mine.json") == 0
    told = capsys.readouterr()
    assert "the model was trained on 1 of these 1 names" in told.err
    assert "mine (model)" in told.out
