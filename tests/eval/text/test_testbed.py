"""Testbeds and measure matrices: records, schema, files, and agreement with people."""

import json
from collections import defaultdict
from dataclasses import replace
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from scipy import stats

from tests.cases import each_case
from weps.errors import OutputError, SourceError, ValuesError, WepsError
from weps_eval import tables
from weps_eval.cli.text import system_agreement
from weps_eval.text import testbed
from weps_eval.text.testbed import (
    MeasureMatrix,
    Output,
    Reference,
    Testbed,
    Topic,
    read_matrix,
    read_testbed,
    system_means,
    write_matrix,
    write_testbed,
)

HEADER = {
    "kind": "weps testbed",
    "format": 1,
    "name": "Tides",
    "language": "en",
    "source": "made up",
}


def read_topic(data: dict[str, Any]) -> Topic:
    return Topic(**data)


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
    st.none() | NAMES,
)


@given(TOPICS)
def test_any_topic_reads_back_and_keeps_to_the_schema(tmp_path_factory, topic):
    path = tmp_path_factory.mktemp("any") / "made.jsonl"
    strategies = {each.system: "lead" for each in topic.outputs[1:]}
    bed = Testbed("Tides", "en", "made up", (topic,), strategies)
    write_testbed(bed, path)
    Draft202012Validator(SCHEMA).validate(json.loads(path.read_text("utf-8").split("\n")[0]))
    assert read_testbed(path) == bed
    written = json.loads(json.dumps(topic.as_data(), allow_nan=False))
    assert read_topic(written) == topic
    Draft202012Validator(SCHEMA).validate(written)


def test_the_schema_is_one_and_knows_the_first_line():
    Draft202012Validator.check_schema(SCHEMA)
    Draft202012Validator(SCHEMA).validate(HEADER)


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
    (data(references=[]), "references: expected at least 1 entries", True),
    (data(references=None), "references is missing", True),
    (data(referencs=[]), "referencs is not a field", True),
    (data(**reference("")), r"references\[0\].text: expected text that is not empty", True),
    (data(**reference(3)), "expected text or a list of sentences", True),
    (data(**reference("\ud800")), "without halves of characters", False),
    (data(sources=[""]), r"sources\[0\]: expected text that is not empty", True),
    (data(concepts=[["low", "water"]]), r"concepts\[0\]: expected text", True),
    (data(concepts=["low\nwater"]), r"concepts\[0\]: expected characters that can be", False),
    (data(topic=" "), "topic: expected text that matches", True),
    (data(topic="a" * 1001), "topic: expected at most 1000 characters", True),
    (data(topic="a\nb"), "topic: expected characters that can be printed", False),
    (data(topic="a\u202eb"), "topic: expected characters that can be printed", False),
    (data(references=[{"id": "A", "text": "x"}] * 2), "several have the id 'A'", False),
    (data(outputs=[{"system": "A", "text": ""}] * 3), "several have the system 'A'", False),
    (data(outputs=[{"system": "A", "text": "", "human": []}]), "human: expected an object", True),
    (data(**human(10**400)), "human.fluency: expected a number", False),
    (data(**human(None)), "human.fluency: expected a number", True),
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
        (
            lambda: replace(first(), outputs=(Output("one", "x", {"fluency": nan}),)),
            "expected a finite",
        ),
        (lambda: replace(tides(), topics=()), "the testbed has no topics"),
        (
            lambda: replace(tides(), strategies={"six": "lead"}),
            "strategies of unknown systems: 'six",
        ),
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
        '{"topic": "three", "topic": "four"}',
        "[" * 100_000,
        second().as_data(),
    ]
    with pytest.raises(ValuesError) as caught:
        read_testbed(write(tmp_path, *lines))
    assert caught.value.where == tmp_path / "made.jsonl"
    assert caught.value.what.split("; ") == [
        "line 3: invalid JSON",
        "line 4: references: expected at least 1 entries, got a list",
        "line 5: given twice: 'topic'",
        "line 6: invalid JSON",
    ]


def test_one_topic_is_needed(tmp_path):
    with pytest.raises(ValuesError, match=r"made.jsonl: the testbed has no topics; add a line"):
        read_testbed(write(tmp_path, HEADER))


def test_of_many_faulty_lines_the_first_are_listed(tmp_path):
    with pytest.raises(ValuesError, match=r"line 21: .*; and 5 more; correct"):
        read_testbed(write(tmp_path, HEADER, *["{"] * 25))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"", "expected a testbed"),
        (data(), "expected a testbed"),
        ([1], "expected a testbed"),
        ({**HEADER, "format": 2}, r"expected a testbed of weps \(format: expected 1, got 2\)"),
        ({**HEADER, "more": 1}, "more is not a field"),
    ],
)
def test_other_files_are_refused(tmp_path, line, message):
    with pytest.raises(SourceError, match=message):
        read_testbed(write(tmp_path, line, data()))


