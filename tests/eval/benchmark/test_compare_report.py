import json
from typing import Any

import pytest

from eval.benchmark.compare import Side, SystemComparison, compare_sides, side_of
from eval.benchmark.compare_report import (
    comparisons_data,
    differences_table,
    name_differences_table,
    sides_table,
    verdict_line,
)
from tests.eval.benchmark.made_up import SCORER, run_of


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


def test_each_side_has_means_with_their_errors() -> None:
    heading, paper, boosted = sides_table(sides())
    assert heading.split()[-8:] == "seeds F0.5 F0.2 BEP BER PF0.5 between seeds".split()
    assert paper.split()[:4] == ["paper", "1", "0.625", "±0.161"]
    assert boosted.split()[:4] == ["boosted", "1", "0.656", "±0.094"]
    assert boosted.split()[-1] == "–"


def test_several_seeds_have_a_spread() -> None:
    assert sides_table(sides(2))[1].split()[-1] == "0.000"


def test_differences_have_a_line_for_each_measure(compared: SystemComparison) -> None:
    heading, main, *_ = differences_table(compared)
    assert heading.startswith("boosted against paper")
    assert main.split()[:2] == ["F0.5", "+0.031"]
    assert main.split()[-4:] == ["1.000", "1", "2", "1"]


def test_names_that_differ_go_from_worst_to_best(compared: SystemComparison) -> None:
    heading, *rows = name_differences_table(compared)
    assert heading.split()[:6] == ["F0.5", "paper", "boosted", "ΔF0.5", "ΔBEP", "ΔBER"]
    assert [row.split()[0] for row in rows] == ["Bea", "Cleo", "Dora"]
    assert rows[0].split()[1:] == ["0.750", "0.500", "-0.250", "-0.250", "-0.250", "–"]


def test_only_the_largest_differences_are_shown(compared: SystemComparison) -> None:
    assert [row.split()[0] for row in name_differences_table(compared, most=2)[1:]] == [
        "Bea",
        "Dora",
    ]


def test_a_name_shows_how_far_seeds_move_it() -> None:
    first = side_of([run_of(PAPER), run_of({**PAPER, "Bea": 0.25}, seed=1)], "paper")
    rows = {
        row.split()[0]: row.split()
        for row in name_differences_table(compare_sides(first, sides()[1]))
    }
    assert rows["Dora"][-1] == "0.000"
    assert "Bea" not in rows  # 0.5 on average, as before
    assert name_differences_table(compare_sides(first, sides()[0]))[1].split()[-1] == "0.500"


def test_sides_that_do_not_differ_have_no_names() -> None:
    first, _ = sides()
    assert len(name_differences_table(compare_sides(first, first))) == 1


@pytest.mark.parametrize("table", [differences_table, name_differences_table])
def test_columns_are_aligned(table, compared: SystemComparison) -> None:
    assert len({len(line) for line in table(compared)}) == 1


def test_the_verdict_is_a_sentence_with_its_figures(compared: SystemComparison) -> None:
    line = verdict_line(compared)
    assert line.startswith("boosted against paper: within the noise (F0.5 +0.031, 95 % interval ")
    assert line.endswith("sign test p 1.000)")


def test_one_name_has_neither_error_nor_interval() -> None:
    one = [side_of([run_of({"Ada": score})], str(score)) for score in (0.5, 0.75)]
    assert sides_table(one)[1].split()[2:4] == ["0.500", "±–"]
    assert "95 % interval –," in verdict_line(compare_sides(*one))
