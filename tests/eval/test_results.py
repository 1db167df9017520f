import json

import pytest

from eval.clustering import MEASURES
from eval.results import (
    Results,
    as_data,
    difference_rows,
    differences,
    differences_data,
    names_table,
    system_rows,
    systems_table,
)


def scores(**names: float) -> dict[str, dict[str, float]]:
    return {name: dict.fromkeys(MEASURES, value) for name, value in names.items()}


RESULTS = Results("how", {"tree": scores(Ada=0.5, Bea=1.0), "base": scores(Ada=0.25, Bea=0.25)})


def test_the_names_table_ends_in_mean_and_standard_error() -> None:
    table = names_table(RESULTS, "tree")
    assert [line.split()[0] for line in table] == ["tree", "Ada", "Bea", "mean", "standard"]
    assert table[1].split() == ["Ada", "0.50", "0.50", "0.50", "0.25"]
    assert table[3].split() == ["mean", "0.75", "0.75", "0.75", "0.25"]
    assert table[4].split() == ["standard", "error", "0.25", "0.25", "0.25", "0.00"]


def test_the_systems_table_has_every_measure_and_the_error_of_f() -> None:
    heading, tree, base = systems_table(RESULTS)
    assert len(heading.split()) == len(MEASURES) + 2
    assert tree.split() == ["tree", *["0.75"] * len(MEASURES), "0.25"]
    assert base.split()[-1] == "0.00"


def test_the_rows_of_systems_have_the_measures_asked_for() -> None:
    assert system_rows(RESULTS, ["rand", "bcubed_f05"]) == [
        ["system", "Rand", "F0.5", "±F0.5"],
        ["tree", "0.75", "0.75", "0.25"],
        ["base", "0.25", "0.25", "0.00"],
    ]


@pytest.mark.parametrize("lines", [names_table(RESULTS, "tree"), systems_table(RESULTS)])
def test_columns_are_aligned(lines: list[str]) -> None:
    assert len({len(line) for line in lines}) == 1


def test_one_name_has_no_standard_error() -> None:
    single = Results("how", {"tree": scores(Ada=0.5)})
    assert systems_table(single)[1].split()[-1] == "–"
    assert as_data(single)["systems"]["tree"]["standard_error"]["rand"] is None


def test_the_json_has_means_over_names_and_no_nan() -> None:
    data = json.loads(json.dumps(as_data(RESULTS), allow_nan=False))
    assert data["signature"] == "how"
    assert data["systems"]["tree"]["mean"]["bcubed_f05"] == 0.75
    assert data["systems"]["base"]["names"]["Ada"]["purity"] == 0.25


def test_systems_are_compared_with_the_first_name_by_name() -> None:
    systems = {"tree": scores(Ada=0.5, Bea=1.0), "other": scores(Bea=0.5, Ada=0.75)}
    found = differences(Results("how", systems), ["tree", "other"])
    assert list(found) == ["other"]
    assert found["other"].mean == pytest.approx(-0.125)
    assert (found["other"].better, found["other"].worse) == (1, 1)
    heading, row = difference_rows(found, "tree")
    assert heading[0] == "compared with tree"
    assert row == ["other", "-0.125", "-0.500 to +0.250", "1.000", "1", "1", "0"]
    (data,) = json.loads(json.dumps(differences_data(found, "tree"), allow_nan=False))
    assert (data["first"], data["second"]) == ("tree", "other")
    assert data["interval"] == [-0.5, 0.25]


def test_one_name_has_no_interval() -> None:
    systems = {"tree": scores(Ada=0.5), "base": scores(Ada=0.25)}
    found = differences(Results("how", systems), ["tree", "base"])
    assert difference_rows(found, "tree")[1][2] == "–"
    assert differences_data(found, "tree")[0]["interval"] is None


def test_a_single_system_is_compared_with_none() -> None:
    assert differences(RESULTS, ["tree"]) == {}