@pytest.mark.parametrize(
    ("limit", "message"), [("_LONGEST", "a line has more than"), ("MOST_BYTES", "over 200 bytes")]
)
def test_files_are_read_within_bounds(tmp_path, monkeypatch, limit, message):
    monkeypatch.setattr(tables, limit, 200)
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


MATRIX = MeasureMatrix(
    ("t", "t", "u"),
    ("A", "B", "A"),
    ("rouge", "chrf"),
    np.array([[0.1, 0.2, 0.3], [1.0, 2.0, 3.0]]),
    ("fluency",),
    np.array([[5.0, nan, 1.0]]),
)


CASES: list[tuple[dict[str, Any], str]] = [
    ({"system": ("A", "A", "A")}, "topic and system occur twice: .*t.*A"),
    ({"measures": ("rouge", "rouge")}, "columns occur twice: 'rouge'"),
    ({"measures": ("rouge", "fluency")}, "columns occur twice: 'fluency'"),
    ({"human": np.array([[5.0, nan, inf]])}, "A on u: the value of 'fluency' is infinite"),
    (
        {"values": np.array([[0.1, 0.2, 0.3], [1.0, nan, 3.0]])},
        "B on t: the value of 'chrf' is missing or NaN",
    ),
]


@each_case(("change", "message"), CASES)
def test_what_does_not_fit_is_refused(change, message):
    with pytest.raises(ValuesError, match=message):
        replace(MATRIX, **change)


def matrix(measure: str = "rouge(n=2, part=recall)") -> MeasureMatrix:
    return MeasureMatrix(
        ("=t, 1", "=t, 1", "u"),
        ("-A", 'B "2"', "-A"),
        (measure, "chrf"),
        np.array([[0.1, 1 / 3, inf], [1.0, -2.0, 3e-300]]),
        ("fluency", "unseen"),
        np.array([[5.0, nan, 1.0], [nan, nan, nan]]),
    )


def test_what_is_written_reads_back(tmp_path):
    for name in ("one.csv", "two.csv"):
        write_matrix(matrix(), tmp_path / name)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()
    read, left_out = read_matrix(tmp_path / "one.csv")
    assert left_out == ()
    for field in ("topic", "system", "measures", "criteria"):
        assert getattr(read, field) == getattr(matrix(), field)
    np.testing.assert_array_equal(read.values, matrix().values)
    np.testing.assert_array_equal(read.human, matrix().human)


def test_spreadsheets_compute_nothing(tmp_path):
    write_matrix(matrix("=measure"), tmp_path / "m.csv")
    head, row, *_ = (tmp_path / "m.csv").read_text().splitlines()
    assert head == '"topic","system","human:fluency","human:unseen","\'=measure","chrf"'
    assert row == '"\'=t, 1","\'-A",5.0,"",0.1,1.0'


def matrix_of(folder: Path, text: str, *human: str) -> MeasureMatrix:
    (folder / "m.csv").write_text(text)
    return read_matrix(folder / "m.csv", human)[0]


def test_tables_of_others(tmp_path):
    text = "bleu,system,judged,remark,topic\n\n.5,A,-,good,1\n.25,B,3,,1\n"
    found = matrix_of(tmp_path, text, "judged")
    assert (found.topic, found.system) == (("1", "1"), ("A", "B"))
    assert (found.measures, found.criteria) == (("bleu",), ("judged",))
    np.testing.assert_array_equal(found.human, [[nan, 3.0]])
    assert read_matrix(tmp_path / "m.csv", ["judged"])[1] == ("remark",)


CASES_TABLES: list[tuple[str, type[WepsError], str]] = [
    ("", SourceError, "the file is empty"),
    ("topic,system,a\n", ValuesError, "no values of a measure"),
    ("topic,system,a\n1,A,\n", ValuesError, "A on 1: the value of 'a' is missing"),
    ("topic,system,a\n1,A,nan\n", ValuesError, "A on 1: the value of 'a' is missing"),
    ("topic,system,a\n1,A,1\n1,A,2\n", ValuesError, "topic and system occur twice"),
    ("topic,system,a\n1,A,1\n2,B\n", ValuesError, "line 3: the row has 2 cells"),
    ("topic,system,a,a\n1,A,1,1\n", ValuesError, "two columns are called 'a'"),
    ("topic,system,a,human:b\n1,A,1,x\n", ValuesError, "'human:b' of human scores holds text"),
    ('topic,system,a\n1,A,"1\n', SourceError, "close what quotation marks open"),
]


@each_case(("text", "error", "message"), CASES_TABLES)
def test_faulty_tables(tmp_path, text, error, message):
    with pytest.raises(error, match=message) as caught:
        matrix_of(tmp_path, text)
    assert str(tmp_path / "m.csv") in str(caught.value)


