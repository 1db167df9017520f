"""Official answers go in through the command line, the official figures come out."""

import json
from pathlib import Path

import pytest

import run_weps
from eval.clustering import two_decimals
from weps.records import Clustering
from weps.sources import write_clustering

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
CORPORA = {"weps1": "corpora/weps-1/test", "weps2": "corpora/weps-2"}


def write_answers(cases: dict[str, dict[str, list[list[int]]]], folder: Path) -> None:
    folder.mkdir()
    for name, case in cases.items():
        if "clusters" in case:
            groups = tuple(frozenset(cluster) for cluster in case["clusters"])
            write_clustering(Clustering(groups), folder / f"{name}.clust.xml")


@pytest.mark.parametrize("scorer", CORPORA)
def test_every_system_gets_its_official_scores(
    weps_data: Path, tmp_path: Path, scorer: str, capsys: pytest.CaptureFixture[str]
) -> None:
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
            assert {theirs: two_decimals(ours[measure]) for measure, theirs in PRINTED.items()} == {
                theirs: f"{case['scores'][theirs]:.2f}" for theirs in PRINTED.values()
            }, (system, name)
