import json
from collections.abc import Callable
from dataclasses import replace
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from eval.text.testbed.records import Output, Reference, Testbed, Topic, whole_text
from tests.eval.text.testbed.made_up import data, first, second, tides
from weps.errors import ValuesError

SCHEMA = json.loads(
    (Path(__file__).parents[4] / "docs" / "schema" / "testbed.schema.json").read_text("utf-8")
)

NAMES = st.text("abcÄ潮 .", min_size=1, max_size=5).filter(str.strip)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
SAID = TEXTS.filter(str.strip)
SCORES = st.dictionaries(NAMES, st.floats(allow_nan=False, allow_infinity=False), max_size=2)


def either(texts: st.SearchStrategy[str]) -> Any:
    """Texts in one piece, and as sentences."""
    return texts | st.lists(texts, min_size=1, max_size=3).map(tuple)


TOPICS = st.builds(
    Topic,
    NAMES,
    st.lists(
        st.builds(Reference, NAMES, either(SAID)),
        min_size=1,
        max_size=3,
        unique_by=lambda each: each.id,
    ).map(tuple),
    st.lists(
        st.builds(Output, NAMES, either(TEXTS), SCORES),
        min_size=1,
        max_size=3,
        unique_by=lambda each: each.system,
    ).map(tuple),
    st.lists(either(SAID), max_size=2).map(tuple),
    st.lists(NAMES, max_size=2).map(tuple),
)


@given(TOPICS)
def test_a_topic_reads_back_and_keeps_to_the_schema(topic: Topic) -> None:
    written = json.loads(json.dumps(topic.as_data(), allow_nan=False))
    assert Topic.from_data(written) == topic
    Draft202012Validator(SCHEMA).validate(written)


def test_the_schema_is_one_and_knows_the_first_line() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    Draft202012Validator(SCHEMA).validate(tides().header())


def test_the_whole_of_a_text() -> None:
    assert [whole_text(each.text) for each in first().references] == [
        "The tide rose.",
        "It rose.\nBoats left.",
    ]


def test_what_a_testbed_holds() -> None:
    bed = tides()
    assert bed.systems == ("one", "two")
    assert bed.criteria == ("coherence", "fluency")
    assert bed.empty_outputs == (("harbours", "two"),)


def reference(text: Any) -> dict[str, Any]:
    return {"references": [{"id": "A", "text": text}]}


def human(score: Any) -> dict[str, Any]:
    return {"outputs": [{"system": "one", "text": "x", "human": {"fluency": score}}]}


FAULTY: list[tuple[Any, str, bool]] = [
    (data(references=[]), "no reference given", True),
    (data(references=None), "lacks 'references'", True),
    (data(outputs=[]), "no output given", True),
    (data(referencs=[]), "has unknown fields 'referencs'", True),
    ([], "is not an object", True),
    (data(**reference("")), "the text of reference 1 is empty", True),
    (data(**reference([" ", "\n"])), "the text of reference 1 is empty", True),
    (data(**reference([])), "the text of reference 1 is empty", True),
    (data(**reference(3)), "the text of reference 1 is neither text nor", True),
    (data(**reference("\ud800")), "the text of reference 1 holds half a character", False),
    (data(sources=[""]), "the text of source 1 is empty", True),
    (data(sources="all"), "expected a list of texts for sources", True),
    (data(concepts=["low water", " "]), "expected 1 to 1,000 characters for the concept 2", True),
    (data(concepts=[["low", "water"]]), "expected 1 to 1,000 characters for the concept 1", True),
    (data(concepts=["low\nwater"]), "the concept 1 has characters that cannot be", False),
    (data(concepts="tide"), "expected a list of texts for concepts", True),
    (data(topic=" "), "expected 1 to 1,000 characters for the topic", True),
    (data(topic="a" * 1001), "expected 1 to 1,000 characters for the topic", True),
    (data(topic="a\nb"), "the topic has characters that cannot be printed", False),
    (data(references=[{"id": "A", "text": "x"}] * 2), "two references have the id 'A'", False),
    (data(outputs=[{"system": "A", "text": ""}] * 3), "two outputs have the system 'A'", False),
    (data(outputs=[{"system": "A"}]), "output 1 lacks 'text'", True),
    (data(outputs=["text"]), "output 1 is not an object", True),
    (
        data(outputs=[{"system": "A", "text": "", "human": []}]),
        "expected an object of numbers for human of output 1",
        True,
    ),
    (
        data(**human(nan)),
        "a finite number for the human score 'fluency' of",
        False,
    ),
    (
        data(**human(-inf)),
        "a finite number for the human score 'fluency' of",
        False,
    ),
    (
        data(**human(10**400)),
        "a finite number for the human score 'fluency' of",
        False,
    ),
    (data(**human(None)), "leave it out where there is none", True),
    (
        data(**human(True)),
        "a finite number for the human score 'fluency' of",
        True,
    ),
]


@pytest.mark.parametrize(("line", "told", "in_schema"), FAULTY)
def test_faulty_topics_are_refused(line: Any, told: str, in_schema: bool) -> None:
    with pytest.raises(ValuesError, match=told):
        Topic.from_data(line)
    assert not in_schema or not Draft202012Validator(SCHEMA).is_valid(line)


def test_all_faults_of_a_topic_are_told_at_once() -> None:
    with pytest.raises(ValuesError) as caught:
        Topic.from_data(data(topic="", sources=[""], **reference("")))
    assert str(caught.value).count(";") == 2


UNFIT: list[tuple[Callable[[], object], str]] = [
    (lambda: replace(first(), references=()), "topic 'harbours': no reference given"),
    (lambda: replace(first(), outputs=first().outputs[:1] * 2), "two outputs have the system"),
    (
        lambda: replace(first(), outputs=(Output("one", "x", {"fluency": nan}),)),
        "expected a finite",
    ),
    (lambda: replace(tides(), topics=()), "the testbed has no topics"),
    (lambda: replace(tides(), topics=(first(), second(), first())), "twice: 'harbours'"),
    (lambda: replace(tides(), name=""), "testbed: expected 1 to 1,000 characters for the name"),
]


@pytest.mark.parametrize(("made", "told"), UNFIT)
def test_faulty_testbeds_cannot_be_made(made: Callable[[], Testbed], told: str) -> None:
    with pytest.raises(ValuesError, match=told):
        made()
