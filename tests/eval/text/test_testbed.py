"""Testbeds: their records, schema and files."""

import gzip
import json
from dataclasses import replace
from math import nan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter

from tests.cases import each_case
from weps.errors import SourceError, ValuesError
from weps_eval.text import testbed
from weps_eval.text.testbed import (
    Output,
    Reference,
    Testbed,
    Topic,
    read_testbed,
    write_testbed,
)

HEADER = {
    "kind": "weps testbed",
    "format": 1,
    "name": "Tides",
    "language": "en",
    "source": "made up",
}


read_topic = TypeAdapter(Topic).validate_python


def tides() -> Testbed:
    return Testbed("Tides", "en", "made up", (first(), second()))


def first() -> Topic:
    return Topic(
        "harbours",
        (Reference("A", "The tide rose."), Reference("B", ("It rose.", "Boats left."))),
        (
            Output("one", "The tide rose.", {"fluency": 5.0, "coherence": 1.5}),
            Output("two", ""),
        ),
        ("At noon the tide rose. Boats left.", ("A second", "document")),
    )


def second() -> Topic:
    return Topic("ebb", (Reference("A", "Ebbe – 潮"),), (Output("two", ("Low water", "")),))


def data(**changes: Any) -> dict[str, Any]:
    """The line of a topic, with other values for some fields; a field with None is left out."""
    given = {**first().as_data(), **changes}
    return {field: value for field, value in given.items() if value is not None}


def write(folder: Path, *lines: Any) -> Path:
    """A file with these lines: data or, as they are, text and bytes."""
    path = folder / "made.jsonl"
    path.write_bytes(b"\n".join(map(_line, lines)))
    return path


def _line(line: Any) -> bytes:
    if isinstance(line, bytes):
        return line
    return (line if isinstance(line, str) else json.dumps(line)).encode()


