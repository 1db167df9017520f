import json

import pytest

from eval.report.render import write_document
from eval.studies.key_terms.claims import assess_claims
from eval.studies.key_terms.report import Study, build_document, study_data
from tests.eval.studies.key_terms.made_up import findings, topic


@pytest.fixture
def study():
    tagged = findings(topic("sea"), topic("bread"))
    plain = findings(topic("sea", where={}), topic("bread", where={}))
    return Study(
        [(each, assess_claims(each)) for each in (tagged, plain)], ["A remark."], "made:up", "weps"
    )


def test_everything_is_written(study, tmp_path):
    pytest.importorskip("matplotlib")
    names = {path.name for path in write_document(build_document(study), tmp_path)}
    assert {"figure-1-1.png", "figure-2-1.png", "figure-3b-1.png", "figure-5-1.png"} <= names
    assert {"figure-4-2.png", "topics-2.csv", "overview.md"} <= names
    assert "figure-1-2.png" not in names
    assert "ISCORPUS" in (tmp_path / "index.md").read_text()


def test_without_matplotlib_there_are_no_pictures(study, monkeypatch):
    monkeypatch.setattr("eval.studies.key_terms.report.available", lambda: False)
    figures = list(build_document(study).figures())
    assert figures
    assert all(each.picture is None for each in figures)


def test_as_data(study):
    data = json.loads(json.dumps(study_data(study), allow_nan=False))
    first, second = data["collections"]
    assert first["weightings"]["tf"]["recall_at_50"]["value"] == pytest.approx(2 / 3)
    assert first["topics"][0]["places"]["-1"] == [10, 100]
    assert second["probability"] == {}
    assert len(first["conclusions"]) == len(second["conclusions"])
