import json
from typing import Any

from eval.runs import compare_sides, side_of
from eval.runs.data import comparisons_data
from tests.eval.runs.made_up import SCORER, run_of


def data_of(*f05: dict[str, float], seeds: int = 1) -> Any:
    sides = [
        side_of([run_of(each, seed=seed) for seed in range(seeds)], f"s{number}")
        for number, each in enumerate(f05)
    ]
    found = [compare_sides(sides[0], other) for other in sides[1:]]
    data = comparisons_data(sides, found, "bcubed_f05")
    return json.loads(json.dumps(data, allow_nan=False))


def test_the_data_say_what_was_compared_and_how() -> None:
    data = data_of({"Ada": 0.5, "Bea": 0.5}, {"Ada": 0.75, "Bea": 0.5}, seeds=2)
    assert (data["signature"], data["measure"]) == (SCORER, "bcubed_f05")
    assert data["corpus"]["digest"] == "3fa29b11c0de"
    assert list(data["systems"]) == ["s0", "s1"]
    side = data["systems"]["s1"]
    assert (side["system"], side["seeds"], side["how"]) == ("paper", [0, 1], "cv:5")
    assert side["names"]["Ada"]["rand"] == 0.75
    assert (side["mean"]["rand"], side["standard_error"]["rand"]) == (0.625, 0.125)
    assert side["between_seeds"] == {"mean": 0, "names": {"Ada": 0, "Bea": 0}}


def test_every_other_is_compared_with_the_first() -> None:
    data = data_of({"Ada": 0.5, "Bea": 0.5}, {"Ada": 0.75, "Bea": 0.25}, {"Ada": 0, "Bea": 0})
    first, second = data["comparisons"]
    assert [(each["first"], each["second"]) for each in (first, second)] == [
        ("s0", "s1"),
        ("s0", "s2"),
    ]
    assert first["verdict"] == "within the noise"
    assert first["remarks"]
    assert first["names"] == {"Bea": -0.25, "Ada": 0.25}
    assert list(first["names"]) == ["Bea", "Ada"]
    main = first["differences"][0]
    assert main["measure"] == "bcubed_f05"
    assert (main["difference"], main["interval"]) == (0, [-0.25, 0.25])
    assert (main["p"], main["better"], main["worse"], main["equal"]) == (1, 1, 1, 0)


def test_what_is_not_known_of_one_name_is_null() -> None:
    data = data_of({"Ada": 0.5}, {"Ada": 0.75})
    assert data["comparisons"][0]["differences"][0]["interval"] is None
    assert data["systems"]["s0"]["standard_error"]["rand"] is None
    assert data["systems"]["s0"]["between_seeds"] is None
