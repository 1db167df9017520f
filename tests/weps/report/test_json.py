from __future__ import annotations

import copy
import json
from dataclasses import asdict

import pytest
from jsonschema import Draft202012Validator

from weps.people import Answer
from weps.report import Report
from weps.report.json import as_json
from weps.report.queries import Query


def invalid(schema, data) -> list[str]:
    Draft202012Validator.check_schema(schema)
    return [error.message for error in Draft202012Validator(schema).iter_errors(data)]


@pytest.mark.parametrize("which", ["answer", "hostile", "crowd"])
def test_what_is_written_follows_the_schema(which, schema, request):
    data = json.loads(as_json(Report(request.getfixturevalue(which))))
    assert invalid(schema("cluster"), data) == []


def test_everything_in_the_answer_is_written_notes_and_nearest_only_where_there_are_any(answer):
    expected = json.loads(json.dumps(asdict(answer)))
    for person, which in zip(expected["people"], answer.people, strict=True):
        person["label"] = ", ".join(person.pop("terms"))
        person.pop("refinement")
        if query := Query.of(answer.name, which):
            told = {"query": query.text, "precision": query.precision, "recall": query.recall}
            person["refinement"] = told
        for page in person["pages"]:
            page["unsure"] = page["score"] < 0.5
            for field in ("note", "nearest"):
                if not page[field]:
                    del page[field]
        person["unsure"] = all(page["unsure"] for page in person["pages"])
    assert json.loads(as_json(Report(answer))) == expected
    assert [person["unsure"] for person in expected["people"]] == [False, True, True]


def test_a_name_without_pages(schema):
    data = json.loads(as_json(Report(Answer("Nobody", (), (), "m", "s"))))
    assert data == {
        "name": "Nobody",
        "people": [],
        "merges": [],
        "model": "m",
        "signature": "s",
        "absent_features": [],
    }
    assert invalid(schema("cluster"), data) == []


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data.pop("model"),
        lambda data: data.update(extra=1),
        lambda data: data["people"][0].update(confidence=1.1),
        lambda data: data["people"][0].update(pages=[]),
        lambda data: data["people"][0]["pages"][0].update(note=""),
        lambda data: data["people"][0]["pages"][0].update(rank=-1),
        lambda data: data["people"][0]["pages"][0].update(unsure=True),
        lambda data: data["people"][0]["pages"][0].update(nearest=2),
        lambda data: data["people"][0]["pages"][2].update(unsure=False),
        lambda data: data["people"][0]["pages"][2].update(nearest=0),
        lambda data: data["people"][0]["pages"][2].update(nearest=None),
        lambda data: data["people"][0]["pages"][2].pop("unsure"),
        lambda data: data["people"][0].pop("unsure"),
        lambda data: data["people"][0]["refinement"].pop("recall"),
        lambda data: data["people"][0]["refinement"].update(precision=0),
        lambda data: data["people"][1].update(refinement=None),
        lambda data: data["merges"][0].update(pages=[1, 1]),
        lambda data: data["merges"][0]["evidence"][0].pop("shared"),
    ],
)
def test_the_schema_refuses_what_is_not_documented(spoil, answer, schema):
    data = json.loads(as_json(Report(answer)))
    spoil(data)
    assert invalid(schema("cluster"), data)


SCORES = dict.fromkeys(
    "bcubed_precision bcubed_recall bcubed_f05 bcubed_f02 purity inverse_purity purity_f05"
    " purity_f02 rand jaccard fowlkes_mallows".split(),
    0.5,
)
SYSTEM = {"names": {"Ann": SCORES}, "mean": SCORES, "standard_error": {"rand": None, "purity": 0.1}}


LABELS = {"pages": 1, "people": 20, "share": 0.4, "interval": [0.3, 0.5]}


@pytest.mark.parametrize("beside", [{}, {"labels": [LABELS, LABELS | {"interval": None}]}])
def test_the_schema_of_scores_accepts_the_documented_shape(schema, beside):
    data = {"signature": "s", "systems": {"weps": SYSTEM | beside}}
    assert invalid(schema("scores"), data) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["signature"], ""),
        (["systems"], {}),
        (["systems", "weps", "names"], {}),
        (["systems", "weps", "mean", "rand"], 1.5),
        (["systems", "weps", "mean", "rand"], None),
        (["systems", "weps", "names", "Ann", "unknown"], 0.5),
        (["systems", "weps", "standard_error", "rand"], -1),
        (["systems", "weps", "labels"], []),
        (["systems", "weps", "labels"], [LABELS | {"share": 1.1}]),
        (["systems", "weps", "labels"], [LABELS | {"people": 0}]),
        (["systems", "weps", "labels"], [LABELS | {"interval": [0.1]}]),
        (["extra"], 1),
    ],
)
def test_the_schema_of_scores_refuses_other_shapes(path, value, schema):
    data = copy.deepcopy({"signature": "s", "systems": {"weps": SYSTEM}})
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert invalid(schema("scores"), data)


@pytest.mark.parametrize("measure", sorted(SCORES))
def test_the_schema_of_scores_asks_for_every_measure(measure, schema):
    data = copy.deepcopy({"signature": "s", "systems": {"weps": SYSTEM}})
    del data["systems"]["weps"]["names"]["Ann"][measure]
    assert invalid(schema("scores"), data)
