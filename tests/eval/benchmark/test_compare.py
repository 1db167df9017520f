"""Two systems are compared, and the comparison reported."""

import json
from collections.abc import Mapping
from dataclasses import replace
from math import nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.eval.benchmark.made_up import SCORER, run_of
from weps.errors import ValuesError
from weps_eval.benchmark.compare import (
    COMPARED_MEASURES,
    Side,
    SystemComparison,
    assess_difference,
    compare_sides,
    comparisons_data,
    measure_difference_rows,
    name_difference_rows,
    seed_spread,
    side_of,
    side_rows,
    verdict_line,
)
from weps_eval.clustering.measures import MEASURES
from weps_eval.stats.estimate import Difference, compare

BETTER, WORSE, NOISE = "better", "worse", "within the noise"
BASE = {f"N{number}": 0.5 for number in range(8)}


def side(*by_seed: Mapping[str, float], label: str = "paper") -> Side:
    return side_of([run_of(each, seed=seed) for seed, each in enumerate(by_seed)], label)


def higher(by: float) -> dict[str, float]:
    return {name: value + by for name, value in BASE.items()}


@each_case(("by", "word"), [(0.1, BETTER), (-0.1, WORSE), (0.0, NOISE)])
def test_the_second_is_judged_against_the_first(by, word):
    found = compare_sides(side(BASE), side(higher(by), label="boosted"))
    assert found.verdict == word
    assert found.differences["bcubed_f05"].mean == pytest.approx(by)


def test_every_measure_has_its_own_difference_the_main_one_first():
    changed = {
        name: {**dict.fromkeys(MEASURES, 0.5), "bcubed_recall": 0.75, "bcubed_precision": 0.25}
        for name in BASE
    }
    found = compare_sides(side(BASE), side_of([run_of(scores=changed)], "boosted"))
    assert tuple(found.differences) == COMPARED_MEASURES
    means = {measure: each.mean for measure, each in found.differences.items() if each.mean}
    assert means == {"bcubed_recall": 0.25, "bcubed_precision": -0.25}


SCORES = st.lists(st.floats(0, 1), min_size=3, max_size=3)


@given(SCORES, SCORES)
def test_names_are_paired_and_go_from_worst_to_best(before, after):
    names = ("Ada", "Bea", "Cleo")
    first = side(dict(zip(names, before, strict=True)))
    second = side(dict(reversed(list(zip(names, after, strict=True)))))
    found = compare_sides(first, second)
    assert found.differences["bcubed_f05"] == compare(before, after)
    assert list(found.names.values()) == sorted(found.names.values())
    for name, old, new in zip(names, before, after, strict=True):
        assert found.names[name] == new - old


def test_the_noise_of_the_noisier_side_counts():
    second = side(higher(0.05), higher(0.05), label="boosted")
    noisy = side(higher(0.1), higher(-0.1))  # mean 0.5, seeds 0.2 apart
    assert compare_sides(side(BASE), second).verdict == BETTER
    for found in (compare_sides(noisy, second), compare_sides(second, noisy)):
        assert found.verdict == NOISE
        assert any("two seeds" in each for each in found.remarks)
    assert seed_spread(side(BASE)) is None
    assert seed_spread(noisy)["mean"] == pytest.approx(0.2)


def test_what_else_may_lie_behind_a_difference_is_stated():
    other = run_of(BASE, how="train:sha256-12345678", weps="0.2.0")
    learning, version, seeds = compare_sides(side(BASE), side_of([other], "boosted")).remarks
    assert "cv:5, train:sha256-12345678" in learning
    assert "0.1.0, 0.2.0" in version
    assert "paper and boosted" in seeds
    both = side(BASE, BASE)
    assert compare_sides(both, replace(both, label="boosted")).remarks == ()


def test_a_measure_that_is_missing_is_named():
    poor = {name: {"rand": 0.5} for name in BASE}
    with pytest.raises(ValuesError, match="bcubed_f05") as caught:
        compare_sides(side_of([run_of(scores=poor)], "poor"), side(BASE))
    assert caught.value.where == "poor"


ALIKE = {"Ada": 0.5, "Bea": 0.75, "Cleo": 1.0}


