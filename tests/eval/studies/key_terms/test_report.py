import json
from math import isnan

import pytest

from tests.cases import each_case
from tests.eval.studies.key_terms.made_up import findings, places, topic
from weps_eval.report.claims import judge_claims
from weps_eval.report.document import write_document
from weps_eval.studies.base import Result
from weps_eval.studies.key_terms.claims import CLAIMS, sample_size
from weps_eval.studies.key_terms.findings import WordShare
from weps_eval.studies.key_terms.report import data, document


def result(*collections):
    judged = [(each, judge_claims(CLAIMS, each, sample_size)) for each in collections]
    return Result("news", judged, [], ["A remark."], "made:up", "weps")


TAGGED = findings(topic("sea"), topic("bread"))
PLAIN = findings(topic("sea", where={}), topic("bread", where={}))


@pytest.mark.slow
def test_everything_is_written(tmp_path):
    pytest.importorskip("matplotlib")
    names = {path.name for path in write_document(document(result(TAGGED, PLAIN)), tmp_path)}
    assert {"figure-1-1.png", "figure-2-1.png", "figure-3b-1.png", "figure-5-1.png"} <= names
    assert {"figure-4-2.png", "topics-2.csv", "overview.md"} <= names
    assert names.isdisjoint({"figure-1-2.png", "figure-5-2.png"})
    assert "ISCORPUS" in (tmp_path / "index.md").read_text()


@pytest.mark.usefixtures("undrawn")
@each_case(
    ("empty", "missing"),
    [
        ({"-6"}, set()),
        ({"heads"}, {"figure-3-1"}),
        (places().keys(), {"figure-1-1", "figure-2-1", "figure-3-1", "figure-3b-1"}),
    ],
)
def test_places_without_a_word_are_not_drawn(empty, missing):
    where = places() | dict.fromkeys(empty, WordShare(0, 0))
    found = result(findings(topic("sea", where=where), topic("bread", where=where)))
    assert isnan(found.findings[0][0].probability(min(empty)).value)
    drawn, complete = (
        {figure.key for figure in document(each).figures()} for each in (found, result(TAGGED))
    )
    assert complete - drawn == missing
    assert "NaN" not in json.dumps(data(found))


def test_as_data():
    first, second = json.loads(json.dumps(data(result(TAGGED, PLAIN))))["collections"]
    assert first["weightings"]["tf"]["recall_at_50"]["value"] == pytest.approx(2 / 3, abs=1e-6)
    assert first["topics"][0]["places"]["-1"] == [10, 100]
    assert first["topics"][0]["recall"]["tf"] == {"10": 0.666667, "50": 0.666667}
    assert second["probability"] == second["differences"] == {}
    assert len(first["conclusions"]) == len(second["conclusions"])
