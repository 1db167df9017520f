"""HBR: properties of what it finds, verdicts, and the command."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.eval.studies.made_up_groups import alike, grouped, instances, labelled, write_source
from tests.eval.studies.made_up_scores import NAMES, run_study
from weps_eval import study
from weps_eval.meta.heterogeneity import PairwisePreferences, hbr
from weps_eval.report.tables import CANNOT, DOES_NOT_HOLD, HOLDS, Verdict
from weps_eval.studies.frames import Frame, Frames
from weps_eval.studies.measures import GroupedInstances
from weps_eval.tables import read_instances
from weps_eval.text.testbed import read_matrix

KEYS = ("best", "worst", "robust", "consistent", "half", "prediction", "elsewhere")


def found(source: GroupedInstances, samples: int = 0, **settings: Any) -> Frames:
    return study("hbr", source, samples=samples, **settings).frames


def values(frame: Frame, column: str) -> list[float]:
    return [row[column].value for row in frame.rows if row[column]]


def verdicts(source: GroupedInstances) -> dict[str, Verdict]:
    judged = study("hbr", source, samples=300).judged
    return {key: verdict for key, (_, verdict) in zip(KEYS, judged, strict=True)}


def test_pwa_is_for_labels_and_a_tie_is_no_success():
    source = labelled(groups=2, size=10)
    source.values[0] = 1.0
    first = found(source)["measures"].rows[0]
    assert (first["pwa"].value, first["auc"].value) == (0, 0.5)
    assert "pwa" not in found(grouped())["measures"].columns


def test_a_topic_is_consistent_by_the_single_measures():
    source = grouped(groups=2, noise=0.0)
    source.values[0, source.group == 1] *= -1
    frames = found(source)
    assert frames["criteria"].rows[0]["consistent"] == 1
    first = frames["measures"].rows[0]
    assert (first["auc_consistent"].value, first["auc_others"].value) == (1, 0)


def test_without_people_there_is_still_a_ranking():
    result = study("hbr", replace(grouped(), quality={}), samples=0)
    systems = result.frames["systems"]
    assert len(result.frames["predicted"]) == len(grouped().measures)
    assert [row["outputs"] for row in systems.rows] == [6] * 8
    assert systems["hbr"] == sorted(systems["hbr"], reverse=True)
    assert result.judged == []


def test_outputs_without_rivals_or_scores_are_not_judged():
    source = grouped(groups=3, size=4)
    group = np.append(source.group[:-1], 3)
    source = replace(source, group=group, groups=(*source.groups, "t3"))
    source.quality["quality"][0] = np.nan
    frames = found(source)
    assert frames.remarks[-1] == "1 instances are alone in their topic and have no rank."
    assert frames.sizes["quality"].cases == 10


def test_one_that_is_alone_with_its_score_does_not_matter():
    """Nobody judged another of its topic, so HBR of some measures cannot rank it."""
    source, halves = grouped(groups=3, size=4), []
    first = source.quality["quality"][0]
    source.quality["quality"][source.group == 0] = np.nan
    for score in (np.nan, first):
        source.quality["quality"][0] = score
        halves += found(source)["claims"].where(claim="half").records(leave=("size",))
    assert halves[0] == halves[1]


@pytest.mark.slow
def test_trees_stand_beside_hbr_where_there_are_labels_and_groups():
    """They know nothing of the groups that they judge; the worst ranks are without them."""
    measures = found(labelled(groups=6, size=40), 100)["measures"]
    assert [row["measure"] for row in measures.where(beside=True).rows] == ["HBR", "boosted trees"]
    assert 0.5 < measures.rows[-1]["auc"].value < 1
    assert measures.rows[-1]["worst_tenth"] is None
    for source in (labelled(groups=1, size=20), grouped()):
        assert len(found(source, 100)["measures"].where(beside=True)) == 1
    source = labelled(groups=4, size=60)
    noise = np.random.default_rng(3).normal(size=source.values.shape)
    measures = found(replace(source, values=noise), 50)["measures"]
    assert measures.rows[-1]["auc"].value < 0.65


@pytest.mark.usefixtures("any_sample_size")
def test_verdicts():
    judged = verdicts(alike())
    for key in ("best", "worst", "robust", "half"):
        assert judged[key].word == HOLDS, key
    noise = np.random.default_rng(2).normal(size=alike().values.shape)
    noise[0] = alike().quality["quality"]
    judged = verdicts(replace(alike(), values=noise))  # one perfect measure among noise
    assert judged["best"].word == judged["robust"].word == DOES_NOT_HOLD
    assert judged["best"].figures.startswith("HBR − a −")
    assert judged["consistent"].word in {CANNOT, DOES_NOT_HOLD}
    judged = verdicts(grouped(("a", "b", "c"), groups=2))
    undecided = {key for key, verdict in judged.items() if verdict.word == CANNOT}
    assert undecided >= {"worst", "robust", "consistent", "half", "prediction"}
    source = alike(10)
    both = {"one": source.quality["quality"], "two": -source.quality["quality"]}
    judged = verdicts(replace(source, quality=both))
    assert judged["worst"].word == DOES_NOT_HOLD
    assert judged["worst"].figures.count("least certain") == 2


@pytest.mark.slow
def test_hbr_and_the_worst_are_never_left_out():
    many = tuple(f"m{number}" for number in range(44))
    result = study("hbr", grouped(many, size=24), samples=200)
    brief, every = (
        next(each for each in result.tables(brief=short) if each.key == "people-1")
        for short in (True, False)
    )
    rows, all_rows = ([row[0] for row in each.rows[1:]] for each in (brief, every))
    assert "HBR" in rows
    assert len(rows) <= 10
    assert sorted(all_rows) == sorted([*many, "HBR"])
    assert rows[-1] == all_rows[-1]
    unjudged = study("hbr", replace(grouped(many, size=24), quality={}), samples=200)
    predicted, systems = unjudged.tables(brief=True)
    assert [len(predicted.rows), len(systems.rows)] == [21, 21]
    assert predicted.note.endswith("24 more are in the report.")


def test_a_matrix_with_scores_of_people(tmp_path):
    source, out = write_source(tmp_path, "table"), tmp_path / "out.csv"
    made = run_study(tmp_path, "hbr", source, "--samples", 0, "--out", out)
    before, after = (read_matrix(each)[0] for each in (source, out))
    assert after.measures == (*before.measures, "hbr")
    assert after.criteria == before.criteria
    topic = np.repeat(np.arange(8), 7)
    expected = hbr(before.values, PairwisePreferences.sampled(before.values, 0, topic), topic)
    assert after.column("hbr").tolist() == expected.tolist()
    for wrong in ({"samples": 50}, {"samples": 0, "rivals": 3}):
        study("hbr", source, out=out, **wrong)
        assert read_matrix(out)[0].column("hbr").tolist() != expected.tolist()
    assert "Heterogeneity over all pairs of instances of one topic" in made.out
    figures = made.data["people"]["quality"]
    assert list(figures["auc"]) == list(figures["worst_tenth"]) == [*NAMES, "HBR"]
    assert list(figures["with_hbr"]) == list(NAMES)
    assert [figures["pwa"], figures["topics"]] == [None, 8]


@pytest.mark.slow
def test_labelled_instances(tmp_path):
    source, out = write_source(tmp_path, "pairs"), tmp_path / "out.tsv"
    made = run_study(tmp_path, "hbr", source, "--samples", 0, "--rivals", 0, "--out", out)
    before = instances(groups=4, size=20)
    expected = hbr(
        before.values, PairwisePreferences.sampled(before.values, 0, before.group), before.group
    )
    assert np.allclose(read_instances(out)[0].column("hbr"), expected)
    assert "Agreement with the key" in made.out
    assert made.data["people"]["label"]["pwa"].keys() == {*NAMES, "HBR", "boosted trees"}
    assert made.data["systems"] == []
