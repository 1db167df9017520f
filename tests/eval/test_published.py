from dataclasses import fields, replace

import pytest

from eval.clustering import MEASURES
from eval.published import COUNTERPARTS, PAPER, TABLE_2, Setting, differing, table_2
from eval.results import Results
from weps.feature_sets import FEATURE_SETS


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
    lines = table_2(results(**{"non-linguistic": 0.5, "all": 0.25, "all_in_one": 1.0}))
    (ours,) = (line.split() for line in lines if line.startswith("ML-NON LING"))
    assert ours[-7:] == ["0.83", "0.91", "0.77", "non-linguistic", "0.50", "0.50", "0.50"]
    (with_all,) = (line.split() for line in lines if line.startswith("ML-ALL"))
    assert with_all[-4:] == ["all", "0.25", "0.25", "0.25"]
    assert sum("S-" in line for line in lines) == 5
    assert not any("all_in_one" in line for line in lines)


def test_a_system_that_did_not_run_is_left_open() -> None:
    lines = table_2(results(**{"non-linguistic": 0.5}))
    (with_all,) = (line.split() for line in lines if line.startswith("ML-ALL"))
    assert with_all == ["ML-ALL", "0.81", "0.89", "0.76"]


def test_the_counterparts_are_feature_sets_and_published_systems() -> None:
    assert COUNTERPARTS.keys() <= FEATURE_SETS.keys()
    assert set(COUNTERPARTS.values()) <= {line.system for line in TABLE_2}


@pytest.mark.parametrize("field", [field.name for field in fields(Setting)])
def test_only_what_differs_is_told(field: str) -> None:
    heading, *lines = differing(replace(PAPER, **{field: "something else"}))
    assert heading.split() == ["what", "differs", "here", "paper"]
    assert [line.startswith(field.replace("_", " ")) for line in lines] == [True]
    assert "something else" in lines[0]
    assert lines[0].endswith(getattr(PAPER, field))
