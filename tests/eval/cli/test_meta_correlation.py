"""``weps meta correlation`` on small tables."""

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from eval.cli import meta_correlation
from eval.text.testbed.matrix import MeasureMatrix
from tests.eval.studies.made_up_scores import matrix, write

SCHEMA = json.loads(
    (Path(__file__).parents[3] / "docs/schema/meta-correlation.schema.json").read_text("utf-8")
)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Two criteria; the second is of whole systems."""
    found = matrix()
    by_system = [float(each[1:]) for each in found.system]
    both = MeasureMatrix(
        found.topic, found.system, found.measures, found.values, ("quality", "rank"),
        np.vstack([found.human, by_system]),
    )  # fmt: skip
    return write(tmp_path / "table.csv", both)


def test_all_criteria_are_studied(weps, table, tmp_path):
    json_file, report = tmp_path / "out.json", tmp_path / "report"
    status, out, err = weps("meta", "correlation", table, "--json", json_file, "--report", report)
    assert (status, err) == (0, "")
    assert out.startswith("People judged whole systems by rank, not single outputs:")
    assert "Resampling 8 groups gives rough intervals" in out
    assert max(map(len, out.split("\n\nsource:")[0].splitlines())) <= 100
    data = json.loads(json_file.read_text())
    jsonschema.validate(data, SCHEMA)
    assert set(data["criteria"]["quality"]["levels"]) > {"system", "segment"}
    assert set(data["criteria"]["rank"]["levels"]) == {"system"}
    assert any("rank: " in each["figures"] for each in data["conclusions"])
    assert (report / "c1-levels.svg").exists()
    assert not (report / "c2-levels.svg").exists()


@pytest.mark.parametrize("criterion", ["quality", "human:quality"])
def test_a_criterion_is_named_with_or_without_its_prefix(weps, table, tmp_path, criterion):
    weps("meta", "correlation", table, "--human", criterion, "--json", tmp_path / "out.json")
    assert list(json.loads((tmp_path / "out.json").read_text())["criteria"]) == ["quality"]


def test_the_same_table_gives_the_same_figures(weps, table, tmp_path):
    for name in ("first", "second", "other"):
        seed = int(name == "other")
        weps("meta", "correlation", table, "--seed", seed, "--json", tmp_path / name)
    first, second, other = (
        json.loads((tmp_path / name).read_text())["criteria"]
        for name in ("first", "second", "other")
    )
    assert first == second != other


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--human", "qualty"], "did you mean 'human:quality'"),
        (["--measures", "rouge(n=7)"], "there is no measure 'rouge(n=7)'"),
        (["--report", __file__], "test_meta_correlation.py"),
    ],
)
def test_what_cannot_be_done_is_told(weps, table, options, told):
    status, _, err = weps("meta", "correlation", table, *options)
    assert status == 1
    assert told in err


def test_without_people_there_is_nothing_to_agree_with(weps, tmp_path):
    found = matrix()
    nobody = MeasureMatrix(
        found.topic, found.system, found.measures, found.values, (), np.empty((0, 56))
    )
    status, _, err = weps("meta", "correlation", write(tmp_path / "t.csv", nobody))
    assert status == 1
    assert "there are no human scores" in err


def test_what_takes_minutes_is_told_before(weps, table, monkeypatch):
    assert "about" not in weps("meta", "correlation", table)[2]
    monkeypatch.setattr(meta_correlation, "_SECONDS", 1.0)
    assert "minutes; --measures and --human choose fewer" in weps("meta", "correlation", table)[2]
