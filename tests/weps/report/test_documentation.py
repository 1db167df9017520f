"""The examples of docs/output.md are what the writers write."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from weps.coreference.explanation import Effect
from weps.corrections.file import from_text
from weps.people.answer import Answer, ExplainedMerge, Near, PageScore, Person
from weps.people.description import Named, Portrait
from weps.people.evidence import Evidence, ExplainedPair
from weps.provenance import Collection, Provenance
from weps.refinement.suggestion import Refinement
from weps.report.view import Report
from weps.report.writing import WRITERS

PAGE = (Path(__file__).parents[3] / "docs" / "output.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"^```(\w+(?: \w+)?)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


def told(kind: type, data: dict[str, Any]) -> dict[str, Any]:
    """The fields; what follows from them is left out."""
    return {field.name: data[field.name] for field in fields(kind) if field.name in data}


def page_of(data: dict[str, Any]) -> PageScore:
    near = {key: Near(**data[key]) for key in ("closest", "rival") if key in data}
    return PageScore(**told(PageScore, data) | near)


def person_of(data: dict[str, Any]) -> Person:
    names = (Named(each["text"], each["kind"], tuple(each["pages"])) for each in data["names"])
    portrait = Portrait(
        tuple(data["terms"]), tuple(data["words"]), tuple(names), refinement_of(data)
    )
    pages = tuple(map(page_of, data["pages"]))
    return Person(data["id"], data["confidence"], pages, portrait, data.get("called", ""))


def refinement_of(data: dict[str, Any]) -> Refinement | None:
    if "refinement" not in data:
        return None
    text = data["refinement"]["query"].rpartition('" ')[2].strip('"')
    precision, recall = data["refinement"]["precision"], data["refinement"]["recall"]
    return Refinement(text, precision, recall, 2 * precision * recall / (precision + recall))


def merge_of(data: dict[str, Any]) -> ExplainedMerge:
    return ExplainedMerge(tuple(data["pages"]), data["probability"], data["held"])


def pair_of(data: dict[str, Any]) -> ExplainedPair:
    evidence = (
        Evidence(each["feature"], tuple(each["shared"]), tuple(each["pages"]))
        for each in data["evidence"]
    )
    effects = tuple(Effect(**each) for each in data.get("effects", ()))
    return ExplainedPair(tuple(data["pages"]), data["probability"], tuple(evidence), effects)


@pytest.fixture
def documented() -> Report:
    data = json.loads(EXAMPLES["json cluster"])
    pairs = map(pair_of, data["pairs"])
    answer = Answer(
        data["name"],
        tuple(map(person_of, data["people"])),
        tuple(map(merge_of, data["merges"])),
        data["model"],
        data["signature"],
        tuple(data["absent_features"]),
        {pair.pages: pair for pair in pairs},
        corrections=from_text("\n".join(data["corrections"])),
    )
    collections = tuple(Collection(**each) for each in data["collected"])
    return Report(answer, provenance=Provenance(collections, **data["settings"]))


@pytest.mark.parametrize("name", ["cluster", "scores"])
def test_examples_follow_their_schemas(name, schema):
    Draft202012Validator(schema(name)).validate(json.loads(EXAMPLES[f"json {name}"]))


@pytest.mark.parametrize(
    ("example", "suffix", "read"),
    [("json cluster", ".json", json.loads), ("csv", ".csv", str), ("xml", ".clust.xml", str)],
)
def test_examples_are_what_is_written(example, suffix, read, documented):
    assert read(WRITERS[suffix](documented)) == read(EXAMPLES[example])


def test_every_field_and_file_is_mentioned(schema):
    measures = schema("scores")["$defs"]["scores"]["required"]
    columns = WRITERS[".csv"](Report(Answer("", (), (), "", ""))).replace('"', "").strip()
    for term in [*measures, *columns.split(","), *(f"NAME{suffix}" for suffix in WRITERS)]:
        assert f"`{term}`" in PAGE
