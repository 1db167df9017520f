from __future__ import annotations

import copy
import json
from dataclasses import asdict, replace

import pytest
from jsonschema import Draft202012Validator

from weps.people.answer import Answer, ExplainedMerge
from weps.provenance import Collection, Provenance
from weps.report.json import as_json
from weps.report.view import Query, Report


def invalid(schema, data) -> list[str]:
    Draft202012Validator.check_schema(schema)
    return [error.message for error in Draft202012Validator(schema).iter_errors(data)]


@pytest.mark.parametrize("which", ["answer", "hostile", "crowd"])
def test_what_is_written_follows_the_schema(which, schema, request):
    data = json.loads(as_json(Report(request.getfixturevalue(which))))
    assert invalid(schema("cluster"), data) == []


def without_nothing(data: dict) -> dict:
    """The fields that say anything."""
    return {key: value for key, value in data.items() if value}


def test_people_are_written_whole_but_for_what_there_is_none_of(answer):
    data = json.loads(as_json(Report(answer)))
    optional = ("note", "nearest", "excerpt", "closest", "rival", "confirmed", "fingerprint")
    for told, person in zip(data["people"], answer.people, strict=True):
        assert told["id"] == person.id
        assert told.get("called", "") == person.called
        assert told["label"] == (person.called or ", ".join(person.terms))
        assert told["confidence"] == person.confidence
        assert told["unsure"] == all(page.score < 0.5 for page in person.pages)
        assert (told["terms"], told["words"]) == (list(person.terms), list(person.portrait.words))
        assert [(each["text"], each["kind"], tuple(each["pages"])) for each in told["names"]] == [
            (each.text, each.kind, each.ranks) for each in person.portrait.names
        ]
        for row, page in zip(told["pages"], person.pages, strict=True):
            expected = json.loads(json.dumps(asdict(page)))
            always = {key: expected.pop(key) for key in ("rank", "url", "title", "score")}
            assert set(expected) == set(optional)
            assert row == {**always, "unsure": page.score < 0.5, **without_nothing(expected)}
    assert [told["unsure"] for told in data["people"]] == [False, True, True]


def test_queries_are_written_where_there_is_one(answer):
    data = json.loads(as_json(Report(answer)))
    for told, person in zip(data["people"], answer.people, strict=True):
        query = Query.of(answer.name, person)
        assert ("refinement" in told) == (query is not None)
        if query:
            figures = told["refinement"]
            assert figures == {
                "query": query.text,
                "precision": query.precision,
                "recall": query.recall,
            }


def test_merges_pairs_and_corrections_are_written(answer):
    data = json.loads(as_json(Report(answer)))
    assert data["merges"] == [
        {"pages": list(each.pages), "probability": each.probability, "held": each.held}
        for each in answer.merges
    ]
    assert data["pairs"] == [
        {
            "pages": [0, 2],
            "probability": 0.96,
            "evidence": [
                {"feature": "linked", "shared": [], "pages": []},
                {"feature": "ngram(n=3)", "shared": ["· set theory"], "pages": [2]},
            ],
            "effects": [
                {"kind": "profile", "effect": 3.1},
                {"kind": "linked", "effect": 0.6},
            ],
        },
        {
            "pages": [2, 7],
            "probability": 0.81,
            "evidence": [
                {"feature": "token(local=true)", "shared": ["axiom", "proof"], "pages": [2, 3]}
            ],
            "steps": [
                {
                    "similarity": "dice(token)",
                    "value": 0.31,
                    "threshold": 0.12,
                    "probability": 0.7,
                },
                {
                    "similarity": "same_domain",
                    "value": 0.0,
                    "threshold": 0.5,
                    "probability": 0.81,
                },
            ],
        },
        {"pages": [3, 5], "probability": 0.52, "evidence": []},
        {"pages": [0, 3], "probability": 0.0, "evidence": [], "said": "different"},
    ]
    assert data["corrections"] == [
        "confirm 2 / 0 7",
        "different 0 / 3",
        "called 0 Ann the logician",
    ]
    assert (data["model"], data["signature"]) == (answer.model, answer.signature)
    assert data["absent_features"] == list(answer.absent_features)


def test_what_is_no_number_is_never_written(answer):
    with pytest.raises(ValueError, match="not JSON compliant"):
        as_json(Report(replace(answer, merges=(ExplainedMerge((0, 2), float("nan")),))))


def test_where_the_pages_are_and_what_was_chosen_is_written(answer, schema):
    provenance = Provenance(
        (Collection("../pages", "Ann_Example"), Collection("/new", "ann", {1: 8, 3: 9})),
        system="paper",
        model="/my.json",
        threshold=0.4,
        language="en_core_web_sm",
        last_id=12,
    )
    data = json.loads(as_json(Report(answer, provenance=provenance)))
    assert data["collected"] == [
        {"path": "../pages", "name": "Ann_Example"},
        {"path": "/new", "name": "ann", "ranks": [[1, 8], [3, 9]]},
    ]
    assert data["settings"] == {
        "system": "paper",
        "model": "/my.json",
        "threshold": 0.4,
        "language": "en_core_web_sm",
        "last_id": 12,
    }
    assert invalid(schema("cluster"), data) == []


def test_a_name_without_pages(schema):
    data = json.loads(as_json(Report(Answer("Nobody", (), (), "m", "s"))))
    assert data == {
        "name": "Nobody",
        "people": [],
        "merges": [],
        "pairs": [],
        "corrections": [],
        "model": "m",
        "signature": "s",
        "absent_features": [],
        "collected": [],
        "settings": {"system": "", "model": "", "threshold": None, "language": ""},
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
        lambda data: data["merges"][0].pop("held"),
        lambda data: data["pairs"][0]["evidence"][0].pop("shared"),
        lambda data: data["pairs"][0]["evidence"][0].update(pages=[0]),
        lambda data: data["pairs"][0].update(said="perhaps"),
        lambda data: data["pairs"][1].update(steps=[]),
        lambda data: data["people"][0]["names"][0].update(kind="thing"),
        lambda data: data["people"][0]["pages"][0].update(fingerprint="x"),
        lambda data: data["people"][0]["pages"][0].update(confirmed=False),
        lambda data: data["settings"].pop("threshold"),
        lambda data: data.update(collected=[{"path": "p"}]),
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
