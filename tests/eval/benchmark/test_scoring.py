import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from tests.eval.benchmark.conftest import FIRST, RIGHT, SECOND
from weps.records import Clustering, HtmlReader
from weps.training.examples import Example
from weps.training.fitting import ExampleAnswer
from weps_eval.benchmark.scoring import (
    BenchmarkOutcome,
    CalibrationSummary,
    Results,
    calibration_data,
    calibration_rows,
    difference_rows,
    judged_pairs,
    name_rows,
    results_data,
    score_benchmark,
    score_differences,
    scored_data,
    size_rows,
    summarise_calibration,
    system_rows,
)
from weps_eval.clustering.measures import MEASURES


def test_answers_are_scored_beside_the_baselines(outcome):
    scored = score_benchmark(outcome)
    systems = scored.results.systems
    assert list(systems) == [FIRST, SECOND, "all_in_one", "one_in_one", "combined"]
    assert systems[SECOND]["Ada"]["bcubed_f05"] == 1
    assert systems[FIRST] == systems["all_in_one"]
    assert list(scored.differences) == [SECOND]
    assert (scored.differences[SECOND].better, scored.differences[SECOND].equal) == (1, 1)
    assert {*scored.calibration} == {FIRST, SECOND}
    assert judged_pairs(outcome.examples.values()) == 2 * 6


def test_the_signature_states_how_the_answers_came_about(outcome):
    signature = score_benchmark(outcome).results.signature
    assert "|scorer:weps2|" in signature
    assert signature.endswith("|cv:2|seed:3")
    common = replace(outcome.systems, common=True)
    changed = replace(outcome, systems=common, language="weps_en-1", html=HtmlReader.BEAUTIFULSOUP)
    signature = score_benchmark(changed, "weps1").results.signature
    assert "|scorer:weps1|" in signature
    assert signature.endswith("|cv:2|seed:3|features:common|language:weps_en-1|html:beautifulsoup")


def test_the_json_states_what_each_system_is_and_no_seconds(outcome):
    text = json.dumps(scored_data(score_benchmark(outcome)), allow_nan=False)
    data = json.loads(text)
    assert data["systems"][SECOND]["configuration"]["link"] == "average"
    assert data["systems"][SECOND]["similarities"] == {"pages": ["dice(title)"]}
    assert data["systems"][SECOND]["absent"] == {"pages": []}
    assert data["systems"][FIRST]["calibration"]["pages"]["forecasts"] == 8
    (comparison,) = data["comparisons"]
    assert (comparison["first"], comparison["second"]) == (FIRST, SECOND)
    assert (comparison["measure"], comparison["better"]) == ("bcubed_f05", 1)
    assert data["forms"] == {"Ada": "pages", "Bea": "pages"}
    assert "learning" not in text
    trials = {name: replace(each, learning=9.0) for name, each in outcome.trials.items()}
    assert json.dumps(scored_data(score_benchmark(replace(outcome, trials=trials)))) == text


def found(outcome: BenchmarkOutcome, system: str) -> dict[str, CalibrationSummary]:
    return summarise_calibration(outcome.examples, outcome.trials[system].answers)


def test_pairs_and_pages_are_held_against_the_key(outcome):
    both = found(outcome, FIRST)
    forecasts = {subject: each.forecasts for subject, each in both.items()}
    assert forecasts == {"pairs": 12, "pages": 8, "people": 2}
    # All pairs at .7, half of them coreferent; all pages at .6, three of four right.
    assert both["pairs"].measures["brier"].value == pytest.approx((0.3**2 + 0.7**2) / 2)
    assert both["pairs"].measures["ece"].value == pytest.approx(0.2)
    assert both["pages"].measures["brier"].value == pytest.approx((3 * 0.4**2 + 0.6**2) / 4)
    assert both["pages"].names == 2
    # The one person of each name, at .4, is two people.
    assert both["people"].measures["brier"].value == pytest.approx(0.4**2)


def test_every_name_counts_the_same():
    examples, answers = {}, {}
    for name, pages in (("Ada", 2), ("Bea", 10)):
        ranks, pairs = tuple(range(pages)), pages * (pages - 1) // 2
        key, share = Clustering((frozenset(ranks),)), 1 / pages
        examples[name] = Example(name, ranks, (), np.zeros((pairs, 0), np.float32), key)
        page, one = np.full(pages, share), np.array([share])
        answers[name] = ExampleAnswer(key, np.full(pairs, share), page, one)
    for each in summarise_calibration(examples, answers).values():
        assert each.measures["brier"].value == pytest.approx((0.5**2 + 0.9**2) / 2)


