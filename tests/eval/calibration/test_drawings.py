import math

import pytest

from eval.calibration import drawings, reliability
from eval.calibration.drawings import reliability_figure
from tests.eval.calibration.made_up import made_up


def test_every_system_has_its_panel(drawn) -> None:
    found = {"calibrated": reliability(made_up()), "one name": reliability(made_up(names=1))}
    figure = reliability_figure(found, "T", remarks={"calibrated": "ECE 0.01"})
    assert figure.picture is not None
    assert drawn.texts["label-0"] == "calibrated"
    assert drawn.texts["remark-0"] == "ECE 0.01"
    assert drawn.texts["label-1"] == "one name"
    assert "remark-1" not in drawn.texts


def test_what_is_drawn_is_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    given = []
    monkeypatch.setattr(drawings, "available", lambda: True)
    monkeypatch.setattr(drawings, "reliability_diagrams", lambda systems, _: given.extend(systems))
    found = reliability(made_up(names=1))
    reliability_figure({"a": found}, "T")
    (system,) = given
    assert system.forecast == [each.forecast for each in found.bins]
    assert [each.value for each in system.happened] == [each.happened.value for each in found.bins]
    assert all(math.isnan(each.low) for each in system.happened)
    assert system.spread is found.spread


def test_without_matplotlib_there_is_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawings, "available", lambda: False)
    assert reliability_figure({"a": reliability(made_up())}, "T").picture is None
