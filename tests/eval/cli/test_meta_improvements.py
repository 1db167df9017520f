"""``weps meta improvements`` on small tables."""

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from eval.text.testbed.matrix import MeasureMatrix
from tests.eval.studies.made_up_scores import matrix, write

SCHEMA = json.loads(
    (Path(__file__).parents[3] / "docs/schema/meta-improvements.schema.json").read_text("utf-8")
)
OFFICIAL = "s6.1 HUMAN.0 s0.2\ns6.1 - 0.1 0.3***\nHUMAN.0 -0.1 - 0.1\ns0.2 -0.3 -0.2 -\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write(tmp_path / "table.csv", matrix(topics=12))


def test_all_that_is_asked_for_is_told(weps, table, tmp_path):
    json_file, report = tmp_path / "out.json", tmp_path / "report"
    status, out, err = weps(
        "meta", "improvements", table, "--chosen", "s6", "--json", json_file, "--report", report
    )
    assert (status, err) == (0, "")
    assert "84 outputs of 7 systems on 12 topics have a score for quality." in out
    assert "In the paper the chosen system is human-aided; s6 stands in for it here." in out
    assert max(map(len, out.split("\n\nsource:")[0].splitlines())) <= 100
    data = json.loads(json_file.read_text())
    jsonschema.validate(data, SCHEMA)
    assert data["decrease"]["chosen"] == "s6"
    assert (report / "decreases.svg").exists()


def test_published_improvements(weps, table, tmp_path):
    official = tmp_path / "official.csv"
    official.write_text(OFFICIAL)
    json_file = tmp_path / "out.json"
    status, out, _ = weps(
        "meta", "improvements", table, "--official", official, "--stars", 3, "--json", json_file
    )
    assert status == 0
    assert "Improvements by people are those of official.csv, 3 stars or more." in out
    assert "Systems of that table that are not at hand: HUMAN." in out
    assert "Systems that are not in that table: s1" in out
    data = json.loads(json_file.read_text())
    jsonschema.validate(data, SCHEMA)
    assert data["improvements"]["real"] == [["s6", "s0"]]


def test_published_improvements_need_no_scores(weps, tmp_path):
    found = matrix(topics=12)
    nobody = MeasureMatrix(
        found.topic, found.system, found.measures, found.values, (), np.empty((0, 84))
    )
    table, official = write(tmp_path / "t.csv", nobody), tmp_path / "official.csv"
    official.write_text(OFFICIAL)
    json_file = tmp_path / "out.json"
    status, out, _ = weps(
        "meta", "improvements", table, "--official", official, "--json", json_file
    )
    assert status == 0
    assert "nothing is said of low and high scores" in out
    data = json.loads(json_file.read_text())
    jsonschema.validate(data, SCHEMA)
    assert (data["criterion"], data["oracle"]) == (None, None)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--scale", 5, 1], "a scale cannot go from 5 to 1"),
        (["--chosen", "s9"], "there is no system 's9'"),
        (["--official", "nowhere.csv"], "nowhere.csv"),
    ],
)
def test_what_cannot_be_done_is_told(weps, table, options, told):
    status, _, err = weps("meta", "improvements", table, *options)
    assert status == 1
    assert told in err