@pytest.mark.parametrize("name", ["topic", "system", "human:fluency"])
def test_measures_that_would_read_back_as_something_else(tmp_path, name):
    with pytest.raises(OutputError, match="cannot be called"):
        write_matrix(matrix(name), tmp_path / "m.csv")


def summed(*rows: tuple[str, str, float, float]) -> MeasureMatrix:
    """Topic, system, value, what people thought."""
    topic, system, value, human = zip(*rows, strict=True) if rows else ((), (), (), ())
    return MeasureMatrix(
        topic, system, ("m",), np.array([value], float), ("c",), np.array([human], float)
    )


ROWS = (
    ("t1", "A", 0.1, 1.0),
    ("t1", "B", 0.3, 2.0),
    ("t1", "C", 0.2, 4.0),
    ("t2", "B", 0.9, nan),
    ("t2", "C", 0.4, 5.0),
    ("t3", "A", 0.6, 2.0),
    ("t3", "B", 0.5, 4.0),
    ("t3", "C", 0.9, 5.0),
    ("t3", "D", 0.0, nan),
)


def test_means_are_over_the_topics_of_each_system():
    systems, topics, means = system_means(summed(*ROWS))
    assert systems == ("A", "B", "C", "D")
    assert topics.tolist() == [2, 3, 3, 1]
    assert means == pytest.approx(np.array([[0.35, 1.7 / 3, 0.5, 0.0]]))


@each_case(
    ("rows", "systems", "topics"),
    [
        ((), 0, 0),
        ([row for row in ROWS if row[1] in "AB"], 2, 2),
        ([("t1", "A", 0.1, 1.0), ("t2", "B", 0.2, 2.0), ("t3", "C", 0.3, 3.0)], 3, 0),
        ([("t1", "A", 0.1, nan)], 0, 0),
    ],
)
def test_no_agreement(rows, systems, topics):
    none = {"m": None}
    assert system_agreement(summed(*rows), "c") == {
        "systems": systems,
        "topics": topics,
        "pearson": none,
        "kendall": none,
    }


@each_case(
    ("values", "people"),
    [((0.5, 0.5, 0.5), (1, 2, 3)), ((1, 2, 3), (4, 4, 4)), ((1, 2, np.inf), (1, 2, 3))],
)
def test_no_coefficient_where_systems_are_alike_or_endless(values, people):
    rows = [("t", *row) for row in zip("ABC", values, people, strict=True)]
    found = system_agreement(summed(*rows), "c")
    assert found == {"systems": 3, "topics": 1, "pearson": {"m": None}, "kendall": {"m": None}}


@given(st.permutations(range(6)))
def test_equal_means_are_tied_in_whatever_order_they_are_added_up(order):
    thirds = {"A": (11, 13, 13, 11, 10, 14), "B": (10, 14, 12, 12, 11, 13), "C": (6,) * 6}
    rows = [
        (f"t{topic}", system, value, thirds[system][topic] / 3)
        for topic in order
        for system, value in zip("ABC", (0.3, 0.2, 0.1), strict=True)
    ]
    ties = stats.kendalltau((3, 2, 1), (4, 4, 2)).statistic
    assert system_agreement(summed(*rows), "c")["kendall"] == {"m": pytest.approx(ties)}


cells = st.tuples(st.integers(0, 20), st.one_of(st.none(), st.integers(0, 5)))
judged_outputs = st.dictionaries(st.tuples(st.sampled_from("tuv"), st.sampled_from("ABCDE")), cells)


@given(judged_outputs, st.randoms())
def test_brute_force(table, random):
    rows = [(*key, value, nan if human is None else human) for key, (value, human) in table.items()]
    random.shuffle(rows)
    found = system_agreement(summed(*rows), "c")
    judged = {key: cell for key, cell in table.items() if cell[1] is not None}
    systems = {system for _, system in judged}
    by_topic = defaultdict(set)
    for topic, system in judged:
        by_topic[topic].add(system)
    shared = {topic for topic, present in by_topic.items() if present == systems}
    assert (found["systems"], found["topics"]) == (len(systems), len(shared))
    if len(systems) < 3 or not shared:
        assert found["pearson"] == found["kendall"] == {"m": None}
        return
    pairs = [
        np.mean([judged[topic, system] for topic in sorted(shared)], axis=0) for system in systems
    ]
    ours, people = np.array(pairs).T
    if np.ptp(ours) > 0 and np.ptp(people) > 0:
        assert found["pearson"]["m"] == pytest.approx(stats.pearsonr(ours, people).statistic)
        tau = stats.kendalltau(ours.round(9), people.round(9)).statistic
        assert found["kendall"]["m"] == pytest.approx(tau)