def test_what_the_keys_do_not_judge_is_left_out(outcome):
    example = outcome.examples["Ada"]
    single = Example("Ada", example.ranks, (), example.values, Clustering((frozenset({1}),)))
    some = summarise_calibration({"Ada": single}, {"Ada": RIGHT})
    assert set(some) == {"pages"}
    assert calibration_rows({"a": some})[1][:5] == ["a", "–", "–", "–", "–"]


def test_rows_have_all_subjects_side_by_side(outcome):
    heading, first, second = calibration_rows(
        {name: found(outcome, name) for name in (FIRST, SECOND)}
    )
    assert heading == [
        "calibration",
        *("pairs Brier ECE slope pages Brier ECE slope people Brier ECE slope".split()),
    ]
    assert first[:9] == [FIRST, "12", "0.2900", "0.2000", "–", "8", "0.2100", "0.1500", "–"]
    assert first[9:] == ["2", "0.1600", "0.4000", "–"]
    assert len(second) == len(heading)

    data = json.loads(json.dumps(calibration_data(found(outcome, FIRST)), allow_nan=False))
    assert data["pairs"]["slope"] == {"value": None, "interval": None}
    assert data["pairs"]["forecasts"] == 12
    assert data["pages"]["brier"]["interval"] == pytest.approx([0.21, 0.21])


def scores(**names: float) -> dict[str, dict[str, float]]:
    return {name: dict.fromkeys(MEASURES, value) for name, value in names.items()}


RESULTS = Results("how", {"tree": scores(Ada=0.5, Bea=1.0), "base": scores(Ada=0.25, Bea=0.25)})


def test_the_names_table_ends_in_mean_and_standard_error():
    assert name_rows(RESULTS, "tree") == [
        ["tree", "BEP", "BER", "F0.5", "F0.5 base"],
        ["Ada", "0.50", "0.50", "0.50", "0.25"],
        ["Bea", "1.00", "1.00", "1.00", "0.25"],
        ["mean", "0.75", "0.75", "0.75", "0.25"],
        ["standard error", "0.25", "0.25", "0.25", "0.00"],
    ]


def test_sizes_of_mixed_names_that_were_answered_for_have_a_row():
    mixed = SimpleNamespace(mixed_sizes={"Bea": 50, "Cid": 1000})
    _, *rows = size_rows(RESULTS, mixed)
    assert [(row[0], row[1], row[2], row[-2]) for row in rows] == [
        ("not mixed", "1", "tree", "0.50"),
        ("not mixed", "1", "base", "0.25"),
        ("mixed, 50 pages", "1", "tree", "1.00"),
        ("mixed, 50 pages", "1", "base", "0.25"),
    ]


def test_systems_have_a_row_with_the_requested_measures_and_the_error_of_f():
    heading, tree, base = system_rows(RESULTS)
    assert len(heading) == len(MEASURES) + 2
    assert tree == ["tree", *["0.75"] * len(MEASURES), "0.25"]
    assert base[-1] == "0.00"
    assert system_rows(RESULTS, ["rand", "bcubed_f05"]) == [
        ["system", "Rand", "F0.5", "±F0.5"],
        ["tree", "0.75", "0.75", "0.25"],
        ["base", "0.25", "0.25", "0.00"],
    ]


def test_the_json_has_means_over_names_and_no_nan():
    data = json.loads(json.dumps(results_data(RESULTS), allow_nan=False))
    assert data["signature"] == "how"
    assert data["systems"]["tree"]["mean"]["bcubed_f05"] == 0.75
    assert data["systems"]["base"]["names"]["Ada"]["purity"] == 0.25
    single = Results("how", {"tree": scores(Ada=0.5)})
    assert system_rows(single)[1][-1] == "–"
    assert results_data(single)["systems"]["tree"]["standard_error"]["rand"] is None


def test_systems_are_compared_with_the_first_name_by_name():
    systems = {"tree": scores(Ada=0.5, Bea=1.0), "other": scores(Bea=0.5, Ada=0.75)}
    found = score_differences(Results("how", systems), ["tree", "other"])
    assert list(found) == ["other"]
    assert found["other"].mean == pytest.approx(-0.125)
    assert (found["other"].better, found["other"].worse) == (1, 1)
    heading, row = difference_rows(found, "tree")
    assert heading[0] == "compared with tree"
    assert row == ["other", "-0.125", "-0.500 to +0.250", "1.000", "1", "1", "0"]
    assert score_differences(RESULTS, ["tree"]) == {}
