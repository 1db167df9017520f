from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.cases import each_case
from weps.people.answer import Answer, ExplainedMerge
from weps.records import RESULT_SUFFIXES, Collection, Provenance
from weps.report.view import Report
from weps.results.files import PAGE_COLUMNS
from weps.results.stored import as_json, result_file
from weps.sources.corpora import read_clustering

PAGE = (Path(__file__).parents[3] / "docs" / "output.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"^```(\w+(?: \w+)?)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


def invalid(schema, data) -> list[str]:
    Draft202012Validator.check_schema(schema)
    return [error.message for error in Draft202012Validator(schema).iter_errors(data)]


def written(answer: Answer, **extras) -> dict[str, Any]:
    return json.loads(as_json(result_file(Report(answer, **extras))))


@pytest.mark.parametrize("which", ["answer", "hostile", "crowd"])
def test_what_is_written_follows_the_schema(which, schema, request):
    assert invalid(schema("cluster"), written(request.getfixturevalue(which))) == []


def test_empty_fields_are_left_out(answer):
    data = written(answer)
    assert ["called" in person for person in data["people"]] == [True, False, False]
    assert ["refinement" in person for person in data["people"]] == [True, False, True]
    page = {"rank": 3, "url": "", "title": "Ann E., dealer", "score": 0.3}
    assert data["people"][1]["pages"][0] == {**page, "unsure": True, "nearest": 3}
    assert data["pairs"][2:] == [
        {"pages": [3, 5], "probability": 0.52, "evidence": []},
        {"pages": [0, 3], "probability": 0.0, "evidence": [], "said": "different"},
    ]


@pytest.mark.parametrize("original", [0, 3])
def test_a_near_duplicate_names_its_original_whatever_its_rank(original, answer, schema):
    page = replace(answer.people[2].pages[0], rank=5, copy_of=original)
    data = written(replace(answer, people=(replace(answer.people[2], pages=(page,)),), merges=()))
    assert data["people"][0]["pages"][0]["copy_of"] == original
    assert invalid(schema("cluster"), data) == []
    assert "copy_of" not in as_json(result_file(Report(answer)))


def test_a_person_is_written_whole(answer):
    person = written(answer)["people"][0]
    page = person.pop("pages")[0]
    assert page == {
        "rank": 0,
        "url": "http://www.logic.example/ann",
        "title": "Ann’s home",
        "score": 0.99,
        "unsure": False,
        "excerpt": "Ann Example is a reader in logic.",
        "closest": {"rank": 2, "probability": 0.96},
        "rival": {"rank": 3, "probability": 0.2},
        "fingerprint": "0123456789ab",
        "file": "../Ann/page: 1.html",
        "fetched": "2026-11-23T10:00:00Z",
    }
    names = [("Trinity College", "organisation", [0, 2]), ("Bo Sample", "person", [2])]
    names.append(("Cambridge", "location", [0]))
    query = '"Ann Example" "Trinity College"'
    assert person == {
        "id": 1,
        "label": "Ann the logician",
        "called": "Ann the logician",
        "confidence": 0.81,
        "one_person": 0.35,
        "expected_people": 1.8,
        "unsure": False,
        "terms": ["logic", "trinity college"],
        "words": ["axiom", "proof"],
        "names": [dict(zip(("text", "kind", "pages"), each, strict=True)) for each in names],
        "refinement": {"query": query, "precision": 0.6667, "recall": 0.6667},
    }


def test_what_is_no_number_is_never_written(answer):
    with pytest.raises(ValueError, match="not JSON compliant"):
        as_json(
            result_file(Report(replace(answer, merges=(ExplainedMerge((0, 2), float("nan")),))))
        )


def test_where_the_pages_are_and_what_was_chosen_is_written(answer, schema):
    provenance = Provenance(
        (Collection("../pages", "Ann_Example"), Collection("/new", "ann", ((1, 8), (3, 9)))),
        system="paper",
        model="/my.json",
        threshold=0.4,
        language="en_core_web_sm",
        embeddings="/encoder",
        keep_all=True,
        last_id=12,
    )
    data = written(answer, provenance=provenance)
    assert data["collected"] == [
        {"path": "../pages", "name": "Ann_Example"},
        {"path": "/new", "name": "ann", "ranks": [[1, 8], [3, 9]]},
    ]
    apart = {"collections", "digest"}
    settings = {key: value for key, value in asdict(provenance).items() if key not in apart}
    assert data["settings"] == settings
    assert invalid(schema("cluster"), data) == []


def test_a_name_without_pages(schema):
    data = written(Answer("Nobody", (), (), "m", "s"))
    assert (data["people"], data["pairs"], data["collected"]) == ([], [], [])
    assert data["settings"] == {"system": "", "model": "", "threshold": None, "language": ""}
    assert invalid(schema("cluster"), data) == []


@each_case(
    "spoil",
    [
        lambda data: data["people"][0]["pages"][0].update(unsure=True),
        lambda data: data["people"][0]["pages"][2].update(unsure=False),
        lambda data: data["people"][0]["pages"][2].update(nearest=0),
        lambda data: data["people"][0]["refinement"].pop("recall"),
        lambda data: data["merges"][0].update(pages=[1, 1]),
        lambda data: data["pairs"][0]["evidence"][0].pop("shared"),
        lambda data: data["pairs"][0].update(said="perhaps"),
        lambda data: data["people"][0]["pages"][0].update(confirmed=False),
        lambda data: data["settings"].pop("threshold"),
    ],
)
def test_the_schema_refuses_what_is_not_documented(spoil, answer, schema):
    data = written(answer)
    spoil(data)
    assert invalid(schema("cluster"), data)


@pytest.mark.parametrize("name", ["cluster", "scores"])
def test_examples_follow_their_schemas(name, schema):
    Draft202012Validator(schema(name)).validate(json.loads(EXAMPLES[f"json {name}"]))


MARKS = ("notes", "tags")


def test_the_examples_of_the_documentation_agree(tmp_path):
    data = json.loads(EXAMPLES["json cluster"])
    pages = [(each, page) for each in data["people"] for page in each["pages"]]
    rows = list(csv.DictReader(io.StringIO(EXAMPLES["csv"])))
    assert tuple(rows[0]) == tuple(PAGE_COLUMNS)
    for row, (person, page) in zip(rows, pages, strict=True):
        about = {"name": data["name"], "person": person["id"]}
        about |= {key: person[key] for key in ("label", "confidence")}
        about |= {key: page[key] for key in ("rank", "score", "url", "title")}
        about |= {"unsure": int(page["unsure"]), "nearest": page.get("nearest", "")}
        about["query"] = person.get("refinement", {}).get("query", "")
        about |= {key: person[key] for key in ("one_person", "expected_people")}
        about |= {key: page.get(key, "") for key in ("file", "fetched")}
        about |= {"part": "", **{f"{of}{key}": "" for of in ("", "person_") for key in MARKS}}
        about |= {"checked": 0, "person_checked": 0}
        assert row == {key: str(value) for key, value in about.items()}
    (tmp_path / "x.clust.xml").write_text(EXAMPLES["xml"], "utf-8")
    groups = [frozenset(page["rank"] for page in each["pages"]) for each in data["people"]]
    assert read_clustering(tmp_path / "x.clust.xml").groups == tuple(groups)


def test_every_field_and_file_is_mentioned(schema):
    measures = schema("scores")["$defs"]["Scores"]["required"]
    for term in [
        *measures,
        *PAGE_COLUMNS,
        *(f"NAME{suffix}" for suffix in RESULT_SUFFIXES.values()),
    ]:
        assert f"`{term}`" in PAGE