SCHEMA = json.loads(
    (Path(__file__).parents[3] / "docs" / "schema" / "testbed.schema.json").read_text("utf-8")
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
def test_a_topic_reads_back_and_keeps_to_the_schema(topic):
    written = json.loads(json.dumps(topic.as_data(), allow_nan=False))
    assert read_topic(written) == topic
    Draft202012Validator(SCHEMA).validate(written)


def test_the_schema_is_one_and_knows_the_first_line():
    Draft202012Validator.check_schema(SCHEMA)
    Draft202012Validator(SCHEMA).validate(tides().header())


def test_what_a_testbed_holds():
    bed = tides()
    assert bed.systems == ("one", "two")
    assert bed.criteria == ("coherence", "fluency")
    assert bed.empty_outputs == (("harbours", "two"),)


def test_an_output_that_is_a_reference_is_told_white_space_aside():
    references = Reference("A", "Tides turn."), Reference("B", ("The sea rises.", "It falls."))
    texts = "The  sea rises. It falls.\n", "tides turn.", "", ("Tides", "turn.")
    outputs = tuple(Output(f"s{number}", text) for number, text in enumerate(texts))
    topics = Topic("t", references, outputs), Topic("other", references[:1], outputs[:1])
    testbed = Testbed("T", "en", "made up", topics)
    assert testbed.equal_outputs == (("t", "s0"), ("t", "s3"))
    same = replace(topics[0], outputs=(*outputs[:2], Output("s4", ("tides", "turn."))))
    numbers = replace(testbed, topics=(same, topics[1])).output_texts
    assert numbers == {("t", "s0"): 0, ("t", "s1"): 1, ("t", "s4"): 1, ("other", "s0"): 2}


def reference(text: Any) -> dict[str, Any]:
    return {"references": [{"id": "A", "text": text}]}


def human(score: Any) -> dict[str, Any]:
    return {"outputs": [{"system": "one", "text": "x", "human": {"fluency": score}}]}


FAULTY: list[tuple[Any, str, bool]] = [
    (data(references=[]), "references: expected at least one", True),
    (data(references=None), "references is missing", True),
    (data(outputs=[]), "outputs: expected at least one", True),
    (data(referencs=[]), "referencs is not a field", True),
    ([], "expected an object", True),
    (data(**reference("")), r"references\[0\].text: expected text that is not empty", True),
    (data(**reference([])), "text that is not empty", True),
    (data(**reference(3)), "expected text or a list of sentences", True),
    (data(**reference(["x", 3])), "expected text or a list of sentences", True),
    (data(**reference("\ud800")), "without halves of characters", False),
    (data(sources=[""]), r"sources\[0\]: expected text that is not empty", True),
    (data(sources="all"), "sources: expected a list", True),
    (data(concepts=["low water", " "]), r"concepts\[1\]: expected text that matches", True),
    (data(concepts=[["low", "water"]]), r"concepts\[0\]: expected text", True),
    (data(concepts=["low\nwater"]), r"concepts\[0\]: expected characters that can be", False),
    (data(concepts="tide"), "concepts: expected a list", True),
    (data(topic=" "), "topic: expected text that matches", True),
    (data(topic="a" * 1001), "topic: expected at most 1000 characters", True),
    (data(topic="a\nb"), "topic: expected characters that can be printed", False),
    (data(topic="a\u202eb"), "topic: expected characters that can be printed", False),
    (data(topic=3), "topic: expected text, got 3", True),
    (data(references=[{"id": "A", "text": "x"}] * 2), "several have the id 'A'", False),
    (data(outputs=[{"system": "A", "text": ""}] * 3), "several have the system 'A'", False),
    (data(outputs=[{"system": "A"}]), r"outputs\[0\].text is missing", True),
    (data(outputs=["text"]), r"outputs\[0\]: expected an object", True),
    (data(outputs=[{"system": "A", "text": "", "human": []}]), "human: expected an object", True),
    (data(**human(10**400)), "human.fluency: expected a number", False),
    (data(**human(None)), "human.fluency: expected a number", True),
    (data(**human(True)), "human.fluency: expected a number", True),
    (data(**human("5")), "human.fluency: expected a number", True),
]


@each_case(("line", "message", "in_schema"), FAULTY)
def test_faulty_topics_are_refused(line, message, in_schema):
    with pytest.raises(ValuesError, match=message):
        read_topic(line)
    assert not in_schema or not Draft202012Validator(SCHEMA).is_valid(line)


@each_case(
    ("make", "message"),
    [
        (lambda: replace(first(), references=()), "topic 'harbours': references: expected at"),
        (lambda: replace(first(), outputs=first().outputs[:1] * 2), "several have the system"),
        (
            lambda: replace(first(), outputs=(Output("one", "x", {"fluency": nan}),)),
            "expected a finite",
        ),
        (lambda: replace(first(), references=(Reference("A", " "),)), "text that is not empty"),
        (lambda: replace(tides(), topics=()), "the testbed has no topics"),
        (lambda: replace(tides(), topics=(first(), second(), first())), "twice: 'harbours'"),
    ],
)
def test_faulty_testbeds_cannot_be_made(make, message):
    with pytest.raises(ValuesError, match=message):
        make()


def test_a_testbed_is_read(tmp_path):
    path = write(tmp_path, HEADER, data(), "", second().as_data(), "", " ")
    assert read_testbed(path) == tides()


def test_a_byte_order_mark_and_other_line_ends_do_not_matter(tmp_path):
    lines = [f"{json.dumps(line)}\r" for line in (HEADER, data(), second().as_data())]
    path = write(tmp_path, "\ufeff" + lines[0], *lines[1:])
    assert read_testbed(path) == tides()


def test_every_faulty_line_is_listed(tmp_path):
    lines = [
        HEADER,
        data(),
        "{",
        data(topic="two", references=[]),
        data(),
        b'{"topic": "\xff"}',
        '{"topic": "three", "topic": "four"}',
        "[" * 100_000,
        second().as_data(),
    ]
    with pytest.raises(ValuesError) as caught:
        read_testbed(write(tmp_path, *lines))
    assert caught.value.where == tmp_path / "made.jsonl"
    assert caught.value.what.split("; ") == [
        "line 3: invalid JSON",
        "line 4: references: expected at least one",
        "line 5: the topic 'harbours' is there already",
        "line 6: not valid UTF-8",
        "line 7: given twice: 'topic'",
        "line 8: invalid JSON",
    ]


@each_case(
    ("header", "message"),
    [
        ({**HEADER, "language": ""}, "line 1: language: expected at least 1 character"),
        ({**HEADER, "more": 1}, "line 1: more is not a field"),
        (HEADER, "made.jsonl: the testbed has no topics; add a line"),
    ],
)
def test_the_first_line_and_one_more_are_needed(tmp_path, header, message):
    with pytest.raises(ValuesError, match=message):
        read_testbed(write(tmp_path, header))


def test_of_many_faulty_lines_the_first_are_listed(tmp_path):
    with pytest.raises(ValuesError, match=r"line 21: .*; and 5 more lines; correct"):
        read_testbed(write(tmp_path, HEADER, *["{"] * 25))


@pytest.mark.parametrize("score", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_scores_that_are_no_finite_numbers(tmp_path, score):
    line = json.dumps(data()).replace("1.5", score)
    with pytest.raises(ValuesError, match=r"line 2: .*human.coherence: expected a finite number"):
        read_testbed(write(tmp_path, HEADER, line))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"", "expected a testbed"),
        ("topic,system\n1,2", "expected a testbed"),
        (data(), "expected a testbed"),
        ([1], "expected a testbed"),
        ({**HEADER, "format": 2}, "another format than 1"),
    ],
)
def test_other_files_are_refused(tmp_path, line, message):
    with pytest.raises(SourceError, match=message):
        read_testbed(write(tmp_path, line, data()))


