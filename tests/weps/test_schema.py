"""Faults of JSON that others wrote are listed in one message."""

from typing import Annotated

import pytest
from pydantic import Field

from docs.schema.generate import FOLDER, FORMATS, generate
from tests.cases import each_case
from weps._schema import JsonModel, parse_json, validate_data
from weps.errors import ValuesError


class Page(JsonModel):
    rank: Annotated[int, Field(ge=0, le=10**9)]
    score: float | None = None


class Result(JsonModel):
    name: Annotated[str, Field(min_length=1)]
    pages: tuple[Page, ...]
    scores: dict[str, float] = Field(default_factory=dict)


@each_case(
    ("raw", "message"),
    [
        ("{", "Invalid JSON"),
        ('"\\ud800"', "Invalid JSON"),
        ("[" * 100_000, "Invalid JSON: recursion limit exceeded"),
        ("[]", "expected an object, got a list"),
        ("{}", "name is missing; pages is missing"),
        ('{"name": 1, "pages": []}', "name: expected text, got 1"),
        ('{"name": "", "pages": []}', "name: expected at least 1 characters, got ''"),
        ('{"name": "a", "pages": {}}', "pages: expected a list, got an object"),
        ('{"name": "a", "pages": [{"rank": "1"}]}', "pages[0].rank: expected a whole number, "),
        ('{"name": "a", "pages": [{"rank": 1.0}]}', "got 1.0"),
        ('{"name": "a", "pages": [{"rank": true}]}', "got True"),
        ('{"name": "a", "pages": [{"rank": null}]}', "got null"),
        ('{"name": "a", "pages": [{"rank": -1}]}', "expected a number from 0, got -1"),
        ('{"name": "a", "pages": [{"rank": 1, "score": NaN}]}', "expected a finite number"),
        ('{"name": "a", "pages": [{"rank": 1, "x": 2}]}', "pages[0].x is not a field"),
        ('{"name": "a", "pages": [], "scores": {"A B": "x"}}', "scores['A B']: expected a number"),
        ('{"name": "a", "pages": [1, 2, 3, 4, 5, 6, 7]}', "got 5; and 2 more"),
    ],
)
def test_each_fault_is_named_with_its_place(raw, message):
    with pytest.raises(ValuesError) as caught:
        parse_json(Result, raw, lambda faults: ValuesError(faults, where="file.json"))
    assert message in caught.value.what
    assert caught.value.where == "file.json"


def test_a_sound_record_is_returned():
    raw = '{"name": "Ann", "pages": [{"rank": 1, "score": 1}], "scores": {"B3": 0.5}}'
    parsed = parse_json(Result, raw, ValuesError)
    assert parsed == Result(name="Ann", pages=(Page(rank=1, score=1.0),), scores={"B3": 0.5})
    assert validate_data(Result, parsed.model_dump(), ValuesError) == parsed


@each_case("name", FORMATS)
def test_the_schemas_of_the_documentation_are_generated(name):
    assert (FOLDER / f"{name}.schema.json").read_text("utf-8") == generate(FORMATS[name])
