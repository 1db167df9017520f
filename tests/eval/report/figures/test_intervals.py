import math
from math import nan

import pytest

from eval.report.figures.intervals import Entry, Row, groups_of_dots, pairs_of_bars
from eval.report.figures.style import Interval


def entry(label: str, value: float, marked: bool = False) -> Entry:
    return Entry(label, Interval(value, value - 0.1, value + 0.1), marked)


GROUPS = [
    [entry("first", 0.5, marked=True), entry("second", 0.4)],
    [entry("a very long name of some measure that nobody can read in one line", 0.3)],
]


def test_every_row_has_its_label_and_its_number(drawn) -> None:
    groups_of_dots(GROUPS, "T", "KING")
    labels = [text for key, text in drawn.texts.items() if key.startswith("label-")]
    assert labels[:2] == ["first", "second"]
    assert "…" in labels[2]
    assert drawn.texts["value-0"] == "0.50 (0.40–0.60)"
    assert not drawn.overlaps()
    assert not drawn.outside()


@pytest.mark.parametrize("rows", [1, 70])
def test_any_number_of_rows(rows: int, drawn) -> None:
    groups_of_dots([[entry(f"measure {n}", n / 100) for n in range(rows)]], "T", "KING")
    assert sum(key.startswith("label-") for key in drawn.texts) == rows
    assert not drawn.overlaps()


def test_a_value_without_interval(drawn) -> None:
    groups_of_dots([[Entry("one", Interval(0.25, nan, nan))]], "T", "KING")
    assert drawn.texts["value-0"] == "0.25"


def test_the_picture_in_words() -> None:
    pytest.importorskip("matplotlib")
    alt = groups_of_dots(GROUPS, "Clusters", "KING").alt
    assert alt.startswith("Clusters. KING of 3 rows in 2 groups, the highest first with 0.50.")
    assert alt.endswith("Marked: first.")


def test_nothing_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="needs rows"):
        groups_of_dots([[]], "T", "KING")


def test_values_are_printed_beside_their_names(drawn) -> None:
    rows = [Row("tokens", Interval(0.81, 0.79, 0.834), Interval(0.8, math.nan, math.nan))]
    picture = pairs_of_bars(rows, "T", ("upper bound", "tree"), "accuracy")
    assert drawn.texts["name-0-0"] == "upper bound"
    assert drawn.texts["value-0-0"] == "0.81 (0.79–0.83)"
    assert drawn.texts["value-0-1"] == "0.80"
    assert picture.alt.endswith("tokens 0.81 and 0.80.")
