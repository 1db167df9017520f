from dataclasses import fields, replace

import pytest

from eval.clustering import MEASURES
from eval.published import (
    COUNTERPARTS,
    PAPER,
    TABLE_2,
    Setting,
    differing,
    standing_for,
    table_2,
)
from eval.results import Results
from weps.configuration import configuration


def results(**systems: float) -> Results:
    return Results(
        "how",
        {name: {"Ada": dict.fromkeys(MEASURES, value)} for name, value in systems.items()},
    )


def test_the_figures_are_f_of_about_their_precision_and_recall() -> None:
    # The mean of F is not F of the means, but no system is far from it.
    for line in TABLE_2:
        f = 2 * line.precision * line.recall / (line.precision + line.recall)
        assert line.f05 == pytest.approx(f, abs=0.075)


def test_the_table_is_sorted_as_printed() -> None:
    figures = [line.f05 for line in TABLE_2]
    assert figures == sorted(figures, reverse=True)


def test_ours_stand_beside_those_that_they_stand_for() -> None:
    figures = results(**{"ours": 0.5, "with all": 0.25, "all_in_one": 1.0})
    rows = table_2(figures, {"ML-NON LING": "ours", "ML-ALL": "with all"})
    assert {len(row) for row in rows} == {8}
    beside = {row[0]: row[1:] for row in rows}
    assert beside["ML-NON LING"] == ["0.83", "0.91", "0.77", "ours", "0.50", "0.50", "0.50"]
    assert beside["ML-ALL"][3:] == ["with all", "0.25", "0.25", "0.25"]
    assert beside["S-1"][3:] == [""] * 4
    assert len(rows) == 1 + len(TABLE_2)


def test_a_system_that_did_not_run_is_left_open() -> None:
    rows = table_2(results(ours=0.5), {"ML-NON LING": "ours"})
    assert ["ML-ALL", "0.81", "0.89", "0.76", "", "", "", ""] in rows


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (["default"], {}),
        (["paper", "default"], {"ML-NON LING": "paper"}),
        (["paper:features=all"], {"ML-ALL": "paper:features=all"}),
        (
            ["paper:features=non-linguistic", "paper"],
            {"ML-NON LING": "paper:features=non-linguistic"},
        ),
        (["paper:link=average", "paper:features=all,copies=1"], {}),
    ],
)
def test_only_the_paper_s_configurations_stand_for_its_systems(
    texts: list[str], found: dict[str, str]
) -> None:
    assert standing_for({text: configuration(text) for text in texts}) == found


def test_the_counterparts_are_published() -> None:
    assert COUNTERPARTS.keys() <= {line.system for line in TABLE_2}


@pytest.mark.parametrize("field", [field.name for field in fields(Setting)])
def test_only_what_differs_is_told(field: str) -> None:
    heading, row = differing(replace(PAPER, **{field: "something else"}))
    assert heading == ["what differs", "here", "paper"]
    assert row == [field.replace("_", " "), "something else", getattr(PAPER, field)]