def test_seeds_are_averaged_name_by_name():
    runs = [run_of({"Ada": 0.5, "Bea": 1.0}), run_of({"Bea": 0.5, "Ada": 0.25}, seed=1)]
    side = side_of(runs, "")
    assert side == side_of(runs[::-1], "")
    assert side.scores["Ada"]["bcubed_f05"] == 0.375
    assert side.scores["Bea"]["rand"] == 0.75


def test_the_spread_is_the_mean_difference_of_two_seeds():
    by_seed = ({"Ada": 0.2, "Bea": 0.5}, {"Ada": 0.5, "Bea": 0.2}, {"Ada": 0.5, "Bea": 0.5})
    side = side_of([run_of(each, seed=seed) for seed, each in enumerate(by_seed)], "")
    spread = seed_spread(side)
    assert spread["names"] == pytest.approx({"Ada": 0.2, "Bea": 0.2})
    assert spread["mean"] == pytest.approx(0.1)  # means 0.35, 0.35, 0.5
    spread = seed_spread(side_of([run_of(), run_of(seed=1)], ""))
    assert (spread["mean"], set(spread["names"].values())) == (0, {0})


@each_case(
    ("changed", "message"),
    [
        ({"system": "boosted"}, r"system \(boosted, paper\)"),
        ({"configuration": {"classifier": "tree", "depth": 7}}, r"configuration of depth \(6, 7\)"),
        ({"configuration": {"classifier": "tree"}}, r"configuration of depth \(6, none\)"),
        ({"corpus": {"title": "WePS-2", "digest": "99999999"}}, "corpus"),
        ({"how": "cv:10"}, "way of learning"),
        ({"signature": "bcubed:extended|scorer:weps2|weps:0.1.0"}, "scorer"),
        ({"weps": "0.2.0"}, "version of weps"),
        ({"f05": {**ALIKE, "Dora": 1.0}}, "list of names"),
        ({"scores": {name: {"rand": 0.5} for name in ALIKE}}, "list of measures"),
        ({"seed": 0}, "two of its runs have the seed 0"),
    ],
)
def test_runs_that_differ_in_more_than_seeds_are_no_side(changed, message):
    with pytest.raises(ValuesError, match=message) as caught:
        side_of([run_of(), run_of(**{"seed": 1, **changed})], "runs/paper")
    assert caught.value.where == "runs/paper"
    assert "folder" in caught.value.remedy


def test_all_differences_are_listed_and_runs_are_needed():
    other = run_of(system="boosted", how="cv:3", seed=1)
    with pytest.raises(ValuesError, match=r"system .* way of learning"):
        side_of([run_of(), other], "runs")
    with pytest.raises(ValuesError, match="no runs"):
        side_of([], "runs")


@each_case(
    ("changed", "message", "remedy"),
    [
        (
            {"corpus": {"title": "WePS-2", "digest": "99999999"}},
            "WePS-1 3fa29b11c0de and WePS-2 99999999",
            "same corpus",
        ),
        ({"f05": {"Ada": 1.0}}, "list of names", "same names"),
        ({"signature": "scorer:weps2|weps:0.1.0"}, "scorer", "--scorer"),
    ],
)
def test_sides_that_cannot_be_compared_state_why(changed, message, remedy):
    first, second = side_of([run_of()], "paper"), side_of([run_of(**changed)], "boosted")
    with pytest.raises(ValuesError, match=message) as caught:
        compare_sides(first, second)
    assert "paper and boosted" in caught.value.what
    assert remedy in caught.value.remedy


def test_what_does_not_touch_the_scoring_may_differ():
    other = run_of(
        seed=5,
        weps="0.2.0",
        signature=f"{SCORER}|weps:0.2.0|train:sha256-1|seed:5",
        how="train:sha256-12345678",
        corpus={"title": "The same by another title"},
    )
    compare_sides(side_of([run_of()], "paper"), side_of([other], "boosted"))


