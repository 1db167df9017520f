"""The examples of docs/output.md are what the writers write."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from weps.evidence import Evidence
from weps.people import Answer, ExplainedMerge, PageScore, Person
from weps.refinement.suggest import Refinement
from weps.report import WRITERS, Report

PAGE = (Path(__file__).parents[3] / "docs" / "output.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"^```(\w+(?: \w+)?)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


def told(kind: type, data: dict[str, Any]) -> dict[str, Any]:
    """The fields; what follows from them is left out."""
    return {field.name: data[field.name] for field in fields(kind) if field.name in data}


def page_of(data: dict[str, Any]) -> PageScore:
    return PageScore(**told(PageScore, data))


def person_of(data: dict[str, Any]) -> Person:
    terms = tuple(filter(None, data["label"].split(", ")))
    pages = tuple(map(page_of, data["pages"]))
    return Person(data["id"], terms, data["confidence"], pages, refinement_of(data))


def refinement_of(data: dict[str, Any]) -> Refinement | None:
    if "refinement" not in data:
        return None
    text = data["refinement"]["query"].rpartition('" ')[2].strip('"')
    precision, recall = data["refinement"]["precision"], data["refinement"]["recall"]
    return Refinement(text, precision, recall, 2 * precision * recall / (precision + recall))


@pytest.fixture
def documented() -> Answer:
    data = json.loads(EXAMPLES["json cluster"])
    people = tuple(map(person_of, data["people"]))
    merges = tuple(
        ExplainedMerge(
            tuple(merge["pages"]),
            merge["probability"],
            tuple(Evidence(each["feature"], tuple(each["shared"])) for each in merge["evidence"]),
        )
        for merge in data["merges"]
    )
    return Answer(
        data["name"],
        people,
        merges,
        data["model"],
        data["signature"],
        tuple(data["absent_features"]),
    )


@pytest.mark.parametrize("name", ["cluster", "scores"])
def test_examples_follow_their_schemas(name, schema):
    Draft202012Validator(schema(name)).validate(json.loads(EXAMPLES[f"json {name}"]))


@pytest.mark.parametrize(
    ("example", "suffix", "read"),
    [("json cluster", ".json", json.loads), ("csv", ".csv", str), ("xml", ".clust.xml", str)],
)
def test_examples_are_what_is_written(example, suffix, read, documented):
    assert read(WRITERS[suffix](Report(documented))) == read(EXAMPLES[example])


def test_every_field_and_file_is_mentioned(schema):
    measures = schema("scores")["$defs"]["scores"]["required"]
    columns = WRITERS[".csv"](Report(Answer("", (), (), "", ""))).replace('"', "").strip()
    for term in [*measures, *columns.split(","), *(f"NAME{suffix}" for suffix in WRITERS)]:
        assert f"`{term}`" in PAGE
