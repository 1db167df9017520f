"""Systems are compared on the same names, whether recorded or not."""

from collections.abc import Mapping
from dataclasses import replace
from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.eval.benchmark.made_up import SCORER, run_of
from weps.errors import ValuesError
from weps_eval.benchmark.comparison import (
    Comparison,
    Side,
    _assess_difference,
    check_sides,
    compare_systems,
    side_of,
)
from weps_eval.stats import Difference, compare

BETTER, WORSE, NOISE = "better", "worse", "within the noise"
BASE = {f"N{number}": 0.5 for number in range(8)}


def side(*by_seed: Mapping[str, float], label: str = "paper") -> Side:
    return side_of([run_of(each, seed=seed) for seed, each in enumerate(by_seed)], label)


def higher(by: float) -> dict[str, float]:
    return {name: value + by for name, value in BASE.items()}


def compared(*sides: Side) -> Comparison:
    """The second side beside the first, on F0.5."""
    by_label = {each.label: each for each in sides}
    check_sides(by_label, None, ["bcubed_f05"])
    scores = {label: each.scores for label, each in by_label.items()}
    (found,) = compare_systems(scores, ["bcubed_f05"], by_label)
    return found


SCORES = st.lists(st.floats(0, 1), min_size=3, max_size=3)


@given(SCORES, SCORES)
def test_names_are_paired(before, after):
    names = ("Ada", "Bea", "Cleo")
    first = side(dict(zip(names, before, strict=True)))
    second = side(dict(reversed(list(zip(names, after, strict=True)))), label="boosted")
    assert compared(first, second).difference == compare(before, after)


def test_the_noise_of_the_noisier_side_counts():
    second = side(higher(0.05), higher(0.05), label="boosted")
    noisy = side(higher(0.1), higher(-0.1))  # mean 0.5, seeds 0.2 apart
    assert compared(side(BASE), second).verdict == BETTER
    for found in (compared(noisy, second), compared(second, noisy)):
        assert found.verdict == NOISE
        assert any("two seeds" in each for each in found.remarks)
    assert "between_seeds" not in side(BASE).as_data()
    between = noisy.as_data()["between_seeds"]
    assert between["mean"] == between["names"]["N0"] == pytest.approx(0.2)


def test_what_else_may_lie_behind_a_difference_is_stated():
    other = run_of(BASE, how="train:sha256-12345678", weps="0.2.0")
    learning, version, seeds = compared(side(BASE), side_of([other], "boosted")).remarks
    assert "cv:5, train:sha256-12345678" in learning
    assert "0.1.0, 0.2.0" in version
    assert "paper, boosted" in seeds
    both = side(BASE, BASE)
    assert compared(both, replace(both, label="boosted")).remarks == ()


ALIKE = {"Ada": 0.5, "Bea": 0.75, "Cleo": 1.0}


def test_seeds_are_averaged_name_by_name():
    runs = [run_of({"Ada": 0.5, "Bea": 1.0}), run_of({"Bea": 0.5, "Ada": 0.25}, seed=1)]
    side = side_of(runs, "")
    assert repr(side) == repr(side_of(runs[::-1], ""))
    assert side.scores["Ada"]["bcubed_f05"] == 0.375
    assert side.scores["Bea"]["rand"] == 0.75


@each_case(
    ("changed", "message"),
    [
        ({"configuration": {"classifier": "tree", "depth": 7}}, r"configuration of depth \(6, 7\)"),
        ({"corpus": {"title": "WePS-2", "digest": "99999999"}}, r"corpus \(WePS-1, WePS-2\)"),
        (
            {"corpus": {"digest": "99999999"}},
            "WePS-1 of digest 3fa29b11c0de, WePS-1 of digest 9999",
        ),
        ({"how": "cv:10"}, "way of learning"),
        ({"signature": "bcubed:extended|scorer:weps2|weps:0.1.0"}, "scorer"),
        ({"weps": "0.2.0"}, "version of weps"),
        ({"f05": {**ALIKE, "Dora": 1.0}}, "list of names"),
        ({"scores": {name: {"rand": 0.5} for name in ALIKE}}, "list of measures"),
        ({"seed": 0}, "two of its runs have one seed"),
    ],
)
def test_runs_that_differ_in_more_than_seeds_are_no_side(changed, message):
    with pytest.raises(ValuesError, match=message) as caught:
        side_of([run_of(), run_of(**{"seed": 1, **changed})], "runs/paper")
    assert caught.value.where == "runs/paper"
    assert "folder" in caught.value.remedy


