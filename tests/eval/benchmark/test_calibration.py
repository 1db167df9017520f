import math
from math import nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from eval.benchmark import calibration as drawings
from eval.benchmark.calibration import measures_table, reliability_figure, reliability_table
from eval.calibration.forecasts import as_forecasts
from eval.calibration.reliability import binned_reliability
from eval.calibration.scores import calibration_measures
from eval.report.document import Document, Section
from eval.stats.estimate import Estimate
from tests.eval.calibration.made_up import made_up


def test_systems_are_plotted_with_their_remarks(monkeypatch: pytest.MonkeyPatch) -> None:
    plotted = []
    monkeypatch.setattr(drawings, "available", lambda: True)
    monkeypatch.setattr(drawings, "plot_reliability", lambda *given: plotted.extend(given))
    found, remarks = {"a": binned_reliability(made_up())}, {"a": "ECE 0.01"}
    assert reliability_figure(found, "T", remarks=remarks).title == "T"
    assert plotted == [found, "T", remarks]


def test_without_matplotlib_there_is_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawings, "available", lambda: False)
    assert reliability_figure({"a": binned_reliability(made_up())}, "T").picture is None


def test_a_worked_example() -> None:
    found = binned_reliability(
        as_forecasts(
            [0.1, 0.3, 0.6, 0.7, 1, 1],
            [False, True, True, False, True, True],
            [0, 1, 0, 0, 0, 1],
            [1, 3, 1, 1, 1, 1],
        ),
        bins=3,
    )
    first, second, last = found.bins
    assert (first.low, first.high, first.number, first.names) == (0.1, 0.3, 2, 2)
    assert_allclose(first.forecast, (0.1 + 3 * 0.3) / 4)
    assert first.happened == (0.75, 0, 1)
    assert (second.low, second.high, second.number, second.names) == (0.6, 0.7, 2, 1)
    assert second.happened.value == 0.5
    assert math.isnan(second.happened.low)
    assert last.happened.value == 1
    assert math.isnan(last.happened.high)
    assert_allclose(found.spread[[2, 6, 12, 14, 19]], np.array([1, 3, 1, 1, 2]) / 8)
    assert_allclose(found.spread.sum(), 1)


@settings(max_examples=10)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0, 3, 20]), st.integers(1, 12))
def test_bins_hold_all_forecasts_in_order(seed: int, levels: int, bins: int) -> None:
    forecasts = made_up(seed, names=3, each=30, levels=levels)
    found = binned_reliability(forecasts, bins).bins
    assert sum(each.number for each in found) == 90
    for each in found:
        inside = (forecasts.probability >= each.low) & (forecasts.probability <= each.high)
        assert inside.sum() == each.number
        assert_allclose(each.forecast, forecasts.probability[inside].mean())
        assert_allclose(each.happened.value, forecasts.happened[inside].mean())
        known = not math.isnan(each.happened.low)
        assert known == (each.names > 1 and 0 < each.happened.value < 1)
        assert not known or each.happened.low <= each.happened.value <= each.happened.high


def test_bins_give_the_expected_error() -> None:
    forecasts = made_up(slope=0.4)
    off = [
        abs(each.forecast - each.happened.value) * each.number / len(forecasts.probability)
        for each in binned_reliability(forecasts).bins
    ]
    assert_allclose(sum(off), calibration_measures(forecasts)["ece"].value)


def test_a_single_name_has_no_intervals() -> None:
    assert all(math.isnan(each.happened.low) for each in binned_reliability(made_up(names=1)).bins)


def test_one_value_is_one_bin() -> None:
    (only,) = binned_reliability(as_forecasts([0.5] * 4, [True, False] * 2, [0, 0, 1, 1])).bins
    assert (only.low, only.high, only.number) == (0.5, 0.5, 4)
    assert only.happened == (0.5, 0.5, 0.5)


def test_names_that_differ_widen_the_interval() -> None:
    """Each name all or nothing: resamples of single forecasts would be far too sure."""
    group = np.repeat(np.arange(4), 100)
    (only,) = binned_reliability(as_forecasts([0.5] * 400, group < 2, group)).bins
    assert only.happened == (0.5, 0, 1)


def test_every_measure_is_shown_once() -> None:
    table = measures_table(
        {
            "trees": calibration_measures(made_up()),
            "paper": calibration_measures(made_up(1, names=1)),
        }
    )
    assert table.rows[0] == ["", "trees", "paper"]
    assert len(table.rows) == 1 + len(calibration_measures(made_up()))
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
    every = dict.fromkeys(calibration_measures(made_up(names=1)), figure)
    rows = {row[0]: row[1] for row in measures_table({"x": every}).rows}
    assert rows["calibration slope"] == expected


def test_bins_are_rows() -> None:
    found = binned_reliability(
        as_forecasts([0.1] * 4 + [0.9] * 2, [True, False, False, True, True, True], [0, 1] * 3)
    )
    assert reliability_table(found, "T").rows == [
        ["forecasts", "number", "names", "mean", "happened"],
        ["0.100 to 0.100", "4", "2", "0.100", "0.500 (0.500 to 0.500)"],
        ["0.900 to 0.900", "2", "2", "0.900", "1.000 (–)"],
    ]


def test_a_document_takes_them(tmp_path) -> None:
    tables = (
        measures_table({"a": calibration_measures(made_up())}),
        reliability_table(binned_reliability(made_up()), "T"),
    )
    Document("T", (), [Section("S", tables=tables)], "", "").check_keys(tmp_path)