@each_case(
    ("figures", "word", "remarks"),
    [
        ((0.03, 0.01, 0.05, 0.01, 20, 5), BETTER, []),
        ((-0.03, -0.05, -0.01, 0.01, 5, 20), WORSE, []),
        ((0.01, -0.01, 0.03, 0.60, 13, 10), NOISE, []),
        ((0.03, 0.01, 0.05, 0.20, 15, 9), NOISE, ["lies above 0, the sign test finds no"]),
        ((-0.03, -0.05, -0.01, 0.2, 9, 15), NOISE, ["lies below 0, the sign test finds no"]),
        ((0.01, -0.01, 0.03, 0.01, 20, 5), NOISE, ["includes 0, the sign test says better"]),
        ((0.03, 0.01, 0.05, 0.01, 5, 20), NOISE, ["lies above 0, the sign test says worse"]),
        ((-0.03, -0.05, -0.01, 0.01, 20, 5), NOISE, ["lies below 0, the sign test says better"]),
        ((0.03, 0.01, 0.05, 0.0501, 20, 9), NOISE, ["disagree"]),
        ((0.03, 0.00, 0.05, 0.04, 20, 9), NOISE, ["includes 0"]),
        ((0.30, nan, nan, 1.0, 1, 0), NOISE, ["no interval", "1 name differs"]),
        ((0.30, 0.1, 0.5, 0.0625, 5, 0), NOISE, ["disagree", "5 names differ; the sign test"]),
        ((0.30, 0.1, 0.5, 0.03125, 6, 0), BETTER, []),
        ((0.0, 0.0, 0.0, 1.0, 0, 0), NOISE, []),
        ((1e-17, 1e-17, 1e-17, 1.0, 0, 0), NOISE, []),
    ],
)
def test_interval_and_sign_test_must_agree(figures, word, remarks):
    verdict, found = assess_difference(Difference(*figures, 3))
    assert verdict == word
    assert len(found) == len(remarks)
    assert all(part in remark for part, remark in zip(remarks, found, strict=True))


def test_a_difference_must_exceed_that_between_seeds():
    difference = Difference(0.03, 0.01, 0.05, 0.001, 20, 5, 0)
    assert assess_difference(difference, 0.029) == (BETTER, [])
    for between_seeds in (0.03, 0.2):
        verdict, (remark,) = assess_difference(difference, between_seeds)
        assert verdict == NOISE
        assert "two seeds" in remark


PAIRS = st.lists(st.tuples(*[st.sampled_from([0.0, 0.1, 0.5, 0.9])] * 2), min_size=1, max_size=9)
OPPOSITE = {BETTER: WORSE, WORSE: BETTER, NOISE: NOISE}


@given(PAIRS, st.floats(0, 0.3))
def test_swapping_the_sides_swaps_the_verdict(pairs, between_seeds):
    first, second = zip(*pairs, strict=True)
    found = compare(first, second)
    swapped = Difference(
        -found.mean, -found.high, -found.low, found.p, found.worse, found.better, found.equal
    )
    there, remarks = assess_difference(found, between_seeds)
    back, mirrored = assess_difference(swapped, between_seeds)
    assert back == OPPOSITE[there]
    assert len(mirrored) == len(remarks)
    assert there == NOISE or (there == BETTER) == (found.mean > 0)


def data_of(*f05: dict[str, float], seeds: int = 1) -> Any:
    sides = [
        side_of([run_of(each, seed=seed) for seed in range(seeds)], f"s{number}")
        for number, each in enumerate(f05)
    ]
    found = [compare_sides(sides[0], other) for other in sides[1:]]
    data = comparisons_data(sides, found)
    return json.loads(json.dumps(data, allow_nan=False))


def test_the_data_state_what_was_compared_and_how():
    data = data_of({"Ada": 0.5, "Bea": 0.5}, {"Ada": 0.75, "Bea": 0.5}, seeds=2)
    assert (data["signature"], data["measure"]) == (SCORER, "bcubed_f05")
    assert data["corpus"]["digest"] == "3fa29b11c0de"
    assert list(data["systems"]) == ["s0", "s1"]
    side = data["systems"]["s1"]
    assert (side["system"], side["seeds"], side["how"]) == ("paper", [0, 1], "cv:5")
    assert side["names"]["Ada"]["rand"] == 0.75
    assert (side["mean"]["rand"], side["standard_error"]["rand"]) == (0.625, 0.125)
    assert side["between_seeds"] == {"mean": 0, "names": {"Ada": 0, "Bea": 0}}