@each_case(
    ("changed", "message"),
    [
        (
            {"corpus": {"title": "WePS-2", "digest": "99999999"}},
            "the corpus differs \\(WePS-1, WePS-2\\)",
        ),
        ({"f05": {"Ada": 1.0}}, "list of names"),
        ({"signature": "scorer:weps2|weps:0.1.0"}, "scorer"),
    ],
)
def test_sides_that_cannot_be_compared_state_why(changed, message):
    first, second = side_of([run_of()], "paper"), side_of([run_of(**changed)], "boosted")
    with pytest.raises(ValuesError, match=message) as caught:
        compared(first, second)
    assert "cannot be compared with paper" in caught.value.what
    assert caught.value.where == "boosted"


def test_what_does_not_touch_the_scoring_may_differ():
    other = run_of(
        seed=5,
        weps="0.2.0",
        signature=f"{SCORER}|weps:0.2.0|train:sha256-1|seed:5",
        how="train:sha256-12345678",
        corpus={"title": "The same by another title"},
    )
    compared(side_of([run_of()], "paper"), side_of([other], "boosted"))


@each_case(
    ("figures", "word", "remarks"),
    [
        ((0.03, 0.01, 0.05, 0.01, 20, 5), BETTER, []),
        ((-0.03, -0.05, -0.01, 0.01, 5, 20), WORSE, []),
        ((0.01, -0.01, 0.03, 0.60, 13, 10), NOISE, []),
        ((0.03, 0.01, 0.05, 0.20, 15, 9), NOISE, ["lies above 0, the tests find no"]),
        ((0.01, -0.01, 0.03, 0.01, 20, 5), NOISE, ["includes 0, the tests say better"]),
        ((0.03, 0.01, 0.05, 0.01, 5, 20), NOISE, ["lies above 0, the tests say worse"]),
        ((-0.03, -0.05, -0.01, 0.01, 20, 5), NOISE, ["lies below 0, the tests say better"]),
        ((0.30, nan, nan, 1.0, 1, 0), NOISE, ["no interval", "1 name differs"]),
        ((0.30, 0.1, 0.5, 0.0625, 5, 0), NOISE, ["lies above 0", "5 names differ, the sign test"]),
        ((0.30, 0.1, 0.5, 0.03125, 6, 0), BETTER, []),
        ((0.0, 0.0, 0.0, 1.0, 0, 0), NOISE, []),
    ],
)
def test_interval_and_sign_test_must_agree(figures, word, remarks):
    verdict, found = _assess_difference(Difference(*figures, 3))
    assert verdict == word
    assert len(found) == len(remarks)
    assert all(part in remark for part, remark in zip(remarks, found, strict=True))


def test_a_difference_must_exceed_that_between_seeds():
    difference = Difference(0.03, 0.01, 0.05, 0.001, 20, 5, 0)
    assert _assess_difference(difference, 0.029) == (BETTER, [])
    for between_seeds in (0.03, 0.2):
        verdict, (remark,) = _assess_difference(difference, between_seeds)
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
    there, remarks = _assess_difference(found, between_seeds)
    back, mirrored = _assess_difference(swapped, between_seeds)
    assert back == OPPOSITE[there]
    assert len(mirrored) == len(remarks)
    assert there == NOISE or (there == BETTER) == (found.mean > 0)