@pytest.mark.parametrize(
    "damage",
    [lambda raw: raw[:-20], lambda raw: b"none" + raw, lambda raw: raw[:12] + b"\xff" * 30],
)
def test_damaged_gzip(tmp_path, damage):
    path = tmp_path / "made.jsonl.gz"
    raw = gzip.compress(write(tmp_path, HEADER, data(), second().as_data()).read_bytes(), mtime=0)
    path.write_bytes(damage(raw))
    with pytest.raises(SourceError, match="cannot be read"):
        read_testbed(path)


@pytest.mark.parametrize(
    ("limit", "message"), [("_LONGEST", "line 2 has more than"), ("_LARGEST", "over 200 bytes")]
)
def test_files_are_read_within_bounds(tmp_path, monkeypatch, limit, message):
    monkeypatch.setattr(testbed, limit, 200)
    with pytest.raises(SourceError, match=message):
        read_testbed(write(tmp_path, HEADER, data()))


def test_empty_lines_are_counted(tmp_path, monkeypatch):
    """Two gigabytes of line ends, a few megabytes when packed, would take half an hour."""
    monkeypatch.setattr(testbed, "_MOST_LINES", 9)
    (tmp_path / "t.jsonl").write_text(json.dumps(HEADER) + "\n" * 10)
    with pytest.raises(SourceError, match="more than 9 lines"):
        read_testbed(tmp_path / "t.jsonl")


@pytest.mark.parametrize("name", ["made.jsonl", "made.jsonl.gz"])
def test_what_is_written_reads_back_and_is_the_same_each_time(tmp_path, name):
    paths = [tmp_path / name, tmp_path / f"again {name}"]
    for path in paths:
        write_testbed(tides(), path)
    assert read_testbed(paths[0]) == tides()
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert sorted(tmp_path.iterdir()) == sorted(paths)


def test_the_first_line_says_what_the_file_is(tmp_path):
    write_testbed(tides(), tmp_path / "made.jsonl")
    lines = (tmp_path / "made.jsonl").read_text("utf-8").splitlines()
    assert json.loads(lines[0]) == HEADER
    assert len(lines) == 3
    assert "潮" in lines[2]


@given(st.text(st.characters(codec="utf-8")))
def test_any_text_reads_back(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("any") / "made.jsonl"
    topic = replace(first(), outputs=(Output("one", text), Output("two", (text, text))))
    bed = Testbed("Tides", "en", "made up", (topic,))
    write_testbed(bed, path)
    assert read_testbed(path) == bed
