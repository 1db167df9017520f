import json
from dataclasses import replace

import pytest

from eval.document import write_document
from eval.refinement_study.conclusions import judged
from eval.refinement_study.data import study_data
from eval.refinement_study.document import Study, conclusions_table, document
from tests.eval.refinement_study.made_up import uniform
from weps.forms import Form

FOUND = uniform({"tokens": 1.0, "ae work": 0.5, "name alone": 0.1})


def study() -> Study:
    return Study("WePS-2", Form.TOKENS, FOUND, judged(FOUND), ["Known."], "signature", "weps study")


def test_the_document_can_be_written(tmp_path):
    names = {path.name for path in write_document(document(study()), tmp_path)}
    assert names >= {"index.html", "conclusions.csv", "hardest.md", "typed.csv"}
    assert names >= {f"table-{number}.csv" for number in range(1, 8)}


def test_the_same_study_gives_the_same_document():
    assert document(study()) == document(study())


def test_it_says_how_it_was_made():
    made = document(study())
    assert (made.signature, made.made) == ("signature", "weps study")
    assert "Known." in made.summary


def test_without_attributes_there_is_no_table_7():
    found = uniform({"tokens": 1.0})
    made = document(replace(study(), findings=found, verdicts=judged(found)))
    assert "table-7" not in {table.key for table in made.tables()}


@pytest.mark.parametrize("form", [Form.PAGES, Form.TOKENS])
def test_what_differs_is_told(form):
    made = document(replace(study(), form=form))
    (data,) = (table for table in made.tables() if table.key == "data")
    told = {each[0]: each[1:] for each in data.rows}
    assert told["people with 1 page"] == ["4", "335"]
    assert told["people"] == ["12", "552"]
    assert told["attributes"][0].startswith("annotated for 4 of the names")


def test_verdicts_are_badges():
    table = conclusions_table(study())
    assert {each[1] for each in table.rows[1:]} <= {*table.marks, "not studied"}


def test_data_for_machines():
    data = study_data(study())
    assert data["figures"]["≥3"]["tokens"]["covered"] == 4
    assert data["figures"]["≥3"]["ae work"]["f"] == {"value": 0.5, "low": 0.5, "high": 0.5}
    assert data["people"][0]["found"]["ae work"]["f"] == 0.5
    assert len(data["conclusions"]) == 12


def test_what_is_not_known_is_null():
    found = uniform({"tokens": None})
    data = study_data(replace(study(), findings=found, verdicts=judged(found)))
    assert data["figures"]["1"]["tokens"]["f"] == {"value": None, "low": None, "high": None}
    assert data["figures"]["1"]["tokens"]["coverage"]["value"] == 0
    assert "NaN" not in json.dumps(data)
