from math import nan

import pytest

from eval.calibration import as_forecasts, measures, reliability
from eval.calibration.tables import measures_table, reliability_table
from eval.document.checks import check
from eval.document.model import Document, Section
from eval.ordering import Estimate
from tests.eval.calibration.made_up import made_up
from weps.tables import aligned


def test_every_measure_is_shown_once() -> None:
    table = measures_table({"trees": measures(made_up()), "paper": measures(made_up(1, names=1))})
    assert table.rows[0] == ["", "trees", "paper"]
    assert len(table.rows) == 1 + len(measures(made_up()))
    assert all(row[1].endswith(")") and " to " in row[1] for row in table.rows[1:])
    assert all(row[2].endswith(" (–)") for row in table.rows[1:])


@pytest.mark.parametrize(
    ("figure", "expected"),
    [
        (Estimate(0.51234, 0.4, 1.25), "0.51 (0.40 to 1.25)"),
        (Estimate(-0.25, -0.5, -0.001), "−0.25 (−0.50 to 0.00)"),
        (Estimate(0.5, nan, nan), "0.50 (–)"),
        (Estimate(nan, nan, nan), "–"),
    ],
)
def test_what_is_not_known_is_a_dash(figure: Estimate, expected: str) -> None:
    every = dict.fromkeys(measures(made_up(names=1)), figure)
    rows = {row[0]: row[1] for row in measures_table({"x": every}).rows}
    assert rows["calibration slope"] == expected


def test_bins_are_rows() -> None:
    found = reliability(
        as_forecasts([0.1] * 4 + [0.9] * 2, [True, False, False, True, True, True], [0, 1] * 3)
    )
    assert aligned(reliability_table(found, "T").rows) == [
        "forecasts       number  names   mean                happened",
        "0.100 to 0.100       4      2  0.100  0.500 (0.500 to 0.500)",
        "0.900 to 0.900       2      2  0.900               1.000 (–)",
    ]


def test_a_document_takes_them(tmp_path) -> None:
    tables = (
        measures_table({"a": measures(made_up())}),
        reliability_table(reliability(made_up()), "T"),
    )
    check(Document("T", (), [Section("S", tables=tables)], "", ""), tmp_path)