def test_every_other_is_compared_with_the_first():
    data = data_of({"Ada": 0.5, "Bea": 0.5}, {"Ada": 0.75, "Bea": 0.25}, {"Ada": 0, "Bea": 0})
    first, second = data["comparisons"]
    names = [(each["first"], each["second"]) for each in (first, second)]
    assert names == [("s0", "s1"), ("s0", "s2")]
    assert first["verdict"] == "within the noise"
    assert first["remarks"]
    assert first["names"] == {"Bea": -0.25, "Ada": 0.25}
    assert list(first["names"]) == ["Bea", "Ada"]
    main = first["differences"][0]
    assert main["measure"] == "bcubed_f05"
    assert (main["difference"], main["interval"]) == (0, [-0.25, 0.25])
    assert (main["p"], main["better"], main["worse"], main["equal"]) == (1, 1, 1, 0)


PAPER = {"Ada": 0.5, "Bea": 0.75, "Cleo": 1.0, "Dora": 0.25}
BOOSTED = {"Ada": 0.5, "Bea": 0.5, "Cleo": 0.875, "Dora": 0.75}


def sides(seeds: int = 1) -> tuple[Side, Side]:
    return (
        side_of([run_of(PAPER, seed=seed) for seed in range(seeds)], "paper"),
        side_of([run_of(BOOSTED, seed=seed) for seed in range(seeds)], "boosted"),
    )


@pytest.fixture
def compared() -> SystemComparison:
    return compare_sides(*sides())


def test_each_side_has_means_with_their_errors():
    heading, paper, boosted = side_rows(sides())
    assert heading[-7:] == ["seeds", "F0.5", "F0.2", "BEP", "BER", "PF0.5", "between seeds"]
    assert paper[:3] == ["paper", "1", "0.625 ±0.161"]
    assert boosted[:3] == ["boosted", "1", "0.656 ±0.094"]
    assert boosted[-1] == "–"
    assert side_rows(sides(2))[1][-1] == "0.000"


def test_differences_have_a_line_for_each_measure(compared):
    heading, main, *_ = measure_difference_rows(compared)
    assert heading[0].startswith("boosted against paper")
    assert main[:2] == ["F0.5", "+0.031"]
    assert main[-4:] == ["1.000", "1", "2", "1"]


def test_names_that_differ_go_from_worst_to_best(compared):
    heading, *rows = name_difference_rows(compared)
    assert heading[:6] == ["F0.5", "paper", "boosted", "ΔF0.5", "ΔBEP", "ΔBER"]
    assert [row[0] for row in rows] == ["Bea", "Cleo", "Dora"]
    assert rows[0][1:] == ["0.750", "0.500", "-0.250", "-0.250", "-0.250", "–"]
    assert [row[0] for row in name_difference_rows(compared, most=2)[1:]] == ["Bea", "Dora"]
    assert len(name_difference_rows(compare_sides(*[sides()[0]] * 2))) == 1


def test_a_name_shows_how_far_seeds_move_it():
    first = side_of([run_of(PAPER), run_of({**PAPER, "Bea": 0.25}, seed=1)], "paper")
    rows = {row[0]: row for row in name_difference_rows(compare_sides(first, sides()[1]))}
    assert rows["Dora"][-1] == "0.000"
    assert "Bea" not in rows  # 0.5 on average, as before
    assert name_difference_rows(compare_sides(first, sides()[0]))[1][-1] == "0.500"


def test_the_verdict_is_a_sentence_with_its_figures(compared):
    line = verdict_line(compared)
    assert line.startswith("boosted against paper: within the noise (F0.5 +0.031, 95 % interval ")
    assert line.endswith("sign test p 1.000)")


def test_one_name_has_neither_error_nor_interval():
    one = [side_of([run_of({"Ada": score})], str(score)) for score in (0.5, 0.75)]
    assert side_rows(one)[1][2] == "0.500 ±–"
    assert "95 % interval –," in verdict_line(compare_sides(*one))
    data = data_of({"Ada": 0.5}, {"Ada": 0.75})
    assert data["comparisons"][0]["differences"][0]["interval"] is None
    assert data["systems"]["s0"]["standard_error"]["rand"] is None
    assert data["systems"]["s0"]["between_seeds"] is None
