"""Agreement with what the official scorers print, case by case."""

import json
import os
from functools import cache
from pathlib import Path

import pytest

from eval.clustering.measures import BASELINES, MEASURES
from eval.clustering.scorers import get_scoring_rule, mean_scores
from weps._formatting import format_score
from weps.records import Clustering
from weps.sources.opening import open_source

CORPORA = {"weps1": "weps-1/test", "weps2": "weps-2"}
OFFICIAL = {
    "BEP": "bcubed_precision",
    "BER": "bcubed_recall",
    "FMeasure_0.5_BEP-BER": "bcubed_f05",
    "FMeasure_0.2_BEP-BER": "bcubed_f02",
    "P": "purity",
    "IP": "inverse_purity",
    "FMeasure_0.5_P-IP": "purity_f05",
    "FMeasure_0.2_P-IP": "purity_f02",
    "PR": "rand",
    "PJ": "jaccard",
    "PM": "fowlkes_mallows",
}
AVERAGE = "Average"


def golden_files():
    """What stands under WEPS_DATA, asked for before any test runs so that each case is a test."""
    folder = Path(os.environ.get("WEPS_DATA") or "-").resolve() / "golden"
    files = {which: folder / f"{which}_scorer.json" for which in CORPORA}
    return {
        which: json.loads(file.read_text(encoding="utf-8"))["cases"]
        for which, file in files.items()
        if file.is_file()
    }


GOLDEN = golden_files()
CASES = [
    (which, system, name)
    for which, systems in GOLDEN.items()
    for system, names in systems.items()
    for name in names
]


@cache
def source(folder):
    return open_source(folder)


@cache
def score(corpora, which, system, name):
    """Our scores of one golden answer; a baseline's answer is ours to make."""
    judge, corpus = get_scoring_rule(which), source(corpora / CORPORA[which])
    key, results = corpus.key(name), corpus.ranks(name)
    clusters = GOLDEN[which][system][name].get("clusters")
    if clusters is None:
        baseline = BASELINES[system.lower().removesuffix("_baseline")]
        answer = baseline(judge.documents(key, results))
    else:
        answer = Clustering(tuple(map(frozenset, clusters)))
    return judge.score(answer, key, results)


def scores_of(corpora, which, system, name):
    if name != AVERAGE:
        return score(corpora, which, system, name)
    names = [each for each in GOLDEN[which][system] if each != AVERAGE]
    return mean_scores({each: score(corpora, which, system, each) for each in names})


@pytest.mark.parametrize(
    ("which", "system", "name"),
    CASES or [pytest.param("", "", "", id="no golden files")],
)
def test_prints_what_the_official_scorer_prints(weps_data, which, system, name):
    assert CASES, f"no golden files under {weps_data}"
    ours = scores_of(weps_data / "corpora", which, system, name)
    official = GOLDEN[which][system][name]["scores"]
    assert {measure: format_score(ours[OFFICIAL[measure]]) for measure in official} == {
        measure: f"{value:.2f}" for measure, value in official.items()
    }


@pytest.mark.parametrize("which", CORPORA)
def test_every_name_and_every_measure_is_tried(weps_data, which):
    names = {*source(weps_data / "corpora" / CORPORA[which]).names, AVERAGE}
    assert GOLDEN[which], "systems"
    for system, cases in GOLDEN[which].items():
        assert set(cases) == names, system
        assert {(which, system, name) for name in names} <= set(CASES)
    printed = {
        measure
        for cases in GOLDEN[which].values()
        for case in cases.values()
        for measure in case["scores"]
    }
    assert printed <= set(OFFICIAL)
    assert set(OFFICIAL.values()) == set(MEASURES)
