import json
from dataclasses import replace

import numpy as np
import pytest

from tests.eval.benchmark.conftest import FIRST, RIGHT, SECOND
from weps.records import Clustering, HtmlReader
from weps.training.examples import Example
from weps.training.fitting import ExampleAnswer
from weps_eval.benchmark.report import judged_pairs
from weps_eval.benchmark.scoring import (
    Benchmark,
    CalibrationSummary,
    calibration_data,
    calibration_rows,
    difference_rows,
    name_rows,
    results_data,
    size_rows,
    summarise_calibration,
    system_rows,
)
from weps_eval.benchmark.trials import Trial
from weps_eval.clustering.measures import MEASURES


def test_answers_are_scored_beside_the_baselines(benchmark):
    scores = benchmark.scores
    assert list(scores) == [FIRST, SECOND, "all_in_one", "one_in_one", "combined"]
    assert scores[SECOND]["Ada"]["bcubed_f05"] == 1
    assert scores[FIRST] == scores["all_in_one"]
    assert list(benchmark.differences) == [SECOND]
    assert (benchmark.differences[SECOND].better, benchmark.differences[SECOND].equal) == (1, 1)
    assert {*benchmark.calibration} == {FIRST, SECOND}
    assert judged_pairs(benchmark.examples.values()) == 2 * 6
    heading, row = difference_rows(benchmark.differences, FIRST)
    assert heading[0] == f"compared with {FIRST}"
    assert (row[0], row[-3:]) == (SECOND, ["1", "0", "1"])


def test_the_signature_states_how_the_answers_came_about(benchmark):
    assert "|scorer:weps2|" in benchmark.signature
    assert benchmark.signature.endswith("|cv:2|seed:3")
    common = replace(benchmark.systems, common=True)
    parts = {"language": "weps_en-1", "html": HtmlReader.BEAUTIFULSOUP, "scorer": "weps1"}
    signature = replace(benchmark, systems=common, **parts).signature
    assert "|scorer:weps1|" in signature
    assert signature.endswith("|cv:2|seed:3|features:common|language:weps_en-1|html:beautifulsoup")


def test_the_json_states_what_each_system_is_and_no_seconds(benchmark):
    text = json.dumps(benchmark.as_data(), allow_nan=False)
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
    trials = {name: replace(each, learning=9.0) for name, each in benchmark.trials.items()}
    assert json.dumps(replace(benchmark, trials=trials).as_data()) == text


def found(benchmark: Benchmark, system: str) -> dict[str, CalibrationSummary]:
    return summarise_calibration(benchmark.examples, benchmark.trials[system].answers)


def test_pairs_and_pages_are_held_against_the_key(benchmark):
    both = found(benchmark, FIRST)
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


def test_what_the_keys_do_not_judge_is_left_out(benchmark):
    example = benchmark.examples["Ada"]
    single = Example("Ada", example.ranks, (), example.values, Clustering((frozenset({1}),)))
    some = summarise_calibration({"Ada": single}, {"Ada": RIGHT})
    assert set(some) == {"pages"}
    assert calibration_rows({"a": some})[1][:5] == ["a", "–", "–", "–", "–"]


def test_rows_have_all_subjects_side_by_side(benchmark):
    heading, first, second = calibration_rows(
        {name: found(benchmark, name) for name in (FIRST, SECOND)}
    )
    assert heading == [
        "calibration",
        *("pairs Brier ECE slope pages Brier ECE slope people Brier ECE slope".split()),
    ]
    assert first[:9] == [FIRST, "12", "0.2900", "0.2000", "–", "8", "0.2100", "0.1500", "–"]
    assert first[9:] == ["2", "0.1600", "0.4000", "–"]
    assert len(second) == len(heading)

    data = json.loads(json.dumps(calibration_data(found(benchmark, FIRST)), allow_nan=False))
    assert data["pairs"]["slope"] == {"value": None, "interval": None}
    assert data["pairs"]["forecasts"] == 12
    assert data["pages"]["brier"]["interval"] == pytest.approx([0.21, 0.21])


def scores(**names: float) -> dict[str, dict[str, float]]:
    return {name: dict.fromkeys(MEASURES, value) for name, value in names.items()}


SYSTEMS = {"tree": scores(Ada=0.5, Bea=1.0), "base": scores(Ada=0.25, Bea=0.25)}


def test_the_names_table_ends_in_mean_and_standard_error():
    assert name_rows(SYSTEMS, "tree") == [
        ["tree", "BEP", "BER", "F0.5", "F0.5 base"],
        ["Ada", "0.50", "0.50", "0.50", "0.25"],
        ["Bea", "1.00", "1.00", "1.00", "0.25"],
        ["mean", "0.75", "0.75", "0.75", "0.25"],
        ["standard error", "0.25", "0.25", "0.25", "0.00"],
    ]


def test_sizes_of_mixed_names_that_were_answered_for_have_a_row():
    _, *rows = size_rows(SYSTEMS, {"Bea": 50, "Cid": 1000})
    assert [(row[0], row[1], row[2], row[-2]) for row in rows] == [
        ("not mixed", "1", "tree", "0.50"),
        ("not mixed", "1", "base", "0.25"),
        ("mixed, 50 pages", "1", "tree", "1.00"),
        ("mixed, 50 pages", "1", "base", "0.25"),
    ]


def test_systems_have_a_row_with_the_requested_measures_and_the_error_of_f():
    heading, tree, base = system_rows(SYSTEMS)
    assert len(heading) == len(MEASURES) + 2
    assert tree == ["tree", *["0.75"] * len(MEASURES), "0.25"]
    assert base[-1] == "0.00"
    trials = {"tree": Trial({}, 1.25, 0.5)}
    assert system_rows(SYSTEMS, ["rand", "bcubed_f05"], trials) == [
        ["system", "Rand", "F0.5", "±F0.5", "learning s", "answering s"],
        ["tree", "0.75", "0.75", "0.25", "1.2", "0.5"],
        ["base", "0.25", "0.25", "0.00", "–", "–"],
    ]


def test_the_json_has_means_over_names_and_no_nan():
    data = json.loads(json.dumps(results_data("how", SYSTEMS), allow_nan=False))
    assert data["signature"] == "how"
    assert data["systems"]["tree"]["mean"]["bcubed_f05"] == 0.75
    assert data["systems"]["base"]["names"]["Ada"]["purity"] == 0.25
    single = {"tree": scores(Ada=0.5)}
    assert system_rows(single)[1][-1] == "–"
    assert results_data("how", single)["systems"]["tree"]["standard_error"]["rand"] is None
